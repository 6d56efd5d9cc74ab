"""Themes: the leading principal directions of the words outside the lexicon, such as subject and length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex._util.late import sparse
from problex.expansion.listed_words import ListedWords
from problex.expansion.ridge import standardize

THEMES = 5
EXTRA, POWERS = 25, 5
"""Directions in addition, and powers of the projection, so that the themes in use are accurate."""
MIN_DOCUMENTS = 3
"""The documents that a word of the lexicon needs to vote on a theme."""
MAX_LENGTH = 1.0
"""The largest length of the loadings."""


def themes_of(rows: sparse.csr_array, number: int = THEMES) -> FloatArray:
    """The first left singular vectors of the documents, by powers of a random projection."""
    number = min(number, min(rows.shape) - 1)
    if number < 1:
        return np.zeros((rows.shape[0], 0))
    width = min(number + EXTRA, min(rows.shape))
    start = np.random.default_rng(0).standard_normal((rows.shape[1], width)).astype(np.float32)
    basis = _orthonormal(rows @ start)
    for _ in range(POWERS):
        basis = _orthonormal(rows @ (rows.T @ basis))
    projected = (rows.T @ basis).astype(np.float64)
    turn = np.linalg.eigh(projected.T @ projected)[1][:, ::-1]
    return np.asarray(basis @ turn[:, :number], dtype=np.float64)


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


def loadings(words: ListedWords, strengths: FloatArray, basis: FloatArray) -> FloatArray:
    """How far each theme is about the label, by the votes of the words of two lists.

    If a theme is about the label, the documents of strong words lean to it in proportion to their strength. With A_ik
    the mean of theme k (at standard deviation one) over the documents with entry i, this is the coefficient of the
    signed strength of i in a regression of A_ik on it, a constant and log n_i, with the weight n_i. The constant and
    log n_i take up the length of documents and how many entries they have. The loadings have length one at most.
    """
    voters = np.flatnonzero(words.documents >= MIN_DOCUMENTS)
    if len(voters) < 3 or not basis.shape[1]:
        return np.zeros(basis.shape[1])
    seen = words.documents[voters]
    leanings = np.sqrt(len(basis)) * (words.present.T @ basis)[voters] / seen[:, None]
    signed = (words.signs * strengths)[voters]
    design = np.column_stack([signed, np.ones(len(voters)), np.log(seen)]) * np.sqrt(seen)[:, None]
    found = np.linalg.lstsq(design, leanings * np.sqrt(seen)[:, None], rcond=None)[0][0]
    return np.asarray(found * min(1.0, MAX_LENGTH / max(float(np.linalg.norm(found)), 1e-12)), dtype=np.float64)


def filter_themes(target: FloatArray, basis: FloatArray, own: FloatArray, others: FloatArray) -> FloatArray:
    """Reduce the part of a target in the space of the themes to the direction in which the two lists are opposed.

    A theme with more words of one list and fewer of the other is about the label; one with more words of both, or of
    one only, is about length or subject. With p and -q the projections of the two lists on the themes, scaled to length
    one, the part t of the target becomes (p + q) ((p + q) . t) / 4: for p = q it is t along p, for p = -q it is zero.
    """
    p, q = basis.T @ standardize(own), -(basis.T @ standardize(others))
    lengths = np.linalg.norm(p), np.linalg.norm(q)
    if min(*lengths, basis.shape[1]) == 0:
        return target
    between, inside = p / lengths[0] + q / lengths[1], basis.T @ target
    squared = float(between @ between)  # 2 (1 + cosine)
    opposed = between * (between @ inside) / 4.0 if squared > 0 else 0.0
    return np.asarray(target - basis @ (inside - opposed), dtype=np.float64)
