"""Predictiveness for shrinkage by a given number: the paper's least squares with a ridge, by one of two solvers.

`exact` finds the global optimum, for any number of lists; `published.admm` is the published algorithm, for two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex.errors import ConvergenceWarning, EstimationError, warn_caller
from problex.estimation.published import Minimum, Problem, admm, check_options, problem_of
from problex.model.evidence import Evidence, Solution, coverage, expected_cross_counts
from problex.model.settings import Settings


@dataclass(frozen=True, kw_only=True)
class RidgeProblem(Problem):
    """The problem with a `ridge`, kappa / e_i: a pull to zero, or (`towards_mean`) to the mean of the list."""

    ridge: FloatArray
    towards_mean: bool = False

    def objective(self, predictiveness: FloatArray) -> float:
        """F and the ridge at any point."""
        covered = self.weighted_coverage(predictiveness)
        slope = self.token_pairs * self.base_rates * (covered.sum() - covered)[self.list_index]
        centre = np.zeros_like(predictiveness)
        if self.towards_mean:
            for rows, mass in zip(self.members, covered, strict=True):
                centre[rows] = mass / self.base_rates[rows].sum()
        pull = np.where(self.upper > 0, self.ridge, 0.0) * (slope * (predictiveness - centre)) ** 2
        return float(0.5 * np.sum((self.residuals + slope * predictiveness) ** 2 + pull))


def estimate_by_solver(
    evidence: Evidence, included: BoolArray, shares: FloatArray, settings: Settings
) -> tuple[FloatArray, Solution]:
    """The predictiveness of every entry by least squares, and a summary of the solution.

    The problem has the included entries that occur in the corpus. Included entries that do not occur get the mean of
    their list where that is what estimates are shrunk to; all others get zero.
    """
    free = included & (evidence.occurrences > 0)
    problem = RidgeProblem(
        **vars(problem_of(evidence, included, shares, settings)),
        ridge=settings.kappa / expected_cross_counts(evidence, included)[free],
        towards_mean=settings.shrink_to == "mean",
    )
    if settings.solver == "exact":
        check_options(settings, exact)
        minimum = exact(problem)
    else:
        check_options(settings, admm)
        minimum = shrink_afterwards(problem, admm(problem, **settings.solver_options))
    x = np.zeros(len(evidence.entries))
    x[free] = minimum.x
    if problem.towards_mean and settings.kappa > 0:
        mean = problem.weighted_coverage(minimum.x) / coverage(evidence, included)
        unseen = included & (evidence.occurrences == 0)
        x[unseen] = mean[evidence.list_index[unseen]]
    return x, Solution(minimum.converged, minimum.iterations, minimum.objective, minimum.residuals[-1])


def shrink_afterwards(problem: RidgeProblem, minimum: Minimum) -> Minimum:
    """Shrink a plain minimum word by word: :math:`\\gamma_i / (1 + ridge_i)`, the rest from the list's mean."""
    ridge, x = problem.ridge, minimum.x / (1.0 + problem.ridge)
    if problem.towards_mean:
        for rows in problem.members:
            rates = problem.base_rates[rows]
            x[rows] += ridge[rows] / (1.0 + ridge[rows]) * float(rates @ minimum.x[rows]) / rates.sum()
    return replace(minimum, x=x, objective=problem.objective(x))


def exact(problem: RidgeProblem) -> Minimum:
    """The global optimum, by a search over one number.

    In terms of :math:`h_i = \\mu_i \\gamma_i W` and :math:`V = W^2` the objective is a convex quadratic, the
    constraint :math:`\\sum_{i \\in a} h_i = \\pi_a V` is linear and the box :math:`h_i \\le top_i \\mu_i \\sqrt V` is a
    convex set. So the optimum over *h* is convex in *V*: its derivative rises, and its one root is the answer.
    The residuals are (distance from the constraint, |derivative| at the root).

    >>> two = RidgeProblem(
    ...     residuals=np.array([-6.0, -6.0]), base_rates=np.array([0.1, 0.1]), list_index=np.array([0, 1]),
    ...     shares=np.array([0.5, 0.5]), token_pairs=1000.0, upper=np.array([0.9, 0.9]), ridge=np.zeros(2)
    ... )
    >>> solution = exact(two)   # closed form: W/2 = sqrt(6 / 1000), predictiveness = W/2 / 0.1
    >>> np.round(solution.x, 6).tolist(), solution.converged
    ([0.774597, 0.774597], True)
    """
    lists = _scaled_lists(problem)
    if any(part.max_coverage <= 0 for part in lists):
        empty = [a for a, part in enumerate(lists) if part.max_coverage <= 0]
        raise EstimationError(f"lists {empty} have no word that can have a weight, expected at least one in every list")
    top = min(part.max_coverage / part.share for part in lists) ** 2
    evaluations = 0

    def slope(volume: float) -> float:
        nonlocal evaluations
        evaluations += 1
        return sum(part.at(volume)[1] for part in lists)

    lowest = top * 1e-18
    if slope(top) <= 0:
        volume = top
    elif slope(lowest) >= 0:
        volume = 0.0
    else:
        from scipy.optimize import brentq  # takes a fifth of a second to import, which prediction need not wait for

        volume = float(brentq(slope, lowest, top, xtol=top * 1e-17, rtol=1e-14))
    x = np.zeros_like(problem.base_rates)
    if volume > 0:
        for part in lists:
            x[part.rows] = part.at(volume)[0] / (part.base_rates * np.sqrt(volume))
    x = np.clip(x, 0.0, problem.upper)
    width = float(np.sqrt(volume) * problem.base_rates.sum())
    gap = float(np.abs(problem.weighted_coverage(x) - problem.shares * width).max())
    boundary = volume in (0.0, top)
    steepness = 0.0 if boundary else abs(slope(volume))
    converged = gap <= 1e-12 and gap <= 1e-9 * width
    if not converged:
        warn_caller(
            f"the exact solver missed its constraint by {gap:.1e} of {width:.1e}: the base rates of the words differ "
            "by many orders of magnitude; leave out the rarest",
            ConvergenceWarning,
        )
    return Minimum(x, converged, evaluations, problem.objective(x), ((gap, steepness),))


