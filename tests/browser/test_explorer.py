"""The corpus explorer in a browser: every way of use, in both themes, from 360 px to 1920 px."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sites
from corpora import corpus, document, row
from explorer_tokens import answers, corpora, table
from trees import Link

from browser import harness
from spectastic import config
from spectastic.corpus import load
from spectastic.explorer import corpus_page
from spectastic.explorer.gather import gather

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browser.conftest import PageAt

SETTLEMENT = Path(__file__).parent.parent.parent / "fixtures" / "repos" / "settlement"
#: How far things moved while the page was shown, without anybody doing anything.
SHIFTS = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) moved += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(moved), 300);
})"""


#: What is read off each answer.
READ = """(all) => all.map((answer) => ({
  token: [...answer.querySelectorAll(".part")].map((part) => part.firstChild.data).join(""),
  state: answer.querySelector(".state").textContent,
  leads: answer.querySelector("dd a")?.textContent ?? null,
  findings: [...answer.querySelectorAll(".finding")].map((one) =>
    [...one.querySelectorAll("p")].map((line) => line.textContent)),
}))"""


def rendered(root: Path, *, live: bool = False) -> str:
    settings = config.load(str(root), (), {}, str(root))
    return corpus_page.render(gather(settings, load(str(root))), live=live)


