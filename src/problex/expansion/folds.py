"""Parts of a corpus that teach each other, chosen by the content of documents, not by their order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.estimation._sums import row_hashes

MIXER = np.uint64(0x9E3779B97F4A7C15)


def content_order(counts: sparse.csr_array, keys: NDArray[np.uint64]) -> IntArray:
    """The place of each document in the order of a hash of its words: random, but the same however texts are ordered.

    Copies, which have the same of the `keys`, have one place. Other documents with the same counts have different
    ones, by a hash of these and of their number.
    """
    numbers = np.random.default_rng(0).integers(1, 2**63, counts.shape[1], dtype=np.uint64)
    different, text = np.unique(keys, return_inverse=True)
    hashes = np.full(len(different), np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(hashes, text, row_hashes(*arrays_of(counts), numbers))
    order = np.argsort(hashes, kind="stable")
    alike = (np.arange(len(order)) - np.searchsorted(hashes[order], hashes[order])).astype(np.uint64)
    places = np.empty(len(order), np.int64)
    places[order[np.argsort(_mix(hashes[order] + _mix(alike + np.uint64(1))), kind="stable")]] = np.arange(len(order))
    return places[text]


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

    Documents of one place are in one fold, so that copies never judge each other.

    >>> [(teach.tolist(), scored.tolist()) for teach, scored in folds_of(np.array([1, 2, 3, 0, 1]), 2)]
    [([1, 2], [0, 3, 4]), ([0, 3, 4], [1, 2])]
    """
    parts = np.array_split(np.arange(int(order.max(initial=-1)) + 1), number)
    ends = [part[-1] for part in parts if len(part)]
    fold = np.searchsorted(ends, order)
    return [(np.flatnonzero(fold != at), np.flatnonzero(fold == at)) for at in range(len(ends))]
