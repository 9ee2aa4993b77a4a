"""Work spread over processes: the only place that forks.

On Linux alone: elsewhere a new process imports everything anew, which costs more than it saves.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")

_LENGTH = 8


def possible() -> bool:
    """Whether work can be spread here."""
    return sys.platform == "linux"


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def spread(work: Callable[[Item], Result], items: Sequence[Item], processes: int) -> Iterator[Result]:
    """`work` done on every item by so many forked processes; results come as they are ready.

    Results are pickled. Raises `RuntimeError` when a process ends before its work is done, with
    what it raised as the message.
    """
    import pickle
    import select
    import signal

    pipes: dict[int, bytearray] = {}
    children: list[int] = []
    try:
        for number in range(processes):
            children.append(_start(work, items[number::processes], pipes))  # noqa: PERF401 - also when the next fails
        while pipes:
            for pipe in select.select(list(pipes), [], [])[0]:
                for frame in _frames(pipe, pipes):
                    finished, result = pickle.loads(frame)  # noqa: S301 - from our own process
                    if not finished:
                        raise RuntimeError(result)
                    yield result
    finally:
        for pipe in pipes:
            os.close(pipe)
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _start(work: Callable[[Item], Result], items: Sequence[Item], pipes: dict[int, bytearray]) -> int:
    """Fork a process that works on `items`, and add the pipe to read from to `pipes`."""
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        raise RuntimeError(f"no further process can be started: {error}") from error
    if child == 0:  # pragma: no cover - measured nowhere: it leaves by os._exit
        # With a reading end of its own, a process would wait for ever for a parent that has gone.
        for other in (*pipes, reading):
            os.close(other)
        _work(work, items, writing)
    os.close(writing)
    pipes[reading] = bytearray()
    return child


def _frames(pipe: int, pipes: dict[int, bytearray]) -> Iterator[bytes]:
    """The whole messages that have arrived. An empty one ends them."""
    buffer = pipes[pipe]
    data = os.read(pipe, 1 << 20)
    buffer += data
    while len(buffer) >= _LENGTH:
        length = int.from_bytes(buffer[:_LENGTH], "big")
        if length == 0:
            del pipes[pipe]
            os.close(pipe)
            return
        if len(buffer) < _LENGTH + length:
            break
        yield bytes(buffer[_LENGTH : _LENGTH + length])
        del buffer[: _LENGTH + length]
    if not data:
        raise RuntimeError("a worker process ended before its work was done")


def _work(  # pragma: no cover - runs in a forked process
    work: Callable[[Item], Result], items: Sequence[Item], pipe: int
) -> None:
    import gc
    import pickle
    import signal

    # The parent ends its workers; their tracebacks would only be noise.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    code = 1
    try:
        with open(pipe, "wb") as file:
            for item in items:
                try:
                    message = pickle.dumps((True, work(item)), pickle.HIGHEST_PROTOCOL)
                except Exception as error:
                    message = pickle.dumps((False, f"{type(error).__name__}: {error}"))
                file.write(len(message).to_bytes(_LENGTH, "big") + message)
                file.flush()
            file.write((0).to_bytes(_LENGTH, "big"))
        code = 0
    finally:
        os._exit(code)
