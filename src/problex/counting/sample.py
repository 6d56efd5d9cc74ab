"""A sample of documents that does not depend on their order: those whose texts have the smallest hashes.

Estimation uses it for the distribution of the scores of documents and for the threshold, without the texts.
Samples of parts join to the sample of the whole, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.late import sparse

SAMPLE_SIZE = 4096
"""The maximum number of documents in the sample of `Counts`."""


_PER_TEXT = ("keys", "word_keys", "repeats", "lengths")


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of entry counts of some documents, in the order of their keys, which are hashes of the texts.

    `word_keys` are those of the words, which copies with other signs have in common. `repeats` is how often a text
    occurred; `limit` is how many different texts a sample has at most.
    """

    keys: NDArray[np.uint64]
    word_keys: NDArray[np.uint64]
    repeats: IntArray
    lengths: IntArray
    matrix: sparse.csr_array
    limit: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sample):
            return NotImplemented
        return (
            self.limit == other.limit
            and self.matrix.shape == other.matrix.shape
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _PER_TEXT)
            and bool(abs(self.matrix - other.matrix).sum() == 0)
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.keys)

    def with_columns(self, columns: IntArray, width: int) -> Sample:
        """The same documents over other columns: entry i becomes column `columns[i]`."""
        rows = self.matrix
        # a copy, because sorting moves the counts, and those of this sample must not change
        matrix = sparse.csr_array((rows.data.copy(), columns[rows.indices], rows.indptr), shape=(len(self), width))
        matrix.sort_indices()
        return replace(self, matrix=matrix)


def draw_sample(
    keys: NDArray[np.uint64],
    lengths: IntArray,
    matrix: sparse.csr_array,
    limit: int,
    word_keys: NDArray[np.uint64] | None = None,
) -> Sample:
    """The sample of these documents; without `word_keys` no two different ones are copies.

    >>> matrix = sparse.csr_array(np.array([[1], [2], [1]]))
    >>> sample = draw_sample(np.array([7, 3, 7], np.uint64), np.array([4, 5, 4]), matrix, limit=10)
    >>> sample.keys.tolist(), sample.repeats.tolist(), sample.lengths.tolist()
    ([3, 7], [1, 2], [5, 4])
    """
    return _smallest(
        Sample(keys, keys if word_keys is None else word_keys, np.ones(len(keys), np.int64), lengths, matrix, limit)
    )


def join_samples(one: Sample, two: Sample) -> Sample:
    """The sample of the documents of both; they must have the same columns."""
    keys, word_keys, repeats, lengths = (np.concatenate([getattr(one, name), getattr(two, name)]) for name in _PER_TEXT)
    rows = sparse.csr_array(sparse.vstack([one.matrix, two.matrix]))
    return _smallest(Sample(keys, word_keys, repeats, lengths, rows, max(one.limit, two.limit)))


def _smallest(texts: Sample) -> Sample:
    """The documents with the smallest keys; those with the same key become one, their repeats are added."""
    unique, first, inverse = np.unique(texts.keys, return_index=True, return_inverse=True)
    times = np.zeros(len(unique), np.int64)
    np.add.at(times, inverse, texts.repeats)
    limit, kept = texts.limit, first[: texts.limit]
    rows = sparse.csr_array(texts.matrix[kept]).astype(np.int64)
    rows.sort_indices()
    return Sample(unique[:limit], texts.word_keys[kept], times[:limit], texts.lengths[kept], rows, limit)
