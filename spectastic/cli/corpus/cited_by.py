"""`spectastic corpus cited-by`: the decisions that cite a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import messages, streams
from spectastic.cli.corpus import reading
from spectastic.cli.errors import OK
from spectastic.report.view import amount
from spectastic.text import short

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Iterator

    from spectastic.engine.citing import Pair


def configure(parser: ArgumentParser) -> None:
    """The options of `corpus cited-by`."""
    reading.add_reference(parser)


def run(options: Namespace) -> int:
    """List the decisions that cite a reference; only those that cite this very edition if one is given.

    Raises:
        TroubleError: the token is no citation, there is no corpus, or the configuration is wrong.
    """
    from spectastic.engine.citing import citing, pairs

    settings, corpus = reading.load(options)
    answer, found = reading.find(options.token, corpus)
    edition = None if answer.citation is None else answer.citation.edition
    if not (answer.found or (found.row is not None and edition is None)):
        return reading.missing(answer, corpus, options)
    cited = citing(settings, corpus, found.id)
    uses = [(decision, use) for decision, use in pairs(cited) if edition in (None, use.lands)]
    if options.json:
        entries = [reading.use_as_json(decision, use) for decision, use in uses]
        head = {"id": found.id, "edition": edition, "specs": cited.specs}
        reading.write_json(options, {**head, "decisions": entries})
    else:
        streams.write(reading.columns(_cells(uses, reading.places(settings))))
    if not uses:
        specs = amount(cited.specs, "spec")
        messages.tell(f"no decision in {specs} cites {short(options.token)}")
    reading.tell_unread(cited.unread)
    return OK


def _cells(uses: Iterable[Pair], place: Callable[[str], str]) -> Iterator[tuple[str, ...]]:
    for decision, use in uses:
        where = f"{place(decision.path)}:{use.line}:{use.column}"
        pinned = "(bare)" if use.edition is None else short(use.edition)
        holder = "decision" if decision.inside else "text"
        yield where, reading.named(decision), pinned, f"{use.outcome.value}, {decision.state.value} {holder}"
