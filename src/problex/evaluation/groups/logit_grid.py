"""Documents counted by the log-odds of their probability, in small steps: all that estimates of shares need.

A row of counts per group is the same for a thousand documents and for a billion, and counts of parts add up exactly.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from problex._util.arrays import FloatArray, IntArray

MAX_LOGIT, STEPS = 6.0, 8
"""Log-odds are clipped to +-6 and rounded to eighths, which changes a mean probability by less than .0001."""
GRID: FloatArray = np.arange(-MAX_LOGIT * STEPS, MAX_LOGIT * STEPS + 1) / STEPS
"""The log-odds of each place, lowest first; exchange of a label and the rest reverses the order."""
GRID_PROBABILITIES: FloatArray = np.asarray(expit(GRID))


def grid_places(probabilities: FloatArray) -> IntArray:
    """The place of each probability on the grid.

    >>> GRID[grid_places(np.array([0.0, 0.5, 0.73, 1.0]))].tolist()
    [-6.0, 0.0, 1.0, 6.0]
    """
    with np.errstate(divide="ignore"):
        logits = np.log(probabilities) - np.log1p(-probabilities)
    steps = np.rint(np.clip(logits, -MAX_LOGIT, MAX_LOGIT) * STEPS)
    return np.asarray(steps + MAX_LOGIT * STEPS, dtype=np.int64)


def class_means(documents: IntArray) -> tuple[float, float]:
    """The mean probability of documents without and with the label, if the probabilities are right.

    .. math:: m_0 = \\frac{\\sum p (1 - p)}{\\sum (1 - p)}, \\quad m_1 = \\frac{\\sum p^2}{\\sum p}

    `documents` are the numbers of documents at the places of the grid, in one row or several.
    """
    counts, p = documents.reshape(-1, len(GRID)).sum(axis=0), GRID_PROBABILITIES
    return float(counts @ (p * (1 - p)) / (counts @ (1 - p))), float(counts @ p**2 / (counts @ p))


def restored_shares(documents: IntArray) -> FloatArray:
    """The share of each group, a row of `documents`, that the means of the probabilities imply.

    .. math:: \\frac{\\bar p_g - m_0}{m_1 - m_0}

    Means of probabilities differ less between groups than the shares do, since uncertain documents lie in the middle;
    this restores the size of the differences. It may lie outside 0 and 1. NaN for a group without documents.
    """
    low, high = class_means(documents)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = documents @ GRID_PROBABILITIES / documents.sum(axis=1)
    if high - low < 1e-9:  # every document has the same probability
        return np.asarray(means)
    return np.asarray((means - low) / (high - low))
