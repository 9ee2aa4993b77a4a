"""A browser for tests, and what a page must not do in it.

Chromium comes from the system (Playwright's own copies are not used), axe-core from `package.json` here.
"""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from playwright.sync_api import Browser, BrowserType, ConsoleMessage, Page, Request

AXE = Path(__file__).parent / "node_modules/axe-core/axe.min.js"
PROGRAMS = ("chromium", "google-chrome")
#: What the browser must not do of its own accord: update itself, sync, look up any host but this one.
QUIET = (
    # Its sandbox does not work for root, nor in many containers.
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-proxy-server"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
#: How long one step of a test may take, and how long all its pages may be open, in seconds.
STEP = 20
WHOLE = 180
#: The success criteria of WCAG 2.2, levels A and AA.
CRITERIA = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")
#: A page may have something to say a little later.
_SETTLED = "() => new Promise((done) => setTimeout(done, 50))"


def program() -> str:
    """The path of the browser, "" if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), "")


def lacking(browser: str, playwright: bool, axe: bool) -> str:
    """What is missing for these tests and how to get it, "" if nothing is."""
    parts = [
        "" if browser else "chromium (apt-get install chromium)",
        "" if playwright else "playwright (pip install -e '.[dev]')",
        "" if axe else "axe-core (npm ci --prefix tests/browser)",
    ]
    missing = ", ".join(filter(None, parts))
    return f"the browser tests need {missing}" if missing else ""


def lacking_here() -> str:
    """What is missing on this machine, as in `lacking`."""
    return lacking(program(), find_spec("playwright") is not None, AXE.is_file())


def required(env: Mapping[str, str]) -> bool:
    """Whether what is missing fails the tests, where they are skipped otherwise."""
    return env.get("SPECTASTIC_BROWSER") == "required"


@contextmanager
def launched(kind: BrowserType) -> Iterator[Browser]:
    """A browser whose profile is gone afterwards, and with it whatever it wrote."""
    # A socket of its own goes there, whose name must be short, however long $TMPDIR is.
    short = "/tmp" if os.path.isdir("/tmp") else None
    with TemporaryDirectory(prefix="spectastic-browser-", dir=short, ignore_cleanup_errors=True) as home:
        places = dict.fromkeys(("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"), home)
        browser = kind.launch(
            executable_path=program(), args=QUIET, env={**os.environ, **places}, timeout=STEP * 1000
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def limited(browser: Browser, seconds: float) -> Iterator[None]:
    """A browser that is ended when this takes longer, since many calls of Playwright know no limit."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    (process,) = (entry["id"] for entry in told["processInfo"] if entry["type"] == "browser")
    timer = Timer(seconds, os.kill, (process, signal.SIGTERM if os.name == "nt" else signal.SIGKILL))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def watch(page: Page, address: str, troubles: list[str], asks: Collection[str]) -> None:
    """Add to `troubles` what a page complains of, and each request but those for itself and for `asks`."""

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            troubles.append(f"console {message.type}: {message.text}")

    def asked(request: Request) -> None:
        itself = request.is_navigation_request() and request.url.partition("#")[0] == address
        if not itself and request.url not in asks:
            troubles.append(f"request: {request.url}")

    page.on("console", heard)
    page.on("request", asked)
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("popup", lambda other: troubles.append(f"window: {other.url}"))
    page.on("crash", lambda _: troubles.append("the page crashed"))


def settle(page: Page) -> None:
    """Let a page say what it still has to say."""
    if not page.is_closed():
        page.evaluate(_SETTLED)


def violations(page: Page) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA: the rule, and each place with its reason.

    It runs in a world of its own, beside the scripts of the page: nothing of it can be seen there, and the
    policy of the page stays in force.
    """
    session = page.context.new_cdp_session(page)
    frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = session.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]

    def run(expression: str) -> Any:
        told = session.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": world, "awaitPromise": True, "returnByValue": True},
        )
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    run(AXE.read_text("utf-8"))
    # Off by default, though WCAG 2.2 has it.
    options = f"{{ runOnly: {list(CRITERIA)}, rules: {{ 'target-size': {{ enabled: true }} }} }}"
    result = run(f"axe.run(document, {options})")
    session.detach()
    return [
        f"{entry['id']}: {node['target']}: {node['failureSummary']}"
        for entry in result["violations"]
        for node in entry["nodes"]
    ]


def sideways(page: Page) -> int:
    """How far a page can be scrolled to the side, in CSS px: 0 where there is no horizontal scroll bar."""
    scroll = "(left) => { scrollTo({ left, behavior: 'instant' }); return scrollX; }"
    far = int(page.evaluate(scroll, 100_000))
    page.evaluate(scroll, 0)
    return far
