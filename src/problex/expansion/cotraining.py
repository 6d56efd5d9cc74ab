"""Co-training: the words of the lexicon are weighed by a model of all other words, which learned from the lexicon.

The model of the other words scores documents that it was not trained on, so no word of the lexicon takes part in the
scores that weigh it. Without their part along the broad themes of the corpus, they are about the label and not about
the subject. The mean score of the documents with a word is then evidence about that word.

The share of the second of two labels, too, is found without labels: it is where the average document lies between two
anchors, those that one half of the lexicon puts lowest and highest. The other half, which did not choose them, says how
far they are apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import special
from problex.estimation.shrinkage import variances
from problex.expansion.constants import TUNED
from problex.expansion.ridge import contrasts, folds_of, held_out_scores, standardize, without
from problex.expansion.texts import LexiconColumns, TrainingTexts


@dataclass(frozen=True, eq=False)
class Cotraining:
    """What the other words say about the words of the lexicon.

    `weights` are log-odds of the entries for their own lists, with standard `errors`; their mean over documents is that
    of the lexicon model. `strengths` are the co-trained parts alone, and may be negative. `view` are the scores of the
    other words, without themes, a column per margin; `agreement` is their correlation with the lexicon before that, and
    `remaining` after it. `share` is that of the second of two labels, by anchors in a lexicon of this `reliability`.
    """

    weights: FloatArray
    errors: FloatArray
    strengths: FloatArray
    view: FloatArray
    agreement: float
    remaining: float
    share: float
    reliability: float


def cotrain(texts: TrainingTexts, share: float) -> Cotraining:
    """Weigh the entries of the lexicon by the words outside it.

    `share` is that of the second of two labels by the lexicon.
    """
    listed, reliability = texts.listed, float("nan")
    log_odds = listed.discounts * listed.log_odds
    if listed.lists == 2:
        share, reliability = share_from_anchors(listed, log_odds, share)
    # The view of the other words, without the themes.
    scores, agreement = outside_scores(texts, log_odds, share, TUNED.view_folds)
    view = standardize(np.stack([without(column, texts.basis) for column in scores.T], axis=1))
    remaining = float(np.mean(view * standardize(listed.scores(listed.log_odds))))
    # The strength of each entry in that view; lists are equally predictive on average.
    by_list = np.concatenate([-view, view], axis=1) if listed.lists == 2 else view
    strengths, errors, slopes = weigh(listed, log_odds, by_list)
    even = np.exp(np.mean(np.log(slopes))) / slopes[listed.list_index]
    direction = np.where(log_odds < 0, -1.0, 1.0)  # a negated item can be evidence for the other list
    learned = direction * np.maximum(direction * strengths, 0.0) * even
    # Beside them, the lexicon's own log-odds.
    units, amount = [_unit(listed, values) for values in (learned, log_odds)], TUNED.lexicon_in_entries
    weights = listed.discounts * (learned / units[0] + amount * log_odds / units[1])
    variance = (even * errors / units[0]) ** 2 + (amount * listed.discounts * listed.errors / units[1]) ** 2
    scale = same_mean(listed, weights)
    errors = scale * listed.discounts * np.sqrt(variance)
    return Cotraining(scale * weights, errors, strengths, view, agreement, remaining, share, reliability)


def themes_are_the_lists(found: Cotraining) -> bool:
    """Whether, without the themes, less than 40 % of the agreement with the lexicon remains, by two standard errors."""
    error = 2.0 / float(np.sqrt(len(found.view)))
    return found.agreement > 0 and found.remaining + error < TUNED.min_remaining * found.agreement


def outside_scores(texts: TrainingTexts, log_odds: FloatArray, share: float, folds: int) -> tuple[FloatArray, float]:
    """Held-out scores of the texts by words outside the lexicon, and their correlation with its own scores.

    They learn what the lists say under these log-odds of their entries.
    """
    listed = texts.listed
    targets = soft_targets(list_contrasts(listed, log_odds), share)
    scores = held_out_scores(texts.rows[:, texts.outside], targets, folds_of(texts.order, folds))
    return scores, float(np.mean(standardize(scores) * standardize(listed.scores(listed.log_odds))))


def list_contrasts(listed: LexiconColumns, log_odds: FloatArray) -> FloatArray:
    """What the lists say about each document under these log-odds of their entries: a column per margin."""
    return standardize(contrasts(listed.sums(log_odds, listed.burstiness)))


def soft_targets(contrasts: FloatArray, share: float, sharpness: float = 1.0) -> FloatArray:
    """tanh(sharpness (x - q / 2)): between -1 and 1, with q the threshold of two labels at the share of the second.

    >>> soft_targets(np.array([[-2.0], [0.0], [2.0]]), 0.5).round(2).reshape(-1).tolist()
    [-0.96, 0.0, 0.96]
    """
    threshold = float(np.quantile(contrasts, 1.0 - share)) if contrasts.shape[1] == 1 else 0.0
    return np.asarray(np.tanh(sharpness * (contrasts - threshold / 2.0)), dtype=np.float64)


def weigh(listed: LexiconColumns, log_odds: FloatArray, view: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The strength of each entry, its standard error, and the mean slope of each list.

    a_i is the mean view of its own list over the n_i documents with entry i. It is shrunk towards slope * r_i, with r_i
    the predictiveness of the lexicon model over its mean in the list: deviations have the variance A + phi / n_i.
    """
    number, index = listed.documents, listed.list_index
    means = (listed.present.T @ view)[np.arange(len(index)), index] / np.maximum(number, 1.0)
    # what the lexicon model leads to expect, by a slope for each list
    predictiveness = np.tanh(log_odds / 2.0)
    relative, slopes = np.zeros(len(index)), np.full(listed.lists, TUNED.min_slope)
    for at in range(listed.lists):
        own = index == at
        average = float(number[own] @ predictiveness[own]) / max(float(number[own].sum()), 1.0)
        relative[own] = predictiveness[own] / average if average > 0 else 1.0
        squares = float(number[own] @ relative[own] ** 2)
        if squares > 0:
            slopes[at] = max(float(number[own] @ (relative[own] * means[own])) / squares, TUNED.min_slope)
    # shrink the means to that
    prior, seen = slopes[index] * relative, number > 0
    spread, noise = variances((means - prior)[seen], number[seen])
    own_share = number / (number + noise / spread)
    strengths = own_share * means + (1.0 - own_share) * prior
    return strengths, np.sqrt(1.0 / (1.0 / spread + number / noise)), slopes


