"""For which list an entry is used: which list leads in its documents, without the entry itself.

The sample of documents in `Counts` is enough. An entry of which most uses are those of its own list is no fault,
however noisy it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex.counting.counts import Counts
from problex.doctor.associations import OUTSIDE
from problex.expansion.learn import OutsideView

NO_LEAD = -1
"""Leading list of a document without other entries, or with a tie."""
MIN_CERTAINTY, MIN_CERTAINTY_OF_MANY = 0.5, 0.95
"""Probability that another list uses an entry more than its own, from which it is a fault; of three lists or more.

Of two lists, an entry that both use alike only adds noise. Of more, it still speaks against the others, so that another
list must clearly use it more.
"""
MIN_CERTAINTY_OF_MATCH = 0.05
"""The same for a match of a wildcard, of two lists: only a match that its own list clearly uses more is kept."""
MIN_STANDARD_ERRORS = 2.0
"""Standard errors by which an edit must raise the accuracy to be proposed."""


class Use(NamedTuple):
    """How an entry is used: `rates` are its occurrences per document in which each list leads.

    Of the other lists the `rival` has the highest rate; `certainty` is the probability that it is higher than the rate
    of the entry's own list.
    """

    rates: FloatArray
    rival: int
    certainty: float

    @property
    def is_elsewhere(self) -> bool:
        """Whether another list uses the entry more than its own, with enough certainty.

        >>> Use(np.zeros(2), 1, 0.6).is_elsewhere, Use(np.zeros(3), 1, 0.6).is_elsewhere    # of two lists, of three
        (True, False)
        """
        return self.certainty >= (MIN_CERTAINTY if len(self.rates) == 2 else MIN_CERTAINTY_OF_MANY)

    @property
    def may_be_chance(self) -> bool:
        """Whether a match of a wildcard may have nothing to do with its list.

        >>> Use(np.zeros(2), 1, 0.06).may_be_chance, Use(np.zeros(3), 1, 0.06).may_be_chance
        (True, False)
        """
        return self.certainty >= (MIN_CERTAINTY_OF_MATCH if len(self.rates) == 2 else MIN_CERTAINTY_OF_MANY)


@dataclass(frozen=True, eq=False)
class Usage:
    """The documents of a sample as counts of entries (D, E), and the list of each entry."""

    matrix: sparse.csc_array
    list_index: IntArray
    totals: FloatArray

    @cached_property
    def leading(self) -> IntArray:
        """The leading list of each document, with all entries."""
        return leading_lists(self.totals)

    def of(self, entry: int) -> Use:
        """How an entry is used; a certainty of one half if no document tells.

        Documents are the units that vary: the variance of a sum of occurrences is the sum of their squares.

        >>> matrix = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]])            # the first and the last entry are of list 0
        >>> totals = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 0.0]])
        >>> use = Usage(sparse.csc_array(matrix), np.array([0, 1, 0]), totals).of(0)
        >>> use.rates.tolist(), use.rival                               # always with the other list
        ([0.0, 1.0], 1)
        """
        own, (start, end) = int(self.list_index[entry]), self.matrix.indptr[entry : entry + 2]
        rows, counts = self.matrix.indices[start:end], self.matrix.data[start:end].astype(np.float64)
        others = self.totals[rows]
        others[:, own] -= counts
        leading, lists = leading_lists(others), self.totals.shape[1]
        sums, squares = (_by_list(leading, lists, counts**power) for power in (1, 2))
        led = _by_list(self.leading, lists) - _by_list(self.leading[rows], lists) + _by_list(leading, lists)
        rates = sums / np.maximum(led, 1.0)
        rival = int(np.argmax(np.where(np.arange(lists) == own, -1.0, rates)))
        pair = [own, rival]
        error = float(np.sqrt(np.sum(np.maximum(squares[pair], 1.0) / np.maximum(led[pair], 1.0) ** 2)))
        return Use(rates, rival, float(ndtr((rates[rival] - rates[own]) / error)))


def leading_lists(totals: FloatArray) -> IntArray:
    """The list with the most tokens in each document, `NO_LEAD` for ties and for documents without any.

    >>> leading_lists(np.array([[2.0, 1.0], [1.0, 1.0], [0.0, 3.0]])).tolist()
    [0, -1, 1]
    """
    most = totals == totals.max(axis=1, keepdims=True)
    return np.where(most.sum(axis=1) == 1, totals.argmax(axis=1), NO_LEAD)


def _by_list(leading: IntArray, lists: int, weights: FloatArray | None = None) -> FloatArray:
    """The sum of the weights of the documents, or their number, by leading list.

    >>> _by_list(np.array([0, NO_LEAD, 1, 1]), 2, np.array([1.0, 5.0, 2.0, 3.0])).tolist()
    [1.0, 5.0]
    """
    known = leading != NO_LEAD
    sums = np.bincount(leading[known], None if weights is None else weights[known], minlength=lists)
    return np.asarray(sums, dtype=np.float64)


def measure_usage(counts: Counts) -> Usage:
    """The usage of the entries of counts, in their order.

    >>> from problex import Lexicon, count
    >>> lexicon = Lexicon({"sport": ["goal", "team", "mobile"], "tech": ["phone", "software"]})
    >>> texts = ["mobile phone a", "mobile software b", "mobile software phone c", "goal team d", "team e", "goal f"]
    >>> counts = count(texts, lexicon)
    >>> use = measure_usage(counts).of(counts.entries.index("mobile"))
    >>> use.rates.tolist(), counts.lists[use.rival], round(use.certainty, 2)
    ([0.0, 1.0], 'tech', 0.93)
    """
    matrix = counts.sample.matrix
    totals = np.asarray(matrix @ np.eye(len(counts.lists))[counts.list_index], dtype=np.float64)
    return Usage(sparse.csc_array(matrix), counts.list_index, totals)


class Trial(NamedTuple):
    """The change of the accuracy of counting by an edit, and its standard error."""

    gain: float
    error: float

    @property
    def helps(self) -> bool:
        """Whether the accuracy rises by two standard errors or more.

        >>> Trial(0.02, 0.009).helps, Trial(0.02, 0.011).helps
        (True, False)
        """
        return self.gain > 0 and self.gain >= MIN_STANDARD_ERRORS * self.error

    @property
    def certainty(self) -> float:
        """The probability that the accuracy rises.

        >>> round(Trial(0.02, 0.02).certainty, 4), Trial(0.0, 0.0).certainty
        (0.8413, 0.5)
        """
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
        after, position = before.copy(), np.zeros(len(self._totals), dtype=np.int64)
        position[rows] = np.arange(len(rows))
        for column, old, new in known:
            documents, counts = self._column(column)
            for label, sign in ((old, -1.0), (new, 1.0)):
                if label != OUTSIDE:
                    after[position[documents], label] += sign * counts
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
    >>> rightness(np.zeros((1, 4)), np.array([2])).tolist()             # no token of any list
    [0.25]
    """
    best = totals == totals.max(axis=1, keepdims=True)
    return np.asarray(best[np.arange(len(labels)), labels] / best.sum(axis=1), dtype=np.float64)
