"""The share of each label among the documents, in all and by group or date, with intervals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from problex._util.records import Record
from problex.errors import DocumentError
from problex.scoring.scores import UNDECIDED

MAX_GROUPS = 10_000
"""Distinct values above which a column is not accepted as a grouping."""
MAX_MONTHS = 36
"""Months above which dates are grouped by year."""
MIN_DATES = 0.9
"""Share of the values that must be dates for a column of dates."""
NO_GROUP = "(none)"
"""The group of documents without a value, or without a date in a column of dates."""
OTHER_GROUPS = "(all others)"
"""The group of all small groups."""
_DATE = re.compile(r"(\d{4})[-/](0[1-9]|1[0-2])(?:[-/](?:0[1-9]|[12]\d|3[01])(?:[T ].*)?)?")
_TIME = re.compile(r"\d{4}(?:-\d{2})?")

Tally = Mapping[tuple[str, str], int]
"""Documents by group and label."""


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Wilson's score interval of 95 % for a share: it holds for few documents and for shares near 0 and 1.

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    from scipy.stats import binomtest

    if total == 0:
        return 0.0, 1.0
    interval = binomtest(hits, total).proportion_ci(0.95, method="wilson")
    return float(interval.low), float(interval.high)


def month_of(value: object) -> str | None:
    """The month of a date written with the year first; None for anything else.

    >>> month_of("2016/11/08"), month_of("2016-11-08 12:30"), month_of("8.11.2016"), month_of(2016)
    ('2016-11', '2016-11', None, None)
    """
    match = _DATE.fullmatch(str(value).strip())
    return f"{match[1]}-{match[2]}" if match else None


@dataclass
class Grouping:
    """Counts labels by the values of one column; the first values decide whether it is a column of dates."""

    column: str
    tally: Counter[tuple[str, str]]
    dates: bool | None = None

    @classmethod
    def of(cls, column: str) -> Grouping:
        """No documents yet."""
        return cls(column, Counter())

    def add(self, values: Iterable[object], labels: Iterable[str]) -> None:
        """Count documents by the value and the label of each."""
        values = list(values)
        present = [value for value in values if value is not None and value != ""]
        if self.dates is None and present:
            self.dates = sum(month_of(value) is not None for value in present) >= MIN_DATES * len(present)
        names = [month_of(value) or NO_GROUP for value in values] if self.dates else [_name(value) for value in values]
        self.tally.update(zip(names, labels, strict=True))
        if len(self.tally) > MAX_GROUPS and len({group for group, _ in self.tally}) > MAX_GROUPS:
            raise DocumentError(
                f"column {self.column!r} has more than {MAX_GROUPS:,} different values, expected groups (a party, a "
                "product) or dates such as 2016-11-08: choose another column"
            )


def _name(value: object) -> str:
    return NO_GROUP if value is None or str(value).strip() == "" else str(value).strip()


def share_records(tally: Tally, classes: tuple[str, ...], *, max_groups: int = 30) -> list[Record]:
    """A record per group and label, with `undecided` as the last label: its share of all documents of the group.

    `low` and `high` are Wilson's interval. Dates are in order, grouped by year if there are many months; other groups
    are ordered by size, and all but the largest `max_groups` are joined.

    >>> rows = share_records({("a", "bad"): 1, ("a", "good"): 2, ("a", "undecided"): 1}, ("bad", "good"))
    >>> [(row["group"], row["label"], row["share"]) for row in rows]
    [('a', 'bad', 0.25), ('a', 'good', 0.5), ('a', 'undecided', 0.25)]
    """
    joined = _join_groups(tally, max_groups)
    rows: list[Record] = []
    for group in _order_groups(joined):
        counts = Counter({label: number for (name, label), number in joined.items() if name == group})
        for label in (*classes, UNDECIDED):
            low, high = wilson(counts[label], counts.total())
            rows.append(
                {
                    "group": group,
                    "label": label,
                    "documents": counts.total(),
                    "undecided": counts[UNDECIDED],
                    "hits": counts[label],
                    "share": counts[label] / counts.total(),
                    "low": low,
                    "high": high,
                }
            )
    return rows


def is_time(records: Iterable[Record]) -> bool:
    """Whether the groups are months or years.

    >>> is_time([{"group": "2016-11"}, {"group": "2016-12"}, {"group": NO_GROUP}]), is_time([{"group": "books"}])
    (True, False)
    """
    names = {row["group"] for row in records} - {NO_GROUP}
    return len(names) > 1 and all(_TIME.fullmatch(name) for name in names)


def _sizes(tally: Tally) -> Counter[str]:
    """Documents by group."""
    sizes: Counter[str] = Counter()
    for (group, _), number in tally.items():
        sizes[group] += number
    return sizes


def _join_groups(tally: Tally, max_groups: int) -> Counter[tuple[str, str]]:
    """Join months to years if there are many, and small groups to one."""
    sizes = _sizes(tally)
    if is_time({"group": name} for name in sizes):
        many = len(sizes) > MAX_MONTHS
        names = {name: name[:4] if many and name != NO_GROUP else name for name in sizes}
    else:
        large = {name for name, _ in sizes.most_common(max_groups)} if len(sizes) > max_groups + 1 else set(sizes)
        names = {name: name if name in large else OTHER_GROUPS for name in sizes}
    joined: Counter[tuple[str, str]] = Counter()
    for (group, label), number in tally.items():
        joined[names[group], label] += number
    return joined


def _order_groups(tally: Tally) -> list[str]:
    """Dates in order, other groups by size; the joined groups and documents without a group come last."""
    sizes = _sizes(tally)
    last = {NO_GROUP: 2, OTHER_GROUPS: 1}
    if is_time({"group": name} for name in sizes):
        return sorted(sizes, key=lambda name: (last.get(name, 0), name))
    return sorted(sizes, key=lambda name: (last.get(name, 0), -sizes[name], name))
