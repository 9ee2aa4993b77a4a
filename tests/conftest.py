"""What every test starts from: no CI service and no terminal around it, and git with its own settings."""

from __future__ import annotations

import os

import pytest

_CI = ("GITHUB_", "GITLAB_", "CI_", "RUNNER_", "GIT_")
_SETTINGS = ("CI", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "SPECTASTIC_DEBUG", "TERM", "TF_BUILD")


@pytest.fixture(autouse=True)
def _nothing_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(_CI) or name in _SETTINGS:
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
