"""Ridge regression on sparse rows, scores of documents that were held out from it, and themes. Arrays only.

Themes are the leading principal directions of the words outside the lexicon, such as subject and length.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex._util.threads import map_ordered
from problex.expansion.constants import TUNED

THREADS = 2
EXTRA, POWERS = 25, 5
"""Directions in addition, and powers of the projection, so that the themes in use are accurate."""


def ridge(rows: sparse.csr_array, target: FloatArray) -> FloatArray:
    """The weights w that minimise |target - Xw - constant|^2 + 2.5 |w|^2, by conjugate gradients over documents."""
    size = rows.shape[0]
    across = rows.T

    def product(x: NDArray[np.float32]) -> NDArray[np.float32]:
        centred = x - x.mean()
        seen = rows @ (across @ centred)
        return np.asarray(seen - seen.mean() + np.float32(TUNED.ridge) * centred)

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
    """For two lists the second minus the first, as one column; else each minus their mean.

    >>> margins(np.array([[1.0, 4.0]])).tolist(), margins(np.array([[1.0, 4.0, 1.0]])).tolist()
    ([[3.0]], [[-1.0, 2.0, -1.0]])
    """
    if values.shape[1] == 2:
        return values[:, 1:] - values[:, :1]
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)


def spread(values: FloatArray) -> FloatArray:
    """The standard deviation of each column; one for a column that does not vary."""
    deviations = values.std(axis=0)
    return np.asarray(np.where(deviations > 0, deviations, 1.0), dtype=np.float64)


def standardize(values: FloatArray) -> FloatArray:
    """Columns of mean zero and standard deviation one; a vector is one column.

    >>> standardize(np.array([[1.0, 7.0], [5.0, 7.0]])).tolist()    # a column that does not vary is zero
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    return np.asarray((values - values.mean(axis=0)) / spread(values), dtype=np.float64)


def contrasts(evidence: FloatArray) -> FloatArray:
    """What lists say about documents, as targets: margins between lists of equal standard deviation."""
    return margins(evidence / spread(evidence))


def folds_of(order: IntArray, folds: int) -> list[tuple[IntArray, IntArray]]:
    """Pairs of documents that teach and documents that are scored: each document is scored once.

    Documents of one place are in one fold, so that copies never judge each other.

    >>> [(teach.tolist(), scored.tolist()) for teach, scored in folds_of(np.array([1, 2, 3, 0, 1]), 2)]
    [([1, 2], [0, 3, 4]), ([0, 3, 4], [1, 2])]
    """
    parts = np.array_split(np.arange(int(order.max(initial=-1)) + 1), folds)
    ends = [part[-1] for part in parts if len(part)]
    fold = np.searchsorted(ends, order)
    return [(np.flatnonzero(fold != at), np.flatnonzero(fold == at)) for at in range(len(ends))]


def themes_of(rows: sparse.csr_array, themes: int) -> FloatArray:
    """The first left singular vectors of the documents, by powers of a random projection."""
    themes = min(themes, min(rows.shape) - 1)
    if themes < 1:
        return np.zeros((rows.shape[0], 0))
    width = min(themes + EXTRA, min(rows.shape))
    # a random projection, nearer to the largest singular vectors with each power
    start = np.random.default_rng(0).standard_normal((rows.shape[1], width)).astype(np.float32)
    basis = _orthonormal(rows @ start)
    for _ in range(POWERS):
        basis = _orthonormal(rows @ (rows.T @ basis))
    # turned into these vectors, the largest first
    projected = (rows.T @ basis).astype(np.float64)
    turn = np.linalg.eigh(projected.T @ projected)[1][:, ::-1]
    return np.asarray(basis @ turn[:, :themes], dtype=np.float64)


def _orthonormal(columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """An orthonormal basis of the columns, from their products: much faster than a QR decomposition."""
    wide = columns.astype(np.float64)
    values, vectors = np.linalg.eigh(wide.T @ wide)
    kept = values > 1e-12 * max(float(values[-1]), 1e-300)
    return np.asarray(wide @ (vectors[:, kept] / np.sqrt(values[kept])), dtype=np.float32)


def centred_basis(themes: FloatArray) -> FloatArray:
    """An orthonormal basis of the themes, orthogonal to a constant."""
    with_constant = np.column_stack([np.ones(len(themes)), themes])
    return np.asarray(np.linalg.qr(with_constant)[0][:, 1:], dtype=np.float64)


def without(values: FloatArray, basis: FloatArray) -> FloatArray:
    """A value of documents, centred, without its part along the themes."""
    centred = values - values.mean()
    return np.asarray(centred - basis @ (basis.T @ centred), dtype=np.float64)
