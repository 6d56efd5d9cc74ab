"""The share of each label among all documents, in all and by group or date, with intervals of the counting error."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from problex._util.records import Record
from problex.corpus import Batch, Reading, batches
from problex.errors import DocumentError
from problex.estimation.model import Model
from problex.evaluation.date_bins import DATE_PATTERN
from problex.evaluation.date_choice import NO_DATE, Tally
from problex.evaluation.grouping import NO_GROUP, Grouping, as_array, make_grouping
from problex.scoring.scorer import score_batches
from problex.scoring.scores import UNDECIDED, Scores

OTHER_GROUPS = "(all others)"
"""The group of all small groups."""
ALL_DOCUMENTS = "(all)"
"""The group of all documents, if there is no column to group by."""
Z = 1.959963984540054
"""The quantile .975 of the normal distribution."""
_TIME = re.compile(DATE_PATTERN)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Wilson's score interval of 95 % for a share: it holds for few documents and for shares near 0 and 1.

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    if total == 0:
        return 0.0, 1.0
    share, pull = hits / total, Z**2 / total
    centre = (share + pull / 2) / (1 + pull)
    half = float(np.sqrt(share * (1 - share) * pull + pull**2 / 4)) / (1 + pull)
    return max(0.0, centre - half) if hits else 0.0, min(1.0, centre + half) if hits < total else 1.0


def share_table(
    documents: Any,
    model: Model,
    *,
    by: Any = None,
    every: str | None = None,
    date_order: str | None = None,
    text: str | None = None,
    markup: bool = False,
    confidence: float | None = None,
    threads: int | None = None,
    **reading: Unpack[Reading],
) -> list[Record]:
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
    column = by if isinstance(by, str) else None
    stream = batches(documents, text=text, keep=[column] if column else [], **reading)
    scored = score_batches(stream, model, markup=markup, threads=threads)
    counter = ShareCounter(make_grouping(by if column or by is None else "by", every, date_order))
    values = None if by is None or column else as_array(by)
    for batch, scores in scored:
        counter.add(batch, scores, values, confidence)
    if values is not None and len(values) != counter.documents:
        raise DocumentError(
            f"by=... has {len(values):,} values, expected one for each of the {counter.documents:,} documents"
        )
    return share_records(counter.tally(), model.classes, max_groups=None)


class ShareCounter:
    """Counts the labels of scored batches, in all or by group."""

    def __init__(self, grouping: Grouping | None = None) -> None:
        self.grouping = grouping
        self.labels: Counter[str] = Counter()

    @property
    def documents(self) -> int:
        """Documents so far."""
        return sum(self.labels.values())

    def add(
        self, batch: Batch, scores: Scores, values: pa.Array | None = None, confidence: float | None = None
    ) -> None:
        """Count a batch; its groups are in the column that it has kept, or in `values`, one for each document."""
        labels = scores.labels(confidence=confidence).tolist()
        self.labels.update(labels)
        if self.grouping is None:
            return
        if values is not None:
            groups = values[batch.first_row : batch.first_row + len(labels)]
            labels = labels[: len(groups)]
        else:
            groups = batch.columns[self.grouping.column] if batch.columns is not None else []
        self.grouping.add(groups, labels)

    def tally(self) -> Tally:
        """Documents by group and label; raise if there are none."""
        if not self.labels:
            raise DocumentError("there are no documents to count, expected at least one text")
        if self.grouping is None:
            return {(ALL_DOCUMENTS, label): number for label, number in self.labels.items()}
        return self.grouping.tally()


def share_records(tally: Tally, classes: tuple[str, ...], *, max_groups: int | None = 30) -> list[Record]:
    """A record per group and label, with `undecided` as the last label: its share of all documents of the group.

    The shares of a group add up to 1. `low` and `high` are Wilson's interval of the share: the error of counting few
    documents, without the errors of the classification. `share_decided` is the share of the decided documents.
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
    low, high = wilson(hits, total)
    return {
        "group": group,
        "label": label,
        "documents": total,
        "undecided": counts[UNDECIDED],
        "hits": hits,
        "share": hits / total if total else None,
        "low": low if total else None,
        "high": high if total else None,
        "share_decided": hits / decided if decided and label != UNDECIDED else None,
    }


def share_grid(records: Iterable[Record]) -> list[Record]:
    """A record per group, with the share of each label in a column of its own.

    >>> share_grid(share_records({("a", "bad"): 1, ("a", "good"): 3}, ("bad", "good")))
    [{'group': 'a', 'documents': 4, 'bad': 0.25, 'good': 0.75, 'undecided': 0.0}]
    """
    grid: dict[str, Record] = {}
    for row in records:
        line = grid.setdefault(row["group"], {"group": row["group"], "documents": row["documents"]})
        line[row["label"] if row["label"] not in ("group", "documents") else f"label {row['label']}"] = row["share"]
    return list(grid.values())


def is_time(records: Iterable[Record]) -> bool:
    """Whether the groups are dates: days, weeks, months, quarters or years.

    >>> is_time([{"group": "2016-11"}, {"group": "2016-12"}, {"group": NO_DATE}]), is_time([{"group": "books"}])
    (True, False)
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
    """Join small groups to one, unless they are dates."""
    sizes = _sizes(tally)
    if max_groups is None or len(sizes) <= max_groups + 1 or is_time({"group": name} for name in sizes):
        return tally
    large = {name for name, _ in sizes.most_common(max_groups)}
    joined: Counter[tuple[str, str]] = Counter()
    for (group, label), number in tally.items():
        joined[group if group in large else OTHER_GROUPS, label] += number
    return joined


def _order_groups(tally: Tally) -> list[str]:
    """Dates and numbers in order, other groups by size; the joined groups and documents without a group come last."""
    sizes, last = _sizes(tally), {NO_DATE: 2, NO_GROUP: 2, OTHER_GROUPS: 1}
    if is_time({"group": name} for name in sizes):
        return sorted(sizes, key=lambda name: (last.get(name, 0), name))
    if all(_NUMBER.fullmatch(name) for name in sizes if name not in last):
        return sorted(sizes, key=lambda name: (last.get(name, 0), float(name) if name not in last else 0.0))
    return sorted(sizes, key=lambda name: (last.get(name, 0), -sizes[name], name))
