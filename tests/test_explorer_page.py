"""The corpus explorer: what is gathered, what the page holds, and the command that writes it."""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import pytest
from corpora import corpus, document, row
from repository import Repository
from trees import Link, tree

from spectastic import config
from spectastic.cli import main
from spectastic.corpus import load
from spectastic.engine import citing
from spectastic.engine.pipeline import CHUNK
from spectastic.explorer import corpus_page, files, gather, page, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spectastic.explorer.gather import Explorer

SETTLEMENT = Path(__file__).parent.parent / "fixtures" / "repos" / "settlement"
Capture = pytest.CaptureFixture[str]


def explorer(root: Path) -> Explorer:
    settings = config.load(str(root), (), {}, str(root))
    return gather.gather(settings, load(str(root)))


def unpacked(text: str) -> dict[str, Any]:
    found = re.search('<script type="text/plain" id="data">([A-Za-z0-9+/=]*)</script>', text)
    assert found is not None
    return dict(json.loads(zlib.decompress(base64.b64decode(found[1]), wbits=-15)))


def references(text: str) -> dict[str, dict[str, Any]]:
    return {reference["id"]: reference for reference in unpacked(text)["references"]}


def test_the_sample_repository_by_hand() -> None:
    found = explorer(SETTLEMENT)
    assert {state.value: number for state, number in found.states.items()} == {
        "grounded": 2,
        "stale": 1,
        "unpinned": 1,
        "assumed": 1,
        "ungrounded": 2,
    }
    assert found.specs == 6
    assert [(decision.path, use.text) for decision, use in found.dead] == [
        ("specs/late-deliveries.md", "KB-0012@2022-07-08")
    ]
    known = references(corpus_page.render(found))
    assert list(known) == ["KB-0001", "KB-0002", "KB-0003"]
    first = known["KB-0001"]
    assert [(edition["name"], edition["outcome"]) for edition in first["editions"]] == [
        ("2024-05-28", "current"),
        ("2017-09-05", "superseded"),
    ]
    assert [(use["path"], use["line"], use["citation"], use["state"]) for use in first["citing"]] == [
        ("specs/allocation-cutoff.md", 6, "KB-0001@2024-05-28", "grounded"),
        ("specs/settlement-date.html", 13, "KB-0001@2024-05-28", "grounded"),
        ("specs/settlement-date.html", 20, "KB-0001@2017-09-05", "stale"),
    ]
    assert {(one["license"], one["permissive"]) for one in first["editions"]} == {("public-domain", True)}
    assert {edition["hash"]["state"] for edition in first["editions"]} <= {"matches", "missing", "differs"}
    # What is compared is told in words only where there is something to compare.
    assert first["editions"][0]["text"]
    assert known["KB-0002"]["editions"][0]["text"] == ""
    assert known["KB-0002"]["changes"] == []


def test_pieces_count_as_javascript_does(tmp_path: Path) -> None:
    # Each 𝛑 is one character and two UTF-16 units.
    files_ = {
        "knowledge/p/references/001-x.md": document(body="𝛑 new end\n"),
        "knowledge/p/references/superseded/001-x@2020.md": document(edition="2020", body="𝛑 old words end\n"),
    }
    corpus(tmp_path, files_, row(1, "2024-05-28", "p/references/001-x.md"))
    (change,) = references(corpus_page.render(explorer(tmp_path)))["KB-0001"]["changes"]
    assert (change["old"], change["new"]) == ("2020", "2024-05-28")
    # A line break and "𝛑 "; "old words " for "new "; "end" and a line break.
    assert change["pieces"] == [[1, 4, 4], [0, 10, 4], [1, 4, 4]]


@pytest.mark.parametrize(("editions", "pairs"), [(1, 0), (2, 1), (6, 15), (7, 11)])
def test_which_editions_are_compared(tmp_path: Path, editions: int, pairs: int) -> None:
    # Of seven, six with the current one and five more neighbours.
    retained = {
        f"knowledge/p/references/superseded/001-x@{2000 + at}.md": document(edition=f"{2000 + at}")
        for at in range(editions - 1)
    }
    corpus(
        tmp_path,
        {"knowledge/p/references/001-x.md": document(edition="2024"), **retained},
        row(1, "2024", "p/references/001-x.md"),
    )
    known = references(corpus_page.render(explorer(tmp_path)))["KB-0001"]
    assert len(known["editions"]) == editions
    assert len(known["changes"]) == pairs


