"""The regression against a stranger, and scores of documents that it was not trained on."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.linear_model import Ridge

from problex.expansion.ridge import folds_of, held_out_scores, ridge, ridge_columns

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
