"""What those subcommands of `corpus` share that only read: one reference, columns of text, JSON."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.corpus import common
from spectastic.cli.errors import FINDINGS, TroubleError
from spectastic.report import cells
from spectastic.report.pieces import array, encoder
from spectastic.report.view import paths
from spectastic.text import SKIPPED, inert, short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from spectastic.config import Settings
    from spectastic.corpus import Corpus
    from spectastic.corpus.catalog import Entry
    from spectastic.corpus.model import Resolution, Row
    from spectastic.engine.citing import Citing, Use
    from spectastic.engine.tokens import Answer
    from spectastic.source import Unreadable

VERSION = 1
#: Cells are not padded to more than this: one long cell must not push all the others away.
_WIDEST = 50
_NAMED = 5
SHAPE = "a citation is KB-, three or more digits and, where an edition is pinned, @ and the edition"
#: What GitHub's runner takes for a command at the beginning of a line: `::`, behind what it does not see too.
_FIRST = re.compile(rf"[\s\x80-\U0010ffff]*+:{SKIPPED}:")


def add_reference(parser: ArgumentParser, *, pinned: bool = True) -> None:
    """The options, and the reference that the command is about."""
    common.add_common(parser)
    name, text = ("KB-NNNN[@EDITION]", "the reference, at its current edition unless one is given")
    if not pinned:
        name, text = "KB-NNNN", "the reference"
    parser.add_argument("token", metavar=name, help=text)


def load(options: Namespace, *, as_checked: bool = False) -> tuple[Settings, Corpus]:
    """The settings in force, and the corpus that they name; `as_checked`: with what git says of it.

    Raises:
        TroubleError: the configuration is wrong, or there is no corpus.
    """
    from spectastic import corpus
    from spectastic.corpus import steady
    from spectastic.corpus.model import Miss
    from spectastic.engine.pipeline import corpus_for
    from spectastic.engine.policy import Policy

    settings = common.settings(options)
    if steady.settled(settings.root, settings.corpus)[1]:
        messages.tell(
            f"a change of {settings.corpus} was interrupted, or is being made now: not all of it is there",
            "any command that writes finishes what was interrupted: `spectastic corpus hash --write`",
        )
    found = (
        corpus_for(settings, Policy(settings), messages.tell)
        if as_checked
        else corpus.load(settings.root, settings.corpus, frozenset(settings.extra_licenses))
    )
    missed = found.find("", None)
    if missed.miss is Miss.NO_REGISTRY:
        why = f" ({missed.detail})" if missed.detail else ""
        raise TroubleError(
            f"there is no registry {settings.corpus}/index.md{why}",
            "`spectastic init` makes one; --root and --corpus name other places",
        )
    return settings, found


def find(token: str, corpus: Corpus) -> tuple[Answer, Resolution]:
    """What is said of the reference that somebody asks for, and what it leads to.

    Raises:
        TroubleError: the token is no citation.
    """
    from spectastic.engine import tokens

    answer = tokens.ask(token, corpus)
    if answer is not None and answer.resolution is not None:
        return answer, answer.resolution
    for near in tokens.read(token, corpus):
        if near.citation is None:
            raise TroubleError(near.findings[0].message, near.findings[0].hint)
    raise TroubleError(f"{short(token) or 'an empty word'} is no citation", SHAPE)


def missing(answer: Answer, corpus: Corpus, options: Namespace) -> int:
    """Say that a reference leads to nothing, and why; the exit code."""
    message, hint = why_missing(answer)
    near = None
    if answer.citation is not None and answer.citation.id not in corpus.rows:
        near = corpus.nearest(answer.citation.id, answer.citation.edition)
    return fail(message, hint, options, near or "")


def why_missing(answer: Answer) -> tuple[str, str]:
    """Why a token leads to nothing, and what to do."""
    for finding in answer.findings:
        if finding.rule == "corpus-provenance":
            return finding.message, finding.hint
    return f"the document of {short(answer.text)} has gone meanwhile", ""


def fail(message: str, hint: str, options: Namespace, near: str = "") -> int:
    """Say that what was asked for is not here, with `--json` on stdout too; the exit code."""
    if options.json:
        write_json(options, {"error": {"message": message, "hint": hint, "nearest": near or None}})
    messages.tell(message, hint)
    return FINDINGS


def write_json(options: Namespace, values: Mapping[str, object]) -> None:
    """Print one document: a key a line, and of a list an item a line."""
    streams.write(_document({"version": VERSION, "command": options.command, **values}))


def _document(values: Mapping[str, object]) -> Iterator[str]:
    encode = encoder()
    comma = "{\n"
    for key, value in values.items():
        yield comma
        comma = ",\n"
        if isinstance(value, list):
            yield from array(f"  {encode(key)}: ", map(encode, value), "")
        else:
            yield f"  {encode(key)}: {encode(value)}"
    yield "\n}\n"


def places(settings: Settings) -> Callable[[str], str]:
    """A function from paths relative to the root to paths that a reader here can open."""
    return paths(settings.root, os.getcwd())


def columns(rows: Iterable[Sequence[str]], indent: str = "", *, fit: bool = False) -> Iterator[str]:
    """Lines of text in columns. With `fit`, a terminal gets no more of each than it is wide."""
    shown = [[inert(cell).replace("\t", " ") for cell in row] for row in rows]
    room = streams.columns(sys.stdout) if fit else 0
    longest = [min(max(map(cells.width, column)), _WIDEST) for column in zip(*shown, strict=True)][:-1]
    for row in shown:
        padded = (cell + " " * (width - cells.width(cell)) for cell, width in zip(row, longest, strict=False))
        line = (indent + "  ".join((*padded, row[-1]))).rstrip()
        yield _guarded(cells.fit("", line, "", room)[1] if room else line) + "\n"


def line_of(text: str) -> str:
    """A line of somebody's text that begins a line of ours: no CI runner finds a command in it."""
    return _guarded(inert(text))


