"""How often each label was given, in all and by group or date, with intervals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from problex.errors import DocumentError

MOST_GROUPS = 10_000
"""Different values beyond which a column is no grouping."""
MOST_MONTHS = 36
"""Months beyond which dates are joined by year."""
NONE = "(none)"
"""Where a document has no value, or no date among dates."""
REST = "(all others)"
_DATE = re.compile(r"(\d{4})[-/](0[1-9]|1[0-2])(?:[-/](?:0[1-9]|[12]\d|3[01])(?:[T ].*)?)?")
_TIME = re.compile(r"\d{4}(?:-\d{2})?")

Tally = Mapping[tuple[str, str], int]
"""Documents by group and label."""


def wilson(hits: int, total: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a share by Wilson's score: it holds for few documents and for shares near 0 and 1.

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    from scipy.stats import binomtest

    if total == 0:
        return 0.0, 1.0
    found = binomtest(hits, total).proportion_ci(level, method="wilson")
    return float(found.low), float(found.high)


def month_of(value: object) -> str | None:
    """The month of a date written with the year first; None for anything else.

    >>> month_of("2016/11/08"), month_of("2016-11-08 12:30"), month_of("8.11.2016"), month_of(2016)
    ('2016-11', '2016-11', None, None)
    """
    found = _DATE.fullmatch(str(value).strip())
    return f"{found[1]}-{found[2]}" if found else None


@dataclass
class Grouping:
    """Gathers labels by the values of one column; whether those are dates is judged by the first that come."""

    column: str
    tally: Counter[tuple[str, str]]
    dates: bool | None = None

    @classmethod
    def of(cls, column: str) -> Grouping:
        """An empty one."""
        return cls(column, Counter())

    def add(self, values: Iterable[object], labels: Iterable[str]) -> None:
        """Count some documents."""
        given = list(values)
        present = [value for value in given if value is not None and value != ""]
        if self.dates is None and present:
            self.dates = sum(month_of(value) is not None for value in present) >= 0.9 * len(present)
        names = [month_of(value) or NONE for value in given] if self.dates else [_name(value) for value in given]
        self.tally.update(zip(names, labels, strict=True))
        if len(self.tally) > MOST_GROUPS and len({group for group, _ in self.tally}) > MOST_GROUPS:
            raise DocumentError(
                f"column {self.column!r} has more than {MOST_GROUPS:,} different values, expected groups (a party, a "
                "product) or dates such as 2016-11-08: choose another column"
            )


def _name(value: object) -> str:
    return NONE if value is None or str(value).strip() == "" else str(value).strip()


def share_records(tally: Tally, classes: tuple[str, ...], *, most: int = 30) -> list[dict[str, Any]]:
    """A record per group and label: its share of the decided documents, with Wilson's interval.

    Dates come in order, by year if there are many months; other groups the largest first, the smallest as one.

    >>> rows = share_records({("a", "bad"): 1, ("a", "good"): 3, ("b", "undecided"): 2}, ("bad", "good"))
    >>> [(row["group"], row["label"], row["share"], row["undecided"]) for row in rows]
    [('a', 'bad', 0.25, 0), ('a', 'good', 0.75, 0), ('b', 'bad', None, 2), ('b', 'good', None, 2)]
    """
    joined = _joined(tally, most)
    rows: list[dict[str, Any]] = []
    for group in _ordered(joined):
        counts = {label: number for (name, label), number in joined.items() if name == group}
        decided = sum(counts.get(label, 0) for label in classes)
        for label in classes:
            hits = counts.get(label, 0)
            low, high = wilson(hits, decided)
            rows.append(
                {
                    "group": group,
                    "label": label,
                    "documents": sum(counts.values()),
                    "undecided": sum(counts.values()) - decided,
                    "hits": hits,
                    "share": hits / decided if decided else None,
                    "low": low if decided else None,
                    "high": high if decided else None,
                }
            )
    return rows


def is_time(records: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the groups are months or years.

    >>> is_time([{"group": "2016-11"}, {"group": "2016-12"}, {"group": NONE}]), is_time([{"group": "books"}])
    (True, False)
    """
    names = {row["group"] for row in records} - {NONE}
    return len(names) > 1 and all(_TIME.fullmatch(name) for name in names)


def _joined(tally: Tally, most: int) -> Counter[tuple[str, str]]:
    """Months as years where there are too many, small groups as one."""
    sizes: Counter[str] = Counter()
    for (group, _), number in tally.items():
        sizes[group] += number
    if is_time({"group": name} for name in sizes):
        many = len(sizes) > MOST_MONTHS
        new = {name: name[:4] if many and name != NONE else name for name in sizes}
    else:
        kept = {name for name, _ in sizes.most_common(most)} if len(sizes) > most + 1 else set(sizes)
        new = {name: name if name in kept else REST for name in sizes}
    found: Counter[tuple[str, str]] = Counter()
    for (group, label), number in tally.items():
        found[new[group], label] += number
    return found


def _ordered(tally: Tally) -> list[str]:
    sizes: Counter[str] = Counter()
    for (group, _), number in tally.items():
        sizes[group] += number
    last = {NONE: 2, REST: 1}
    if is_time({"group": name} for name in sizes):
        return sorted(sizes, key=lambda name: (last.get(name, 0), name))
    return sorted(sizes, key=lambda name: (last.get(name, 0), -sizes[name], name))
