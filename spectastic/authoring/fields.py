"""The frontmatter of a new document: that of a template, with our values in it. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spectastic import frontmatter
from spectastic.frontmatter.scalar import quoted, scalar
from spectastic.retrieval.model import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spectastic.authoring.model import Draft

_STATUS = {Kind.SPEC: "draft", Kind.BUG: "open"}
_COMMENT = re.compile(rb"<!--(?:[^-]|-(?!->))*+-->")
#: What belongs to a field besides its line: lines further right, and the items of a list.
_MORE = rb"(?:(?:[ \t]*\n)*+(?:[ \t]+[^\s][^\n]*|-(?:[ \t][^\n]*)?)\n)*+"


def values(draft: Draft, identifier: str) -> dict[str, str]:
    """Each field that we know as YAML has it, in the order in which a new block has them."""
    status = {"status": _STATUS[draft.kind]} if draft.kind in _STATUS else {}
    written = {"id": identifier, "title": _title(draft.title), **status}
    written |= {"created": draft.day.isoformat(), "updated": draft.day.isoformat()}
    for field, value in draft.query._asdict().items():
        if isinstance(value, str):
            written[field] = scalar(value) if value else ""
        else:
            written[field] = f"[{', '.join(_item(item) for item in value)}]"
    return written


def filled(text: bytes, written: Mapping[str, str]) -> bytes:
    """A text whose frontmatter has these fields. Comments and blank lines before it are dropped."""
    start = frontmatter.preamble(text)
    block = frontmatter.split(text[start:])
    if block is None:
        return b"---\n" + _with_fields(b"", written) + b"---\n\n" + text.lstrip(b"\n")
    before = _COMMENT.sub(b"", text[:start]).strip()
    inside = _with_fields(text[start + block.start : start + block.end], written)
    rest = text[start + block.body :]
    if before:  # a heading: behind the block it is one as well
        rest = b"\n" + before + b"\n" + rest
    return b"---\n" + inside + b"---\n" + rest


def _with_fields(inside: bytes, written: Mapping[str, str]) -> bytes:
    for field, value in written.items():
        line = f"{field}: {value}".rstrip().encode() + b"\n"
        key = rb"(?P<quote>[\"']?)%b(?P=quote)[ \t]*:(?:[ \t][^\n]*)?\n" % field.encode()
        pattern = re.compile(rb"^" + key + _MORE, re.MULTILINE)
        found = pattern.search(inside)
        start, end = found.span() if found else (len(inside), len(inside))
        inside = inside[:start] + line + inside[end:]
    return inside


def _item(text: str) -> str:
    """A value inside of a list in brackets."""
    plain = scalar(text)
    return quoted(text) if plain == text and "," in text else plain


def _title(text: str) -> str:
    """A title, which people put between quotes. It has no character that YAML would want escaped."""
    from json import dumps

    return dumps(text, ensure_ascii=False)
