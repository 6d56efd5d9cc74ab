"""The exact solver against strangers, and against its own conditions of optimality."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from problex.errors import ConvergenceWarning, EstimationError
from problex.estimation.least_squares import RidgeProblem as Problem
from problex.estimation.least_squares import exact, shrink_afterwards
from problex.estimation.published import admm
from problex.model.settings import AUTHOR


def problem(seed: int, lists: int = 2, *, ridge: bool = False, size: int | None = None) -> Problem:
    random = np.random.default_rng(seed)
    words = size or int(random.integers(lists * 2, lists * 6))
    list_index = np.concatenate([np.arange(lists), random.integers(0, lists, words - lists)])
    rates = 10 ** random.uniform(-4, -1.5, words)
    pairs = float(10 ** random.uniform(3, 8))
    coverage = np.bincount(list_index, rates)
    expected = pairs * rates * (coverage.sum() - coverage)[list_index]
    observed = random.poisson(expected * np.clip(1 - 0.4 * random.uniform(-0.3, 1, words), 0, None))
    return Problem(
        residuals=observed - expected,
        base_rates=rates,
        list_index=list_index,
        shares=random.dirichlet(np.full(lists, 5.0)),
        token_pairs=pairs,
        upper=np.full(words, 0.9),
        ridge=random.uniform(0, 3, words) if ridge else np.zeros(words),
        towards_mean=bool(seed % 2) if ridge else False,
        scale=pairs,
    )


def gap(question: Problem, x: np.ndarray) -> float:
    covered = question.weighted_coverage(x) / question.shares
    return float(np.abs(covered - covered[0]).max())


def scale(question: Problem) -> float:
    return max(question.objective(np.zeros_like(question.base_rates)), 1e-9)


def slsqp(question: Problem, start: np.ndarray) -> tuple[np.ndarray, float]:
    unit = scale(question)
    constraint: Any = {
        "type": "eq",
        "fun": lambda x: np.diff(question.weighted_coverage(x) / question.shares),
    }
    found = minimize(  # type: ignore[call-overload]
        lambda x: question.objective(x) / unit,
        start,
        bounds=[(0.0, 0.9)] * len(start),
        constraints=[constraint],
        method="SLSQP",
        options={"maxiter": 300, "ftol": 1e-13},
    )
    return found.x, float(found.fun)


@pytest.mark.parametrize("seed", range(60))
def test_exact_is_never_above_slsqp(seed: int) -> None:
    question = problem(seed, 2 if seed % 3 else 4, ridge=bool(seed % 2))
    solution = exact(question)
    assert solution.converged
    compared = 0
    for start in (np.full(len(solution.x), 0.3), solution.x * 0.9 + 0.01, solution.x):
        x, value = slsqp(question, start)
        if gap(question, x) < 1e-9:
            assert solution.objective / scale(question) <= value + 1e-8
            compared += 1
    assert compared > 0


@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_exact_meets_the_constraint_and_the_box(seed: int, lists: int, ridge: bool) -> None:
    question = problem(seed, lists, ridge=ridge)
    solution = exact(question)
    assert solution.converged
    assert solution.residuals[-1][0] <= 1e-12
    assert np.all((solution.x >= 0) & (solution.x <= question.upper))


@given(st.integers(0, 10**6), st.booleans())
def test_no_feasible_neighbour_is_better(seed: int, ridge: bool) -> None:
    """Optimality by moving mass between two words of a list, which keeps the constraint."""
    question = problem(seed, 2, ridge=ridge)
    solution = exact(question)
    random = np.random.default_rng(seed)
    for _ in range(20):
        a = int(random.integers(2))
        rows = np.flatnonzero(question.list_index == a)
        if len(rows) < 2:
            continue
        i, j = random.choice(rows, 2, replace=False)
        step = 1e-4 * random.uniform(-1, 1)
        x = solution.x.copy()
        x[i] += step
        x[j] -= step * question.base_rates[i] / question.base_rates[j]
        if np.all((x >= 0) & (x <= question.upper)):
            assert question.objective(x) >= solution.objective - 1e-10 * scale(question)


@pytest.mark.parametrize("seed", range(120))
def test_admm_run_to_convergence_agrees(seed: int) -> None:
    question = problem(seed)
    solution = exact(question)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        published = admm(question)
    if not published.converged:  # it can lose all weight, and then says so
        assert np.all(published.x < 1e-4)
        return
    assert solution.objective <= published.objective + 1e-8 * scale(question)
    assert published.objective == pytest.approx(solution.objective, abs=1e-6 * scale(question))
    assert len(published.residuals) == published.iterations


@given(st.integers(0, 10**6))
def test_rates_of_any_size_meet_the_constraint(seed: int) -> None:
    question = problem(seed)
    tiny = Problem(
        **{**vars(question), "base_rates": question.base_rates * 1e-6, "residuals": question.residuals * 1e-12}
    )
    np.testing.assert_allclose(exact(tiny).x, exact(question).x, atol=1e-6)
    assert exact(tiny).converged


def test_closed_form_when_the_box_does_not_bind() -> None:
    """With nu = 0, w = sqrt(M_0 M_1 - C / s) and F = 0."""
    rates = np.array([0.02, 0.03, 0.01, 0.05])
    list_index = np.array([0, 0, 1, 1])
    truth = np.array([0.3, 0.5, 0.45, 0.33])
    pairs = 1e6
    covered = np.bincount(list_index, rates * truth)
    truth[list_index == 1] *= covered[0] / covered[1]
    mass = float(np.sum((rates * truth)[:2]))
    residuals = -pairs * rates * truth * mass
    question = Problem(
        residuals=residuals,
        base_rates=rates,
        list_index=list_index,
        shares=np.array([0.5, 0.5]),
        token_pairs=pairs,
        upper=np.full(4, 0.9),
        ridge=np.zeros(4),
    )
    solution = exact(question)
    np.testing.assert_allclose(solution.x, truth, rtol=1e-6)
    assert solution.objective < 1e-6
    assert np.sum(rates[:2] * solution.x[:2]) == pytest.approx(mass, rel=1e-7)


def test_known_truth_is_found_for_four_lists_and_unequal_shares() -> None:
    random = np.random.default_rng(3)
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    list_index = np.repeat(np.arange(4), 10)
    rates, truth = random.uniform(1e-4, 1e-2, 40), random.uniform(0.1, 0.7, 40)
    for a in range(4):
        mine = list_index == a
        rates[mine] *= shares[a] * 0.05 / np.sum(rates[mine] * truth[mine])
    covered = np.bincount(list_index, rates * truth)
    residuals = -1e7 * rates * truth * (covered.sum() - covered)[list_index]
    question = Problem(
        residuals=residuals,
        base_rates=rates,
        list_index=list_index,
        shares=shares,
        token_pairs=1e7,
        upper=np.full(40, 0.95),
        ridge=np.zeros(40),
    )
    np.testing.assert_allclose(exact(question).x, truth, rtol=1e-6)


def test_a_ridge_shrinks_and_a_huge_one_gives_the_mean() -> None:
    question = problem(5, ridge=False, size=12)
    plain = exact(question).x
    heavy = Problem(**{**vars(question), "ridge": np.full(12, 1e9), "towards_mean": True})
    levelled = exact(heavy).x
    for a in (0, 1):
        mine = question.list_index == a
        assert np.ptp(levelled[mine]) < 1e-6
        assert np.ptp(plain[mine]) > np.ptp(levelled[mine])


def test_words_that_all_meet_the_other_list_get_nothing() -> None:
    question = problem(1, size=8)
    worse = Problem(**{**vars(question), "residuals": np.abs(question.residuals) + 1})
    assert np.all(exact(worse).x == 0)


def test_every_cross_count_zero_gives_the_top() -> None:
    rates = np.array([0.1, 0.1])
    question = Problem(
        residuals=-1000 * rates * 0.1,
        base_rates=rates,
        list_index=np.array([0, 1]),
        shares=np.full(2, 0.5),
        token_pairs=1000.0,
        upper=np.full(2, 0.9),
        ridge=np.zeros(2),
    )
    np.testing.assert_allclose(exact(question).x, 0.9)


def test_an_empty_list_is_refused() -> None:
    question = problem(2, size=6)
    none = Problem(**{**vars(question), "upper": np.where(question.list_index == 1, 0.0, 0.9)})
    with pytest.raises(EstimationError, match=r"lists \[1\] have no word that can have a weight"):
        exact(none)


def test_admm_says_what_it_cannot_do() -> None:
    with pytest.raises(EstimationError, match='takes two lists and was given 3: use solver="exact"'):
        admm(problem(0, 3))


def test_admm_warns_at_its_limit_with_the_residual_and_the_setting_to_raise() -> None:
    with pytest.warns(ConvergenceWarning, match=r"stopped after 2 iterations.*raise iterations"):
        solution = admm(problem(7, size=40), iterations=2)
    assert not solution.converged


def test_the_authors_early_stopping_is_not_the_optimum_and_says_so_without_a_warning() -> None:
    question = problem(11, size=60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        early = admm(question, **AUTHOR)  # type: ignore[arg-type]
    assert not early.converged
    assert early.objective > exact(question).objective


def test_shrinking_afterwards_moves_each_word_by_its_own_evidence() -> None:
    question = problem(4, size=10)
    plain = exact(question)
    ridge = np.full(10, 1.0)
    to_zero = shrink_afterwards(replace(question, ridge=ridge), plain)
    np.testing.assert_allclose(to_zero.x, plain.x / 2)
    to_mean = shrink_afterwards(replace(question, ridge=ridge, towards_mean=True), plain)
    assert np.ptp(to_mean.x[question.list_index == 0]) == pytest.approx(np.ptp(plain.x[question.list_index == 0]) / 2)


def test_seven_thousand_words_are_solved_at_once() -> None:
    """Not a timing: a guard against a search that never ends."""
    question = problem(9, size=7000)
    start = time.perf_counter()
    solution = exact(question)
    assert solution.converged
    assert solution.iterations < 60
    assert time.perf_counter() - start < 5
