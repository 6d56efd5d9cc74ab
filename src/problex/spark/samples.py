"""The sample of texts that an expansion learns from, drawn on Spark: the same as on one machine.

A first pass over the texts finds how small the hash of a text must be, a second one sends the texts to the driver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from problex._util.arrays import IntArray
from problex.corpus import RawBatch, ReadOptions, make_batches
from problex.scoring.reservoir import LEVELS, WHOLE, Part, ReservoirSample, is_small, stays
from problex.spark.cluster import Batches, clear_errors, in_partition, load_task, map_partitions, quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SENT = 2
"""How many times the size of the sample is sent to the driver at most; some of it may be copies, which are left out."""


@dataclass(frozen=True)
class SampleTask:
    """The input of an executor that draws texts of a partition, at a level of `ReservoirSample`."""

    column: str
    reading: ReadOptions
    level: int = WHOLE


def draw_sample(df: DataFrame, column: str, reading: ReadOptions, limit: int) -> ReservoirSample:
    """The sample of a column of texts, whatever the partitions.

    At most twice as many bytes as the sample has are sent to the driver. If copies of few texts in many partitions are
    more than half of what would be sent, the sample is smaller than on one machine.
    """
    texts, task = df.select(quoted(column)), SampleTask(column, reading)
    with clear_errors():
        rows = map_partitions(texts, measure_partition, task, "sizes array<long>").collect()
        sizes = np.array([row["sizes"] for row in rows], np.int64).reshape(len(rows), LEVELS + 2).sum(axis=0)
        level = starting_level(sizes, limit)
        drawn = map_partitions(texts, draw_partition, replace(task, level=level), "text string").toArrow()
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


def measure_partition(batches: Batches, pickled: bytes) -> Batches:
    """The size of the texts of a partition at each level, on an executor: one row."""
    task: SampleTask = load_task(pickled)
    with in_partition(task.column):
        found = [(part.keys, part.sizes) for part in _parts(batches, task)]
    if not found:
        return
    keys, sizes = (np.concatenate(side) for side in zip(*found, strict=True))
    total, once = int(sizes.sum()), stays(keys, 0)
    keys, sizes = keys[once], sizes[once]
    by_level = [int(sizes[is_small(keys, level)].sum()) for level in range(LEVELS + 1)]
    yield pa.RecordBatch.from_pydict({"sizes": pa.array([[total, *by_level]], pa.list_(pa.int64()))})


def draw_partition(batches: Batches, pickled: bytes) -> Batches:
    """The texts of a partition that stay at a level, on an executor."""
    task: SampleTask = load_task(pickled)
    with in_partition(task.column):
        for part in _parts(batches, task):
            texts = part.at_level(task.level).texts.cast(pa.string())
            if len(texts):
                yield pa.RecordBatch.from_arrays([texts], names=["text"])


def _parts(batches: Batches, task: SampleTask) -> Iterator[Part]:
    stream = make_batches((RawBatch(batch.column(0)) for batch in batches), task.reading)
    return (Part.of(batch.texts) for batch in stream)
