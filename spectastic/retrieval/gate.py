"""Whether a delegate reads the documents in our place: a program that somebody named, and nobody forbids."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The program, as an absolute path; and what forbids every delegate, unless it is empty or 0.
PROGRAM = "ADLC_READ_BIN"
VETO = "ADLC_DISABLE_DELEGATE"
#: As the setting: there is to be no delegate, whatever the environment names.
OFF = "off"


class Gate(NamedTuple):
    """`reason` is `ok`, or why there is no delegate; `program` is the one to call, or what was named as such.

    `disabled-via-env`, `disabled-via-config`: it is forbidden. `not-opted-in`: none is named. `no-binary`:
    what is named is no absolute path of a program, and `wrong` says which of it it is not. `no-documents`:
    nothing may be handed over.
    """

    reason: str
    program: str = ""
    wrong: str = ""

    @property
    def open(self) -> bool:
        """Whether the delegate has to be called."""
        return self.reason == "ok"


def gate(environment: Mapping[str, str], setting: str, documents: int) -> Gate:
    """Decide. What forbids comes first, and whatever is not clear counts as forbidden."""
    if environment.get(VETO, "").strip() not in ("", "0"):
        return Gate("disabled-via-env")
    if setting == OFF:
        return Gate("disabled-via-config")
    program = environment.get(PROGRAM, "") or setting
    if not program:
        return Gate("not-opted-in")
    wrong = _wrong(program)
    if wrong:
        return Gate("no-binary", program, wrong)
    return Gate("ok", program) if documents else Gate("no-documents", program)


def _wrong(path: str) -> str:
    """Why a path is not the absolute one of a file that may be run, "" where it is."""
    if not os.path.isabs(path):
        return "is no absolute path"
    if "\0" in path or not os.path.exists(path):
        return "is not there"
    if not os.path.isfile(path):
        return "is no file"
    return "" if os.access(path, os.X_OK) else "is no program: it may not be run"