ROWS = [
    # What decisions say, the words that the filter knows the reference by, and the state that its row shows.
    ("", "uncited", None),
    ("KB-0001@2024-05-28", "cited", "grounded"),
    ("KB-0001", "cited bare", "unpinned"),
    ("KB-0001@2020", "cited stale", "stale"),
    ("KB-0001@1999", "cited dead", "ungrounded"),
    ("KB-0001@2020 and KB-0001@1999 and KB-0001", "cited stale bare dead", "ungrounded"),
    # What else a decision cites is not the state of this one.
    ("KB-0001@2024-05-28 and KB-0009@1", "cited", "grounded"),
]


@pytest.mark.parametrize(("said", "words", "state"), ROWS)
def test_the_filter_by_citations(tmp_path: Path, said: str, words: str, state: str | None) -> None:
    corpus(
        tmp_path,
        {
            "knowledge/p/references/001-x.md": document(),
            "knowledge/p/references/superseded/001-x@2020.md": document(edition="2020"),
            "specs/a.md": f'<spec-decision id="D-1">\n\n{said}\n\n</spec-decision>\n',
        },
        row(1, "2024-05-28", "p/references/001-x.md"),
    )
    page_ = corpus_page.render(explorer(tmp_path))
    assert f'data-cited="{words}"' in page_
    cell = page_.partition('data-label="Cited"')[2].partition("</td>")[0]
    assert re.findall("state-([a-z]+)", cell) == ([] if state is None else [state])


def test_a_row_without_a_document(tmp_path: Path) -> None:
    corpus(tmp_path, {}, row(1, "2024-05-28", "p/references/001-x.md", status="orphaned"))
    text = corpus_page.render(explorer(tmp_path))
    known = references(text)["KB-0001"]
    assert known["editions"] == []
    assert known["status"] == "orphaned"
    assert 'data-license=""' in text
    # Nothing of this corpus can be typed, so the sample is nobody's.
    assert 'placeholder="KB-0001@2024-05-28"' in text


