"""What became of the references of an imported pack, for programs and for people. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from spectastic.text import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spectastic.curate.importing.offers import Delivery


class Told(NamedTuple):
    """What became of a reference: `new`, `superseded`, `unchanged`, `older`, `renamed`, `orphaned`.

    `id` is "" for one that has yet to get it. `superseded` is the edition that was current before.
    """

    state: str
    id: str
    slug: str
    edition: str
    path: str
    superseded: str = ""
    renamed_from: str = ""
    returned: bool = False

    def as_json(self) -> dict[str, object]:
        """As programs are told of it."""
        blank = {"superseded": self.superseded or None, "renamed_from": self.renamed_from or None}
        return {**self._asdict(), **blank}


_SAID = {
    "new": "new, cite it as {item.id}@{edition}: {item.slug}",
    "superseded": "superseded, now {item.id}@{edition}, before {old}: {item.slug}",
    "older": "{item.slug} is left at {item.id}@{edition}: the edition there is retained here, so it is older",
    "orphaned": "{item.id}, {item.slug}, is not there any more: marked orphaned, its document stays",
}


def told_notes(delivery: Delivery, items: Sequence[Told]) -> Iterator[str]:
    """What people are told of a pack."""
    label = f"{delivery.marketplace} · {delivery.plugin}"
    unchanged = [item for item in items if item.state == "unchanged" and not item.returned]
    if len(unchanged) == len(items):
        yield f"{label}: nothing has changed, {_amount(len(items))} here as there"
        return
    yield f"{label}:"
    for item in items:
        text = _SAID.get(item.state, "").format(
            item=item, edition=short(item.edition), old=short(item.superseded)
        )
        extra = [text] if text else []
        extra += (
            [f"{item.id} keeps its id: renamed from {item.renamed_from} to {item.slug}"]
            if item.renamed_from
            else []
        )
        extra += [f"{item.id}, {item.slug}, is there again: no longer orphaned"] if item.returned else []
        yield from (f"  {line}" for line in extra)
    if unchanged:
        yield f"  unchanged: {_amount(len(unchanged))}"
    if any(item.state in ("new", "superseded") for item in items):
        checked = [item.id for item in items if item.state in ("new", "superseded")]
        several = f"--pack {delivery.plugin}" if len(checked) > 3 else " ".join(checked)
        yield f"  look at each text, then: spectastic corpus confirm {several}"


def _amount(number: int) -> str:
    return f"{number} reference{'' if number == 1 else 's'}"
