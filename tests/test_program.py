"""Programs run within bounds."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spectastic import program
from spectastic.program import Done, Kind, ProgramError, locate, run

if TYPE_CHECKING:
    import subprocess


def python(code: str, seconds: float = 60, most: int = 1000) -> Done:
    return run([sys.executable, "-c", code], seconds=seconds, most=most)


def test_what_it_printed() -> None:
    code = "import sys; sys.stdout.buffer.write(b'a\\xff'); sys.stderr.write('no'); sys.exit(3)"
    assert python(code) == Done(3, b"a\xff", b"no")


def test_it_is_given_nothing_to_read() -> None:
    assert python("import sys; print(repr(sys.stdin.read()))") == Done(0, b"''\n", b"")


def test_the_environment() -> None:
    done = run(
        [sys.executable, "-c", "import os; print(os.environ.get('HELLO'), os.environ.get('HOME'))"],
        seconds=60,
        most=100,
        environment={"HELLO": "you"},
    )
    assert done.output == b"you None\n"


def test_as_much_as_is_allowed_and_more() -> None:
    assert python("print('x' * 999)").output == b"x" * 999 + b"\n"
    with pytest.raises(ProgramError, match=r"^printed more than 1,000 bytes$") as raised:
        python("print('x' * 1000)")
    assert raised.value.kind is Kind.TOO_MUCH


def test_output_without_end() -> None:
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    with pytest.raises(ProgramError, match="printed more than"):
        python(code, most=10_000_000)


def test_only_the_end_of_a_long_complaint_is_kept() -> None:
    done = python("import sys; sys.stderr.write('x' * 3_000_000 + 'end')")
    assert (len(done.complaint), done.complaint[-4:]) == (20_000, b"xend")


def test_ended_by_a_signal() -> None:
    assert python("import os; os.kill(os.getpid(), 9)").code == -signal.SIGKILL


def _gone(number: int) -> bool:
    """Whether a process has ended, within a minute; one that nobody waits for yet counts."""
    for _ in range(600):
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


CHILD = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
LATE = {
    "it-sleeps": f"child = {CHILD}; note(child.pid); time.sleep(600)",
    "it-closes-its-output": f"child = {CHILD}; note(child.pid); os.close(1); os.close(2); time.sleep(600)",
}


def test_late_with_nothing_left_to_print() -> None:
    with pytest.raises(ProgramError, match=r"^was not done after 1 seconds$") as raised:
        python("import os, time; os.close(1); os.close(2); time.sleep(600)", seconds=1)
    assert raised.value.kind is Kind.LATE


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are looked up in /proc")
@pytest.mark.parametrize("case", LATE)
def test_late(case: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = (
        "import os, subprocess, sys, time\n"
        f"def note(pid): open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{pid}}')\n{LATE[case]}"
    )
    with pytest.raises(ProgramError, match=r"^was not done after 2\.5 seconds$"):
        python(code, seconds=2.5)
    assert [_gone(int(number)) for number in pids.read_text().split()] == [True, True]


def _left(tmp_path: Path, script: str, seconds: float = 60) -> tuple[Done, int]:
    """What came of a shell script that leaves a process behind, and the number of that process."""
    done = run(["/bin/sh", "-c", script, "sh", str(tmp_path / "pid")], seconds=seconds, most=200_000)
    return done, int((tmp_path / "pid").read_text())


#: Scripts that end, and leave a process which keeps their output open.
LEFT = {
    "in-the-background": "sleep 600 & echo $! >$1; echo answer; echo moan >&2; exit 3",
    "that-holds-the-complaint-only": "sleep 600 >/dev/null & echo $! >$1; echo answer; echo moan >&2; exit 3",
    "that-holds-the-output-only": "sleep 600 2>/dev/null & echo $! >$1; echo answer; echo moan >&2; exit 3",
    "that-lets-go": "sleep 600 >/dev/null 2>&1 & echo $! >$1; echo answer; echo moan >&2; exit 3",
    "that-ignores-a-hint": "(trap '' HUP TERM; sleep 600) & echo $! >$1; echo answer; echo moan >&2; exit 3",
}


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are looked up in /proc")
@pytest.mark.parametrize("case", LEFT)
def test_a_program_that_has_ended_has_ended_whatever_it_leaves(case: str, tmp_path: Path) -> None:
    done, child = _left(tmp_path, LEFT[case])
    assert done == Done(3, b"answer\n", b"moan\n")
    assert _gone(child)


def test_what_it_wrote_last_is_not_lost(tmp_path: Path) -> None:
    script = "sleep 600 & echo $! >$1; head -c 150000 /dev/zero; exit 0"
    assert len(_left(tmp_path, script)[0].output) == 150_000


def test_a_process_that_prints_for_it_may_come_to_its_end() -> None:
    done = run(["/bin/sh", "-c", "(sleep 0.1; echo later) & echo first"], seconds=60, most=100)
    assert done.output == b"first\nlater\n"


def test_one_that_made_itself_a_session_is_not_waited_for(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
        " start_new_session=True)\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\nprint('answer')"
    )
    try:
        assert python(code) == Done(0, b"answer\n", b"")
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


@pytest.mark.parametrize("code", [0, 5, -9])
def test_without_waitid_it_is_the_same(code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delattr(os, "waitid", raising=False)
    end = "kill -9 $$" if code < 0 else f"exit {code}"
    done, child = _left(tmp_path, f"sleep 600 & echo $! >$1; echo answer; {end}")
    assert done == Done(code, b"answer\n", b"")
    assert _gone(child)


def test_what_cannot_be_run(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x")
    before = set(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else set()
    for command, why in (
        (str(tmp_path / "none"), "no such file or directory"),
        (str(tmp_path / "text"), "permission denied"),
        ("a\0b", "embedded null byte"),
    ):
        with pytest.raises(ProgramError, match=f"^cannot be run: {why}$") as raised:
            run([command], seconds=5, most=5)
        assert raised.value.kind is Kind.NOT_RUN
    assert not before or set(os.listdir("/proc/self/fd")) == before


def test_nothing_stays_open() -> None:
    if not os.path.exists("/proc/self/fd"):
        pytest.skip("open files are looked up in /proc")
    before = set(os.listdir("/proc/self/fd"))
    python("print(1)")
    with pytest.raises(ProgramError):
        python("print('x' * 5000)")
    assert set(os.listdir("/proc/self/fd")) == before


def test_an_interrupt_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    original = program._end

    def end(process: subprocess.Popen[bytes]) -> None:
        started.append(process)
        original(process)

    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_end", end)
    monkeypatch.setattr(program, "_wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        python("import time; time.sleep(600)")
    assert started[0].returncode == -signal.SIGKILL


def test_where_programs_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    for path in ("here/one", "here/two", "there/two"):
        (tmp_path / path).write_text("#!/bin/sh\n")
        (tmp_path / path).chmod(0o755)
    (tmp_path / "there/text").write_text("x")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.pathsep.join(("", ".", "../here", str(tmp_path / "there"))))
    assert locate("one") == ""
    assert locate("./one") == str(tmp_path / "here/one")
    assert locate("two") == locate("../there/two") == str(tmp_path / "there/two")
    assert (locate("text"), locate("none"), locate("./none"), locate("")) == ("", "", "", "")
