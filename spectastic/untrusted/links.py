"""Links with something to fill in: whoever follows them, or shows the image, carries data out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: An address; what stands in brackets in it may have blanks. Possessive: each character is looked at once.
_URL = re.compile(
    "https?://(?:\\{[^{}\\n]{0,100}\\}|\\[[^\\[\\]\\n]{0,100}\\]|<[^<>\\n]{1,100}>|[^\\s\"'<>`()\\[\\]])++",
    re.IGNORECASE,
)
_GAP = re.compile(
    "\\{{1,2}([^{}]{1,100})\\}|%7b(.{1,60}?)%7d|\\[([^\\]]{2,100})\\]|<([^>]{2,100})>"
    "|=((?:your|insert|put|add)[_-]\\w{1,40})|=(\\.{3}|…|)(?=&|$)",
    re.IGNORECASE,
)
#: What only a model has to fill in.
_PRIVATE = re.compile(
    "conversation|\\bchat|histor|prompt|secret|credential|transcript|\\bmemory|summary|user[ _-]?data",
    re.IGNORECASE,
)
#: What is the name or number of something, and not the thing.
_NAMED = re.compile("(?:ids?|uuid|[_ -](?:key|name|number|type))[\\])}>%]", re.IGNORECASE)
_IMAGE = re.compile(
    "(?:!\\[[^\\]\\n]{0,200}\\]\\([ \\t]{0,3}<?|<img\\s[^<>]{0,200}src\\s{0,3}=\\s{0,3}[\"']?)$",
    re.IGNORECASE,
)
_BEFORE = 240


def carrying(text: str) -> Iterator[tuple[int, int]]:
    """The addresses `[start, end)` that ask for private data, and those of images that ask for any."""
    for match in _URL.finditer(text):
        gaps = list(_GAP.finditer(match[0]))
        if not gaps:
            continue
        query = match[0].find("?")
        asked = 0 <= query < gaps[-1].start()
        if any(_is_private(gap[0]) for gap in gaps) or (asked and _is_image(text, match.start())):
            yield match.span()


def _is_private(gap: str) -> bool:
    """Whether only a model can fill in a gap. `{conversation_id}` is a place in an interface."""
    return _PRIVATE.search(gap) is not None and _NAMED.search(gap) is None


def _is_image(text: str, at: int) -> bool:
    """Whether the address at a place is that of an image, which is fetched where it is shown."""
    return _IMAGE.search(text[max(0, at - _BEFORE) : at]) is not None