@dataclass(frozen=True)
class _List:
    """One list of `exact`, in units of s and of the coverage of all lists: all numbers are near one."""

    rows: IntArray
    base_rates: FloatArray
    pull: FloatArray  # -r_i: where the data want q h_i to be
    ridge: FloatArray
    upper: FloatArray
    share: float
    centre: FloatArray  # h0_i / V

    @property
    def max_coverage(self) -> float:
        """The largest weighted coverage that the box allows."""
        return float(np.sum(self.upper * self.base_rates))

    def at(self, volume: float) -> tuple[FloatArray, float]:
        """The best h for this V, and the derivative of the optimum by V (envelope theorem)."""
        others = 1.0 - self.share
        target = self.pull + self.ridge * others * self.centre * volume
        stiffness = others * (1.0 + self.ridge)
        ceiling = self.upper * self.base_rates * np.sqrt(volume)
        level = _water_level(target, stiffness, ceiling, self.share * volume)
        h = np.clip((target - level) / stiffness, 0.0, ceiling)
        pressed = others * np.maximum(target - level - stiffness * ceiling, 0.0)
        slope = -others * self.share * level
        slope -= float(np.sum(self.ridge * others**2 * (h - self.centre * volume) * self.centre))
        slope -= float(np.sum(pressed * ceiling)) / (2.0 * volume)
        return h, slope


def _scaled_lists(problem: RidgeProblem) -> list[_List]:
    lists = []
    unit = float(problem.base_rates.sum())
    for share, rows in zip(problem.shares, problem.members, strict=True):
        rates = problem.base_rates[rows] / unit
        centre = rates * share / rates.sum() if problem.towards_mean and len(rows) else np.zeros_like(rates)
        pull = -problem.residuals[rows] / (problem.token_pairs * unit**2)
        lists.append(_List(rows, rates, pull, problem.ridge[rows], problem.upper[rows], float(share), centre))
    return lists


def _water_level(target: FloatArray, stiffness: FloatArray, ceiling: FloatArray, total: float) -> float:
    """The nu with sum clip((target - nu) / stiffness, 0, ceiling) = total: piecewise linear, so exact by sorting.

    >>> target, ones = np.array([2.0, 1.0]), np.ones(2)
    >>> _water_level(target, ones, 9 * ones, 1.0), _water_level(target, ones, 9 * ones, 3.0)    # 1 + 0, 2 + 1
    (1.0, 0.0)
    >>> _water_level(target, ones, np.array([1.0, 9.0]), 3.0)    # 1 + 2: the first is at its ceiling
    -1.0
    """
    steps = np.concatenate([target, target - stiffness * ceiling])
    order = np.argsort(-steps, kind="stable")
    steps = steps[order]
    # the sum at each level where a word leaves 0 or reaches its top, from the highest level down
    slopes = np.cumsum(np.concatenate([1.0 / stiffness, -1.0 / stiffness])[order])
    filled = np.concatenate([[0.0], np.cumsum(slopes[:-1] * (steps[:-1] - steps[1:]))])
    if total >= filled[-1]:
        return float(steps[-1])
    # the level between two of them
    at = max(int(np.searchsorted(filled, total)), 1)
    level = float(steps[at - 1] - (total - filled[at - 1]) / slopes[at - 1])
    for _ in range(2):  # the running sums carry rounding: polish on the words that are neither at 0 nor at their top
        raw = (target - level) / stiffness
        inside = (raw > 0) & (raw < ceiling)
        if inside.any():
            level += float((np.clip(raw, 0.0, ceiling).sum() - total) / np.sum(1.0 / stiffness[inside]))
    return level
