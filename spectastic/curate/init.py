"""`init`: a corpus, a configuration and the checks of a repository, each only where it is missing."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from spectastic.curate import documents, packs, refusals, register, starters, tables
from spectastic.curate.plan import CurateError, FileChange, Plan
from spectastic.curate.starters import HOOK, SETTINGS, WORKFLOW, WORKFLOWS
from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spectastic.curate.workspace import Workspace

GITLAB = ".gitlab-ci.yml"
_HAS_HOOK = re.compile(r"""^[^#\n]*\bid["']?[ \t]*:[ \t]*["']?spectastic(?:-files)?(?![\w-])""", re.MULTILINE)
_HAS_RUN = re.compile(r"^[^#\n]*\bspectastic(?:@| validate\b)", re.MULTILINE)
_HAS_INCLUDE = re.compile(r"^[^#\n]*\bspectastic\b", re.MULTILINE)

_MOVE = "move it away, or remove it, and run this again"


class Item(NamedTuple):
    """What `init` looks after: the new files for it, or why there are none.

    `state` is `written`, `there` or `left out`. `add` is what somebody has to add by hand, to the file
    `into`, or else to `path`.
    """

    path: str
    state: str
    why: str = ""
    changes: tuple[FileChange, ...] = ()
    add: str = ""
    into: str = ""
    citation: str = ""


def plan_init(workspace: Workspace, marketplace: str = "", *, example: bool = True) -> Plan:
    """Write what is missing, and touch nothing that is there. Raises `CurateError`.

    `marketplace` is where the packs are, or will be, published. `example`: begin with a pack to look at.
    """
    items = (
        _corpus(workspace, marketplace, example),
        _settings(workspace),
        _hook(workspace),
        _workflow(workspace),
    )
    changes = tuple(change for item in items for change in item.changes)
    result: Mapping[str, object] = {
        "citation": next((item.citation for item in items if item.citation), None),
        "items": [{"path": item.path, "state": item.state, "why": item.why} for item in items],
        "to_add": {item.into or item.path: item.add for item in items if item.add},
    }
    return Plan(changes, result, tuple(_notes(items, changes)))


def _corpus(workspace: Workspace, marketplace: str, example: bool) -> Item:
    """The registry, with an example where there is nothing else yet."""
    registry = workspace.registry
    corpus = workspace.corpus
    if not _missing(workspace, registry):
        why = "it has no row to cite yet: `spectastic corpus add` registers a document"
        return Item(registry, "there", "" if corpus.registry.rows else why)
    older = next(iter(corpus.registry.rows), None)
    if older is not None:
        migrate = refusals.migration(older)
        why = f"{older.id} has its id from {older.file}: {migrate} gives its documents rows in a registry"
        return Item(registry, "left out", why)
    home = f"{workspace.folder}/{starters.EXAMPLE}"
    document = packs.document_path(workspace, starters.EXAMPLE, starters.SLUG)
    known = [reference.path for reference in corpus.references]
    known += [path for path in (f"{home}/SKILL.md", document) if not _missing(workspace, path)]
    if known or not example:
        change = FileChange(registry, None, tables.new_registry().encode())
        why = "without an example: `spectastic corpus add` registers a document"
        if known:
            why = (
                f"without an example, since {short(known[0])} is there: `spectastic corpus add` registers it"
            )
        return Item(registry, "written", why, (change,))
    published = marketplace or packs.default_marketplace(workspace, starters.EXAMPLE) or starters.EXAMPLE
    entry = register.Entry(
        pack=starters.EXAMPLE,
        slug=starters.SLUG,
        title=starters.TITLE,
        edition=starters.FIELDS["edition"],
        marketplace=published,
        data=documents.compose(starters.FIELDS, starters.BODY.encode()),
        description="What a reference looks like",
        about=starters.ABOUT,
    )
    done = register.register(workspace, [entry])
    # The registry comes first: it is what people look for.
    changes = sorted(done.changes, key=lambda change: change.path != registry)
    return Item(registry, "written", "", tuple(changes), citation=f"{done.ids[0]}@{entry.edition}")


def _settings(workspace: Workspace) -> Item:
    missing = _missing(workspace, SETTINGS)
    from spectastic.config import ConfigError
    from spectastic.config.file import nearest_file

    try:
        found = nearest_file(workspace.root, workspace.root, workspace.root)
    except ConfigError as error:
        raise CurateError(str(error)) from error
    text = f"corpus = {_toml(workspace.folder)}"
    if found is None:
        data = starters.SETTINGS_TEXT.replace("corpus = {corpus}", text).encode()
        return Item(SETTINGS, "written", "", (FileChange(SETTINGS, None, data),))
    said = str(found.table.get("corpus", "knowledge"))
    here = os.path.join(workspace.root, workspace.folder)
    same = "\0" not in said and os.path.realpath(os.path.join(workspace.root, said)) == os.path.realpath(here)
    state = "left out" if missing else "there"
    why = f"{found.name} configures spectastic" if missing else ""
    return Item(SETTINGS, state, why, add="" if same else f"{text}\n", into=found.name)


def _toml(text: str) -> str:
    from json import dumps

    try:
        text.encode()
    except UnicodeEncodeError:
        raise CurateError(f"{short(ascii(text))} is no name that {SETTINGS} can hold", "rename it") from None
    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _hook(workspace: Workspace) -> Item:
    if not _missing(workspace, HOOK):
        text = _text(workspace, HOOK)
        found = _HAS_HOOK.search(text) or _HAS_RUN.search(text)
        return Item(HOOK, "there", add="" if found else starters.HOOK_ENTRY)
    if above := _above(workspace):
        return Item(HOOK, "left out", above)
    return Item(HOOK, "written", "", (FileChange(HOOK, None, starters.HOOK_TEXT.encode()),))


def _workflow(workspace: Workspace) -> Item:
    """The CI workflow, where the repository has CI at GitHub, or none yet."""
    if not _missing(workspace, WORKFLOW):
        return Item(WORKFLOW, "there")
    if above := _above(workspace):
        return Item(WORKFLOW, "left out", above)
    for name in workspace.names(WORKFLOWS):
        path = f"{WORKFLOWS}/{name}"
        if name.endswith((".yml", ".yaml")) and _HAS_RUN.search(_text(workspace, path)):
            return Item(WORKFLOW, "left out", f"{path} runs spectastic already")
    if workspace.exists(GITLAB) and not workspace.exists(".github"):
        found = _HAS_INCLUDE.search(_text(workspace, GITLAB))
        why = f"{GITLAB} says that GitLab runs the checks here"
        return Item(WORKFLOW, "left out", why, add="" if found else starters.GITLAB_ENTRY, into=GITLAB)
    return Item(WORKFLOW, "written", "", (FileChange(WORKFLOW, None, starters.WORKFLOW_TEXT.encode()),))


def _text(workspace: Workspace, path: str) -> str:
    """The text of a file that is only looked at, "" where it cannot be read."""
    try:
        source = workspace.source(path)
    except CurateError:
        return ""
    return source.text if source else ""


def _above(workspace: Workspace) -> str:
    """Why hooks and workflows do not belong here, "" where they do."""
    from spectastic.config.place import git_top

    inside = git_top(workspace.root) not in ("", workspace.root)
    return "it belongs to the top of the git repository, which is above this folder" if inside else ""


def _missing(workspace: Workspace, path: str) -> bool:
    """Whether nothing has this path. Raises `CurateError` for what stands in the way of the file."""
    parts = path.split("/")
    for depth in range(1, len(parts)):
        folder = "/".join(parts[:depth])
        if workspace.exists(folder) and not os.path.isdir(os.path.join(workspace.root, folder)):
            raise CurateError(f"{folder} is in the way of {path}: it is {_kind(workspace, folder)}", _MOVE)
    if not workspace.exists(path):
        return True
    if not os.path.isfile(os.path.join(workspace.root, path)):
        raise CurateError(f"{path} is in the way: it is {_kind(workspace, path)}, not a file", _MOVE)
    return False


def _kind(workspace: Workspace, path: str) -> str:
    place = os.path.join(workspace.root, path)
    if not os.path.exists(place):
        return "a link that leads nowhere"
    if os.path.isdir(place):
        return "a folder"
    return "no folder" if os.path.isfile(place) else "neither a file nor a folder"


def _notes(items: Sequence[Item], changes: Sequence[FileChange]) -> Iterator[str]:
    if not changes:
        yield "nothing is missing, and nothing was written"
    for item in items:
        if item.state == "there":
            yield f"{item.path} is there already" + (f"; {item.why}" if item.why else "")
        elif item.why:
            said = "is left out: " if item.state == "left out" else "is "
            yield f"{item.path} {said}{item.why}"
    for item in items:
        if item.add:
            yield f"add to {item.into or item.path}, which is not edited:"
            yield from (f"    {line}" for line in item.add.splitlines())
    if changes:
        yield from _next(items, [change.path for change in changes])


def _next(items: Sequence[Item], paths: Sequence[str]) -> Iterator[str]:
    from shlex import quote

    yield "what to do next:"
    unfinished = [path for path in paths if path in (HOOK, WORKFLOW)]
    steps = []
    if unfinished:
        steps.append(
            f"put your own in place of {' and '.join(starters.PLACEHOLDERS)} in {' and '.join(unfinished)}"
        )
    steps.append(f"git add {' '.join(quote(path) for path in paths)}")
    for item in items:
        if item.citation:
            fact = f"The shop opens at 09:00, {item.citation}."
            steps.append(f'cite the example in a spec: <spec-decision id="D-001">{fact}</spec-decision>')
            steps.append(
                "before you commit: what is registered stays for ever, so take the example out again "
                "(its row and its folder); `spectastic init --no-example` begins without it"
            )
    steps.append(
        "run `spectastic validate`; `spectastic corpus add --help` tells how to register your own documents"
    )
    yield from _numbered(steps)


def _numbered(steps: Iterable[str]) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        yield f"  {number}. {step}"
