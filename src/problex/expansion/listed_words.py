"""`ListedWords`: the entries of a lexicon in the documents of a corpus, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.late import sparse
from problex.estimation.weight_checks import discounts
from problex.expansion.ridge import margins

MIN_DISCOUNT_DOCUMENTS = 10
"""The documents that an entry needs to be discounted for its repetitions."""


@dataclass(frozen=True, eq=False)
class ListedWords:
    """How often each entry occurs in each document, and the log-odds that the lexicon model gives it.

    `counts` are documents x entries; `lengths` are in tokens; `errors` are the standard errors of the log-odds;
    `concentration` is tau of the model. `words` has a number for each entry: a word and its negation have the same.
    Documents with the same of the `keys` are copies. `topics` is whether the lists are about topics, whose words are
    expected to repeat and are not discounted.
    """

    counts: sparse.csr_array
    lengths: FloatArray
    list_index: IntArray
    log_odds: FloatArray
    errors: FloatArray
    concentration: float
    words: IntArray
    lists: int
    keys: NDArray[np.uint64]
    topics: bool = False

    @cached_property
    def logarithms(self) -> sparse.csr_array:
        """1 + log count of each entry in each document that has it."""
        values = 1.0 + np.log(self.counts.data.astype(np.float64))
        return sparse.csr_array((values, self.counts.indices, self.counts.indptr), shape=self.counts.shape)

    @cached_property
    def present(self) -> sparse.csr_array:
        """One for each entry in each document that has it."""
        ones = np.ones(len(self.counts.data))
        return sparse.csr_array((ones, self.counts.indices, self.counts.indptr), shape=self.counts.shape)

    @cached_property
    def documents(self) -> FloatArray:
        """The number of documents with each entry."""
        return np.bincount(self.counts.indices, minlength=self.counts.shape[1]).astype(np.float64)

    @property
    def matched(self) -> BoolArray:
        """Which documents have an entry."""
        return np.diff(self.counts.indptr) > 0

    @cached_property
    def signs(self) -> FloatArray:
        """1 for entries of the second of two lists, -1 for those of the first."""
        return np.where(self.list_index == 1, 1.0, -1.0)

    @cached_property
    def discounts(self) -> FloatArray:
        """The discount of each entry for its repetitions, see `discounts`."""
        if self.topics:
            return np.ones(len(self.list_index))
        occurrences = np.asarray(self.counts.sum(axis=0)).reshape(-1)
        return discounts(occurrences, self.documents, len(self.lengths), MIN_DISCOUNT_DOCUMENTS)

    @cached_property
    def root(self) -> FloatArray:
        """One over the square root of the length of each document."""
        return np.asarray(1.0 / np.sqrt(np.maximum(self.lengths, 1.0)), dtype=np.float64)

    @cached_property
    def burstiness(self) -> FloatArray:
        """(1 + tau) / (N + tau): with it, the sum of a list depends least on the length of a document."""
        tau = self.concentration
        return (1.0 + tau) / (self.lengths + tau) if np.isfinite(tau) else np.ones(len(self.lengths))

    def sums(self, weights: FloatArray, factor: FloatArray) -> FloatArray:
        """For each document and list, the sum of weight times (1 + log count) over its entries, times the factor."""
        by_list = weights[:, None] * np.eye(self.lists)[self.list_index]
        return np.asarray((self.logarithms @ by_list) * factor[:, None], dtype=np.float64)

    def scores(self, weights: FloatArray) -> FloatArray:
        """The margins of documents under these weights of entries, each for its own list: sums over root lengths."""
        return margins(self.sums(weights, self.root))
