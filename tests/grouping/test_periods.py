from __future__ import annotations

import datetime
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.grouping.dates import (
    DATE_PATTERN,
    MAX_BINS,
    PERIODS,
    choose_period,
    numbers_between,
    period_names,
    period_of,
)

EPOCH = datetime.date(1970, 1, 1)


def number(day: str) -> int:
    return (datetime.date.fromisoformat(day) - EPOCH).days


@pytest.mark.parametrize(
    ("day", "names"),
    [
        ("2004-12-31", ["2004-12-31", "2004-W53", "2004-12", "2004-Q4", "2004"]),
        ("2005-01-02", ["2005-01-02", "2004-W53", "2005-01", "2005-Q1", "2005"]),  # a Sunday
        ("2005-01-03", ["2005-01-03", "2005-W01", "2005-01", "2005-Q1", "2005"]),
        ("1969-12-31", ["1969-12-31", "1970-W01", "1969-12", "1969-Q4", "1969"]),
    ],
)
def test_periods_by_hand(day: str, names: list[str]) -> None:
    days = np.array([number(day)])
    assert [period_names(every, PERIODS[every].number(days))[0] for every in PERIODS] == names


@given(st.lists(st.integers(number("1600-01-01"), number("2400-01-01")), min_size=1), st.sampled_from(list(PERIODS)))
def test_names_are_in_order_and_periods_contain_their_days(days: list[int], every: str) -> None:
    numbers = PERIODS[every].number(np.array(sorted(days)))
    names = period_names(every, numbers)
    assert names == sorted(names)
    for name in names:
        assert re.fullmatch(DATE_PATTERN, name)
        assert period_of(name) == every
    firsts, following = PERIODS[every].first(numbers), PERIODS[every].first(numbers + 1)
    assert ((firsts <= np.array(sorted(days))) & (following > np.array(sorted(days)))).all()


@given(st.lists(st.integers(-20_000, 20_000), min_size=1, max_size=50))
def test_a_chart_has_at_most_forty_bins_unless_they_are_years(days: list[int]) -> None:
    every = choose_period(np.array(days), np.ones(len(days), np.int64))
    numbers = PERIODS[every].number(np.array(days))
    assert every == "year" or np.ptp(numbers) < MAX_BINS
    shorter = [*PERIODS][: [*PERIODS].index(every)]
    for other in shorter:  # none of these would have done
        assert np.ptp(PERIODS[other].number(np.array(days))) >= MAX_BINS


def test_a_wrong_date_does_not_change_the_period() -> None:
    days, documents = np.array([0, 10, 20, 90_000]), np.array([400, 400, 400, 1])
    assert choose_period(days, documents) == "day"


def test_dates_of_months_are_not_counted_by_day() -> None:
    assert choose_period(np.array([0, 31, 59]), np.ones(3, np.int64), 2) == "month"


def test_gaps_are_filled_if_they_are_few() -> None:
    assert numbers_between(np.array([5, 3, 3])).tolist() == [3, 4, 5]
    most = 2 * 2 + MAX_BINS
    assert len(numbers_between(np.array([0, most - 1]))) == most
    assert len(numbers_between(np.array([0, most]))) == 2
