"""Work spread over processes: all of it comes back, or one error does; nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NoReturn

import pytest

from spectastic.spread import possible, processors, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="work is spread on Linux only")

#: More than a pipe holds, and more than is read from one at a time.
LARGE = "x" * 3_000_000


class Waiting(BaseException):
    """The test waits for something that does not come."""


@pytest.fixture(autouse=True)
def deadline() -> Iterator[None]:
    """A test that hangs fails."""

    def ring(*_: object) -> NoReturn:
        raise Waiting

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(10)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True)
def children(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that were started. In the end none of them is there, and no pipe is open."""
    started: list[int] = []
    fork = os.fork

    def counted() -> int:
        child = fork()
        started.append(child)
        return child

    monkeypatch.setattr(os, "fork", counted)
    before = os.listdir("/proc/self/fd")
    yield started
    left = [child for child in started if os.path.exists(f"/proc/{child}")]
    for child in left:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert not left
    assert os.listdir("/proc/self/fd") == before


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("processes", [1, 2, 3, 20])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 100])
def test_every_result_comes_once(processes: int, count: int, children: list[int]) -> None:
    results = list(spread(square, range(count), processes))
    assert sorted(results) == [number * number for number in range(count)]
    assert len(children) == processes


def test_the_work_is_done_by_all_processes_and_not_by_this_one(children: list[int]) -> None:
    assert set(spread(lambda _: os.getpid(), range(9), 3)) == set(children)
    assert os.getpid() not in children


@pytest.mark.parametrize("processes", [1, 2])
def test_large_results_arrive_whole(processes: int) -> None:
    results = list(spread(lambda number: (number, f"{number}{LARGE}"), range(4), processes))
    assert sorted(number for number, _ in results) == [0, 1, 2, 3]
    assert all(text == f"{number}{LARGE}" for number, text in results)


def test_results_come_as_they_are_ready() -> None:
    reading, writing = os.pipe()
    results = spread(lambda item: os.read(reading, 1) if item else b"quick", [1, 0], 2)
    assert next(results) == b"quick", "what waits does not hold up the other"
    os.write(writing, b"s")
    assert list(results) == [b"s"]
    os.close(reading)
    os.close(writing)


def test_workers_see_what_was_there_before() -> None:
    table = {number: f"value {number}" for number in range(5)}
    assert sorted(spread(lambda key: table[key], range(5), 2)) == sorted(table.values())


def _fail(item: int) -> int:
    raise ValueError(f"no {item}")


def _leave(_: int) -> int:
    sys.exit(0)


def _interrupted(_: int) -> int:
    raise KeyboardInterrupt


def _killed(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def _terminated(_: int) -> int:
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
    return 0


def _endless(item: int) -> int:
    return _endless(item)


def _not_picklable(_: int) -> object:
    return lambda: None


ENDED = "a worker process ended before its work was done"
FAILURES = [
    (_fail, "ValueError: no 0"),
    (_endless, "RecursionError: maximum recursion depth exceeded"),
    (_not_picklable, "Can't pickle|Can't get local object|cannot pickle"),
    (_leave, ENDED),
    (_interrupted, ENDED),
    (_killed, ENDED),
    (_terminated, ENDED),
]


@pytest.mark.parametrize(("work", "message"), FAILURES, ids=[work.__name__[1:] for work, _ in FAILURES])
@pytest.mark.parametrize("processes", [1, 3])
def test_a_worker_that_fails_is_one_error(
    work: Callable[[int], object], message: str, processes: int, capfd: pytest.CaptureFixture[str]
) -> None:
    def first_only(item: int) -> object:
        return work(item) if item == 0 else LARGE

    with pytest.raises(RuntimeError, match=message):
        list(spread(first_only, range(12), processes))
    assert capfd.readouterr() == ("", ""), "workers do not speak"


@pytest.mark.parametrize("processes", [1, 3])
def test_what_was_done_before_the_failure_is_given(processes: int) -> None:
    def work(item: int) -> int:
        return _killed(item) if item == 5 else item

    given: list[int] = []
    with pytest.raises(RuntimeError, match=ENDED):
        given.extend(spread(work, range(6), processes))
    assert set(given) <= set(range(5))
    assert processes == 3 or given == [0, 1, 2, 3, 4]


def test_a_worker_killed_within_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(_: int) -> str:
        """Dies while it writes, as the pipe holds only the beginning of it."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        return LARGE

    real = os.read

    def slowly(pipe: int, size: int) -> bytes:
        data = real(pipe, size)
        if len(data) > 1000:
            time.sleep(0.1)
        return data

    monkeypatch.setattr(os, "read", slowly)
    with pytest.raises(RuntimeError, match=ENDED):
        list(spread(work, [1], 1))


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("taken", [0, 1])
def test_results_that_nobody_wants(processes: int, taken: int, children: list[int]) -> None:
    results = spread(lambda _: LARGE, range(30), processes)
    for _ in range(taken):
        next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(children) == processes * taken, "nothing begins before the first result is asked for"


def test_an_interruption_leaves_nothing() -> None:
    results = spread(lambda _: LARGE, range(30), 2)
    next(results)
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)  # type: ignore[attr-defined]


def test_a_failure_does_not_wait_for_work_that_takes_for_ever() -> None:
    parent = os.getpid()

    def work(item: int) -> int:
        if item == 0:
            return _fail(item)
        while os.getppid() == parent:
            time.sleep(0.01)
        return item

    signal.alarm(3)
    with pytest.raises(RuntimeError, match="ValueError: no 0"):
        list(spread(work, [0, 1], 2))


#: Begins a program whose workers are known by their numbers.
PROGRAM = """
import os, sys, time
from spectastic.spread import spread
fork, children = os.fork, []
def counted():
    children.append(fork())
    return children[-1]
os.fork = counted
"""


def test_workers_do_not_go_on_as_the_program_does() -> None:
    program = f"{PROGRAM}\ntry: list(spread(time.sleep, [0, 0.2], 2))\nfinally: print('end', flush=True)\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"end\n", b"")


def test_workers_end_with_a_program_that_is_killed() -> None:
    program = (
        f"{PROGRAM}\nresults = spread(lambda item: 'x' * 3_000_000, range(99), 2)\nnext(results)\n"
        "print(*children, flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        workers = [int(number) for number in running.stdout.readline().split()]
        running.kill()
    assert len(workers) == 2
    try:
        while any(map(_runs, workers)):
            time.sleep(0.01)
    finally:
        for worker in filter(_runs, workers):
            os.kill(worker, signal.SIGKILL)


def _runs(process: int) -> bool:
    """Whether a process is there and more than a name that nobody has asked for yet."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_without_a_stream(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, name, None)
    assert sorted(spread(square, range(3), 2)) == [0, 1, 4]


def test_no_more_processes_can_be_had(monkeypatch: pytest.MonkeyPatch, children: list[int]) -> None:
    fork = os.fork

    def refused() -> int:
        if children:
            raise BlockingIOError("resource temporarily unavailable")
        return fork()

    monkeypatch.setattr(os, "fork", refused)
    with pytest.raises((BlockingIOError, RuntimeError)):
        list(spread(square, range(3), 2))


def test_where_work_can_be_spread() -> None:
    assert possible()
    assert 1 <= processors() <= (os.cpu_count() or 1)
