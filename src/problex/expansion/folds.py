"""Parts of a corpus that teach each other, chosen by the content of documents, not by their order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.estimation._sums import row_hashes

MIXER = np.uint64(0x9E3779B97F4A7C15)


def content_order(counts: sparse.csr_array) -> IntArray:
    """Documents in the order of a hash of their words: random, but the same however the corpus is ordered.

    Copies of a document have different places, by a hash of their words and of their number.
    """
    numbers = np.random.default_rng(0).integers(1, 2**63, counts.shape[1], dtype=np.uint64)
    keys = row_hashes(*arrays_of(counts), numbers)
    order = np.argsort(keys, kind="stable")
    first = np.searchsorted(keys[order], keys[order])
    copies = (np.arange(len(keys)) - first).astype(np.uint64)
    return np.asarray(order[np.argsort(_mix(keys[order] + _mix(copies + np.uint64(1))), kind="stable")], np.int64)


def arrays_of(rows: sparse.csr_array) -> tuple[IntArray, NDArray[np.int32], NDArray[np.float32]]:
    """The ends, columns and values of a sparse matrix of rows, as compiled functions take them."""
    return (
        rows.indptr.astype(np.int64),
        rows.indices.astype(np.int32, copy=False),
        rows.data.astype(np.float32, copy=False),
    )


def _mix(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look random, and differ if the keys do."""
    for shift in (np.uint64(32), np.uint64(29)):
        keys = (keys ^ (keys >> shift)) * MIXER
    return keys ^ (keys >> np.uint64(32))


def folds_of(order: IntArray, number: int) -> list[tuple[IntArray, IntArray]]:
    """Pairs of documents that teach and documents that are scored: each document is scored once.

    >>> [(teach.tolist(), scored.tolist()) for teach, scored in folds_of(np.array([3, 0, 1, 2]), 2)]
    [([1, 2], [0, 3]), ([0, 3], [1, 2])]
    """
    parts = np.array_split(order, number)
    return [(np.sort(np.concatenate([*parts[:at], *parts[at + 1 :]])), np.sort(part)) for at, part in enumerate(parts)]
