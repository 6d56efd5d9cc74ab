"""Weights for all words from lists of topics: naive Bayes on soft labels, held out, and ridge regression.

The themes of such a corpus are its labels, so that nothing is filtered. A list whose topic is absent from the corpus
has little support by the words outside the lists, and gets few documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from problex._util.arrays import TIE, BoolArray, FloatArray, IntArray, leads, log_softmax
from problex._util.late import sparse, special
from problex._util.threads import map_ordered
from problex.expansion.constants import TUNED
from problex.expansion.cotraining import outside_scores
from problex.expansion.ridge import THREADS, folds_of, ridge_columns
from problex.expansion.texts import TrainingTexts
from problex.model.expansion import Expansion


def topic_expansion(texts: TrainingTexts, lexicon: FloatArray) -> Expansion:
    """The expansion from lists of topics and the scores of the lexicon (documents x lists).

    Its `support` is how far the words outside the lists agree with each list on the documents that it leads in.
    """
    rows, matched = texts.rows, texts.listed.matched
    bayes, everyone = NaiveBayes.of_words(texts), np.ones(len(lexicon), dtype=bool)
    decided, leading = leading_lists(lexicon, matched)
    # Which lists do the words outside them support? The others get few documents.
    view, support = view_of_outside(bayes, lexicon, texts)
    _, agreement = outside_scores(texts, texts.listed.log_odds, 0.5, folds=2)
    shares = np.bincount(leading, minlength=lexicon.shape[1]) / max(len(leading), 1)
    log_prior = TUNED.share_power * np.log(np.maximum(shares * support, TUNED.min_share))
    # Rounds of naive Bayes: documents with an entry alone teach in the first.
    prior_scores, labels = first_labels(lexicon)
    teachers, folds = matched, folds_of(texts.order, TUNED.topic_folds)
    for amount in TUNED.lexicon_in_rounds:
        scores = bayes.held_out(labels, teachers, folds) + amount * prior_scores
        labels, teachers = special.softmax(TUNED.topic_sharpness * scores + log_prior, axis=1), everyone
    # Its weights, ridge regression on its labels, and the lexicon.
    weights, constant = bayes.fit(labels, everyone)
    regression = ridge_columns(rows, labels)
    pieces = [rows @ weights + constant, rows @ regression, lexicon]
    units = [float(_centred(piece).std()) or 1.0 for piece in pieces]
    amounts = [1.0 / units[0], TUNED.ridge_part / units[1], TUNED.lexicon_part / units[2]]
    total = _centred(np.sum([amount * piece for amount, piece in zip(amounts, pieces, strict=True)], axis=0))
    scale = TUNED.temperature * temperature(view[decided], leading) / (float(total.std()) or 1.0)
    features = scale * _centred(amounts[0] * weights + amounts[1] * regression)
    return Expansion(
        texts.vocabulary,
        np.round(features, 6),
        scale * amounts[2],
        scale * amounts[0] * (constant - constant.mean()),
        len(lexicon),
        agreement,
        len(TUNED.lexicon_in_rounds),
        texts.typical_length,
        kind="topics",
        support=support,
    )


def first_labels(lexicon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The scores of the lexicon at standard deviation one, and the soft labels that they give."""
    scores = unit_scores(lexicon)
    return scores, special.softmax(TUNED.first_sharpness * scores, axis=1)


def view_of_outside(bayes: NaiveBayes, lexicon: FloatArray, texts: TrainingTexts) -> tuple[FloatArray, FloatArray]:
    """Held-out scores of all documents by the words outside the lists, and the support of each list by them."""
    matched = texts.listed.matched
    folds, columns = folds_of(texts.order, TUNED.topic_folds), texts.outside.astype(np.float64)
    view = bayes.held_out(first_labels(lexicon)[1], matched, folds, columns)
    decided, leading = leading_lists(lexicon, matched)
    return view, support_of(view[decided], leading)


