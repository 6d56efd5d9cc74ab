"""The published algorithm against a second implementation with dense matrices, step by step."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from problex._util.arrays import FloatArray
from problex.errors import ConvergenceWarning, EstimationError
from problex.estimation.least_squares import RidgeProblem as Problem
from problex.estimation.least_squares import shrink_afterwards
from problex.estimation.published import Minimum, admm
from problex.model.settings import AUTHOR

RATES = np.array([0.02, 0.03, 0.01, 0.05, 0.04])
LISTS = np.array([0, 0, 1, 1, 1])
QUESTION = Problem(
    residuals=np.array([-300.0, -200.0, -50.0, -150.0, 40.0]),
    base_rates=RATES,
    list_index=LISTS,
    shares=np.array([0.4, 0.6]),
    token_pairs=1e6,
    upper=np.array([0.9, 0.9, 0.9, 0.15, 0.9]),
    ridge=np.zeros(5),
    scale=1000.0,
)


def level(x: FloatArray, a: int) -> float:
    """G_a / (2 pi_a)."""
    return float(np.sum((RATES * x)[a == LISTS]) / (2 * QUESTION.shares[a]))


def quadratic(x: FloatArray, a: int, penalty: float, multiplier: float) -> tuple[FloatArray, FloatArray]:
    """H and b of 1/2 y H y + b y for list a: the objective over the scale, and penalty / 2 (gap + multiplier)^2."""
    s, own, other = QUESTION.token_pairs, a == LISTS, a != LISTS
    mass = float(np.sum((RATES * x)[other]))
    first = s * mass * np.diag(RATES[own])  # residuals of the own words: r_i + s mu_i mass y_i
    second = s * np.outer((RATES * x)[other], RATES[own])  # of the others: r_j + s mu_j x_j sum mu_i y_i
    third = RATES[own] / (2 * QUESTION.shares[a])
    h = (first.T @ first + second.T @ second) / QUESTION.scale + penalty * np.outer(third, third)
    r = QUESTION.residuals
    b = (first.T @ r[own] + second.T @ r[other]) / QUESTION.scale + penalty * third * (multiplier - level(x, 1 - a))
    return h, b


def solve_box(h: FloatArray, b: FloatArray, upper: FloatArray) -> FloatArray:
    root = np.linalg.cholesky(h).T
    return np.asarray(lsq_linear(root, -np.linalg.solve(root.T, b), (0, upper), tol=1e-15, method="bvls").x)


def five_steps(h: FloatArray, b: FloatArray, upper: FloatArray) -> FloatArray:
    """ADMM for the box with penalty one, from zero; the last step is cut off at the box."""
    x: FloatArray = np.zeros(len(b))
    boxed, dual = x, x
    for _ in range(5):
        x = np.asarray(np.linalg.solve(h + np.eye(len(b)), boxed - dual - b), dtype=np.float64)
        boxed = np.clip(x + dual, 0, upper)
        dual = dual + x - boxed
    return np.clip(x, 0, upper)


def curvature(x: FloatArray) -> float:
    return float(np.sum((QUESTION.token_pairs * RATES * x) ** 2) / QUESTION.scale)


def reference(iterations: int, early: bool, penalty: float | None) -> tuple[FloatArray, list[tuple[float, float]]]:
    """Boyd et al. 2011: scaled multiplier, penalty times 2 or 1/2 if a residual is ten times the other.

    The start is the root of the missing share: 500 of 1e6 * 0.05 * 0.1 = 5000.
    """
    x = np.minimum(np.sqrt(500 / 5000), QUESTION.upper)
    penalty = curvature(x) if penalty is None else penalty
    multiplier, history = 0.0, []
    for step in range(iterations):
        before = level(x, 1)
        for a, sign in ((0, 1), (1, -1)):
            own = a == LISTS
            h, b = quadratic(x, a, penalty, sign * multiplier)
            x = x.copy()
            x[own] = (five_steps if early else solve_box)(h, b, QUESTION.upper[own])
        gap, change = level(x, 0) - level(x, 1), abs(level(x, 1) - before)
        multiplier += gap
        size = max(level(x, 0), level(x, 1))
        primal, dual = abs(gap) / size, penalty * change / size / curvature(x)
        history.append((primal, dual))
        if step < iterations // 2:
            factor = 2 if primal > 10 * dual else 0.5 if dual > 10 * primal else 1
            penalty, multiplier = penalty * factor, multiplier / factor
    return x, history


PENALTIES = [(1, None), (2, None), (9, None), (12, 3e5), (9, 1.0), (7, 1e8)]
"""Iterations and first penalties."""
PENALTIES += [(4, 13_140.0), (9, 42_380.0), (4, 275_900.0), (4, 889_500.0), (2, 1.56e6), (9, 1.8e6)]
"""One residual is 10 to 20 times the other in one of the first iterations: the penalty changes from ten on."""


@pytest.mark.parametrize(("iterations", "penalty"), PENALTIES)
def test_every_iteration_is_the_published_one(iterations: int, penalty: float | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solution = admm(QUESTION, iterations=iterations, penalty=penalty, tolerance=1e-13)
    x, history = reference(iterations, False, penalty)
    np.testing.assert_allclose(solution.x, x, atol=1e-7)
    np.testing.assert_allclose(solution.residuals, history, rtol=1e-4, atol=1e-7)
    assert solution.objective == pytest.approx(QUESTION.objective(x), rel=1e-5)


@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_box_problems_that_are_stopped_early(iterations: int) -> None:
    solution = admm(QUESTION, iterations=iterations, inner_iterations=5, penalty=1.0)
    x, history = reference(iterations, True, 1.0)
    np.testing.assert_allclose(solution.x, x, rtol=1e-9)
    np.testing.assert_allclose(solution.residuals, history, rtol=1e-6)
    assert not solution.converged


def test_the_authors_settings() -> None:
    assert AUTHOR == {"iterations": 200, "inner_iterations": 5, "penalty": 1.0}


def test_no_iteration_is_refused() -> None:
    with pytest.raises(EstimationError, match="iterations=0 was given"):
        admm(QUESTION, iterations=0)


def test_shrinking_afterwards_by_hand() -> None:
    """Ridges 1 and 3 leave 1/2 and 1/4; the rest of the mean (0.02 * 0.5 + 0.03 * 0.1) / 0.05 = 0.26."""
    x, ridge = np.array([0.5, 0.1, 0.2, 0.2, 0.2]), np.array([1.0, 3.0, 0.0, 1.0, 9.0])
    plain = Minimum(x, True, 1, 0.0, ((0.0, 0.0),))
    to_mean = shrink_afterwards(replace(QUESTION, ridge=ridge, towards_mean=True), plain)
    np.testing.assert_allclose(to_mean.x, [0.25 + 0.13, 0.025 + 0.195, 0.2, 0.2, 0.2], rtol=1e-12)
    to_zero = shrink_afterwards(replace(QUESTION, ridge=ridge), plain)
    np.testing.assert_allclose(to_zero.x, [0.25, 0.025, 0.2, 0.1, 0.02], rtol=1e-12)
    shrunk = Problem(**{**vars(QUESTION), "ridge": ridge})
    assert to_zero.objective == shrunk.objective(to_zero.x)
