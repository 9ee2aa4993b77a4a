"""The browser, pages in it, and the watch over them. Every page of a test must end without trouble."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from browser import harness

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from playwright.sync_api import Browser, Page


class PageAt(Protocol):
    """Opens a page by its path or its address, and gives it once it is loaded.

    `width` is that of the window, in CSS px, `theme` what the reader prefers: `light` or `dark`. The page may
    ask for itself, and for the addresses in `asks`; all else is trouble.
    """

    def __call__(
        self, where: Path | str, *, width: int = 1280, theme: str = "light", asks: Collection[str] = ()
    ) -> Page: ...


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    if missing := harness.lacking_here():
        (pytest.fail if harness.required(os.environ) else pytest.skip)(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, harness.launched(playwright.chromium) as browser:
        yield browser


@pytest.fixture
def troubles() -> Iterator[list[str]]:
    """What went wrong in the pages of a test so far. A test that provokes something takes it out."""
    found: list[str] = []
    yield found
    assert not found


@pytest.fixture
def page_at(browser: Browser, troubles: list[str]) -> Iterator[PageAt]:
    pages: list[Page] = []

    def open_page(
        where: Path | str, *, width: int = 1280, theme: str = "light", asks: Collection[str] = ()
    ) -> Page:
        address = where.as_uri() if isinstance(where, Path) else where
        scheme = {"light": "light", "dark": "dark"}[theme]
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
            # Or the page is still on its way where a test already looks.
            reduced_motion="reduce",
        )
        context.set_default_timeout(harness.STEP * 1000)
        page = context.new_page()
        pages.append(page)
        harness.watch(page, address.partition("#")[0], troubles, asks)
        page.goto(address)
        return page

    with harness.limited(browser, harness.WHOLE):
        yield open_page
        for page in pages:
            harness.settle(page)
            page.context.close()


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """What axe-core finds against WCAG 2.2 AA in a page; nothing is `[]`."""
    return harness.violations
