"""Reports: one file per output format. A format is a pure function from a report to text."""

from __future__ import annotations

from spectastic.report import concise, full, json
from spectastic.report.view import Formatter, View

__all__ = ["FORMATS", "Formatter", "View"]

FORMATS: dict[str, Formatter] = {
    "full": full.render,
    "concise": concise.render,
    "json": json.render,
}
