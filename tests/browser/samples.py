"""Templates and scripts of tests' own for the shell of the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spectastic.explorer import page

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest


def add_assets(monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str]) -> None:
    """Let `page.render` find `files`, by name, beside what is in `assets/`."""
    asset = page.asset
    monkeypatch.setattr(page, "asset", lambda name: files[name] if name in files else asset(name))
    # Not the one that is kept, which knows the assets as they were.
    monkeypatch.setattr(page, "_environment", page._environment.__wrapped__)
