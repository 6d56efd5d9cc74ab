"""Predictiveness by a solver, for shrinkage by a given number: the paper's least squares, with a ridge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from problex._util.arrays import BoolArray, FloatArray
from problex.errors import check_choice
from problex.estimation.solvers import Problem, Solution, exact
from problex.estimation.solvers.admm import admm, shrink_afterwards
from problex.model.evidence import Evidence, coverage, expected_cross_counts
from problex.model.settings import Settings

SOLVE: dict[str, Callable[..., Solution]] = {"exact": exact, "admm": admm}
"""The function of each of the solvers that settings name."""


def included_entries(evidence: Evidence, settings: Settings) -> BoolArray:
    """The entries that are not discordant; all of them with `keep_discordant`."""
    included = evidence.partner_weights > 0
    return np.asarray(included if settings.keep_discordant else included & ~evidence.discordant, dtype=bool)


def estimate_by_solver(
    evidence: Evidence, included: BoolArray, shares: FloatArray, settings: Settings
) -> tuple[FloatArray, dict[str, Any]]:
    """The predictiveness of every entry by least squares, and a summary of the solution.

    The problem has the included entries that occur in the corpus. Included entries that do not occur get the mean of
    their list where that is what estimates are shrunk to; all others get zero.
    """
    free = included & (evidence.occurrences > 0)
    problem = _make_problem(evidence, included, free, shares, settings)
    solution = _solve(problem, settings)
    x = np.zeros(len(evidence.entries))
    x[free] = solution.x
    if problem.towards_mean and settings.kappa > 0:
        mean = problem.weighted_coverage(solution.x) / coverage(evidence, included)
        unseen = included & (evidence.occurrences == 0)
        x[unseen] = mean[evidence.list_index[unseen]]
    return x, {
        "converged": solution.converged,
        "iterations": solution.iterations,
        "objective": solution.objective,
        "residuals": list(solution.residuals[-1]),
    }


def _make_problem(
    evidence: Evidence, included: BoolArray, free: BoolArray, shares: FloatArray, settings: Settings
) -> Problem:
    expected = expected_cross_counts(evidence, included)[free]
    observed = evidence.cross_counts if settings.keep_discordant else evidence.concordant_cross_counts
    return Problem(
        residuals=observed[free] - expected,
        base_rates=evidence.base_rates[free],
        list_index=evidence.list_index[free],
        shares=shares,
        token_pairs=float(evidence.token_pairs),
        upper=np.full(int(free.sum()), settings.max_predictiveness),
        ridge=settings.kappa / expected,
        towards_mean=settings.shrink_to == "mean",
        scale=float(evidence.tokens),
    )


def _solve(problem: Problem, settings: Settings) -> Solution:
    solve = SOLVE[settings.solver]
    known = [name for name in signature(solve).parameters if name != "problem"]
    for name in settings.solver_options:
        check_choice(f"the option of solver {settings.solver!r}", name, known)
    if solve is exact:
        return solve(problem, **settings.solver_options)
    plain = replace(problem, ridge=np.zeros_like(problem.ridge))
    solution = solve(plain, **settings.solver_options)
    return shrink_afterwards(plain, solution, problem.ridge, towards_mean=problem.towards_mean)
