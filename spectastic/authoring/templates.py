"""What a new document begins with: the template of the project, or the one that is built in."""

from __future__ import annotations

import os
from typing import NamedTuple

from spectastic.authoring.disk import refuse_links
from spectastic.authoring.model import AuthoringError
from spectastic.retrieval.listing import TEMPLATE_NAMES, TEMPLATES
from spectastic.retrieval.model import Kind
from spectastic.source import Unreadable, read

_TAGS = """\
component:
domain:
stack: []
concerns: []
tags: []
"""
_SPEC = f"""\
---
id:
title:
status: draft
deployable: true
created:
updated:
{_TAGS}---

## Description

<!-- What is to be there when this is done, for whom, and why. -->

## System Model

<!-- Drop what does not apply. -->

### Entities

| Entity | Fields | Constraints |
|---|---|---|

### Events

| Event | When | What it carries |
|---|---|---|

### Permissions

| Action | Who may |
|---|---|

## Business Rules

<!-- One box a rule. `spectastic cite` adds what a rule rests on. -->

- [ ] BR-1:

## Acceptance Criteria

<!-- What somebody can try out, one box each. -->

- [ ]

## External Dependencies

## Assumptions

## Open Questions

## Out of Scope
"""
_LESSON = f"""\
---
id:
title:
{_TAGS}req:
created:
updated:
---

## What Happened

## Lesson

## Why It Matters

## Applies When
"""
_BUG = f"""\
---
id:
title:
status: open
severity:
created:
updated:
{_TAGS}---

## Description

## Reproduction Steps

## Expected

## Actual

## Environment

## Root Cause

## Resolution

## Files Changed
"""
_BUILT_IN = {Kind.SPEC: _SPEC, Kind.LESSON: _LESSON, Kind.BUG: _BUG}


class Template(NamedTuple):
    """A text with LF at the end of lines, and where it is from: relative to the root, "" if built in."""

    text: bytes
    path: str = ""


def load(root: str, home: str, kind: Kind) -> Template:
    """The template for a kind of document.

    Raises:
        AuthoringError: that of the project cannot be read.
    """
    path = f"{home}/{TEMPLATES}/{TEMPLATE_NAMES[kind]}"
    if not os.path.lexists(os.path.join(root, path)):
        return Template(_BUILT_IN[kind].encode())
    refuse_links(root, path, "put a copy in its place")
    found = read(root, path)
    if isinstance(found, Unreadable):
        raise AuthoringError(f"the template {path}: {found.message}", found.hint)
    for problem in found.problems:
        raise AuthoringError(f"the template {path}: {problem.message}", problem.hint)
    return Template(found.text.replace("\r\n", "\n").encode(), path)
