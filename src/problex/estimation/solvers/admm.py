"""The published solver: the alternating direction method of multipliers, between two lists."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex.errors import ConvergenceWarning, EstimationError, opt, warn_caller
from problex.estimation.solvers.exact import Problem, Solution


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
    five steps from a cold start: the result is not the optimum, and rare words are shrunk as a side effect.
    """
    if len(problem.shares) != 2:
        raise EstimationError(
            f"the published solver 'admm' takes two lists and was given {len(problem.shares)}: use "
            f"{opt('solver', 'exact')}"
        )
    if iterations < 1:
        raise EstimationError(f"iterations={iterations} was given to 'admm', expected 1 or more")
    if np.any(problem.ridge > 0):
        raise EstimationError("'admm' solves the plain problem, without a ridge: shrink its result afterwards")
    blocks = [_Block.of(problem, a) for a in (0, 1)]
    x, history, converged = _alternate(problem, blocks, iterations, inner_iterations, penalty, tolerance)
    full = np.zeros_like(problem.base_rates)
    for block, values in zip(blocks, x, strict=True):
        full[block.rows] = values
    if not converged and inner_iterations is None:
        warn_caller(
            f"admm stopped after {iterations} iterations with residuals {history[-1][0]:.1e} (primal) and "
            f"{history[-1][1]:.1e} (dual), expected below {tolerance:.0e}: raise iterations, or use "
            f"{opt('solver', 'exact')}",
            ConvergenceWarning,
        )
    # With a limit on the steps of the box problems, the iterations converge, but not to the optimum.
    optimal = converged and inner_iterations is None
    return Solution(full, optimal, len(history), problem.objective(full), tuple(history))


def _alternate(
    problem: Problem,
    blocks: list[_Block],
    iterations: int,
    inner_iterations: int | None,
    penalty: float | None,
    tolerance: float,
) -> tuple[list[FloatArray], list[tuple[float, float]], bool]:
    """The solution of both lists, the (primal, dual) residuals of each iteration, and whether they converged."""
    x = [np.minimum(np.full(len(block.rows), _common_start(problem)), block.upper) for block in blocks]
    states: list[tuple[FloatArray, FloatArray] | None] = [None, None]
    multiplier = 0.0
    unit = 1e-6 * _curvature(blocks, x)
    smallest = 1e-6 * max(block.level(block.upper) for block in blocks)  # lists without weight have converged
    penalty = _curvature(blocks, x) if penalty is None else penalty
    history: list[tuple[float, float]] = []
    for step in range(iterations):
        before = x[1]
        for a, sign in ((0, 1.0), (1, -1.0)):
            x[a], states[a] = blocks[a].update(
                blocks[1 - a], x[1 - a], sign * multiplier, penalty, states[a], inner_iterations, tolerance
            )
        gap = blocks[0].level(x[0]) - blocks[1].level(x[1])
        multiplier += gap
        change = abs(blocks[1].level(x[1]) - blocks[1].level(before))
        size = max(blocks[0].level(x[0]), blocks[1].level(x[1]), smallest)
        primal, dual = abs(gap) / size, penalty * change / (size * max(_curvature(blocks, x), unit))
        history.append((primal, dual))
        if size == smallest:  # both lists have lost all weight, and this algorithm cannot give it back
            break
        if primal < tolerance and dual < tolerance and change / size < tolerance:
            return x, history, True
        if step < iterations // 2:  # with a penalty that keeps changing, it need not converge
            factor = 2.0 if primal > 10 * dual else 0.5 if dual > 10 * primal else 1.0
            penalty, multiplier = penalty * factor, multiplier / factor
    return x, history, False


def _curvature(blocks: list[_Block], x: list[FloatArray]) -> float:
    """The curvature of the objective along the constraint: the unit of the penalty."""
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
