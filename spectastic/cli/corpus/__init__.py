"""`spectastic corpus SUB …`: one module for each subcommand, imported when it is run."""

from __future__ import annotations

from spectastic.cli import group, streams
from spectastic.cli.errors import TroubleError

#: What each subcommand does, see `group.run`.
COMMANDS = {
    "list": "list the references of the corpus",
    "show": "show a reference: text, label, editions",
    "search": "find references by words",
    "resolve": "say what citations lead to",
    "cited-by": "list the decisions that cite a reference",
    "impact": "list what would turn stale if a reference were superseded",
    "diff": "compare two editions of a reference",
    "prompt": "print what may be cited, for a model, inside a fence",
    "graph": "draw which decisions cite which references",
    "uri": "print the address of a reference that is the same in every repository",
    "add": "register a document as a reference",
    "source": "register a document of an authority: fetched, or from a file",
    "interview": "register what an expert has answered",
    "convert": "make Markdown of a PDF, DOCX, HTML … and register it",
    "adapt": "make a pack of a folder of Markdown files, or of an llms.txt",
    "confirm": "say that a source is what it claims to be: it can be cited",
    "sign-off": "say that an interview is right: it can be cited",
    "import": "take over a pack that somebody else publishes",
    "publish": "list packs in marketplace.json, for others to import",
    "supersede": "put a new edition in the place of a reference",
    "migrate": "give the documents of a single-layer pack rows in the registry",
    "hash": "compute, check or write content hashes",
}

_HELP = """\
usage: spectastic corpus COMMAND [OPTION…]

Write the corpus, change it, search it, trust it.

commands:
{commands}

`spectastic corpus COMMAND --help` shows the options of a command.
"""


def run(arguments: list[str]) -> int:
    """Run a subcommand and return its exit code. Raises as `group.run`; with `--json`, stdout says so too."""
    try:
        return group.run("corpus", COMMANDS, _HELP, arguments)
    except TroubleError as error:
        if "--json" in arguments[1:]:
            streams.write([_document(f"corpus {arguments[0]}", error)])
        raise


def _document(command: str, error: TroubleError) -> str:
    from json import dumps

    said = {"message": str(error), "hint": error.hint, "nearest": None}
    return dumps({"version": 1, "command": command, "error": said}, indent=2) + "\n"
