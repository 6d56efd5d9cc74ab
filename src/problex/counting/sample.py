"""A sample of documents that does not depend on their order: those whose texts have the smallest hashes.

It lets estimation look at documents as wholes (how scores are distributed, where a threshold belongs) without the
texts. Samples of parts merge into the sample of the whole, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from problex._util.arrays import IntArray


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of entry counts for some documents, in the order of their keys.

    `repeats` says how often a text occurred; `most` is how many documents are kept.
    """

    keys: NDArray[np.uint64]
    repeats: IntArray
    lengths: IntArray
    matrix: sparse.csr_array
    most: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sample):
            return NotImplemented
        return (
            self.most == other.most
            and self.matrix.shape == other.matrix.shape
            and all(
                np.array_equal(getattr(self, name), getattr(other, name)) for name in ("keys", "repeats", "lengths")
            )
            and bool(abs(self.matrix - other.matrix).sum() == 0)
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.keys)

    def moved(self, columns: IntArray, width: int) -> Sample:
        """The same documents over other columns: entry i becomes column `columns[i]`."""
        rows = self.matrix
        # a copy, because sorting moves the counts, and those of this sample must stay where they are
        matrix = sparse.csr_array((rows.data.copy(), columns[rows.indices], rows.indptr), shape=(len(self), width))
        matrix.sort_indices()
        return Sample(self.keys, self.repeats, self.lengths, matrix, self.most)


def no_sample(width: int, most: int) -> Sample:
    """The sample of no documents."""
    none = np.zeros(0, np.int64)
    return Sample(none.astype(np.uint64), none, none, sparse.csr_array((0, width), dtype=np.int64), most)


def drawn(keys: NDArray[np.uint64], lengths: IntArray, matrix: sparse.csr_array, most: int) -> Sample:
    """The sample of these documents.

    >>> matrix = sparse.csr_array(np.array([[1], [2], [1]]))
    >>> found = drawn(np.array([7, 3, 7], np.uint64), np.array([4, 5, 4]), matrix, most=10)
    >>> found.keys.tolist(), found.repeats.tolist(), found.lengths.tolist()
    ([3, 7], [1, 2], [5, 4])
    """
    return _smallest(keys, np.ones(len(keys), np.int64), lengths, matrix, most)


def joined(one: Sample, two: Sample) -> Sample:
    """The sample of both: they must have the same columns."""
    keys, repeats, lengths = (
        np.concatenate([getattr(one, name), getattr(two, name)]) for name in ("keys", "repeats", "lengths")
    )
    rows = sparse.csr_array(sparse.vstack([one.matrix, two.matrix]))
    return _smallest(keys, repeats, lengths, rows, max(one.most, two.most))


def _smallest(
    keys: NDArray[np.uint64], repeats: IntArray, lengths: IntArray, matrix: sparse.csr_array, most: int
) -> Sample:
    found, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    times = np.zeros(len(found), np.int64)
    np.add.at(times, inverse, repeats)
    kept = first[:most]
    rows = sparse.csr_array(matrix[kept]).astype(np.int64)
    rows.sort_indices()
    return Sample(found[:most], times[:most], lengths[kept], rows, most)
