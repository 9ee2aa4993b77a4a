from __future__ import annotations

import pytest

from spectastic.corpus.nearest import Nearest

IDS = ["KB-0001", "KB-0002", "KB-0012", "KB-0120", "KB-1234", "KB-00777", "KB-777", "KB-98765"]

CASES: list[tuple[str, str | None]] = [
    ("KB-0001", "KB-0001"),
    ("KB-001", "KB-0001"),
    ("KB-00001", "KB-0001"),
    ("KB-0777", "KB-777"),
    ("KB-000777", "KB-777"),
    # Two digits swapped comes before one digit wrong.
    ("KB-0021", "KB-0012"),
    ("KB-1324", "KB-1234"),
    ("KB-0003", "KB-0002"),
    ("KB-0000", "KB-0001"),
    ("KB-0009", "KB-0002"),
    ("KB-1239", "KB-1234"),
    ("KB-9876", "KB-98765"),
    ("KB-987654", "KB-98765"),
    ("KB-12345", "KB-1234"),
    ("KB-123", "KB-1234"),
    ("KB-5555", None),
    ("KB-98799", None),
    ("KB-" + "9" * 21, None),
    ("KB-" + "1" * 1_000_000, None),
    ("KB-", None),
    ("", None),
    ("KB-٠٠٠١", None),
    ("KB-00x1", None),
]


@pytest.mark.parametrize(("identifier", "expected"), CASES, ids=[case[0][:12] for case in CASES])
def test_nearest(identifier: str, expected: str | None) -> None:
    assert Nearest(IDS).find(identifier) == expected
    assert Nearest(reversed(IDS)).find(identifier) == expected


def test_nothing_is_near_nothing() -> None:
    assert Nearest([]).find("KB-0001") is None


def test_many_ids_and_many_questions() -> None:
    nearest = Nearest(f"KB-{n:06d}" for n in range(100_000))
    assert all(nearest.find(f"KB-{n:05d}") == f"KB-{n:06d}" for n in range(0, 90_000, 30))
