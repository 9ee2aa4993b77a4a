"""`spectastic retrieve`: what was decided, learned and fixed, before a spec is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.cli import asking, bodies, retrieved
from spectastic.cli.corpus import common
from spectastic.cli.corpus.converting import seconds
from spectastic.cli.errors import OK, TroubleError
from spectastic.cli.parser import whole_number
from spectastic.retrieval.scoring import TOP

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from spectastic.cli.asking import FileDates
    from spectastic.cli.parser import Parser
    from spectastic.config import Settings
    from spectastic.retrieval.model import Library


def configure(parser: Parser) -> None:
    """The options of `retrieve`."""
    parser.words = 'put what belongs together in quotes; to look for words: --text "some words"'
    add_query(parser)
    group = parser.add_argument_group("other ways to ask")
    group.add_argument("--text", metavar="QUERY", help="search titles and texts for words instead")
    group.add_argument("--suggest", metavar="SENTENCE", help="propose a query, of values that are in use")
    group.add_argument("--like", metavar="FILE", help="propose a query for what a file is about")
    group = parser.add_argument_group("answer")
    group.add_argument("--top", type=_number, default=TOP, metavar="N", help=f"so many (default: {TOP})")
    group.add_argument("--since", metavar="ID|DATE|REV", help="only what is newer")
    group.add_argument("--explain", action="store_true", help="show each sum, and where each date is from")
    group.add_argument("--see-also", action="store_true", help="list what they cite and what cites them")
    group.add_argument("--why-not", metavar="ID", help="say what became of one document")
    group = parser.add_argument_group("texts")
    group.add_argument("--read", action="store_true", help="print the texts too, each in a fence")
    group.add_argument(
        "--timeout",
        type=seconds,
        default=180.0,
        metavar="SECONDS",
        help="how long a delegate may take (default: 180)",
    )
    group.add_argument("--telemetry", action="store_true", help="sum up how texts were read until now")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_where(parser)


def add_query(parser: ArgumentParser) -> None:
    """The options that say what to look for."""
    group = parser.add_argument_group("query", "Lists take commas. An option wins over --from and --query.")
    group.add_argument("--component", metavar="NAME", help="the part of the system, such as booking/seats")
    group.add_argument("--domain", metavar="NAME", help="what it is about")
    for option, text in (("stack", "technologies"), ("concerns", "concerns"), ("tags", "tags")):
        group.add_argument(f"--{option}", action="extend", type=_items, metavar="A,B", help=text)
    source = group.add_mutually_exclusive_group()
    source.add_argument("--from", dest="source", metavar="SPEC", help="what the frontmatter of a spec says")
    source.add_argument("--query", metavar="FILE.json", help="a JSON object with these five fields")


def add_where(parser: ArgumentParser) -> None:
    """The options that say where prior art is."""
    group = parser.add_argument_group("which prior art")
    group.add_argument("--root", metavar="DIR", help="the repository root (default: found from here)")
    group.add_argument("--config", metavar="FILE", help="read this configuration file")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")
    group.add_argument("--prior-art-root", metavar="DIR", help="the folder of prior art (default: .adlc)")


def run(options: Namespace) -> int:
    """Print what answers the query, best first; finding nothing is no failure.

    Raises:
        TroubleError: there is no query or it cannot be used, or the configuration is wrong.
    """
    from spectastic.retrieval import documents

    _refuse_mixed(options)
    found = settings(options)
    if options.telemetry:
        return bodies.tell_telemetry(options, found)
    library = documents.load(found.root, found.prior_art_root)
    dates = file_dates(library)
    if options.text is not None:
        return _by_text(options, found, library, dates)
    if options.suggest is not None or options.like is not None:
        return _propose(options, library, dates)
    return _by_rule(options, found, library, dates)


def _by_rule(options: Namespace, settings: Settings, library: Library, dates: FileDates) -> int:
    from spectastic.retrieval import links, reasons, scoring, vocabulary

    asked = asking.query_of(options, library)
    since = None if options.since is None else asking.since(options.since, library, dates)
    others = [document for document in library.documents if document.path != asked.itself]
    ranked = scoring.rank(asked.query, others, dates)
    answer = retrieved.Answer(
        library=library,
        query=asked.query,
        hits=tuple(hit for hit in ranked if since is None or hit.dated.day > since),
        top=options.top,
        since=since,
        itself=asked.itself,
        unknown=vocabulary.unknown(asked.query, vocabulary.of(library.documents)),
    )
    if options.why_not is not None:
        found = reasons.why_not(library, options.why_not, ranked, options.top, since, asked.itself)
        if not found:
            raise asking.no_document(options.why_not, library)
        retrieved.tell_counts(library)
        retrieved.print_reasons(options, answer, found)
        return OK
    if options.see_also:
        days = scoring.dated(library.documents, dates)
        texts = links.texts(library.root, library.documents)
        near = links.see_also(library, answer.hits, options.top, days, texts)
        answer = answer._replace(see_also=tuple(each for each in near if each.document.path != asked.itself))
    retrieved.tell_counts(library)
    retrieved.tell_unknown(answer.unknown)
    if options.read:
        told = [hit.document for hit in answer.shown]
        reading = bodies.read(options, settings, library, told, [hit.document for hit in answer.hits])
        answer = answer._replace(reading=reading)
    retrieved.print_answer(options, answer)
    return OK


def _by_text(options: Namespace, settings: Settings, library: Library, dates: FileDates) -> int:
    from spectastic import ranking
    from spectastic.retrieval import fulltext, scoring

    words = ranking.tokens(options.text)
    if not words:
        raise TroubleError(
            "the text has no word of three or more letters or digits",
            "shorter words are not looked for: write them out",
        )
    days = scoring.dated(library.documents, dates)
    found = fulltext.search(library.root, library.documents, words, days)
    retrieved.tell_counts(library)
    reading = None
    if options.read:
        scored = [answer.document for answer in found]
        reading = bodies.read(options, settings, library, scored[: options.top], scored)
    retrieved.print_found(options, library, found, reading)
    return OK


def _propose(options: Namespace, library: Library, dates: FileDates) -> int:
    from spectastic.retrieval import fulltext, scoring, vocabulary

    text = options.suggest
    if text is None:
        text = common.text_file(options.like).decode("utf-8", "replace")
    days = scoring.dated(library.documents, dates)
    found = fulltext.alike(library.root, library.documents, text, days)
    query = vocabulary.propose(text, found, vocabulary.of(library.documents))
    retrieved.tell_counts(library)
    retrieved.print_proposal(options, library, query)
    return OK


def file_dates(library: Library) -> FileDates:
    """What tells when files of prior art were last changed."""
    from spectastic.retrieval import dates

    return lambda undated: dates.of_files(library.root, library.folder, undated)


def _refuse_mixed(options: Namespace) -> None:
    """Modes of their own take no part of a query, and there is one of them at a time."""
    modes = ["--telemetry"] * options.telemetry
    modes += [f"--{name}" for name in ("text", "suggest", "like") if getattr(options, name) is not None]
    if not modes:
        if options.read and options.why_not is not None:
            raise TroubleError("--read and --why-not do not go together", "--why-not tells of one document")
        return
    query = [f"--{name}" for name in ("component", "domain", "stack", "concerns", "tags", "query", "since")]
    given = [option for option in query if getattr(options, option[2:]) is not None]
    given += ["--from"] * (options.source is not None) + ["--why-not"] * (options.why_not is not None)
    given += ["--see-also"] * options.see_also + ["--explain"] * options.explain
    given += ["--read"] * (options.read and modes != ["--text"])
    other = next(iter([*modes[1:], *given]), "")
    if other:
        raise TroubleError(
            f"{modes[0]} and {other} do not go together", f"{modes[0]} is a way to ask of its own"
        )


def settings(options: Namespace) -> Settings:
    """The settings in force. Raises `TroubleError`."""
    return common.load(options, {"prior-art-root": options.prior_art_root})


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _number(text: str) -> int:
    return whole_number(text, "is no number of documents")
