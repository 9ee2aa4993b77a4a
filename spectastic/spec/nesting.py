"""Which elements are open, as a browser's tree builder would have it.

Only good for one question: does a browser end a decision where its author does? The rules are
those of the HTML standard ("in body", "in table"), without building a tree. Markdown's containers
take part as the elements that they are rendered as. Every operation costs constant time, amortised.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict

from spectastic.spec.markup import DECISION, VOID


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_HEADINGS = _words("h1 h2 h3 h4 h5 h6")
_SECTIONS = _words("tbody tfoot thead")
_CELLS = _words("td th")
_TABLE_PARTS = _words("caption col colgroup tr") | _SECTIONS | _CELLS
#: An end tag of these ends one that is open, whatever is open inside it.
_BLOCKS = _words(
    "address applet article aside blockquote button center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer header hgroup listing main marquee menu nav object ol pre search section "
    "summary ul"
)
#: A start tag of these ends an open paragraph.
_ENDS_PARAGRAPH = (
    _BLOCKS - _words("applet button marquee object") | _HEADINGS | _words("form hr li p plaintext table xmp")
)
#: An end tag of another element stops looking at these.
_SPECIAL = (
    _BLOCKS - _words("dialog")
    | _HEADINGS
    | _TABLE_PARTS
    | _words("form iframe li noembed noframes noscript p plaintext select table template textarea title xmp")
)
_SCOPE = _words("applet caption marquee object table template") | _CELLS
_FORMATTING = _words("a b big code em font i nobr s small strike strong tt u")
_DOCUMENT = _words("body frameset head html")
_FOREIGN = ("svg", "math")
#: A start tag of another element ends nothing.
_CAREFUL = _DOCUMENT | _TABLE_PARTS | _ENDS_PARAGRAPH | VOID | _words("a button nobr optgroup option")


def _groups(name: str) -> tuple[str, ...]:
    """The lists of positions that an element's own goes into."""
    found = [name]
    found += ["#special"] if name in _SPECIAL else []
    found += ["#solid"] if name in _SPECIAL - {"address", "div", "p"} else []
    found += ["#scope"] if name in _SCOPE else []
    found += ["#button"] if name in _SCOPE or name == "button" else []
    found += ["#list"] if name in _SCOPE or name in ("ol", "ul") else []
    found += ["#heading"] if name in _HEADINGS else []
    found += ["#section"] if name in _SECTIONS else []
    found += ["#cell"] if name in _CELLS else []
    return tuple(found)


_GROUPS = {name: _groups(name) for name in _SPECIAL}
#: What is left of an element that a browser took out of the middle of the stack.
_GONE = ""
_GROUPS[_GONE] = ()


