"""Periods of a calendar: days, weeks, months, quarters and years, numbered in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

import numpy as np

from problex._util.arrays import IntArray
from problex.grouping.dates import LEVELS

MAX_BINS = 40
"""Bins that a chart may have by default."""
OUTLYING = 0.01
"""Share of the documents at either end of the time that may lie outside of `MAX_BINS`."""


@dataclass(frozen=True)
class Period:
    """A unit of time: `number` gives each day the number of its period, `first` the first day of a period."""

    number: Callable[[IntArray], IntArray]
    first: Callable[[IntArray], IntArray]
    name: Callable[[date], str]


def _months(days: IntArray) -> IntArray:
    return days.astype("M8[D]").astype("M8[M]").astype(np.int64)


def _first_of_month(months: IntArray) -> IntArray:
    return months.astype("M8[M]").astype("M8[D]").astype(np.int64)


def _week_name(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


PERIODS: dict[str, Period] = {
    "day": Period(lambda days: days, lambda numbers: numbers, date.isoformat),
    "week": Period(lambda days: (days + 3) // 7, lambda numbers: 7 * numbers - 3, _week_name),
    "month": Period(_months, _first_of_month, lambda day: f"{day.year:04}-{day.month:02}"),
    "quarter": Period(
        lambda days: _months(days) // 3,
        lambda numbers: _first_of_month(3 * numbers),
        lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    ),
    "year": Period(
        lambda days: _months(days) // 12,
        lambda numbers: _first_of_month(12 * numbers),
        lambda day: f"{day.year:04}",
    ),
}
"""Periods by name, the shortest first. Weeks are those of ISO 8601: they begin on Monday."""
DATE_PATTERN = r"\d{4}(?:-\d{2}(?:-\d{2})?|-W\d{2}|-Q[1-4])?"
"""The names of all periods."""


def period_names(every: str, numbers: IntArray) -> list[str]:
    """The names of periods by their numbers; the order of the names is that of time.

    >>> days = np.array([12776])
    >>> [period_names(every, PERIODS[every].number(days))[0] for every in PERIODS]
    ['2004-12-24', '2004-W52', '2004-12', '2004-Q4', '2004']
    """
    period = PERIODS[every]
    firsts = period.first(numbers).astype("M8[D]").tolist()
    return [period.name(day) for day in firsts]


def period_of(name: str) -> str:
    """Which period a name is of.

    >>> [period_of(name) for name in ("2004-12-24", "2004-W53", "2004-12", "2004-Q4", "2004")]
    ['day', 'week', 'month', 'quarter', 'year']
    """
    rest = name.partition("-")[2]
    return {"W": "week", "Q": "quarter", "": "year"}.get(rest[:1], "day" if "-" in rest else "month")


def choose_period(days: IntArray, documents: IntArray, level: int = 0) -> str:
    """The shortest period of which at most `MAX_BINS` cover the documents, not shorter than `level` in `LEVELS`.

    >>> [choose_period(np.arange(days), np.ones(days)) for days in (40, 41, 300, 1500, 9000)]
    ['day', 'week', 'month', 'quarter', 'year']
    """
    order = np.argsort(days)
    below = np.cumsum(documents[order]) / documents.sum()
    ends = days[order][np.searchsorted(below, [OUTLYING, 1 - OUTLYING])]
    for every in LEVELS[level:]:
        first, last = PERIODS[every].number(ends).tolist()
        if last - first < MAX_BINS:
            return every
    return "year"


def numbers_between(numbers: IntArray) -> IntArray:
    """All numbers from the first to the last, if few are new: no more than there are, plus `MAX_BINS`.

    >>> numbers_between(np.array([7, 3])).tolist(), numbers_between(np.array([0, 99])).tolist()
    ([3, 4, 5, 6, 7], [0, 99])
    """
    first, last = int(numbers.min()), int(numbers.max())
    present = np.unique(numbers)
    return np.arange(first, last + 1) if last - first + 1 <= 2 * len(present) + MAX_BINS else present
