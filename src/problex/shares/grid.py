"""Sums by group over clusters of documents that are not independent, such as copies of a text, and over words.

Clusters are put into buckets by their hash: memory is bounded by groups, buckets and words, not by documents.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import expit

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex.grouping.dates import as_texts, read_dates
from problex.grouping.grouping import MAX_GROUPS, Grouping, as_array
from problex.scoring.scores import UNDECIDED, Scores

BUCKETS = 1 << 10
"""Buckets of clusters. With 4,096 of them the same differences are clear."""
UNIT = 1 << 20
"""Probabilities are summed as integers of this unit, so that sums of parts add up exactly."""
DOCUMENTS, UNDECIDED_ONES, FIRST_LABEL = range(3)
"""Blocks of `BUCKETS` columns: documents, undecided ones, then the probabilities and the predictions of each label."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio, by which identifiers that follow each other come into different buckets."""
MAX_LOGIT, STEPS = 6.0, 8
"""Log-odds are clipped to +-6 and rounded to eighths, which changes a mean probability by less than .0001."""
GRID: FloatArray = np.arange(-MAX_LOGIT * STEPS, MAX_LOGIT * STEPS + 1) / STEPS
"""The log-odds of each position, lowest first; exchange of a label and the rest reverses the order."""
GRID_PROBABILITIES: FloatArray = np.asarray(expit(GRID))


def buckets_of(clusters: NDArray[np.uint64]) -> IntArray:
    """The bucket of each cluster, by its identifier.

    >>> len(set(buckets_of(np.arange(1000, dtype=np.uint64)).tolist())) > 800
    True
    """
    return ((clusters * _GOLDEN) >> np.uint64(65 - BUCKETS.bit_length())).astype(np.int64)


def counted_labels(classes: int) -> range:
    """The labels that are counted: of two, the second says what the first is.

    >>> list(counted_labels(2)), list(counted_labels(3))
    ([1], [0, 1, 2])
    """
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
            positions = first_word(self.classes) + columns
            parts.append((groups.repeat(np.diff(ends)), positions, np.ones(len(columns), np.int64)))
        rows, positions, numbers = (np.concatenate(part) for part in zip(*parts, strict=True))
        height, width = self.table.shape
        shape = max(height, int(groups.max(initial=-1)) + 1), max(width, int(positions.max(initial=-1)) + 1)
        new = sparse.coo_array((numbers, (rows, positions)), shape=shape).tocsr()
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
    """The column of the first word.

    >>> first_word(2) // BUCKETS, first_word(3) // BUCKETS              # two blocks, and two for each counted label
    (4, 8)
    """
    return (FIRST_LABEL + 2 * len(counted_labels(classes))) * BUCKETS


def grid_positions(probabilities: FloatArray) -> IntArray:
    """The position of each probability on the grid.

    >>> GRID[grid_positions(np.array([0.0, 0.5, 0.73, 1.0]))].tolist()
    [-6.0, 0.0, 1.0, 6.0]
    """
    with np.errstate(divide="ignore"):
        logits = np.log(probabilities) - np.log1p(-probabilities)
    steps = np.rint(np.clip(logits, -MAX_LOGIT, MAX_LOGIT) * STEPS)
    return np.asarray(steps + MAX_LOGIT * STEPS, dtype=np.int64)


def class_means(documents: IntArray) -> tuple[float, float]:
    """The mean probability of documents without and with the label, if the probabilities are right.

    .. math:: m_0 = \\frac{\\sum p (1 - p)}{\\sum (1 - p)}, \\quad m_1 = \\frac{\\sum p^2}{\\sum p}

    `documents` are the numbers of documents at the positions of the grid, in one row or several.

    >>> documents = np.zeros(len(GRID), np.int64)
    >>> documents[[32, 64]] = 100                                     # log-odds of -2 and 2: probabilities .12 and .88
    >>> [round(mean, 3) for mean in class_means(documents)]
    [0.21, 0.79]
    """
    counts, p = documents.reshape(-1, len(GRID)).sum(axis=0), GRID_PROBABILITIES
    return float(counts @ (p * (1 - p)) / (counts @ (1 - p))), float(counts @ p**2 / (counts @ p))


def restored_shares(documents: IntArray) -> FloatArray:
    """The share of each group, a row of `documents`, that the means of the probabilities imply.

    .. math:: \\frac{\\bar p_g - m_0}{m_1 - m_0}

    Means of probabilities differ less between groups than the shares do, since uncertain documents lie in the middle;
    this restores the size of the differences. It may lie outside 0 and 1. NaN for a group without documents.

    >>> documents = np.zeros((2, len(GRID)), np.int64)
    >>> documents[:, [32, 64]] = [[80, 20], [20, 80]]                 # means of .27 and .73
    >>> restored_shares(documents).round(2).tolist()
    [0.11, 0.89]
    """
    low, high = class_means(documents)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = documents @ GRID_PROBABILITIES / documents.sum(axis=1)
    if high - low < 1e-9:  # every document has the same probability
        return np.asarray(means)
    return np.asarray((means - low) / (high - low))


