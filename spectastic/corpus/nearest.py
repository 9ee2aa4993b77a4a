"""The registered id that a mistyped one most likely meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: Longer numbers are nobody's typo.
_MAX_DIGITS = 20


class Nearest:
    """Answers from a dictionary, so that the number of registered ids does not matter."""

    __slots__ = ("_by_number", "_known", "_prefix")

    def __init__(self, ids: Iterable[str], prefix: str = "KB-") -> None:
        """`prefix` is what each id has before its digits."""
        self._known = frozenset(ids)
        self._prefix = prefix
        self._by_number: dict[str, str] = {}
        for known in sorted(self._known, key=lambda known: (len(known), known)):
            self._by_number.setdefault(known[len(prefix) :].lstrip("0"), known)

    def find(self, identifier: str, fits: Callable[[str], bool] = lambda _: False) -> str | None:
        """The same number with other leading zeros; else one typing slip away; else `None`.

        An id that `fits` goes first. Then slips count in the order in which people make them: two
        digits swapped, one digit wrong, one left out, one too many. Within a kind the closest
        number wins, then the smaller.
        """
        digits = identifier[len(self._prefix) :]
        if len(digits) > _MAX_DIGITS or not digits.isdecimal():
            return None
        same = self._by_number.get(digits.lstrip("0"))
        if same is not None:
            return same
        number = int(digits)
        close: dict[str, tuple[bool, int, int, int]] = {}
        for kind, slips in enumerate((_swapped, _wrong, _omitted, _surplus)):
            for known in {f"{self._prefix}{slip}" for slip in slips(digits)} & self._known:
                meant = int(known[len(self._prefix) :])
                close.setdefault(known, (not fits(known), kind, abs(meant - number), meant))
        return min(close, key=lambda known: (close[known], known), default=None)


def _swapped(digits: str) -> Iterator[str]:
    for i in range(len(digits) - 1):
        yield digits[:i] + digits[i + 1] + digits[i] + digits[i + 2 :]


def _wrong(digits: str) -> Iterator[str]:
    for i in range(len(digits)):
        for digit in "0123456789":
            yield digits[:i] + digit + digits[i + 1 :]


def _omitted(digits: str) -> Iterator[str]:
    """What was meant, if a digit was left out."""
    for i in range(len(digits) + 1):
        for digit in "0123456789":
            yield digits[:i] + digit + digits[i:]


def _surplus(digits: str) -> Iterator[str]:
    """What was meant, if a digit was typed too many."""
    for i in range(len(digits)):
        yield digits[:i] + digits[i + 1 :]
