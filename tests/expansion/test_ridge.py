"""The regression against a stranger, and scores of documents that it was not trained on; themes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from problex.expansion.ridge import (
    centred_basis,
    contrasts,
    folds_of,
    held_out_scores,
    ridge,
    ridge_columns,
    themes_of,
    without,
)

RANDOM = np.random.default_rng(0)
ROWS = sparse.csr_array((RANDOM.random((300, 80)) * (RANDOM.random((300, 80)) < 0.2)).astype(np.float32))


def test_ridge_is_that_of_scikit_learn() -> None:
    target = RANDOM.standard_normal(300)
    peer = Ridge(alpha=2.5).fit(ROWS.toarray(), target).coef_
    assert np.allclose(ridge(ROWS, target), peer, atol=0.01 * np.abs(peer).max())


def test_columns_are_regressed_one_by_one() -> None:
    targets = RANDOM.standard_normal((300, 3))
    assert np.array_equal(ridge_columns(ROWS, targets), np.stack([ridge(ROWS, column) for column in targets.T], axis=1))


def test_held_out_scores_are_of_the_other_documents_at_the_spread_of_the_teachers() -> None:
    """By hand: the weights of the teachers score the others, less their mean, over the teachers' deviation."""
    target = RANDOM.standard_normal((300, 1))
    folds = folds_of(np.arange(300), 3)
    scores = held_out_scores(ROWS, target, folds)
    for teachers, others in folds:
        weights = ridge(ROWS[teachers], target[teachers, 0])
        expected, own = (np.asarray(ROWS[part] @ weights) for part in (others, teachers))
        expected = (expected - expected.mean()) / own.std()
        assert np.allclose(scores[others, 0], expected)
    changed = target.copy()
    changed[folds[0][1]] += 5.0
    again = held_out_scores(ROWS, changed, folds)
    assert np.array_equal(again[folds[0][1]], scores[folds[0][1]])  # a document never teaches itself
    assert not np.allclose(again[folds[1][1]], scores[folds[1][1]])


def test_themes_are_the_left_singular_vectors() -> None:
    factors = RANDOM.standard_normal((300, 2)) @ RANDOM.standard_normal((2, 80)) * 3.0
    rows = sparse.csr_array((factors + RANDOM.standard_normal((300, 80))).astype(np.float32))
    expected = np.linalg.svd(rows.toarray())[0][:, :2]
    assert np.allclose(np.abs(np.diag(themes_of(rows, 2).T @ expected)), 1.0, atol=1e-3)


def test_themes_of_few_documents_are_fewer() -> None:
    assert themes_of(sparse.csr_array(np.eye(3, dtype=np.float32)), 5).shape == (3, 2)
    assert themes_of(sparse.csr_array(np.ones((1, 4), dtype=np.float32)), 5).shape == (1, 0)


def test_without_themes_a_value_is_orthogonal_to_them_and_centred() -> None:
    basis = centred_basis(RANDOM.standard_normal((50, 2)))
    rest = without(RANDOM.standard_normal(50) + 3.0, basis)
    assert np.allclose(basis.T @ rest, 0.0)
    assert rest.mean() == pytest.approx(0.0)


def test_lists_of_any_spread_give_the_same_contrast() -> None:
    evidence = RANDOM.gamma(2.0, size=(50, 3))
    assert np.allclose(contrasts(evidence), contrasts(evidence * np.array([1.0, 5.0, 0.2])))