def leading_lists(lexicon: FloatArray, matched: BoolArray) -> tuple[IntArray, IntArray]:
    """The documents with an entry in which one list has the highest score, and that list.

    Where two lists tie, neither leads: otherwise the first of them would have all such documents.

    >>> leading_lists(np.array([[1.0, 2.0], [1.0, 1.0], [2.0, 1.0], [0.0, 9.0]]), np.array([True, True, True, False]))
    (array([0, 2]), array([1, 0]))
    """
    decided = np.flatnonzero(matched & (leads(lexicon) > TIE))
    return decided, lexicon.argmax(axis=1)[decided]


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """Naive Bayes on 1 + log count of single words, scaled as the rows are: `unscale` takes their rarity out."""

    rows: sparse.csr_array
    unscale: FloatArray
    typical_length: float

    @classmethod
    def of_words(cls, texts: TrainingTexts) -> NaiveBayes:
        """On the single words of texts: pairs of neighbours have no weight."""
        single = texts.vocabulary.second < 0
        return cls(texts.rows, np.where(single, 1.0 / texts.vocabulary.rarity, 0.0), texts.typical_length)

    def fit(self, labels: FloatArray, teachers: BoolArray) -> tuple[FloatArray, FloatArray]:
        """A weight of each feature for each label, log(theta / mu), and the logarithm of the labels' shares.

        theta = (sum_t p_tc x_ti + 1000 mu_i) / (sum_ti p_tc x_ti + 1000): rates of label c, shrunk to the base rates.
        """
        taught = np.where(teachers[:, None], labels, 0.0)
        rates = (self.rows.T @ taught.astype(np.float32)).astype(np.float64)  # counts at first: one large array
        rates *= self.unscale[:, None]
        rates *= self.typical_length
        base, totals = rates.sum(axis=1), rates.sum(axis=0)
        base = base / max(float(base.sum()), 1e-300)
        rates += TUNED.prior_tokens * base[:, None]
        rates /= totals + TUNED.prior_tokens
        known = base > 0
        rates /= np.where(known, base, 1.0)[:, None]
        rates[~known] = 1.0
        weights = np.log(rates, out=rates)
        weights *= self.unscale[:, None]
        shares = np.maximum(taught.sum(axis=0) / max(int(teachers.sum()), 1), TUNED.min_share)
        return weights, np.log(shares) / self.typical_length

    def held_out(
        self,
        labels: FloatArray,
        teachers: BoolArray,
        folds: Sequence[tuple[IntArray, IntArray]],
        columns: FloatArray | None = None,
    ) -> FloatArray:
        """Scores of every document by the other folds, at standard deviation one; `columns` weighs the features."""

        def score(fold: tuple[IntArray, IntArray]) -> FloatArray:
            inside = np.zeros(len(labels), dtype=bool)
            inside[fold[0]] = True
            weights, constant = self.fit(labels, inside & teachers)
            if columns is not None:
                weights *= columns[:, None]
            return np.asarray(self.rows[fold[1]] @ weights + constant, dtype=np.float64)

        scores = np.zeros(labels.shape)
        for (_, others), values in zip(folds, map_ordered(score, folds, THREADS), strict=True):
            scores[others] = values
        return unit_scores(scores)


def support_of(view: FloatArray, leading: IntArray) -> FloatArray:
    """For each list, the mean probability that the other words give it in the documents that it leads in.

    A list whose topic is absent has .13 to .34, others .53 to .88.

    >>> support_of(np.zeros((2, 2)), np.array([0, 0])).tolist()    # the second list leads nowhere
    [0.5, 0.0]
    """
    probabilities = special.softmax(TUNED.topic_sharpness * view, axis=1)
    lists = view.shape[1]
    number = np.bincount(leading, minlength=lists)
    total = np.bincount(leading, weights=probabilities[np.arange(len(leading)), leading], minlength=lists)
    return np.asarray(total / np.maximum(number, 1), dtype=np.float64)


def temperature(view: FloatArray, leading: IntArray) -> float:
    """The factor with which the other words' scores are the likeliest log-odds of the lists that lead.

    >>> view = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
    >>> round(temperature(view, np.array([0, 0, 0, 1])), 2)    # right three times in four: log-odds of log 3
    1.1
    >>> temperature(view, np.zeros(0, int))
    1.0
    """

    def loss(logarithm: float) -> float:
        chosen = log_softmax(np.exp(logarithm) * view)[np.arange(len(leading)), leading]
        return -float(chosen.mean())

    from scipy.optimize import minimize_scalar  # a sixth of the time that a command takes to start

    return float(np.exp(minimize_scalar(loss, bounds=(-3.0, 3.0), method="bounded").x)) if len(leading) else 1.0


def unit_scores(scores: FloatArray) -> FloatArray:
    """Scores less the mean of their row, at standard deviation one over all.

    >>> unit_scores(np.array([[1.0, 5.0], [4.0, 0.0]])).tolist(), unit_scores(np.ones((2, 2))).tolist()
    ([[-1.0, 1.0], [1.0, -1.0]], [[0.0, 0.0], [0.0, 0.0]])
    """
    centred = _centred(scores)
    return np.asarray(centred / (float(centred.std()) or 1.0), dtype=np.float64)


def _centred(scores: FloatArray) -> FloatArray:
    return np.asarray(scores - scores.mean(axis=1, keepdims=True), dtype=np.float64)
