"""Weights by a solver: what is kept, and that options reach it."""

from __future__ import annotations

import numpy as np
import pytest

from problex.errors import ProblexError
from problex.estimation.least_squares import estimate_by_solver
from problex.estimation.published import evidence_of, problem_of
from problex.model.settings import Settings
from tests.synthetic import draw


def test_discordant_entries_are_kept_on_request() -> None:
    evidence = evidence_of(draw(300, [0.5, 0.5], seed=1, length=20).counts)
    included = np.ones(len(evidence.entries), dtype=bool)
    kept = problem_of(evidence, included, np.full(2, 0.5), Settings(shrinkage=1.0, keep_discordant=True))
    left_out = problem_of(evidence, ~evidence.discordant, np.full(2, 0.5), Settings(shrinkage=1.0))
    assert evidence.discordant.any()
    assert len(kept.residuals) - len(left_out.residuals) == int(
        np.sum(evidence.discordant & (evidence.occurrences > 0))
    )


def test_both_solvers_arrive_at_the_same_point() -> None:
    evidence = evidence_of(draw(2_000, [0.5, 0.5], seed=2).counts)
    shares, included = np.array([0.5, 0.5]), np.ones(len(evidence.entries), dtype=bool)
    plain = Settings(shrinkage=0.0, balance="equal", keep_discordant=True)
    exact, summary = estimate_by_solver(evidence, included, shares, plain)
    assert summary.converged
    options = {"iterations": 3_000}
    admm, _ = estimate_by_solver(
        evidence, included, shares, Settings(**{**vars(plain), "solver": "admm", "solver_options": options})
    )
    assert np.corrcoef(exact, admm)[0, 1] > 0.99
    with pytest.raises(ProblexError, match="the option of solver 'exact'='speed' was given"):
        estimate_by_solver(evidence, included, shares, Settings(shrinkage=0.0, solver_options={"speed": 1}))
