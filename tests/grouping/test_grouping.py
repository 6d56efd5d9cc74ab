"""Which columns have dates, in which order day and month come, by which period documents are counted, what is said."""

from __future__ import annotations

import datetime
import re
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex.errors import DocumentError, DocumentWarning, ProblexError
from problex.grouping import grouping as module
from problex.grouping.date_columns import NO_DATE
from problex.grouping.grouping import MAX_GROUPS, NO_GROUP, Grouping, as_array, in_order, make_grouping


def group(
    values: Any, column: str = "when", every: str | None = None, date_order: str | None = None
) -> tuple[dict[str, int], list[str]]:
    """Documents by group, and what is said."""
    grouping = Grouping(column, every, date_order)
    grouping.add(values, ["good"] * len(values))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tally = grouping.tally()
    sizes: Counter[str] = Counter()
    for (name, _), number in tally.items():
        sizes[name] += number
    return dict(sizes), [str(warning.message) for warning in caught if warning.category is DocumentWarning]


def test_one_date_decides_the_order_of_all_wherever_it_stands() -> None:
    open_dates = ["03/04/2004", "05/06/2004"]
    days = {"2004-04-03", "2004-06-05"}
    for values in (["24/12/2004", *open_dates], [*open_dates, "24/12/2004"]):
        found, notes = group(values, every="day")
        assert days <= set(found)
        assert not any("can be read" in note for note in notes)
    american, notes = group([*open_dates, "12/24/2004"], every="day")
    assert {"2004-03-04", "2004-05-06"} <= set(american)
    assert not any("can be read" in note for note in notes)


def test_an_open_order_is_said() -> None:
    found, notes = group(["03/04/2004", "05/06/2004", "2004-07-08", "03/04/2004"], every="month")
    assert found == {"2004-04": 2, "2004-05": 0, "2004-06": 1, "2004-07": 1}
    assert notes == [
        "column 'when': 3 dates, such as 03/04/2004, can be read with the day first or with the month first; assumed: "
        'the day first. Otherwise give date_order="mdy"'
    ]
    found, notes = group(["03/04/2004", "05/06/2004"], every="month", date_order="mdy")
    assert found == {"2004-03": 1, "2004-04": 0, "2004-05": 1}
    assert notes == []


def test_an_order_that_makes_no_difference_is_not_said() -> None:
    assert group(["03/03/2004", "04/04/2004"])[1] == []
    assert group(["2004-03-04", "4 Mar 2004"])[1] == []


def test_a_monthly_series_has_the_first_of_each_month() -> None:
    found, notes = group(["1/1/2004", "2/1/2004", "3/1/2004"])
    assert found == {"2004-01": 1, "2004-02": 1, "2004-03": 1}  # by month, though it is a short time
    assert "assumed: the month first" in notes[0]
    assert 'give date_order="dmy"' in notes[0]
    assert "assumed: the day first" in group(["1/1/2004", "1/2/2004", "1/3/2004"])[1][0]


def test_most_documents_decide_the_order_and_the_others_are_reported() -> None:
    found, notes = group(["24/12/2004"] * 30 + ["12/25/2004"], every="year")
    assert found == {"2004": 30, NO_DATE: 1}
    assert notes == [
        "column 'when': documents without a date: 1 of 31 (1 not read, such as '12/25/2004'); they are in the group "
        "'(no date)'"
    ]


def test_as_many_dates_of_one_order_as_of_the_other() -> None:
    found, notes = group(["24/12/2004", "12/25/2004"], every="day")
    assert found == {"2004-12-24": 1, NO_DATE: 1}
    assert notes[0] == (
        "column 'when': as many dates have the day first as the month first; assumed: the day first. Otherwise give "
        'date_order="mdy"'
    )


def test_values_that_are_no_dates_are_counted_and_said() -> None:
    found, notes = group(["2004-12-24"] * 20 + ["unknown", "", None], every="year")
    assert found == {"2004": 20, NO_DATE: 3}
    assert notes == [
        "column 'when': documents without a date: 3 of 23 (2 empty; 1 not read, such as 'unknown'); they are in the "
        "group '(no date)'"
    ]
    assert "(1 empty)" in group(["2004-12-24", ""])[1][0]


@pytest.mark.parametrize(("dates", "other", "by_date"), [(9, 1, True), (8, 2, False), (10, 0, True)])
def test_a_column_of_dates_may_have_one_other_value_in_ten(dates: int, other: int, by_date: bool) -> None:
    found, _ = group(["2016-11-08"] * dates + ["unknown"] * other)
    assert (set(found) <= {"2016-11-08", NO_DATE}) is by_date
    assert sum(found.values()) == 10


