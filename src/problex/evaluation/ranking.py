"""Area under the ROC curve: how well scores rank the documents of a class above the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import stats


def auc(codes: IntArray, values: FloatArray) -> float:
    """Area under the ROC curve: of the second class for two classes, else the mean of each class against the rest.

    `codes` is the true class of each document, `values` its scores (documents x classes).
    """
    areas = [
        weighted_area(margin, positive.astype(np.float64), (~positive).astype(np.float64))
        for margin, positive in rankings(codes, values)
    ]
    return float(np.mean(areas))


def rankings(codes: IntArray, values: FloatArray) -> list[tuple[FloatArray, NDArray[np.bool_]]]:
    """For each class with an area: the margin of every document, and whether the document is of the class.

    The margin is the score of the class minus the highest score of the others. Of two classes, only the second has an
    area (that of the first is the same); a class has none if no document, or every document, belongs to it.
    """
    classes = [1] if values.shape[1] == 2 else range(values.shape[1])
    pairs = [(values[:, k] - np.delete(values, k, axis=1).max(axis=1), codes == k) for k in classes]
    return [(margin, positive) for margin, positive in pairs if positive.any() and not positive.all()]


def weighted_area(margin: FloatArray, positive: FloatArray, negative: FloatArray) -> float:
    """The weighted share of pairs of a positive and a negative document in the right order; a tie counts half.

    `positive` and `negative` are the weights of each document on either side, 0 where it is on the other.

    >>> weighted_area(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0]), np.array([1.0, 0.0, 1.0]))
    0.625
    """
    area = positive @ weight_below(margin, negative) / (positive.sum() * negative.sum())
    return min(float(area), 1.0)  # rounding can give a little more


def weight_below(margin: FloatArray, weights: FloatArray) -> FloatArray:
    """The total weight of the documents with a lower margin, plus half the weight of those with the same.

    >>> weight_below(np.array([1.0, 2.0, 2.0]), np.array([3.0, 1.0, 1.0])).tolist()
    [1.5, 4.0, 4.0]
    """
    rank = stats.rankdata(margin, "dense") - 1
    by_rank = np.bincount(rank, weights=weights)
    return np.asarray((np.cumsum(by_rank) - by_rank / 2)[rank], dtype=np.float64)
