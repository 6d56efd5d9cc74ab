"""Documents counted by group or date and label, batch by batch; whether a column has dates is decided at the end.

The order of day and month, and whether the values are dates at all, depend on the whole column. Until it has been read,
every value is counted by all that it may mean. Dates are counted by day, so that memory is bounded by the days.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrow import pc
from problex._util.late import nw
from problex.errors import DocumentError, ProblexError, check_choice, opt, was_given
from problex.grouping.date_columns import NO_DATE, ColumnDates, Tally
from problex.grouping.dates import NO_DAY, ORDERS, PERIODS, Readings, as_texts, read_dates, signatures

MAX_GROUPS = 10_000
"""Distinct values above which a column is not accepted as a grouping."""
MAX_PENDING, MAX_BYTES = 1 << 19, 32 << 20
"""Documents, and bytes of their values, that are read as dates together."""
VALUE = "value"
"""The choice of `every` that takes each value as a group, also if it is a date."""
EVERY = (*PERIODS, VALUE)
NO_GROUP = "(none)"
"""The group of documents without a value."""
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


@dataclass
class Grouping:
    """Counts labels by the values of one column.

    `every` is one of `EVERY` (None: chosen by the dates), `date_order` one of `ORDERS` (None: decided by the values).

    >>> grouping = Grouping("when")
    >>> grouping.add(["24/12/2004", "02/01/2005"], ["good", "bad"])
    >>> grouping.add(["31/01/2005"], ["good"])
    >>> sorted(key for key, number in grouping.tally().items() if number)[:2]
    [('2004-12-24', 'good'), ('2005-01-02', 'bad')]
    """

    column: str
    every: str | None = None
    date_order: str | None = None
    names: Counter[tuple[str, str]] = field(init=False, default_factory=Counter)
    days: Counter[tuple[tuple[int, ...], str]] = field(init=False, default_factory=Counter)
    examples: dict[tuple[int, int], str] = field(init=False, default_factory=dict)
    pending: list[pa.Table] = field(init=False, default_factory=list)
    empty: int = field(init=False, default=0)
    too_many: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        if self.every is not None:
            check_choice("every", self.every, EVERY)
        if self.date_order is not None:
            check_choice("date_order", self.date_order, ORDERS)

    def add(self, values: object, labels: Iterable[str], numbers: Sequence[int] | None = None) -> None:
        """Count documents by the value and the label of each; the values may be a column of Arrow.

        `numbers` are how many documents have each value and label (None: one).

        >>> grouping = Grouping("party")
        >>> grouping.add(["left", "right", ""], ["good"] * 3, [5, 2, 1])
        >>> dict(grouping.tally())
        {('left', 'good'): 5, ('right', 'good'): 2, ('(none)', 'good'): 1}
        """
        part = pa.table({"value": as_texts(as_array(values)), "label": pa.array(list(labels), pa.string())})
        times = np.ones(len(part), np.int64) if numbers is None else np.asarray(numbers, np.int64)
        part = part.append_column("number", pa.array(times))
        if not self.too_many:
            self.names.update({(name or NO_GROUP, label): number for name, label, number in _count_rows(part)})
            self.too_many = len(self.names) > MAX_GROUPS and len({name for name, _ in self.names}) > MAX_GROUPS
        self.pending.append(part)
        full = sum(map(len, self.pending)) > MAX_PENDING or sum(part.nbytes for part in self.pending) > MAX_BYTES
        if full or (self.too_many and not self.days):
            self._read_pending()
            self._check_groups()

    def _read_pending(self) -> None:
        """Read the values so far as dates: many at a time, since it takes time to prepare the patterns."""
        if not self.pending or self.every == VALUE:
            self.pending.clear()
            return
        table = pa.concat_tables(self.pending).combine_chunks()
        self.pending.clear()
        texts = table["value"].combine_chunks().dictionary_encode()
        readings = read_dates(texts.dictionary)
        meanings = readings.table[np.asarray(texts.indices)]
        columns = {f"{at}": meanings[:, at] for at in range(meanings.shape[1])}
        for *key, label, number in _count_rows(
            pa.table(columns | {"label": table["label"], "number": table["number"]})
        ):
            self.days[tuple(key), label] += number
        self.empty += int(np.asarray(table["number"])[np.asarray(pc.equal(table["value"], ""))].sum())
        self._update_examples(texts.dictionary.to_pylist(), readings)

    def _update_examples(self, texts: list[str], readings: Readings) -> None:
        """Keep the first value in the alphabet of every kind and way to be a date."""
        for text, sign, kind in zip(texts, signatures(readings.days).tolist(), readings.kinds.tolist(), strict=True):
            if text and text < self.examples.get((sign, kind), "\U0010ffff"):
                self.examples[sign, kind] = text

    def _check_groups(self) -> None:
        """Stop as soon as the column is clearly neither groups nor dates."""
        dates = sum(number for (key, _), number in self.days.items() if any(day != NO_DAY for day in key[:3]))
        if self.too_many and (self.every == VALUE or 2 * dates < sum(self.days.values()) - self.empty):
            raise self._too_many_groups()

    def _too_many_groups(self) -> DocumentError:
        return DocumentError(
            f"column {self.column!r} has more than {MAX_GROUPS:,} different values, expected groups (a party, a "
            "product) or dates such as 2016-11-08: choose another column"
        )

    def tally(self) -> Tally:
        """Documents by group and label: by date if the column has dates, with zeros for periods between."""
        self._read_pending()
        if self.every != VALUE:
            dates = ColumnDates(self.column, self.every, self.date_order, self.days, self.examples, self.empty)
            if dates.is_dates:
                return dates.tally()
            dates.check_not_requested()
        if self.too_many:
            raise self._too_many_groups()
        return self.names


def make_grouping(column: str | None, every: str | None = None, date_order: str | None = None) -> Grouping | None:
    """The grouping by a column; None without a column."""
    if column and not isinstance(column, str):
        raise ProblexError(f"{was_given('by', column)}, expected the name of one column")
    if column:
        return Grouping(column, every, date_order)
    for name, value in (("every", every), ("date_order", date_order)):
        if value is not None:
            raise ProblexError(f"{was_given(name, value)} without {opt('by')}, expected a column of dates to count by")
    return None


def groups_of(
    parts: Iterable[object], column: str, every: str | None = None, date_order: str | None = None
) -> NDArray[np.object_]:
    """The group of each document: its value, or the period of its date if the column has dates.

    `parts` are the values of consecutive documents; `every` and `date_order` are those of `Grouping`.

    >>> groups_of([["24/12/2004", "02/01/2005"], ["31/01/2005"]], "when", every="year").tolist()
    ['2004', '2005', '2005']
    """
    grouping, number = Grouping(column, every, date_order), 0
    for values in map(as_array, parts):
        # Each document is counted under a label of its own, so that the tally has the group of each.
        grouping.add(values, map(str, range(number, number + len(values))))
        number += len(values)
    groups = np.full(number, NO_GROUP, dtype=object)
    for (group, document), documents in grouping.tally().items():
        if documents:
            groups[int(document)] = group
    return groups


def in_order(names: Iterable[str]) -> list[str]:
    """The names of groups in the order of numbers if all are, otherwise of the alphabet; those without a value last.

    >>> in_order(["10", "2", "(none)"]), in_order(["b", "10", "2"])
    (['2', '10', '(none)'], ['10', '2', 'b'])
    """
    last = (NO_DATE, NO_GROUP)
    names = sorted(set(names), key=lambda name: (name in last, name))
    if are_numbers(name for name in names if name not in last):
        names.sort(key=lambda name: (name in last, 0.0 if name in last else float(name)))
    return names


def are_numbers(names: Iterable[str]) -> bool:
    """Whether all names of groups are numbers, such as ratings.

    >>> are_numbers(["-1", "2.5"]), are_numbers(["2", "2nd"])
    (True, False)
    """
    return all(_NUMBER.fullmatch(name) for name in names)


def _count_rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    """The distinct rows of a table, each with its number, which is the sum of the last column.

    >>> table = pa.table({"value": ["a", "b", "a"], "label": ["x", "x", "x"], "number": [2, 1, 5]})
    >>> sorted(_count_rows(table))
    [('a', 'x', 7), ('b', 'x', 1)]
    """
    *names, number = table.column_names
    counted = table.group_by(names).aggregate([(number, "sum")])
    columns = [counted[name].to_pylist() for name in (*names, f"{number}_sum")]
    return zip(*columns, strict=True)


def as_array(values: object) -> pa.Array:
    """A column of Arrow, or of a frame, or any values; if their types are mixed, as texts.

    >>> as_array([1, "b", None]).to_pylist()
    ['1', 'b', None]
    """
    if isinstance(values, pa.ChunkedArray):
        return values.combine_chunks()
    if isinstance(values, pa.Array):
        return values
    column = nw.from_native(values, pass_through=True, allow_series=True)
    try:
        return as_array(column.to_arrow()) if isinstance(column, nw.Series) else pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        texts = [None if value is None else str(value) for value in values]  # type: ignore[attr-defined]
        return pa.array(texts, pa.string())
