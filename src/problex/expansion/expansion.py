"""`Expansion`: learned weights of all words and pairs of neighbours, in addition to those of the lexicon."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record
from problex.counting.tables import TokenIds
from problex.expansion.ridge import THEMES, margins, spread, themes_of, train
from problex.expansion.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Expansion:
    """A score for each class: `lexicon_weight` times the lexicon's, plus the features' weights, plus `offset`.

    `weights` are features x classes, for documents as rows of length one (`Vocabulary.rows`). `documents` is how many
    it was learned from, `agreement` the correlation of words outside the lexicon with the lexicon on documents that
    they were not trained on, `rounds` the number of rounds of training, `typical_length` the mean length of a row
    before it is scaled to one.
    """

    vocabulary: Vocabulary
    weights: FloatArray
    lexicon_weight: float
    offset: FloatArray
    documents: int
    agreement: float
    rounds: int
    typical_length: float

    def add(self, evidence: FloatArray, tokens: TokenIds) -> tuple[FloatArray, IntArray]:
        """The expanded scores from the lexicon's, and the number of features in each document."""
        found = self.vocabulary.count(tokens)
        values, _ = self.vocabulary.tf_idf(found)
        own, weights = np.empty_like(evidence), self.weights[found.columns]
        for label, part in enumerate(weights.T):
            own[:, label] = np.bincount(found.documents, weights=values * part, minlength=len(evidence))
        scores = self.lexicon_weight * evidence + own + self.offset
        return scores, np.bincount(found.documents, minlength=len(evidence))

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
        return self.weights[columns] * (self.vocabulary.rarity[columns] / self.typical_length)[:, None]

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


def learn(
    tokens: TokenIds,
    vocabulary: Vocabulary,
    evidence: FloatArray,
    lexicon: FloatArray,
    entries: Collection[str],
    share: float,
) -> Expansion:
    """Learn an expansion from documents and their scores by the lexicon (documents x classes).

    `evidence` are the sums of each list, `lexicon` the scores of the lexicon model, whose standard deviation the
    expanded scores have, too. For two classes the second gets `share` of the documents.
    """
    found = vocabulary.count(tokens)
    values, norms = vocabulary.tf_idf(found)
    table = found.matrix(values)
    outside, two = outside_of(vocabulary, entries), evidence.shape[1] == 2
    # With more lists the labels are themes of the corpus themselves: nothing is filtered.
    themes = themes_of(table[:, outside & (vocabulary.second < 0)], THEMES if two else 0)
    decision = margins(lexicon)
    training = train(table, evidence, decision, outside, themes)
    size = spread(decision).mean()
    lexicon_part, own = training.lexicon_share / size * decision, table @ training.weights
    scale = size / spread(own + lexicon_part).mean()
    weights = np.round(scale * training.weights @ (np.array([[-0.5, 0.5]]) if two else np.eye(evidence.shape[1])), 6)
    margin, new = (scale * (scores + lexicon_part)[:, 0] for scores in (own, training.held_out + own.mean(axis=0)))
    return Expansion(
        vocabulary,
        weights,
        float(scale * training.lexicon_share / size),
        offsets_for(margin, new, share) if two else np.zeros(evidence.shape[1]),
        len(tokens.ends) - 1,
        training.agreement,
        training.rounds,
        float(norms[norms > 0].mean()),
    )


def offsets_for(own: FloatArray, held_out: FloatArray, share: float) -> FloatArray:
    """Offsets with which the second of two classes gets that share of the documents.

    The margins of documents that a model was trained on (`own`) are wider than those of new ones (`held_out`), so that
    a threshold off the middle gives new ones a more extreme share. For even classes it is put half way between where
    either would have it. From shares of a quarter on it serves the former: between uneven classes the best threshold
    lies beyond their shares anyway.

    >>> offsets_for(np.array([5.0, 4.0, 3.0]), np.array([5.0, 4.0, 3.0]), share=2 / 3)
    array([ 1.75, -1.75])
    """
    wide, narrow = (float(np.quantile(part, 1.0 - share, method="midpoint")) for part in (own, held_out))
    at = narrow + (wide - narrow) * min(0.5 + 2.0 * abs(share - 0.5), 1.0)
    return np.array([at / 2, -at / 2])
