"""What can keep the engine from its work, beside what git and the configuration say."""

from __future__ import annotations


class EngineError(Exception):
    """What keeps the engine from its work; `message` says where and why, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class BaselineError(EngineError):
    """A baseline that cannot be used."""


class UnsteadyError(EngineError):
    """A corpus that changes while it is read, again and again."""
