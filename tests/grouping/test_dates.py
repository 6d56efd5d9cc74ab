"""Every way to write 24 December 2004, and what is no date."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.grouping.dates import (
    EXCEL,
    KINDS,
    LEVELS,
    MONTH,
    MONTH_NAMES,
    NO_DAY,
    ORDERS,
    UNIX,
    WRITTEN,
    YEAR,
    as_texts,
    read_dates,
)

EVE = datetime.date(2004, 12, 24)


def read(text: str) -> dict[str, datetime.date]:
    """The date of a text in each order in which it has one."""
    days = read_dates(pa.array([text])).days[0].tolist()
    found = zip(ORDERS, days, strict=True)
    return {order: datetime.date(1970, 1, 1) + datetime.timedelta(day) for order, day in found if day != NO_DAY}


@pytest.mark.parametrize(
    "text",
    [
        "2004-12-24",
        "2004/12/24",
        " 2004.12.24 ",
        "20041224",
        "24 Dec 2004",
        "24. Dezember 2004",
        "24-Dec-04",
        "24 Dec. 2004",
        "Dec 24 2004",
        "December 24, 2004",
        "DECEMBER 24TH, 2004",
        "24th of December 2004",
        "24 décembre 2004",
        "vendredi 24 décembre 2004",
        "24 de diciembre de 2004",
        "24 dicembre 2004",
        "24 dezembro 2004",
        "24 dec. 2004",
        "2004 Dec 24",
        "2004年12月24日",
        "2004-W52-5",
        "2004-12-24T18:00:00",
        "2004-12-24T18:00Z",
        "2004-12-24 18:00:00.123456789",
        "2004-12-24 18:00:00+01:00",
        "2004-12-24T18:00:00-0500",
        "2004-12-24T18:00:00+01:00[Europe/Berlin]",
        "2004-12-24 18:00:00 America/New_York",
        "20041224T180000Z",
        "20041224180000",
        "Fri, 24 Dec 2004 18:00:00 +0100",
        "Fri Dec 24 22:19:45 PST 2004",
        "Fri Dec 24 18:00:00 +0000 2004",
        "Fri Dec 24 2004 18:00:00 GMT+0100 (Central European Standard Time)",
        "24/Dec/2004:18:00:00 +0100",
        "December 24, 2004 at 6:00 pm",
    ],
)
def test_dates_that_leave_nothing_open(text: str) -> None:
    assert read(text) == dict.fromkeys(ORDERS, EVE)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("24/12/2004", "dmy"),
        ("24.12.2004", "dmy"),
        ("24. 12. 2004", "dmy"),
        ("24-12-2004", "dmy"),
        ("24 12 2004", "dmy"),
        ("24.12.04", "dmy"),
        ("24122004", "dmy"),
        ("24.12.2004, 18:00 Uhr", "dmy"),
        ("Fr. 24.12.2004", "dmy"),
        ("12/24/2004", "mdy"),
        ("12/24/04", "mdy"),
        ("12/24/2004 6:00 PM", "mdy"),
        ("12/24/2004 18:00:00", "mdy"),
    ],
)
def test_a_number_above_twelve_decides_the_order(text: str, order: str) -> None:
    assert read(text) == {order: EVE}


def test_dates_that_leave_the_order_open() -> None:
    april, march = datetime.date(2004, 4, 3), datetime.date(2004, 3, 4)
    assert read("3/4/2004") == {"dmy": april, "mdy": march}
    assert read("03.04.2004") == {"dmy": april, "mdy": march}
    assert read("04-12-10") == {
        "dmy": datetime.date(2010, 12, 4),
        "mdy": datetime.date(2010, 4, 12),
        "ymd": datetime.date(2004, 12, 10),
    }


def test_years_of_two_digits() -> None:
    assert read("31/12/68")["dmy"].year == 2068
    assert read("31/12/69")["dmy"].year == 1969


@pytest.mark.parametrize(
    ("text", "level", "first"),
    [
        ("Dec 2004", "month", "2004-12-01"),
        ("December, 2004", "month", "2004-12-01"),
        ("diciembre de 2004", "month", "2004-12-01"),
        ("Dec-04", "month", "2004-12-01"),
        ("Dec '04", "month", "2004-12-01"),
        ("2004 Dec", "month", "2004-12-01"),
        ("2004/12", "month", "2004-12-01"),
        ("2004-12", "month", "2004-12-01"),
        ("2004m12", "month", "2004-12-01"),
        ("12/2004", "month", "2004-12-01"),
        ("12.2004", "month", "2004-12-01"),
        ("2004年12月", "month", "2004-12-01"),
        ("2004-Q4", "quarter", "2004-10-01"),
        ("2004Q4", "quarter", "2004-10-01"),
        ("Q4 2004", "quarter", "2004-10-01"),
        ("2004-W52", "week", "2004-12-23"),  # the Thursday, which decides the month and the year of a week
        ("2004-W53", "week", "2004-12-30"),
        ("2004", "year", "2004-01-01"),
    ],
)
def test_dates_that_are_less_exact(text: str, level: str, first: str) -> None:
    found = read_dates(pa.array([text]))
    assert LEVELS[found.levels[0]] == level
    assert read(text) == dict.fromkeys(ORDERS, datetime.date.fromisoformat(first))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2004", YEAR),
        ("2004.0", YEAR),
        ("200412", MONTH),
        ("38345", EXCEL),
        ("38345.75", EXCEL),
        ("1103911200", UNIX),
        ("1103911200.5", UNIX),
        ("1103911200000", UNIX),
        ("1103911200000000", UNIX),
        ("1103911200000000000", UNIX),
        ("20041224", WRITTEN),
    ],
)
def test_numbers(text: str, kind: str) -> None:
    found = read_dates(pa.array([text]))
    assert KINDS[found.kinds[0]] == kind
    if kind not in (YEAR, MONTH):
        assert read(text) == dict.fromkeys(ORDERS, EVE)


def test_unix_time_at_midnight_is_of_the_new_day() -> None:
    assert read(str(12776 * 86400))["dmy"] == EVE
    assert read(str(12776 * 86400 - 1))["dmy"] == EVE - datetime.timedelta(1)


@pytest.mark.parametrize(
    "text",
    ["", "unknown", "2004-02-30", "31/04/2004", "29/02/2003", "2004-13", "13/13/2004", "99/99/9999", "1.2.3", "May 5",
     "Jan 5 10:30", "Left 2004", "marble 24 2004", "Party 12", "2004-W54", "2003-W53", "0024-12-24", "24/12/3004", "12",
     "123456789012345678901", "-38345", "2004-12-24 or later", "24 jui 2004", "1/2004/3"],
)  # fmt: skip
def test_what_is_no_date(text: str) -> None:
    assert read(text) == {}


@given(st.dates(datetime.date(1000, 1, 1), datetime.date(2999, 12, 31)))
def test_every_day_is_read_back(day: datetime.date) -> None:
    assert read(day.isoformat()) == dict.fromkeys(ORDERS, day)
    assert read(f"{day.day}/{day.month}/{day.year}")["dmy"] == day
    assert read(f"{day.month}/{day.day}/{day.year}")["mdy"] == day
    year, week, weekday = day.isocalendar()
    if 1000 <= year <= 2999:
        assert read(f"{year}-W{week:02}-{weekday}")["ymd"] == day


@pytest.mark.parametrize("month", range(1, 13))
def test_names_of_months_in_seven_languages(month: int) -> None:
    for name in MONTH_NAMES[month - 1].split():
        assert read(f"3 {name} 2004") == dict.fromkeys(ORDERS, datetime.date(2004, month, 3)), name


def test_columns_of_any_type_are_texts() -> None:
    moment = datetime.datetime(2004, 12, 24, 23, 30, tzinfo=datetime.UTC)
    berlin = pa.array([moment, None], pa.timestamp("us", tz="Europe/Berlin"))
    assert as_texts(berlin).to_pylist() == ["2004-12-25", ""]  # the day there
    assert as_texts(pa.array([datetime.datetime(1969, 12, 31, 23)])).to_pylist() == ["1969-12-31"]
    assert as_texts(pa.array([EVE], pa.date64())).to_pylist() == ["2004-12-24"]
    assert as_texts(pa.array([38345.0, 2.0])).to_pylist() == ["38345", "2"]
    assert as_texts(pa.array([1.5, float("nan"), None])).to_pylist() == ["1.5", "nan", ""]
    assert as_texts(pa.array([np.float16(1.5), None], pa.float16())).to_pylist() == ["1.5", ""]
    assert as_texts(pa.array([1e19, 1e20, 3.0])).to_pylist() == ["1e+19", "1e+20", "3"]  # beyond 2^63
    assert as_texts(pa.array(["a\0", "\0", "a\0 b \0 "])).to_pylist() == ["a", "", "a  b"]
    assert as_texts(pa.array([[1, 2]])).to_pylist() == ["[1, 2]"]
    assert as_texts(pa.array(["left", "right"]).dictionary_encode()).to_pylist() == ["left", "right"]
    assert as_texts(pa.array([], pa.null())).to_pylist() == []


def test_values_do_not_change_each_other() -> None:
    texts = ["24/12/2004", "2004", "unknown", "Dec 2004", "38345", "2004-12-24T18:00Z"]
    together = read_dates(pa.array(texts)).table
    assert np.array_equal(together, np.concatenate([read_dates(pa.array([text])).table for text in texts]))
