"""For which list an entry is used: which list leads in its documents, without the entry itself.

The sample of documents in `Counts` is enough. An entry of which most uses are those of its own list is no fault,
however noisy it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex.counting.counts import Counts

NO_LEAD = -1
"""Leading list of a document without other entries, or with a tie."""
MIN_CERTAINTY, MIN_CERTAINTY_OF_MANY = 0.5, 0.95
"""Probability that another list uses an entry more than its own, from which it is a fault; of three lists or more.

Of two lists, an entry that both use alike only adds noise. Of more, it still speaks against the others, so that another
list must clearly use it more.
"""
MIN_CERTAINTY_OF_MATCH = 0.05
"""The same for a match of a wildcard, of two lists: only a match that its own list clearly uses more is kept."""


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
        """Whether another list uses the entry more than its own, with enough certainty."""
        return self.certainty >= (MIN_CERTAINTY if len(self.rates) == 2 else MIN_CERTAINTY_OF_MANY)

    @property
    def may_be_chance(self) -> bool:
        """Whether a match of a wildcard may have nothing to do with its list."""
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
    """The sum of the weights of the documents, or their number, by leading list."""
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
