"""The share of documents of each of two labels, without labels: by counting and by weights, corrected by the skew.

If words are independent given the label, products of three different words of a document are free of word noise, so the
third and second moments of documents' scores show how uneven the two groups are: skew = (1 - 2 pi) / sqrt(pi (1 - pi)).
Intensity and topic skew scores as well. The coherence of the two lists is the degree to which one factor explains both,
and sets how far the share moves to that of the skew, from the mean of two shares: of documents with more words of a
list, and of documents with more weight of its words.
"""

from __future__ import annotations

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import sparse, special
from problex.model.calibration import Prevalence

MAX_LOG_ODDS = 3.0
"""Shares are limited to these log-odds, about 5 % and 95 %."""
WEIGHTED_PART = 0.5
"""The part of the share by weights beside that by counting, in log-odds."""


def prevalence(
    signed: sparse.csr_array, totals: FloatArray, distinct: FloatArray, lengths: FloatArray, repeats: FloatArray
) -> Prevalence:
    """Combine the shares: logit = (1 - trust) (logit(counted) + logit(weighted)) / 2 + trust logit(skewed).

    trust = coherence**2, or coherence**4 if it moves the share towards 1/2: a threshold that is a little off costs less
    in an even corpus than in an uneven one.

    `signed` has what each entry (column) adds to the second label in each document (row), `totals` the tokens and
    `distinct` the different entries of each of the two lists, `repeats` how often the document occurs.
    """
    margins = totals[:, 1] - totals[:, 0], np.asarray(signed.sum(axis=1)).reshape(-1)
    by_count, by_weight = (float(np.average((m > 0) + 0.5 * (m == 0), weights=repeats)) for m in margins)  # ties: half
    by_skew = skewed_share(signed, 1.0 / (totals.sum(axis=1) + 1.0), repeats)
    coherent = float(np.nan_to_num(coherence(distinct, distinct, lengths, repeats)))
    return Prevalence(by_count, by_skew, coherent, combined_share(by_count, by_weight, by_skew, coherent))


def combined_share(by_count: float, by_weight: float, by_skew: float, coherent: float) -> float:
    """The share from those by counting, by weights and by the skew, see `prevalence`.

    >>> round(combined_share(0.75, 0.25, 0.9, 0.0), 3), round(combined_share(0.75, 0.25, 0.9, 1.0), 3)
    (0.5, 0.9)
    """
    counted, weighted, skewed = (
        float(np.clip(special.logit(share), -MAX_LOG_ODDS, MAX_LOG_ODDS)) for share in (by_count, by_weight, by_skew)
    )
    start, trust = counted + WEIGHTED_PART * (weighted - counted), coherent**2
    if abs(skewed) < abs(start) or start * skewed < 0:
        trust = trust**2
    return float(special.expit(start + trust * (skewed - start)))


def skewed_share(signed: sparse.csr_array, factor: FloatArray, repeats: FloatArray) -> float:
    """The share that the second and third moments between different words imply; one half where there are none.

    The moments are those of three random parts of the lexicon, averaged over all partitions, in closed form: sums over
    pairs and triples of different words, minus the products of their means.
    """
    weights = repeats / repeats.sum()
    scaled = scaled_rows(signed, factor)
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


def scaled_rows(rows: sparse.csr_array, factors: FloatArray) -> sparse.csr_array:
    """Each row times its factor.

    >>> scaled_rows(sparse.csr_array(np.array([[1.0, 0.0], [2.0, 3.0]])), np.array([0.5, 2.0])).toarray().tolist()
    [[0.5, 0.0], [4.0, 6.0]]
    """
    values = rows.data * np.repeat(factors, np.diff(rows.indptr))
    return sparse.csr_array((values, rows.indices, rows.indptr), shape=rows.shape)


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
