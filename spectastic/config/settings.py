"""Settings: everything a run can be told, and where each value came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping


class ConfigError(Exception):
    """A configuration, a flag or a path that cannot be used.

    `path` is the configuration file as the user would type it, `line` the line in it (0: the whole
    file), `key` the key, flag or argument in question; each is empty where there is none. As a
    string it is one line: `file:line: key: message (hint)`.
    """

    def __init__(self, message: str, *, path: str = "", line: int = 0, key: str = "", hint: str = "") -> None:
        self.path = path
        self.line = line
        self.key = key
        self.message = message
        self.hint = hint
        place = f"{path}:{line}" if path and line else path
        text = ": ".join(part for part in (place, key, message) if part)
        super().__init__(f"{text} ({hint})" if hint else text)


#: As `jobs`: the engine decides on the number of processes.
AUTO = 0
#: As `max_warnings`: however many.
UNLIMITED = -1


class Settings(NamedTuple):
    """What is in force.

    `root` is absolute; `paths` (given by hand; none means the whole tree), `corpus`, `prior_art_root`,
    `read_telemetry`, `rules_modules` and `baseline` ("" for none) are relative to it, with `/`.
    `read_delegate` is an absolute path, "off", or "" for none. Patterns are those of `.gitignore`, relative
    to the root; so are those of `lifecycle`. `prior_art_siblings` are ids, ranges of ids
    (`REQ-400..REQ-499`), names, and folders, which end in `/`. `select`: no rule means every rule.
    `per_path_ignores` pairs a pattern with rule ids.
    `origins` tells for each setting where it came from: `default`, `spectastic.toml:4`, `--select`; for an
    entry of a table under `severity.<rule>` and `per_path_ignores.<pattern>`, and for the root under `root`.
    """

    root: str
    paths: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    skip_folders: tuple[str, ...] = ("archive", "withdrawn")
    corpus: str = "knowledge"
    prior_art_root: str = ".adlc"
    read_delegate: str = ""
    read_telemetry: str = ""
    remote_ids: bool = False
    prior_art_siblings: tuple[str, ...] = ()
    lifecycle: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = {}
    per_path_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    extra_licenses: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    rules_modules: tuple[str, ...] = ()
    fail_on: Severity = Severity.ERROR
    max_warnings: int = UNLIMITED
    baseline: str = ""
    citation_scope: str = "decision"
    force_exclude: bool = False
    jobs: int = AUTO
    origins: Mapping[str, str] = {}
