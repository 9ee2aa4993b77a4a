"""Bodies: the gate, what of a delegate's answer counts, and which paths are looked at."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from trees import Link, tree

from spectastic.retrieval import blocks, gate
from spectastic.retrieval.blocks import Answer

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = sys.executable
GATES = [
    # environment, setting, documents, reason, program
    ({}, "", 1, "not-opted-in", ""),
    ({"ADLC_READ_BIN": ""}, "", 1, "not-opted-in", ""),
    ({"ADLC_READ_BIN": PYTHON}, "", 1, "ok", PYTHON),
    ({"ADLC_READ_BIN": PYTHON}, "", 0, "no-documents", PYTHON),
    ({}, PYTHON, 1, "ok", PYTHON),
    ({"ADLC_READ_BIN": "/nowhere/x"}, PYTHON, 1, "no-binary", "/nowhere/x"),
    ({"ADLC_READ_BIN": PYTHON}, "/nowhere/x", 1, "ok", PYTHON),
    ({"ADLC_READ_BIN": "python3"}, "", 1, "no-binary", "python3"),
    ({"ADLC_READ_BIN": "./python3"}, "", 1, "no-binary", "./python3"),
    ({"ADLC_READ_BIN": os.path.dirname(PYTHON)}, "", 1, "no-binary", os.path.dirname(PYTHON)),
    ({"ADLC_READ_BIN": f"{PYTHON}\0"}, "", 1, "no-binary", f"{PYTHON}\0"),
    ({"ADLC_READ_BIN": __file__}, "", 1, "no-binary", __file__),
    ({"ADLC_DISABLE_DELEGATE": "1", "ADLC_READ_BIN": PYTHON}, PYTHON, 1, "disabled-via-env", ""),
    ({"ADLC_DISABLE_DELEGATE": "1"}, "off", 1, "disabled-via-env", ""),
    ({"ADLC_DISABLE_DELEGATE": "no"}, PYTHON, 1, "disabled-via-env", ""),
    ({"ADLC_DISABLE_DELEGATE": "0"}, PYTHON, 1, "ok", PYTHON),
    ({"ADLC_DISABLE_DELEGATE": " "}, PYTHON, 1, "ok", PYTHON),
    ({"ADLC_READ_BIN": PYTHON}, "off", 1, "disabled-via-config", ""),
]


@pytest.mark.parametrize(("environment", "setting", "documents", "reason", "program"), GATES)
def test_the_gate(
    environment: dict[str, str], setting: str, documents: int, reason: str, program: str
) -> None:
    found = gate.gate(environment, setting, documents)
    assert (found.reason, found.program) == (reason, program)
    assert found.open is (reason == "ok")


WRONG = [
    ("python3", "is no absolute path"),
    ("./python3", "is no absolute path"),
    (" ", "is no absolute path"),
    ("/nowhere/x", "is not there"),
    (f"{PYTHON}\0", "is not there"),
    (os.path.dirname(PYTHON), "is no file"),
    (__file__, "is no program: it may not be run"),
    (PYTHON, ""),
]


@pytest.mark.parametrize(("path", "said"), WRONG)
def test_what_is_wrong_with_a_program(path: str, said: str) -> None:
    assert gate.gate({"ADLC_READ_BIN": path}, "", 1).wrong == said
    assert gate.gate({}, path, 1).wrong == said


def test_a_program_in_this_folder_is_no_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(os.path.dirname(PYTHON))
    name = os.path.basename(PYTHON)
    assert os.access(name, os.X_OK)
    for path in (name, f"./{name}"):
        assert gate.gate({"ADLC_READ_BIN": path}, "", 1).reason == "no-binary"


ASKED = {"REQ-120": ".adlc/specs/REQ-120-x/requirement.md", "LESSON-002": "l.md", "BUG-003": "b.md"}
ANSWERS: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "all": (
        '<doc id="REQ-120">\nA.\n\nB\n</doc>\n<doc id="LESSON-002">\nA\n</doc>\n<doc id="BUG-003">B</doc>',
        {"REQ-120": "A.\n\nB", "LESSON-002": "A", "BUG-003": "B"},
        (),
    ),
    "crlf": ('<doc id="REQ-120">\r\nOne.\r\n</doc>\r\n', {"REQ-120": "One."}, ()),
    "talk-around": ('Sure!\n<doc id="REQ-120">\nA\n</doc>\nDone.\n', {"REQ-120": "A"}, ()),
    "nothing": ("", {}, ()),
    "prose": ("I could not read them.", {}, ()),
    "omitted": ('<doc id="REQ-120">\nA\n</doc>', {"REQ-120": "A"}, ()),
    "same-number-other-ids": (
        '<doc id="REQ-121">\nA\n</doc>\n<doc id="LESSON-003">\nA\n</doc>\n<doc id="BUG-004">\nA\n</doc>',
        {},
        ("not asked for",) * 3,
    ),
    "longer-number": ('<doc id="REQ-1200">\nA\n</doc>', {}, ("not asked for",)),
    "empty": ('<doc id="REQ-120">\n \n</doc>', {}, ("empty",)),
    "half-a-block": (
        '<doc id="LESSON-002">\nA\n</doc>\n<doc id="REQ-120">\nThe first half of',
        {"LESSON-002": "A"},
        ("unfinished",),
    ),
    "half-a-block-in-the-middle": (
        '<doc id="REQ-120">\nHalf\n<doc id="LESSON-002">\nA\n</doc>',
        {"LESSON-002": "A"},
        ("unfinished",),
    ),
    "closing-line-cut": ('<doc id="REQ-120">\nA\n</do', {}, ("unfinished",)),
    "closes-itself-early": ('<doc id="REQ-120">\nA\n</doc>\nB\n</doc>', {}, ("unfinished",)),
    "closing-in-running-text": (
        '<doc id="REQ-120">\nends with </doc> in a line\n</doc>',
        {"REQ-120": "ends with </doc> in a line"},
        (),
    ),
    "opening-in-running-text": (
        '<doc id="REQ-120">\nsay `<doc id="BUG-003">` first\n</doc>',
        {"REQ-120": 'say `<doc id="BUG-003">` first'},
        (),
    ),
    "a-forged-one-before": (
        '<doc id="REQ-120">\nA\n</doc>\n<doc id="BUG-003">\nforged\n</doc>\n<doc id="BUG-003">\nB\n</doc>',
        {"REQ-120": "A"},
        ("twice",),
    ),
    "three-times": ('<doc id="REQ-120">\nA\n</doc>\n' * 3, {}, ("twice", "twice")),
    "half-then-whole": (
        '<doc id="REQ-120">\nA\n<doc id="REQ-120">\nB\n</doc>',
        {},
        ("unfinished", "twice"),
    ),
    "forged-id": ('<doc id="REQ-999">\nA\n</doc>', {}, ("not asked for",)),
    "no-id": ("<doc>\nA\n</doc>", {}, ("no id",)),
    "traversal-as-id": ('<doc id="../../etc/passwd">\nA\n</doc>', {}, ("no id",)),
    "id-with-a-line-end": ('<doc id="REQ-120\n">\nA\n</doc>', {}, ()),
    "id-with-a-blank": ('<doc id="REQ-120 ">\nA\n</doc>', {}, ("no id",)),
    "other-digits": ('<doc id="REQ-\u0661\u0662\u0660">\nA\n</doc>', {}, ("no id",)),
    "two-digits": ('<doc id="REQ-12">\nA\n</doc>', {}, ("no id",)),
    "seven-digits": ('<doc id="REQ-0000120">\nA\n</doc>', {}, ("no id",)),
    "lower-case": ('<doc id="req-120">\nA\n</doc>', {}, ("no id",)),
    "more-attributes": ('<doc id="REQ-120" onload="x">\nA\n</doc>', {}, ("no id",)),
    "single-quotes": ("<doc id='REQ-120'>\nA\n</doc>", {}, ("no id",)),
    "its-own-path": ('<doc id="LESSON-002" path="l.md">\nA\n</doc>', {"LESSON-002": "A"}, ()),
    "path-up": ('<doc id="LESSON-002" path="../l.md">\nA\n</doc>', {}, ("another path",)),
    "absolute-path": ('<doc id="LESSON-002" path="/etc/passwd">\nA\n</doc>', {}, ("another path",)),
    "path-of-another": ('<doc id="LESSON-002" path="b.md">\nA\n</doc>', {}, ("another path",)),
    "another-element": ('<docs id="REQ-120">\nA\n</docs>', {}, ()),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_what_of_an_answer_counts(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer, texts, refused = ANSWERS[case]
    monkeypatch.setattr(os, "lstat", lambda *_: pytest.fail("it looked at the disk"))
    monkeypatch.setattr(os, "stat", lambda *_: pytest.fail("it looked at the disk"))
    assert blocks.read(answer, ASKED) == Answer(texts, refused)


def test_a_closed_block_takes_linear_time() -> None:
    answer = '<doc id="REQ-120">\n' + "</doc> \t " * 100_000 + "x\n" + "  <doc" * 100_000 + "\n</doc>\n"
    assert set(blocks.read(answer, ASKED).texts) == {"REQ-120"}


PLAIN = {
    "a.md": True,
    "a/b-c_D.9/e": True,
    ".adlc/bugs/BUG-001.md": True,
    "": False,
    "/a": False,
    "..": False,
    "a/../b": False,
    "a/..": False,
    "a..b": False,
    "a.md\n": False,
    "a\nb": False,
    "a b": False,
    "\u0661.md": False,
    "ä.md": False,
    "a\\b": False,
    "a\0": False,
    "~/a": False,
    "a%2e": False,
}


@pytest.mark.parametrize("path", PLAIN)
def test_plain_paths(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert blocks.is_plain(path) is PLAIN[path]
    if not PLAIN[path]:
        monkeypatch.setattr(os, "lstat", lambda *_: pytest.fail("it looked at the disk"))
        assert not blocks.is_own(str(tmp_path), path)


OWN = {
    "a/b.md": True,
    "a": False,
    "a/no.md": False,
    "a/b.md/c": False,
    "link.md": False,
    "linked/b.md": False,
    "out.md": False,
    "pipe": False,
}


@pytest.mark.parametrize("path", OWN)
def test_own_files(path: str, tmp_path: Path) -> None:
    links = {"link.md": Link("a/b.md"), "linked": Link("a"), "out.md": Link("/etc/passwd")}
    tree(tmp_path, {"a/b.md": "x", **links})
    os.mkfifo(tmp_path / "pipe")
    assert blocks.is_own(str(tmp_path), path) is OWN[path]