@dataclass(frozen=True, eq=False)
class GridCounts:
    """Documents with words by class, group and position of the grid (classes x groups x positions).

    `log_lengths` are the means of the logarithms of the lengths. `labelled_groups` and `labelled_positions` (classes x
    labelled) are those of the labelled documents, in the order of their numbers; -1 is one without words. `clusters`
    has what differences between groups are tested with. Groups that are `leftover` are not compared: documents without
    a value or date, and small groups that were joined.
    """

    groups: tuple[str, ...]
    documents: IntArray
    log_lengths: FloatArray
    labelled_groups: IntArray
    labelled_positions: IntArray
    clusters: ClusterSums | None = None
    leftover: frozenset[str] = frozenset()

    def joined(self, names: Mapping[str, str], order: Sequence[str], leftover: Collection[str] = ()) -> GridCounts:
        """The same documents by other groups: `names` has the new name of each group, `order` their order."""
        positions = {name: at for at, name in enumerate(order)}
        target = np.array([positions[names.get(group, group)] for group in self.groups], dtype=np.int64)
        documents = np.zeros((len(self.documents), len(order), len(GRID)), dtype=np.int64)
        for at, position in enumerate(target):
            documents[:, position] += self.documents[:, at]
        sizes = self.documents[0].sum(axis=1)
        sums = np.bincount(target, np.nan_to_num(self.log_lengths) * sizes, minlength=len(order))
        lengths = sums / np.maximum(np.bincount(target, sizes, minlength=len(order)), 1)
        groups = np.where(self.labelled_groups >= 0, target[self.labelled_groups], -1)
        clusters = None if self.clusters is None else self.clusters.joined(target, len(order))
        return GridCounts(
            tuple(order), documents, lengths, groups, self.labelled_positions, clusters, frozenset(leftover)
        )


class GridCounter:
    """Counts scored batches by group and position; `labelled` is the number of labelled documents there will be.

    With `compared`, the sums are counted, too, that differences between groups are tested with.
    """

    def __init__(
        self, classes: int, grouping: Grouping | None, whole: str, labelled: int = 0, compared: bool = False
    ) -> None:
        self.classes, self.grouping, self.whole, self.compared = classes, grouping, whole, compared
        self.rows: dict[str | tuple[int, ...], int] = {}
        self.number = 0
        self.documents: IntArray = np.zeros((classes, 0, len(GRID)), dtype=np.int64)
        self.steps: IntArray = np.zeros(0, dtype=np.int64)
        self.labelled_rows: IntArray = np.full(labelled, -1, dtype=np.int64)
        self.positions: IntArray = np.full((classes, labelled), -1, dtype=np.int64)
        self.clusters = ClusterSums.empty(classes)

    def add(
        self,
        scores: Scores,
        values: object,
        labelled: IntArray | None = None,
        labels: NDArray[np.object_] | None = None,
    ) -> None:
        """Count documents by their values; `labelled` has the number of each labelled document, -1 for the others.

        `labels` are the predicted ones (None: those of the scores).
        """
        some, probabilities = scores.lengths > 0, scores.probabilities
        rows = self._rows(values, len(some))
        more = max(len(self.rows) - len(self.steps), 0)
        self.documents = np.pad(self.documents, ((0, 0), (0, more), (0, 0)))
        self.steps = np.pad(self.steps, (0, more))
        for at in counted_labels(self.classes):
            np.add.at(self.documents[at], (rows[some], grid_positions(probabilities[some, at])), 1)
        np.add.at(self.steps, rows[some], np.rint(np.log(scores.lengths[some]) * STEPS).astype(np.int64))
        if labelled is not None and np.any(own := (labelled >= 0) & some):
            self.labelled_rows[labelled[own]] = rows[own]
            for at in range(self.classes):
                self.positions[at, labelled[own]] = grid_positions(probabilities[own, at])
        if self.compared:
            names = scores.labels() if labels is None else labels
            self.clusters = self.clusters.with_documents(rows, scores, names, self.number)
        self.number += len(some)

    def _rows(self, values: object, documents: int) -> IntArray:
        """The row of each document: that of its value, or of its meaning as a date if there are many values."""
        if self.grouping is None:
            return np.full(documents, self.rows.setdefault(self.whole, 0))
        column = as_array(values)
        texts = as_texts(column).dictionary_encode()
        names = texts.dictionary.to_pylist()
        new = [name for name in names if name not in self.rows]
        keys: dict[str, str | tuple[int, ...]] = {}
        if len(self.rows) + len(new) > MAX_GROUPS:
            keys = dict(zip(new, map(tuple, read_dates(pa.array(new)).table.tolist()), strict=True))
        result = np.array([self.rows.setdefault(keys.get(name, name), len(self.rows)) for name in names], np.int64)
        rows: IntArray = result[np.asarray(texts.indices)]
        self.grouping.add(column, map(str, rows.tolist()))
        return rows

    def counts(self) -> GridCounts:
        """The counts by group; notes about dates are left to the grouping that counts the labels."""
        group_of = {"0": self.whole}
        if self.grouping is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                group_of = {row: group for (group, row), number in self.grouping.tally().items() if number}
        groups = tuple(dict.fromkeys(group_of.values()))
        names = [group_of[str(row)] for row in range(len(self.rows))]
        documents = self.documents
        if self.classes == 2:
            documents = np.stack([documents[1, :, ::-1], documents[1]])
        lengths = self.steps / STEPS / np.maximum(documents[0].sum(axis=1), 1)
        clusters = self.clusters if self.compared else None
        rows = tuple(map(str, range(len(names))))
        by_row = GridCounts(rows, documents, lengths, self.labelled_rows, self.positions, clusters)
        return by_row.joined(dict(zip(by_row.groups, names, strict=True)), groups)
