"""What `corpus adapt` says it did, to people and to programs. Pure."""

from __future__ import annotations

import os
from collections import Counter
from shlex import quote
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from spectastic.corpus.model import says_nothing
from spectastic.curate.adapting.provenance import ASKED
from spectastic.curate.confirm import left_out
from spectastic.rules.common import some

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spectastic.curate.adapting.adapt import Request
    from spectastic.curate.adapting.gather import Left
    from spectastic.curate.workspace import Workspace


class Told(NamedTuple):
    """A file and its reference. `state` is `registered`, `completed`, `there` or `changed`.

    `todo` are fields that nobody has said yet, `taken` names under which the file says one, `unused`
    options that it contradicts, `links` where it leads to other files; `dated` tells of a `date`, `gone` are
    fields that say who answers for it, and were left out.
    """

    file: str
    state: str
    id: str
    slug: str
    edition: str
    path: str
    todo: tuple[str, ...] = ()
    taken: Mapping[str, str] = MappingProxyType({})
    unused: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    dated: bool = False
    gone: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """As programs are told of it."""
        listed = {"todo": list(self.todo), "taken": dict(self.taken)}
        more = {"unused": list(self.unused), "links": list(self.links)}
        names = ("file", "state", "id", "slug", "edition", "path")
        return {**{name: getattr(self, name) for name in names}, **listed, **more}


def notes(workspace: Workspace, wanted: Request, told: Sequence[Told], left: Sequence[Left]) -> Iterator[str]:
    """What people are told."""
    by_state: dict[str, list[Told]] = {}
    for item in told:
        by_state.setdefault(item.state, []).append(item)
    new, completed = by_state.get("registered", []), by_state.get("completed", [])
    if new:
        ids = new[0].id if len(new) == 1 else f"{new[0].id} to {new[-1].id}"
        yield f"{_documents(new)} registered in the pack {wanted.pack}: {ids}"
        skill = f"{workspace.folder}/{wanted.pack}/SKILL.md"
        if not workspace.exists(skill):
            yield f"{skill} is new: say in its description when to use the pack"
    if completed:
        yield f"{_documents(completed)} completed: {_ids(completed)}"
    if not new and not completed and not by_state.get("changed"):
        yield "nothing is to be done: what could be adapted is in the pack already"
    elif "there" in by_state:
        yield f"{_documents(by_state['there'])} in the pack already, and left as they are"
    yield from _changed(wanted, by_state.get("changed", []))
    yield from _said(new)
    yield from _todo(wanted, told)
    yield from _left(left)


def _documents(items: Sequence[Told]) -> str:
    return "1 document is" if len(items) == 1 else f"{len(items):,} documents are"


def _ids(items: Sequence[Told]) -> str:
    return some([item.id for item in items])


def _changed(wanted: Request, items: Sequence[Told]) -> Iterator[str]:
    for item in items:
        yield f"the text of {item.file} is not that of {item.id}; nothing was overwritten"
        if says_nothing(item.edition):
            yield (
                f"  {item.id} has no edition yet, so nobody can have cited it: put the new text into "
                f"{item.path}, below the frontmatter, and run `spectastic corpus hash --write`"
            )
        else:
            if item.todo:
                yield f"  first say its {' and '.join(item.todo)}: what is retained stays as it is"
            file = quote(os.path.join(wanted.gathered.folder, item.file))
            yield f"  spectastic corpus supersede {item.id} --edition E --from {file}"
    if items:
        yield "  where a file is about another fact, give it another name"


def _said(new: Sequence[Told]) -> Iterator[str]:
    """What was taken of documents' own words, what was not, and what may not lead where it did."""
    taken = Counter(pair for item in new for pair in item.taken.items())
    for (name, own), count in taken.items():
        yield f"{name} is what the documents call {own}: {count:,} of them; see that it is meant so"
    for name in dict.fromkeys(name for item in new for name in item.unused):
        files = [item.file for item in new if name in item.unused]
        yield f"--{name} is not used for documents that say another one: {some(files)}"
    for item in new:
        if item.gone:
            yield left_out(item.file, item.gone)
    dated = [item.file for item in new if item.dated]
    if dated:
        yield f"a date is not taken for an edition, as it stays when a text is changed: {some(dated)}"
    linked = [item.file for item in new if item.links]
    if linked:
        yield f"links to other files lead elsewhere from where the documents are now: {some(linked)}"


def _todo(wanted: Request, told: Sequence[Told]) -> Iterator[str]:
    """What is still to be said, and how."""
    lacking = {name: [item for item in told if name in item.todo] for name in ASKED}
    lacking = {name: items for name, items in lacking.items() if items}
    if not lacking:
        return
    counts = ", ".join(f"{name} of {_ids(items)}" for name, items in lacking.items())
    yield f"still TODO, as `validate` says until somebody knows: {counts}"
    options = " ".join(f"--{name} {name[:1].upper()}" for name in lacking)
    yield f"  spectastic corpus adapt {quote(wanted.path)} --pack {quote(wanted.pack)} {options}"


def _left(left: Sequence[Left]) -> Iterator[str]:
    grouped: dict[tuple[str, str], list[str]] = {}
    for item in left:
        grouped.setdefault((item.why, item.hint), []).append(item.path)
    for (why, hint), paths in grouped.items():
        count = "" if len(paths) == 1 else f" ({len(paths):,})"
        yield f"left out{count}, {why}: {some(paths)}"
        if hint:
            yield f"  {hint}"
