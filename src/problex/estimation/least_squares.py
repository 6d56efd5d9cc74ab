"""Weights by a solver, for shrinkage by a given number: the paper's least squares, with a ridge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex.errors import check_choice
from problex.estimation.admm import admm, shrink_afterwards
from problex.estimation.moments import Evidence, coverage, expected_cross_counts
from problex.estimation.settings import SOLVERS, Settings
from problex.estimation.solvers import Problem, Solution


def weigh_by_solver(
    evidence: Evidence, kept: NDArray[np.bool_], shares: FloatArray, settings: Settings
) -> tuple[FloatArray, dict[str, Any]]:
    """The predictiveness of every entry by least squares, and how the solver fared."""
    x, solution = _solve(evidence, kept, shares, settings)
    return x, {
        "converged": solution.converged,
        "iterations": solution.iterations,
        "objective": solution.objective,
        "residuals": list(solution.residuals[-1]),
    }


def _solve(
    evidence: Evidence, kept: NDArray[np.bool_], shares: FloatArray, settings: Settings
) -> tuple[FloatArray, Solution]:
    """Solve for the entries that were seen and kept; the others get what shrinkage alone would give them."""
    free = kept & (evidence.occurrences > 0)
    expected = expected_cross_counts(evidence, kept)[free]
    ridge = settings.kappa / expected
    towards_mean = settings.shrink_to == "mean"
    problem = Problem(
        residuals=_cross_counts(evidence, settings)[free] - expected,
        base_rates=evidence.base_rates[free],
        list_index=evidence.list_index[free],
        shares=shares,
        token_pairs=float(evidence.token_pairs),
        upper=np.full(int(free.sum()), settings.max_predictiveness),
        ridge=ridge,
        towards_mean=towards_mean,
        scale=float(evidence.tokens),
    )
    if settings.solver == "admm":
        plain = replace(problem, ridge=np.zeros_like(ridge))
        solution = _call(admm, plain, settings.solver_options)
        solution = shrink_afterwards(plain, solution, ridge, towards_mean=towards_mean)
    else:
        solution = _call(SOLVERS[settings.solver], problem, settings.solver_options)
    x = np.zeros(len(evidence.entries))
    x[free] = solution.x
    if towards_mean and settings.kappa > 0:
        mean = problem.weighted_coverage(solution.x) / coverage(evidence, kept)
        unseen = kept & (evidence.occurrences == 0)
        x[unseen] = mean[evidence.list_index[unseen]]
    return x, solution


def _call(solver: Callable[..., Solution], problem: Problem, options: Mapping[str, Any]) -> Solution:
    known = [name for name in signature(solver).parameters if name != "problem"]
    for name in options:
        check_choice(f"the option of solver {solver.__name__!r}", name, known)
    return solver(problem, **options)


def kept_entries(evidence: Evidence, settings: Settings) -> NDArray[np.bool_]:
    """Those that do not meet the other lists more often than chance; all, if they are to be kept."""
    discordant = evidence.discordant
    return np.ones_like(discordant) if settings.keep_discordant else ~discordant


def _cross_counts(evidence: Evidence, settings: Settings) -> NDArray[np.int64]:
    return evidence.cross_counts if settings.keep_discordant else evidence.concordant_cross_counts
