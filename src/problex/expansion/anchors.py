"""The share of documents of the second of two labels, without labels: where the average lies between two anchors.

The anchors are the documents that one half of the lexicon puts lowest and highest; the other half, which did not choose
them, says how far they are apart.
"""

from __future__ import annotations

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import special
from problex.expansion.listed_words import ListedWords

SPLITS = 6
TAIL = 0.05
"""The share of the documents at each anchor."""
MIN_RELIABILITY = 0.4
"""The split-half reliability of the lexicon from which anchors are trusted."""
MAX_LOG_ODDS = 3.0
LEXICON_TRUST = 0.5
"""The weight of the share by the lexicon model, in log-odds, beside the share between the anchors."""


def share_from_anchors(words: ListedWords, weights: FloatArray, share: float) -> tuple[float, float]:
    """The share of the second label, from that of the lexicon model, and the reliability of the lexicon.

    logit = 0.5 logit(share) + logit(share between the anchors), if the reliability is 0.4 or more; else the share stays
    as it is. A word and its negation are in the same half of the lexicon.
    """
    places, reliabilities = [], []
    random, number = np.random.default_rng(0), int(words.words.max(initial=-1)) + 1
    for _ in range(SPLITS):
        first = (random.permutation(number) % 2 == 0)[words.words]
        one, two = (words.scores(np.where(half, weights, 0.0))[:, 0] for half in (first, ~first))
        if one.std() > 0 and two.std() > 0:
            correlation = float(np.corrcoef(one, two)[0, 1])
            reliabilities.append(2.0 * correlation / (1.0 + correlation) if correlation > -1.0 else -1.0)
            places += [place_between_anchors(one, two), place_between_anchors(two, one)]
    reliability = float(np.clip(np.mean(reliabilities), -1.0, 1.0)) if reliabilities else 0.0
    if reliability < MIN_RELIABILITY:
        return share, reliability
    between, before = (
        float(np.clip(special.logit(np.clip(value, 0.0, 1.0)), -MAX_LOG_ODDS, MAX_LOG_ODDS))
        for value in (float(np.mean(places)), share)
    )
    return float(special.expit(LEXICON_TRUST * before + between)), reliability


def place_between_anchors(scores: FloatArray, chosen_by: FloatArray, tail: float = TAIL) -> float:
    """(mean - low) / (high - low), with the mean scores at the two ends of the other scores; one half if they meet.

    >>> chosen_by = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> place_between_anchors(np.array([-1.0, 1.0, 1.0, 1.0]), chosen_by, tail=0.25)
    0.75
    """
    low, high = (_tail_mean(scores, direction * chosen_by, tail) for direction in (-1.0, 1.0))
    return float((scores.mean() - low) / (high - low)) if high > low else 0.5


def _tail_mean(scores: FloatArray, by: FloatArray, tail: float) -> float:
    """The mean score of the documents that are highest by another score; those that tie share what is left."""
    size = max(tail * len(by), 1.0)
    limit = np.partition(by, len(by) - int(np.ceil(size)))[len(by) - int(np.ceil(size))]
    above, tied = by > limit, by == limit
    weights = above + tied * (size - above.sum()) / tied.sum()
    return float(weights @ scores / size)
