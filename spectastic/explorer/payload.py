"""The explorer's data as its script reads it: JSON, compressed, in a form that no text of others can end."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING

from spectastic.explorer import resolving

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spectastic.corpus.changes import Piece
    from spectastic.engine.citing import Pair
    from spectastic.explorer.gather import Edition, Explorer, Shown


def packed(explorer: Explorer) -> str:
    """The document: JSON in UTF-8, as a raw deflate stream (RFC 1951), in base64."""
    text = json.dumps(as_json(explorer), ensure_ascii=False, separators=(",", ":"))
    pack = zlib.compressobj(level=9, wbits=-zlib.MAX_WBITS)
    data = pack.compress(text.encode("utf-8", "replace")) + pack.flush()
    return base64.b64encode(data).decode()


def as_json(explorer: Explorer) -> dict[str, object]:
    """The document."""
    return {
        "references": [_reference(shown) for shown in explorer.references],
        "resolver": resolving.data(explorer.corpus, explorer.policy),
    }


def _reference(shown: Shown) -> dict[str, object]:
    row = shown.entry.row
    return {
        "id": row.id,
        "title": row.title,
        "label": row.label,
        "slug": row.slug,
        "pack": shown.entry.pack,
        "marketplace": row.marketplace,
        "plugin": row.plugin,
        "status": shown.entry.status,
        "editions": [_edition(edition, len(shown.editions) > 1) for edition in shown.editions],
        "changes": [
            {"old": old, "new": new, "pieces": _pieces(pieces)}
            for (old, new), pieces in shown.changes.items()
        ],
        "citing": [use(pair) for pair in shown.citing],
    }


def _edition(edition: Edition, compared: bool) -> dict[str, object]:
    reference = edition.reference
    return {
        "name": edition.name,
        "outcome": edition.outcome.value,
        "path": reference.path,
        "license": edition.license,
        "permissive": edition.permissive,
        "hash": {
            "state": edition.hash,
            "declared": reference.value("content-hash"),
            "computed": reference.digest,
        },
        "fields": [[name, field.value] for name, field in reference.fields.items()],
        "html": edition.html,
        # The comparison needs the words as written; nothing else does.
        "text": edition.text if compared else "",
    }


def _pieces(pieces: Iterable[Piece]) -> list[list[int]]:
    """Each piece as [whether it is the same, its length in the old text, its length in the new one].

    Lengths are in UTF-16 units, as JavaScript counts.
    """
    return [[int(piece.same), _units(piece.old), _units(piece.new)] for piece in pieces]


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def use(pair: Pair) -> dict[str, object]:
    """A citation and its decision."""
    decision, cited = pair
    return {
        "path": decision.path,
        "line": cited.line,
        "decision": decision.id,
        "inside": decision.inside,
        "state": decision.state.value,
        "citation": cited.text,
    }
