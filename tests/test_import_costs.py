"""What a run on one file imports, which is most of its time: what it needs, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, document, row
from repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

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
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; before = set(sys.modules);"
        "from spectastic.cli import main; code = main(['validate', 'a.md']);"
        "print(*sorted(set(sys.modules) - before), sep='\\n', file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=root,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Passed: no findings.")
    loaded = set(done.stderr.split())
    assert {name for name in loaded if name.startswith("spectastic.")} == own
    public = {name.partition(".")[0] for name in loaded if not name.startswith("_")}
    assert public - {"spectastic"} <= others
