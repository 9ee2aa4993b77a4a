"""`spectastic corpus impact`: which decisions would turn stale if a reference were superseded now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import streams
from spectastic.cli.corpus import reading
from spectastic.cli.errors import OK, TroubleError
from spectastic.report.view import amount

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator

    from spectastic.engine.citing import Citing, Impact, Pair


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus impact`."""
    reading.add_reference(parser, pinned=False)


def run(options: Namespace) -> int:
    """List the decisions that pin the current edition, and apart those that name none.

    Raises:
        TroubleError: the token is no id, there is no corpus, or the configuration is wrong.
    """
    from spectastic.engine.citing import citing, impact

    settings, corpus = reading.load(options)
    answer, found = reading.find(options.token, corpus)
    if answer.citation is not None and answer.citation.edition is not None:
        raise TroubleError("what a new edition does is asked of an id", f"write {found.id}")
    if not answer.found:
        return reading.missing(answer, corpus, options)
    cited = citing(settings, corpus, found.id)
    split = impact(cited)
    if options.json:
        reading.write_json(options, {"id": found.id, "edition": found.edition, **_as_json(split)})
    else:
        streams.write(_lines(f"{found.id}@{found.edition}", split, reading.places(settings)))
    reading.tell_unread(cited.unread)
    return OK


def _lines(name: str, split: Impact, place: Callable[[str], str]) -> Iterator[str]:
    name = reading.line_of(name)
    if split.pinned:
        yield f"{amount(len(split.pinned), 'decision')} pinned to {name} would turn stale:\n"
    else:
        yield f"No decision is pinned to {name}, so none would turn stale.\n"
    yield from reading.columns(
        (_place(pair, place), reading.named(pair[0]), _change(pair[0])) for pair in split.pinned
    )
    if split.bare:
        count = amount(len(split.bare), "decision")
        yield f"{count} without an edition would move on to the new one unnoticed:\n"
        yield from reading.columns(
            (_place(pair, place), reading.named(pair[0]), pair[0].state.value) for pair in split.bare
        )
    if split.other:
        count = amount(len(split.other), "decision")
        yield f"{count} with another edition would stay as now.\n"


def _place(pair: Pair, place: Callable[[str], str]) -> str:
    decision, use = pair
    return f"{place(decision.path)}:{use.line}:{use.column}"


def _change(decision: Citing) -> str:
    from spectastic.engine.citing import state_after

    after = state_after(decision)
    return (
        f"stays {after.value}" if after is decision.state else f"{decision.state.value}, then {after.value}"
    )


def _as_json(split: Impact) -> dict[str, object]:
    from spectastic.engine.citing import state_after

    return {
        "pinned": [
            {**reading.use_as_json(*pair), "state_after": state_after(pair[0]).value} for pair in split.pinned
        ],
        "bare": [reading.use_as_json(*pair) for pair in split.bare],
        "other": [reading.use_as_json(*pair) for pair in split.other],
    }
