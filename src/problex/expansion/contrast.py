"""Weights for all words from the contrast of the lists: ridge regression, cross-fitted, on soft targets.

The lexicon's evidence is the target, all features are the regressors, and no label is used. The targets of the second
round are scores by models of the other half of the documents, so that no document is its own target.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex._util.threads import map_ordered
from problex.expansion.ridge import (
    THREADS,
    centred_basis,
    contrasts,
    filter_themes,
    folds_of,
    ridge,
    spread,
    standardize,
)

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
    order: IntArray,
) -> Training:
    """Learn a weight for every column of `rows` from the evidence of the lexicon.

    `evidence` has a column per list, `decision` are the lexicon's `margins`: one column for two lists, else one per
    list. `outside` marks columns without a word of the lexicon, `themes` are singular vectors of the corpus, `order` is
    that of the documents for the two halves.
    """
    lexicon = standardize(decision)
    target, sharpness = contrasts(evidence), 1.0
    fitter = partial(fit, rows, themes=themes, evidence=evidence)
    held_out, agreement = first_round(rows, evidence, decision, outside, themes, order)
    share = lexicon_share(agreement)
    rounds = 2 if agreement >= MIN_AGREEMENT_FOR_ROUND_2 else 1
    if rounds == 2:
        target, sharpness = standardize(held_out) + 2.0 * share * lexicon, 2.0
        held_out, _ = _from_other_half(partial(fitter, target=target, sharpness=sharpness), rows, order, outside)
    weights = fitter(target=target, chosen=order, sharpness=sharpness)
    size = spread(rows @ weights)
    return Training(weights / size, held_out / size, agreement, share, rounds)


def first_round(
    rows: sparse.csr_array,
    evidence: FloatArray,
    decision: FloatArray,
    outside: NDArray[np.bool_],
    themes: FloatArray,
    order: IntArray,
) -> tuple[FloatArray, float]:
    """The held-out scores of the first round of `train`, and the agreement: all that lists of topics need."""
    fitter = partial(fit, rows, themes=themes, evidence=evidence, target=contrasts(evidence))
    held_out, beyond = _from_other_half(fitter, rows, order, outside)
    return held_out, float(np.mean(standardize(beyond) * standardize(decision)))


def lexicon_share(agreement: float) -> float:
    """The weight of the lexicon's score, in proportion to noise over signal of the words outside it.

    >>> round(lexicon_share(0.6), 2), round(lexicon_share(0.2), 2)
    (0.3, 4.08)
    """
    signal = max(agreement, 0.05) ** 2
    return LEXICON_SHARE * (1.0 - signal) / signal


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
    taught = evidence[chosen]
    total = taught.sum(axis=1)
    for at, column in enumerate(target[chosen].T):
        bounded = np.tanh(sharpness * standardize(column))
        own = taught[:, at if lists > 2 else 1]
        others = total - own
        columns.append(ridge(part, filter_themes(bounded - bounded.mean(), basis, own, others)))
    return np.stack(columns, axis=1)


def _from_other_half(
    fitter: partial[FloatArray], rows: sparse.csr_array, order: IntArray, outside: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Scores of every document by a model of the other half of the documents: by all columns, and by those outside."""
    halves = folds_of(order, 2)
    fitted = list(map_ordered(lambda half: fitter(chosen=half[0]), halves, THREADS))
    scores, beyond = (np.zeros((len(order), fitted[0].shape[1])) for _ in range(2))
    for weights, (_, other) in zip(fitted, halves, strict=True):
        part = rows[other]
        scores[other] = part @ weights
        scores[other] -= scores[other].mean(axis=0)
        weights *= outside[:, None]
        beyond[other] = standardize(part @ weights)
    return scores, beyond
