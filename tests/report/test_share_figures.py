from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from problex.errors import OutputError
from problex.evaluation.date_choice import NO_DATE
from problex.evaluation.shares import ALL_DOCUMENTS, share_records
from problex.report.chart_files import CHART_FORMATS, check_chart_file, write_chart
from problex.report.chart_style import for_file, for_page, to_svg
from problex.report.share_figures import _dates_at_axis, _group_name, share_figure

TWO, FIVE, NINE = (tuple(f"list {at}" for at in range(number)) for number in (2, 5, 9))
MONTHS = [f"{year}-{month:02}" for year in (2004, 2005, 2006) for month in range(1, 13)]


def records(groups: list[str], classes: tuple[str, ...]) -> list[dict[str, Any]]:
    """The first label has the most documents, the last the fewest; the second group is empty."""
    counts = {
        (name, label): 0 if at == 1 else 20 - 2 * place + at
        for at, name in enumerate(groups)
        for place, label in enumerate((*classes, "undecided"))
    }
    return share_records(counts, classes, max_groups=None)


def data(chart: Any) -> str:
    return json.dumps(for_file(chart))


CASES = {
    f"{kind} {len(classes)}": (records(groups, classes), classes, kind == "time")
    for classes in (TWO, FIVE, NINE)
    for kind, groups in {
        "time": [*MONTHS, NO_DATE],
        "groups": ["left", "right", "a party with a name that is very long, indeed"],
        "all": [ALL_DOCUMENTS],
        "one day": ["2004-12-24"],
    }.items()
}


@pytest.mark.parametrize("name", CASES)
def test_charts_can_be_drawn_for_page_and_file(name: str) -> None:
    import vl_convert

    rows, classes, time = CASES[name]
    chart = share_figure(rows, classes, time=time, title="Shares")
    assert "<svg" in vl_convert.vegalite_to_svg(for_file(chart))
    assert for_page(chart)["width"] == "container"
    assert "currentColor" in to_svg(chart, 300)


def test_a_chart_has_its_title_and_its_number_of_documents() -> None:
    rows = share_records({("2004", "list 0"): 1200, ("2005", "list 1"): 30, (NO_DATE, "undecided"): 4}, TWO)
    title = for_file(share_figure(rows, TWO, time=True, title="Films by year"))["title"]
    assert title["text"] == ["Films by year"]
    assert " ".join(title["subtitle"]) == (
        "n = 1,234 documents; grey bars: documents per year; 4 without a date are not shown. Shading: 95% interval of "
        "counting, without errors of the classification."
    )
    groups = for_file(share_figure(records(["a", "b"], NINE), NINE, time=False, title="Films"))["title"]
    assert "; the 6 largest of 9 labels. Lines: 95% interval of counting" in " ".join(groups["subtitle"])
    assert "title" not in for_file(share_figure(rows, TWO, time=True))


def test_every_label_and_undecided_are_drawn_and_of_many_the_largest() -> None:
    drawn = data(share_figure(records(["a", "c"], FIVE), FIVE, time=False))
    assert all(f'"label": "{name}"' in drawn for name in (*FIVE, "undecided"))
    drawn = data(share_figure(records(["a", "c"], NINE), NINE, time=False))
    assert [name for name in (*NINE, "undecided") if f'"label": "{name}"' in drawn] == [*NINE[:6], "undecided"]
    whole = data(share_figure(records([ALL_DOCUMENTS], NINE), NINE, time=False))
    assert all(f'"label": "{name}"' in whole for name in (*NINE, "undecided"))


def test_documents_without_a_date_are_not_drawn_over_time() -> None:
    assert NO_DATE not in data(share_figure(records(["2004", "2005", NO_DATE], TWO), TWO, time=True))


def test_a_period_without_documents_keeps_its_place() -> None:
    spec = for_file(share_figure(records(MONTHS[:3], TWO), TWO, time=True))
    drawn = json.dumps(spec)
    assert '"group": "2004-02", "label": "list 0", "documents": 0' in drawn
    assert '"share": null' in drawn


def test_names_of_groups_have_at_most_two_lines_and_their_number() -> None:
    assert _group_name({"group": "left", "documents": 1234}) == "left (n = 1,234)"
    name = _group_name({"group": "a party with a name that is very long, indeed and much longer", "documents": 7})
    assert name.count("\n") <= 2
    assert name.endswith("(n = 7)")
    assert "…" in name
    assert _group_name({"group": "", "documents": 7}) == " (n = 7)"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (MONTHS[:9], MONTHS[:9]),
        (MONTHS[1:], ["2004-07", "2005-01", "2005-07", "2006-01", "2006-07"]),
        ([f"2004-01-{day:02}" for day in range(1, 12)], ["2004-01-01", "2004-01-03", "2004-01-05", "2004-01-07",
                                                         "2004-01-09", "2004-01-11"]),
        ([str(year) for year in range(1987, 2024)], ["1990", "1995", "2000", "2005", "2010", "2015", "2020"]),
        ([f"{year}-Q{part}" for year in (2003, 2004, 2005) for part in (1, 2, 3, 4)][1:],
         ["2003-Q3", "2004-Q1", "2004-Q3", "2005-Q1", "2005-Q3"]),
        ([], []),
    ],
)  # fmt: skip
def test_dates_at_the_axis(names: list[str], shown: list[str]) -> None:
    assert _dates_at_axis(names) == shown


STARTS = {".png": b"\x89PNG", ".svg": b"<svg", ".html": b"<!DOCTYPE html>"}


@pytest.mark.parametrize("suffix", CHART_FORMATS)
def test_files_of_charts(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"chart{suffix.upper()}"
    chart = share_figure(records(["a", "c"], TWO), TWO, time=False, title="Films <b>")
    write_chart(chart, path)
    content = path.read_bytes()
    assert content.lstrip().startswith(STARTS[suffix])
    if suffix == ".html":
        assert b"https://cdn" not in content
        assert content.count(b"src=") == 0 or b'src="http' not in content
    with pytest.raises(OutputError, match="exists"):
        write_chart(chart, path)
    write_chart(chart, path, force=True)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"'chart.pdf' has no known suffix for a chart, expected one of .png, .svg"):
        check_chart_file(tmp_path / "chart.pdf")
