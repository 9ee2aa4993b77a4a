"""What every test starts from: no CI service around it, and no configuration of git but its own."""

from __future__ import annotations

import os

import pytest

_CI = ("GITHUB_", "GITLAB_", "CI_", "RUNNER_", "GIT_")


@pytest.fixture(autouse=True)
def _no_service_around(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(_CI):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