@pytest.fixture(scope="module")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The explorer of the sample repository, on disk."""
    path = tmp_path_factory.mktemp("explorer") / "explorer.html"
    path.write_text(rendered(SETTLEMENT), "utf-8")
    return path


@pytest.fixture
def page_at(page_at: PageAt) -> PageAt:
    """Opens a page, and waits until its data is unpacked."""

    def opened(*given: Any, **named: Any) -> Page:
        page = page_at(*given, **named)
        page.locator("html[data-shown]").wait_for(state="attached")
        return page

    return opened


def at(explorer: Path, hash_: str) -> str:
    return f"{explorer.as_uri()}#{hash_}"


def shown(page: Page) -> list[str]:
    """The ids of the rows that can be seen, in order."""
    return page.locator("#references tbody tr:visible a.id").all_inner_texts()


SEARCHES = [
    # What is typed, and which references of the sample have it in id, title, slug or pack.
    ("", ["KB-0001", "KB-0002", "KB-0003"]),
    ("kb-0002", ["KB-0002"]),
    ("LATE fee", ["KB-0002"]),
    ("fee late", ["KB-0002"]),
    ("003-allocation", ["KB-0003"]),
    ("settlement-cycles", ["KB-0001", "KB-0002", "KB-0003"]),
    ("équities", ["KB-0001"]),
    ("  window ", ["KB-0003"]),
    # An edition is in none of the four.
    ("rev-4", []),
    ("[", []),
]


def test_search_as_you_type(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    for typed, ids in SEARCHES:
        page.locator("#search").fill("")
        page.locator("#search").press_sequentially(typed)
        assert shown(page) == ids, typed
        told = page.locator("#count").inner_text()
        assert told == ("3 references" if len(ids) == 3 else f"{len(ids)} of 3 references")
        assert page.locator("#nothing").is_visible() == (not ids)
    page.locator("#clear").click()
    assert len(shown(page)) == 3


FILTERS = [
    ("pack", "settlement-cycles", ["KB-0001", "KB-0002", "KB-0003"]),
    ("license", "public-domain", ["KB-0001"]),
    ("license", "CC-BY-4.0", ["KB-0002", "KB-0003"]),
    ("status", "authoritative", ["KB-0001"]),
    ("cited", "cited", ["KB-0001", "KB-0002", "KB-0003"]),
    ("cited", "not cited", []),
    ("cited", "stale somewhere", ["KB-0001"]),
    ("cited", "unpinned somewhere", ["KB-0002"]),
]


def test_filters(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    for name, label, ids in FILTERS:
        page.locator(f"#by-{name}").select_option(label=label)
        assert shown(page) == ids, label
        page.locator(f"#by-{name}").select_option(value="")
    # All of them together, and the search too.
    page.locator("#by-license").select_option(label="CC-BY-4.0")
    page.locator("#search").fill("late")
    assert shown(page) == ["KB-0002"]


def test_order(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    title = page.get_by_role("button", name="Title")
    title.click()
    # Allocation window, Late delivery fee, US equities settlement cycle.
    assert shown(page) == ["KB-0003", "KB-0002", "KB-0001"]
    assert page.locator("th[aria-sort]").count() == 1
    title.click()
    assert shown(page) == ["KB-0001", "KB-0002", "KB-0003"]
    # Cited once, twice and three times; equal ones stay as they are in the registry.
    page.get_by_role("button", name="Cited").press("Enter")
    assert shown(page) == ["KB-0002", "KB-0003", "KB-0001"]
    page.get_by_role("button", name="Pack").press("Space")
    assert shown(page) == ["KB-0001", "KB-0002", "KB-0003"]


def test_a_deep_link_shows_just_that_edition(explorer: Path, page_at: PageAt) -> None:
    page = page_at(at(explorer, "KB-0001@2017-09-05"))
    assert page.locator("#detail h2").inner_text() == "US equities settlement cycle"
    assert page.locator("#list").is_hidden()
    assert "two business days" in page.locator("#detail .body").inner_text()
    assert page.locator(".timeline a[aria-current]").inner_text() == "2017-09-05"
    assert page.title() == "KB-0001@2017-09-05 · Corpus explorer"
    page.goto(at(explorer, "KB-0001"))
    assert page.locator(".timeline a[aria-current]").inner_text() == "2024-05-28"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("KB-0001@1999-01-01", "KB-0001 has no edition 1999-01-01."),
        ("KB-0001@%", "KB-0001 has no edition %."),
        ("KB-0001@%3Cimg%20src=x%3E", "KB-0001 has no edition <img src=x>."),
        ("KB-9999@2024", "KB-9999 is not registered here."),
    ],
)
def test_a_deep_link_to_nothing(address: str, said: str, explorer: Path, page_at: PageAt) -> None:
    page = page_at(at(explorer, address))
    assert page.locator(".note:visible").inner_text().strip() == said
    # No other edition is shown as if it were that one, nor what is known of it.
    assert page.locator("#detail .body, #detail .diff").count() == 0
    assert not {"Status", "License", "Hash"} & set(page.locator("#detail dt").all_inner_texts())


@pytest.mark.parametrize(
    "address", ["constructor", "KB-", "KB-0001x", "%00", "registry", "kb-0003", "KB-0001&x=y"]
)
def test_any_other_address_is_the_list(address: str, explorer: Path, page_at: PageAt) -> None:
    page = page_at(at(explorer, address))
    assert len(shown(page)) == 3
    # A part of the page is an address, and nothing to tell.
    told = (
        []
        if address == "registry"
        else ["This address names no reference: one is #KB-0001 or #KB-0001@EDITION."]
    )
    assert page.locator(".note:visible").all_inner_texts() == told


@pytest.mark.parametrize("address", ["KB-0001@", "KB-0001@2024-05-28.", "KB-0001@2024-05-28),"])
def test_what_was_copied_along_is_no_edition(address: str, explorer: Path, page_at: PageAt) -> None:
    page = page_at(at(explorer, address))
    assert page.locator(".timeline a[aria-current]").inner_text() == "2024-05-28"
    assert page.locator(".note:visible").count() == 0


def test_back_and_forward(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    page.locator("#search").fill("settlement")
    page.get_by_role("link", name="KB-0001", exact=True).click()
    assert page.locator("#detail h2").evaluate("(h2) => h2 === document.activeElement")
    page.locator(".timeline").get_by_role("link", name="2017-09-05").click()
    assert page.url.endswith("#KB-0001@2017-09-05")
    page.go_back()
    assert page.locator(".timeline a[aria-current]").inner_text() == "2024-05-28"
    page.go_back()
    # What was typed is still there, and so is the place.
    assert shown(page) == ["KB-0001", "KB-0002", "KB-0003"]
    assert page.locator("#search").input_value() == "settlement"
    assert page.evaluate("document.activeElement.textContent") == "KB-0001"
    page.go_forward()
    assert page.locator("#detail").is_visible()


def test_back_leads_to_the_same_place(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    page.set_viewport_size({"width": 700, "height": 300})
    page.evaluate("scrollTo({ top: 400, behavior: 'instant' })")
    page.evaluate("location.hash = '#KB-0001'")
    page.locator("#detail h2").wait_for()
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_function("scrollY === 400")


def test_enter_opens_the_first_row_that_is_seen(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    page.get_by_role("button", name="Title").click()
    page.locator("#search").fill("settlement")
    first = shown(page)[0]
    assert first != "KB-0001"
    page.locator("#search").press("Enter")
    assert page.url.endswith(f"#{first}")


def test_skipping_leaves_no_reference(explorer: Path, page_at: PageAt) -> None:
    page = page_at(at(explorer, "KB-0001"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#KB-0001")
    assert page.evaluate("document.activeElement.id") == "main"
    assert page.locator("#detail").is_visible()


def test_targets_are_large_enough(explorer: Path, page_at: PageAt) -> None:
    # WCAG 2.2, 2.5.8. Links in a sentence, and those that stand in a citation, are excepted there.
    page = page_at(explorer)
    page.locator("#try").click()
    sizes = """(all) => all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
        .filter(({ width, height }) => width < 24 || height < 24).length"""
    chosen = "button, input, select, a.id, .timeline a, .back, #answer a"
    assert page.locator(chosen).count() > 10
    assert page.locator(chosen).evaluate_all(sizes) == 0
    page.goto(at(explorer, "KB-0001"))
    assert page.locator(".timeline a").count() == 2
    assert page.locator(chosen).evaluate_all(sizes) == 0


def test_each_state_has_its_shape(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    drawn = page.locator("symbol").evaluate_all("(all) => all.map((one) => [one.id, one.innerHTML])")
    names = ["grounded", "stale", "unpinned", "assumed", "ungrounded"]
    assert [name for name, _ in drawn] == [f"mark-{name}" for name in names]
    assert len({shape for _, shape in drawn}) == len(names)
    for name in names:
        used = page.locator(f".states .state-{name} use").get_attribute("href")
        assert used == f"#mark-{name}"
    # What says yes has a tick in a disc, whatever colours a reader can tell apart.
    assert "circle" in dict(drawn)["mark-grounded"]
    assert "rect" in dict(drawn)["mark-ungrounded"]


def test_what_leads_to_nothing_is_listed(tmp_path: Path, page_at: PageAt) -> None:
    decision = '<spec-decision id="D-1">\n\nKB-0009@1 and KB-0001\n\n</spec-decision>\n'
    files: dict[str, str | bytes | Link | None] = {
        "knowledge/p/references/001-x.md": document(),
        "specs/a.md": decision,
        "specs/latin.md": b"caf\xe9\n",
        "specs/far.md": Link("../../elsewhere.md"),
    }
    corpus(tmp_path / "r", files, row(1, "2024-05-28", "p/references/001-x.md"))
    path = tmp_path / "e.html"
    path.write_text(rendered(tmp_path / "r"), "utf-8")
    page = page_at(path)
    dead = page.get_by_role("region", name="Citations that lead to nothing")
    assert [" ".join(text.split()) for text in dead.locator("li").all_inner_texts()] == [
        "KB-0009@1 specs/a.md:3, D-1"
    ]
    unread = page.get_by_role("region", name="Specs that could not be read").locator("li code")
    assert unread.all_inner_texts() == ["specs/far.md", "specs/latin.md"]


def test_what_is_known_of_each_edition(tmp_path: Path, page_at: PageAt) -> None:
    body = "A fact.\n"
    right = hashlib.sha256(f"\n{body}".encode()).hexdigest()
    fields = {"license": "MIT", "content-hash": f"sha256:{right}", "origin": "A board"}
    fields |= {"origin-url": "javascript:alert(1)"}
    bad = {
        "license": "CC-BY-NC-4.0",
        "content-hash": f"sha256:{'0' * 64}",
        "origin-url": "https://e.example/x",
    }
    older = "knowledge/p/references/superseded/001-x@{}.md"
    corpus(
        tmp_path,
        {
            "knowledge/p/references/001-x.md": document(body=body, **fields),
            older.format("2020"): document(edition="2020", **bad),
            older.format("2019"): document(edition="2019"),
        },
        row(1, "2024-05-28", "p/references/001-x.md"),
    )
    path = tmp_path / "e.html"
    path.write_text(rendered(tmp_path), "utf-8")
    facts = "(lists) => lists.map((dl) => [...dl.children].map((one) => one.textContent.trim()))"

    def known(hash_: str) -> dict[str, str]:
        (read,) = page_at(at(path, hash_)).locator("#detail dl").evaluate_all(facts)
        return dict(zip(read[::2], read[1::2], strict=True))

    now = known("KB-0001")
    assert (now["License"], now["Status"]) == ("MIT ✓ permissive", "authoritative")
    assert now["Hash"] == f"✓ matches the textsha256:{right}"
    assert (now["Origin"], now["Origin url"]) == ("A board", "javascript:alert(1)")
    page = page_at(at(path, "KB-0001"))
    assert page.locator("#detail dd a").count() == 0
    assert [" ".join(one.split()) for one in page.locator(".timeline li").all_inner_texts()] == [
        *("2024-05-28 current", "2020 superseded", "2019 superseded")
    ]
    then = known("KB-0001@2020")
    assert (then["License"], then["Status"]) == ("CC-BY-NC-4.0 ✗ not permissive", "superseded")
    assert then["Hash"].startswith("✗ differs from that of the textsha256:")
    assert (
        page_at(at(path, "KB-0001@2020")).locator("#detail dd a").get_attribute("href")
        == "https://e.example/x"
    )
    first = known("KB-0001@2019")
    assert (first["License"], first["Hash"]) == ("✗ none declared", f"✗ never computedsha256:{right}")


def test_by_keyboard_alone(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.locator("#search").press_sequentially("late")
    page.keyboard.press("Enter")
    assert page.locator("#detail h2").inner_text() == "Late delivery fee"
    page.keyboard.press("Escape")
    page.wait_for_function("document.activeElement.textContent === 'KB-0002'")
    page.keyboard.press("Enter")
    page.locator("#detail h2").wait_for()


def test_what_cites_it(explorer: Path, page_at: PageAt) -> None:
    page = page_at(at(explorer, "KB-0001"))
    assert [" ".join(text.split()) for text in page.locator("#detail .uses li").all_inner_texts()] == [
        "KB-0001@2024-05-28 grounded specs/allocation-cutoff.md:6, D-003",
        "KB-0001@2024-05-28 grounded specs/settlement-date.html:13, D-001",
        "KB-0001@2017-09-05 stale specs/settlement-date.html:20, D-002",
    ]


def test_what_changed(tmp_path: Path, page_at: PageAt) -> None:
    corpus(
        tmp_path,
        {
            "knowledge/p/references/001-x.md": document(body="𝛑 is now 3.14 here.\n"),
            "knowledge/p/references/superseded/001-x@b,2.md": document(edition="b,2", body="𝛑 was 3 here.\n"),
            "knowledge/p/references/superseded/001-x@a.md": document(edition="a", body="Nothing at all.\n"),
        },
        row(1, "2024-05-28", "p/references/001-x.md"),
    )
    path = tmp_path / "e.html"
    path.write_text(rendered(tmp_path), "utf-8")
    page = page_at(at(path, "KB-0001"))
    page.locator("#compared").select_option(label="b,2 → 2024-05-28")
    assert page.locator(".diff del").all_inner_texts() == ["was 3"]
    assert page.locator(".diff ins").all_inner_texts() == ["is now 3.14"]
    assert page.locator(".diff").inner_text().split() == ["𝛑", "was", "3", "is", "now", "3.14", "here."]
    assert page.locator(".compared").inner_text() == "From b,2 to 2024-05-28."
    # What is chosen is part of the address.
    assert page.url.endswith("#KB-0001&from=b%2C2")
    page.locator("#compared").select_option(label="a → 2024-05-28")
    page.reload()
    assert page.locator("#compared option:checked").inner_text() == "a → 2024-05-28"
    page.goto(at(path, "KB-0001@b%2C2&from=a"))
    assert page.locator("#compared option:checked").inner_text() == "a → b,2"
    for other in ("1999", "b%2C2"):
        page.goto(at(path, f"KB-0001@b%2C2&from={other}"))
        assert "KB-0001@b,2 cannot be compared with" in page.locator(".compared").inner_text()
        assert page.locator(".diff").is_hidden()


CHANGES = [
    # The older text, the newer one, and what a reader sees of both: what is gone in -…-, what is new in +…+.
    ("one two three\n", "one three\n", "one -two- three"),
    ("Be patient.\n\nEnd.\n", "Be very calm.\n\nEnd.\n", "Be -patient.- +very calm.+\n\nEnd."),
    ("a b\n", "a b c\n", "a b +c+"),
]


@pytest.mark.parametrize(("old", "new", "seen"), CHANGES)
def test_blanks_are_no_part_of_what_changed(
    old: str, new: str, seen: str, tmp_path: Path, page_at: PageAt
) -> None:
    corpus(
        tmp_path,
        {
            "knowledge/p/references/001-x.md": document(body=new),
            "knowledge/p/references/superseded/001-x@a.md": document(edition="a", body=old),
        },
        row(1, "2024-05-28", "p/references/001-x.md"),
    )
    path = tmp_path / "e.html"
    path.write_text(rendered(tmp_path), "utf-8")
    marked = """(place) => [...place.childNodes].map((one) => {
        const sign = { DEL: "-", INS: "+" }[one.nodeName] ?? "";
        return sign + one.textContent + sign;
    }).join("")"""
    assert page_at(at(path, "KB-0001")).locator(".diff").evaluate(marked).strip() == seen


def test_a_served_page_keeps_what_was_typed(page_at: PageAt) -> None:
    live = rendered(SETTLEMENT, live=True)
    with sites.serving(live) as site:
        page = page_at(site.address, asks=[f"{site.address}events"])
        page.locator("#token").fill("KB-0001")
        page.locator("#by-cited").select_option("stale")
        page.get_by_role("button", name="Title").click()
        page.get_by_role("button", name="Title").click()
        page.locator("#search").fill("settle")
        page.evaluate("scrollTo({ top: 60, behavior: 'instant' })")
        page.evaluate("document.documentElement.dataset.old = ''")
        site.change(live.replace("Corpus explorer", "Another explorer"))
        page.locator("html[data-shown]:not([data-old])").wait_for(state="attached")
        page.wait_for_function("document.activeElement.id === 'search'")
        assert page.locator("#token").input_value() == "KB-0001"
        assert page.locator("#answer .state").inner_text() == "unpinned"
        assert page.locator("#by-cited").input_value() == "stale"
        assert page.locator("#search").input_value() == "settle"
        assert page.locator("th[aria-sort]").inner_text().strip() == "Title"
        assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
        assert shown(page) == ["KB-0001"]
        assert page.evaluate("scrollY") == 60
        page.close()


def test_a_served_reference_stays_at_its_place(page_at: PageAt) -> None:
    live = rendered(SETTLEMENT, live=True)
    with sites.serving(live) as site:
        page = page_at(f"{site.address}#KB-0001", asks=[f"{site.address}events"])
        page.set_viewport_size({"width": 700, "height": 300})
        page.evaluate("scrollTo({ top: 400, behavior: 'instant' })")
        page.evaluate("document.documentElement.dataset.old = ''")
        site.change(live.replace("Corpus explorer", "Another explorer"))
        page.locator("html[data-shown]:not([data-old])").wait_for(state="attached")
        page.wait_for_function("scrollY === 400")
        page.close()


def test_the_theme_stays(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer, theme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.locator("#theme").click()
    assert page.locator("#theme").get_attribute("aria-label") == "Theme: light"
    light = page.evaluate(ground)
    assert light != dark
    page.reload()
    assert page.evaluate(ground) == light
    page.locator("#theme").click()
    assert page.evaluate(ground) == dark
    page.locator("#theme").click()
    assert page.locator("#theme").get_attribute("aria-label") == "Theme: as the system has it"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1920])
@pytest.mark.parametrize("where", ["", "KB-0001@2017-09-05", "KB-0001@none"])
def test_accessible_and_within_the_window(
    where: str, width: int, theme: str, explorer: Path, page_at: PageAt, axe: Callable[[Page], list[str]]
) -> None:
    page = page_at(at(explorer, where), width=width, theme=theme)
    assert axe(page) == []
    assert harness.sideways(page) == 0


@pytest.mark.parametrize("where", ["", "KB-0001"])
def test_nothing_moves(where: str, explorer: Path, page_at: PageAt) -> None:
    assert page_at(at(explorer, where)).evaluate(SHIFTS) < 0.001


def test_in_print(explorer: Path, page_at: PageAt) -> None:
    page = page_at(at(explorer, "KB-0001"))
    page.emulate_media(media="print")
    assert page.locator("#detail .body").is_visible()
    assert page.locator(".back").is_hidden()
    assert page.locator("#theme").is_hidden()


def test_without_scripts(explorer: Path, browser: Any) -> None:
    with harness.limited(browser, harness.WHOLE):
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(explorer.as_uri())
        assert page.locator("#references tbody tr").count() == 3
        assert "Without scripts" in page.locator("noscript").inner_text()
        context.close()


EVIL = (
    "<script>document.title = 'evil'</script><img src=x onerror=\"document.title='evil'\">"
    "<svg onload=\"document.title='evil'\"><style>*{display:none}</style></svg>"
    '<a href="javascript:document.title=\'evil\'">here</a><iframe src="https://example.org"></iframe>'
    '<form action="https://example.org"><button>Send</button></form><base href="https://example.org/">'
    '<meta http-equiv="refresh" content="0;url=https://example.org">'
    '<span class="state state-grounded">grounded</span><style>body{visibility:hidden}</style>'
    '<p id="detail" style="position:fixed;inset:0">over all</p>\n'
)


def test_a_hostile_corpus_is_inert(tmp_path: Path, page_at: PageAt) -> None:
    corpus(
        tmp_path,
        {
            "knowledge/p/references/001-x.md": document(body=f"{EVIL}\n{EVIL}", license=f"'{EVIL[:40]}'"),
            "knowledge/p/references/superseded/001-x@a.md": document(edition="a", body=EVIL.upper()),
            "specs/<img src=x onerror=1>.md": "<spec-decision id='<b>'>\n\nKB-0001@a\n\n</spec-decision>\n",
        },
        f"| KB-0001 | {EVIL[:42]} | web | 001-x | {EVIL[42:90]} | 2024-05-28 | p/references/001-x.md | |\n",
    )
    path = tmp_path / "e.html"
    path.write_text(rendered(tmp_path), "utf-8")
    for where in ("", "KB-0001", "KB-0001@a"):
        page = page_at(at(path, where))
        page.wait_for_timeout(100)
        assert "evil" not in page.title()
        inside = page.locator("#detail .body")
        assert inside.locator("script, img, svg, iframe, form, button, base, meta, style, link").count() == 0
        assert inside.locator("[class], [id], [style]").count() == 0
        assert page.locator('a[href^="javascript"]').count() == 0
        assert page.locator("h1").is_visible()


def test_the_policy_is_in_force(explorer: Path, page_at: PageAt, troubles: list[str]) -> None:
    page = page_at(at(explorer, "KB-0001"))
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "document.title = 'evil'";
          document.body.append(script);
          document.querySelector("#detail .body").innerHTML = '<img src="x" onerror="document.title=1">';
        }"""
    )
    page.wait_for_timeout(100)
    assert page.title() == "KB-0001 · Corpus explorer"
    assert any("Content Security Policy" in trouble for trouble in troubles)
    troubles.clear()


