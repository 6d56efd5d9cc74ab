r"""Shares by group from a few labels: a hierarchical logistic regression of the labels on the model's log-odds.

.. math:: \mathrm{logit}\, P(y = 1 \mid l, g) = a + b l + c x_g + u_g + v_g l

with the log-odds l of the model, u_g ~ Normal(0, s), v_g ~ Normal(0, .4 s), and x_g the share that the model's
probabilities imply for group g, as centred log-odds. Groups with few labels borrow from the others, and their intervals
allow for differences between groups. The posterior is Laplace's approximation for five values of s, and random draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, stdtrit

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex.errors import check_choice
from problex.shares.grid import GRID, GRID_PROBABILITIES, restored_shares

PRIOR_MEANS = np.array([0.0, 1.0, 0.5])
PRIOR_DEVIATIONS = np.array([1.5, 0.6, 0.7])
"""Of a, b and c."""
SLOPE_RATIO = 0.4
"""Deviation of the slopes of groups, as a multiple of that of their levels."""
SPREADS = np.array([0.5, 0.75, 1.1, 1.6, 2.4])
"""Values of s."""
SPREAD_SCALE = 1.5
RESTORED_LIMITS = (0.02, 0.98)
DRAWS = 1000
SIGNS = ((1, 1, 1), (-1, 1, -1), (-1, -1, -1), (1, -1, 1))
"""Every draw is used with these signs of the levels, of the slopes and of the noise, so that the shares of a label and
of the rest have the same draws, mirrored."""
TAILS = (0.025, 0.975)
MAX_STEPS, TOLERANCE = 50, 1e-8
DEFAULT, ALONE = "hierarchical", "difference"
"""The estimator of several groups, and that of one group alone."""


@dataclass(frozen=True, eq=False)
class ShareEstimates:
    """Estimated shares of a label, one for each group, with intervals of 95 %; NaN where there is no estimate."""

    values: FloatArray
    low: FloatArray
    high: FloatArray

    def mirrored(self) -> ShareEstimates:
        """The shares of all other labels together.

        >>> found = ShareEstimates(np.array([0.3]), np.array([0.2]), np.array([0.5])).mirrored()
        >>> found.values.tolist(), found.low.tolist(), found.high.tolist()
        ([0.7], [0.5], [0.8])
        """
        return ShareEstimates(1.0 - self.values, 1.0 - self.high, 1.0 - self.low)


@dataclass(frozen=True, eq=False)
class _Cells:
    """The positions of the grid with labels: group, log-odds, labels, and those of them that are positive."""

    group: IntArray
    logit: FloatArray
    labels: FloatArray
    positives: FloatArray
    covariate: FloatArray

    def moments(self, values: FloatArray) -> FloatArray:
        """Sums of `values`, `values` l and `values` l^2 over the cells of each group (3 x groups).

        >>> ones = np.ones(3)
        >>> _Cells(np.array([0, 0, 1]), np.array([1.0, -1.0, 2.0]), ones, ones, np.zeros(2)).moments(ones).tolist()
        [[2.0, 1.0], [0.0, 2.0], [2.0, 4.0]]
        """
        groups = len(self.covariate)
        weighted = (values, values * self.logit, values * self.logit**2)
        return np.stack([np.bincount(self.group, one, minlength=groups) for one in weighted])


@dataclass(frozen=True, eq=False)
class _Posterior:
    """Laplace's approximation for one spread: the mode of (a, b, c) and of (u_g, v_g), and its precision by blocks.

    `cross` is the block of (a, b, c) with (u_g, v_g) (groups x 3 x 2), `own` that of (u_g, v_g) (groups x 2 x 2),
    `marginal` the precision of (a, b, c) with the groups integrated out.
    """

    common: FloatArray
    groups: FloatArray
    cross: FloatArray
    own: FloatArray
    marginal: FloatArray
    evidence: float

    def draws(self, number: int, random: np.random.Generator, covariate: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Levels a + c x_g + u_g and slopes b + v_g (groups x 4 number), in the order of `SIGNS`."""
        normal = random.standard_normal((3 + 2 * len(covariate), number))
        levels = np.array([True, False, False, *[True, False] * len(covariate)])  # a, b, c, and each u_g and v_g
        normal = np.concatenate([np.where(levels[:, None], up, along) * normal for up, along, _ in SIGNS], axis=1)
        common = np.linalg.solve(np.linalg.cholesky(self.marginal).T, normal[:3])
        # Given (a, b, c), each group has its own mean and precision.
        roots = np.linalg.cholesky(self.own).swapaxes(1, 2)
        own = np.linalg.solve(roots, normal[3:].reshape(len(covariate), 2, -1))
        own = own - np.linalg.solve(self.own, self.cross.swapaxes(1, 2) @ common) + self.groups[:, :, None]
        common = common + self.common[:, None]
        return common[0] + covariate[:, None] * common[2] + own[:, 0], common[1] + own[:, 1]


