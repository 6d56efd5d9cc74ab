"""Agreement of coders who labelled the same documents: Krippendorff's alpha and Cohen's kappa for nominal labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record

BOOTSTRAP_DRAWS = 2000
TAILS = (0.025, 0.975)
MISSING = -1
"""The code of a document that a coder has not labelled."""


@dataclass(frozen=True)
class Agreement:
    """How far coders agree on the documents that two or more of them have labelled.

    `share` is the share of equal pairs of labels of a document, `kappa` is of two coders only. None is undefined: if
    no document has two labels, or all labels are the same, so that chance alone explains them.
    """

    coders: tuple[str, ...]
    documents: int
    share: float | None
    kappa: float | None
    alpha: float | None
    low: float | None
    high: float | None

    def record(self) -> Record:
        """The agreement as a row of a table."""
        numbers = {"agreement": self.share, "kappa": self.kappa, "alpha": self.alpha}
        numbers |= {"alpha_low": self.low, "alpha_high": self.high}
        rounded = {name: None if value is None else round(value, 4) for name, value in numbers.items()}
        return {"coders": ", ".join(self.coders), "documents": self.documents, **rounded}


def agreements(codes: Mapping[str, Sequence[int]], classes: int) -> list[Agreement]:
    """The agreement of all coders and, if they are more than two, of each pair.

    `codes` has a class per coder and document, -1 for none.
    """
    found = [_agreement(tuple(codes), codes, classes)]
    if len(codes) > 2:
        found += [_agreement(pair, codes, classes) for pair in combinations(codes, 2)]
    return found


def _agreement(coders: tuple[str, ...], codes: Mapping[str, Sequence[int]], classes: int) -> Agreement:
    table = np.array([codes[coder] for coder in coders], dtype=np.int64)
    pairs = coincidences(table, classes)
    documents = len(pairs)
    share = float(np.einsum("tcc->", pairs) / pairs.sum()) if documents else None
    kappa = cohen_kappa(table[0], table[1]) if len(coders) == 2 else None
    low, high = alpha_interval(pairs)
    return Agreement(coders, documents, share, kappa, alpha_of(pairs.sum(axis=0)), low, high)


def krippendorff_alpha(codes: IntArray, classes: int) -> float | None:
    """Krippendorff's alpha of nominal labels, `codes` (coders x documents); None if it is undefined.

    .. math:: \\alpha = 1 - (n - 1) \\sum_{c \\ne k} o_{ck} / \\sum_{c \\ne k} n_c n_k

    o_ck are the coincidences, n_c their sums over k, n that of all.

    >>> codes = np.array([[0, 0, 1, 1, 0], [0, 0, 1, 0, 0]])    # four of five equal: o_01 = o_10 = 1, n_c = 7 and 3
    >>> round(krippendorff_alpha(codes, 2), 4)                  # 1 - 9 * 2 / (2 * 7 * 3)
    0.5714
    """
    return alpha_of(coincidences(codes, classes).sum(axis=0))


def coincidences(codes: IntArray, classes: int) -> FloatArray:
    """The coincidences (documents x classes x classes) of each document with two labels or more.

    Every ordered pair of its m labels counts 1 / (m - 1), so that the document counts m in all.
    """
    counts = np.stack([np.sum(codes == at, axis=0) for at in range(classes)], axis=1).astype(np.float64)
    labels = counts.sum(axis=1)
    counts, labels = counts[labels > 1], labels[labels > 1]
    pairs = counts[:, :, None] * counts[:, None, :] - np.eye(classes) * counts[:, :, None]
    return np.asarray(pairs / (labels - 1.0)[:, None, None], dtype=np.float64)


def alpha_of(pairs: FloatArray) -> float | None:
    """Alpha from summed coincidences (classes x classes)."""
    sums = pairs.sum(axis=1)
    total = float(sums.sum())
    expected = total**2 - float(np.sum(sums**2))
    if total <= 1 or expected <= 0:
        return None
    return 1.0 - (total - 1.0) * (total - float(np.trace(pairs))) / expected


def alpha_interval(pairs: FloatArray) -> tuple[float | None, float | None]:
    """The interval of 95 % of alpha: documents are drawn again with replacement, with their coincidences."""
    documents = len(pairs)
    if documents < 2:
        return None, None
    times = np.random.default_rng(0).multinomial(documents, np.full(documents, 1 / documents), BOOTSTRAP_DRAWS)
    sums = (times @ pairs.reshape(documents, -1)).reshape(-1, *pairs.shape[1:])
    values = [value for value in map(alpha_of, sums) if value is not None]
    if not values or alpha_of(pairs.sum(axis=0)) is None:
        return None, None
    low, high = np.quantile(values, TAILS)
    return float(low), float(high)


def cohen_kappa(first: IntArray, second: IntArray) -> float | None:
    """Cohen's kappa of two coders, on the documents that both labelled; None if it is undefined.

    kappa = (p_o - p_e) / (1 - p_e), with p_o the share of equal labels and p_e the sum over the classes of the
    product of the two coders' shares.

    >>> first, second = np.array([0, 0, 1, 1, 0]), np.array([0, 0, 1, 0, 0])
    >>> round(cohen_kappa(first, second), 4)                    # p_o = .8, p_e = .6 * .8 + .4 * .2 = .56
    0.5455
    """
    both = (first != MISSING) & (second != MISSING)
    first, second = first[both], second[both]
    if not len(first):
        return None
    expected = sum(float(np.mean(first == at) * np.mean(second == at)) for at in np.unique(first))
    return None if expected >= 1.0 else float((np.mean(first == second) - expected) / (1.0 - expected))
