"""Rendered specs in a browser: badges, labels, links to the text at exactly that edition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import harness
from browser.test_explorer import EVIL, SHIFTS
from spectastic.corpus import load
from spectastic.explorer.rendering import spec_page
from spectastic.source import Source, read

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browser.conftest import PageAt

SETTLEMENT = Path(__file__).parent.parent.parent / "fixtures" / "repos" / "settlement"
WIDE = "| KB-0001@2024-05-28 | " + " | ".join(["a column that is wide"] * 12) + " |\n"
ALL = f"""\
# Every state

<spec-decision id="good">Text and KB-0001@2024-05-28, also in `KB-0003@rev-4`.</spec-decision>

<spec-decision id="old">[A link with KB-0001@2017-09-05](https://example.org/) in it.</spec-decision>

<spec-decision id="bare">KB-0002</spec-decision>

<spec-decision id="none">Nothing.</spec-decision>

<spec-decision id="dead">

KB-0012@2022-07-08 and kb-0001@2024-05-28

{WIDE}{"|---" * 13}|
{WIDE}
</spec-decision>

```
{"a long line " * 40}
```
"""


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages of the sample's specs, and of one that has every state."""
    folder = tmp_path_factory.mktemp("rendered")
    known = load(str(SETTLEMENT))
    sources = [read(str(SETTLEMENT), f"specs/{path.name}") for path in (SETTLEMENT / "specs").iterdir()]
    for source in (*sources, Source("specs/all.md", ALL.encode())):
        assert isinstance(source, Source)
        page = spec_page(source, known)
        assert page.agrees
        (folder / f"{Path(source.path).name}.html").write_text(page.text, "utf-8")
    return folder


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1920])
@pytest.mark.parametrize("name", ["all.md", "settlement-date.html"])
def test_accessible_and_within_the_window(
    name: str, width: int, theme: str, rendered: Path, page_at: PageAt, axe: Callable[[Page], list[str]]
) -> None:
    page = page_at(rendered / f"{name}.html", width=width, theme=theme)
    assert axe(page) == []
    assert harness.sideways(page) == 0
    assert page.evaluate(SHIFTS) < 0.001


def test_badges(rendered: Path, page_at: PageAt) -> None:
    page = page_at(rendered / "all.md.html")
    assert [text.split() for text in page.locator(".decision-head").all_inner_texts()] == [
        ["good", "grounded"],
        ["old", "stale"],
        ["bare", "unpinned"],
        ["none", "assumed"],
        ["dead", "ungrounded"],
    ]
    # Each has a colour and a shape of its own.
    colours = page.locator(".decision-head .state").evaluate_all(
        "all => all.map(e => getComputedStyle(e).color)"
    )
    shapes = page.locator(".decision-head use").evaluate_all("all => all.map(e => e.getAttribute('href'))")
    assert len(set(colours)) == len(set(shapes)) == 5


def test_a_citation_leads_to_the_text_of_its_edition(rendered: Path, page_at: PageAt) -> None:
    page = page_at(rendered / "settlement-date.html.html")
    page.get_by_role("link", name="KB-0001@2017-09-05").click()
    source = page.locator(":target")
    assert source.get_attribute("id") == "KB-0001@2017-09-05"
    assert "two business days" in source.inner_text()
    assert source.evaluate("e => e.getBoundingClientRect().top < innerHeight")


@pytest.mark.parametrize("width", [360, 800])
def test_labels_on_hover_and_focus(width: int, rendered: Path, page_at: PageAt) -> None:
    page = page_at(rendered / "all.md.html", width=width)
    for at in range(page.locator(".citation").count()):
        link = page.locator(".citation").nth(at)
        tip = page.locator(f"#{link.get_attribute('aria-describedby')}")
        assert tip.is_hidden()
        link.scroll_into_view_if_needed()
        link.hover()
        assert tip.is_visible()
        # It stays while the pointer is on it, is gone with Escape, and never leaves the window.
        assert tip.evaluate(
            """(e) => {
              const { left, right } = e.getBoundingClientRect();
              return left >= 0 && right <= document.body.clientWidth;
            }"""
        )
        tip.hover()
        assert tip.is_visible()
        page.keyboard.press("Escape")
        assert tip.is_hidden()
        link.focus()
        assert tip.is_visible()
        link.evaluate("e => e.blur()")
        page.mouse.move(0, 0)


def test_a_link_in_a_link_is_kept_apart(rendered: Path, page_at: PageAt) -> None:
    page = page_at(rendered / "all.md.html")
    outer = page.get_by_role("link", name="A link with")
    assert outer.get_attribute("href") == "https://example.org/"
    assert outer.inner_text() == "A link with KB-0001@2017-09-05"
    assert page.locator("a a").count() == 0


def test_a_hostile_spec_is_inert(tmp_path: Path, page_at: PageAt) -> None:
    known = load(str(SETTLEMENT))
    for suffix in ("md", "html"):
        start = "<spec-decision id='x\" onclick=\"1'>"
        text = f"{EVIL}\n{start}\n\n{EVIL}\n\nKB-0001@2024-05-28\n\n</spec-decision>\n"
        path = tmp_path / f"evil.{suffix}.html"
        path.write_text(spec_page(Source(f"specs/evil.{suffix}", text.encode()), known).text, "utf-8")
        page = page_at(path)
        page.wait_for_timeout(100)
        assert page.title() == f"specs/evil.{suffix}"
        inside = page.locator(".text")
        assert inside.locator("script, img, iframe, form, button, base, meta, style, link").count() == 0
        assert inside.locator("[onclick], [onerror], [onload], [style]").count() == 0
        # What imitates a badge has not its looks; the one badge is the decision's.
        assert inside.locator(".decision-head .state").count() == inside.locator(".state").count() == 1
        assert page.locator("h1").is_visible()


def test_in_print(rendered: Path, page_at: PageAt) -> None:
    page = page_at(rendered / "all.md.html")
    page.emulate_media(media="print")
    page.locator(".citation").first.hover()
    assert page.locator(".tip").first.is_hidden()
    assert page.locator(".source").first.is_visible()