def _guarded(line: str) -> str:
    if ":" not in line or not _FIRST.match(line):
        return line
    at = line.index(":")
    return f"{line[:at]}\\x3a{line[at + 1 :]}"


def tell_unread(unread: Sequence[Unreadable], damaged: Sequence[Unreadable] = ()) -> None:
    """Say which specs could not be looked into, and which only in part."""
    for specs, what in ((unread, "left out"), (damaged, "read in part")):
        if specs:
            named = ", ".join(short(item.path) for item in specs[:_NAMED])
            more = f" and {len(specs) - _NAMED:,} more" if len(specs) > _NAMED else ""
            which = "a spec that cannot be read is" if len(specs) == 1 else "specs that cannot be read are"
            messages.tell(
                f"{which} {what}: {named}{more}", "`spectastic validate` says what is wrong with them"
            )


def named(decision: Citing) -> str:
    """What a decision is called in a line."""
    if not decision.inside:
        return "(outside of decisions)"
    return short(decision.id or "") or "(no id)"


def row_as_json(row: Row) -> dict[str, object]:
    """A row of the registry, its cells as written."""
    return {
        "id": row.id,
        "marketplace": row.marketplace,
        "plugin": row.plugin,
        "slug": row.slug,
        "title": row.title,
        "edition": row.edition,
        "path": row.path,
        "status": row.status,
        "file": row.file,
    }


def entry_as_json(entry: Entry) -> dict[str, object]:
    """A reference with its row."""
    return {
        "id": entry.row.id,
        "edition": entry.row.edition,
        "status": entry.status,
        "title": entry.row.title,
        "label": entry.row.label,
        "pack": entry.pack,
        "path": entry.path or None,
        "editions": list(entry.editions),
    }


def use_as_json(decision: Citing, use: Use) -> dict[str, object]:
    """A citation with its decision."""
    return {
        "path": decision.path,
        "line": use.line,
        "column": use.column,
        "decision": decision.id,
        "decision_line": decision.line or None,
        "inside": decision.inside,
        "state": decision.state.value,
        **citation_as_json(use),
    }


def citation_as_json(use: Use) -> dict[str, object]:
    """What is cited, and what it leads to."""
    return {
        "citation": use.text,
        "id": use.id,
        "pinned": use.edition,
        "outcome": use.outcome.value,
        "edition": use.lands or None,
    }
