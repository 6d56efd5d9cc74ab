"""The hierarchical estimate of shares: its mode, its draws, and its properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.special import expit
from scipy.stats import norm

from problex.shares.estimators import (
    PRIOR_DEVIATIONS,
    PRIOR_MEANS,
    SLOPE_RATIO,
    SPREAD_SCALE,
    SPREADS,
    _Cells,
    _laplace,
    group_covariate,
    hierarchical_shares,
)
from problex.shares.grid import GRID, grid_positions

Grids = tuple[np.ndarray, np.ndarray, np.ndarray]


def population(seed: int, groups: int = 6, labels: int = 12, size: int = 400) -> tuple[Grids, np.ndarray]:
    """Documents, labelled documents and positive ones by place, and the true share of each group."""
    random = np.random.default_rng(seed)
    tables, truth = np.zeros((3, groups, len(GRID)), dtype=np.int64), []
    for group in range(groups):
        positive = random.random(size) < random.beta(2, 2)
        logits = 1.3 * random.standard_normal(size) + 2 * (positive - 0.5) + 0.7
        place = grid_positions(expit(logits))
        drawn = random.choice(size, labels, replace=False)
        hits = drawn[positive[drawn]]
        for table, rows in zip(tables, (np.arange(size), drawn, hits), strict=True):
            table[group] = np.bincount(place[rows], minlength=len(GRID))
        truth.append(positive.mean())
    return (tables[0], tables[1], tables[2]), np.array(truth)


@pytest.mark.parametrize("spread", SPREADS)
def test_the_mode_is_that_of_a_general_optimizer(spread: float) -> None:
    """Newton's method by blocks against scipy on all parameters at once; the evidence against the whole Hessian."""
    (documents, labels, positives), _ = population(1, groups=4)
    covariate = group_covariate(documents)
    place = np.nonzero(labels)
    group, logit, n, k = place[0], GRID[place[1]], labels[place].astype(float), positives[place].astype(float)
    found = _laplace(_Cells(group, logit, n, k, covariate), float(spread), None)
    design = np.zeros((len(group), 3 + 8))
    design[:, 0], design[:, 1], design[:, 2] = 1.0, logit, covariate[group]
    design[np.arange(len(group)), 3 + 2 * group] = 1.0
    design[np.arange(len(group)), 4 + 2 * group] = logit
    deviations = np.array([*PRIOR_DEVIATIONS, *[spread, SLOPE_RATIO * spread] * 4])
    means = np.array([*PRIOR_MEANS, *[0.0] * 8])

    def loss(at: np.ndarray) -> float:
        linear = design @ at
        return float(n @ np.logaddexp(0, linear) - k @ linear + 0.5 * np.sum(((at - means) / deviations) ** 2))

    best = minimize(loss, means, method="BFGS", options={"gtol": 1e-8})
    mine = np.concatenate([found.common, found.groups.ravel()])
    assert loss(mine) <= best.fun + 1e-7
    assert mine == pytest.approx(best.x, abs=1e-3)
    chance = expit(design @ mine)
    hessian = design.T @ (design * (n * chance * (1 - chance))[:, None]) + np.diag(deviations**-2)
    evidence = -loss(mine) - np.log(deviations[3:]).sum() - 0.5 * np.linalg.slogdet(hessian)[1]
    assert found.evidence == pytest.approx(evidence)


def test_without_labels_the_interval_is_that_of_the_prior() -> None:
    """One group whose documents have log-odds 0: the share is expit(a + u), a ~ N(0, 1.5), u ~ N(0, s)."""
    documents = np.zeros((1, len(GRID)), dtype=np.int64)
    documents[0, 48] = 10_000_000
    none = np.zeros_like(documents)
    found = hierarchical_shares(documents, none, none)
    weights = np.exp(-((SPREADS / SPREAD_SCALE) ** 2) / 2) * np.gradient(SPREADS)
    weights /= weights.sum()

    def below(logit: float) -> float:
        return float(weights @ norm.cdf(logit / np.hypot(1.5, SPREADS))) - 0.975

    assert found.values[0] == pytest.approx(0.5)
    assert found.high[0] == pytest.approx(expit(brentq(below, 0, 20)), abs=0.01)
    assert found.low[0] == pytest.approx(1 - found.high[0])


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(0, 12))
@settings(max_examples=15, deadline=None)
def test_exchange_of_the_labels_mirrors_the_shares(seed: int, groups: int, labels: int) -> None:
    (documents, labelled, positives), _ = population(seed, groups, labels, size=60)
    found = hierarchical_shares(documents, labelled, positives)
    other = hierarchical_shares(documents[:, ::-1], labelled[:, ::-1], (labelled - positives)[:, ::-1]).mirrored()
    for name in ("values", "low", "high"):
        assert getattr(found, name) == pytest.approx(getattr(other, name), abs=1e-6)


@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_shares_lie_within_what_is_known(seed: int) -> None:
    """At least the labelled documents that have the label, at most all but those that have not."""
    (documents, labelled, positives), _ = population(seed, 4, 20, size=60)
    found = hierarchical_shares(documents, labelled, positives)
    total, known, hits = (table.sum(axis=1) for table in (documents, labelled, positives))
    assert np.all(hits / total <= found.low + 1e-12)
    assert np.all(found.low <= found.values)
    assert np.all(found.values <= found.high)
    assert np.all(found.high <= 1 - (known - hits) / total + 1e-12)


def test_labels_of_all_documents_give_the_exact_share() -> None:
    (documents, _, _), _ = population(3)
    positives = documents // 3
    found = hierarchical_shares(documents, documents, positives)
    exact = positives.sum(axis=1) / documents.sum(axis=1)
    for part in (found.values, found.low, found.high):
        assert part == pytest.approx(exact)


def test_a_group_without_documents_has_no_share() -> None:
    (documents, labels, positives), _ = population(4, groups=3)
    empty = np.zeros((1, len(GRID)), dtype=np.int64)
    found = hierarchical_shares(*(np.concatenate([table, empty]) for table in (documents, labels, positives)))
    assert np.isnan([found.values[3], found.low[3], found.high[3]]).all()
    assert np.isfinite(found.values[:3]).all()


def test_a_group_without_labels_borrows_from_the_others_with_a_wider_interval() -> None:
    (documents, labels, positives), _ = population(5, labels=40)
    widths = []
    for table in (labels, np.where(np.arange(6)[:, None] == 0, 0, labels)):
        found = hierarchical_shares(documents, table, np.minimum(table, positives))
        widths.append(found.high[0] - found.low[0])
    assert widths[1] > 1.3 * widths[0]


def test_intervals_contain_the_truth() -> None:
    """20 corpora of six groups, with a threshold that is wrong by .7: 120 intervals, of which 114 are expected."""
    inside = []
    for seed in range(20):
        tables, truth = population(seed)
        found = hierarchical_shares(*tables)
        inside += ((found.low <= truth) & (truth <= found.high)).tolist()
    assert 110 <= sum(inside) <= 120


def test_many_labels_find_the_share() -> None:
    tables, truth = population(8, labels=3_000, size=4_000)
    found = hierarchical_shares(*tables)
    assert found.values == pytest.approx(truth, abs=0.01)
    assert np.all(found.high - found.low < 0.02)
