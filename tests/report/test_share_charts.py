from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from problex.errors import OutputError
from problex.grouping.date_columns import NO_DATE
from problex.report.chart_style import CHART_FORMATS, check_chart_file, for_file, for_page, to_svg, write_chart
from problex.report.share_charts import _axis_name, _axis_names, dates_at_axis, shares_chart, with_gaps
from problex.shares.counting import ALL_DOCUMENTS, share_records

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
    f"{kind} {len(classes)}": (records(groups, classes), classes)
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

    rows, classes = CASES[name]
    chart = shares_chart(rows, classes, title="Shares")
    chart.to_dict()  # validates it, which the page does not
    assert "<svg" in vl_convert.vegalite_to_svg(for_file(chart))
    assert for_page(chart)["width"] == "container"
    assert "currentColor" in to_svg(chart, 300)


def test_a_chart_has_its_title_and_its_number_of_documents() -> None:
    rows = share_records({("2004", "list 0"): 1200, ("2005", "list 1"): 30, (NO_DATE, "undecided"): 4}, TWO)
    title = for_file(shares_chart(rows, TWO, title="Films by year"))["title"]
    assert title["text"] == ["Films by year"]
    assert " ".join(title["subtitle"]) == (
        "n = 1,234 documents; grey bars: documents per year; 4 without a date are not shown. Shares of predicted "
        "labels; how far they are from those of the true labels is not known."
    )
    groups = for_file(shares_chart(records(["a", "b"], NINE), NINE, title="Films"))["title"]
    assert "; the 6 largest of 9 labels. Shares of predicted labels" in " ".join(groups["subtitle"])
    assert "title" not in for_file(shares_chart(rows, TWO))


def test_every_label_and_undecided_are_drawn_and_of_many_the_largest() -> None:
    drawn = data(shares_chart(records(["a", "c"], FIVE), FIVE))
    assert all(f'"label": "{name}"' in drawn for name in (*FIVE, "undecided"))
    drawn = data(shares_chart(records(["a", "c"], NINE), NINE))
    assert [name for name in (*NINE, "undecided") if f'"label": "{name}"' in drawn] == [*NINE[:6], "undecided"]
    whole = data(shares_chart(records([ALL_DOCUMENTS], NINE), NINE))
    assert all(f'"label": "{name}"' in whole for name in (*NINE, "undecided"))


def test_documents_without_a_date_are_not_drawn_over_time() -> None:
    assert NO_DATE not in data(shares_chart(records(["2004", "2005", NO_DATE], TWO), TWO))


def test_a_period_without_documents_keeps_its_place() -> None:
    spec = for_file(shares_chart(records(MONTHS[:3], TWO), TWO))
    drawn = json.dumps(spec)
    assert '"group": "2004-02", "label": "list 0", "documents": 0' in drawn
    assert '"share": null' in drawn


@pytest.mark.parametrize("classes", [TWO, FIVE])
def test_years_that_are_left_out_are_a_gap_in_every_line(classes: tuple[str, ...]) -> None:
    """From 1970 to 2006 there is no text: the lines end, and the axis says that years are missing."""
    chart = shares_chart(records(["1968", "1969", "1970", "2006", "2007"], classes), classes)
    rows = chart.to_dict()["layer"][1]["data"]["values"]
    assert list(dict.fromkeys(row["group"] for row in rows)) == ["1968", "1969", "1970", "…", "2006", "2007"]
    assert {row["share"] for row in rows if row["group"] == "…"} == {None}
    assert {row["label"] for row in rows if row["group"] == "…"} == {*classes, "undecided"}


def test_names_of_groups_have_at_most_two_lines_and_their_number() -> None:
    assert _axis_name("left", 1234) == "left (n = 1,234)"
    name = _axis_name("a party with a name that is very long, indeed and much longer", 7)
    assert name.count("\n") <= 2
    assert name.endswith("(n = 7)")
    assert "…" in name
    assert _axis_name("", 7) == " (n = 7)"


def test_names_at_an_axis_have_the_same_number_of_lines_with_the_text_in_the_middle() -> None:
    two, three = "a name of one line only", "a name of two lines, which is rather long"
    assert list(_axis_names({"left": 7, two: 8}).values()) == ["left\n(n = 7)", "a name of one line\nonly (n = 8)"]
    assert list(_axis_names({"left": 7, two: 8, three: 9}).values()) == [
        "\nleft (n = 7)\n",
        "a name of one line\nonly\n(n = 8)",
        "a name of two lines,\nwhich is rather long\n(n = 9)",
    ]


def test_groups_whose_short_names_are_the_same_stay_apart() -> None:
    groups = [f"a party with a name that is very long, indeed, number {at}" for at in range(2)]
    rows = share_records({(name, "list 0"): 5 for name in groups}, TWO)
    names = {row["name"] for row in for_file(shares_chart(rows, TWO))["data"]["values"]}
    assert len(names) == 2
    assert len({name.strip() for name in names}) == 1


def test_of_many_groups_the_dots_of_a_group_are_on_one_line() -> None:
    heights = {}
    for number in (16, 17):  # one of them is empty; 15 times 5 lists and undecided are 90 dots
        rows = records([f"group {at}" for at in range(number)], FIVE)
        heights[number] = for_file(shares_chart(rows, FIVE))["height"]
    assert heights == {16: {"step": 10, "for": "offset"}, 17: {"step": 24}}


STARTS = {".png": b"\x89PNG", ".svg": b"<svg", ".html": b"<!DOCTYPE html>"}


@pytest.mark.parametrize("suffix", CHART_FORMATS)
def test_files_of_charts(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"chart{suffix.upper()}"
    chart = shares_chart(records(["a", "c"], TWO), TWO, title="Films <b>")
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
    assert dates_at_axis(names) == shown


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["1970-01", "2006-11", "2006-12", "2007-01"], ["1970-01", "…", "2006-11", "2006-12", "2007-01"]),
        (["1970", "2006", "2008"], ["1970", "…", "2006", "… ", "2008"]),
        (["2004-12-31", "2005-01-01", "2005-01-03"], ["2004-12-31", "2005-01-01", "…", "2005-01-03"]),
        (["2004-W53", "2005-W01", "2005-W03"], ["2004-W53", "2005-W01", "…", "2005-W03"]),
        (["2004-Q4", "2005-Q1", "2005-Q3"], ["2004-Q4", "2005-Q1", "…", "2005-Q3"]),
        (MONTHS, MONTHS),
        (["2004"], ["2004"]),
        ([], []),
    ],
)
def test_periods_that_are_left_out_have_a_gap(names: list[str], shown: list[str]) -> None:
    assert with_gaps(names) == shown


def test_both_sides_of_a_gap_have_dates_at_the_axis() -> None:
    months = ["1970-01", "…", *MONTHS[1:]]
    assert dates_at_axis(months) == ["1970-01", "…", "2004-07", "2005-01", "2005-07", "2006-01", "2006-07"]
