"""How many documents belong to each of two lists, without labels: what counting says, corrected by the skew of scores.

Where words are independent given the label, products of three different words of a document are free of word noise, so
the third and second moments of documents' polarity show how lopsided the two groups are:
skew = (1 - 2 pi) / sqrt(pi (1 - pi)). Other things than the label make documents differ, too; how far the two lists
behave as two sides of ONE thing says how far to believe the skew. Otherwise counting's own share is kept, at which a
better ranking cannot decide worse than counting does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import expit, logit

from problex._util.arrays import FloatArray

FARTHEST = 3.0
"""Log-odds beyond which a skew is not believed: 95 in a hundred."""


@dataclass(frozen=True)
class Prevalence:
    """Shares of the second label: by counting, by the skew, and both together; `coherence` from 0 (none) to 1."""

    counted: float
    skewed: float
    coherence: float
    share: float


def prevalence(
    signed: sparse.csr_array, totals: FloatArray, distinct: FloatArray, lengths: FloatArray, times: FloatArray
) -> Prevalence:
    """Join the two measurements in log-odds.

    `signed` has what each entry (column) adds to the second label in each document, `totals` the tokens and `distinct`
    the different entries of each of the two lists, `times` how often the document occurred.

    Moving towards one half risks more than moving away from it: an even corpus forgives a threshold that is a little
    off, a lopsided one does not. So the way in takes the square of the trust that the way out takes.
    """
    by_count = counted_share(totals, times)
    by_skew = skewed_share(signed, 1.0 / (totals.sum(axis=1) + 1.0), times)
    coherent = float(np.nan_to_num(coherence(distinct, distinct, lengths, times)))
    first, second = (float(np.clip(logit(share), -FARTHEST, FARTHEST)) for share in (by_count, by_skew))
    trust = coherent**2
    if abs(second) < abs(first) or first * second < 0:
        trust = trust**2
    return Prevalence(by_count, by_skew, coherent, float(expit(first + trust * (second - first))))


def counted_share(totals: FloatArray, times: FloatArray) -> float:
    """The share of documents with more words of the second list; ties count half."""
    margin = totals[:, 1] - totals[:, 0]
    return float(np.average((margin > 0) + 0.5 * (margin == 0), weights=times))


def skewed_share(signed: sparse.csr_array, factor: FloatArray, times: FloatArray) -> float:
    """The share that the second and third moments between different words imply; one half where there are none.

    The moments are those of three random parts of the lexicon, averaged over all ways to part it, in closed form: sums
    over pairs and triples of different words, less the products of their means.
    """
    weights = times / times.sum()
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


def coherence(sums: FloatArray, squares: FloatArray, lengths: FloatArray, times: FloatArray) -> float:
    """How far two lists are two sides of one thing: minus their covariance over what they vary together within.

    `sums` has a column per list with what its different words add up to in each document, `squares` the same of their
    squares (both just count words if every word adds one). Per token, -cov(p, n) / sqrt(cov(p, p') cov(n, n')), with p
    and p' different words of a list, is 1 if one thing moves both lists, less if other things (intensity, topic) move
    them too. Above 1 it is noise, and trusted as little as its inverse. Not a number where the words of a list do not
    come together at all, so that nothing can be told.
    """
    weights = times / times.sum()
    size = np.maximum(lengths, 1.0)[:, None]
    means = weights @ (sums / size)
    between = float(weights @ np.prod(sums / size, axis=1) - np.prod(means))
    within = weights @ ((sums**2 - squares) / size**2) - means**2
    if min(within) <= 0:
        return float("nan")
    if between >= 0:
        return 0.0
    found = float(-between / np.sqrt(np.prod(within)))
    return min(found, 1.0 / found)
