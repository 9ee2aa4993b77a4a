"""Reading specs: a document's text becomes decisions and citations.

Reading never fails for what a document contains; what it could not take is in `Spec.problems`.
"""

from __future__ import annotations

from spectastic.source import Source
from spectastic.spec.model import Spec

#: The suffixes of specs, and whether such a file is HTML.
SUFFIXES = {".md": False, ".markdown": False, ".html": True, ".htm": True}


def is_html(path: str) -> bool:
    """Whether a spec is read as HTML; everything else is Markdown."""
    return path.lower().endswith((".html", ".htm"))


def extract(source: Source, *, everywhere: bool = False) -> Spec:
    """Read a spec. `everywhere`: citations outside decisions count as well."""
    lowered = source.data.lower()
    wanted = b"spec-decision" in lowered or (everywhere and _may_cite(source))
    if not wanted:
        return Spec(source.path)
    from spectastic.spec.visible import Reader

    reader = Reader(source, everywhere=everywhere)
    if is_html(source.path):
        from spectastic.spec import html

        html.scan(reader)
    else:
        from spectastic.spec import markdown

        markdown.scan(reader)
    decisions, loose, problems = reader.finish()
    return Spec(source.path, decisions, loose, problems)


def _may_cite(source: Source) -> bool:
    """Whether a file without decisions can hold a token; a letter may be written as a reference."""
    lowered = source.data.lower()
    return b"kb" in lowered or b"&" in lowered or not source.data.isascii()
