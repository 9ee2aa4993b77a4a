"""Where a Markdown text is code: HTML and links in it are samples, which nobody renders."""

from __future__ import annotations


def code(text: str) -> list[tuple[int, int]]:
    """The code spans and code blocks `[start, end)` of a text, in characters, in order."""
    if "`" not in text and "~~~" not in text and "    " not in text and "\t" not in text:
        return []
    from pyromark import events_with_range

    encoded, found = text.encode("utf-8", "replace"), []
    at = done = 0
    for event, where in events_with_range(text):
        if isinstance(event, str):
            continue
        [(kind, value)] = event.items()
        if kind == "Code" or (kind == "Start" and isinstance(value, dict) and "CodeBlock" in value):
            at += len(encoded[done : where["start"]].decode())
            size = len(encoded[where["start"] : where["end"]].decode())
            done = where["start"]
            found.append((at, at + size))
    return found
