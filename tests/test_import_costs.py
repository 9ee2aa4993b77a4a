"""What a run on one file or one table imports, which is most of its time: what it needs, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpora import HEADER, document, row
from repository import Repository

GROUNDING = Path(__file__).parent.parent / "fixtures/grounding/claim-gates"

#: The modules of spectastic, room by room; "" is the room itself.
CLEAN = {
    "": "cli config corpus discover engine findings frontmatter git locate report rules source spec spread"
    " text",
    "cli": "ci errors flags messages output parser progress streams validate",
    "config": "file keys place settings",
    "corpus": "corpus files layout listing model nearest references registry resolver retained row_checks"
    " steady store tables verdicts",
    "discover": "ignores links names walk",
    "engine": "checker errors pipeline policy prior",
    "git": "process",
    "report": "cells concise full model statistics summary view",
    "rules": "common corpus_append_only corpus_citation_form corpus_edition_drift corpus_frontmatter"
    " corpus_instruction corpus_integrity corpus_license corpus_not_citable corpus_orphan corpus_provenance"
    " corpus_registry corpus_staleness corpus_uncommitted corpus_ungrounded_claim decision_markup"
    " file_unreadable prior_art_provenance priors repairs retrieval_status_parity unused_suppression",
    "spec": "citation model",
}
#: What one citation needs besides: the scanner, git, which says whether its document is tracked, and a
#: quick look for what addresses a model.
CITING = {
    "": "untrusted",
    "untrusted": "needs",
    "corpus": "evidence",
    "spec": "hiding html isolated markdown markup nesting shown visible",
}
#: What may be imported of others. What it imports in turn differs from one Python to the next.
OTHERS = {
    *(
        "abc",
        "argparse",
        "bisect",
        "codecs",
        "collections",
        "contextlib",
        "copyreg",
        "enum",
        "errno",
        "functools",
    ),
    *(
        "genericpath",
        "gettext",
        "io",
        "itertools",
        "keyword",
        "locale",
        "operator",
        "os",
        "posixpath",
        "pyromark",
    ),
    *("re", "reprlib", "stat", "types", "typing", "warnings"),
}
GIT = {"array", "fcntl", "math", "select", "selectors", "signal", "subprocess", "threading", "unicodedata"}

#: What a search of a table needs, whether it finds anything or not.
SEARCH = {
    "": "cli grounding ranking text",
    "cli": "errors ground group messages parser streams",
    "cli.ground": "common search",
    "grounding": "bm25_search boundary detect kinds lines manifest retrievers schema_validator searching"
    " table",
}
#: And where it is shown to people.
SHOWN = {"cli.ground": "page", "grounding": "markdown"}
#: What a search may import of others; `locale` is what argparse takes to look for a translation. No
#: `typing`, no `contextlib`, and no `dataclasses`, which all are of more weight than the search.
SEARCHING = {
    *("argparse", "array", "bisect", "codecs", "collections", "copyreg", "csv", "encodings", "enum", "errno"),
    *("functools", "genericpath", "gettext", "heapq", "importlib", "io", "itertools", "json", "keyword"),
    *("locale", "math", "operator", "os", "posixpath", "re", "reprlib", "stat", "types", "warnings"),
}
#: Spelling: what is near to a word that stands nowhere.
SPELLING = {"difflib"}


def modules(rooms: dict[str, str]) -> set[str]:
    return {
        ".".join(filter(None, ("spectastic", room, name))) for room in rooms for name in rooms[room].split()
    }


@pytest.mark.parametrize(
    ("text", "own", "others"),
    [
        ("# A spec\n\nText.\n", modules(CLEAN), OTHERS),
        (
            "<spec-decision>\n\nT+1, KB-0001@2024-05-28.\n\n</spec-decision>\n",
            modules(CLEAN) | modules(CITING),
            OTHERS | GIT,
        ),
    ],
    ids=["no-decision", "citation"],
)
def test_a_clean_run_imports(text: str, own: set[str], others: set[str], tmp_path: Path) -> None:
    root = Repository(
        tmp_path / "repository",
        {
            "a.md": text,
            "knowledge/index.md": HEADER + row(1, "2024-05-28", "web/references/001-x.md"),
            "knowledge/web/references/001-x.md": document(),
        },
    ).root
    printed, loaded = imported(["validate", "a.md"], root)
    assert printed.splitlines()[-1] == "Passed: no findings."
    assert own_of(loaded) == own
    assert others_of(loaded) <= others


@pytest.mark.parametrize(
    ("query", "options", "says", "own", "others"),
    [
        ("decision", (), "Found:** 1 of 17", modules(SEARCH) | modules(SHOWN), SEARCHING),
        ("citation missing", (), "Found:** 0 of 17", modules(SEARCH) | modules(SHOWN), SEARCHING | SPELLING),
        ("decision", ("--json",), '"count": 1', modules(SEARCH), SEARCHING),
    ],
    ids=["found", "nothing-found", "json"],
)
def test_a_search_imports(
    query: str, options: tuple[str, ...], says: str, own: set[str], others: set[str]
) -> None:
    printed, loaded = imported(
        ["ground", "search", "--manifest", "manifest.json", query, *options], str(GROUNDING)
    )
    assert says in printed
    assert own_of(loaded) == own
    assert others_of(loaded) <= others


def imported(arguments: list[str], folder: str | Path) -> tuple[str, set[str]]:
    """What a run that goes well prints, and the modules that it imports."""
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; before = set(sys.modules);"
        f"from spectastic.cli import main; code = main({arguments!r});"
        "print(*sorted(set(sys.modules) - before), sep='\\n', file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=folder,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, set(done.stderr.split())


def own_of(loaded: set[str]) -> set[str]:
    """The modules of spectastic."""
    return {name for name in loaded if name.startswith("spectastic.")}


def others_of(loaded: set[str]) -> set[str]:
    """The modules of others that have a name of their own."""
    return {name.partition(".")[0] for name in loaded if not name.startswith("_")} - {"spectastic"}
