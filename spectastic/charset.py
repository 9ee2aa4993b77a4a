"""Bytes of the web as text, by the Encoding Standard: what browsers read.

Its labels, its sniffing of pages and its decoders are those of `turbohtml`.
"""

from __future__ import annotations

import re

_MARKS = {b"\xef\xbb\xbf": "UTF-8", b"\xfe\xff": "UTF-16BE", b"\xff\xfe": "UTF-16LE"}
#: The encodings that can hold U+FFFD, which stands for what cannot be read in all others.
_UNICODE = frozenset(_MARKS.values())
_XML = re.compile(rb"""<\?xml[ \t\r\n][^>]*?encoding[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')""")
#: XML in UTF-16 without a mark begins like this.
_WIDE = {b"\0<\0?\0x": "UTF-16BE", b"<\0?\0x\0": "UTF-16LE"}
_REPLACED = "\ufffd"


class CharsetError(ValueError):
    """Bytes are not in the encoding that they are said to be in."""


def named(label: str) -> str:
    """The encoding that a label stands for, as the standard spells it; "" for none, and for a retired one."""
    import turbohtml

    try:
        found = turbohtml.parse(b"", encoding=label).encoding or ""
    except (LookupError, ValueError):
        return ""
    return "" if found == "replacement" else found


def read(data: bytes, name: str) -> str:
    """A text in an encoding of `named`, without its mark, which counts for more than the name.

    Raises `CharsetError` where the bytes are no such text.
    """
    name = _marked(data) or name
    if name not in _UNICODE:
        text = _decoded(data, name)
        if _REPLACED in text:
            raise CharsetError(name)
        return text
    try:
        return data.decode(name).removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise CharsetError(name) from None


def read_page(data: bytes) -> str:
    """A page as a browser reads it that was told nothing: by its mark, its declaration, its bytes.

    What cannot be read becomes U+FFFD, as there. Raises `CharsetError` for an encoding that browsers refuse.
    """
    name = _marked(data) or _sniffed(data)
    if name == "replacement":
        raise CharsetError("a retired encoding")
    return _decoded(data, name).removeprefix("\ufeff")


def _marked(data: bytes) -> str:
    return next((name for mark, name in _MARKS.items() if data.startswith(mark)), "")


def _sniffed(data: bytes) -> str:
    """What a page without a mark is in: what it declares, UTF-8 where its bytes are that, or windows-1252."""
    import turbohtml

    wide = next((name for start, name in _WIDE.items() if data.startswith(start)), "")
    if wide:
        return wide
    page = turbohtml.parse(data, positions=False)
    found = page.encoding or "windows-1252"
    said = _XML.match(data[:1024]) if page.encoding_confidence == "tentative" else None
    declared = named((said[1] or said[2] or b"").decode("latin-1")) if said else ""
    # Who could read that declaration is not in UTF-16.
    return "UTF-8" if declared.startswith("UTF-16") else declared or found


def _decoded(data: bytes, name: str) -> str:
    # It brings the codecs.
    import turbohtml.detect  # noqa: F401

    return data.decode(f"whatwg-{name.lower()}", "replace")