def same_mean(listed: LexiconColumns, weights: FloatArray) -> float:
    """The factor with which weights have the mean, over documents with an entry, of the lexicon's log-odds."""
    total = float(listed.documents @ weights)
    return float(listed.documents @ listed.log_odds) / total if total > 0 else 1.0


def _unit(listed: LexiconColumns, weights: FloatArray) -> float:
    """The standard deviation of documents' scores under these weights."""
    size = float(np.mean(listed.scores(weights).std(axis=0)))
    return size if size > 0 else 1.0


def share_from_anchors(listed: LexiconColumns, weights: FloatArray, share: float) -> tuple[float, float]:
    """The share of the second label, from that of the lexicon model, and the reliability of the lexicon.

    logit = 0.5 logit(share) + logit(share between the anchors), if the reliability is 0.4 or more; else the share stays
    as it is. A word and its negation are in the same half of the lexicon.
    """
    places, reliabilities = [], []
    random, number = np.random.default_rng(0), int(listed.word_index.max(initial=-1)) + 1
    for _ in range(TUNED.anchor_splits):
        first = (random.permutation(number) % 2 == 0)[listed.word_index]
        one, two = (listed.scores(np.where(half, weights, 0.0))[:, 0] for half in (first, ~first))
        if one.std() > 0 and two.std() > 0:
            correlation = float(np.corrcoef(one, two)[0, 1])
            reliabilities.append(2.0 * correlation / (1.0 + correlation) if correlation > -1.0 else -1.0)
            places += [place_between_anchors(one, two), place_between_anchors(two, one)]
    reliability = float(np.clip(np.mean(reliabilities), -1.0, 1.0)) if reliabilities else 0.0
    if reliability < TUNED.min_anchor_reliability:
        return share, reliability
    between, before = (
        float(np.clip(special.logit(np.clip(value, 0.0, 1.0)), -TUNED.max_share_log_odds, TUNED.max_share_log_odds))
        for value in (float(np.mean(places)), share)
    )
    return float(special.expit(TUNED.anchor_prior * before + between)), reliability


def place_between_anchors(scores: FloatArray, chosen_by: FloatArray, tail: float = TUNED.anchor_tail) -> float:
    """(mean - low) / (high - low), with the mean scores at the two ends of the other scores; one half if they meet.

    >>> chosen_by = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> place_between_anchors(np.array([-1.0, 1.0, 1.0, 1.0]), chosen_by, tail=0.25)
    0.75
    """
    low, high = (_tail_mean(scores, direction * chosen_by, tail) for direction in (-1.0, 1.0))
    return float((scores.mean() - low) / (high - low)) if high > low else 0.5


def _tail_mean(scores: FloatArray, by: FloatArray, tail: float) -> float:
    """The mean score of the documents that are highest by another score; those that tie share what is left.

    >>> _tail_mean(np.array([1.0, 2.0, 6.0]), np.array([0.0, 5.0, 9.0]), 2 / 3)
    4.0
    >>> _tail_mean(np.array([1.0, 2.0, 6.0]), np.array([5.0, 5.0, 9.0]), 2 / 3)    # (6 + 1.5) / 2
    3.75
    """
    size = max(tail * len(by), 1.0)
    limit = np.partition(by, len(by) - int(np.ceil(size)))[len(by) - int(np.ceil(size))]
    above, tied = by > limit, by == limit
    weights = above + tied * (size - above.sum()) / tied.sum()
    return float(weights @ scores / size)
