"""The threshold and the sharpness of scores, from a sample of documents without labels.

The threshold is at the share of documents of the second of two labels. If words are independent given the label,
products of three different words of a document are free of word noise, so the third and second moments of documents'
scores show how uneven the two groups are: skew = (1 - 2 pi) / sqrt(pi (1 - pi)). Intensity and topic skew scores as
well. The coherence of the two lists is the degree to which one factor explains both, and sets how far the share moves
to that of the skew, from the mean of two shares: of documents with more words of a list, and of documents with more
weight of its words.

The sharpness makes scores log-odds: there is a slope for whole documents and one for single words. A few labels give
both, and an intercept per class, with priors at the model's own (`fit_platt`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from problex._util.arrays import FloatArray, IntArray, log_softmax
from problex._util.late import sparse, special
from problex.counting.counts import Sample
from problex.errors import ProblexError
from problex.model.calibration import UNCALIBRATED, Calibration, Platt, Prevalence
from problex.model.rules import RULES, TEMPERS, Weights

MIN_DOCUMENTS = 200
"""Documents with a word of the lexicon that calibration needs."""
HALF_LENGTH_OF_MANY = 200.0
"""The half-length for more than two lists, whose log-odds are divided by sqrt(1 + N / 200)."""
NO_THRESHOLD_FROM = 0.1
"""The share of documents without a word of the lexicon from which on the threshold is zero.

