"""What the resolver in the page knows, and its answers as JSON.

The script reads tokens, and all that the corpus alone decides is worked out here by asking the rules
themselves: what each edition that exists leads to, what they say of it, and their words for what does not
exist. The same answers in Python, which the tests compare with those of the page, come from `answer_json`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, cast
from unicodedata import category, name

from spectastic.corpus.catalog import entry
from spectastic.corpus.model import Outcome
from spectastic.engine import tokens
from spectastic.rules import RULES, SPEC_RULES, corpus_provenance
from spectastic.spec.citation import CLASSES, parse
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spectastic.corpus import Corpus
    from spectastic.engine.policy import Policy
    from spectastic.engine.tokens import Answer
    from spectastic.findings import Finding

Json = dict[str, object]

_RULES = [rule.RULE.id for rule in SPEC_RULES]

#: Letters, digits, signs and invisible characters are in the first planes and in the last but two.
_CODES = (*range(0x40000), *range(0xE0000, 0xE1000))
#: A class of a pattern takes these for something else.
_SPECIAL = re.compile(r"[\]\[\\^-]")
_INVISIBLE = f"[{CLASSES['invisible']}]"
#: A token taken apart. Between the letters and behind the number, what cannot be seen may stand.
_PARTS = re.compile(
    f"(?P<prefix>[^{CLASSES['b']}]*+[{CLASSES['b']}])"
    r"(?P<dash>\D*+)"
    rf"(?P<number>\d++(?:{_INVISIBLE}++\d++)*+)"
    f"(?P<at>[^{CLASSES['at']}]*+[{CLASSES['at']}])?+"
    "(?P<edition>.*+)",
    re.DOTALL,
)


def data(corpus: Corpus, policy: Policy) -> Json:
    """All that `assets/resolver.js` needs to know, as JSON. A rule that is not in force has no severity."""
    ids = list(corpus.rows)
    return {
        "classes": classes(),
        "names": names(),
        "rules": [[rule.RULE.id, _severity(rule.RULE.id, policy)] for rule in SPEC_RULES],
        "unknown": _unknown(corpus),
        "broken": dict(_broken(corpus)),
        "missing": _missing(ids[0], corpus) if ids else [],
        "references": [_reference(identifier, corpus) for identifier in ids],
    }


def _severity(rule: str, policy: Policy) -> str | None:
    severity = policy.severity(RULES[rule])
    return None if severity is None else severity.label


def answer_json(answer: Answer, corpus: Corpus, policy: Policy) -> Json:
    """An answer with its keys as the page's script gives it, with the findings of rules in force.

    `edition` and `path` are those of the document that it leads to.
    """
    citation, resolution = answer.citation, answer.resolution
    row = None if resolution is None else resolution.row
    found = resolution if answer.found else None
    return {
        "text": answer.text,
        "id": None if citation is None else citation.id,
        "pinned": None if citation is None else citation.edition,
        "outcome": None if resolution is None else resolution.outcome.value,
        "edition": None if found is None else found.edition,
        "path": None if found is None else _written(found.path),
        "label": None if row is None else row.label,
        "row": None if row is None else _row(row.id, corpus),
        "state": answer.state.value,
        "findings": [
            {
                "rule": finding.rule,
                "severity": severity,
                "message": _written(finding.message),
                "hint": _written(finding.hint),
            }
            for finding in answer.findings
            if (severity := _severity(finding.rule, policy)) is not None
        ],
        "parts": parts(answer.text),
    }


def parts(text: str) -> list[dict[str, str]]:
    """A citation or a near miss taken apart: each part, with its role, of which `text` is made."""
    match = _PARTS.fullmatch(text)
    found = {} if match is None else match.groupdict()
    return [{"text": part, "role": role} for role, part in found.items() if part]


@lru_cache(maxsize=1)
def classes() -> dict[str, str]:
    """The kinds of characters of the grammar, each as a class of a pattern, in Python or in JavaScript.

    Those that Unicode defines are as this Python knows them; browsers may know another version of it.
    """
    return {
        **CLASSES,
        "blank": _class(str.isspace),
        "decimal": _class(str.isdecimal),
        "digit": _class(str.isdigit),
        "word": _class(str.isalnum),
        "cut": _class(lambda one: category(one)[0] in "PS" or category(one) == "Lo"),
    }


@lru_cache(maxsize=1)
def names() -> dict[str, str]:
    """The names of all characters that a near miss may be told of by name.

    Names in a row are joined by `|` under the number of their first character. Each begins with how many
    characters it shares with the one before it, as a digit of base 36.
    """
    told = re.compile(f"[{''.join(CLASSES[kind] for kind in ('k', 'b', 'dashes', 'at', 'invisible'))}]|\\d")
    found: dict[str, str] = {}
    start, before = 0, -2
    last = ""
    for code in _CODES:
        own = name(chr(code), "") if code > 0x7F and told.match(chr(code)) else ""
        if not own:
            continue
        if code != before + 1:
            start, last = code, ""
        shared = _shared(last, own)
        piece = f"{_DIGITS[shared]}{own[shared:]}"
        key = f"{start:x}"
        found[key] = f"{found[key]}|{piece}" if key in found else piece
        before, last = code, own
    return found


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _shared(one: str, other: str) -> int:
    """How many characters at the beginning two names have in common, 35 at most."""
    pairs = zip(one[:35], other, strict=False)
    return next(
        (at for at, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other), 35)
    )


def _class(test: Callable[[str], bool]) -> str:
    """The characters that pass a test, as ranges of a class."""
    ranges: list[tuple[int, int]] = []
    for code in _CODES:
        if test(chr(code)):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1] = ranges[-1][0], code
            else:
                ranges.append((code, code))
    return "".join(_range(start, end) for start, end in ranges)


def _range(start: int, end: int) -> str:
    first, last = (_SPECIAL.sub(r"\\\g<0>", chr(code)) for code in (start, end))
    return first if start == end else f"{first}-{last}"


def _unknown(corpus: Corpus) -> Json:
    """What is said of an id that is not registered, and of which none is near; the id goes between."""
    ids = (f"KB-{number}" for number in count(10**24))
    identifier = next(one for one in ids if one not in corpus.rows and one not in corpus.registry.path)
    reason, hint = _nothing(identifier, None, corpus)
    return {"reason": reason.split(identifier), "hint": hint}


def _broken(corpus: Corpus) -> Iterator[tuple[str, tuple[str, str]]]:
    """The ids whose rows do not count, each with what is said of it."""
    for problem in corpus.registry.problems:
        if parse(problem.subject) == (problem.subject, None) and problem.subject not in corpus.rows:
            yield problem.subject, _nothing(problem.subject, None, corpus)


def _missing(identifier: str, corpus: Corpus) -> list[str]:
    """What is said, behind its id, of an edition that does not exist; the edition goes between."""
    absent = _absent(identifier, corpus)
    reason, _ = _nothing(identifier, absent, corpus)
    return reason.removeprefix(short(identifier, 40)).split(absent)


def _absent(identifier: str, corpus: Corpus) -> str:
    """An edition that a registered reference has not."""
    taken = {corpus.rows[identifier].edition, *corpus.editions(identifier)}
    return next(text for text in map(str, count()) if text not in taken)


def _reference(identifier: str, corpus: Corpus) -> list[object]:
    """A registered reference: its label, its row, and what its tokens lead to, each as `_led` has it.

    Those are the editions in the order of `Corpus.editions`; none, which is the first of them or nothing; and
    at the end, where it has no document, the edition of the row. Before that comes the hint that goes with an
    edition that does not exist.
    """
    row = corpus.rows[identifier]
    editions = corpus.editions(identifier)
    # A text has no half characters, so nobody can cite an edition that has.
    known = [_led(identifier, edition, corpus) for edition in editions if _written(edition) == edition]
    _, hint = _nothing(identifier, _absent(identifier, corpus), corpus)
    own = [_led(identifier, row.edition, corpus)] if row.edition and row.edition not in editions else []
    bare = _led(identifier, None, corpus)
    return [row.label, list(_row(identifier, corpus).values()), known, bare, hint, *own]


def _row(identifier: str, corpus: Corpus) -> dict[str, str]:
    row, pack, _, _, status = entry(corpus, identifier)
    return {
        "id": identifier,
        "edition": row.edition,
        "title": row.title,
        "slug": row.slug,
        "pack": pack,
        "status": status,
    }


def _led(identifier: str, edition: str | None, corpus: Corpus) -> list[object]:
    """What a citation leads to: its edition, the outcome, the path, and what the rules say of it.

    The path of a bare one is left out, as it is that of an edition. For nothing, the reason stands for the
    path, and behind it the hint.
    """
    found = corpus.find(identifier, edition)
    if found.outcome is Outcome.NOTHING:
        return [edition, found.outcome.value, *_nothing(identifier, edition, corpus)]
    findings = ([_RULES.index(one.rule), one.message, one.hint] for one in _ask(identifier, edition, corpus))
    return [edition, found.outcome.value, None if edition is None else found.path, *findings]


def _nothing(identifier: str, edition: str | None, corpus: Corpus) -> tuple[str, str]:
    """Why a citation leads to nothing, and what to do: what is said of it behind the citation itself."""
    finding = next(one for one in _ask(identifier, edition, corpus) if one.rule == corpus_provenance.RULE.id)
    return finding.message.removeprefix(f"{finding.subject} resolves to nothing: "), finding.hint


def _ask(identifier: str, edition: str | None, corpus: Corpus) -> tuple[Finding, ...]:
    """What the rules say of a citation."""
    token = identifier if edition is None else f"{identifier}@{edition}"
    # It has the form of one.
    return cast("Answer", tokens.ask(token, corpus)).findings


def _written(text: str) -> str:
    """A text as a file in UTF-8 can have it."""
    return text.encode("utf-8", "replace").decode()
