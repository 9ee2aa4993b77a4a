"""Exit codes, and the error for trouble that a user can do something about."""

from __future__ import annotations

OK = 0
FINDINGS = 1
TROUBLE = 2
INTERRUPTED = 130


class TroubleError(Exception):
    """Wrong usage, a broken configuration or a file that cannot be written: exit code 2.

    The first argument says what is wrong, `hint` what to do about it.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
