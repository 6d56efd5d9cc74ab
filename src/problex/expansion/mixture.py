"""A mixture of two word distributions, one for each list of tone: what regression misses where texts are short.

Ridge regression shares the credit of a text among its words; in a text of ten words there is little to share, and rare
words get hardly any. Naive Bayes judges every word by itself, from all texts that have it. It starts from the expanded
scores, every document is scored by a model of the other documents, and the result is one weight for each feature.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse, special
from problex.expansion.ridge import folds_of, standardize, without
from problex.expansion.topics import FOLDS, NaiveBayes

ROUNDS = 2
SHARPNESS = 3.0
"""The log-odds of a soft label for a score that is one standard deviation above the threshold."""
MOST, HALF_AGREEMENT, HALF_DOCUMENTS = 0.8, 0.2, 1500.0
"""The largest weight of the mixture, and the agreement and the number of documents that halve it."""


DOUBTFUL_MIXTURE, DOUBTFUL_REGRESSION = (0.05, 0.08), (0.1, 0.14)
"""The doubt up to which the mixture, and the regression, are trusted wholly, and from which on not at all."""


def doubt(remaining: float, correlation: float) -> float:
    """How far what was learned may be about a subject that goes along with the lists, and not about the label.

    It is the share of the agreement with the lexicon that is due to the themes, times the share of the variance of the
    mixture that the regression does not explain: where the label is a theme, both find it.

    >>> round(doubt(0.6, 0.8), 3), doubt(1.2, 0.8)
    (0.144, 0.0)
    """
    return (1.0 - float(np.clip(remaining, 0.0, 1.0))) * (1.0 - correlation**2)


def trust(doubt: float, limits: tuple[float, float]) -> float:
    """From 1 to 0 between the limits of a doubt.

    >>> trust(0.05, (0.05, 0.08)), round(trust(0.06, (0.05, 0.08)), 2), trust(0.2, (0.05, 0.08))
    (1.0, 0.67, 0.0)
    """
    return float(np.interp(doubt, limits, (1.0, 0.0)))


def mixture_part(agreement: float, documents: int, share: float) -> float:
    """The weight of the mixture beside the expanded score, both at standard deviation one.

    With r the agreement of the other words with the lexicon, n documents and the share p of the second label it is
    0.8 * r^2 / (r^2 + 0.2^2) * n / (n + 1500) * 4 p (1 - p): little where there is little to learn from.

    >>> mixture_part(0.2, 1500, 0.5), round(mixture_part(0.6, 25_000, 0.5), 2), mixture_part(-0.1, 25_000, 0.5)
    (0.2, 0.68, 0.0)
    """
    signal = max(agreement, 0.0) ** 2
    trust = signal / (signal + HALF_AGREEMENT**2) * documents / (documents + HALF_DOCUMENTS)
    return MOST * trust * 4.0 * share * (1.0 - share)


def learn_mixture(
    rows: sparse.csr_array,
    rarity: NDArray[np.float32],
    typical_length: float,
    scores: FloatArray,
    basis: FloatArray,
    share: float,
    order: IntArray,
) -> FloatArray:
    """Weights of the features, for scores of standard deviation one, from the expanded `scores` of the same documents.

    The labels of the first round are soft labels of the scores; those of the second, and the final ones, are of the sum
    of the scores and of what naive Bayes says about documents that it was not trained on. Broad themes are what a free
    mixture finds first: it has no more of them than the scores have (`themes_to_remove`).
    """
    unscale = 1.0 / rarity.astype(np.float64)
    bayes = NaiveBayes(rows, unscale, typical_length)
    own, everyone, folds = standardize(scores), np.ones(len(scores), dtype=bool), folds_of(order, FOLDS)
    contrast = own
    for _ in range(ROUNDS):
        held_out = _margin(bayes.held_out(soft_labels(contrast, share), everyone, folds))
        held_out = held_out - held_out.mean() - basis @ themes_to_remove(held_out, own, basis)
        contrast = standardize(standardize(held_out) + own)
    weights = _margin(bayes.fit(soft_labels(contrast, share), everyone)[0])
    weights = weights - _theme_weights(rows, unscale, rows @ weights, own, basis)
    size = float((rows @ weights).std())
    return weights / size if size > 0 else np.zeros(len(weights))


def soft_labels(contrast: FloatArray, share: float) -> FloatArray:
    """The probability of each of two labels, one half at the threshold with that share of the second label above it.

    >>> soft_labels(np.array([-1.0, 0.0, 1.0]), 0.5)[:, 1].round(2).tolist()
    [0.05, 0.5, 0.95]
    """
    second = special.expit(SHARPNESS * (contrast - np.quantile(contrast, 1.0 - share)))
    return np.stack([1.0 - second, second], axis=1)


def themes_to_remove(values: FloatArray, scores: FloatArray, basis: FloatArray) -> FloatArray:
    """The coordinates along the themes that values have and should not have.

    What remains along each theme is in the same proportion to the rest of the values as for the scores.
    """
    own, rest = (float(np.linalg.norm(without(column, basis))) for column in (scores, values))
    wanted = basis.T @ scores * (rest / own) if own > 0 else np.zeros(basis.shape[1])
    return np.asarray(basis.T @ values - wanted, dtype=np.float64)


def _theme_weights(
    rows: sparse.csr_array, unscale: FloatArray, values: FloatArray, scores: FloatArray, basis: FloatArray
) -> FloatArray:
    """Weights of features whose scores have the part of the values along the themes that has to go."""
    if not basis.shape[1]:
        return np.zeros(rows.shape[1])
    directions = (rows.T @ basis.astype(np.float32)).astype(np.float64) * (unscale**2)[:, None]
    along = basis.T @ (rows @ directions)
    amounts = np.linalg.lstsq(along, themes_to_remove(values, scores, basis), rcond=None)[0]
    return np.asarray(directions @ amounts, dtype=np.float64)


def _margin(of_labels: FloatArray) -> FloatArray:
    return np.asarray(of_labels[:, 1] - of_labels[:, 0], dtype=np.float64)
