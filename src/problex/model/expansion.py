"""`Expansion`: learned weights of all words and pairs of neighbours, in addition to those of the lexicon."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray, leads
from problex._util.records import Record
from problex.counting.tables import TokenIds
from problex.model.vocabulary import Vocabulary, logarithms, renumber

KINDS = {
    "tone": "two lists of tone, such as positive and negative words",
    "topics": "lists of topics",
}
"""What an expansion was learned from."""
MAX_SHORT = 2_000
"""Texts of up to so many words share one table of logarithms."""


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

    The threshold is that of the model's calibration; the `offset` is zero except in files of earlier formats.
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
    kind: str = "tone"
    support: FloatArray | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # not what was derived from them

    def sums(self, tokens: TokenIds) -> tuple[FloatArray, IntArray]:
        """The `leads` of the features of each document, then what they add to each class; and how many there are."""
        tokens = renumber(tokens, self.vocabulary)
        logs = self._logarithms
        if len(tokens.ids) > MAX_SHORT:
            longest = int((tokens.ends[1:] - tokens.ends[:-1]).max())
            logs = logs if longest <= MAX_SHORT else logarithms(longest)
        return self.vocabulary.counter.sums(tokens.ids, tokens.ends, logs, self._features)

    @cached_property
    def _logarithms(self) -> NDArray[np.float32]:
        return logarithms(MAX_SHORT)

    @cached_property
    def _features(self) -> FloatArray:
        """A row for each feature, as the compiled counter reads them: its scale, its lead and its weights."""
        return np.column_stack([self.vocabulary.scales, self.leads, self.weights]).astype(np.float64, order="C")

    @cached_property
    def leads(self) -> FloatArray:
        """How much each feature favours one class over the next."""
        return leads(self.weights)

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

    def _word_weights(self, columns: NDArray[np.integer[Any]]) -> FloatArray:
        scales = self.vocabulary.scales[columns] / self.typical_length
        return np.asarray(self.weights[columns] * scales[:, None], dtype=np.float64)

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


def bounded(expansion: Expansion, lists: Sequence[int | None]) -> Expansion:
    """The expansion in which no listed word, and no pair of two words of the same list, favours another list.

    `lists` has the list of each word of the vocabulary, None for words outside the lexicon. A text of words of one list
    then never gets another, however often they occur and whatever its length is.
    """
    vocabulary = expansion.vocabulary
    places = np.array([-1 if own is None else own for own in lists] + [-1], dtype=np.int64)  # the last is for no word
    first, second = places[vocabulary.first], places[vocabulary.second]
    # single listed words, and pairs of two words of one list
    inside = np.flatnonzero((first >= 0) & ((vocabulary.second < 0) | (first == second)))
    weights = expansion.weights.copy()
    weights[inside] = with_highest(weights[inside], first[inside])
    return replace(expansion, weights=np.round(weights, 6))


def with_highest(weights: FloatArray, own: IntArray) -> FloatArray:
    """The rows closest to `weights` in which none is higher than that of the column `own`.

    Where others are higher, the highest of them and the own one become their mean, as many as are above it.

    >>> with_highest(np.array([[3.0, 1.0, -1.0], [1.0, 4.0, 3.0], [-2.0, 2.0, 1.0]]), np.array([0, 0, 2])).tolist()
    [[3.0, 1.0, -1.0], [2.6666666666666665, 2.6666666666666665, 2.6666666666666665], [-2.0, 1.5, 1.5]]
    """
    rows, number = np.arange(len(weights)), weights.shape[1]
    others = np.sort(weights[np.arange(number) != own[:, None]].reshape(len(weights), number - 1), axis=1)[:, ::-1]
    sums = np.cumsum(np.concatenate([weights[rows, own][:, None], others], axis=1), axis=1)
    means = sums / np.arange(1, number + 1)
    is_highest = np.concatenate([means[:, :-1] >= others, np.ones((len(weights), 1), dtype=bool)], axis=1)
    level = means[rows, is_highest.argmax(axis=1)]
    result = np.minimum(weights, level[:, None])
    result[rows, own] = level
    return np.asarray(result, dtype=np.float64)


def outside_of(vocabulary: Vocabulary, entries: Collection[str]) -> NDArray[np.bool_]:
    """Which features hold no entry of the lexicon.

    >>> first, second = np.array([0, 1, 0]), np.array([-1, -1, 1])    # good, film, good film
    >>> outside_of(Vocabulary(("good", "film"), first, second, np.ones(3, int), 1), {"good"}).tolist()
    [False, True, False]
    """
    known = set(entries)
    inside = np.array([word in known for word in vocabulary.words] + [False], dtype=bool)  # the last is for no word
    return np.asarray(~(inside[vocabulary.first] | inside[vocabulary.second]), dtype=bool)
