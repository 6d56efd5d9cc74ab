"""Edits of lists of topics, tried on documents that were labelled by the words outside the lists.

These labels need no person, and the entries of the lists have no part in them. The change in the accuracy of counting,
with its standard error over documents, says whether an edit helps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import ndtr

from problex._util.arrays import FloatArray, IntArray
from problex.doctor.associations import OUTSIDE
from problex.expansion.expanded_model import OutsideView

MIN_STANDARD_ERRORS = 2.0
"""Standard errors by which an edit must raise the accuracy to be proposed."""


class Trial(NamedTuple):
    """The change of the accuracy of counting by an edit, and its standard error."""

    gain: float
    error: float

    @property
    def helps(self) -> bool:
        """Whether the accuracy rises by two standard errors or more."""
        return self.gain > 0 and self.gain >= MIN_STANDARD_ERRORS * self.error

    @property
    def certainty(self) -> float:
        """The probability that the accuracy rises."""
        return float(ndtr(self.gain / self.error)) if self.error > 0 else 0.5


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Documents with labels by the words outside the lists; `list_index` is the list of each word, or `OUTSIDE`."""

    view: OutsideView
    list_index: IntArray
    lists: int

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {word: at for at, word in enumerate(self.view.words)}

    @cached_property
    def _counts(self) -> sparse.csc_array:
        return sparse.csc_array(self.view.counts)

    @cached_property
    def _totals(self) -> FloatArray:
        """The tokens of each list in each document."""
        inside = np.flatnonzero(self.list_index != OUTSIDE)
        chosen = np.eye(self.lists)[self.list_index[inside]]
        return np.asarray(self.view.counts[:, inside] @ chosen, dtype=np.float64)

    def attempt(self, changes: Iterable[tuple[str, int, int]]) -> Trial:
        """Count again after changes: a word, its list and its new list each. Documents are the units that vary."""
        known = [(self._columns[word], old, new) for word, old, new in changes if word in self._columns]
        if not known:
            return Trial(0.0, 0.0)
        rows = np.unique(np.concatenate([self._column(column)[0] for column, _, _ in known]))
        before = self._totals[rows]
        after, place = before.copy(), np.zeros(len(self._totals), dtype=np.int64)
        place[rows] = np.arange(len(rows))
        for column, old, new in known:
            documents, counts = self._column(column)
            for label, sign in ((old, -1.0), (new, 1.0)):
                if label != OUTSIDE:
                    after[place[documents], label] += sign * counts
        labels, size = self.view.labels[rows], len(self._totals)
        changed = rightness(after, labels) - rightness(before, labels)
        gain = float(changed.sum()) / size
        return Trial(gain, float(np.sqrt(max(float((changed**2).sum()) / size - gain**2, 0.0) / size)))

    def _column(self, column: int) -> tuple[IntArray, FloatArray]:
        start, end = self._counts.indptr[column : column + 2]
        return self._counts.indices[start:end].astype(np.int64), self._counts.data[start:end].astype(np.float64)


def rightness(totals: FloatArray, labels: IntArray) -> FloatArray:
    """How right counting is for each document: 1 / n if its label is among n lists with the most tokens, else 0.

    >>> rightness(np.array([[2.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 3.0]]), np.array([0, 1, 0])).tolist()
    [1.0, 0.5, 0.0]
    """
    best = totals == totals.max(axis=1, keepdims=True)
    return np.asarray(best[np.arange(len(labels)), labels] / best.sum(axis=1), dtype=np.float64)