Such documents have the score zero whatever the threshold is. If there are many, moving the others past them costs more
than the better share of labels is worth.
"""
MOST_CAPPED = 0.25
"""The largest share of documents whose evidence may cap the threshold of a model that has learned from all words."""
MAX_LOG_ODDS = 3.0
"""Shares are limited to these log-odds, about 5 % and 95 %."""
SHARE_LIMITS = (0.2, 0.8)
"""Limits of the share of the second label in slopes: its error would make probabilities too certain beyond them."""
DEFAULT_WORD_SHARPNESS = 0.6
"""The slope of single words where words of one list do not occur together more often than by chance."""
SLOPE_DEVIATION, INTERCEPT_DEVIATION = 0.7, 1.5
"""Prior standard deviations of the logarithm of the slope and of the intercepts: narrow enough that forty labels
without an error do not make a model certain, wide enough that twenty labels correct a wrong threshold."""


def calibrate(
    weights: Weights, sample: Sample, rule: str, temper: str, *, threshold: bool = True, share: float | None = None
) -> Calibration:
    """The sharpness of scores and, for two lists, the threshold (zero with `threshold=False`).

    The threshold is at the given share of the second label, if there is one (of a model that has learned from all
    words), else at that of `prevalence`; it is nearer to zero the more documents have no word of the lexicon. A
    threshold of zero is .0004 less accurate on the paper's corpora, but .006 more on held-out ones; the sharpness is
    for probabilities, and changes no label.
    """
    matched = np.flatnonzero(np.diff(sample.matrix.indptr) > 0)
    if not RULES[rule].uses_weights or len(matched) < MIN_DOCUMENTS:
        return UNCALIBRATED
    if len(weights.classes) != 2 and temper == "root":
        return Calibration(float(np.sqrt(HALF_LENGTH_OF_MANY)), half_length=HALF_LENGTH_OF_MANY)
    matrix = sample.matrix[matched]
    lengths, repeats = (part[matched].astype(np.float64) for part in (sample.lengths, sample.repeats))
    tau = weights.concentration
    factor = TEMPERS[temper].factor(lengths, tau)
    by_burstiness = float(np.average(TEMPERS["burstiness"].factor(lengths, tau) / factor, weights=repeats))
    if len(weights.classes) != 2:
        return Calibration(by_burstiness)
    # what each entry adds to the second label, and the words of each list
    parts = RULES[rule].contribution(weights, matrix.indices.astype(np.int64), matrix.data)
    signed = sparse.csr_array((parts[:, 1] - parts[:, 0], matrix.indices, matrix.indptr), shape=matrix.shape)
    lists = np.eye(2)[weights.list_index]
    totals, distinct = (np.asarray(rows @ lists, dtype=np.float64) for rows in (matrix, matrix > 0))
    shares = prevalence(signed, totals, distinct, lengths, repeats)
    if share is not None:
        shares = replace(shares, share=share)
    # the threshold, nearer to zero the more documents have no word of the lexicon
    at = 0.0
    if threshold:
        scores, evidence = (np.asarray(part.sum(axis=1)).reshape(-1) * factor for part in (signed, abs(signed)))
        without = 1.0 - float(repeats.sum()) / float(sample.repeats.sum())
        most_capped = None if share is None else MOST_CAPPED
        at = threshold_at(scores, repeats, shares.share, evidence, most_capped)
        at *= max(0.0, 1.0 - without / NO_THRESHOLD_FROM)
    # the slope for whole documents
    label_part = label_share(signed, lists, distinct, lengths, repeats)
    slope = sharpness(signed, factor, repeats, shares.share, label_part) or by_burstiness
    if temper != "root":
        return Calibration(slope, at, shares)
    # the slope for single words
    of_words = np.where(weights.list_index == 1, 1.0, -1.0) * weights.log_odds
    lengths, repeats = sample.lengths.astype(np.float64), sample.repeats.astype(np.float64)
    short = word_sharpness(sample.matrix, of_words, lengths, repeats, shares.share, label_part)
    return Calibration(slope, at, shares, half_length=(slope / short) ** 2)


def threshold_at(
    scores: FloatArray,
    repeats: FloatArray,
    share: float,
    evidence: FloatArray | None = None,
    most_capped: float | None = None,
) -> float:
    """The threshold, capped by the evidence if that is given, with that share of the documents above it.

    It is midway between the scores on both sides. Documents whose score is at least half of their evidence have their
    side whatever the threshold is. If they are too many, no threshold gives the share, and the nearest one would be
    past all scores: documents would be ranked by how much they say. With `most_capped` the threshold is so near to zero
    that the cap changes it for that share of the documents at most.

    >>> threshold_at(np.array([-2.0, -1.0, 1.0, 2.0]), np.ones(4), 0.25)
    1.5
    >>> threshold_at(np.array([-2.0, -1.0, 1.0, 2.0]), np.ones(4), 0.5, np.array([9.0, 9.0, 9.0, 2.0]))
    0.0
    >>> threshold_at(np.array([-9.0, -1.0, 1.0, 2.0]), np.ones(4), 0.25, np.array([9.0, 9.0, 1.0, 2.0]), 0.5)
    1.0
    """
    limit = np.inf
    if evidence is not None:
        size, half = np.abs(scores), evidence / 2.0
        scores = np.where(size < half, scores, np.sign(scores) * size.max(initial=0.0))
        if most_capped is not None and len(half):
            order = np.argsort(half, kind="stable")
            below = np.cumsum(repeats[order]) / repeats.sum()
            limit = half[order][np.searchsorted(below, most_capped)]
    values, places = np.unique(scores, return_inverse=True)
    if len(values) < 2:
        return 0.0
    mass = np.bincount(places, weights=repeats)
    above = 1.0 - np.cumsum(mass)[:-1] / mass.sum()
    best = int(np.argmin(np.abs(above - share)))
    return float(np.clip((values[best] + values[best + 1]) / 2.0, -limit, limit))


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
    start, trust = counted + (weighted - counted) / 2.0, coherent**2
    if abs(skewed) < abs(start) or start * skewed < 0:
        trust = trust**2
    return float(special.expit(start + trust * (skewed - start)))


def skewed_share(signed: sparse.csr_array, factor: FloatArray, repeats: FloatArray) -> float:
    """The share that the second and third moments between different words imply; one half where there are none.

    The moments are those of three random parts of the lexicon, averaged over all partitions, in closed form: sums over
    pairs and triples of different words, minus the products of their means.

    >>> alone = sparse.csr_array(np.array([[1.0], [1.0], [-1.0]]))    # one word: there are no pairs
    >>> skewed_share(alone, np.ones(3), np.ones(3))
    0.5
    """
    weights = repeats / repeats.sum()
    scaled = scaled_rows(signed, factor)
    square, cube = scaled.copy(), scaled.copy()
    square.data *= scaled.data  # much faster than a power
    cube.data *= square.data
    # sums over pairs and triples of different words, from power sums
    s1, s2, s3 = (np.asarray(part.sum(axis=1)).reshape(-1) for part in (scaled, square, cube))
    means = np.asarray(scaled.T @ weights).reshape(-1)
    total, squared, cubed = means.sum(), np.sum(means**2), np.sum(means**3)
    pairs = weights @ (s1**2 - s2)
    triples = weights @ (s1**3 - 3.0 * s1 * s2 + 2.0 * s3)
    mixed = weights @ ((scaled @ means) * s1 - square @ means)
    # less what they would be if words were independent
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

    >>> apart, ones = np.array([[3.0, 0.0], [0.0, 3.0]]), np.ones(2)    # between -1/4, within 1/3 - 1/4: k = 3
    >>> round(coherence(apart, apart, np.full(2, 3.0), ones), 3)
    0.333
    >>> together = np.array([[3.0, 3.0], [0.0, 0.0]])
    >>> coherence(together, together, np.full(2, 6.0), ones)
    0.0
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


def label_share(
    signed: sparse.csr_array, lists: FloatArray, distinct: FloatArray, lengths: FloatArray, repeats: FloatArray
) -> float:
    """The share of the covariance between words that is due to the label: 2 k / (1 + k), with the coherence k.

    With a covariance of c within what each list adds and of k c between the two, one factor that moves both explains
    4 k c of their 2 c + 2 k c. The coherence is that of the numbers of words; if it is not positive, that of what they
    add; if neither is, the share is 1.
    """
    sums, squares = (np.asarray(part @ lists, dtype=np.float64) for part in (abs(signed), signed.power(2)))
    values = [coherence(distinct, distinct, lengths, repeats), coherence(sums, squares, lengths, repeats)]
    return next((2.0 * value / (1.0 + value) for value in values if value > 0), 1.0)


def sharpness(
    signed: sparse.csr_array, factor: FloatArray, repeats: FloatArray, share: float, label_part: float
) -> float:
    """The slope that makes scores log-odds if they are a mixture of two normal distributions of equal variance.

    slope = distance of the means / variance within. The covariance between different words, times `label_part`, is
    the variance between the two; the rest of the variance is within. 0 if words have no covariance.

    >>> apart = sparse.csr_array(np.array([[1.0, 0.0], [0.0, -1.0]]))    # half of the variance 1 is between words
    >>> round(sharpness(apart, np.ones(2), np.ones(2), 0.5, 1.0), 3)    # root(.5 / .25) / .5
    2.828
    >>> sharpness(sparse.csr_array(np.array([[1.0], [-1.0]])), np.ones(2), np.ones(2), 0.5, 1.0)    # one word
    0.0
    """
    weights = repeats / repeats.sum()
    scaled = scaled_rows(signed, factor)
    sums = np.asarray(scaled.sum(axis=1)).reshape(-1)
    squares = np.asarray(scaled.power(2).sum(axis=1)).reshape(-1)
    # the variance of the scores, and the part of it that is between the labels
    variance = float(weights @ sums**2 - (weights @ sums) ** 2)
    means = np.asarray(scaled.T @ weights).reshape(-1)
    between = label_part * (variance - float(weights @ squares - np.sum(means**2)))
    if not 0 < between < variance:
        return 0.0
    return float(np.sqrt(between / _evenness(share)) / (variance - between))


def word_sharpness(
    matrix: sparse.csr_array,
    signed: FloatArray,
    lengths: FloatArray,
    repeats: FloatArray,
    share: float,
    label_part: float,
) -> float:
    """The slope for sums over a few words drawn from a document: that of ever shorter parts of documents.

    `signed` are the weights of the entries for the second label, `matrix` has their counts. The covariance of two words
    drawn from the same document, less that of words of different documents, is

    .. math:: C = E[((\\sum x s)^2 - \\sum x^2 s^2) / (N (N - 1))] - (m^2 - \\sum m_i^2)

    with the means m_i = E[x_i s_i / N] and m = sum_i m_i; the variance of one word is v = E[sum x s^2 / N] - m^2. As in
    `sharpness`, the slope is sqrt(label_part C / (pi (1 - pi))) / v, with the share pi of the second label.
    """
    pairs = np.flatnonzero(lengths > 1)
    if not len(pairs):
        return DEFAULT_WORD_SHARPNESS
    size, weights = lengths[pairs], repeats[pairs] / repeats[pairs].sum()
    counts = sparse.csr_array(matrix[pairs].astype(np.float64))
    values = sparse.csr_array((counts.data * signed[counts.indices], counts.indices, counts.indptr), shape=counts.shape)
    sums: FloatArray = np.asarray(values.sum(axis=1)).reshape(-1)
    single: FloatArray = np.asarray(values.power(2).sum(axis=1)).reshape(-1)
    means = np.asarray(values.T @ (weights / size)).reshape(-1)
    mean = float(means.sum())
    # the covariance of two words of a document, and the variance of one
    together = float(weights @ ((sums**2 - single) / (size * (size - 1.0))))
    covariance = label_part * (together - (mean**2 - float(np.sum(means**2))))
    variance = float(weights @ ((counts @ signed**2) / size)) - mean**2
    if not (covariance > 0 and variance > 0):
        return DEFAULT_WORD_SHARPNESS
    return float(np.sqrt(covariance / _evenness(share)) / variance)


def _evenness(share: float) -> float:
    """pi (1 - pi), with the share within `SHARE_LIMITS`.

    >>> round(_evenness(0.5), 2), round(_evenness(0.2), 2), round(_evenness(0.01), 2)
    (0.25, 0.16, 0.16)
    """
    limited = float(np.clip(share, *SHARE_LIMITS))
    return limited * (1.0 - limited)


def fit_platt(values: FloatArray, codes: IntArray) -> Platt:
    """The maximum a posteriori slope and intercepts, with log slope ~ Normal(0, 0.7) and intercept ~ Normal(0, 1.5).

    Without labels these are one and zero, which leaves the model's probabilities as they are.

    >>> values = np.repeat([[0.0, -3.0], [0.0, 3.0]], 20, axis=0)     # sure of itself, and right three times in four
    >>> codes = np.array(([0, 0, 0, 1] * 5) + ([1, 1, 1, 0] * 5))
    >>> fit_platt(values, codes).probabilities(np.array([[0.0, 3.0]])).round(2).tolist()
    [[0.22, 0.78]]
    """
    from scipy.optimize import minimize  # takes a fifth of a second to import, which prediction need not wait for

    if values.ndim != 2 or len(values) != len(codes):
        raise ProblexError(f"{len(codes)} labels were given for scores of shape {values.shape}, expected one per row")
    classes = values.shape[1]
    chosen = np.eye(classes)[codes]
    precision = np.array([SLOPE_DEVIATION**-2, *[INTERCEPT_DEVIATION**-2] * classes])

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        slope = np.exp(parameters[0])
        logs = log_softmax(slope * values + parameters[1:])
        wrong = np.exp(logs) - chosen
        gradient = np.concatenate([[slope * np.sum(wrong * values)], wrong.sum(axis=0)])
        penalty = parameters * precision
        return float(-np.sum(logs * chosen) + 0.5 * parameters @ penalty), gradient + penalty

    best = minimize(loss, np.zeros(1 + classes), jac=True, method="BFGS").x
    return Platt(float(np.exp(best[0])), tuple(best[1:].tolist()), len(codes))
