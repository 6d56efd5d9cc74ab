"""Outcomes for regressions: by hand, and what their mean over samples is."""

from __future__ import annotations

import numpy as np
import pytest

from problex.estimation.calibration import fit_platt
from problex.model.calibration import Platt
from problex.shares.regression import FOLDS, Outcomes

SAME = Platt(1.0, (0.0, 0.0))


def test_by_hand() -> None:
    """Row 3 has the label 1, p = .5 and stands for 4 documents: .5 + 4 (1 - .5) = 2.5; row 4 keeps its p."""
    outcomes = Outcomes(np.array([3]), np.array([1]), np.array([4.0]), (SAME,) * FOLDS)
    found = outcomes.of(np.array([4, 3]), np.array([[0.0, np.log(3)], [0.0, 0.0]]))
    assert found == pytest.approx(np.array([[0.25, 0.75], [-1.5, 2.5]]))


def test_a_labelled_document_is_calibrated_without_its_own_label() -> None:
    random = np.random.default_rng(0)
    rows, values = np.arange(10) * 7, random.standard_normal((10, 2))
    codes = random.integers(2, size=10)
    order = random.permutation(10)
    outcomes = Outcomes.learn(rows[order], values[order], codes[order], np.ones(10))
    assert outcomes.rows.tolist() == rows.tolist()
    assert outcomes.codes.tolist() == codes.tolist()
    others = np.arange(10) % FOLDS != 2
    expected = fit_platt(values[others], codes[others])
    assert outcomes.calibrations[2].slope == pytest.approx(expected.slope)
    # With a weight of one, the outcome is the label itself.
    assert outcomes.of(rows, values) == pytest.approx(np.eye(2)[codes])


def test_outcomes_of_a_document_add_up_to_one() -> None:
    random = np.random.default_rng(1)
    values = random.standard_normal((60, 3))
    rows = random.choice(60, 20, replace=False)
    outcomes = Outcomes.learn(rows, values[rows], random.integers(3, size=20), np.full(20, 3.0))
    assert outcomes.of(np.arange(60), values).sum(axis=1) == pytest.approx(1.0)


def test_batches_give_what_all_documents_give() -> None:
    random = np.random.default_rng(2)
    values = random.standard_normal((50, 2))
    rows = random.choice(50, 12, replace=False)
    outcomes = Outcomes.learn(rows, values[rows], random.integers(2, size=12), np.full(12, 4.0))
    whole = outcomes.of(np.arange(50), values)
    parts = [outcomes.of(np.arange(at, at + 10), values[at : at + 10]) for at in range(0, 50, 10)]
    assert np.concatenate(parts).tolist() == whole.tolist()


def test_the_mean_over_samples_is_the_true_share_whatever_the_scores() -> None:
    """Scores that point the wrong way: the mean of the outcomes is right, that of the probabilities is not."""
    random = np.random.default_rng(3)
    truth = (random.random(400) < 0.3).astype(np.int64)
    values = np.stack([np.zeros(400), random.standard_normal(400) - 3 * (truth - 0.8)], axis=1)
    means = []
    for _ in range(200):
        rows = random.choice(400, 40, replace=False)
        outcomes = Outcomes.learn(rows, values[rows], truth[rows], np.full(40, 10.0))
        means.append(outcomes.of(np.arange(400), values)[:, 1].mean())
    assert np.mean(means) == pytest.approx(truth.mean(), abs=0.015)
    assert abs((1 / (1 + np.exp(-values[:, 1]))).mean() - truth.mean()) > 0.3
