"""The share of documents of each of two labels, without labels: by counting, corrected by the skew of scores.

If words are independent given the label, products of three different words of a document are free of word noise, so the
third and second moments of documents' scores show how uneven the two groups are: skew = (1 - 2 pi) / sqrt(pi (1 - pi)).
Intensity and topic skew scores as well. The coherence of the two lists is the degree to which one factor explains both,
and sets how far the share moves from that of counting to that of the skew. At the share of counting, a better ranking
cannot decide worse than counting does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import sparse, special

MAX_LOG_ODDS = 3.0
"""Shares are limited to these log-odds, about 5 % and 95 %."""


@dataclass(frozen=True)
class Prevalence:
    """Shares of the second label: by counting, by the skew, and both together; `coherence` from 0 (none) to 1."""

    counted: float
    skewed: float
    coherence: float
    share: float


def prevalence(
    signed: sparse.csr_array, totals: FloatArray, distinct: FloatArray, lengths: FloatArray, repeats: FloatArray
) -> Prevalence:
    """Combine the shares by counting and by the skew: logit = (1 - trust) logit(counted) + trust logit(skewed).

    trust = coherence**2, or coherence**4 if it moves the share towards 1/2: a threshold that is a little off costs less
    in an even corpus than in an uneven one.

    `signed` has what each entry (column) adds to the second label in each document (row), `totals` the tokens and
    `distinct` the different entries of each of the two lists, `repeats` how often the document occurs.
    """
    by_count = counted_share(totals, repeats)
    by_skew = skewed_share(signed, 1.0 / (totals.sum(axis=1) + 1.0), repeats)
    coherent = float(np.nan_to_num(coherence(distinct, distinct, lengths, repeats)))
    counted, skewed = (
        float(np.clip(special.logit(share), -MAX_LOG_ODDS, MAX_LOG_ODDS)) for share in (by_count, by_skew)
    )
    trust = coherent**2
    if abs(skewed) < abs(counted) or counted * skewed < 0:
        trust = trust**2
    return Prevalence(by_count, by_skew, coherent, float(special.expit(counted + trust * (skewed - counted))))


def counted_share(totals: FloatArray, repeats: FloatArray) -> float:
    """The share of documents with more words of the second list; ties count half."""
    margin = totals[:, 1] - totals[:, 0]
    return float(np.average((margin > 0) + 0.5 * (margin == 0), weights=repeats))


def skewed_share(signed: sparse.csr_array, factor: FloatArray, repeats: FloatArray) -> float:
    """The share that the second and third moments between different words imply; one half where there are none.

    The moments are those of three random parts of the lexicon, averaged over all partitions, in closed form: sums over
    pairs and triples of different words, minus the products of their means.
    """
    weights = repeats / repeats.sum()
    scaled = sparse.csr_array(signed.multiply(factor[:, None]))
    square, cube = scaled.copy(), scaled.copy()
    square.data *= scaled.data  # much faster than a power
    cube.data *= square.data
    s1, s2, s3 = (np.asarray(part.sum(axis=1)).reshape(-1) for part in (scaled, square, cube))
    means = np.asarray(scaled.T @ weights).reshape(-1)
    total, squared, cubed = means.sum(), np.sum(means**2), np.sum(means**3)
    pairs = weights @ (s1**2 - s2)
    triples = weights @ (s1**3 - 3.0 * s1 * s2 + 2.0 * s3)
    mixed = weights @ ((scaled @ means) * s1 - square @ means)
    second = pairs - (total**2 - squared)
    third = triples - 3.0 * (pairs * total - 2.0 * mixed) + 2.0 * (total**3 - 3.0 * total * squared + 2.0 * cubed)
    if not second > 0:
        return 0.5
    skew = third / second**1.5
    return float((1.0 - skew / np.sqrt(4.0 + skew * skew)) / 2.0)


def coherence(sums: FloatArray, squares: FloatArray, lengths: FloatArray, repeats: FloatArray) -> float:
    """-cov(p, n) / sqrt(cov(p, p') cov(n, n')) per token, with p and p' different words of a list, n of the other.

    It is 1 if one factor moves both lists in opposite directions, and less if others (intensity, topic) move them too.
    A value k above 1 is noise and counts as 1 / k; a positive covariance between the lists gives 0. NaN where the words
    of a list do not occur together more often than by chance.

    `sums` has a column per list: the sum over its different words in each document; `squares` the sum of their squares
    (both are the number of words if every word adds one).
    """
    weights = repeats / repeats.sum()
    size = np.maximum(lengths, 1.0)[:, None]
    means = weights @ (sums / size)
    between = float(weights @ np.prod(sums / size, axis=1) - np.prod(means))
    within = weights @ ((sums**2 - squares) / size**2) - means**2
    if min(within) <= 0:
        return float("nan")
    if between >= 0:
        return 0.0
    ratio = float(-between / np.sqrt(np.prod(within)))
    return min(ratio, 1.0 / ratio)
