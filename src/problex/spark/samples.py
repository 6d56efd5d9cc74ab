"""The sample of texts that an expansion learns from, drawn on Spark: the same as on one machine.

While the texts are counted, `LevelSizes` finds how small the hash of a text must be; a second pass sends the texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex.corpus import Batch, ReadOptions, make_batches
from problex.expansion.reservoir import LEVELS, WHOLE, Part, ReservoirSample, is_small, stays
from problex.spark.cluster import Batches, clear_errors, in_partition, load_task, map_partitions, quoted
from problex.tables.reader import RawBatch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SENT = 2
"""How many times the size of the sample is sent to the driver at most; some of it may be copies, which are left out."""


class LevelSizes:
    """How many bytes the texts of a partition have at each level of `ReservoirSample`, beginning with `WHOLE`."""

    NONE = np.zeros(LEVELS + 2, np.int64)

    def __init__(self) -> None:
        self._keys: list[NDArray[np.uint64]] = []
        self._sizes: list[IntArray] = []

    def watch(self, stream: Iterable[Batch]) -> Iterator[Batch]:
        """The same batches; their texts are measured on the way."""
        for batch in stream:
            part = Part.of(batch.texts)
            self._keys.append(part.keys)
            self._sizes.append(part.sizes)
            yield batch

    def sums(self) -> IntArray:
        """The size of all texts, then of those that stay at each level.

        >>> sizes = LevelSizes()
        >>> watched = list(sizes.watch([Batch(pa.array(["good"] * 101), 0)]))  # 12 bytes each: 4 letters, 8 more
        >>> sizes.sums()[:2].tolist()  # 100 copies of a text stay
        [1212, 1200]
        """
        if not self._keys:
            return self.NONE
        keys, sizes = np.concatenate(self._keys), np.concatenate(self._sizes)
        total, once = int(sizes.sum()), stays(keys, 0)
        keys, sizes = keys[once], sizes[once]
        return np.array([total, *(sizes[is_small(keys, level)].sum() for level in range(LEVELS + 1))], np.int64)


@dataclass(frozen=True)
class SampleTask:
    """The input of an executor that draws texts of a partition, at a level of `ReservoirSample`."""

    column: str
    reading: ReadOptions
    level: int


def draw_sample(df: DataFrame, column: str, reading: ReadOptions, limit: int, sizes: IntArray) -> ReservoirSample:
    """The sample of a column of texts whose `LevelSizes` have these sums, whatever the partitions.

    At most twice as many bytes as the sample has are sent to the driver. If copies of few texts in many partitions are
    more than half of what would be sent, the sample is smaller than on one machine.
    """
    level = starting_level(sizes, limit)
    task = SampleTask(column, reading, level)
    with clear_errors():
        drawn = map_partitions(df.select(quoted(column)), draw_partition, task, "text string").toArrow()
    sample = ReservoirSample(limit, level)
    for chunk in drawn["text"].chunks:
        sample.add(chunk)
    return sample


def starting_level(sizes: IntArray, limit: int) -> int:
    """The level of a sample whose texts have these sizes at each level, beginning with `WHOLE`.

    >>> starting_level(np.array([900, 500, 260, 120]), 1000), starting_level(np.array([900, 500, 260, 120]), 200)
    (-1, 1)
    """
    if sizes[0] <= limit:
        return WHOLE
    fits = np.flatnonzero(sizes[1:] <= SENT * limit)
    return int(fits[0]) if len(fits) else LEVELS


def draw_partition(batches: Batches, pickled: bytes) -> Batches:
    """The texts of a partition that stay at a level, on an executor."""
    task: SampleTask = load_task(pickled)
    with in_partition(task.column):
        for batch in make_batches((RawBatch(batch.column(0)) for batch in batches), task.reading):
            texts = Part.of(batch.texts).at_level(task.level).texts.cast(pa.string())
            if len(texts):
                yield pa.RecordBatch.from_arrays([texts], names=["text"])
