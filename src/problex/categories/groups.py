"""`GroupSums`: the mean percentage of each category by the values of a column, or by period if they are dates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record
from problex.categories.matcher import Found
from problex.categories.tables import divide
from problex.errors import DocumentError, opt
from problex.grouping.dates import as_texts
from problex.grouping.grouping import as_array, groups_of, in_order

MAX_CELLS = 1 << 23
"""Sums of values and categories that are kept; more values are no groups."""


@dataclass(eq=False)
class GroupSums:
    """Documents with words and sums of percentages, for each value of a column; periods are found at the end."""

    column: str
    categories: tuple[str, ...]
    every: str | None = None
    date_order: str | None = None
    places: dict[str, int] = field(default_factory=dict)
    documents: list[int] = field(default_factory=list)
    percents: list[FloatArray] = field(default_factory=list)

    def add(self, part: tuple[list[str], IntArray, FloatArray]) -> None:
        """Add the sums of a batch, from `sum_by_value`."""
        for value, number, percents in zip(*part, strict=True):
            at = self.places.setdefault(value, len(self.places))
            if at == len(self.documents):
                self.documents.append(0)
                self.percents.append(np.zeros(len(self.categories)))
            self.documents[at] += int(number)
            self.percents[at] += percents
        if len(self.places) * len(self.categories) > MAX_CELLS:
            raise DocumentError(
                f"column {self.column!r} has more than {MAX_CELLS // len(self.categories):,} different values, "
                "expected groups (a party, a product) or dates such as 2016-11-08: choose another column with "
                f"{opt('by')}"
            )

    def records(self) -> list[Record]:
        """One record per group: its name, documents, and the mean percentage of each category; dates in order."""
        values = list(self.places)
        groups = groups_of([values], self.column, self.every, self.date_order)
        names = in_order(map(str, groups))
        place = {name: at for at, name in enumerate(names)}
        rows = np.array([place[str(group)] for group in groups], np.int64)
        documents = np.bincount(rows, np.array(self.documents, np.float64), minlength=len(names))
        sums = np.zeros((len(names), len(self.categories)))
        np.add.at(sums, rows, np.array(self.percents))
        means = divide(sums, documents[:, None] + np.zeros_like(sums))
        return [
            {"group": name, "documents": int(documents[at])}
            | dict(zip(self.categories, means[at].tolist(), strict=True))
            for at, name in enumerate(names)
            if documents[at]
        ]


def sum_by_value(values: object, found: Found) -> tuple[list[str], IntArray, FloatArray]:
    """The different values of documents with words, how many have each, and their sums of percentages."""
    lengths = found.lengths
    texts = as_texts(as_array(values)).dictionary_encode()
    codes = np.asarray(texts.indices)[lengths > 0]
    size = len(texts.dictionary)
    percents = 100.0 * found.counts[lengths > 0] / lengths[lengths > 0][:, None]
    sums = np.zeros((size, found.counts.shape[1]))
    np.add.at(sums, codes, percents)
    return texts.dictionary.to_pylist(), np.bincount(codes, minlength=size), sums
