"""The grammar of a suppression: `<!-- spectastic: ignore RULE[, RULE…] -- reason -->`, or `ignore-file`.

Pure: one comment in, what it asks for out. Blanks and line breaks are free. Names are separated by
commas or blanks, and the reason follows two hyphens with a blank on either side. More hyphens may
begin and end the comment (`<!--- … --->`).

A comment is *meant* as a suppression if its first word is `spectastic`, in any case, and then

- a colon or `=` follows, perhaps after blanks or hyphens: whatever comes next; or
- blanks, hyphens or underscores follow, and then one of the words that silence linters (`ignore`,
  `disable`, `noqa` …), in any case, with more behind a hyphen perhaps (`disable-next-line`), but not as a
  part of a longer word (`ignores`).

Any other comment is prose: `<!-- spectastic checks this file -->`, `<!-- see spectastic: ignore -->`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from spectastic.text import short

#: More names in one comment are no list that anybody wrote.
MAX_RULES = 50
#: A reason is repeated with each finding that it excuses.
MAX_REASON = 300

_COLONS = ":\uff1a="
_HEAD = re.compile(f"-*\\s*(?P<name>spectastic)(?P<mark>[\\s{_COLONS}_-]+)(?P<word>\\S*)", re.IGNORECASE)
_SILENCING = re.compile(
    "(?:allow|disable|enable|ignore|nolint|noqa|off|silence|skip|suppress)(?![^\\W_])", re.IGNORECASE
)
_WORDS = ("ignore", "ignore-file")
_NAME = re.compile("[^\\s,]+")
_DASHES = "\u2012-\u2015\u2212"
_REASON = re.compile("(?<!\\S)--(?!\\S)")
#: What stands where a reason should begin, in the place of two hyphens that stand alone.
_DASH = re.compile(f"[{_DASHES}]+|-{{2,}}|(?<!\\S)-(?!\\S)")
_NOTHING = re.compile(f"[\\s{_DASHES}-]*")


class Directive(NamedTuple):
    """What a comment asks for. The places of rules are characters of the comment.

    `problem` says why it cannot have it: a message and a hint.
    """

    whole_file: bool = False
    rules: tuple[tuple[str, int, int], ...] = ()
    reason: str = ""
    problem: tuple[str, str] | None = None


def parse(comment: str) -> Directive | None:
    """What a comment, from `<!--` to its end, asks for; `None` where it is no suppression."""
    end = len(comment) - len("-->")
    head = _HEAD.match(comment, len("<!--"), end)
    if head is None:
        return None
    if not any(colon in head["mark"] for colon in _COLONS) and not _SILENCING.match(head["word"]):
        return None
    wrong = _wrong_head(head) or ("" if comment.endswith("-->") else "it ends in --!>, not in -->")
    if wrong:
        return _nothing(wrong)
    word = head["word"]
    dashes = _REASON.search(comment, head.end(), end)
    stop = end if dashes is None else dashes.start()
    names = tuple(islice(_NAME.finditer(comment, head.end(), stop), MAX_RULES + 1))
    if dashes is None and (dash := _DASH.search(comment, head.end(), end)):
        glued = "no blanks stand around its --"
        return _nothing(glued if dash[0] == "--" else f"{short(dash[0], 10)} stands where -- should", word)
    if not names:
        return _nothing("it names no rule", word)
    if len(names) > MAX_RULES:
        return _nothing(f"it names more than {MAX_RULES} rules", word)
    if dashes is None or _NOTHING.fullmatch(comment, dashes.end(), end):
        return _nothing("it gives no reason", word)
    rules = tuple([(name[0], *name.span()) for name in names])
    reason = short(comment[dashes.end() : end].rstrip("-"), MAX_REASON)
    return Directive(word == "ignore-file", rules, reason)


def _wrong_head(head: re.Match[str]) -> str:
    """What is wrong with the words that a comment begins with."""
    if head["name"] != "spectastic":
        return f"it begins with {head['name']}, not with spectastic"
    if head["mark"].strip() != ":":
        return "a colon, and nothing else, must follow spectastic"
    if not head["word"]:
        return "nothing follows spectastic:"
    if head["word"] not in _WORDS:
        return f"{short(head['word'], 40)} is neither ignore nor ignore-file"
    return ""


def _nothing(reason: str, word: str = "ignore") -> Directive:
    message = f"the comment silences nothing: {reason}"
    return Directive(problem=(message, f"write <!-- spectastic: {word} RULE -- reason -->"))
