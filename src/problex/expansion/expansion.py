"""`Expansion`: learned weights of all words and pairs of neighbours, in addition to those of the lexicon."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record
from problex.counting.tables import TokenIds
from problex.expansion.vocabulary import FeatureCounts, Vocabulary

KINDS = {
    "tone": "two lists of tone, such as positive and negative words",
    "topics": "lists of topics",
    "contrast": "the contrast of the lists alone",
}
"""What an expansion was learned from."""
FEW_PRODUCTS = 1_000
"""Up to so many products, as of a single text, sums are faster than a sparse matrix; both give the same bits."""


@dataclass(frozen=True, eq=False)
class Cotrained:
    """How the weights of the lexicon's entries were learned from the words outside it: see `cotraining`.

    `standard_errors` are those of the predictiveness of each entry, `documents` is how many it was learned from,
    `agreement` the correlation of the words outside the lexicon with the lexicon on documents that they were not
    trained on, `reliability` the split-half reliability of the lexicon (NaN for more than two lists).
    """

    standard_errors: FloatArray
    documents: int
    agreement: float
    reliability: float


@dataclass(frozen=True, eq=False)
class Expansion:
    """A score for each class: `lexicon_weight` times the lexicon's, plus the features' weights, plus `offset`.

    `weights` are features x classes, for documents as rows of length one (`Vocabulary.rows`). `documents` is how many
    it was learned from, `agreement` the correlation of words outside the lexicon with the lexicon on documents that
    they were not trained on, `rounds` the number of rounds of training, `typical_length` the mean length of a row
    before it is scaled to one. `kind` is one of `KINDS`; `support` is, for topics, how far the words outside the lists
    agree with each list.
    """

    vocabulary: Vocabulary
    weights: FloatArray
    lexicon_weight: float
    offset: FloatArray
    documents: int
    agreement: float
    rounds: int
    typical_length: float
    kind: str = "contrast"
    support: FloatArray | None = None

    def add(self, evidence: FloatArray, tokens: TokenIds) -> tuple[FloatArray, IntArray]:
        """The expanded scores from the lexicon's, and the number of features in each document."""
        found = self.vocabulary.count(tokens)
        values, _ = self.vocabulary.tf_idf(found)
        scores = self.lexicon_weight * evidence + self._sums(found, values) + self.offset
        return scores, np.bincount(found.documents, minlength=len(evidence))

    def _sums(self, found: FeatureCounts, values: NDArray[np.float32]) -> FloatArray:
        """The sums of value times weight over the features of each document, for each class."""
        if len(values) * self.weights.shape[1] > FEW_PRODUCTS:
            return np.asarray(found.matrix(values) @ self.weights, dtype=np.float64)
        documents, size = found.documents, found.shape[0]
        parts = self.weights[found.columns].T
        return np.stack([np.bincount(documents, weights=values * part, minlength=size) for part in parts], axis=1)

    def parts(self, tokens: TokenIds) -> Iterator[tuple[str, int, FloatArray, FloatArray]]:
        """For one document: each feature, its count, what one occurrence is worth, and what it adds to each class."""
        found = self.vocabulary.count(tokens)
        values, _ = self.vocabulary.tf_idf(found)
        worth = self._word_weights(found.columns)
        columns, counts = found.columns.tolist(), found.counts.tolist()
        for at, (column, count, value) in enumerate(zip(columns, counts, values.tolist(), strict=True)):
            yield self.vocabulary.name(column), int(count), worth[at], value * self.weights[column]

    @property
    def word_weights(self) -> FloatArray:
        """What one occurrence adds to each class in a typical document."""
        return self._word_weights(np.arange(len(self.weights)))

    def _word_weights(self, columns: IntArray) -> FloatArray:
        return self.weights[columns] * (self.vocabulary.scales[columns] / self.typical_length)[:, None]

    def records(self, classes: Sequence[str], entries: Collection[str]) -> list[Record]:
        """One record per feature: the list that it favours, and the log-odds that one occurrence adds to it.

        `entries` are the names of the lexicon's: a feature that is one, or holds one, is marked as `in_lexicon`.
        """
        weights = self.word_weights
        best = weights.argmax(axis=1)
        lead = weights.max(axis=1) - (weights.sum(axis=1) - weights.max(axis=1)) / (len(classes) - 1)
        inside = ~outside_of(self.vocabulary, entries)
        return [
            {
                "entry": name,
                "list": classes[best[at]],
                "documents": int(self.vocabulary.documents[at]),
                "in_lexicon": bool(inside[at]),
                "weight": float(lead[at]),
            }
            for at, name in enumerate(self.vocabulary.names)
        ]


def outside_of(vocabulary: Vocabulary, entries: Collection[str]) -> NDArray[np.bool_]:
    """Which features hold no entry of the lexicon."""
    known = set(entries)
    inside = np.array([word in known for word in vocabulary.words] + [False], dtype=bool)  # the last is for no word
    return np.asarray(~(inside[vocabulary.first] | inside[vocabulary.second]), dtype=bool)
