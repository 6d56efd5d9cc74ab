"""Ridge regression on sparse rows, and scores of documents that were held out from it. Arrays only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex._util.threads import map_ordered

RIDGE = 2.5
"""The penalty, for rows of length one: the variance of the noise over that of the weights."""
THREADS = 2


def ridge(rows: sparse.csr_array, target: FloatArray) -> FloatArray:
    """The weights w that minimise |target - Xw - constant|^2 + RIDGE |w|^2, by conjugate gradients over documents."""
    size = rows.shape[0]
    across = rows.T

    def product(x: NDArray[np.float32]) -> NDArray[np.float32]:
        centred = x - x.mean()
        seen = rows @ (across @ centred)
        return np.asarray(seen - seen.mean() + np.float32(RIDGE) * centred)

    centred = (target - target.mean()).astype(np.float32)
    operator = sparse.linalg.LinearOperator((size, size), matvec=product, dtype=np.float32)
    dual, _ = sparse.linalg.cg(operator, centred, rtol=1e-3, maxiter=100)
    return np.asarray(across @ (dual - dual.mean()), dtype=np.float64)


def ridge_columns(rows: sparse.csr_array, targets: FloatArray) -> FloatArray:
    """Ridge weights for each column of the targets."""
    weights = np.empty((rows.shape[1], targets.shape[1]))
    for at, column in enumerate(map_ordered(lambda column: ridge(rows, column), targets.T, THREADS)):
        weights[:, at] = column
    return weights


def held_out_scores(
    rows: sparse.csr_array, targets: FloatArray, folds: Sequence[tuple[IntArray, IntArray]]
) -> FloatArray:
    """Scores of every document by weights of the documents that teach it, for each column of the targets.

    The scores of a fold have mean zero, and are divided by the standard deviation of those of its teachers.
    """

    def score(fold: tuple[IntArray, IntArray]) -> FloatArray:
        teachers, others = fold
        part = rows[teachers]
        weights = np.stack([ridge(part, column) for column in targets[teachers].T], axis=1)
        values = rows[others] @ weights
        return np.asarray((values - values.mean(axis=0)) / spread(part @ weights), dtype=np.float64)

    scores = np.zeros(targets.shape)
    for (_, others), values in zip(folds, map_ordered(score, folds, THREADS), strict=True):
        scores[others] = values
    return scores


def margins(values: FloatArray) -> FloatArray:
    """For two lists the second minus the first, as one column; else each minus their mean."""
    if values.shape[1] == 2:
        return values[:, 1:] - values[:, :1]
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)


def spread(values: FloatArray) -> FloatArray:
    """The standard deviation of each column; one for a column that does not vary."""
    deviations = values.std(axis=0)
    return np.asarray(np.where(deviations > 0, deviations, 1.0), dtype=np.float64)


def standardize(values: FloatArray) -> FloatArray:
    """Columns of mean zero and standard deviation one; a vector is one column."""
    return np.asarray((values - values.mean(axis=0)) / spread(values), dtype=np.float64)
