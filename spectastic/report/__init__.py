"""Reports: one file per output format. A format is a pure function from a report to text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.report import concise, full
from spectastic.report.view import Formatter, View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spectastic.report.model import Report

__all__ = ["FORMATS", "Formatter", "View"]


def _later(name: str) -> Formatter:
    """The format in the module of that name, which is imported when it is used: a run uses one or two."""

    def render(report: Report, view: View) -> Iterator[str]:
        from importlib import import_module

        formatter: Formatter = import_module(f"{__name__}.{name}").render
        return formatter(report, view)

    return render


FORMATS: dict[str, Formatter] = {
    "full": full.render,
    "concise": concise.render,
    "json": _later("json"),
    "github": _later("github"),
    "gitlab": _later("gitlab"),
    "sarif": _later("sarif"),
    "junit": _later("junit"),
    "rdjson": _later("rdjson"),
    "azure": _later("azure"),
    "markdown": _later("markdown"),
}
