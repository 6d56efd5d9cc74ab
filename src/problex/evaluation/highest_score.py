"""The probability that the score of one label is the highest of all, for normal scores of documents of a model.

Per token, the scores have the means m and the covariances diag(v) - m m^T: a token is of one list at most. Given the
score of the own label, those of the other labels have the covariances diag(v) - m m^T v_y / (v_y - m_y^2), which one
factor with imaginary loadings makes independent. The probability of any number of labels is thus an integral over two
variables, the own score and the factor. With many labels the loadings are small, because the coverage of all lists is
one at most and bounds their squares; then two terms of a series replace the integral over the factor.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import log_ndtr, ndtr

from problex._util.arrays import FloatArray

LIMIT = 9.0
"""Standard deviations of the own score that the integral covers."""
GRID = (-LIMIT, -4.0, -2.0, 0.0, 2.0, 4.0, LIMIT)
"""Limits of panels in addition to those where another label has a step, for more than two labels."""
NODES, MIN_NODES = 128, 12
"""Nodes of the own score in all, and at least in each panel."""
FACTOR_NODES = 6
"""Nodes of the factor; it has little variance, because a list covers a small share of the tokens."""
MAX_LABELS = 12
"""More labels have as many panels as this, and a series in place of the factor, so that the time grows less."""


def probability_of_highest(own: int, centres: FloatArray, means: FloatArray, squares: FloatArray) -> FloatArray:
    """The probability that the score `own` is the highest, for each row of `centres` (documents x labels).

    The scores of a row are normal around its centres with the covariances diag(squares) - means means^T. A label
    whose list has no weight always has its centre as score; a tie is not the highest score.

    >>> two = np.array([[1.0, 0.0], [0.0, 0.0]])
    >>> probability_of_highest(0, two, np.zeros(2), np.array([1.0, 0.0])).round(4).tolist()
    [0.8413, 0.5]
    """
    others = np.arange(len(means)) != own
    variance = squares[own] - means[own] ** 2
    if variance <= 0:
        return _all_below(centres[:, [own]], centres[:, None, others], means[others], squares[others])[:, 0]
    deviation = np.sqrt(variance)
    z, weights = _panels((centres[:, others] - centres[:, [own]]) / deviation)
    shift = -means[own] * means[others] / deviation
    given = centres[:, None, others] + shift * z[:, :, None]
    residual_means = means[others] * np.sqrt(squares[own] / variance)
    below = _all_below(centres[:, [own]] + deviation * z, given, residual_means, squares[others])
    density = np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi)
    probability: FloatArray = np.clip(np.sum(weights * density * below, axis=1), 0.0, 1.0)
    return probability


@lru_cache
def _gauss(number: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Legendre on [-1, 1]: an eigenvalue problem, solved once for each number."""
    nodes, weights = np.polynomial.legendre.leggauss(number)
    return nodes, weights


@lru_cache
def _hermite(number: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Hermite for a standard normal variable, solved once for each number."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(number)
    return nodes, weights


def _panels(breaks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Legendre between the breaks of each row: a rare list has a step there."""
    edges = np.sort(np.clip(breaks, -LIMIT, LIMIT), axis=1)
    if edges.shape[1] > MAX_LABELS:
        edges = edges[:, np.linspace(0, edges.shape[1] - 1, MAX_LABELS).round().astype(np.int64)]
    ends = np.array([-LIMIT, LIMIT] if edges.shape[1] == 1 else GRID)
    edges = np.sort(np.concatenate([edges, np.tile(ends, (len(edges), 1))], axis=1), axis=1)
    nodes, weights = _gauss(max(MIN_NODES, NODES // (edges.shape[1] - 1)))
    half = np.diff(edges, axis=1)[:, :, None] / 2.0
    centre = (edges[:, 1:, None] + edges[:, :-1, None]) / 2.0
    return (centre + half * nodes).reshape(len(edges), -1), (half * weights).reshape(len(edges), -1)


def _all_below(limits: FloatArray, centres: FloatArray, means: FloatArray, squares: FloatArray) -> FloatArray:
    """The probability that the other scores are below each limit (rows x nodes), by the factor with weight -means."""
    distance = limits[:, :, None] - centres
    weighted = squares > 0
    spread = np.sqrt(squares[weighted])
    arguments, loadings = distance[:, :, weighted] / spread, means[weighted] / spread
    above_silent = np.all(distance[:, :, ~weighted] > 0, axis=2)
    if len(means) > MAX_LABELS:
        return np.asarray(_by_series(arguments, loadings) * above_silent, dtype=np.float64)
    nodes, weights = _hermite(FACTOR_NODES)
    below = np.zeros(limits.shape)
    for node, weight in zip(nodes, weights, strict=True):
        if node > 0:  # the nodes below zero have the conjugate values
            below += 2.0 * weight * np.prod(ndtr(arguments + 1j * node * loadings), axis=2).real
    return np.asarray(below / weights.sum() * above_silent, dtype=np.float64)


def _by_series(arguments: FloatArray, loadings: FloatArray) -> FloatArray:
    """The mean of the product of Phi(x_j + i l_j X) over a standard normal X, to the second order in l.

    With F the product at X = 0, it is F - F'' / 2, where F'' / F = (sum l r)^2 - sum l^2 r (x + r) and
    r = phi(x) / Phi(x).
    """
    logarithms = log_ndtr(arguments)
    ratios = np.exp(-0.5 * arguments**2 - logarithms) / np.sqrt(2.0 * np.pi)
    curvature = (ratios @ loadings) ** 2 - (ratios * (arguments + ratios)) @ loadings**2
    return np.asarray(np.exp(logarithms.sum(axis=2) - curvature / 2.0), dtype=np.float64)
