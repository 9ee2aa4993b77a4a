"""The shell that all pages share, in a browser: its policy, its colours, its width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import web

from browser import harness, samples
from spectastic.explorer import page as shell
from spectastic.spec.model import State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from browser.conftest import PageAt

STATES = "".join(
    f'<p><span class="state state-{state.value}">'
    f'<svg aria-hidden="true"><use href="#mark-{state.value}"/></svg>{state.value}</span></p>\n'
    for state in State
)
FILES = {
    "sample.html": f"""\
{{% extends "base.html" %}}
{{% block body %}}
<main>
<h1>{{{{ title }}}}</h1>
{STATES}
<div class="prose"><p>Text with <a href="#there">a link</a>, <code>code</code> and {{{{ somebody }}}}.</p>
<blockquote><p>Said by somebody.</p></blockquote>
<div class="scroll" tabindex="0"><table><tr>{"<th>Column</th>" * 12}</tr>
<tr>{"<td>somewhatlong</td>" * 12}</tr></table></div>
<pre tabindex="0">{"a long line " * 30}</pre>
<p id="there">{"averylongword" * 20}</p></div>
</main>
{{% endblock %}}
""",
    "sample.js": "document.documentElement.dataset.own = 'ran';",
}


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of the shell, on disk, with a script of its own and all that every page shares."""
    samples.add_assets(monkeypatch, FILES)
    text = shell.render(
        "sample.html",
        styles=["base.css"],
        scripts=["sample.js"],
        title="A sample",
        somebody="<script>alert(1)</script>",
    )
    path = tmp_path / "sample.html"
    path.write_text(text, "utf-8")
    return path


#: Ways of a script, a style or a request into a page. Each one leaves a mark where nothing stops it.
TRICKS = {
    "a script element": "const script = document.createElement('script');"
    "script.textContent = 'document.title = `in`'; document.body.append(script);",
    "an event handler": "document.body.insertAdjacentHTML('beforeend',"
    " '<button id=trick onclick=\"document.title = `in`\">x</button>'); trick.click();",
    "a link": "document.body.insertAdjacentHTML('beforeend',"
    " '<a id=trick href=\"javascript:void(document.title = `in`)\">x</a>'); trick.click();",
    "a frame": "document.body.insertAdjacentHTML('beforeend',"
    " '<iframe srcdoc=\"<script>parent.document.title = `in`</script>\"></iframe>');",
    "a style attribute": "document.body.insertAdjacentHTML('beforeend',"
    " '<p id=trick style=\"position: fixed\">x</p>');"
    "if (getComputedStyle(trick).position === 'fixed') document.title = 'in';",
    "a style element": "document.body.insertAdjacentHTML('beforeend',"
    " '<style>main { position: fixed }</style>');"
    "if (getComputedStyle(document.querySelector('main')).position === 'fixed') document.title = 'in';",
    "an image": "document.body.append(Object.assign(new Image(), { src: server }));",
    "a question": "fetch(server, { mode: 'no-cors' }).catch(() => 0);",
    "a form": "document.body.insertAdjacentHTML('beforeend',"
    " `<form target=_blank action='${server}'></form>`); document.forms[0].submit();",
}


def tried(page: Page, trick: str, server: str) -> bool:
    """Whether a trick left its mark in the page."""
    page.evaluate(f"(server) => {{ {TRICKS[trick]} }}", server)
    page.wait_for_timeout(300)
    return page.title() == "in"


@pytest.mark.parametrize("trick", TRICKS)
def test_nothing_gets_into_a_page_or_out_of_it(
    trick: str, sample: Path, page_at: PageAt, troubles: list[str]
) -> None:
    with web.serve({"/": web.answer(b"")}) as (address, server):
        page = page_at(sample)
        assert page.evaluate("document.documentElement.dataset.own") == "ran"
        assert not tried(page, trick, f"{address}/")
        assert not server.asked
    # The browser tells of what it kept off, and of nothing else.
    blocked = [line for line in troubles if "Content Security Policy" in line]
    assert blocked or trick == "a frame"
    troubles.clear()


@pytest.mark.parametrize("trick", TRICKS)
def test_the_same_would_get_in_without_the_policy(
    trick: str, sample: Path, page_at: PageAt, troubles: list[str]
) -> None:
    sample.write_text(re.sub(r"<meta http-equiv[^>]*>", "", sample.read_text("utf-8")), "utf-8")
    with web.serve({"/": web.answer(b"")}) as (address, server):
        assert tried(page_at(sample), trick, f"{address}/") or server.asked
    troubles.clear()


def test_a_value_is_text(sample: Path, page_at: PageAt) -> None:
    assert "and <script>alert(1)</script>." in page_at(sample).inner_text("main")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1920])
def test_a_page_can_be_read_by_everybody(
    theme: str, width: int, sample: Path, page_at: PageAt, axe: Callable[[Page], list[str]]
) -> None:
    page = page_at(sample, theme=theme, width=width)
    assert axe(page) == []
    assert harness.sideways(page) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_of_the_page_goes_before_that_of_the_reader(
    theme: str, sample: Path, page_at: PageAt, axe: Callable[[Page], list[str]]
) -> None:
    other = {"light": "dark", "dark": "light"}[theme]
    own = page_at(sample, theme=theme)
    chosen = page_at(sample, theme=other)
    chosen.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert chosen.evaluate(ground) == own.evaluate(ground)
    assert axe(chosen) == []
