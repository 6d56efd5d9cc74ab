"""The charts are drawn under the strict policy, and have a sentence, a table and files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.workbench.browser.person import Person
from tests.workbench.running import Client


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


def test_a_chart_is_saved_and_grouped_by_keyboard(person: Person) -> None:
    person.jump("c", "Charts")
    expect(person.page.locator("figure.panel .chart svg").first).to_be_visible()
    person.tab_to("SVG")
    with person.page.expect_download() as waiting:
        person.press("Enter")
    assert waiting.value.suggested_filename.endswith(".svg")
    shares = person.page.locator("figure.panel").last
    expect(shares.get_by_label("column", exact=True)).to_have_value("year")
