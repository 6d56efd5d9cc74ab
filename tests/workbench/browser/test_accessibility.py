"""axe finds nothing on any screen, in both schemes and at both widths; nothing is wider than the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.workbench.browser.packages import packages
from tests.workbench.browser.person import Person
from tests.workbench.running import Client

SCREENS = ["start", "lexicon", "word/good", "documents/3", "charts", "compare", "export"]
RUN = "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html))"
WIDE = "document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def axe() -> str:
    """The program that looks for barriers."""
    return Path(packages(), "axe-core", "axe.min.js").read_text("utf-8")


def check(page: Page, axe: str, where: str) -> None:
    """No barrier, and no column wider than the window."""
    page.evaluate(axe)
    assert page.evaluate(RUN) == [], where
    assert page.evaluate(WIDE), f"{where} is wider than the window"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")])
def test_screens_have_no_barriers(
    visit: Callable[..., Person], desk: Client, axe: str, width: int, scheme: Any
) -> None:
    person = visit(desk, width, scheme)
    for place in SCREENS:
        person.go(place)
        if place == "charts":
            expect(person.page.locator(".chart svg").nth(3)).to_be_visible()
        check(person.page, axe, f"{place} at {width}, {scheme}")


def test_states_have_no_barriers(visit: Callable[..., Person], desk: Client, bare_desk: Client, axe: str) -> None:
    empty = visit(bare_desk)
    check(empty.page, axe, "start without texts")
    empty.press("g", "l")
    expect(empty.page.get_by_text("No texts are loaded")).to_be_visible()
    check(empty.page, axe, "lexicon without texts")
    person = visit(desk)
    for place in ("word", "word/gooood", "documents?by=uncertain"):
        person.go(place)
        check(person.page, axe, place)
    person.go("lexicon")
    person.press("Home", " ", "h")
    expect(person.page.get_by_role("complementary")).to_contain_text("You are here.")
    check(person.page, axe, "history")
    person.press("Escape", "a")
    person.type("wi")
    expect(person.page.get_by_role("option", name="window")).to_be_visible()
    check(person.page, axe, "add words")
    person.press("Escape", "Escape")
    person.go("audit")
    check(person.page, axe, "audit before the sample")
    person.page.get_by_role("button", name="Draw the sample").click()
    expect(person.page.get_by_role("article")).to_be_visible()
    check(person.page, axe, "audit")
    for _ in range(3):
        label = person.page.get_by_role("article").get_attribute("aria-label") or ""
        person.press("ArrowLeft")
        expect(person.page.get_by_role("article")).not_to_have_attribute("aria-label", label)
    person.page.get_by_role("button", name="Stop and see the result").click()
    expect(person.page.locator("#screen table")).to_be_visible()
    check(person.page, axe, "result of the audit")


def test_the_table_works_at_400_pixels(visit: Callable[..., Person], desk: Client) -> None:
    person = visit(desk, 400)
    person.go("lexicon")
    row = person.row("warm")
    expect(row).to_be_visible()
    assert [cell.inner_text() for cell in person.page.get_by_role("columnheader").all()] == [
        "on",
        "word",
        "predictiveness",
    ]
    box = person.grid.bounding_box()
    assert box is not None
    assert box["height"] > 200
    row.locator(".switch").click()
    expect(person.page.locator(".effect")).to_contain_text("'warm'")
    person.go("documents")
    person.page.locator("[role=option]").first.click()
    expect(person.page.get_by_role("article", name="Document")).to_be_visible()
    person.page.get_by_role("button", name="Back to the list").click()
    expect(person.page.get_by_role("listbox", name="Documents")).to_be_visible()
