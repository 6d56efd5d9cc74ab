"""Two solvers for one problem: predictiveness from cross-lexicon counts.

Arrays in, a `Solution` out; no words in here. For word *i* of list *a*, with residual
:math:`r_i = c_i - s \\mu_i M_{other}` and :math:`G_a = \\sum_{i \\in a} \\mu_i \\gamma_i`, both minimise

.. math:: F(\\gamma) = \\tfrac12 \\sum_i (r_i + s \\mu_i \\gamma_i G_{other})^2
    \\quad\\text{subject to}\\quad G_a = \\pi_a W,\\; 0 \\le \\gamma_i \\le top_i .

`exact` finds the global optimum; `admm` is the published algorithm, for two lists.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from problex.errors import ConvergenceWarning, EstimationError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Problem:
    """What a solver is asked: one row per word, one share per list.

    `ridge` is :math:`\\kappa / e_i` and pulls each predictiveness towards zero, or (`towards_mean`) towards
    the mean of its list; zero is the plain problem. `scale` divides the objective inside ADMM, for conditioning.
    """

    residuals: FloatArray
    base_rates: FloatArray
    list_index: IntArray
    shares: FloatArray
    token_pairs: float
    upper: FloatArray
    ridge: FloatArray
    towards_mean: bool = False
    scale: float = 1.0

    @property
    def members(self) -> list[IntArray]:
        """The rows of each list that may move: those with a positive upper bound."""
        free = self.upper > 0
        return [np.flatnonzero(free & (self.list_index == a)) for a in range(len(self.shares))]

    def weighted_coverage(self, predictiveness: FloatArray) -> FloatArray:
        """G, one value per list."""
        mass = self.base_rates * predictiveness
        return np.bincount(self.list_index, weights=mass, minlength=len(self.shares)).astype(np.float64)

    def objective(self, predictiveness: FloatArray) -> float:
        """F and the ridge, at any point: what `Solution.objective` reports for every solver."""
        covered = self.weighted_coverage(predictiveness)
        other = (covered.sum() - covered)[self.list_index]
        slope = self.token_pairs * self.base_rates * other
        centre = np.zeros_like(predictiveness)
        if self.towards_mean:
            for rows, mass in zip(self.members, covered, strict=True):
                centre[rows] = mass / self.base_rates[rows].sum()
        free = self.upper > 0
        pull = np.where(free, self.ridge, 0.0) * (slope * (predictiveness - centre)) ** 2
        return float(0.5 * np.sum((self.residuals + slope * predictiveness) ** 2 + pull))


@dataclass(frozen=True)
class Solution:
    """What every solver returns. `residuals` holds (primal, dual) after each iteration, newest last."""

    x: FloatArray
    converged: bool
    iterations: int
    objective: float
    residuals: tuple[tuple[float, float], ...]


def exact(problem: Problem) -> Solution:
    """The global optimum, by a search over one number.

    In terms of :math:`h_i = \\mu_i \\gamma_i W` and :math:`V = W^2` the objective is a convex quadratic, the
    constraint :math:`\\sum_{i \\in a} h_i = \\pi_a V` is linear and the box :math:`h_i \\le top_i \\mu_i \\sqrt V` is a
    convex set. So the optimum over *h* is convex in *V*: its derivative rises, and its one root is the answer.
    The residuals are (distance from the constraint, |derivative| at the root).

    >>> import numpy as np
    >>> two = Problem(np.array([-6.0, -6.0]), np.array([0.1, 0.1]), np.array([0, 1]), np.array([0.5, 0.5]),
    ...               1000.0, np.array([0.9, 0.9]), np.zeros(2))
    >>> solution = exact(two)   # closed form: W/2 = sqrt(6 / 1000), predictiveness = W/2 / 0.1
    >>> np.round(solution.x, 6).tolist(), solution.converged
    ([0.774597, 0.774597], True)
    """
    lists = _scaled_lists(problem)
    if any(part.room <= 0 for part in lists):
        empty = [a for a, part in enumerate(lists) if part.room <= 0]
        raise EstimationError(f"lists {empty} have no word that can carry weight, every list needs at least one")
    top = min(part.room / part.share for part in lists) ** 2
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
        volume = float(brentq(slope, lowest, top, xtol=top * 1e-17, rtol=1e-14))
    x = np.zeros_like(problem.base_rates)
    if volume > 0:
        for part in lists:
            x[part.rows] = part.at(volume)[0] / (part.base_rates * np.sqrt(volume))
    x = np.clip(x, 0.0, problem.upper)
    gap = float(np.abs(problem.weighted_coverage(x) - problem.shares * np.sqrt(volume)).max())
    boundary = volume in (0.0, top)
    steepness = 0.0 if boundary else abs(slope(volume))
    return Solution(x, gap <= 1e-12, evaluations, problem.objective(x), ((gap, steepness),))


@dataclass(frozen=True)
class _List:
    """One list of `exact`, divided by s so that nothing depends on the size of the corpus."""

    rows: IntArray
    base_rates: FloatArray
    pull: FloatArray  # -r_i / s: where the data want q h_i to be
    ridge: FloatArray
    upper: FloatArray
    share: float
    centre: FloatArray  # h0_i / V

    @property
    def room(self) -> float:
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


def _scaled_lists(problem: Problem) -> list[_List]:
    lists = []
    for share, rows in zip(problem.shares, problem.members, strict=True):
        rates = problem.base_rates[rows]
        centre = rates * share / rates.sum() if problem.towards_mean and len(rows) else np.zeros_like(rates)
        pull = -problem.residuals[rows] / problem.token_pairs
        lists.append(_List(rows, rates, pull, problem.ridge[rows], problem.upper[rows], float(share), centre))
    return lists


def _water_level(target: FloatArray, stiffness: FloatArray, ceiling: FloatArray, total: float) -> float:
    """The nu with sum clip((target - nu) / stiffness, 0, ceiling) = total: piecewise linear, so exact by sorting."""
    steps = np.concatenate([target, target - stiffness * ceiling])
    order = np.argsort(-steps, kind="stable")
    steps = steps[order]
    slopes = np.cumsum(np.concatenate([1.0 / stiffness, -1.0 / stiffness])[order])
    filled = np.concatenate([[0.0], np.cumsum(slopes[:-1] * (steps[:-1] - steps[1:]))])
    if total >= filled[-1]:
        return float(steps[-1])
    at = max(int(np.searchsorted(filled, total)), 1)
    level = float(steps[at - 1] - (total - filled[at - 1]) / slopes[at - 1])
    for _ in range(2):  # the running sums carry rounding: polish on the words that are neither at 0 nor at their top
        raw = (target - level) / stiffness
        inside = (raw > 0) & (raw < ceiling)
        if inside.any():
            level += float((np.clip(raw, 0.0, ceiling).sum() - total) / np.sum(1.0 / stiffness[inside]))
    return level


def admm(
    problem: Problem,
    *,
    iterations: int = 5000,
    inner_iterations: int | None = None,
    penalty: float | None = None,
    tolerance: float = 1e-9,
) -> Solution:
    """The published algorithm: alternate between two lists, a multiplier on :math:`G_0 = G_1`, a box inside.

    By default every box problem is solved to `tolerance`, the penalty starts at the curvature of the objective
    and then follows the two residuals (Boyd et al. 2011, pp. 19-21): grow when primal > 10 dual, shrink when
    dual > 10 primal. `AUTHOR` holds the settings of the author's program, which leaves each box problem after
    five steps from a cold start: that is not the optimum, it is a way of shrinking rare words.
    """
    if len(problem.shares) != 2:
        raise EstimationError(
            f"the published solver 'admm' takes two lists and was given {len(problem.shares)}: use solver='exact'"
        )
    if np.any(problem.ridge > 0):
        raise EstimationError("'admm' solves the plain problem, without a ridge: shrink its result afterwards")
    blocks = [_Block.of(problem, a) for a in (0, 1)]
    x = [np.full(len(block.rows), _common_start(problem)) for block in blocks]
    x = [np.minimum(start, block.upper) for start, block in zip(x, blocks, strict=True)]
    states: list[tuple[FloatArray, FloatArray] | None] = [None, None]
    multiplier = 0.0
    unit = 1e-6 * _curvature(blocks, x)
    smallest = 1e-6 * max(block.level(block.upper) for block in blocks)  # lists that carry nothing have converged
    penalty = _curvature(blocks, x) if penalty is None else penalty
    history: list[tuple[float, float]] = []
    converged = False
    for step in range(iterations):
        before = x[1]
        for a, sign in ((0, 1.0), (1, -1.0)):
            x[a], states[a] = blocks[a].update(
                blocks[1 - a], x[1 - a], sign * multiplier, penalty, states[a], inner_iterations, tolerance
            )
        gap = blocks[0].level(x[0]) - blocks[1].level(x[1])
        multiplier += gap
        moved = blocks[1].level(x[1]) - blocks[1].level(before)
        size = max(blocks[0].level(x[0]), blocks[1].level(x[1]), smallest)
        primal = abs(gap) / size
        dual = penalty * abs(moved) / (size * max(_curvature(blocks, x), unit))
        history.append((primal, dual))
        change = abs(moved) / size
        if size == smallest or (primal < tolerance and dual < tolerance and change < tolerance):
            converged = True
            break
        if step < iterations // 2:  # a penalty that changes for ever need not converge
            factor = 2.0 if primal > 10 * dual else 0.5 if dual > 10 * primal else 1.0
            penalty, multiplier = penalty * factor, multiplier / factor
    full = np.zeros_like(problem.base_rates)
    for block, values in zip(blocks, x, strict=True):
        full[block.rows] = values
    if not converged and inner_iterations is None:
        warnings.warn(
            f"admm stopped after {iterations} iterations with residuals {history[-1][0]:.1e} (primal) and "
            f"{history[-1][1]:.1e} (dual), expected below {tolerance:.0e}: raise iterations, or use solver='exact'",
            ConvergenceWarning,
            stacklevel=2,
        )
    # Box problems left half-way settle somewhere, but not at the optimum.
    optimal = converged and inner_iterations is None
    return Solution(full, optimal, len(history), problem.objective(full), tuple(history))


def _curvature(blocks: list[_Block], x: list[FloatArray]) -> float:
    """How strongly the objective bends along the constraint: the unit in which a penalty is large or small."""
    bends = [float(np.sum((b.token_pairs * b.base_rates * v) ** 2)) / b.scale for b, v in zip(blocks, x, strict=True)]
    return max(sum(bends), 1e-300)


def _common_start(problem: Problem) -> float:
    """One predictiveness for all words: the root of the share of cross counts that is missing."""
    coverage = np.bincount(problem.list_index, weights=problem.base_rates)
    expected = problem.token_pairs * coverage[0] * coverage[1]
    missing = -problem.residuals[problem.list_index == 0].sum() / expected
    return float(np.clip(np.sqrt(max(missing, 0.0)), 0.05, 0.9))


@dataclass(frozen=True)
class _Block:
    """One of the two lists of `admm`; `direction` is the gradient of its side of the constraint."""

    rows: IntArray
    base_rates: FloatArray
    residuals: FloatArray
    upper: FloatArray
    direction: FloatArray
    token_pairs: float
    scale: float

    @classmethod
    def of(cls, problem: Problem, a: int) -> _Block:
        rows = problem.members[a]
        rates = problem.base_rates[rows]
        towards = rates / (2.0 * problem.shares[a])
        return cls(
            rows, rates, problem.residuals[rows], problem.upper[rows], towards, problem.token_pairs, problem.scale
        )

    def level(self, x: FloatArray) -> float:
        return float(self.direction @ x)

    def update(
        self,
        other: _Block,
        x_other: FloatArray,
        multiplier: float,
        penalty: float,
        state: tuple[FloatArray, FloatArray] | None,
        inner_iterations: int | None,
        tolerance: float,
    ) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
        """The best x of this list for a fixed other list: a quadratic, diagonal plus rank one, in a box."""
        s, mass = self.token_pairs, float(other.base_rates @ x_other)
        diagonal = (s * mass * self.base_rates) ** 2 / self.scale
        # Both rank-one terms point along the base rates: the other list's residuals, and the constraint.
        bend = s**2 * float(np.sum((other.base_rates * x_other) ** 2)) / self.scale
        tilt = self.direction[0] / self.base_rates[0]
        rank_one = bend + penalty * tilt**2
        linear = s * mass * self.residuals * self.base_rates / self.scale
        linear = linear + self.base_rates * (
            s * float(np.sum(other.residuals * other.base_rates * x_other)) / self.scale
            + penalty * tilt * (multiplier - other.level(x_other))
        )
        early = inner_iterations is not None
        # Where the other list carries nothing the diagonal vanishes: the rank-one term then sets the scale.
        floor = 1e-9 * max(float(diagonal.max()), rank_one * float(np.max(self.base_rates**2)), 1e-300)
        weights = np.ones_like(diagonal) if early else np.maximum(diagonal, floor)
        boxed, dual = (np.zeros_like(linear), np.zeros_like(linear)) if early or state is None else state
        base = diagonal + weights
        solved_direction = self.base_rates / base
        shrink = rank_one / (1.0 + rank_one * float(self.base_rates @ solved_direction))
        x = boxed
        for _ in range(inner_iterations if inner_iterations is not None else 500):
            right = -(linear + weights * (dual - boxed))
            x = right / base
            x = x - shrink * solved_direction * float(self.base_rates @ x)
            previous = boxed
            boxed = np.clip(x + dual, 0.0, self.upper)
            dual = dual + x - boxed
            settled = max(float(np.abs(x - boxed).max()), float(np.abs(boxed - previous).max()))
            if not early and settled < tolerance / 10:
                break
        return np.clip(x, 0.0, self.upper), (boxed, dual)


def shrink_afterwards(problem: Problem, solution: Solution, ridge: FloatArray, *, towards_mean: bool) -> Solution:
    """Shrink a plain solution word by word: :math:`\\gamma_i / (1 + ridge_i)`, the rest from the list's mean."""
    x = solution.x / (1.0 + ridge)
    if towards_mean:
        for rows in problem.members:
            rates = problem.base_rates[rows]
            x[rows] += ridge[rows] / (1.0 + ridge[rows]) * float(rates @ solution.x[rows]) / rates.sum()
    shrunk = replace(problem, ridge=ridge, towards_mean=towards_mean)
    return replace(solution, x=x, objective=shrunk.objective(x))


AUTHOR = {"iterations": 200, "inner_iterations": 5, "penalty": 1.0}
"""The author's settings of ADMM, stopped early."""

SOLVERS: dict[str, Callable[..., Solution]] = {"exact": exact, "admm": admm}