def test_the_user_may_say_that_a_column_has_dates() -> None:
    assert group(["2016-11-08", "unknown", "later"], every="year")[0] == {"2016": 1, NO_DATE: 2}
    message = re.escape(
        "every=\"month\" was given, but no value of column 'party' is such a date; the first is 'left', expected dates "
        'such as 2004-12-24 or 24 Dec 2004: choose another column, or leave every="month" out'
    )
    with pytest.raises(DocumentError, match=message):
        group(["right", "left"], "party", every="month")
    with pytest.raises(DocumentError, match='date_order="mdy" was given, but no value'):
        group(["24/12/2004"], date_order="mdy")


def test_values_as_they_are_written() -> None:
    assert group(["24/12/2004", "2004-12-24", ""], every="value") == (
        {"24/12/2004": 1, "2004-12-24": 1, NO_GROUP: 1},
        [],
    )


def test_numbers_are_dates_only_where_they_are_hardly_anything_else() -> None:
    numbers = ["38345", "38346"]
    assert group(numbers, "date")[0] == {"2004-12-24": 1, "2004-12-25": 1}
    found, notes = group(numbers, "visit")
    assert found == {"2004-12-24": 1, "2004-12-25": 1}
    assert notes == ["column 'visit': numbers such as 38345 are read as days of Excel; otherwise give every=\"value\""]
    assert set(group([*numbers, "12"], "visit")[0]) == {"38345", "38346", "12"}
    assert set(group(["10115", "38346"], "visit")[0]) == {"10115", "38346"}  # one is before 1970
    assert set(group(numbers, "zip_code")[0]) == set(numbers)
    ids = ["1467810672", "1467810917"]
    assert set(group(ids, "ids")[0]) == set(ids)
    assert set(group(ids, "created_utc")[0]) == {"2016-07-06"}
    assert "read as Unix time" in group(ids, "created_utc")[1][0]
    assert set(group(["200411", "200412"], "month")[0]) == {"2004-11", "2004-12"}
    assert set(group(["200411", "200412"], "lot")[0]) == {"200411", "200412"}
    assert group(["1999", "2001"], "edition")[0] == {"1999": 1, "2000": 0, "2001": 1}
    assert set(group(["1200", "2900"], "time_spent")[0]) == {"1200", "2900"}
    assert set(group(["5", "4", "1"], "date")[0]) == {"5", "4", "1"}


def test_dates_and_excel_numbers_in_one_column() -> None:
    found, _ = group(["24/12/2004", "38346"], "Date")
    assert found == {"2004-12-24": 1, "2004-12-25": 1}


def test_dates_that_are_too_coarse_for_a_period() -> None:
    found, notes = group(["2004-12-24"] * 99 + ["2004"], every="day")
    assert found == {"2004-12-24": 99, NO_DATE: 1}
    assert notes == [
        "column 'when': documents whose date has no day: 1; they are in the group '(no date)'. To count them, give "
        'every="year"'
    ]
    assert set(group(["2004-12-24", "2004-11"])[0]) == {"2004-11", "2004-12"}  # half of them are months
    with pytest.raises(DocumentError, match=r'no date of column .when. has a day: expected a longer.*every="month"'):
        group(["2004-11", "2004-12"], every="day")


def test_periods_far_apart_are_not_filled_and_that_is_said() -> None:
    found, notes = group(["1904-01-01", "2004-01-01"], every="year")
    assert found == {"1904": 1, "2004": 1}
    assert notes == ["column 'when': years without documents: 99; they are not shown"]


@pytest.mark.parametrize(
    ("last", "first"),
    [("2004-02-09", "2004-01-01"), ("2004-02-10", "2004-W01"), ("2004-12-24", "2004-01"), ("2008-01-01", "2004-Q1"),
     ("2020-01-01", "2004")],
)  # fmt: skip
def test_the_period_suits_the_time(last: str, first: str) -> None:
    assert min(group(["2004-01-01", last])[0]) == first


