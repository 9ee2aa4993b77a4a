"""Which containers are open: Markdown's, which end at a known offset, and HTML elements.

Only good for one question: does a decision end inside the container that it began in? Every
operation costs constant time, amortised.
"""

from __future__ import annotations


class Nesting:
    """A stack of open containers. HTML elements end at the latest with the Markdown container around."""

    __slots__ = ("_counts", "_marks", "_names")

    def __init__(self) -> None:
        self._names: list[str] = []
        #: Markdown containers: how deep the stack was, and the offset at which they end.
        self._marks: list[tuple[int, int]] = []
        #: For each Markdown container (and the document): how many elements of a name are open in it.
        self._counts: list[dict[str, int]] = [{}]

    @property
    def depth(self) -> int:
        """How many containers are open."""
        return len(self._names)

    def enter(self, end: int) -> None:
        """A Markdown container begins."""
        self._marks.append((len(self._names), end))
        self._names.append("")
        self._counts.append({})

    def advance(self, offset: int) -> bool:
        """Leave every Markdown container that ends at or before `offset`; whether there was one."""
        before = len(self._names)
        while self._marks and self._marks[-1][1] <= offset:
            depth, _ = self._marks.pop()
            del self._names[depth:]
            self._counts.pop()
        return len(self._names) < before

    def start(self, name: str) -> None:
        """An element begins."""
        self._names.append(name)
        self._counts[-1][name] = self._counts[-1].get(name, 0) + 1

    def end(self, name: str) -> bool:
        """An element ends, and all that is open inside it; whether it was open in this container."""
        counts = self._counts[-1]
        if not counts.get(name):
            return False
        while True:
            popped = self._names.pop()
            counts[popped] -= 1
            if popped == name:
                return True
