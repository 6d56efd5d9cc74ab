"""Weights for all words from the evidence of a lexicon: ridge regression, cross-fitted, on soft targets. Arrays only.

The lexicon's evidence is the target, all features are the regressors, and no label is used. The targets of the second
round are scores by models of the other half of the documents, so that no document is its own target.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg

from problex._util.arrays import FloatArray, IntArray
from problex._util.threads import map_ordered

RIDGE = 2.5
"""The penalty, for rows of length one: the variance of the noise over that of the weights."""
THEMES = 5
"""The number of themes: singular vectors of the corpus, see `filter_themes`."""
MIN_AGREEMENT_FOR_ROUND_2 = 0.33
"""The agreement from which there is a second round."""
LEXICON_SHARE = 0.17
"""The weight of the lexicon's own score, per noise over signal."""


@dataclass(frozen=True, eq=False)
class Training:
    """`weights` (features x targets) for scores of standard deviation one, and how good they are.

    `held_out` are the scores of documents by weights that were trained without them, on the same scale and of mean
    zero, as new documents would have. `agreement` is the correlation, on such documents, between the scores of words
    outside the lexicon and those of the lexicon. `lexicon_share` is the weight of the lexicon's own score beside these.
    """

    weights: FloatArray
    held_out: FloatArray
    agreement: float
    lexicon_share: float
    rounds: int


def train(
    rows: sparse.csr_array,
    evidence: FloatArray,
    decision: FloatArray,
    outside: NDArray[np.bool_],
    themes: FloatArray,
) -> Training:
    """Learn a weight for every column of `rows` from the evidence of the lexicon.

    `evidence` has a column per list, `decision` are the lexicon's `margins`: one column for two lists, else one per
    list. `outside` marks columns without a word of the lexicon, `themes` are singular vectors of the corpus.
    """
    lexicon = standardize(decision)
    order = np.random.default_rng(0).permutation(rows.shape[0])
    target, sharpness = contrasts(evidence), 1.0
    fitter = partial(fit, rows, themes=themes, evidence=evidence)
    held_out, beyond = _from_other_half(partial(fitter, target=target), rows, order, outside)
    agreement = float(np.mean(standardize(beyond) * lexicon))
    share = lexicon_share(agreement)
    rounds = 2 if agreement >= MIN_AGREEMENT_FOR_ROUND_2 else 1
    if rounds == 2:
        target, sharpness = standardize(held_out) + 2.0 * share * lexicon, 2.0
        held_out, _ = _from_other_half(partial(fitter, target=target, sharpness=sharpness), rows, order, outside)
    weights = fitter(target=target, chosen=order, sharpness=sharpness)
    size = spread(rows @ weights)
    return Training(weights / size, held_out / size, agreement, share, rounds)


def lexicon_share(agreement: float) -> float:
    """The weight of the lexicon's score, in proportion to noise over signal of the words outside it.

    >>> round(lexicon_share(0.6), 2), round(lexicon_share(0.2), 2)
    (0.3, 4.08)
    """
    signal = max(agreement, 0.05) ** 2
    return LEXICON_SHARE * (1.0 - signal) / signal


def margins(values: FloatArray) -> FloatArray:
    """For two lists the second minus the first, as one column; else each minus their mean."""
    if values.shape[1] == 2:
        return values[:, 1:] - values[:, :1]
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)


def contrasts(evidence: FloatArray) -> FloatArray:
    """The targets of the first round: margins between lists of equal standard deviation."""
    return margins(evidence / spread(evidence))


def themes_of(rows: sparse.csr_array, number: int = THEMES) -> FloatArray:
    """The first left singular vectors of the documents, by powers of a random projection."""
    number = min(number, min(rows.shape) - 1)
    if number < 1:
        return np.zeros((rows.shape[0], 0))
    width = min(number + 10, min(rows.shape))
    start = np.random.default_rng(0).standard_normal((rows.shape[1], width)).astype(np.float32)
    basis = np.linalg.qr(rows @ start)[0]
    for _ in range(3):
        basis = np.linalg.qr(rows @ (rows.T @ basis))[0]
    projected = (rows.T @ basis).astype(np.float64)
    turn = np.linalg.eigh(projected.T @ projected)[1][:, ::-1]
    return np.asarray(basis @ turn[:, :number], dtype=np.float64)


