"""The share of each predicted label among all documents, in all and by group or date.

These shares have no intervals: how far they are from the shares of the true labels is not known without labels of a
person (`share_estimates`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.formatting import format_interval, format_percent
from problex._util.records import Record
from problex.corpus import Batch, Reading, batches
from problex.counting.copies import CopyCounter
from problex.errors import DocumentError, opt
from problex.grouping.date_columns import NO_DATE, Tally
from problex.grouping.dates import DATE_PATTERN
from problex.grouping.grouping import NO_GROUP, Grouping, are_numbers, as_array, make_grouping
from problex.model.model import Model
from problex.scoring.scorer import score_batches
from problex.scoring.scores import UNDECIDED, Scores
from problex.shares.grid import GridCounter, GridCounts

OTHER_GROUPS = "(all others)"
"""The group of all small groups."""
LEFTOVER = frozenset({NO_GROUP, NO_DATE, OTHER_GROUPS})
"""Groups of documents that have nothing in common but what they lack."""
MAX_GROUPS = 30
"""Groups that are shown; the smaller ones are joined."""
MAX_COMPARED = 20
"""Labels above which groups are not compared without labels of a person, because it would take long."""
ALL_DOCUMENTS = "(all)"
"""The group of all documents, if there is no column to group by."""
Z = 1.959963984540054
"""The quantile .975 of the normal distribution."""
_TIME = re.compile(DATE_PATTERN)


class ShareOptions(Reading, total=False):
    """The options of `share_table` that other functions pass on."""

    by: Any
    every: str | None
    date_order: str | None
    text: str | None
    markup: bool
    confidence: float | None
    threads: int | None


def share_table(documents: Any, model: Model, **options: Unpack[ShareOptions]) -> list[Record]:
    """Label documents of any source and return the share of each label, in all or by group or date.

    `by` is the name of a column of the documents, or a value for each document. Dates are counted by `every` day, week,
    month, quarter or year (None: as suits the time they cover; "value": as they are written). `date_order`, dmy, mdy or
    ymd, is needed only where the dates leave it open. The records are those of `share_records`.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", "a day"] * 20
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> rows = share_table(texts, model, by=["2024", "2025"] * 60)
    >>> [(row["group"], row["label"], row["documents"], round(row["share"], 3)) for row in rows][:3]
    [('2024', 'negative', 60, 0.333), ('2024', 'positive', 60, 0.333), ('2024', 'undecided', 60, 0.333)]
    """
    return share_records(count_shares(documents, model, **options).tally(), model.classes, max_groups=None)


def count_shares(
    documents: Any,
    model: Model,
    *,
    labelled: Labelled | None = None,
    by: Any = None,
    every: str | None = None,
    date_order: str | None = None,
    text: str | None = None,
    markup: bool = False,
    confidence: float | None = None,
    threads: int | None = None,
    **reading: Unpack[Reading],
) -> ShareCounter:
    """Label documents of any source and count the labels, and the probabilities by group."""
    column = by if isinstance(by, str) else None
    stream = batches(documents, text=text, keep=[column] if column else [], **reading)
    grouping = make_grouping(by if column or by is None else "by", every, date_order)
    counter = ShareCounter.for_classes(grouping, model.classes, labelled)
    values = None if by is None or column else as_array(by)
    for batch, scores in score_batches(stream, model, markup=markup, threads=threads, rows=counter.compares):
        counter.add(batch, scores, values, confidence)
    if values is not None and len(values) != counter.documents:
        raise DocumentError(
            f"{opt('by')} has {len(values):,} values, expected one for each of the {counter.documents:,} documents"
        )
    return counter


@dataclass(frozen=True)
class Labelled:
    """Labelled documents: how many there are, and how to find them in a batch (their numbers, -1 for all others)."""

    documents: int
    find: Callable[[Batch], IntArray]


class ShareCounter:
    """Counts the labels of scored batches, in all or by group; with the number of `classes`, also the probabilities.

    It `compares` groups if they are counted so and there are no labelled documents.
    """

    def __init__(self, grouping: Grouping | None = None, classes: int = 0, labelled: Labelled | None = None) -> None:
        self.grouping = grouping
        self.labels: Counter[str] = Counter()
        self.labelled = labelled
        self.copies = CopyCounter()
        self._tally: Tally | None = None
        self.grid: GridCounter | None = None
        if classes:
            # A grouping of its own: whether a column has dates is decided by documents, each counted once.
            again = grouping and Grouping(grouping.column, grouping.every, grouping.date_order)
            number, compared = labelled.documents if labelled else 0, not labelled and grouping is not None
            self.grid = GridCounter(classes, again, ALL_DOCUMENTS, number, compared)

    @classmethod
    def for_classes(
        cls, grouping: Grouping | None, classes: tuple[str, ...], labelled: Labelled | None = None
    ) -> ShareCounter:
        """A counter that also counts the probabilities, if there are labelled documents or groups to compare."""
        compared = grouping is not None and len(classes) <= MAX_COMPARED
        return cls(grouping, len(classes) if labelled or compared else 0, labelled)

    @property
    def compares(self) -> bool:
        """Whether groups can be compared; then the scores should have their `rows`."""
        return self.grid is not None and self.grid.compared

    @property
    def documents(self) -> int:
        """Documents so far."""
        return sum(self.labels.values())

    def add(
        self, batch: Batch, scores: Scores, values: pa.Array | None = None, confidence: float | None = None
    ) -> None:
        """Count a batch; its groups are in the column that it has kept, or in `values`, one for each document."""
        names = scores.labels(confidence=confidence)
        labels = names.tolist()
        self.labels.update(labels)
        self.copies.add(scores.text_keys)
        groups: pa.Array | None = None
        if self.grouping is not None:
            if values is not None:
                groups = values[batch.first_row : batch.first_row + len(labels)]
                if len(groups) < len(labels):
                    return  # there are too few values, which is an error at the end
            elif batch.columns is not None:
                groups = batch.columns[self.grouping.column]
            self.grouping.add(groups, labels)
        if self.grid is not None:
            self.grid.add(scores, groups, self.labelled.find(batch) if self.labelled else None, names)

    def add_counts(self, groups: object, labels: Sequence[str], numbers: Sequence[int]) -> None:
        """Count documents that were counted elsewhere: how many have each label, and each value of `groups`.

        >>> counter = ShareCounter()
        >>> counter.add_counts(None, ["good", "bad", "good"], [3, 1, 2])
        >>> counter.documents, counter.tally()
        (6, {('(all)', 'good'): 5, ('(all)', 'bad'): 1})
        """
        for label, number in zip(labels, numbers, strict=True):
            self.labels[label] += number
        if self.grouping is not None:
            self.grouping.add(groups, labels, numbers)

    def grid_counts(self, max_groups: int | None = None) -> GridCounts:
        """Documents by group and probability, with the groups and the order of `share_records`."""
        if self.grid is None:
            raise AssertionError("the probabilities were not counted")
        tally = self.tally()
        shown = _join_groups(tally, max_groups)
        names = {name for name, _ in shown}
        return self.grid.counts().joined(
            {group: group if group in names else OTHER_GROUPS for group, _ in tally}, _order_groups(shown), LEFTOVER
        )

    def tally(self) -> Tally:
        """Documents by group and label; raise if there are none."""
        if not self.labels:
            raise DocumentError("there are no documents to count, expected at least one text")
        if self._tally is None:  # once, because of the notes about dates
            whole = {(ALL_DOCUMENTS, label): number for label, number in self.labels.items()}
            self._tally = self.grouping.tally() if self.grouping else whole
        return self._tally


def share_records(tally: Tally, classes: tuple[str, ...], *, max_groups: int | None = MAX_GROUPS) -> list[Record]:
    """A record per group and label, with `undecided` as the last label: its share of all documents of the group.

    The shares of a group add up to 1. `share_decided` is the share of the decided documents.
    Dates and numbers are in order; other groups are ordered by size, and all but the largest `max_groups` are joined.

    >>> rows = share_records({("a", "bad"): 1, ("a", "good"): 2, ("a", "undecided"): 1}, ("bad", "good"))
    >>> [(row["group"], row["label"], row["share"]) for row in rows]
    [('a', 'bad', 0.25), ('a', 'good', 0.5), ('a', 'undecided', 0.25)]
    >>> rows[1]["documents"], rows[1]["hits"], round(rows[1]["share_decided"], 3)
    (4, 2, 0.667)
    """
    joined = _join_groups(tally, max_groups)
    by_group: dict[str, Counter[str]] = {}
    for (group, label), number in joined.items():
        by_group.setdefault(group, Counter())[label] += number
    return [
        _share_record(group, label, by_group[group])
        for group in _order_groups(joined)
        for label in (*classes, UNDECIDED)
    ]


def _share_record(group: str, label: str, counts: Counter[str]) -> Record:
    hits, total = counts[label], sum(counts.values())
    decided = total - counts[UNDECIDED]
    return {
        "group": group,
        "label": label,
        "documents": total,
        "undecided": counts[UNDECIDED],
        "hits": hits,
        "share": hits / total if total else None,
        "share_decided": hits / decided if decided and label != UNDECIDED else None,
    }


def share_grid(records: Iterable[Record], *, estimates: bool = False) -> list[Record]:
    """A record per group, with the share of each label in a column of its own, in percent.

    With `estimates`, these are the estimated shares and their intervals.

    >>> share_grid(share_records({("a", "bad"): 1, ("a", "good"): 3}, ("bad", "good")))
    [{'group': 'a', 'documents': 4, 'bad': '25.0%', 'good': '75.0%', 'undecided': '0.0%'}]
    >>> row = {"group": "a", "documents": 4, "labels": 2, "label": "good", "estimate": 0.5, "low": 0.25, "high": 0.75}
    >>> share_grid([row, row | {"label": "undecided", "estimate": None}], estimates=True)
    [{'group': 'a', 'documents': 4, 'labels': 2, 'good': '50.0% (25.0 to 75.0)'}]
    """
    first = ("group", "documents", "labels") if estimates else ("group", "documents")
    grid: dict[str, Record] = {}
    for row in records:
        line = grid.setdefault(row["group"], {name: row[name] for name in first})
        name = f"label {row['label']}" if row["label"] in first else row["label"]
        if not estimates:
            line[name] = None if row["share"] is None else format_percent(row["share"])
        elif row["label"] != UNDECIDED:
            line[name] = "-" if row["estimate"] is None else format_estimate(row)
    return list(grid.values())


def format_estimate(row: Record) -> str:
    """The estimate of a record with its interval, in percent.

    >>> format_estimate({"estimate": 0.571, "low": 0.571, "high": 0.571})
    '57.1% (all labelled)'
    """
    return f"{row['estimate']:.1%} ({format_interval(100 * row['low'], 100 * row['high'], '{:.1f}'.format)})"


def is_time(records: Iterable[Record]) -> bool:
    """Whether the groups are dates: days, weeks, months, quarters or years.

    >>> is_time([{"group": "2016-11"}, {"group": "2016-12"}, {"group": NO_DATE}]), is_time([{"group": "books"}])
    (True, False)
    >>> is_time([{"group": "2016-11"}, {"group": "2016-11"}])           # a single date is no time
    False
    """
    names = {row["group"] for row in records} - {NO_GROUP, NO_DATE}
    return len(names) > 1 and all(_TIME.fullmatch(name) for name in names)


def _sizes(tally: Tally) -> Counter[str]:
    """Documents by group."""
    sizes: Counter[str] = Counter()
    for (group, _), number in tally.items():
        sizes[group] += number
    return sizes


def _join_groups(tally: Tally, max_groups: int | None) -> Tally:
    """Join small groups to one, unless they are dates.

    >>> dict(_join_groups({("a", "x"): 5, ("b", "x"): 2, ("c", "x"): 1}, max_groups=1))
    {('a', 'x'): 5, ('(all others)', 'x'): 3}
    """
    sizes = _sizes(tally)
    if max_groups is None or len(sizes) <= max_groups + 1 or is_time({"group": name} for name in sizes):
        return tally
    large = {name for name, _ in sizes.most_common(max_groups)}
    joined: Counter[tuple[str, str]] = Counter()
    for (group, label), number in tally.items():
        joined[group if group in large else OTHER_GROUPS, label] += number
    return joined


def _order_groups(tally: Tally) -> list[str]:
    """Dates and numbers in order, other groups by size; the joined groups and documents without a group come last.

    >>> _order_groups({("b", "x"): 1, ("a", "x"): 1, ("c", "x"): 9, (NO_GROUP, "x"): 99})
    ['c', 'a', 'b', '(none)']
    >>> _order_groups({("10", "x"): 9, ("9", "x"): 1}), _order_groups({("2024-Q2", "x"): 1, ("2024-Q1", "x"): 1})
    (['9', '10'], ['2024-Q1', '2024-Q2'])
    """
    sizes, last = _sizes(tally), {NO_DATE: 2, NO_GROUP: 2, OTHER_GROUPS: 1}
    if is_time({"group": name} for name in sizes):
        return sorted(sizes, key=lambda name: (last.get(name, 0), name))
    if are_numbers(name for name in sizes if name not in last):
        return sorted(sizes, key=lambda name: (last.get(name, 0), float(name) if name not in last else 0.0))
    return sorted(sizes, key=lambda name: (last.get(name, 0), -sizes[name], name))
