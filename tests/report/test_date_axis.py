from __future__ import annotations

import pytest

from problex.report.share_charts import dates_at_axis, with_gaps

MONTHS = [f"{year}-{month:02}" for year in (2004, 2005, 2006) for month in range(1, 13)]


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
