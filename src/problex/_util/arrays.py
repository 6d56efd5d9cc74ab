"""Types of arrays, and what several packages compute from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from problex._util._rows import distinct

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
TIE = 1e-12
"""Scores that differ by no more than this are equal: that much can be due to the order of a sum."""
MANY_COLUMNS = 20
"""From so many columns on, equal values of a row are looked for."""
BLOCK_SIZE = 1 << 15
"""Values that are computed at a time, so that all that is made of them stays in the cache of a processor."""


def log_softmax(values: FloatArray) -> FloatArray:
    """Logarithms of the softmax of each row, the same bits as SciPy's, which takes a tenth of a second to import.

    >>> log_softmax(np.array([[1000.0, 1.0]])).tolist()
    [[0.0, -999.0]]
    """
    shifted = _shifted(values)
    with np.errstate(divide="ignore"):
        logarithm = np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return np.asarray(shifted - logarithm, dtype=np.float64)


def _shifted(values: FloatArray) -> FloatArray:
    """Values minus the highest of their row."""
    highest = values.max(axis=1, keepdims=True)
    highest[~np.isfinite(highest)] = 0
    return np.asarray(values - highest, dtype=np.float64)


def softmax(values: FloatArray, factors: FloatArray | None = None) -> FloatArray:
    """The softmax of each row; with `factors`, of the row times its factor.

    >>> softmax(np.array([[1000.0, 1.0], [0.0, 0.0]])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    if values.shape[1] < MANY_COLUMNS:
        logs = log_softmax(values if factors is None else values * factors[:, None])
        return np.exp(logs, out=logs)
    result, rows = np.empty(values.shape), max(BLOCK_SIZE // values.shape[1], 1)
    for start in range(0, len(values), rows):
        part = values[start : start + rows]
        part = part if factors is None else part * factors[start : start + rows, None]
        _softmax_of_many(part, result[start : start + rows])
    return result


def _softmax_of_many(values: FloatArray, result: FloatArray) -> None:
    """Write the softmax of rows with many columns into `result`.

    Of values that are the same in a row, exponentials are computed once: those of labels for which a text has no word.
    """
    values = np.ascontiguousarray(values)
    found, rows, places = distinct(_shifted(values))
    if 2 * len(found) > values.size:
        np.exp(log_softmax(values), out=result)
        return
    with np.errstate(divide="ignore"):
        logarithms = np.log(np.exp(found).take(places, mode="clip").sum(axis=1))
    np.exp(found - logarithms[rows]).take(places, out=result, mode="clip")


def leads(values: FloatArray) -> FloatArray:
    """The highest of each row minus the second highest: for two columns their distance.

    >>> leads(np.array([[0.0, 2.0, 5.0], [1.0, 1.0, 0.0]])).tolist()
    [3.0, 0.0]
    """
    if values.shape[1] == 2:
        return np.asarray(np.abs(values[:, 1] - values[:, 0]), dtype=np.float64)
    ordered = np.partition(values, -2, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2], dtype=np.float64)
