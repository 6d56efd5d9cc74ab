"""Weights for all words from the evidence of a lexicon: ridge regression, cross-fitted, on soft targets. No words here.

The lexicon's evidence is the target, all features are the regressors, and no label is seen. Documents never teach
themselves: the targets of the second round come from models that were trained on the other half of the documents.
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
"""The penalty, for rows of length one: the noise of a target against what a document can tell about it."""
THEMES = 5
"""How many of the broadest directions of a corpus must be vouched for by both lists."""
SECOND_ROUND = 0.33
"""The least agreement at which a model may teach itself once more."""
LEXICON_SHARE = 0.17
"""Of noise over signal, how much weight the lexicon's own score gets."""


@dataclass(frozen=True, eq=False)
class Training:
    """What was learned: `weights` (features x targets) for scores of spread one, and how far to trust them.

    `held_out` are the scores of documents by weights that were trained without them, on the same scale and of mean
    zero: what new documents get. `agreement` is the correlation of the words outside the lexicon with the lexicon, on
    such documents. `lexicon_share` is the weight that the lexicon's own score should get beside these.
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
    """Learn a weight for every column of `rows` from what the lexicon says.

    `evidence` has a column per list, `decision` are the lexicon's `margins`: one column for two lists, else one per
    list. `outside` marks columns without a word of the lexicon, `themes` are the broadest directions of the corpus.
    """
    lexicon = standard(decision)
    order = np.random.default_rng(0).permutation(rows.shape[0])
    target, sharpness = contrasts(evidence), 1.0
    fitter = partial(fit, rows, themes=themes, evidence=evidence)
    held_out, beyond = _from_other_half(partial(fitter, target=target), rows, order, outside)
    agreement = float(np.mean(standard(beyond) * lexicon))
    share = lexicon_share(agreement)
    rounds = 2 if agreement >= SECOND_ROUND else 1
    if rounds == 2:
        target, sharpness = standard(held_out) + 2.0 * share * lexicon, 2.0
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
    """For two lists the second over the first, as one column; else each over their mean."""
    if values.shape[1] == 2:
        return values[:, 1:] - values[:, :1]
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)


def contrasts(evidence: FloatArray) -> FloatArray:
    """The targets of the first round: margins between lists of the same spread."""
    return margins(evidence / spread(evidence))


def themes_of(rows: sparse.csr_array, number: int = THEMES) -> FloatArray:
    """The broadest directions in which documents differ: left singular vectors, by powers of a random projection."""
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

    A target enters as 2p - 1 for soft labels p, which is tanh of its log-odds: `sharpness` of them per spread. What
    lies along themes enters as far as the lists vouch for it.
    """
    part, basis = rows[chosen], _centred_basis(themes[chosen])
    lists, columns = evidence.shape[1], []
    for at, column in enumerate(target[chosen].T):
        bounded = np.tanh(sharpness * standard(column[:, None])[:, 0])
        own = evidence[chosen, at if lists > 2 else 1]
        others = evidence[chosen].sum(axis=1) - own
        columns.append(ridge(part, _vouched(bounded - bounded.mean(), basis, own, others)))
    return np.stack(columns, axis=1)


def _vouched(target: FloatArray, basis: FloatArray, own: FloatArray, others: FloatArray) -> FloatArray:
    """Take from a target what lies along the broadest themes of a corpus, unless both lists vouch for it.

    A theme that goes with more words of one list and fewer of the other is about the label; one that goes with more
    words of both, or of one only, is about length or subject. With p and -q the directions in which the two lists
    point among the themes, only the part along p + q stays, times (1 + cosine of p and q) / 2.
    """
    p, q = basis.T @ standard(own[:, None])[:, 0], -(basis.T @ standard(others[:, None])[:, 0])
    lengths = np.linalg.norm(p), np.linalg.norm(q)
    if min(*lengths, basis.shape[1]) == 0:
        return target
    between, inside = p / lengths[0] + q / lengths[1], basis.T @ target
    squared = float(between @ between)  # 2 (1 + cosine)
    kept = between * (between @ inside) / 4.0 if squared > 0 else 0.0
    return np.asarray(target - basis @ (inside - kept), dtype=np.float64)


def ridge(rows: sparse.csr_array, target: FloatArray, penalty: float = RIDGE) -> FloatArray:
    """The weights w that minimise |target - Xw - constant|^2 + penalty |w|^2, by conjugate gradients over documents."""
    size = rows.shape[0]
    across = rows.T

    def product(x: NDArray[np.float32]) -> NDArray[np.float32]:
        centred = x - x.mean()
        seen = rows @ (across @ centred)
        return np.asarray(seen - seen.mean() + np.float32(penalty) * centred)

    centred = (target - target.mean()).astype(np.float32)
    found, _ = cg(LinearOperator((size, size), matvec=product, dtype=np.float32), centred, rtol=1e-3, maxiter=100)
    return np.asarray(across @ (found - found.mean()), dtype=np.float64)


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
        beyond[other] = standard(part @ (weights * outside[:, None]))
    return scores, beyond


def _centred_basis(themes: FloatArray) -> FloatArray:
    with_constant = np.column_stack([np.ones(len(themes)), themes])
    return np.asarray(np.linalg.qr(with_constant)[0][:, 1:], dtype=np.float64)


def spread(values: FloatArray) -> FloatArray:
    """The standard deviation of each column; one for a column that does not vary."""
    found = values.std(axis=0)
    return np.asarray(np.where(found > 0, found, 1.0), dtype=np.float64)


def standard(values: FloatArray) -> FloatArray:
    """Columns of mean zero and spread one."""
    return np.asarray((values - values.mean(axis=0)) / spread(values), dtype=np.float64)
