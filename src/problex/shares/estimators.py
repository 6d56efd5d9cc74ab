"""The estimators of shares by group, for two labels or more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex.errors import check_choice
from problex.shares.grid import GRID, GRID_PROBABILITIES
from problex.shares.hierarchical import TAILS, ShareEstimates, hierarchical_shares


@dataclass(frozen=True, eq=False)
class GroupedLabels:
    """What the estimators need: documents by class, group and place of the grid, and the labelled documents.

    `documents` counts all documents (classes x groups x places). For the labelled documents, `group`, `codes` and
    `weights` have the group, the class and one over the probability of being drawn, `places` (classes x labelled) the
    places on the grid.
    """

    documents: IntArray
    group: IntArray
    places: IntArray
    codes: IntArray
    weights: FloatArray

    @property
    def labels(self) -> IntArray:
        """Labelled documents of each group."""
        return np.bincount(self.group, minlength=self.documents.shape[1])

    def cells(self, at: int) -> tuple[IntArray, IntArray]:
        """Labelled documents by group and place, and those of them with the class `at`."""
        shape = self.documents.shape[1:]
        place = self.group * len(GRID) + self.places[at]
        counts = (np.bincount(part, minlength=shape[0] * shape[1]) for part in (place, place[self.codes == at]))
        labels, positives = (count.reshape(shape) for count in counts)
        return labels, positives


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


def _hierarchical(data: GroupedLabels, at: int) -> ShareEstimates:
    return hierarchical_shares(data.documents[at], *data.cells(at))


def _difference(data: GroupedLabels, at: int) -> ShareEstimates:
    return difference_shares(data.documents[at], data.group, data.places[at], data.codes == at, data.weights)


@dataclass(frozen=True)
class Estimator:
    """How the share of one class is estimated, the sentence for a methods section, and what to cite."""

    estimate: Callable[[GroupedLabels, int], ShareEstimates]
    description: str
    citation: str


ESTIMATORS = {
    "hierarchical": Estimator(
        _hierarchical,
        "a hierarchical logistic regression of the labels on the log-odds of the model, whose level and slope differ "
        "between groups (Laplace's approximation; 1,000 draws from the posterior, for the documents at hand)",
        "Gelman and Hill (2007)",
    ),
    "difference": Estimator(
        _difference,
        "the difference estimator: the mean probability of a group, corrected by the mean error of the probabilities "
        "in its labelled documents, which were weighted by their probabilities of being drawn",
        "Särndal, Swensson and Wretman (1992); Angelopoulos et al. (2023)",
    ),
}
"""By name; a new one is one function and one line."""
DEFAULT, ALONE = "hierarchical", "difference"
"""The estimator of several groups, and that of one group alone."""


def estimate_shares(data: GroupedLabels, estimator: str | None = None) -> list[ShareEstimates]:
    """The shares of every class by group, with intervals; without a name, the estimator that suits the groups.

    Each class is estimated against all others together. Of two classes the second is the mirror image of the first. Of
    more, the estimates of a group are moved to add up to one, each by an amount in proportion to the square of its
    interval's width, and the intervals are moved along; they are not made narrower.
    """
    name = estimator or (DEFAULT if len(data.documents[0]) > 1 else ALONE)
    check_choice("estimator", name, ESTIMATORS)
    estimate = ESTIMATORS[name].estimate
    if len(data.documents) == 2:
        second = estimate(data, 1)
        return [second.mirrored(), second]
    return _adding_up([estimate(data, at) for at in range(len(data.documents))])


def _adding_up(parts: list[ShareEstimates]) -> list[ShareEstimates]:
    values, low, high = (np.stack([getattr(part, name) for part in parts]) for name in ("values", "low", "high"))
    widths = (high - low) ** 2
    missing = 1.0 - values.sum(axis=0)
    total = widths.sum(axis=0)
    moves = np.where(total > 0, widths / np.where(total > 0, total, 1.0), 1.0 / len(parts)) * missing
    moved = np.clip(values + moves, 0.0, 1.0)
    moved = moved / moved.sum(axis=0)
    return [
        ShareEstimates(value, np.clip(value - old + one, 0.0, value), np.clip(value - old + other, value, 1.0))
        for value, old, one, other in zip(moved, values, low, high, strict=True)
    ]