class Nesting:
    """The stack of open elements. A decision's entry carries a payload.

    `lost` collects the payloads of decisions that a browser ends before their end tag.
    """

    __slots__ = ("_at", "_decisions", "_marks", "_names", "_unfinished", "lost")

    def __init__(self) -> None:
        self._names: list[str] = []
        #: Where the open elements of a name, or of a group of names, are in the stack.
        self._at: defaultdict[str, list[int]] = defaultdict(list)
        self._decisions: list[object] = []
        #: Markdown containers: the offset at which they end, and the elements to end there.
        self._marks: list[tuple[int, str]] = []
        #: Formatting elements that ended without an end tag: they begin anew in what comes next.
        self._unfinished: list[str] = []
        self.lost: set[object] = set()

    @property
    def in_paragraph(self) -> bool:
        """Whether a start tag of a block would end an open `<p>`."""
        return self._last("p") > self._last("#button")

    def enter(self, name: str, end: int) -> None:
        """A Markdown container begins that is rendered as the element `name` and ends before `end`."""
        self.start(name)
        self._marks.append((end, name))

    def advance(self, offset: int) -> None:
        """Leave every Markdown container that ends at or before `offset`."""
        marks = self._marks
        while marks and marks[-1][0] <= offset:
            self.end(marks.pop()[1])

    def open(self, payload: object) -> None:
        """A decision begins."""
        for name in self._unfinished:
            self._push(name)
        self._unfinished.clear()
        self._push(DECISION)
        self._decisions.append(payload)

    def close(self) -> bool:
        """The innermost decision that is not lost ends; whether a browser ignores the end tag."""
        at = self._at[DECISION][-1]
        ignored = self._last("#special") > at
        self._decisions.pop()
        self._at[DECISION].pop()
        self._names[at] = _GONE
        if not ignored:
            self._pop(at)
        return ignored

    def start(self, name: str, *, self_closing: bool = False) -> None:
        """A start tag."""
        if name in _CAREFUL and not self._make_way(name):
            return
        if not (self_closing and any(self._at[foreign] for foreign in _FOREIGN)):
            self._push(name)

    def _make_way(self, name: str) -> bool:
        """End what the start tag of `name` ends; whether an element begins then."""
        if name in _DOCUMENT or (name in _TABLE_PARTS and not self._make_room(name)):
            return False
        if name == "li" or name == "dd" or name == "dt":
            self._end_item(("li",) if name == "li" else ("dd", "dt"))
        if name in _ENDS_PARAGRAPH and self.in_paragraph:
            self._pop(self._last("p"))
        top = self._names[-1] if self._names else ""
        if name in _HEADINGS and top in _HEADINGS:
            self._pop(len(self._names) - 1)
        elif name == "a" or name == "nobr" or name == "button":
            self.end(name)
        elif top == "option" and (name == "option" or name == "optgroup"):
            self._pop(len(self._names) - 1)
        return name not in VOID

    def end(self, name: str) -> None:
        """An end tag."""
        at = self._last(name)
        if name in _HEADINGS:
            at = self._last("#heading")
            limit = self._last("#scope")
        elif name in _FORMATTING:
            self._end_formatting(name)
            return
        elif name in _BLOCKS:
            limit = self._last("#scope")
        elif name == "p":
            limit = self._last("#button")
        elif name == "li":
            limit = self._last("#list")
        elif name == "table":
            limit = self._last("template")
        elif name in _TABLE_PARTS:
            limit = self._last("table")
        elif name == "form":
            limit = len(self._names) - 1  # it leaves what is open inside it open
        else:
            limit = self._last("#special")
        if at >= 0 and at >= limit:
            self._pop(at)

    def _end_item(self, names: tuple[str, ...]) -> None:
        """An item begins: the one before it ends, unless it holds a list of its own."""
        at = self._last("#solid")
        if at >= 0 and self._names[at] in names:
            self._pop(at)

    def _make_room(self, name: str) -> bool:
        """End what stands between a part of a table and its place; `False` outside tables."""
        table = self._last("table")
        if table <= self._last("template"):
            return False
        place = table
        if name in _CELLS:
            place = max(table, self._last("#section"), self._last("tr"))
            cell = self._last("#cell")
            place = cell - 1 if cell > place else place
        elif name == "tr":
            place = max(table, self._last("#section"))
        self._pop(place + 1)
        return name != "col" and name != "colgroup"

    def _end_formatting(self, name: str) -> None:
        """The "adoption agency": blocks inside a formatting element outlive it, decisions do not."""
        at = self._last(name)
        if at < 0:
            if name in self._unfinished:
                self._unfinished.remove(name)
            return
        if at < self._last("#scope"):
            return
        if self._last("#special") < at:
            self._at[name].pop()
            self._names[at] = _GONE
            self._pop(at)
            return
        inside = bisect_right(self._at[DECISION], at)
        for place in (*self._at[DECISION][inside:], self._at[name].pop()):
            self._names[place] = _GONE
        del self._at[DECISION][inside:]
        self.lost.update(self._decisions[inside:])
        del self._decisions[inside:]

    def _last(self, group: str) -> int:
        """Where the innermost open element of a group is, -1 if there is none."""
        places = self._at[group]
        return places[-1] if places else -1

    def _push(self, name: str) -> None:
        place = len(self._names)
        self._names.append(name)
        for group in _GROUPS.get(name, (name,)):
            self._at[group].append(place)

    def _pop(self, place: int) -> None:
        """End every element from `place` on."""
        while len(self._names) > place:
            name = self._names.pop()
            for group in _GROUPS.get(name, (name,)):
                self._at[group].pop()
            if name == DECISION:
                self.lost.add(self._decisions.pop())
            elif name in _FORMATTING and self._unfinished.count(name) < 3:
                self._unfinished.append(name)
