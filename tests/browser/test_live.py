"""A page that follows its server: it is replaced in place, and says what it does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import sites

from browser import harness, samples
from spectastic.explorer import page as shell
from spectastic.explorer.serve import STREAMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browser.conftest import PageAt

TEMPLATE = """\
{% extends "base.html" %}
{% block body %}
<main><h1>{{ title }}</h1>
{% for number in range(100) %}
<p id="p{{ number }}"><a href="#p{{ number }}">Paragraph {{ number }}</a></p>
{% endfor %}
</main>
{% endblock %}
"""
GONE = "The server does not answer: what you see may be out of date."
REFUSED = "The server does not tell this page of changes: what you see may be out of date."
FAILED = "What changed could not be shown, so this is the last page that could be built: "
#: A page that says it is not seen, until somebody says otherwise.
HIDDEN = """
let state = "hidden";
Object.defineProperty(document, "visibilityState", { get: () => state });
for (const next of ["visible", "hidden"]) {
  addEventListener(next, () => { state = next; document.dispatchEvent(new Event("visibilitychange")); });
}
"""
#: How far what has the focus reaches behind the status, in CSS px.
BEHIND = """document.activeElement.getBoundingClientRect().bottom
- document.querySelector("[role=status]").getBoundingClientRect().top"""


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """A page with a title, long enough to be scrolled."""
    samples.add_assets(monkeypatch, {"live-sample.html": TEMPLATE})
    parts = {"styles": ["base.css", "live.css"], "scripts": ["live.js"], "connects": True}

    def render(title: str) -> str:
        return shell.render("live-sample.html", **parts, title=title)  # type: ignore[arg-type]

    return render


def says(page: Page, text: str) -> None:
    """Wait until the status of a page is this text."""
    page.wait_for_function("(text) => document.querySelector('[role=status]').textContent === text", arg=text)


def is_titled(page: Page, title: str) -> None:
    page.wait_for_function(
        "(title) => document.title === title && document.readyState === 'complete'", arg=title
    )
    harness.settle(page)


@pytest.mark.parametrize("restoration", ["auto", "manual"])
def test_a_new_page_is_shown_at_the_same_place(
    restoration: str, written: Callable[[str], str], page_at: PageAt
) -> None:
    with sites.serving(written("First")) as site:
        page = page_at(f"{site.address}#p50", asks=[f"{site.address}events"])
        # A page may tell the browser to keep no place itself.
        page.evaluate("(how) => { history.scrollRestoration = how; }", restoration)
        page.evaluate("scrollTo({ top: 1234, behavior: 'instant' })")
        site.change(written("Second"))
        is_titled(page, "Second")
        assert page.evaluate("[scrollY, location.hash, history.length]") == [1234, "#p50", 2]
        says(page, "")
        # Once only: what is read later on begins where the reader goes.
        assert page.evaluate("sessionStorage.length") == 0
        page.goto(f"{site.address}#p0")
        assert page.evaluate("scrollY") < 1000
        page.close()


def test_a_failed_build_is_told_politely(written: Callable[[str], str], page_at: PageAt) -> None:
    with sites.serving(written("First")) as site:
        page = page_at(site.address, asks=[f"{site.address}events"])
        site.change(ValueError("<b>a row</b> is broken"))
        says(page, f"{FAILED}<b>a row</b> is broken")
        assert page.get_by_role("status").is_visible()
        site.change(written("First"))
        says(page, "")
        site.change(ValueError("again"))
        says(page, f"{FAILED}again")
        site.change(written("Second"))
        is_titled(page, "Second")
        says(page, "")
        page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1920])
def test_everybody_can_read_what_it_says(
    theme: str, width: int, written: Callable[[str], str], page_at: PageAt, axe: Callable[[Page], list[str]]
) -> None:
    with sites.serving(written("First")) as site:
        page = page_at(site.address, theme=theme, width=width, asks=[f"{site.address}events"])
        assert axe(page) == []
        site.change(ValueError("x" * 2000))
        says(page, FAILED + "x" * 299 + "…")
        assert axe(page) == []
        assert harness.sideways(page) == 0
        # What has the focus is not hidden behind it.
        for _ in range(40):
            page.keyboard.press("Tab")
            assert page.evaluate(BEHIND) <= 0
        page.get_by_role("link", name="Paragraph 99").focus()
        assert page.evaluate(BEHIND) <= 0
        page.close()


def test_a_server_that_is_gone_is_told_and_one_that_comes_back_is_followed(
    written: Callable[[str], str], page_at: PageAt, troubles: list[str]
) -> None:
    with sites.serving(written("First")) as site:
        page = page_at(site.address, asks=[f"{site.address}events"])
        port = site.port
    says(page, GONE)
    with sites.serving(written("First"), port):
        says(page, "")
    says(page, GONE)
    with sites.serving(written("Second"), port):
        is_titled(page, "Second")
        page.close()
    # The browser itself tells of each try.
    assert {line.rpartition(":")[2] for line in troubles} <= {
        *("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET"),
    }
    troubles.clear()


def test_a_server_with_too_many_pages_is_told(
    written: Callable[[str], str], page_at: PageAt, troubles: list[str]
) -> None:
    with sites.serving(written("First")) as site:
        streams = [site.follow() for _ in range(STREAMS)]
        page = page_at(site.address, asks=[f"{site.address}events"])
        says(page, REFUSED)
        page.close()
        for stream in streams:
            stream.close()
    assert all("503" in line for line in troubles), troubles
    troubles.clear()


def has_all_streams(site: sites.Site) -> bool:
    streams = [site.follow() for _ in range(STREAMS)]
    for stream in streams:
        stream.close()
    return all(stream.head.startswith("HTTP/1.1 200 ") for stream in streams)


def test_a_page_that_nobody_sees_leaves_its_stream_to_others_and_catches_up(
    written: Callable[[str], str], page_at: PageAt
) -> None:
    with sites.serving(written("First")) as site:
        page = page_at(site.address, asks=[f"{site.address}events"])
        page.add_init_script(HIDDEN)
        page.reload()
        site.change(written("Second"))
        harness.settle(page)
        assert page.title() == "First"
        # The page knows which one it is, though it has heard of no other yet.
        page.evaluate("dispatchEvent(new Event('visible'))")
        is_titled(page, "Second")
        page.evaluate("dispatchEvent(new Event('visible'))")
        site.change(written("Third"))
        is_titled(page, "Third")
        page.evaluate("dispatchEvent(new Event('visible'))")
        page.evaluate("dispatchEvent(new Event('hidden'))")
        # Its stream is free: all that there are can be had.
        sites.eventually(lambda: has_all_streams(site))
        site.change(written("Fourth"))
        assert page.title() == "Third"
        page.close()
