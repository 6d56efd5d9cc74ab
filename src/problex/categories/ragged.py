"""`Ragged`: rows of integers of different lengths, as two arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import IntArray


@dataclass(frozen=True, eq=False)
class Ragged:
    """Row i is `values[ends[i]:ends[i + 1]]`."""

    ends: IntArray
    values: IntArray

    @classmethod
    def of(cls, rows: IntArray, values: IntArray, size: int) -> Ragged:
        """Rows from pairs of a row and a value; the values of a row stay in order.

        >>> Ragged.of(np.array([2, 0, 2]), np.array([7, 8, 9]), 4).take(np.array([2, 1, 0]))[1].tolist()
        [7, 9, 8]
        """
        ends = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(rows, minlength=size), out=ends[1:])
        return cls(ends, np.asarray(values, np.int64)[np.argsort(rows, kind="stable")])

    @property
    def lengths(self) -> IntArray:
        """The length of each row."""
        return np.diff(self.ends)

    def take(self, rows: NDArray[np.integer[Any]]) -> tuple[IntArray, IntArray]:
        """The values of some rows: for each the place of its row in `rows`, and the value.

        >>> [part.tolist() for part in Ragged(np.array([0, 2, 3]), np.array([5, 6, 7])).take(np.array([1, 0, 1]))]
        [[0, 1, 1, 2], [7, 5, 6, 7]]
        """
        starts = self.ends[rows]
        lengths = self.ends[rows + 1] - starts
        places = np.repeat(np.arange(len(rows)), lengths)
        firsts = np.cumsum(lengths) - lengths
        return places, self.values[np.arange(len(places)) + (starts - firsts)[places]]

    def __add__(self, other: Ragged) -> Ragged:
        ends = np.concatenate((self.ends, other.ends[1:] + self.ends[-1]))
        return Ragged(ends, np.concatenate((self.values, other.values)))


NO_ROWS = Ragged(np.zeros(1, np.int64), np.zeros(0, np.int64))