def test_columns_of_any_source() -> None:
    days = [datetime.date(2004, 12, 24), datetime.date(2004, 12, 26)]
    expected = {"2004-12-24": 1, "2004-12-25": 0, "2004-12-26": 1}
    sources: list[Any] = [
        days,
        pa.array(days),
        pa.chunked_array([days[:1], days[1:]]),
        pd.Series(pd.to_datetime(pd.Series(days))),
        pd.Series(days).to_numpy(),
        pd.to_datetime(pd.Series(days)).to_numpy(),
        pl.Series(days),
        pd.Categorical([day.isoformat() for day in days]),
    ]
    for source in sources:
        assert group(source)[0] == expected, type(source)
    assert as_array(["a", 7, None]).to_pylist() == ["a", "7", None]


def test_a_column_of_identifiers_is_refused() -> None:
    seen = Grouping("id")
    with pytest.raises(DocumentError, match=r"column 'id' has more than 10,000 different values, expected groups"):
        seen.add(range(100_000, 100_000 + MAX_GROUPS + 1), ["good"] * (MAX_GROUPS + 1))
    seen = Grouping("id", every="value")
    with pytest.raises(DocumentError, match="more than 10,000"):
        seen.add(range(MAX_GROUPS + 1), ["good"] * (MAX_GROUPS + 1))


def test_as_many_groups_as_are_allowed() -> None:
    grouping = Grouping("id")
    grouping.add(range(MAX_GROUPS), ["good"] * MAX_GROUPS)
    grouping.add(range(MAX_GROUPS), ["bad"] * MAX_GROUPS)
    assert len(grouping.tally()) == 2 * MAX_GROUPS


def test_more_dates_than_groups_are_allowed() -> None:
    start = datetime.datetime(2004, 1, 1)
    times = [(start + datetime.timedelta(minutes=at)).isoformat() for at in range(MAX_GROUPS + 500)]
    found, _ = group(times)
    assert sum(found.values()) == MAX_GROUPS + 500
    assert found["2004-01-01"] == 1440


def test_groups_without_a_value() -> None:
    assert group(["Left ", "", "7", None], "party") == ({"Left": 1, NO_GROUP: 2, "7": 1}, [])


def test_wrong_options() -> None:
    with pytest.raises(ProblexError, match="every='decade' was given, expected one of day, week, month, quarter, year"):
        Grouping("when", every="decade")
    with pytest.raises(ProblexError, match="date_order='ydm' was given, expected one of dmy, mdy, ymd"):
        Grouping("when", date_order="ydm")
    with pytest.raises(ProblexError, match=r"every='day' was given without by=..., expected a column of dates"):
        make_grouping(None, "day")
    assert make_grouping(None) is None


VALUES = st.sampled_from(
    ["24/12/2004", "03/04/2004", "12/24/2004", "2004-11-02T10:00Z", "Dec 2004", "2005", "38345", "unknown", "", "left",
     "05-06-07", "1103911200", "Q3 2003"]
)  # fmt: skip


def in_batches(rows: Sequence[tuple[str, str]], size: int, column: str) -> tuple[dict[Any, int], list[str]]:
    grouping = Grouping(column)
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        grouping.add([value for value, _ in part], [label for _, label in part])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tally = grouping.tally()
    return {key: number for key, number in tally.items() if number}, [str(warning.message) for warning in caught]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(VALUES, st.sampled_from(["good", "bad", "undecided"])), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
    st.integers(1, 10),
    st.sampled_from(["date", "visit"]),
    st.sampled_from([1, 7, 1 << 19]),
)
def test_neither_order_nor_batches_matter(
    rows: list[tuple[str, str]], random: Any, size: int, column: str, pending: int
) -> None:
    whole = in_batches(rows, len(rows), column)
    mixed = random.sample(rows, len(rows))
    original, module.MAX_PENDING = module.MAX_PENDING, pending
    try:
        assert in_batches(mixed, size, column) == whole
    finally:
        module.MAX_PENDING = original
    assert sum(whole[0].values()) == len(rows)
    assert Counter(label for _, label in rows) == sum(
        (Counter({label: number}) for (_, label), number in whole[0].items()), Counter()
    )


def test_groups_are_in_the_order_of_numbers_if_all_are() -> None:
    assert in_order(["10", "2", NO_GROUP, "-1.5"]) == ["-1.5", "2", "10", NO_GROUP]
    assert in_order(["10", "2", "b", "a"]) == ["10", "2", "a", "b"]


def test_one_column_is_grouped_by() -> None:
    with pytest.raises(ProblexError, match=r"by=\['party', 'month'\] was given, expected the name of one column"):
        make_grouping(["party", "month"])  # type: ignore[arg-type]
