"""The charts are drawn under the strict policy, and have a sentence, a table and files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.workbench.browser.person import Person
from tests.workbench.running import Client

YEARS = ["2019", "2020", "2021"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_four_charts(visit: Callable[..., Person], desk: Client, scheme: Any) -> None:
    person = visit(desk, scheme=scheme)
    person.go("charts")
    figures = person.page.locator("figure.panel")
    expect(figures).to_have_count(4)
    for figure in figures.all():
        expect(figure.locator("svg.marks, .chart svg").first).to_be_visible()
        assert figure.locator("figcaption p").first.inner_text()
        figure.get_by_text("Data of the chart").click()
        expect(figure.locator("table tbody tr").first).to_be_visible()
    axis = figures.first.locator("svg .role-axis-label text, svg .role-axis-title text").first
    red = int(axis.evaluate("e => getComputedStyle(e).fill").split("(")[1].split(",")[0])
    assert (red > 200) == (scheme == "dark"), "the axis can be read in both schemes"


def test_charts_by_keyboard_alone(person: Person) -> None:
    person.jump("c", "Charts")
    figures = person.page.locator("figure.panel")
    for figure in figures.all():
        expect(figure.get_by_role("link", name="PNG")).to_be_visible()
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        person.tab_to(f"{kind} of")
        with person.page.expect_download() as waiting:
            person.press("Enter")
        assert waiting.value.suggested_filename.endswith(f".{kind.lower()}")
        assert Path(waiting.value.path()).read_bytes().startswith(start)
    person.tab_to("Data of the chart")
    person.press("Enter")
    expect(figures.first.locator("table tbody tr").first).to_be_visible()
    shares = figures.last
    rows = shares.locator("tbody tr")
    person.tab_to("column")
    assert person.page.locator(":focus").evaluate("select => select.value") == "year"
    person.press("ArrowUp")
    expect(shares.locator("figcaption p").first).to_contain_text("in 31 groups")
    person.press("ArrowDown")
    expect(shares.locator("figcaption p").first).to_contain_text("in 3 groups")
    assert rows.locator("td:first-child").all_text_contents() == [year for year in YEARS for _ in range(3)]


def test_charts_by_mouse_follow_an_edit(person: Person) -> None:
    person.go("charts")
    shares = person.page.locator("figure.panel").last
    shares.get_by_label("column", exact=True).select_option("id")
    expect(shares.locator("figcaption p").first).to_contain_text("in 31 groups")
    shares.get_by_label("column", exact=True).select_option("year")
    expect(shares.locator("figcaption p").first).to_contain_text("in 3 groups")
    with person.page.expect_download() as waiting:
        shares.get_by_role("link", name="SVG").click()
    assert "2019" in Path(waiting.value.path()).read_text("utf-8")
    shares.get_by_text("Data of the chart").click()
    body = shares.locator("tbody")
    before = body.inner_text()
    edits = [{"word": word, "old": "positive", "new": "negative"} for word in ("good", "fine", "warm", "bright")]
    person.client.post("/api/edits", edits=edits, base=person.client.revision, tab="other")
    expect(body).not_to_have_text(before, use_inner_text=True)
