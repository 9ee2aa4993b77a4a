"""What can be told from the name of a file alone."""

from __future__ import annotations

SPEC_SUFFIXES = (".md", ".markdown", ".html", ".htm")
#: The same in words.
SUFFIXES_TOLD = f"{', '.join(SPEC_SUFFIXES[:-1])} or {SPEC_SUFFIXES[-1]}"


def is_spec_name(name: str) -> bool:
    """Whether a file with this name (or path) is a spec."""
    return name.lower().endswith(SPEC_SUFFIXES)


def encode(path: str) -> bytes:
    """A path as the bytes that it has on disk."""
    return path.encode("utf-8", "surrogateescape")
