"""`spectastic render` and `spectastic badge`, from the command line to the files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from corpora import HEADER, document, row
from repository import Repository
from trees import Link, tree

from spectastic import config, corpus, spread
from spectastic.cli import main
from spectastic.engine.pipeline import CHUNK
from spectastic.explorer.site import site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Capture = pytest.CaptureFixture[str]
GOOD = '<spec-decision id="D-1">\n\nKB-0001@2024-05-28\n\n</spec-decision>\n'
BAD = '<spec-decision id="D-2">\n\nKB-0009@1\n\n</spec-decision>\n'
FILES = {
    "knowledge/index.md": HEADER + row(1, "2024-05-28", "p/references/001-x.md"),
    "knowledge/p/references/001-x.md": document(),
    "specs/good.md": GOOD,
    "specs/bad.html": BAD,
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {**FILES, "spectastic.toml": ""})
    monkeypatch.chdir(tmp_path)


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def files() -> set[str]:
    """What is below `rendered`."""
    return {path.as_posix() for path in Path("rendered").rglob("*") if path.is_file()}


def pages_of(folder: str) -> dict[str, str]:
    """The pages below a folder."""
    return {str(path.relative_to(folder)): path.read_text() for path in Path(folder).rglob("*.html")}


def test_the_whole_tree(capsys: Capture) -> None:
    # The registry is in the corpus, so it is no spec.
    assert run(capsys, "render") == (
        0,
        "wrote rendered/specs/bad.html.html\nwrote rendered/specs/good.md.html\n2 written, 0 up to date\n",
        "",
    )
    assert files() == {"rendered/specs/bad.html.html", "rendered/specs/good.md.html"}
    # The pages are HTML in the tree, and no specs to this command.
    assert run(capsys, "render") == (0, "2 up to date\n", "")
    assert run(capsys, "render", "--check") == (0, "2 up to date\n", "")


def test_some_specs(capsys: Capture) -> None:
    assert run(capsys, "render", "specs/good.md") == (0, "wrote rendered/specs/good.md.html\n", "")
    assert run(capsys, "render", "specs/good.md") == (0, "up to date: rendered/specs/good.md.html\n", "")
    code, out, _ = run(capsys, "render", "specs", "--out", "site/pages", "--json")
    assert code == 0
    assert json.loads(out) == {
        "version": 1,
        "command": "render",
        "pages": 2,
        "changes": [
            {"path": "site/pages/specs/bad.html.html", "action": "write"},
            {"path": "site/pages/specs/good.md.html", "action": "write"},
        ],
    }


def test_dry_run_and_check_write_nothing(capsys: Capture) -> None:
    assert run(capsys, "render", "--dry-run")[:2] == (
        0,
        "would write rendered/specs/bad.html.html\nwould write rendered/specs/good.md.html\n"  # noqa: ISC004
        "2 to be written, 0 up to date\n",
    )
    assert run(capsys, "render", "--check")[:2] == (
        1,
        (
            "missing: rendered/specs/bad.html.html\nmissing: rendered/specs/good.md.html\n"
            "2 missing or out of date, 0 up to date\n"
        ),
    )
    assert files() == set()


STALE = [
    # What changes after the pages were written, and what --check says then.
    ({"specs/good.md": GOOD + "More.\n"}, "out of date: rendered/specs/good.md.html"),
    (
        {"knowledge/p/references/001-x.md": document(body="Other.\n")},
        "out of date: rendered/specs/good.md.html",
    ),
    ({"specs/new.md": ""}, "missing: rendered/specs/new.md.html"),
    ({"rendered/specs/good.md.html": "by hand"}, "out of date: rendered/specs/good.md.html"),
]


@pytest.mark.parametrize(("changed", "said"), STALE)
def test_check_names_what_is_out_of_date(changed: dict[str, str], said: str, capsys: Capture) -> None:
    run(capsys, "render")
    tree(Path(), changed)
    code, out, _ = run(capsys, "render", "--check")
    assert (code, out.splitlines()[0]) == (1, said)


def test_check_names_a_page_whose_spec_is_gone(capsys: Capture) -> None:
    run(capsys, "render")
    Path("specs/good.md").unlink()
    tree(Path(), {"rendered/other.html": "not ours", "rendered/link.html": Link("specs/bad.html.html")})
    assert run(capsys, "render", "--check")[:2] == (
        1,
        (
            "its spec is gone, remove it: rendered/specs/good.md.html\n"
            "up to date: rendered/specs/bad.html.html\n"
        ),
    )
    # Asked about some specs, it says nothing of others.
    assert run(capsys, "render", "--check", "specs/bad.html")[0] == 0


def test_check_fails_for_a_page_that_shows_what_is_not_checked(capsys: Capture) -> None:
    tree(Path(), {"specs/long.md": "x" * 600_000 + f"\n\n{GOOD}"})
    code, _, err = run(capsys, "render", "specs/long.md")
    assert code == 0
    assert "specs/long.md: rendered, it shows other decisions or citations than its source has" in err
    assert run(capsys, "render", "--check", "specs/long.md")[0] == 1


def test_a_page_of_ours_is_no_spec(capsys: Capture) -> None:
    run(capsys, "explore")
    _, out, err = run(capsys, "render", "--dry-run")
    assert "corpus-explorer" not in out
    assert "corpus-explorer.html: left out, for it is such a page itself" in err


def test_who_imitates_a_page_hides_no_decision(capsys: Capture) -> None:
    mark = '<meta name="generator" content="spectastic">'
    sample = f"    {mark}\n"
    far = f"{'x' * 5_000}{mark}\n"
    tree(Path(), {"specs/a.html": mark + GOOD, "specs/b.md": GOOD + sample, "specs/c.md": far})
    assert run(capsys, "render", "--json")[2] == ""
    assert {"rendered/specs/a.html.html", "rendered/specs/b.md.html", "rendered/specs/c.md.html"} < files()


def test_pages_beside_their_specs(capsys: Capture) -> None:
    assert run(capsys, "render", "--out", ".") == (
        0,
        "wrote ./specs/bad.html.html\nwrote ./specs/good.md.html\n2 written, 0 up to date\n",
        "",
    )
    assert run(capsys, "render", "--check", "--out", ".") == (0, "2 up to date\n", "")


def test_what_is_said_is_what_validate_says(capsys: Capture) -> None:
    said = (
        'severity = {corpus-provenance = "info"}\n[per-path-ignores]\n"specs/b.md" = ["corpus-provenance"]\n'
    )
    tree(Path(), {"specs/a.md": BAD, "specs/b.md": BAD, "spectastic.toml": said})
    assert run(capsys, "render", "specs/a.md", "specs/b.md")[0] == 0
    pages = pages_of("rendered")
    assert "info: corpus-provenance" in pages["specs/a.md.html"]
    assert "corpus-provenance" not in pages["specs/b.md.html"]
    assert all("state-ungrounded" in page for page in pages.values())


@pytest.mark.parametrize("arguments", [("knowledge",), ("knowledge/index.md",), ()])
def test_nothing_to_render_is_told(arguments: tuple[str, ...], capsys: Capture) -> None:
    for name in ("good.md", "bad.html"):
        Path("specs", name).unlink()
    code, out, err = run(capsys, "render", *arguments)
    assert (code, out) == (0, "")
    assert "no page was made: a spec is a file .md, .markdown, .html or .htm outside of knowledge" in err


def test_specs_below_the_folder_of_the_pages(capsys: Capture) -> None:
    assert run(capsys, "render", "--out", "specs")[1].endswith("\n2 written, 0 up to date\n")
    page = "rendered/of-a-guest.html"
    tree(Path(), {page: "<p>no decision</p>"})
    assert run(capsys, "render", "--dry-run")[1].count("would write") == 2
    tree(Path(), {page: BAD})
    assert f"would write rendered/{page}.html\n" in run(capsys, "render", "--dry-run")[1]


def test_a_pipe_below_the_pages_is_not_waited_for(capsys: Capture) -> None:
    run(capsys, "render")
    os.mkfifo("rendered/pipe.html")
    assert run(capsys, "render", "--check")[1] == "2 up to date\n"


def test_progress_counts_specs() -> None:
    told: list[tuple[int, int]] = []
    known = corpus.load(".")
    site(
        config.load(".", (), {}, "."),
        known,
        ("specs/bad.html", "specs/good.md"),
        "x",
        lambda *each: told.append(each),
    )
    assert told == [(2, 2)]


def test_several_processes_make_what_one_does(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    count = CHUNK + 1
    tree(
        Path(), {f"specs/{number}.md": f"{number}\n{BAD if number % 2 else GOOD}" for number in range(count)}
    )
    assert run(capsys, "render", "--out", "one")[0] == 0
    started: list[int] = []

    def forking(work: Callable[[object], object], items: Sequence[object], jobs: int) -> Iterator[object]:
        started.append(jobs)
        return spread.spread(work, items, jobs)

    monkeypatch.setattr("spectastic.explorer.site.spread", forking)
    tree(Path(), {"spectastic.toml": "jobs = 2\n"})
    assert run(capsys, "render", "--out", "two")[0] == 0
    assert started == [2]
    assert pages_of("one") == pages_of("two")
    assert len(pages_of("one")) == count + 2


REFUSED = [
    ({"rendered/specs/good.md.html": "mine"}, "rendered/specs/good.md.html was not written by this command"),
    ({"rendered/specs/good.md.html/x": ""}, "rendered/specs/good.md.html is a link, a folder or a device"),
    ({"there/x": "", "rendered/specs": Link("../there")}, "rendered/specs is a link"),
    ({"rendered/specs": "mine"}, "rendered/specs"),
]


@pytest.mark.parametrize(
    "arguments",
    [
        ("render",),
        ("render", "--out", "rendered/deep"),
        ("explore", "--out", "rendered/x.html"),
        ("badge", "--out", "rendered/x.svg"),
    ],
)
def test_nothing_is_written_through_a_link_of_the_repository(
    arguments: tuple[str, ...], tmp_path: Path, capsys: Capture
) -> None:
    outside = tmp_path / "outside"
    tree(Path(), {"outside/x": "", "rendered": Link("outside")})
    code, _, err = run(capsys, *arguments)
    assert (code, [path.name for path in outside.iterdir()]) == (2, ["x"])
    assert "rendered is a link: nothing is written through one" in err
    # Whoever names the whole of a path means it.
    folder = str(tmp_path / "rendered")
    whole = tuple(word.replace("rendered", folder, 1) for word in arguments)
    assert run(capsys, *whole, *(() if "--out" in whole else ("--out", folder)))[0] == 0
    assert len([*outside.rglob("*.*")]) >= 1


@pytest.mark.parametrize(("there", "said"), REFUSED)
def test_nothing_of_somebody_else_is_replaced(
    there: dict[str, str | bytes | Link | None], said: str, capsys: Capture
) -> None:
    tree(Path(), there)
    before = files()
    code, out, err = run(capsys, "render")
    assert (code, out) == (2, "")
    assert said in err
    assert files() == before
    assert not Path("there/good.md.html").exists()


def test_force(capsys: Capture) -> None:
    tree(Path(), {"rendered/specs/good.md.html": "mine"})
    assert run(capsys, "render", "specs/good.md", "--force")[:2] == (
        0,
        "rewrote rendered/specs/good.md.html\n",
    )


WRONG = [
    (("render", "none.md"), "none.md"),
    (("render", "--out", ""), "--out is empty"),
    (("render", "--corpus", "../x"), "corpus"),
    (("badge", "--check"), "this goes with a file"),
    (("badge", "--force"), "this goes with a file"),
    (("badge", "--json"), "this goes with a file"),
    (("badge", "--dry-run"), "this goes with a file"),
    (("badge", "--out", "specs/good.md"), "specs/good.md was not written by this command"),
    (("badge", "--out", "specs"), "specs is a link, a folder or a device"),
    (("badge", "--corpus", "none"), "there is no registry none/index.md"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=lambda value: " ".join(value)[:40])
def test_wrong_usage(arguments: tuple[str, ...], said: str, capsys: Capture) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert Path("specs/good.md").read_text() == GOOD


def test_a_spec_that_cannot_be_read(capsys: Capture) -> None:
    tree(Path(), {"specs/loop.md": Link("loop.md")})
    code, out, err = run(capsys, "render", "--check")
    assert code == 1
    assert "loop.md" in err
    assert "loop.md" not in out


@pytest.mark.parametrize("data", [GOOD.encode() + b"caf\xe9\n", GOOD.encode("utf-16"), GOOD.encode() + b"\0"])
def test_a_spec_that_is_no_plain_text(data: bytes, capsys: Capture) -> None:
    tree(Path(), {"specs/odd.md": data})
    assert run(capsys, "validate", "specs/odd.md")[0] == 1
    code, out, err = run(capsys, "render", "specs/odd.md")
    assert (code, out) == (0, "wrote rendered/specs/odd.md.html\n")
    assert "specs/odd.md: " in err
    assert "This spec cannot be read as it is:" in pages_of("rendered")["specs/odd.md.html"]
    # Its page is as it should be, and the spec is not.
    assert run(capsys, "render", "--check", "specs/odd.md")[0] == 1
    code, _, err = run(capsys, "badge", "--out", "b.svg")
    assert code == 0
    assert "a spec that cannot be read is read in part: specs/odd.md" in err
    assert run(capsys, "badge", "--check", "--out", "b.svg")[0] == 1


def test_a_commit_puts_no_page_out_of_date(tmp_path: Path, capsys: Capture) -> None:
    repository = Repository(tmp_path, {"x": ""})
    assert run(capsys, "render")[0] == 0
    repository.commit()
    assert run(capsys, "render", "--check")[0] == 0


def test_what_a_comment_silences_is_not_listed(capsys: Capture) -> None:
    comment = "<!-- spectastic: ignore corpus-provenance -- known -->"
    silenced = BAD.replace("KB-0009@1", f"{comment}\n\nKB-0009@1")
    tree(Path(), {"specs/a.md": silenced, "specs/b.html": silenced, "specs/c.md": BAD})
    assert run(capsys, "render")[0] == 0
    pages = pages_of("rendered")
    for name in ("a.md", "b.html"):
        page = pages[f"specs/{name}.html"]
        assert "What leads to nothing" not in page
        # It leads to nothing all the same: there is no link, and its label says why.
        assert '<span class="citation state-ungrounded whole" tabindex="0"' in page
        assert "KB-0009@1 resolves to nothing" in page
    assert "What leads to nothing" in pages["specs/c.md.html"]
    tree(Path(), {"spectastic.toml": 'ignore = ["corpus-provenance"]\n'})
    assert run(capsys, "render")[0] == 0
    assert "What leads to nothing" not in pages_of("rendered")["specs/c.md.html"]


def test_without_a_corpus_every_citation_is_dead(capsys: Capture) -> None:
    Path("knowledge/index.md").unlink()
    assert run(capsys, "render", "specs/good.md")[0] == 0
    assert "there is no registry knowledge/index.md" in Path("rendered/specs/good.md.html").read_text()


def test_badge(capsys: Capture) -> None:
    code, out, err = run(capsys, "badge")
    assert (code, err) == (0, "")
    assert "<title>grounding 1/2, ungrounded</title>" in out
    assert run(capsys, "badge", "--out", "docs/badge.svg") == (0, "wrote docs/badge.svg\n", "")
    assert Path("docs/badge.svg").read_text() == out
    assert run(capsys, "badge", "--out", "docs/badge.svg", "--check")[0] == 0
    os.remove("specs/bad.html")
    assert run(capsys, "badge", "--out", "docs/badge.svg", "--check")[:2] == (
        1,
        "out of date: docs/badge.svg\n",
    )
    assert run(capsys, "badge", "--out", "docs/badge.svg")[:2] == (0, "rewrote docs/badge.svg\n")