def hierarchical_shares(documents: IntArray, labels: IntArray, positives: IntArray, *, seed: int = 0) -> ShareEstimates:
    """The share of a label in each group, among the documents at hand, with intervals of 95 %.

    All three are counts by group and position of the grid of log-odds: of all documents, of those with a label of a
    person, and of those of them that have this label.

    .. math:: \\frac{\\text{positives}_g + \\sum_{unlabelled} P + Normal(0, \\sum P (1 - P))}{N_g}

    >>> documents = np.zeros((2, len(GRID)), np.int64)
    >>> documents[:, [32, 64]] = [[300, 100], [100, 300]]         # log-odds of -2 and 2
    >>> labels, positives = documents // 10, documents // 10
    >>> positives[:, 32] = labels[:, 32] // 5                       # a fifth of the negative are positive
    >>> found = hierarchical_shares(documents, labels, positives)
    >>> found.values.round(2).tolist()
    [0.39, 0.79]
    """
    groups = len(documents)
    covariate = group_covariate(documents)
    position = np.nonzero(labels)
    cells = _Cells(
        position[0], GRID[position[1]], labels[position].astype(float), positives[position].astype(float), covariate
    )
    # The posterior of each spread between groups; each search starts at the mode of the last one.
    posteriors: list[_Posterior] = []
    for spread in SPREADS:
        posteriors.append(_laplace(cells, float(spread), posteriors[-1] if posteriors else None))
    # Draws, more of the likelier spreads.
    random = np.random.default_rng(seed)
    drawn = [
        posterior.draws(number, random, covariate)
        for posterior, number in zip(posteriors, _numbers_of_draws(posteriors), strict=True)
        if number
    ]
    levels, slopes = (np.concatenate(parts, axis=1) for parts in zip(*drawn, strict=True))
    # What the draws say about the documents without a label, among those at hand.
    left = documents - labels
    noise = _noise(random, groups, [part[0].shape[1] // 4 for part in drawn])
    values, bounds = np.full(groups, np.nan), np.full((2, groups), np.nan)
    for group in np.flatnonzero(documents.sum(axis=1)):
        expected, variance = _sums(left[group], levels[group], slopes[group])
        hits, total = positives[group].sum(), documents[group].sum()
        shares = (hits + np.clip(expected + noise[group] * np.sqrt(variance), 0, left[group].sum())) / total
        values[group], bounds[:, group] = shares.mean(), np.quantile(shares, TAILS)
    return ShareEstimates(values, bounds[0], bounds[1])


def group_covariate(documents: IntArray) -> FloatArray:
    """x_g: the log-odds of the share that the probabilities imply, less their mean; 0 for a group of no documents.

    >>> documents = np.zeros((3, len(GRID)), np.int64)
    >>> documents[:2, [32, 64]] = [[80, 20], [20, 80]]                  # shares of .11 and .89, and no documents
    >>> group_covariate(documents).round(1).tolist()
    [-2.1, 2.1, 0.0]
    """
    some = documents.sum(axis=1) > 0
    share = np.clip(restored_shares(documents[some]), *RESTORED_LIMITS)
    covariate = np.zeros(len(documents))
    logits = np.log(share) - np.log1p(-share)
    covariate[some] = logits - logits.mean()
    return covariate


def _sums(left: IntArray, level: FloatArray, slope: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The expected number of positive documents among the unlabelled ones of a group, and its variance, by draw.

    >>> left = np.where(GRID == 0, 10, 0)
    >>> [part.tolist() for part in _sums(left, np.zeros(1), np.ones(1))]    # ten documents with a probability of .5
    [[5.0], [2.5]]
    """
    some: BoolArray = left > 0
    probabilities = expit(level[:, None] + slope[:, None] * GRID[some])
    counts = left[some].astype(np.float64)
    return probabilities @ counts, (probabilities * (1 - probabilities)) @ counts


def _noise(random: np.random.Generator, groups: int, numbers: list[int]) -> FloatArray:
    """Standard normal noise (groups x draws) with the signs of the draws of each posterior."""
    parts = [random.standard_normal((groups, number)) for number in numbers]
    return np.concatenate([sign * part for part in parts for _, _, sign in SIGNS], axis=1)


def _numbers_of_draws(posteriors: list[_Posterior]) -> list[int]:
    """Draws from the posterior of each spread: a quarter of their number, in proportion to its probability."""
    prior = np.exp(-0.5 * (SPREADS / SPREAD_SCALE) ** 2) * np.gradient(SPREADS)
    evidence = np.array([posterior.evidence for posterior in posteriors])
    weights = prior * np.exp(evidence - evidence.max())
    ends = np.rint(np.cumsum(weights) / weights.sum() * (DRAWS // 4)).astype(int)
    return [int(number) for number in np.diff(ends, prepend=0)]


def _laplace(cells: _Cells, spread: float, start: _Posterior | None) -> _Posterior:
    """The mode by Newton's method, and the log evidence up to a constant that is the same for every spread."""
    groups = len(cells.covariate)
    precision = np.array([spread**-2, (SLOPE_RATIO * spread) ** -2])
    common = PRIOR_MEANS.copy() if start is None else start.common
    own = np.zeros((groups, 2)) if start is None else start.groups
    height, size = -np.inf, 1.0
    step_common, step_own = np.zeros(3), np.zeros((groups, 2))
    for _ in range(MAX_STEPS):
        new = common + size * step_common, own + size * step_own
        reached = _log_posterior(cells, *new, precision)
        if reached < height:  # a step too far
            size /= 2
            continue
        gain, (common, own), height, size = reached - height, new, reached, 1.0
        blocks = _blocks(cells, common, own, precision)
        step_common, step_own = _newton_step(cells, common, own, precision, blocks)
        if gain < TOLERANCE:
            break
    _, cross, block, marginal = blocks
    determinant = np.linalg.slogdet(marginal)[1] + np.linalg.slogdet(block)[1].sum()
    evidence = height + 0.5 * groups * np.log(precision).sum() - 0.5 * determinant
    return _Posterior(common, own, cross, block, marginal, float(evidence))


def _linear(cells: _Cells, common: FloatArray, own: FloatArray) -> FloatArray:
    level = common[0] + common[2] * cells.covariate + own[:, 0]
    return np.asarray(level[cells.group] + (common[1] + own[:, 1])[cells.group] * cells.logit)


def _log_posterior(cells: _Cells, common: FloatArray, own: FloatArray, precision: FloatArray) -> float:
    linear = _linear(cells, common, own)
    likelihood = cells.positives @ linear - cells.labels @ np.logaddexp(0, linear)
    prior = np.sum(((common - PRIOR_MEANS) / PRIOR_DEVIATIONS) ** 2) + np.sum(own**2 * precision)
    return float(likelihood - 0.5 * prior)


def _blocks(
    cells: _Cells, common: FloatArray, own: FloatArray, precision: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The negative Hessian by blocks: common, cross, own, and the common one with the groups integrated out."""
    chance = expit(_linear(cells, common, own))
    zeroth, first, second = cells.moments(cells.labels * chance * (1 - chance))
    x = cells.covariate
    block = np.stack([zeroth, first, first, second], axis=1).reshape(-1, 2, 2)
    cross = np.concatenate([block, (x[:, None] * block[:, 0])[:, None, :]], axis=1)
    last = np.stack([x * zeroth, x * first, x**2 * zeroth], axis=1)
    outer = np.concatenate([cross, last[:, :, None]], axis=2).sum(axis=0)
    outer += np.diag(PRIOR_DEVIATIONS**-2)
    block = block + np.diag(precision)
    marginal = outer - np.sum(cross @ np.linalg.solve(block, cross.swapaxes(1, 2)), axis=0)
    return outer, cross, block, marginal


def _newton_step(
    cells: _Cells,
    common: FloatArray,
    own: FloatArray,
    precision: FloatArray,
    blocks: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
) -> tuple[FloatArray, FloatArray]:
    """Newton's step for (a, b, c) and for every (u_g, v_g), in time linear in the number of groups."""
    _, cross, block, marginal = blocks
    residual = cells.positives - cells.labels * expit(_linear(cells, common, own))
    sums = cells.moments(residual)[:2].T
    slope_common = np.array([*sums.sum(axis=0), cells.covariate @ sums[:, 0]])
    slope_common -= (common - PRIOR_MEANS) / PRIOR_DEVIATIONS**2
    slope_own = (sums - own * precision)[:, :, None]
    step = np.linalg.solve(marginal, slope_common - np.sum(cross @ np.linalg.solve(block, slope_own), axis=0)[:, 0])
    own_step = np.linalg.solve(block, slope_own - cross.swapaxes(1, 2) @ step[:, None])
    return np.asarray(step, dtype=np.float64), np.asarray(own_step[:, :, 0], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class GroupedLabels:
    """What the estimators need: documents by class, group and position of the grid, and the labelled documents.

    `documents` counts all documents (classes x groups x positions). For the labelled documents, `group`, `codes` and
    `weights` have the group, the class and one over the probability of being drawn, `positions` (classes x labelled)
    those on the grid.
    """

    documents: IntArray
    group: IntArray
    positions: IntArray
    codes: IntArray
    weights: FloatArray

    @property
    def labels(self) -> IntArray:
        """Labelled documents of each group."""
        return np.bincount(self.group, minlength=self.documents.shape[1])

    def cells(self, at: int) -> tuple[IntArray, IntArray]:
        """Labelled documents by group and position, and those of them with the class `at`.

        >>> none, positions = np.zeros((2, 1, len(GRID)), np.int64), np.array([[0, 0, 9], [96, 96, 87]])
        >>> data = GroupedLabels(none, np.zeros(3, np.int64), positions, np.array([0, 1, 1]), np.ones(3))
        >>> [part[0, [87, 96]].tolist() for part in data.cells(1)]          # of one and two labels, one is positive
        [[1, 2], [1, 1]]
        """
        shape = self.documents.shape[1:]
        position = self.group * len(GRID) + self.positions[at]
        counts = (np.bincount(part, minlength=shape[0] * shape[1]) for part in (position, position[self.codes == at]))
        labels, positives = (count.reshape(shape) for count in counts)
        return labels, positives


def difference_shares(
    documents: IntArray, group: IntArray, position: IntArray, positive: BoolArray, weights: FloatArray
) -> ShareEstimates:
    """The share of a label in each group, among the documents at hand, with intervals of 95 %.

    `documents` are counts by group and position of the grid of log-odds; the others describe the labelled documents.
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
    errors = positive - GRID_PROBABILITIES[position]
    total, labelled = documents.sum(axis=1), np.bincount(group, minlength=groups)
    sums = np.bincount(group, weights, minlength=groups)
    hits = np.bincount(group, positive, minlength=groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(group, weights * errors, minlength=groups) / sums
        values = documents @ GRID_PROBABILITIES / total + means
        # The variance of the errors within groups is pooled, since a group may have a single label.
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
    return difference_shares(data.documents[at], data.group, data.positions[at], data.codes == at, data.weights)


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


def estimate_shares(data: GroupedLabels, estimator: str | None = None) -> list[ShareEstimates]:
    """The shares of every class by group, with intervals; without a name, the estimator that suits the groups.

    Each class is estimated against all others together. Of two classes the second is the mirror image of the first. Of
    more, the estimates of a group are moved to add up to one, each by an amount in proportion to the square of its
    interval's width, and the intervals are moved along; they are not made narrower.

    >>> documents = np.zeros((2, 1, len(GRID)), np.int64)
    >>> documents[:, 0, 48] = 100                                       # a hundred documents with a probability of .5
    >>> group, codes = np.zeros(4, np.int64), np.array([1, 1, 1, 0])
    >>> data = GroupedLabels(documents, group, np.full((2, 4), 48), codes, np.full(4, 25.0))
    >>> [one.values.tolist() for one in estimate_shares(data)]          # of one group, the difference estimator
    [[0.25], [0.75]]
    """
    name = estimator or (DEFAULT if len(data.documents[0]) > 1 else ALONE)
    check_choice("estimator", name, ESTIMATORS)
    estimate = ESTIMATORS[name].estimate
    if len(data.documents) == 2:
        second = estimate(data, 1)
        return [second.mirrored(), second]
    return _adding_up([estimate(data, at) for at in range(len(data.documents))])


def _adding_up(parts: list[ShareEstimates]) -> list[ShareEstimates]:
    """The estimates of all classes, moved so that those of a group add up to one.

    >>> parts = [ShareEstimates(*(np.array([one]) for one in (v, v - r, v + r))) for v, r in ((0.5, 0.1), (0.3, 0.2))]
    >>> [round(float(part.values[0]), 2) for part in _adding_up(parts)]   # .2 is missing; widths .2 and .4: 1 to 4
    [0.54, 0.46]
    """
    # Wide intervals move the most.
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
