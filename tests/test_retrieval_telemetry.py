"""Telemetry: what a run was, whatever it claims, and the sum of many."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest
from trees import Link, tree

from spectastic import write
from spectastic.retrieval import telemetry
from spectastic.retrieval.telemetry import Outcome, Trace

if TYPE_CHECKING:
    from pathlib import Path

RESOLVED = [
    (Trace(""), ("fallback", "no-gate", "fail")),
    (Trace("not-opted-in"), ("fallback", "not-opted-in", "fail")),
    (Trace("disabled-via-env", claimed="delegated"), ("fallback", "disabled-via-env", "fail")),
    (Trace("no-binary", exit=0), ("fallback", "no-binary", "fail")),
    (
        Trace("disabled-via-env", invoked=True, exit=0),
        ("fallback", "called-against-gate (disabled-via-env)", "fail"),
    ),
    (Trace("", invoked=True), ("fallback", "called-against-gate (no-gate)", "fail")),
    # The plainest ghost skip: the gate had passed, and nothing was called.
    (Trace("ok"), ("ghost-skip", "gate-passed-no-call", "pass")),
    (Trace("ok", claimed="delegated"), ("ghost-skip", "gate-passed-no-call (delegated)", "pass")),
    (Trace("ok", claimed="fallback"), ("ghost-skip", "gate-passed-no-call (fallback)", "pass")),
    (Trace("ok", exit=0), ("ghost-skip", "gate-passed-no-call", "pass")),
    (Trace("ok", failure="timeout"), ("ghost-skip", "gate-passed-no-call", "pass")),
    (Trace("ok", invoked=True), ("ghost-skip", "called-no-end", "pass")),
    (Trace("ok", invoked=True, claimed="delegated"), ("ghost-skip", "called-no-end (delegated)", "pass")),
    (Trace("ok", invoked=True, failure="timeout"), ("fallback", "timeout", "pass")),
    (Trace("ok", invoked=True, exit=0, failure="empty", missing=3), ("fallback", "empty", "pass")),
    (Trace("ok", invoked=True, exit=3), ("fallback", "exit 3", "pass")),
    (Trace("ok", invoked=True, exit=-9), ("fallback", "exit -9", "pass")),
    (Trace("ok", invoked=True, exit=0), ("delegated", "ok", "pass")),
    (Trace("ok", invoked=True, exit=0, claimed="ghost-skip"), ("delegated", "ok", "pass")),
    (Trace("ok", invoked=True, exit=0, missing=1), ("delegated", "partial", "pass")),
]


@pytest.mark.parametrize(("trace", "outcome"), RESOLVED)
def test_what_a_run_was(trace: Trace, outcome: tuple[str, str, str]) -> None:
    assert telemetry.resolve(trace) == outcome


def line(trace: Trace, ms: int = 5, documents: int = 2, when: str = "2026-01-01T00:00:00+00:00") -> str:
    return telemetry.line(when, trace, ms, documents, {"lesson": {"read": 1}}).decode()


def test_a_line() -> None:
    written = line(Trace("ok", invoked=True, exit=0, missing=1))
    assert written.endswith("}\n")
    assert written.count("\n") == 1
    assert json.loads(written) == {
        "version": 1,
        "time": "2026-01-01T00:00:00+00:00",
        "command": "retrieve",
        "mode": "delegated",
        "reason": "partial",
        "gate": "pass",
        "gate_reason": "ok",
        "invoked": True,
        "exit": 0,
        "failure": "",
        "missing": 1,
        "duration_ms": 5,
        "documents": 2,
        "corpora": {"lesson": {"read": 1}},
    }


def changed(trace: Trace, **values: object) -> str:
    return json.dumps({**json.loads(line(trace)), **values})


BROKEN = [
    "x",
    "[]",
    "3",
    "[" * 100_000,
    "{",
    changed(Trace("ok"), version=2),
    changed(Trace("ok"), version=True),
    changed(Trace("ok"), documents=True),
    changed(Trace("ok"), documents=-1),
    changed(Trace("ok"), duration_ms=-1),
    changed(Trace("ok"), duration_ms=10**400),
    changed(Trace("ok"), documents="2"),
    changed(Trace("ok"), invoked=1),
    changed(Trace("ok"), exit="0"),
    changed(Trace("ok"), time=None),
    json.dumps({"version": 1}),
]


def test_totals() -> None:
    done = Trace("ok", invoked=True, exit=0)
    lines = [
        line(done, ms=10, documents=3, when="2026-01-03T00:00:00+00:00"),
        "",
        line(done, ms=2, documents=0, when="2026-01-02T00:00:00+00:00"),
        # Claims to be an ordinary day, and called nothing.
        changed(Trace("ok"), mode="fallback", reason="ok", gate="fail", documents=1, duration_ms=40),
        changed(Trace("ok"), mode="delegated", documents=1, duration_ms=4, time="2026-01-04T00:00:00+00:00"),
        *BROKEN,
    ]
    found = telemetry.totals(lines)
    assert tuple(found) == (
        4,
        {
            Outcome("delegated", "ok", "pass"): 2,
            Outcome("ghost-skip", "gate-passed-no-call (delegated)", "pass"): 1,
            Outcome("ghost-skip", "gate-passed-no-call (fallback)", "pass"): 1,
        },
        5,
        7,
        40,
        "2026-01-01T00:00:00+00:00",
        "2026-01-04T00:00:00+00:00",
        len(BROKEN),
    )
    assert found.modes == {"delegated": 2, "fallback": 0, "ghost-skip": 2}


def test_totals_of_nothing() -> None:
    assert telemetry.totals([]) == (0, {}, 0, 0, 0, "", "", 0)


def test_what_is_written_resolves_to_itself() -> None:
    for trace, outcome in RESOLVED:
        # A claim is not recorded, only what came of it.
        read = telemetry.totals([line(trace._replace(claimed=""))])
        (found,) = read.outcomes
        assert (found.mode, found.gate) == (outcome[0], outcome[2])


def test_append(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write.append(str(path), b'{"a":1}\n')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    write.append(str(path), b'{"a":2}\n')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b'{"a":1}\n{"a":2}\n'


def test_a_new_file_is_private_from_the_first_byte_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "chmod", lambda *_: pytest.fail("it was not"))
    write.append(str(tmp_path / "t"), b"{}\n")
    assert stat.S_IMODE((tmp_path / "t").stat().st_mode) == 0o600


def test_another_run_adds_its_own_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t"
    path.write_bytes(b'{"a":1}\n')
    real = os.write

    def slow(handle: int, data: bytes) -> int:
        with path.open("ab") as file:
            file.write(b'{"other":1}\n')
        return real(handle, data)

    monkeypatch.setattr(os, "write", slow)
    write.append(str(path), b'{"a":2}\n')
    assert path.read_bytes() == b'{"a":1}\n{"other":1}\n{"a":2}\n'


def test_half_a_line_does_not_spoil_the_next(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b'{"a":1}\n{"a"')
    write.append(str(tmp_path / "t"), b'{"a":2}\n')
    assert (tmp_path / "t").read_bytes() == b'{"a":1}\n{"a"\n{"a":2}\n'


NOT_APPENDED = {
    "link": {"t": Link("other"), "other": '{"a":1}\n'},
    "dangling": {"t": Link("nowhere")},
    "folder": {"t": None},
    "other-file": {"t": "#!/bin/sh\n"},
}


@pytest.mark.parametrize("case", NOT_APPENDED)
def test_not_appended(case: str, tmp_path: Path) -> None:
    tree(tmp_path, NOT_APPENDED[case])  # type: ignore[arg-type]
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    names = sorted(os.listdir(tmp_path))
    with pytest.raises(OSError):  # noqa: PT011 - what the system says differs
        write.append(str(tmp_path / "t"), b'{"a":2}\n')
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
    assert sorted(os.listdir(tmp_path)) == names


def test_not_appended_through_a_linked_folder(tmp_path: Path) -> None:
    tree(tmp_path, {"real": None, "linked": Link("real")})
    with pytest.raises(OSError, match="reached through a link"):
        write.append(str(tmp_path / "linked/t"), b"{}\n")
    assert os.listdir(tmp_path / "real") == []


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t")
    with pytest.raises(OSError, match="something else has its name"):
        write.append(str(tmp_path / "t"), b"{}\n")