def fit(
    rows: sparse.csr_array,
    target: FloatArray,
    chosen: IntArray,
    themes: FloatArray,
    evidence: FloatArray,
    sharpness: float = 1.0,
) -> FloatArray:
    """Ridge weights on the chosen documents for each target.

    A target enters as 2 p - 1 = tanh(sharpness * z) with z its standardized value: soft labels p with log-odds
    2 sharpness z. Its part in the space of the themes is filtered by `filter_themes`.
    """
    part, basis = rows[chosen], centred_basis(themes[chosen])
    lists, columns = evidence.shape[1], []
    for at, column in enumerate(target[chosen].T):
        bounded = np.tanh(sharpness * standardize(column[:, None])[:, 0])
        own = evidence[chosen, at if lists > 2 else 1]
        others = evidence[chosen].sum(axis=1) - own
        columns.append(ridge(part, filter_themes(bounded - bounded.mean(), basis, own, others)))
    return np.stack(columns, axis=1)


def filter_themes(target: FloatArray, basis: FloatArray, own: FloatArray, others: FloatArray) -> FloatArray:
    """Reduce the part of a target in the space of the themes to the direction in which the two lists are opposed.

    A theme with more words of one list and fewer of the other is about the label; one with more words of both, or of
    one only, is about length or subject. With p and -q the projections of the two lists on the themes, scaled to length
    one, the part t of the target becomes (p + q) ((p + q) . t) / 4: for p = q it is t along p, for p = -q it is zero.
    """
    p, q = basis.T @ standardize(own[:, None])[:, 0], -(basis.T @ standardize(others[:, None])[:, 0])
    lengths = np.linalg.norm(p), np.linalg.norm(q)
    if min(*lengths, basis.shape[1]) == 0:
        return target
    between, inside = p / lengths[0] + q / lengths[1], basis.T @ target
    squared = float(between @ between)  # 2 (1 + cosine)
    opposed = between * (between @ inside) / 4.0 if squared > 0 else 0.0
    return np.asarray(target - basis @ (inside - opposed), dtype=np.float64)


def ridge(rows: sparse.csr_array, target: FloatArray) -> FloatArray:
    """The weights w that minimise |target - Xw - constant|^2 + RIDGE |w|^2, by conjugate gradients over documents."""
    size = rows.shape[0]
    across = rows.T

    def product(x: NDArray[np.float32]) -> NDArray[np.float32]:
        centred = x - x.mean()
        seen = rows @ (across @ centred)
        return np.asarray(seen - seen.mean() + np.float32(RIDGE) * centred)

    centred = (target - target.mean()).astype(np.float32)
    dual, _ = cg(LinearOperator((size, size), matvec=product, dtype=np.float32), centred, rtol=1e-3, maxiter=100)
    return np.asarray(across @ (dual - dual.mean()), dtype=np.float64)


def _from_other_half(
    fitter: partial[FloatArray], rows: sparse.csr_array, order: IntArray, outside: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Scores of every document by a model of the other half of the documents: by all columns, and by those outside."""
    middle = len(order) // 2
    halves = (order[:middle], order[middle:])
    fitted = list(map_ordered(lambda half: fitter(chosen=half), halves, 2))
    scores, beyond = (np.zeros((len(order), fitted[0].shape[1])) for _ in range(2))
    for weights, other in zip(fitted, reversed(halves), strict=True):
        part = rows[other]
        scores[other] = part @ weights
        scores[other] -= scores[other].mean(axis=0)
        beyond[other] = standardize(part @ (weights * outside[:, None]))
    return scores, beyond


def centred_basis(themes: FloatArray) -> FloatArray:
    """An orthonormal basis of the themes, orthogonal to a constant."""
    with_constant = np.column_stack([np.ones(len(themes)), themes])
    return np.asarray(np.linalg.qr(with_constant)[0][:, 1:], dtype=np.float64)


def spread(values: FloatArray) -> FloatArray:
    """The standard deviation of each column; one for a column that does not vary."""
    deviations = values.std(axis=0)
    return np.asarray(np.where(deviations > 0, deviations, 1.0), dtype=np.float64)


def standardize(values: FloatArray) -> FloatArray:
    """Columns of mean zero and standard deviation one."""
    return np.asarray((values - values.mean(axis=0)) / spread(values), dtype=np.float64)
