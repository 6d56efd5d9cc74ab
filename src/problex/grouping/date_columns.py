"""Whether a column has dates, in which order day and month come, and by which period documents are counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from problex._util.arrays import BoolArray, IntArray
from problex._util.formatting import pluralize
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.grouping.dates import (
    EXCEL,
    KINDS,
    LEVELS,
    NO_DAY,
    ORDERS,
    PERIODS,
    UNIX,
    WRITTEN,
    YEAR,
    choose_period,
    numbers_between,
    period_names,
)
from problex.scoring.scores import UNDECIDED

Tally = Mapping[tuple[str, str], int]
"""Documents by group and label."""
NO_DATE = "(no date)"
"""The group of documents without a date in a column of dates."""
MIN_DATES = 0.9
"""Share of the values that must be dates for a column of dates."""
MIN_COARSE = 0.05
"""Share of the dates that must be as coarse as a month, say, for dates to be counted by month or longer."""
MIN_MONTHS = 3
"""Different dates, all of which are the first of a month in one order only, that decide for this order."""
DATE_NAME = re.compile(
    r"date|time|day|month|year|when|posted|published|created|updated|timestamp|epoch|unix|utc|"
    r"datum|zeit|jahr|monat|fecha|jour|mois|giorno|anno|mese|(?:^|[^a-z])(?:at|on|ts|tag|dia|mes|ano|año|data|dt)$",
    re.IGNORECASE,
)
"""Names of columns whose numbers may be days of Excel or Unix time."""
NUMBER_NAME = re.compile(r"id$|zip|postal|post|plz|code|number|(?:^|[^a-z])(?:no|nr|fips)$", re.IGNORECASE)
"""Names of columns whose numbers are hardly dates."""
YEARS = (1700, 2100)
"""Numbers that are years, unless the column is said to have dates."""
EXCEL_YEARS = (1970, 2050)
"""Years in which all numbers must lie to be days of Excel if the name of the column does not tell."""
ORDER_NAMES = {"dmy": "the day first", "mdy": "the month first", "ymd": "the year first"}


@dataclass(frozen=True, eq=False)
class ColumnDates:
    """What the values of a whole column mean: `days` has the documents by reading (see `Readings.table`) and label."""

    column: str
    every: str | None
    date_order: str | None
    days: Mapping[tuple[tuple[int, ...], str], int]
    examples: Mapping[tuple[int, int], str]
    empty: int

    @cached_property
    def keys(self) -> IntArray:
        """The readings, a row for each."""
        return np.array(sorted({key for key, _ in self.days}), dtype=np.int64).reshape(-1, 5)

    @cached_property
    def documents(self) -> IntArray:
        """Documents by reading."""
        sizes: Counter[tuple[int, ...]] = Counter()
        for (key, _), number in self.days.items():
            sizes[key] += number
        return np.array([sizes[tuple(key)] for key in self.keys.tolist()], dtype=np.int64)

    @property
    def present(self) -> int:
        """Documents with a value."""
        return int(self.documents.sum()) - self.empty

    @property
    def requested(self) -> bool:
        """Whether the user said that the column has dates."""
        return self.every is not None or self.date_order is not None

    @cached_property
    def accepted(self) -> BoolArray:
        """The readings that count as dates: numbers only where they are hardly anything else."""
        order = slice(3) if self.date_order is None else [ORDERS.index(self.date_order)]
        days, kinds = self.keys[:, order].max(axis=1), self.keys[:, 4]
        is_date = days != NO_DAY
        named = self.requested or bool(DATE_NAME.search(self.column))
        fits = np.isin(kinds, range(len(KINDS)) if named else [KINDS.index(WRITTEN)])
        is_year, is_excel = (is_date & (kinds == KINDS.index(kind)) for kind in (YEAR, EXCEL))
        if not self.requested:
            fits = np.where(is_year, _within(days, YEARS), fits)
        if not named and not NUMBER_NAME.search(self.column):
            excel = is_excel & _within(days, EXCEL_YEARS)
            if self.documents[excel].sum() == self.present:
                fits |= excel
        return np.asarray(is_date & fits, dtype=bool)

    @property
    def is_dates(self) -> bool:
        """Whether nearly all values are dates; some are enough if the user said so.

        >>> from problex.grouping.grouping import groups_of
        >>> nine = [f"2004-01-0{day}" for day in range(1, 10)]
        >>> groups_of([[*nine, "soon"]], "when")[-1], groups_of([[*nine, "soon", "late"]], "when")[-1]
        ('(no date)', 'late')
        """
        dates = int(self.documents[self.accepted].sum())
        return dates > 0 and (self.requested or dates >= MIN_DATES * self.present)

    def check_not_requested(self) -> None:
        """Raise if the user said that the column has dates."""
        if self.requested:
            option = opt("every", self.every) if self.every else opt("date_order", self.date_order)
            raise DocumentError(
                f"{option} was given, but no value of column {self.column!r} is such a date; the first is "
                f"{min(self.examples.values(), default='')!r}, expected dates such as 2004-12-24 or 24 Dec 2004: "
                f"choose another column, or leave {option} out"
            )

    @cached_property
    def orders(self) -> list[str]:
        """The orders of day and month that fit the most documents, the likeliest first; those with equal dates once."""
        if self.date_order is not None:
            return [self.date_order]
        days = self.keys[self.accepted, :3]
        fit = self.documents[self.accepted] @ (days != NO_DAY)
        best = [at for at in range(3) if fit[at] == fit.max()]
        new = [at for at in best if not any((days[:, at] == days[:, first]).all() for first in best if first < at)]
        return [ORDERS[at] for at in sorted(new, key=lambda at: (not _are_months(days[:, at]), at))]

    def tally(self) -> Tally:
        """Documents by period and label, with zeros for periods between; warn about what had to be assumed."""
        days = np.where(self.accepted, self.keys[:, ORDERS.index(self.orders[0])], NO_DAY)
        every = self.every or self._choose_period(days)
        dated = (days != NO_DAY) & (self.keys[:, 3] <= LEVELS.index(every))
        if not dated.any():
            raise DocumentError(
                f"{opt('every', every)} was given, but no date of column {self.column!r} has a {every}: "
                f"expected a longer period, such as {opt('every', LEVELS[int(self.keys[days != NO_DAY, 3].min())])}"
            )
        numbers = PERIODS[every].number(days[dated])
        for note in [*self._reading_notes(), *self._missing_notes(days, dated, every), *_gap_notes(numbers, every)]:
            warn_caller(f"column {self.column!r}: {note}", DocumentWarning)
        names = dict(zip(map(tuple, self.keys[dated].tolist()), period_names(every, numbers), strict=True))
        counts = Counter({(name, UNDECIDED): 0 for name in period_names(every, numbers_between(numbers))})
        for (key, label), number in self.days.items():
            counts[names.get(key, NO_DATE), label] += number
        return counts

    def _choose_period(self, days: IntArray) -> str:
        """The period that suits the time and the dates, of which some may be months or years only."""
        dated = days != NO_DAY
        by_level = np.bincount(self.keys[dated, 3], self.documents[dated], len(LEVELS))
        level = int(np.flatnonzero(by_level >= MIN_COARSE * by_level.sum()).max())
        if _are_months(days):
            level = max(level, LEVELS.index("month"))
        fine = dated & (self.keys[:, 3] <= level)
        return choose_period(days[fine], self.documents[fine], level)

    def _reading_notes(self) -> Iterator[str]:
        """What the values were taken for, where they could be something else."""
        for kind in map(KINDS.index, (EXCEL, UNIX)):
            if (self.accepted & (self.keys[:, 4] == kind)).any():
                example = min(text for (_, at), text in self.examples.items() if at == kind)
                yield f"numbers such as {example} are read as {KINDS[kind]}; otherwise give {opt('every', 'value')}"
        if len(self.orders) > 1:
            yield self._order_note()

    def _order_note(self) -> str:
        first, second = (ORDERS.index(order) for order in self.orders[:2])
        names = [ORDER_NAMES[order] for order in self.orders]
        advice = f"assumed: {names[0]}. Otherwise give {opt('date_order', self.orders[1])}"
        both = 1 << first | 1 << second | 8
        examples = [text for (sign, _), text in self.examples.items() if sign & both == both]
        if not examples:
            return f"as many dates have {names[0]} as {names[1]}; {advice}"
        is_open = self.accepted & (self.keys[:, first] != self.keys[:, second])
        is_open &= (self.keys[:, [first, second]] != NO_DAY).all(axis=1)
        number = pluralize(int(self.documents[is_open].sum()), "date")
        return f"{number}, such as {min(examples)}, can be read with {' or with '.join(names)}; {advice}"

    def _missing_notes(self, days: IntArray, dated: BoolArray, every: str) -> Iterator[str]:
        """How many documents are in the group without a date, and why."""
        where = f"they are in the group {NO_DATE!r}"
        missing = int(self.documents[days == NO_DAY].sum())
        if missing:
            reasons = [f"{self.empty:,} empty"] if self.empty else []
            if missing > self.empty:
                example = self._unreadable_example()
                reasons.append(f"{missing - self.empty:,} not read" + (f", such as {example!r}" if example else ""))
            total = int(self.documents.sum())
            yield f"documents without a date: {missing:,} of {total:,} ({'; '.join(reasons)}); {where}"
        too_coarse = (days != NO_DAY) & ~dated
        if too_coarse.any():
            number, longer = int(self.documents[too_coarse].sum()), LEVELS[int(self.keys[too_coarse, 3].max())]
            yield (
                f"documents whose date has no {every}: {number:,}; {where}. To count them, give {opt('every', longer)}"
            )

    def _unreadable_example(self) -> str:
        order, kinds = 1 << ORDERS.index(self.orders[0]), {0, *self.keys[self.accepted, 4].tolist()}
        texts = [text for (sign, kind), text in self.examples.items() if not sign & order or kind not in kinds]
        return min(texts, default="")


def _gap_notes(numbers: IntArray, every: str) -> Iterator[str]:
    """How many periods without documents are left out, if they are many.

    >>> list(_gap_notes(np.array([3, 7]), "day")), list(_gap_notes(np.array([0, 99]), "year"))
    ([], ['years without documents: 98; they are not shown'])
    """
    left_out = int(np.ptp(numbers)) + 1 - len(numbers_between(numbers))
    if left_out:
        yield f"{every}s without documents: {left_out:,}; they are not shown"


def _within(days: IntArray, years: tuple[int, int]) -> BoolArray:
    """Which days are in the years from the first to the last.

    >>> _within(np.array([-1, 0, 364, 365]), (1970, 1970)).tolist()
    [False, True, True, False]
    """
    return np.asarray((days >= _new_year(years[0])) & (days < _new_year(years[1] + 1)), dtype=bool)


def _new_year(year: int) -> int:
    return int(np.datetime64(f"{year:04}-01-01", "D").astype(np.int64))


def _are_months(days: IntArray) -> bool:
    """Whether all dates are the first of a month, as in a monthly series.

    >>> days = np.array(["2004-01-01", "2004-02-01", "2004-05-01"], "M8[D]").astype(np.int64)
    >>> _are_months(days), _are_months(days[:2]), _are_months(days + 1)     # two are too few to tell
    (True, False, False)
    """
    present = np.unique(days[days != NO_DAY]).astype("M8[D]")
    return len(present) >= MIN_MONTHS and bool((present.astype("M8[M]").astype("M8[D]") == present).all())
