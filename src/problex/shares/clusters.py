"""Sums by group over clusters of documents that are not independent, such as copies of a text, and over words.

Clusters are put into buckets by their hash: memory is bounded by groups, buckets and words, not by documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex.scoring.scores import UNDECIDED, Scores

BUCKETS = 1 << 10
"""Buckets of clusters. With 4,096 of them the same differences are clear."""
UNIT = 1 << 20
"""Probabilities are summed as integers of this unit, so that sums of parts add up exactly."""
DOCUMENTS, UNDECIDED_ONES, FIRST_LABEL = range(3)
"""Blocks of `BUCKETS` columns: documents, undecided ones, then the probabilities and the predictions of each label."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio, by which identifiers that follow each other come into different buckets."""


def buckets_of(clusters: NDArray[np.uint64]) -> IntArray:
    """The bucket of each cluster, by its identifier.

    >>> len(set(buckets_of(np.arange(1000, dtype=np.uint64)).tolist())) > 800
    True
    """
    return ((clusters * _GOLDEN) >> np.uint64(65 - BUCKETS.bit_length())).astype(np.int64)


def counted_labels(classes: int) -> range:
    """The labels that are counted: of two, the second says what the first is."""
    return range(1, 2) if classes == 2 else range(classes)


@dataclass(frozen=True, eq=False)
class ClusterSums:
    """Sums by group over documents with words: by bucket, and how many have each word of the scorer.

    `table` (groups x columns) has blocks of `BUCKETS` columns, and behind them a column for each word.
    """

    table: sparse.csr_array
    classes: int

    @classmethod
    def empty(cls, classes: int) -> ClusterSums:
        """No documents."""
        return cls(sparse.csr_array((0, first_word(classes)), dtype=np.int64), classes)

    def with_documents(self, groups: IntArray, scores: Scores, labels: NDArray[np.object_], first: int) -> ClusterSums:
        """The sums with scored documents of these groups; without keys, each is a cluster, numbered from `first`."""
        some = np.flatnonzero(scores.lengths > 0)
        clusters = np.arange(first, first + len(groups), dtype=np.uint64) if scores.keys is None else scores.keys
        rows, buckets, probabilities = groups[some], buckets_of(clusters[some]), scores.probabilities[some]
        parts = [(rows, DOCUMENTS * BUCKETS + buckets, np.ones(len(some), np.int64))]
        blocks = {UNDECIDED: UNDECIDED_ONES}
        for at, label in enumerate(counted_labels(self.classes)):
            block = FIRST_LABEL + 2 * at
            parts.append((rows, block * BUCKETS + buckets, np.rint(probabilities[:, label] * UNIT).astype(np.int64)))
            blocks[scores.classes[label]] = block + 1
        for name, block in blocks.items():
            own = labels[some] == name
            parts.append((rows[own], block * BUCKETS + buckets[own], np.ones(int(own.sum()), np.int64)))
        if scores.rows is not None:
            ends, columns = np.asarray(scores.rows.ends), np.asarray(scores.rows.columns, np.int64)
            places = first_word(self.classes) + columns
            parts.append((groups.repeat(np.diff(ends)), places, np.ones(len(columns), np.int64)))
        rows, places, numbers = (np.concatenate(part) for part in zip(*parts, strict=True))
        height, width = self.table.shape
        shape = max(height, int(groups.max(initial=-1)) + 1), max(width, int(places.max(initial=-1)) + 1)
        new = sparse.coo_array((numbers, (rows, places)), shape=shape).tocsr()
        return ClusterSums(self._resized(shape) + new, self.classes)

    def _resized(self, shape: tuple[int, int]) -> sparse.csr_array:
        ends = np.pad(self.table.indptr, (0, shape[0] - self.table.shape[0]), mode="edge")
        return sparse.csr_array((self.table.data, self.table.indices, ends), shape=shape)

    def joined(self, target: IntArray, groups: int) -> ClusterSums:
        """The sums of other groups: group i is part of group `target[i]`."""
        number = len(target)
        parts = sparse.csr_array((np.ones(number, np.int64), (target, np.arange(number))), shape=(groups, number))
        return ClusterSums(parts @ self._resized((number, self.table.shape[1])), self.classes)

    @property
    def documents(self) -> FloatArray:
        """Documents by group and bucket."""
        return self._block(DOCUMENTS)

    def probabilities(self, at: int) -> FloatArray:
        """The sums of the probabilities of a counted label."""
        return self._block(FIRST_LABEL + 2 * at) / UNIT

    def predictions(self, at: int) -> FloatArray:
        """Documents with this predicted label; an undecided one counts one of K for each of the K labels."""
        return self._block(FIRST_LABEL + 2 * at + 1) + self._block(UNDECIDED_ONES) / self.classes

    @property
    def words(self) -> FloatArray:
        """Documents with each word, by group."""
        return np.asarray(self.table[:, first_word(self.classes) :].toarray(), dtype=np.float64)

    def _block(self, at: int) -> FloatArray:
        return np.asarray(self.table[:, at * BUCKETS : (at + 1) * BUCKETS].toarray(), dtype=np.float64)


def first_word(classes: int) -> int:
    """The column of the first word."""
    return (FIRST_LABEL + 2 * len(counted_labels(classes))) * BUCKETS
