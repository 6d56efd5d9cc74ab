"""The slips of the paper in print, as docs/equations.md names them: each formula as a number, beside the right one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import multinomial

from problex._util.arrays import FloatArray
from problex.estimation.published import Problem, _quadratic
from problex.evaluation import accuracy_bound

N, GAMMA, COVERAGE = 20, 0.3, 0.04
OWN, OTHER = (1 + GAMMA) * COVERAGE, (1 - GAMMA) * COVERAGE


def counts_of_both_lists(length: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """All counts of the own and the other list in a text of that length, and the chance of each."""
    pairs = np.array([pair for pair in product(range(length + 1), repeat=2) if sum(pair) <= length])
    rest = length - pairs.sum(axis=1, keepdims=True)
    chance = multinomial.pmf(np.hstack([pairs, rest]), length, [OWN, OTHER, 1 - OWN - OTHER])
    return pairs[:, 0], pairs[:, 1], chance


def test_the_opposite_count_has_the_rates_of_the_true_label() -> None:
    own, other, chance = counts_of_both_lists(N)
    assert chance @ other == pytest.approx(N * OTHER)
    assert chance @ own == pytest.approx(N * OWN)  # what theta of the wrong label gives for the other count


def test_the_covariance_is_subtracted_from_the_variance_of_the_margin() -> None:
    own, other, chance = counts_of_both_lists(N)
    margin = own - other
    variance = chance @ margin**2 - (chance @ margin) ** 2
    alone, covariance = N * (OWN * (1 - OWN) + OTHER * (1 - OTHER)), -N * OWN * OTHER
    assert variance == pytest.approx(alone - 2 * covariance)
    assert variance == pytest.approx(N * (OWN + OTHER - (OWN - OTHER) ** 2))
    assert abs(variance - (alone + 2 * covariance)) > 0.1


@pytest.mark.parametrize(("length", "is_bound"), [(20, False), (50, False), (100, False), (150, True), (300, True)])
def test_the_bound_is_none_for_short_texts(length: int, is_bound: bool) -> None:
    """Even if half of the ties are guessed right; without them it is none for any of these lengths."""
    own, other, chance = counts_of_both_lists(length)
    right, tied = chance[own > other].sum(), chance[own == other].sum()
    bound = accuracy_bound(length, GAMMA, COVERAGE)
    assert (right + tied / 2 >= bound) == is_bound
    assert right < bound


PROBLEM = Problem(
    residuals=np.array([-30.0, -20.0, -5.0, -15.0]),
    base_rates=np.array([0.02, 0.03, 0.01, 0.05]),
    list_index=np.array([0, 0, 1, 1]),
    shares=np.array([0.5, 0.5]),
    token_pairs=1e4,
    upper=np.full(4, 0.9),
)
X = np.array([0.4, 0.2, 0.5, 0.3])


def test_the_diagonal_has_the_square_of_the_other_lists_coverage() -> None:
    """The objective is a quadratic in the own list: second differences are exact, and off the diagonal of rank one."""
    own, other = PROBLEM.members
    step, units = 0.1, np.eye(4)[own] * 0.1
    second = np.array(
        [
            [PROBLEM.objective(X + u + v) - PROBLEM.objective(X + u) - PROBLEM.objective(X + v) for v in units]
            for u in units
        ]
    )
    hessian = (second + PROBLEM.objective(X)) / step**2
    diagonal, bend, _ = _quadratic(PROBLEM, own, other, X[other], 0.0, 0.0)
    rates, covered = PROBLEM.base_rates[own], float(PROBLEM.base_rates[other] @ X[other])
    np.testing.assert_allclose(hessian, np.diag(diagonal) + bend * np.outer(rates, rates), rtol=1e-8)
    np.testing.assert_allclose(diagonal, (PROBLEM.token_pairs * rates) ** 2 * covered**2)
    assert np.all((PROBLEM.token_pairs * rates) ** 2 * covered > 10 * diagonal)  # in print


def test_the_update_of_the_algorithm_has_a_minus() -> None:
    """The minimum of 1/2 x P x + q x + rho / 2 |x + v - a|^2."""
    own, other = PROBLEM.members
    diagonal, bend, linear = _quadratic(PROBLEM, own, other, X[other], 0.0, 0.0)
    matrix = np.diag(diagonal) + bend * np.outer(PROBLEM.base_rates[own], PROBLEM.base_rates[own])
    rho, towards = 1.0, np.array([0.1, -0.2])
    printed = np.linalg.solve(matrix + rho * np.eye(2), linear + rho * towards)
    gradients = [matrix @ x + linear + rho * (x + towards) for x in (-printed, printed)]
    np.testing.assert_allclose(gradients[0], 0.0, atol=1e-9)
    assert np.abs(gradients[1]).max() > 1.0


def test_the_last_moment_has_the_predictiveness_of_the_other_list() -> None:
    """Cross counts of all texts of two labels, summed exactly: pairs of tokens are N (N - 1) theta_i theta_j."""
    rates, gamma, lists = PROBLEM.base_rates, X, PROBLEM.list_index
    theta = np.array([np.where(lists == label, 1 + gamma, 1 - gamma) * rates for label in (0, 1)])
    crossed = lists[:, None] != lists[None, :]
    moments = N * (N - 1) * np.mean([(np.outer(row, row) * crossed).sum(axis=1) for row in theta], axis=0)
    covered, weighted = crossed @ rates, crossed @ (rates * gamma)
    np.testing.assert_allclose(moments, N * (N - 1) * rates * (covered - gamma * weighted))
    own = (~crossed) @ (rates * gamma) / ((~crossed) @ rates) * covered  # the mean of the own list in its place
    assert np.abs(moments - N * (N - 1) * rates * (covered - gamma * own)).max() > 0.01
