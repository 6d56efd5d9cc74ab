"""Shares by group from a few labels: the difference estimator, whose validity rests on the random draw alone.

The mean probability of all documents of a group is corrected by the mean error of the probabilities among its labelled
documents, each weighted by the number of documents that it represents. No model of the labels is assumed; a group gets
nothing from the labels of the others but the variance of the errors.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex.audit.shares.hierarchical import TAILS, ShareEstimates
from problex.evaluation.groups.logit_grid import GRID_PROBABILITIES


def difference_shares(
    documents: IntArray, group: IntArray, place: IntArray, positive: BoolArray, weights: FloatArray
) -> ShareEstimates:
    """The share of a label in each group, among the documents at hand, with intervals of 95 %.

    `documents` are counts by group and place of the grid of log-odds; the others describe the labelled documents.
    `weights` are one over their probabilities of being drawn.

    .. math::
        \\bar p_g + \\bar r_g, \\quad
        \\bar r_g = \\frac{\\sum w_i (y_i - p_i)}{\\sum w_i}, \\quad
        V_g = \\sigma^2 \\frac{\\sum w_i^2}{(\\sum w_i)^2} (1 - n_g / N_g)

    with the variance of the errors within groups, pooled over the groups, and the quantile of Student's t. NaN for a
    group without a label; if no group has two labels the interval is all that is possible.

    >>> documents = np.zeros((1, len(GRID_PROBABILITIES)), np.int64)
    >>> documents[0, 48] = 100                                        # a hundred documents with a probability of .5
    >>> found = difference_shares(documents, *(np.array(a) for a in ([0] * 4, [48] * 4, [1, 1, 1, 0], [25.0] * 4)))
    >>> found.values.tolist(), found.low.round(3).tolist()
    ([0.75], [0.03])
    """
    groups = len(documents)
    errors = positive - GRID_PROBABILITIES[place]
    total, labelled = documents.sum(axis=1), np.bincount(group, minlength=groups)
    sums = np.bincount(group, weights, minlength=groups)
    hits = np.bincount(group, positive, minlength=groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(group, weights * errors, minlength=groups) / sums
        values = documents @ GRID_PROBABILITIES / total + means
        parts = np.bincount(group, weights**2, minlength=groups) / sums**2 * (1.0 - labelled / total)
        lowest, highest = hits / total, 1.0 - (labelled - hits) / total
        free = len(group) - np.count_nonzero(labelled)
        spread = np.sqrt(weights @ (errors - means[group]) ** 2 / weights.sum() * len(group) / free * parts)
        reach = np.where(parts > 0, stdtrit(free, TAILS[1]) * spread, 0.0)
    reach[np.isnan(reach) & (labelled > 0)] = 1.0
    bounds = (np.clip(one, lowest, highest) for one in (values, values - reach, values + reach))
    return ShareEstimates(*(np.where(labelled > 0, one, np.nan) for one in bounds))
