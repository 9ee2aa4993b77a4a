"""What the subcommands of `ground` share: the manifest, the query, JSON, and how trouble is told."""

from __future__ import annotations

from spectastic.cli import messages, streams
from spectastic.cli.errors import FINDINGS, OK, TroubleError
from spectastic.cli.parser import whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Mapping
    from typing import Any

#: How sure an output is that found nothing, or did not look.
NOTHING = {"label": "low", "score": 0.0}
#: Retrievers that can do without words: they give rows by filters alone.
_WORDLESS = ("structured", "hybrid")
_MANY = 1_000_000


def add_manifest(parser: ArgumentParser) -> None:
    """Which corpus, and `--json`."""
    parser.add_argument("--manifest", metavar="FILE", required=True, help="the manifest of the corpus")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def add_query(parser: ArgumentParser) -> None:
    """The words to look for."""
    parser.add_argument(
        "query", nargs="+", metavar="QUERY", help='words to look for; "" where the retriever needs none'
    )


def guarded(options: Namespace, work: Callable[[], int]) -> int:
    """Do something with a corpus; what is wrong with that is told in a line, and is exit code 1.

    Tables that cannot be read are no matter here: the engine makes a result of that.
    """
    from spectastic.grounding.boundary import ManifestError

    try:
        return work()
    except ManifestError as error:
        message, hint = _told(error)
        return fail(options, message, hint)
    except OSError as error:
        from spectastic.source import reason

        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        elsewhere = "or name another folder with --persist" if getattr(options, "persist", None) else ""
        return fail(options, f"{where}{reason(error)}", elsewhere)


def _told(error: Any) -> tuple[str, str]:
    """A manifest's trouble: of many violations the first, and how many there are."""
    found = error.violations
    if len(found) > 1:
        first = str(error).replace("; ".join(found), found[0])
        return f"{first}, and {len(found) - 1} more", error.hint
    return str(error), error.hint


def fail(options: Namespace, message: str, hint: str) -> int:
    """Say that there is no answer, and why; with `--json` on stdout too. Gives the exit code."""
    if options.json:
        write_error(message)
    messages.tell(f"error: {message}", hint)
    return FINDINGS


def failed(options: Namespace, found: Mapping[str, Any]) -> int:
    """Say why a result has no answer, if it has none. Gives the exit code."""
    if "error" not in found:
        return OK
    # What is wrong with a table, only a look at the data shows as a whole.
    look = f"spectastic ground validate --manifest {options.manifest} --check-data looks at every table"
    messages.tell(f"error: {found['error']}", look if found.get("file") or "selections" in found else "")
    return FINDINGS


def write_error(message: str) -> None:
    """Print the document of what has no answer."""
    write_json({"error": message, "confidence": NOTHING, "evidence_gap": [message]})


def query(options: Namespace, manifest: Mapping[str, Any]) -> str:
    """What is asked for.

    Raises:
        TroubleError: it is empty where words are needed, or holds a NUL.
    """
    text = " ".join(options.query)
    refuse_nul("the query", text)
    retriever = getattr(options, "retriever", None) or manifest.get("retriever") or "bm25"
    if not text.strip() and retriever not in _WORDLESS:
        raise TroubleError(
            "the query is empty",
            f'only {" and ".join(_WORDLESS)} retrieval can do without words; QUERY is then ""',
        )
    return text


def refuse_nul(what: str, text: str) -> None:
    """Raises `TroubleError` for text that no file or command can hold."""
    if "\0" in text:
        raise TroubleError(f"{what} holds a NUL", "write it without")


def limit(text: str) -> int:
    """A number of rows from the command line; raises `ArgumentTypeError`."""
    return whole_number(text, f"is no number of rows from 1 to {_MANY:,}", most=_MANY)


def write_json(value: object) -> None:
    """Print one document. What would drive a terminal or a CI log is an escape: the values stay."""
    from json import dumps

    text = dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    if not text.replace("\n", "").isprintable():
        text = "\n".join(map(_escaped, text.split("\n")))
    streams.write([text.replace("##", "#\\u0023"), "\n"])


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    from spectastic.text import printable

    return "".join(char if printable(char) == char else _code(char) for char in line)


def _code(char: str) -> str:
    """A character as JSON escapes it: two of them where UTF-16 has two."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
