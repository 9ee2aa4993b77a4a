"""Prior art for tests: documents by hand, and the fixture corpus in a repository of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

from repository import Repository

FIXTURES = Path(__file__).parent.parent / "fixtures" / "prior-art"
LESSONS, BUGS, SPECS = ".adlc/knowledge/lessons", ".adlc/bugs", ".adlc/specs"


def committed(target: Path) -> Path:
    """The fixture corpus in a repository; its only commit is of 2026-01-01."""
    made = Repository(target)
    shutil.copytree(FIXTURES / "corpus", target, dirs_exist_ok=True)
    made.commit()
    return target


def document(**fields: str | None) -> str:
    """A document with these fields, as they are to be written; `None` leaves one out."""
    values = {"id": "LESSON-001", "title": "T", "component": "web", "updated": "2026-01-01", **fields}
    lines = [f"{field}: {value}".rstrip() for field, value in values.items() if value is not None]
    return "\n".join(["---", *lines, "---", "", "Text.", ""])


def spec(number: str, **fields: str | None) -> dict[str, str]:
    """A spec as a file to write."""
    return {f"{SPECS}/REQ-{number}-x/requirement.md": document(**{"id": f"REQ-{number}", **fields})}