def test_hostile_names_are_only_text(tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    corpus(
        tmp_path,
        {
            "knowledge/p/references/001-x.md": document(license=evil, status=evil, body=f"{evil}\n"),
            "specs/a.md": f"<spec-decision id='{evil.replace('/', '')}'>\n\nKB-0009@1\n\n</spec-decision>\n",
        },
        '| KB-0001 | a | "onload=x | 001-x | <b onclick=x>T</b> | 2024-05-28 | p/references/001-x.md | |\n',
    )
    text = corpus_page.render(explorer(tmp_path))
    tree_ = html5lib.parse(text, namespaceHTMLElements=False)
    scripts = [element.get("type") for element in tree_.iter("script")]
    assert scripts == [None, "text/plain", None]
    assert {element.tag for element in tree_.iter() if isinstance(element.tag, str)}.isdisjoint(
        {"img", "b", "iframe"}
    )
    assert not [name for element in tree_.iter() for name in element.attrib if str(name).startswith("on")]
    assert evil not in json.dumps(unpacked(text)["references"][0]["editions"][0]["html"])


def test_the_same_tree_gives_the_same_bytes() -> None:
    assert corpus_page.render(explorer(SETTLEMENT)) == corpus_page.render(explorer(SETTLEMENT))


def test_a_hundred_references_are_a_small_page(tmp_path: Path) -> None:
    # Each about as long as those of this project, every tenth with an edition before it, no two alike.
    source = (Path(__file__).parent.parent / "docs" / "guide.md").read_text(encoding="utf-8")
    made: dict[str, str | bytes | Link | None] = {}
    rows = []
    for at in range(1, 101):
        body = source[at * 137 : at * 137 + 2000]
        slug = f"{at:03d}-fact"
        made[f"knowledge/p/references/{slug}.md"] = document(slug=slug, body=body)
        if at % 10 == 0:
            made[f"knowledge/p/references/superseded/{slug}@2020.md"] = document(slug, "2020", body[:1500])
        rows.append(row(at, "2024-05-28", f"p/references/{slug}.md", slug))
    corpus(tmp_path, made, *rows)
    assert len(corpus_page.render(explorer(tmp_path)).encode()) < 300_000


def policy(text: str) -> str:
    found = html5lib.parse(text, namespaceHTMLElements=False).find(".//meta[@http-equiv]")
    assert found is not None
    assert found.get("http-equiv") == "Content-Security-Policy"
    return str(found.get("content"))


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = corpus_page.render(explorer(SETTLEMENT))
    tree_ = html5lib.parse(text, namespaceHTMLElements=False)
    assert not list(tree_.iter("link"))
    assert not [element for element in tree_.iter() if element.get("src") is not None]
    assert "connect-src" not in policy(text)
    assert "connect-src 'self'" in policy(corpus_page.render(explorer(SETTLEMENT), live=True))


def test_several_processes_give_the_same_page(tmp_path: Path) -> None:
    made = {f"knowledge/p/references/{at:03d}-x.md": document(body=f"Fact {at}\n") for at in range(1, 121)}
    corpus(tmp_path, made, *(row(at, "2024-05-28", f"p/references/{at:03d}-x.md") for at in range(1, 121)))
    pages = set()
    for jobs in (1, 2, 3):
        settings = config.load(str(tmp_path), (), {"jobs": jobs}, str(tmp_path))
        pages.add(corpus_page.render(gather.gather(settings, load(str(tmp_path)))))
    assert len(pages) == 1


def test_a_page_is_put_once(tmp_path: Path) -> None:
    path = str(tmp_path / "site" / "a.html")
    data = page.MARK + b"1"
    assert files.put({path: data}) == [path]
    assert files.put({path: data}) == []
    assert files.put({path: page.MARK + b"2"}) == [path]
    assert Path(path).read_bytes() == page.MARK + b"2"


def test_nothing_of_somebody_else_is_replaced(tmp_path: Path) -> None:
    tree(tmp_path, {"a.html": "mine", "there.html": "mine", "link.html": Link("there.html"), "folder/x": ""})
    good = str(tmp_path / "good.html")
    for name in ("a.html", "link.html", "folder"):
        with pytest.raises(files.Refused, match=name):
            files.put({good: page.MARK, str(tmp_path / name): page.MARK})
        # All are looked at before any is written.
        assert not Path(good).exists()
    for name in ("link.html", "folder"):
        with pytest.raises(files.Refused):
            files.put({str(tmp_path / name): page.MARK}, force=True)
    assert (tmp_path / "there.html").read_text() == "mine"
    assert files.put({str(tmp_path / "a.html"): page.MARK}, force=True) == [str(tmp_path / "a.html")]


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = main(["explore", *arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "--root", str(SETTLEMENT)) == (0, "wrote corpus-explorer.html\n", "")
    assert run(capsys, "--root", str(SETTLEMENT)) == (0, "up to date: corpus-explorer.html\n", "")
    code, out, _ = run(capsys, "--root", str(SETTLEMENT), "--out", "x/y.html", "--json")
    assert code == 0
    assert json.loads(out)["changes"] == [{"path": "x/y.html", "action": "write"}]


WRONG = [
    (("--out", "mine.html"), "mine.html was not written by this command"),
    (("--out", "folder"), "folder is a link, a folder or a device, no page"),
    (("--out", "mine.html/x.html"), "a page cannot be read or written: mine.html/x.html: not a directory"),
    (("--port", "80"), "--port goes with --serve"),
    (("--serve", "--out", "x.html"), "--serve writes nothing, so --out is of no use"),
    (("--serve", "--json"), "--serve writes nothing, so --json is of no use"),
    (("--serve", "--port", "65536"), "'65536' is no port"),
    (("--serve", "--port", "-1"), "'-1' is no port"),
    (("--serve", "--port", "1_0"), "'1_0' is no port"),
    (("--serve", "--port", "٨"), "is no port"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=lambda value: " ".join(value)[:40])
def test_wrong_usage(
    arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    tree(tmp_path, {"mine.html": "mine", "folder/x": ""})
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "--root", str(SETTLEMENT), *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert (tmp_path / "mine.html").read_text() == "mine"


def test_without_a_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys)
    assert code == 2
    assert "there is no registry knowledge/index.md" in err


class Browser:
    """A browser that starts or does not, and notes what it was to show."""

    def __init__(self, asked: list[str], opens: bool) -> None:
        self._asked = asked
        self._opens = opens

    def open(self, address: str) -> bool:
        self._asked.append(address)
        return self._opens


@pytest.mark.parametrize("opens", [True, False])
def test_open(opens: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", Browser(asked, opens).open)
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "--root", str(SETTLEMENT), "--out", "a b.html", "--open")
    assert (code, asked) == (0, [(tmp_path / "a b.html").as_uri()])
    assert ("no browser" in err) is not opens


def test_serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    corpus(
        tmp_path,
        {"knowledge/p/references/001-x.md": document()},
        row(1, "2024-05-28", "p/references/001-x.md"),
    )
    given: list[Any] = []
    monkeypatch.setattr("spectastic.explorer.serve.serve", lambda *arguments: given.extend(arguments))
    assert run(capsys, "--root", str(tmp_path), "--serve")[0] == 0
    build, changed, port, _, ready = given
    assert (port, ready) == (8765, None)
    assert "connect-src 'self'" in policy(build())
    # A document, a spec and the configuration each make another page.
    seen = {changed()}
    assert changed() in seen
    for name in ("knowledge/p/references/001-x.md", "specs/a.md", "spectastic.toml"):
        tree(tmp_path, {name: "fail-on = 'info'\n"})
        assert changed() not in seen
        seen.add(changed())


def test_progress_counts_specs_and_references() -> None:
    settings = config.load(str(SETTLEMENT), (), {}, str(SETTLEMENT))
    told: list[tuple[int, int]] = []
    gather.gather(settings, load(str(SETTLEMENT)), lambda done, total: told.append((done, total)))
    # Six specs in one piece, then three references.
    assert told == [(6, 9), (9, 9)]


def test_serving_does_not_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    corpus(
        tmp_path,
        {"knowledge/p/references/001-x.md": document(), "spectastic.toml": "jobs = 2\n"},
        row(1, "2024-05-28", "p/references/001-x.md"),
    )
    tree(tmp_path, {f"specs/{number}.md": "" for number in range(CHUNK + 1)})
    given: list[Any] = []
    forked: list[object] = []
    monkeypatch.setattr("spectastic.explorer.serve.serve", lambda *arguments: given.extend(arguments))

    def forking(work: Callable[[object], object], chunks: list[object], _: int) -> Iterator[object]:
        forked.append(chunks)
        return map(work, chunks)

    monkeypatch.setattr(citing, "spread", forking)
    assert run(capsys, "--root", str(tmp_path), "--serve")[0] == 0
    given[0]()
    assert not forked
    assert run(capsys, "--root", str(tmp_path), "--out", str(tmp_path / "x.html"))[0] == 0
    assert forked


def test_the_resolver_knows_what_git_does_not_track(tmp_path: Path) -> None:
    place, other = (f"p/references/00{number}-x.md" for number in (1, 2))
    repository = Repository(tmp_path / "r", {f"knowledge/{place}": document(), "spectastic.toml": ""})
    corpus(
        repository.root,
        {f"knowledge/{other}": document("002-x")},
        row(1, "2024-05-28", place),
        row(2, "2024-05-28", other),
    )
    repository.git("add", "knowledge/index.md")
    page_ = tmp_path / "page.html"
    assert main(["explore", "--root", str(repository.root), "--out", str(page_)]) == 0
    first, second = unpacked(page_.read_text())["resolver"]["references"]
    # Behind its edition, its outcome and its path, what the rules say of the only edition.
    assert [len(reference[2][0]) for reference in (first, second)] == [3, 4]
    assert "git does not track" in second[2][0][3][1]


def test_a_name_that_is_no_unicode(tmp_path: Path, capsys: Capture) -> None:
    corpus(tmp_path, {}, row(1, "2024-05-28", "p/references/001-x.md"))
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_bytes(b"x\n" + b"\xff")
    assert run(capsys, "--root", str(tmp_path), "--out", str(tmp_path / "x.html"))[0] == 0


def test_a_port_that_is_taken(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def taken(*_: object) -> None:
        raise serve.PortError("port 80 is taken", "take another")

    monkeypatch.setattr("spectastic.explorer.serve.serve", taken)
    code, _, err = run(capsys, "--root", str(SETTLEMENT), "--serve", "--port", "80")
    assert (code, err) == (2, "spectastic: error: port 80 is taken\nspectastic: take another\n")


def test_what_is_served_is_opened(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", Browser(asked, opens=True).open)
    monkeypatch.setattr("spectastic.explorer.serve.serve", lambda *given: given[-1]("http://127.0.0.1:1/"))
    assert run(capsys, "--root", str(SETTLEMENT), "--serve", "--open", "--port", "1")[0] == 0
    assert asked == ["http://127.0.0.1:1/"]
