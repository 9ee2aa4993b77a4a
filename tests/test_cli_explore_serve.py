"""`spectastic explore --serve`, driven as a process: a page, a change, a mistake, and the end."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sites import LONG, Site, body

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTLEMENT = Path(__file__).parent.parent / "fixtures" / "repos" / "settlement"


def _hears() -> None:
    """A job in the background may have been told to ignore Ctrl-C, and what it starts with it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Served(Site):
    """The server of a process, and what it says on its terminal."""

    def __init__(self, root: Path) -> None:
        super().__init__("")
        self.root = root
        command = [sys.executable, "-m", "spectastic", "explore", "--serve", "--port", "0"]
        self.process = subprocess.Popen(
            command, cwd=root, stderr=subprocess.PIPE, text=True, encoding="utf-8", preexec_fn=_hears
        )
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.line())
        assert found is not None
        self.address = found[0]

    def line(self) -> str:
        """The next line of its standard error."""
        assert self.process.stderr is not None
        return self.process.stderr.readline()

    def end(self) -> tuple[int, str]:
        """Press Ctrl-C; the exit code, and what it still said."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=LONG)[1]
        return self.process.returncode, said


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    root = tmp_path / "repository"
    shutil.copytree(SETTLEMENT, root)
    site = Served(root)
    yield site
    site.process.kill()
    site.process.communicate()


def test_it_follows_what_is_written_and_ends_in_peace(served: Served) -> None:
    assert "7 decisions in 6 specs" in body(served.get())
    events = served.follow()
    before = events.block()
    spec = served.root / "specs" / "of-a-newcomer.md"
    spec.write_text('<spec-decision id="d">\nx (KB-0001)\n</spec-decision>\n')
    assert "rebuilt the page" in served.line()
    assert events.block() != before
    assert "8 decisions in 7 specs" in body(served.get())
    events.close()
    assert served.end() == (0, "")


def test_a_mistake_halfway_leaves_the_last_page_until_it_is_mended(served: Served) -> None:
    page = served.get()
    settings = served.root / "spectastic.toml"
    held = settings.read_bytes() if settings.exists() else b""
    settings.write_text("fail-on = [\n")
    assert "the last one stays: spectastic.toml:" in served.line()
    assert served.get() == page
    settings.write_bytes(held)
    assert "it builds again" in served.line()
    assert served.end() == (0, "")


def test_nothing_of_the_repository_but_the_page(served: Served) -> None:
    for path in ("/README.md", "/knowledge/index.md", "/../spectastic.toml", "/%2e%2e/x", "//etc/passwd"):
        assert served.get(path).startswith(b"HTTP/1.1 404 ")
    answer = served.ask(f"GET / HTTP/1.1\r\nHost: evil.example:{served.port}\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 421 ")
    assert served.get().startswith(b"HTTP/1.1 200 ")
    assert served.end() == (0, "")
