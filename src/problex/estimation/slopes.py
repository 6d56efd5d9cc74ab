"""Slopes that turn scores into log-odds, from documents without labels: for whole documents and for single words."""

from __future__ import annotations

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.late import sparse
from problex.estimation.prevalence import coherence, scaled_rows

SHARE_LIMITS = (0.2, 0.8)
"""Limits of the share of the second label in slopes: its error would make probabilities too certain beyond them."""
DEFAULT_WORD_SHARPNESS = 0.6
"""The slope of single words where words of one list do not occur together more often than by chance."""


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
    """
    weights = repeats / repeats.sum()
    scaled = scaled_rows(signed, factor)
    sums = np.asarray(scaled.sum(axis=1)).reshape(-1)
    squares = np.asarray(scaled.power(2).sum(axis=1)).reshape(-1)
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
    together = float(weights @ ((sums**2 - single) / (size * (size - 1.0))))
    covariance = label_part * (together - (mean**2 - float(np.sum(means**2))))
    variance = float(weights @ ((counts @ signed**2) / size)) - mean**2
    if not (covariance > 0 and variance > 0):
        return DEFAULT_WORD_SHARPNESS
    return float(np.sqrt(covariance / _evenness(share)) / variance)


def _evenness(share: float) -> float:
    """pi (1 - pi), with the share within `SHARE_LIMITS`."""
    limited = float(np.clip(share, *SHARE_LIMITS))
    return limited * (1.0 - limited)