def test_the_resolver_answers_as_validate_does(tmp_path: Path, page_at: PageAt) -> None:
    known = corpora()["fixture"]
    settings = config.load(known.root, (), {}, known.root)
    path = tmp_path / "e.html"
    path.write_text(corpus_page.render(gather(settings, known)), "utf-8")
    page = page_at(path)
    texts = [row["text"] for row in table() if row.get("corpus", "fixture") == "fixture"]
    # An input holds one line, and at most so much.
    texts = [text for text in texts if text.strip() and text.isprintable() and len(text) < 2000]
    assert len(texts) >= 60
    for text in texts:
        page.locator("#token").fill(text)
        shown = page.locator("#answer .answer").evaluate_all(READ)
        told: list[dict[str, Any]] = answers(text, known)
        assert shown == [
            {
                "token": answer["text"],
                "state": answer["state"],
                "leads": answer["path"] and f"{answer['id']}@{answer['edition']}",
                "findings": [
                    [f"{one['severity']}: {one['rule']}", one["message"], *filter(None, [one["hint"]])]
                    for one in answer["findings"]
                ],
            }
            for answer in told
        ], text


def test_the_resolver_takes_a_token_apart_and_leads_on(explorer: Path, page_at: PageAt) -> None:
    page = page_at(explorer)
    page.locator("#try").click()
    assert page.locator("#token").input_value() == "KB-0001@2024-05-28"
    names, values = (page.locator(f"#answer {name}").all_inner_texts() for name in ("dt", "dd"))
    facts = dict(zip(names, values, strict=True))
    assert facts["Row"].startswith("KB-0001, edition 2024-05-28: example-bank")
    assert facts["Which is"] == "the current edition"
    assert facts["Leads to"] == "KB-0001@2024-05-28"
    assert facts["Document"].endswith("/references/001-us-equities-settlement-cycle.md")
    assert page.locator(".part small").all_inner_texts() == ["prefix", "hyphen", "number", "pin", "edition"]
    page.locator("#token").press_sequentially("x")
    assert page.locator("#answer .state").inner_text() == "ungrounded"
    page.locator("#token").fill("KB-0001@2017-09-05")
    page.locator("#answer a").click()
    assert page.locator("#detail h2").inner_text() == "US equities settlement cycle"
    page.go_back()
    page.locator("#token").fill("")
    assert page.locator("#try").is_visible()
