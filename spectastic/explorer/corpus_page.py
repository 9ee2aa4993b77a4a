"""The corpus explorer as one page: the registry as a table, and all the rest as data for its script."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from spectastic.corpus.model import Outcome
from spectastic.explorer import page, payload
from spectastic.spec.model import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spectastic.explorer.gather import Explorer, Shown

_STYLES = ("base.css", "explorer.css")
_SCRIPTS = (
    "dom.js",
    "address.js",
    "grammar.js",
    "resolver.js",
    "answer.js",
    "list.js",
    "reference.js",
    "explorer.js",
)
_COLUMNS = ("Id", "Title", "Pack", "Edition", "License", "Status", "Cited")
#: Worst first, for the one state that a row shows of all its citations.
_WORST = tuple(State)
#: What the filter by citations offers; a row has the words that apply to it.
_CITED = (
    ("cited", "cited"),
    ("uncited", "not cited"),
    ("stale", "stale somewhere"),
    ("bare", "unpinned somewhere"),
    ("dead", "leads to nothing somewhere"),
)


def render(explorer: Explorer, *, live: bool = False) -> str:
    """The page. With `live` it reloads itself when the server that it came from says so."""
    references = explorer.references
    rows = [_row(shown) for shown in references]
    return page.render(
        "explorer.html",
        styles=(*_STYLES, "live.css") if live else _STYLES,
        start=("start.js",),
        scripts=(*_SCRIPTS, "live.js") if live else _SCRIPTS,
        connects=live,
        title="Corpus explorer",
        counts={
            "references": _count(len(references), "reference"),
            "packs": _count(len({shown.entry.pack for shown in references}), "pack"),
            "decisions": _count(sum(explorer.states.values()), "decision"),
            "specs": _count(explorer.specs, "spec"),
        },
        states=[(state.value, explorer.states[state]) for state in page.STATES if explorer.states[state]],
        sample=_sample(references),
        filters=list(_filters(rows)),
        columns=[(name.lower(), name) for name in _COLUMNS],
        rows=rows,
        dead=[payload.use(pair) for pair in explorer.dead],
        unread=[{"path": each.path, "message": each.message} for each in explorer.unread + explorer.damaged],
        folder=explorer.corpus.folder,
        data=payload.packed(explorer),
    )


def _row(shown: Shown) -> dict[str, object]:
    entry, uses = shown.entry, shown.citing
    worst = min((use.state for _, use in uses), key=_WORST.index, default=None)
    return {
        "id": entry.row.id,
        "anchor": quote(entry.row.id),
        "title": entry.row.title,
        "slug": entry.row.slug,
        "pack": entry.pack,
        "edition": entry.row.edition,
        "earlier": sum(edition.outcome is Outcome.SUPERSEDED for edition in shown.editions),
        "license": shown.editions[0].license if shown.editions else "",
        "status": entry.status,
        "uses": len(uses),
        "worst": "" if worst is None else worst.value,
        "cited": " ".join(_words(shown)),
    }


def _words(shown: Shown) -> Iterator[str]:
    """The words of `_CITED` that hold for a reference."""
    uses = [use for _, use in shown.citing]
    yield "cited" if uses else "uncited"
    if any(use.outcome is Outcome.SUPERSEDED for use in uses):
        yield "stale"
    if any(use.edition is None for use in uses):
        yield "bare"
    if any(use.outcome is Outcome.NOTHING for use in uses):
        yield "dead"


def _filters(rows: Iterable[dict[str, object]]) -> Iterator[dict[str, object]]:
    """The choices of each filter. A value is written behind `=`: to have none is a value too."""
    for name in ("pack", "license", "status"):
        values = sorted({str(row[name]) for row in rows})
        choices = [(f"={value}", value or "none") for value in values]
        yield {"name": name, "label": name.capitalize(), "choices": choices}
    yield {"name": "cited", "label": "Citations", "choices": _CITED}


def _sample(references: tuple[Shown, ...]) -> str:
    """What somebody may type, of this very corpus."""
    for shown in references:
        if shown.editions:
            return f"{shown.entry.row.id}@{shown.editions[0].name}"
    return "KB-0001@2024-05-28"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
