"""Weights for all words from two lists of tone, such as positive and negative words.

Two rounds of ridge regression on soft targets of the co-trained lexicon, in which themes count as far as the words of
the lexicon vote for them; then the lexicon, and naive Bayes. Regression shares the credit of a text among its words: in
a text of ten words there is little to share, and rare words get hardly any. Naive Bayes judges every word by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import special
from problex.expansion.constants import TUNED
from problex.expansion.cotraining import Cotraining, list_contrasts, same_mean, soft_targets
from problex.expansion.ridge import folds_of, held_out_scores, margins, ridge, spread, standardize, without
from problex.expansion.texts import LexiconColumns, TrainingTexts
from problex.expansion.topics import NaiveBayes
from problex.model.expansion import Expansion

ROUNDS = 2
"""The rounds of regression."""


@dataclass(frozen=True, eq=False)
class ToneWeights:
    """Weights of features, for the margin of the second list, and log-odds of entries, for their own list.

    `unit` is the weight of the entries' scores beside those of the features.
    """

    features: FloatArray
    log_odds: FloatArray
    errors: FloatArray
    unit: float


def learn_tone(texts: TrainingTexts, found: Cotraining) -> ToneWeights:
    """Weights for all features and entries from the co-training of two lists of tone."""
    rows, listed, share = texts.rows, texts.listed, found.share
    themes = _Themes(texts.basis, loadings(listed, found.strengths, texts.basis), found.view[:, 0])
    # First round: each half of the texts is scored by what the other half learned from the lexicon.
    targets = soft_targets(list_contrasts(listed, found.weights), share)[:, 0]
    scores = held_out_scores(rows, themes.retheme(targets)[:, None], folds_of(texts.order, 2))
    # Second round: all texts learn from these scores.
    targets = soft_targets(standardize(scores), share, TUNED.sharpness)[:, 0]
    features = ridge(rows, themes.retheme(targets))
    # The co-trained lexicon beside them, and the lexicon as it was estimated.
    learned, plain = (_size(listed.scores(weights)[:, 0]) for weights in (found.weights, listed.log_odds))
    features, amount = features / _size(rows @ features), lexicon_amount(found.agreement) / learned
    size = _size(rows @ features + amount * listed.scores(found.weights)[:, 0])
    features, amount, own = features / size, amount / size, TUNED.plain_lexicon / plain
    # Naive Bayes, which learns from all of it.
    scores = rows @ features + listed.scores(amount * found.weights + own * listed.log_odds)[:, 0]
    bayes = learn_bayes(texts, scores, share)
    features = features + bayes_amount(found.agreement, len(scores), share) * float(scores.std()) * bayes
    # The lexicon once more, where the other words hardly agree with it.
    scores = rows @ features + listed.scores(amount * found.weights + own * listed.log_odds)[:, 0]
    own += TUNED.distrusted_lexicon * distrust(found.agreement) ** 3 * float(scores.std()) / plain
    log_odds = amount * found.weights + own * listed.log_odds
    errors = np.hypot(amount * found.errors, own * listed.errors)
    scale = same_mean(listed, log_odds)
    return ToneWeights(features, scale * log_odds, scale * errors, 1.0 / scale)


@dataclass(frozen=True, eq=False)
class _Themes:
    """The themes of a corpus, how far each is about the label, and the view of words outside the lexicon."""

    basis: FloatArray
    loadings: FloatArray
    view: FloatArray

    def retheme(self, target: FloatArray) -> FloatArray:
        """A target with the themes that words vote for in place of its own part along the themes."""
        rest = without(target, self.basis)
        strength = TUNED.theme_part * float(np.mean(rest * self.view)) * np.sqrt(len(rest))
        return np.asarray(rest + strength * (self.basis @ self.loadings), dtype=np.float64)


def loadings(listed: LexiconColumns, strengths: FloatArray, basis: FloatArray) -> FloatArray:
    """How far each theme is about the label, by the votes of the words of two lists.

    If a theme is about the label, the documents of strong words lean to it in proportion to their strength. With A_ik
    the mean of theme k (at standard deviation one) over the documents with entry i, this is the coefficient of the
    signed strength of i in a regression of A_ik on it, a constant and log n_i, with the weight n_i. The constant and
    log n_i take up the length of documents and how many entries they have. The loadings have length one at most.
    """
    voters = np.flatnonzero(listed.documents >= TUNED.min_voter_documents)
    if len(voters) < 3 or not basis.shape[1]:
        return np.zeros(basis.shape[1])
    seen = listed.documents[voters]
    leanings = np.sqrt(len(basis)) * (listed.present.T @ basis)[voters] / seen[:, None]
    signed = (listed.signs * strengths)[voters]
    design = np.column_stack([signed, np.ones(len(voters)), np.log(seen)]) * np.sqrt(seen)[:, None]
    found = np.linalg.lstsq(design, leanings * np.sqrt(seen)[:, None], rcond=None)[0][0]
    return np.asarray(found / max(1.0, float(np.linalg.norm(found))), dtype=np.float64)


def lexicon_amount(agreement: float) -> float:
    """The weight of the co-trained lexicon's score beside that of all features, both at standard deviation one.

    It is in proportion to noise over signal of the other words, by their agreement with the lexicon.

    >>> round(lexicon_amount(0.5), 3), lexicon_amount(0.9), lexicon_amount(0.1)
    (0.765, 0.5, 4.5)
    """
    signal = max(agreement, 0.05) ** 2
    return float(np.clip(TUNED.noise_share * (1.0 - signal) / signal, TUNED.least_lexicon, TUNED.most_lexicon))


def distrust(agreement: float) -> float:
    """How little the other words are to be trusted, by their agreement r with the lexicon: 0.2^2 / (r^2 + 0.2^2).

    >>> distrust(0.0), distrust(-0.3), distrust(0.2), round(distrust(0.6), 2)
    (1.0, 1.0, 0.5, 0.1)
    """
    return TUNED.weak_agreement**2 / (max(agreement, 0.0) ** 2 + TUNED.weak_agreement**2)


def bayes_amount(agreement: float, documents: int, share: float) -> float:
    """The weight of naive Bayes beside all other scores, both at standard deviation one.

    With n documents and the share p of the second label it is 0.8 n / (n + 1500) 4 p (1 - p) times the trust in other
    words: little where there is little to learn from.

    >>> bayes_amount(0.2, 1500, 0.5), round(bayes_amount(0.6, 25_000, 0.5), 2), bayes_amount(-0.1, 25_000, 0.5)
    (0.2, 0.68, 0.0)
    """
    enough = documents / (documents + TUNED.half_bayes_documents) * 4.0 * share * (1.0 - share)
    return TUNED.bayes * enough * (1.0 - distrust(agreement))


def learn_bayes(texts: TrainingTexts, scores: FloatArray, share: float) -> FloatArray:
    """Weights of naive Bayes for the features, for scores of standard deviation one, from `scores` of the documents.

    Its labels are those of the scores together with what it says itself about documents that it was not trained on.
    Broad themes are what it finds first: it has no more of them than the scores have (`themes_to_remove`).
    """
    rows, basis = texts.rows, texts.basis
    unscale = 1.0 / texts.vocabulary.rarity.astype(np.float64)
    bayes = NaiveBayes(rows, unscale, texts.typical_length)
    everyone, scores = np.ones(len(scores), dtype=bool), standardize(scores)
    # What it says about texts that it was not trained on, without the themes that it should not have.
    labels, folds = soft_labels(scores, share), folds_of(texts.order, TUNED.topic_folds)
    held_out = _margin(bayes.held_out(labels, everyone, folds))
    held_out = held_out - held_out.mean() - basis @ themes_to_remove(held_out, scores, basis)
    # Its weights by both, without those themes.
    labels = soft_labels(standardize(standardize(held_out) + scores), share)
    weights = _margin(bayes.fit(labels, everyone)[0])
    if basis.shape[1]:
        directions = (rows.T @ basis.astype(np.float32)).astype(np.float64) * (unscale**2)[:, None]
        unwanted = themes_to_remove(rows @ weights, scores, basis)
        weights = weights - directions @ np.linalg.lstsq(basis.T @ (rows @ directions), unwanted, rcond=None)[0]
    size = float((rows @ weights).std())
    return weights / size if size > 0 else np.zeros(len(weights))


def soft_labels(contrast: FloatArray, share: float) -> FloatArray:
    """The probability of each of two labels, one half at the threshold with that share of the second label above it.

    >>> soft_labels(np.array([-1.0, 0.0, 1.0]), 0.5)[:, 1].round(2).tolist()
    [0.05, 0.5, 0.95]
    """
    second = special.expit(TUNED.bayes_sharpness * (contrast - np.quantile(contrast, 1.0 - share)))
    return np.stack([1.0 - second, second], axis=1)


def themes_to_remove(values: FloatArray, scores: FloatArray, basis: FloatArray) -> FloatArray:
    """The coordinates along the themes that values have and should not have.

    What remains along each theme is in the same proportion to the rest of the values as for the scores.

    >>> theme, rest = np.array([0.5, 0.5, -0.5, -0.5]), np.array([1.0, -1.0, 1.0, -1.0])
    >>> themes_to_remove(6.0 * theme + rest, 2.0 * theme + rest, theme[:, None]).tolist()
    [4.0]
    >>> themes_to_remove(6.0 * theme + rest, 2.0 * theme + 2.0 * rest, theme[:, None]).tolist()
    [5.0]
    """
    own, rest = (float(np.linalg.norm(without(column, basis))) for column in (scores, values))
    wanted = basis.T @ scores * (rest / own) if own > 0 else np.zeros(basis.shape[1])
    return np.asarray(basis.T @ values - wanted, dtype=np.float64)


def tone_expansion(
    texts: TrainingTexts, weights: ToneWeights, found: Cotraining, lexicon: FloatArray, size: float, factor: FloatArray
) -> Expansion:
    """The expansion for tempered sums of the lexicon (documents x 2) under the log-odds of the weights.

    Its scores times the `factor` of each document have the standard deviation `size`.
    """
    total = texts.rows @ weights.features + weights.unit * margins(lexicon)[:, 0]
    scale = size / spread((factor * total)[:, None])[0]
    features = np.round(scale * weights.features[:, None] @ np.array([[-0.5, 0.5]]), 6)
    offset, unit = offsets_at(scale * total, found.share), float(scale * weights.unit)
    figures = (len(total), found.agreement, ROUNDS, texts.typical_length)
    return Expansion(texts.vocabulary, features, unit, offset, *figures, kind="tone")


def offsets_at(scores: FloatArray, share: float) -> FloatArray:
    """Offsets with which the second of two classes gets that share of the documents.

    >>> offsets_at(np.array([5.0, 4.0, 3.0]), share=2 / 3)
    array([ 1.75, -1.75])
    """
    at = float(np.quantile(scores, 1.0 - share, method="midpoint"))
    return np.array([at / 2, -at / 2])


def _margin(of_labels: FloatArray) -> FloatArray:
    return np.asarray(of_labels[:, 1] - of_labels[:, 0], dtype=np.float64)


def _size(values: FloatArray) -> float:
    deviation = float(values.std())
    return deviation if deviation > 0 else 1.0
