"""Co-training: the words of the lexicon are weighed by a model of all other words, which learned from the lexicon.

The model of the other words scores documents that it was not trained on, so no word of the lexicon takes part in the
scores that weigh it. Without their part along the broad themes of the corpus, they are about the label and not about
the subject. The mean score of the documents with a word is then evidence about that word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex.expansion.contrast import contrasts
from problex.expansion.folds import folds_of
from problex.expansion.listed_words import ListedWords
from problex.expansion.ridge import held_out_scores, standardize
from problex.expansion.themes import without

Variances = Callable[[FloatArray, FloatArray], tuple[float, float]]
"""From deviations of estimates and their amounts of evidence to their true spread and noise."""
FOLDS = 4
MIN_SLOPE = 0.02
"""The least mean strength of a list, in standard deviations of the scores of the other words."""
LEXICON_PART = 0.5
"""The weight of the lexicon model's own log-odds beside the co-trained ones, at equal standard deviations."""


@dataclass(frozen=True, eq=False)
class Cotraining:
    """What the other words say about the words of the lexicon.

    `weights` are log-odds of the entries for their own lists, with standard `errors`; their mean over documents is that
    of the lexicon model. `strengths` are the co-trained parts alone, and may be negative. `view` are the scores of the
    other words, without themes, a column per margin; `agreement` is their correlation with the lexicon before that, and
    `remaining` how much of it remains without themes.
    """

    weights: FloatArray
    errors: FloatArray
    strengths: FloatArray
    view: FloatArray
    agreement: float
    remaining: float


def cotrain(
    outside_rows: sparse.csr_array,
    words: ListedWords,
    basis: FloatArray,
    share: float,
    order: IntArray,
    variances: Variances,
) -> Cotraining:
    """Weigh the entries of the lexicon by the words outside it.

    `outside_rows` are documents over features without an entry, `basis` are themes to be left out (none for lists of
    topics), `share` is that of the second of two labels, `variances` separates true spread from noise.
    """
    log_odds = words.discounts * words.log_odds
    targets = soft_targets(list_contrasts(words, log_odds), share)
    scores = held_out_scores(outside_rows, targets, folds_of(order, FOLDS))
    lexicon = standardize(words.scores(words.log_odds))
    agreement = float(np.mean(standardize(scores) * lexicon))
    view = standardize(np.stack([without(column, basis) for column in scores.T], axis=1))
    remaining = float(np.mean(view * lexicon)) / agreement if agreement > 0 else 1.0
    by_list = np.concatenate([-view, view], axis=1) if words.lists == 2 else view
    strengths, errors, slopes = weigh(words, log_odds, by_list, variances)
    even = np.exp(np.mean(np.log(slopes))) / slopes[words.list_index]  # lists are equally predictive on average
    direction = np.where(log_odds < 0, -1.0, 1.0)  # a negated item can be evidence for the other list
    learned = direction * np.maximum(direction * strengths, 0.0) * even
    units = [_unit(words, part) for part in (learned, log_odds)]
    weights = words.discounts * (learned / units[0] + LEXICON_PART * log_odds / units[1])
    variance = (even * errors / units[0]) ** 2 + (LEXICON_PART * words.discounts * words.errors / units[1]) ** 2
    scale = same_mean(words, weights)
    errors = scale * words.discounts * np.sqrt(variance)
    return Cotraining(scale * weights, errors, strengths, view, agreement, remaining)


def list_contrasts(words: ListedWords, log_odds: FloatArray) -> FloatArray:
    """What the lists say about each document under these log-odds of their entries: a column per margin.

    For two lists, half of it is neutral to how many entries a document has and how common they are: the log-odds less
    their regression on a constant and log n_i.
    """
    contrast = standardize(contrasts(words.sums(log_odds, words.burstiness)))
    if words.lists > 2:
        return contrast
    neutral = (words.logarithms @ without_frequency(words, words.signs * log_odds)) * words.burstiness
    return standardize(contrast + standardize(neutral)[:, None])


def without_frequency(words: ListedWords, values: FloatArray) -> FloatArray:
    """Values of entries less their regression, weighted by n_i, on a constant and log n_i; zero if unseen."""
    seen, residuals = np.flatnonzero(words.documents > 0), np.zeros(len(values))
    if len(seen):
        number = words.documents[seen]
        design, roots = np.column_stack([np.ones(len(seen)), np.log(number)]), np.sqrt(number)
        line = np.linalg.lstsq(design * roots[:, None], values[seen] * roots, rcond=None)[0]
        residuals[seen] = values[seen] - design @ line
    return residuals


def soft_targets(contrasts: FloatArray, share: float, sharpness: float = 1.0) -> FloatArray:
    """tanh(sharpness (x - q / 2)): between -1 and 1, with q the threshold of two labels at the share of the second.

    >>> soft_targets(np.array([[-2.0], [0.0], [2.0]]), 0.5).round(2).reshape(-1).tolist()
    [-0.96, 0.0, 0.96]
    """
    threshold = float(np.quantile(contrasts, 1.0 - share)) if contrasts.shape[1] == 1 else 0.0
    return np.asarray(np.tanh(sharpness * (contrasts - threshold / 2.0)), dtype=np.float64)


def weigh(
    words: ListedWords, log_odds: FloatArray, view: FloatArray, variances: Variances
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The strength of each entry, its standard error, and the mean slope of each list.

    a_i is the mean view of its own list over the n_i documents with entry i. It is shrunk towards slope * r_i, with r_i
    the predictiveness of the lexicon model over its mean in the list: deviations have the variance A + phi / n_i.
    """
    number, index = words.documents, words.list_index
    means = (words.present.T @ view)[np.arange(len(index)), index] / np.maximum(number, 1.0)
    predictiveness = np.tanh(log_odds / 2.0)
    relative, slopes = np.zeros(len(index)), np.full(words.lists, MIN_SLOPE)
    for at in range(words.lists):
        own = index == at
        average = float(number[own] @ predictiveness[own]) / max(float(number[own].sum()), 1.0)
        relative[own] = predictiveness[own] / average if average > 0 else 1.0
        squares = float(number[own] @ relative[own] ** 2)
        if squares > 0:
            slopes[at] = max(float(number[own] @ (relative[own] * means[own])) / squares, MIN_SLOPE)
    prior, seen = slopes[index] * relative, number > 0
    spread, noise = variances((means - prior)[seen], number[seen])
    own_share = number / (number + noise / spread)
    strengths = own_share * means + (1.0 - own_share) * prior
    return strengths, np.sqrt(1.0 / (1.0 / spread + number / noise)), slopes


def same_mean(words: ListedWords, weights: FloatArray) -> float:
    """The factor with which weights have the mean, over documents with an entry, of the lexicon's log-odds."""
    total = float(words.documents @ weights)
    return float(words.documents @ words.log_odds) / total if total > 0 else 1.0


def _unit(words: ListedWords, weights: FloatArray) -> float:
    """The standard deviation of documents' scores under these weights."""
    size = float(np.mean(words.scores(weights).std(axis=0)))
    return size if size > 0 else 1.0
