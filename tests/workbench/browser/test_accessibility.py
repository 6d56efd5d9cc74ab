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
RUN = """options => axe.run(document, {resultTypes: ['violations'], ...options}).then(
    result => result.violations.map(one => `${one.id}: ${one.nodes[0].html}`))"""
WIDTHS = (1280, 400)
SCHEMES: Any = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
"""What is looked for in each scheme: they differ in colours only."""
WIDE = "document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth"

Visit = Callable[..., Person]


@pytest.fixture(scope="module")
def axe() -> str:
    """The program that looks for barriers."""
    return Path(packages(), "axe-core", "axe.min.js").read_text("utf-8")


def check(page: Page, axe: str, where: str) -> None:
    """No barrier in either scheme, and no column wider than the window."""
    page.evaluate(axe)
    for scheme, options in SCHEMES.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
        assert page.evaluate(RUN, options) == [], f"{where}, {scheme}"
    assert page.evaluate(WIDE), f"{where} is wider than the window"


def check_widths(page: Page, axe: str, where: str) -> None:
    """The same at both widths."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        check(page, axe, f"{where} at {width}")


@pytest.mark.parametrize("width", WIDTHS)
def test_screens_have_no_barriers(visit: Visit, desk: Client, axe: str, width: int) -> None:
    person = visit(desk, width)
    for place in SCREENS:
        person.go(place)
        if place == "charts":
            expect(person.page.locator(".chart svg").nth(3)).to_be_visible()
        check(person.page, axe, f"{place} at {width}")


def test_empty_screens_have_no_barriers(visit: Visit, bare_desk: Client, axe: str) -> None:
    person = visit(bare_desk)
    check_widths(person.page, axe, "start without texts")
    person.press("g", "l")
    expect(person.page.get_by_text("No texts are loaded")).to_be_visible()
    check_widths(person.page, axe, "lexicon without texts")


def test_states_have_no_barriers(visit: Visit, desk: Client, axe: str) -> None:
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


def test_the_audit_has_no_barriers(visit: Visit, desk: Client, axe: str) -> None:
    person = visit(desk)
    page = person.page
    person.go("audit")
    check_widths(page, axe, "audit before the sample")
    page.get_by_role("button", name="Draw the sample").click()
    expect(page.get_by_role("article")).to_be_visible()
    check_widths(page, axe, "audit")
    for _ in range(3):
        label = page.get_by_role("article").get_attribute("aria-label") or ""
        person.press("ArrowLeft")
        expect(page.get_by_role("article")).not_to_have_attribute("aria-label", label)
    page.get_by_role("button", name="Stop and see the result").click()
    expect(page.locator("#screen table")).to_be_visible()
    check_widths(page, axe, "result of the audit")
    row = page.get_by_role("row", name="accuracy").bounding_box()
    assert row is not None
    assert row["height"] < 60, "words are not broken into letters at 400 pixels"


def test_the_table_works_at_400_pixels(visit: Visit, desk: Client) -> None:
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
