"""The keys of a configuration: one table says what each is called and how its value is read."""

from __future__ import annotations

import os
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from spectastic.config.settings import AUTO, UNLIMITED
from spectastic.findings import Severity
from spectastic.text import nearest, printable, short

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

T = TypeVar("T")
R = TypeVar("R")

_MAX_JOBS = 256
_MANY = 1_000_000_000
_SCOPES = ("decision", "document")
#: Ids of prior art, alone or as a range of one kind.
_IDS = re.compile(r"(?P<kind>REQ|LESSON|BUG)-(?P<start>[0-9]{3,6})(?:\.\.(?P=kind)-(?P<end>[0-9]{3,6}))?")
_LIKE_ID = re.compile(r"(?:REQ|LESSON|BUG)[-_]?[0-9]", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}")
_SEVERITIES = tuple(severity.label for severity in sorted(Severity, reverse=True))


class WrongValueError(Exception):
    """A value that cannot be used: a clause that follows the key, a remedy, and where inside the value."""

    def __init__(self, message: str, hint: str = "", at: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.at = at


class Known(NamedTuple):
    """What a value is held against: the ids of the rules (none: any), and the root for paths."""

    rules: Collection[str]
    root: str


class Key(NamedTuple):
    """A key as TOML writes it, the function that reads its value, and what kind of value that is.

    `table`: a table. `path`: a path, which on the command line is relative to the current folder.
    `words`: values that are written as words.
    """

    name: str
    read: Callable[[object, Known], object]
    table: bool = False
    path: bool = False
    words: Mapping[object, str] = MappingProxyType({})

    @property
    def field(self) -> str:
        """The name of the field of `Settings`."""
        return self.name.replace("-", "_")


def mean(word: str, words: Collection[str]) -> str:
    """A hint for a word that is not among `words`."""
    near = nearest(word, words, parts=True)
    return f'did you mean "{near}"?' if near else f"one of {', '.join(sorted(words))}"


def _kind(value: object) -> str:
    """What TOML calls a value."""
    kinds = {bool: "a boolean", str: "a string", int: "an integer", float: "a float"}
    return kinds.get(type(value)) or (
        "a table" if isinstance(value, dict) else "an array" if isinstance(value, list) else "a date or time"
    )


def _string(value: object, wants: str) -> str:
    if not isinstance(value, str):
        raise WrongValueError(f"wants {wants}, not {_kind(value)}")
    if not value.strip():
        raise WrongValueError(f"wants {wants}, not an empty string")
    return value


def _strings(value: object, wants: str, check: Callable[[str], object]) -> tuple[str, ...]:
    if isinstance(value, str):
        raise WrongValueError(f"wants {wants}, not a string", f'write ["{short(value)}"]')
    if not isinstance(value, list):
        raise WrongValueError(f"wants {wants}, not {_kind(value)}")
    for index, item in enumerate(value):
        _inside(index, lambda item: check(_string(item, f"{wants} that are strings")), item)
    return tuple(value)


def _inside(at: str | int, check: Callable[[T], R], value: T) -> R:
    """What `check` makes of a value inside another one; its error says where."""
    try:
        return check(value)
    except WrongValueError as wrong:
        raise WrongValueError(wrong.message, wrong.hint, (at, *wrong.at)) from None


def _patterns(value: object, _: Known) -> tuple[str, ...]:
    return _strings(value, "a list of patterns", _pattern)


def _pattern(pattern: str) -> None:
    if pattern.startswith("#"):
        raise WrongValueError(
            f'holds "{short(pattern)}", which is a comment and matches nothing',
            "put a backslash before the #",
        )


def _folder_names(value: object, _: Known) -> tuple[str, ...]:
    return tuple(name.rstrip("/") for name in _strings(value, "a list of folder names", _folder_name))


def _folder_name(name: str) -> None:
    if "/" in name.rstrip("/"):
        raise WrongValueError(f'holds "{short(name)}", a path where a name belongs', "use exclude for paths")


def _words(value: object, _: Known) -> tuple[str, ...]:
    return _strings(value, "a list of license ids", str)


def _hosts(value: object, _: Known) -> tuple[str, ...]:
    return _strings(value, "a list of hosts", _host)


def _host(host: str) -> None:
    if any(mark in host for mark in "/@*[] ") or (":" in host and host.count(":") < 2):
        raise WrongValueError(
            f'holds "{short(host)}", which is no host', "write its name or address alone: www.example.org"
        )


def _rules_modules(value: object, known: Known) -> tuple[str, ...]:
    """Python files that `ground ground` may run, relative to the root; nothing else reads this."""
    entries = _strings(value, "a list of Python files", str)
    return tuple(
        _inside(index, lambda item: _rules_module(item, known), item) for index, item in enumerate(entries)
    )


def _rules_module(entry: str, known: Known) -> str:
    if not entry.endswith(".py"):
        raise WrongValueError(f'"{short(entry)}" is no Python file', "name one: grounding/gates/rules.py")
    return _below_root(entry, known, "file", "a rules module")


def _rules(value: object, known: Known) -> tuple[str, ...]:
    return _strings(value, "a list of rules", lambda rule: _rule(rule, known))


def _rule(rule: str, known: Known) -> None:
    if known.rules and rule not in known.rules:
        near = nearest(rule, known.rules, parts=True)
        hint = f'did you mean "{near}"?' if near else "`spectastic explain` lists the rules"
        raise WrongValueError(f'there is no rule "{short(rule)}"', hint)


def _severity(value: object, _: Known) -> Severity:
    word = _string(value, "a severity")
    if word not in _SEVERITIES:
        off = word.lower() in ("off", "none", "ignore", "disabled")
        hint = "to turn a rule off, put it in ignore" if off else mean(word, _SEVERITIES)
        raise WrongValueError(f'"{short(word)}" is no severity', hint)
    return Severity[word.upper()]


def _severities(value: object, known: Known) -> dict[str, Severity]:
    if not isinstance(value, dict):
        raise WrongValueError(f"wants a table of rules and severities, not {_kind(value)}")
    for rule in value:
        _inside(rule, lambda rule: _rule(rule, known), rule)
    return {rule: _inside(rule, lambda word: _severity(word, known), word) for rule, word in value.items()}


def _per_path(value: object, known: Known) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise WrongValueError(f"wants a table of patterns and lists of rules, not {_kind(value)}")
    for pattern in value:
        _inside(pattern, lambda pattern: _pattern(_string(pattern, "patterns")), pattern)
        if pattern.startswith("!"):
            # Each entry stands for itself: there is nothing that it could take back.
            raise WrongValueError("a pattern here cannot begin with !", "write one that matches", (pattern,))
    return {
        pattern: _inside(pattern, lambda rules: _rules(rules, known), rules)
        for pattern, rules in value.items()
    }


def _corpus(value: object, known: Known) -> str:
    """The corpus folder, relative to the root. A link is followed here, so that nothing else need to."""
    return _below_root(value, known, "folder", "the corpus folder")


def _prior_art_root(value: object, known: Known) -> str:
    """The folder of lessons, specs and bugs, relative to the root."""
    return _below_root(value, known, "folder", "the prior-art folder")


def _read_delegate(value: object, known: Known) -> str:
    """The program that reads bodies, or that there is to be none."""
    if value in ("", "off"):
        return str(value)
    path = _string(value, "an absolute path")
    if "\0" in path or not os.path.isabs(path):
        raise WrongValueError(
            f'"{short(path)}" is no absolute path', 'write where the program is, or "off" to allow none'
        )
    from spectastic.config.place import git_top

    real = os.path.realpath(path)
    if git_top(os.path.dirname(real)) or real.startswith(os.path.join(known.root, "")):
        # Whoever changes the configuration could bring the program along, into another work tree as well.
        raise WrongValueError(
            f'"{short(path)}" lies in a repository, and what comes with one is not run',
            "name a program that is installed; who trusts this one sets ADLC_READ_BIN",
        )
    return path


def _read_telemetry(value: object, known: Known) -> str:
    """The file for telemetry, relative to the root. Its folder may be a link, and it may not."""
    if value == "":
        return ""
    path = _name(value, "file")
    folder, name = os.path.split(os.path.join(known.root, path))
    if name in ("", ".", ".."):
        raise WrongValueError("this cannot be the name of a file")
    return _inside_root(os.path.join(os.path.realpath(folder), name), path, known, "file")


def _siblings(value: object, known: Known) -> tuple[str, ...]:
    """Other projects: ids and ranges of ids, names, and folders, which come back with a slash behind."""
    entries = _strings(value, "a list of ids, names and folders", str)
    return tuple(
        _inside(index, lambda item: _sibling(item, known), item) for index, item in enumerate(entries)
    )


def _sibling(entry: str, known: Known) -> str:
    if "/" in entry:
        try:
            return _below_root(entry, known, "folder", "the folder of another project") + "/"
        except WrongValueError as wrong:
            remedy = "put a copy below it, or name the project's ids (REQ-400..REQ-499) or its name (teton)"
            raise WrongValueError(wrong.message, remedy) from None
    ids = _IDS.fullmatch(entry)
    if ids is not None:
        if ids["end"] and int(ids["end"]) < int(ids["start"]):
            raise WrongValueError(f'"{short(entry)}" ends before it begins', "write the smaller id first")
        return entry
    if not _NAME.fullmatch(entry) or ".." in entry or _LIKE_ID.match(entry):
        raise WrongValueError(
            f'"{short(entry)}" is no id, no name and no folder',
            "write REQ-400, REQ-400..REQ-499, teton for teton:REQ-400, or ./folder",
        )
    return entry


def _lifecycle(value: object, _: Known) -> tuple[str, ...]:
    return _strings(value, "a list of patterns", _own_pattern)


def _own_pattern(pattern: str) -> None:
    _pattern(pattern)
    if pattern.startswith("!"):
        # Each has to find a file of its own.
        raise WrongValueError("a pattern here cannot begin with !", "write one that matches")


def _baseline(value: object, known: Known) -> str:
    """The baseline, relative to the root. It stands in the repository, or no pull request shows it."""
    return "" if value == "" else _below_root(value, known, "file", "the baseline")


def _below_root(value: object, known: Known, what: str, meant: str) -> str:
    path = _name(value, what)
    real = os.path.realpath(os.path.join(known.root, path))
    if real == known.root:
        raise WrongValueError(f"{meant} cannot be the root itself", f"name a {what} below it")
    return _inside_root(real, path, known, what)


def _name(value: object, what: str) -> str:
    """The name of a file or folder, without what would drive a terminal; it need not be UTF-8."""
    path = _string(value, f"a {what}")
    text = path.encode("utf-8", "ignore").decode()
    if printable(text) != text:
        raise WrongValueError(f"this cannot be the name of a {what}", "write it without control characters")
    return path


def _inside_root(real: str, path: str, known: Known, what: str) -> str:
    """A path with links followed, relative to the root; `path` is how it is given."""
    inside = os.path.join(known.root, "")
    if not real.startswith(inside):
        raise WrongValueError(
            f'"{short(path)}" lies outside the root {known.root}', f"name a {what} below it"
        )
    relative = real[len(inside) :].replace(os.sep, "/")
    if ".git" in relative.lower().split("/"):
        raise WrongValueError(f'"{short(path)}" is git\'s', f"name a {what} outside of .git")
    return _name(relative, what)


def _scope(value: object, _: Known) -> str:
    word = _string(value, "a scope")
    if word not in _SCOPES:
        raise WrongValueError(f'"{short(word)}" is no scope', mean(word, _SCOPES))
    return word


def _switch(value: object, _: Known) -> bool:
    if not isinstance(value, bool):
        raise WrongValueError(f"wants true or false, not {_kind(value)}")
    return value


def _jobs(value: object, _: Known) -> int:
    return AUTO if value == "auto" else _number(value, "auto", 1, _MAX_JOBS)


def _max_warnings(value: object, _: Known) -> int:
    return UNLIMITED if value == "unlimited" else _number(value, "unlimited", 0, _MANY)


def _number(value: object, word: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise WrongValueError(f'wants "{word}" or a number, not {_kind(value)}')
    if not least <= value <= most:
        raise WrongValueError(f'wants "{word}" or a number from {least} to {most:,}')
    return value


#: Every key, in the order in which `spectastic config` prints them.
KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        Key("include", _patterns),
        Key("exclude", _patterns),
        Key("skip-folders", _folder_names),
        Key("corpus", _corpus, path=True),
        Key("prior-art-root", _prior_art_root, path=True),
        Key("read-delegate", _read_delegate),
        Key("read-telemetry", _read_telemetry),
        Key("remote-ids", _switch),
        Key("prior-art-siblings", _siblings),
        Key("lifecycle", _lifecycle),
        Key("select", _rules),
        Key("ignore", _rules),
        Key("severity", _severities, table=True),
        Key("per-path-ignores", _per_path, table=True),
        Key("extra-licenses", _words),
        Key("allowed-hosts", _hosts),
        Key("rules-modules", _rules_modules),
        Key("fail-on", _severity),
        Key("max-warnings", _max_warnings, words={UNLIMITED: "unlimited"}),
        Key("baseline", _baseline, path=True),
        Key("citation-scope", _scope),
        Key("force-exclude", _switch),
        Key("jobs", _jobs, words={AUTO: "auto"}),
    )
}
