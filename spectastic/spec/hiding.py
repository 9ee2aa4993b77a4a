"""Which elements would hide what follows, for want of an end tag.

`<template>`, `<script>` and `<style>` hide their content, and the content of `<textarea>` and its
like is text, whatever it looks like. An author who forgets the end tag must not switch the gates
off for the rest of a spec, so all tags are surveyed before one of these elements counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.spec.markup import RAW_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

#: A file without a match needs no survey.
HIDING_TAG = re.compile(
    b"<(?:iframe|noembed|noframes|plaintext|script|style|template|textarea|title|xmp)[\\s/>]"
)

#: The elements whose tags a survey has to see.
NAMES = RAW_TEXT | {"template"}


class Tag(NamedTuple):
    """A tag and the file offset at which it begins."""

    name: str
    start: bool
    at: int


def forgotten(blocks: Iterable[Iterable[Tag]]) -> frozenset[int]:
    """Where the start tags without an end tag are, given the tags of `NAMES` in each block.

    Raw text ends with the block that it is in, a paragraph for example; a `<template>` may hold
    many blocks.
    """
    found: set[int] = set()
    templates: list[int] = []
    for block in blocks:
        tags = list(block)
        last_end = {tag.name: tag.at for tag in tags if not tag.start and tag.name != "plaintext"}
        inside = ""
        for tag in tags:
            if inside:
                if tag.name == inside and not tag.start:
                    inside = ""
            elif tag.name == "template":
                if tag.start:
                    templates.append(tag.at)
                elif templates:
                    templates.pop()
            elif not tag.start:
                continue
            elif last_end.get(tag.name, -1) > tag.at:
                inside = tag.name
            else:
                found.add(tag.at)
    return frozenset(found.union(templates))
