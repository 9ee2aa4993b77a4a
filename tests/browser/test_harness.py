"""The watch over pages, held to pages that misbehave: what it does not see, no other test sees."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import harness

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    from browser.conftest import PageAt

CHECKOUT = Path(__file__).resolve().parents[2]
ALL = "chromium (apt-get install chromium), playwright (pip install -e '.[dev]')"


@pytest.mark.parametrize(
    ("has", "told"),
    [
        (("/usr/bin/chromium", True, True), ""),
        (("", False, True), f"the browser tests need {ALL}"),
        (("/x", True, False), "the browser tests need axe-core (npm ci --prefix tests/browser)"),
    ],
)
def test_what_is_missing_is_told_with_how_to_get_it(has: tuple[str, bool, bool], told: str) -> None:
    assert harness.lacking(*has) == told


@pytest.mark.parametrize(
    ("env", "fails"),
    [({}, False), ({"SPECTASTIC_BROWSER": ""}, False), ({"SPECTASTIC_BROWSER": "required"}, True)],
)
def test_what_is_missing_fails_where_it_is_required(env: dict[str, str], fails: bool) -> None:
    assert harness.required(env) is fails


def test_ci_gets_it_all_and_lets_nothing_be_skipped() -> None:
    lines = (CHECKOUT / ".ci/run").read_text().splitlines()
    tests = next(number for number, line in enumerate(lines) if line.startswith(".venv/bin/pytest"))
    assert "export SPECTASTIC_BROWSER=required" in lines[:tests]
    assert any(line.startswith("npm ci --prefix tests/browser") for line in lines[:tests])
    assert any(line.startswith("command -v chromium") for line in lines[:tests])
    guide = (CHECKOUT / "docs/architecture.md").read_text()
    for way in re.findall(r"\(([^()]*)\)", harness.lacking("", False, False)):
        assert f"`{way}`" in guide
    assert "SPECTASTIC_BROWSER=required" in guide


def test_what_is_locked_names_no_registry_but_that_of_everybody() -> None:
    lock = json.loads((harness.AXE.parents[2] / "package-lock.json").read_text())
    packages = [package for name, package in lock["packages"].items() if name]
    assert packages
    for package in packages:
        assert package.get("resolved", "https://registry.npmjs.org/").startswith(
            "https://registry.npmjs.org/"
        )
        assert package["integrity"].startswith("sha512-")


def written(folder: Path, body: str, head: str = "") -> Path:
    path = folder / "page.html"
    start = "<!doctype html><html lang=en><meta charset=utf-8><title>A page</title>"
    path.write_text(f"{start}{head}<body><main><h1>A page</h1>{body}</main></html>")
    return path


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<script>console.error('it broke')</script>", r"console error: it broke"),
        ("<script>console.warn('it creaks')</script>", r"console warning: it creaks"),
        ("<script>setTimeout(() => { throw new Error('late'); })</script>", r"error: late"),
        ("<script>Promise.reject(new Error('unheard'))</script>", r"error: unheard"),
        ("<link rel=stylesheet href=more.css>", r"request: file://.*/more\.css"),
        ("<script>open('about:blank')</script>", r"window: about:blank"),
    ],
)
def test_trouble_of_a_page_is_seen(
    body: str, told: str, tmp_path: Path, page_at: PageAt, troubles: list[str]
) -> None:
    harness.settle(page_at(written(tmp_path, body)))
    assert any(re.fullmatch(told, line) for line in troubles), troubles
    troubles.clear()


def test_a_page_may_ask_for_itself_and_what_it_is_allowed(tmp_path: Path, page_at: PageAt) -> None:
    (tmp_path / "more.css").write_text("p { margin: 0 }")
    path = written(tmp_path, "<link rel=stylesheet href=more.css>")
    page = page_at(path, asks=((tmp_path / "more.css").as_uri(),))
    page.reload()
    page.goto(f"{path.as_uri()}#there")


FAULTS = {
    "color-contrast": "<p style='color: #aaa'>Pale</p>",
    "target-size": "<button style='all: unset; font: 9px/1 serif'>a</button>"
    "<button style='all: unset; font: 9px/1 serif'>b</button>",
    "label": "<input type=text>",
}


@pytest.mark.parametrize("rule", FAULTS)
def test_what_readers_cannot_use_is_found(
    rule: str, tmp_path: Path, page_at: PageAt, axe: Callable[[Page], list[str]]
) -> None:
    # An embedded policy as strict as that of our pages does not keep the check from running.
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = page_at(written(tmp_path, FAULTS[rule], head))
    assert {line.partition(":")[0] for line in axe(page)} == {rule}
    assert page.evaluate("typeof axe") == "undefined"


@pytest.mark.parametrize(("width", "wider"), [(360, 140), (1280, 0)])
def test_a_page_wider_than_its_window_is_seen(
    width: int, wider: int, tmp_path: Path, page_at: PageAt
) -> None:
    page = page_at(written(tmp_path, "", "<style>body { margin: 0; width: 500px }</style>"), width=width)
    assert harness.sideways(page) == wider


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_is_what_the_reader_prefers(theme: str, tmp_path: Path, page_at: PageAt) -> None:
    page = page_at(written(tmp_path, ""), theme=theme)
    assert page.evaluate(f"matchMedia('(prefers-color-scheme: {theme})').matches")


def test_a_page_that_never_comes_back_ends_with_its_browser(browser: Browser, tmp_path: Path) -> None:
    from playwright.sync_api import Error

    # A second browser, since this one does not survive.
    with harness.launched(browser.browser_type) as other:
        page = other.new_page()
        page.goto(written(tmp_path, "").as_uri())
        with harness.limited(other, 0.5), pytest.raises(Error, match="closed"):
            page.evaluate("() => { for (;;) {} }")
