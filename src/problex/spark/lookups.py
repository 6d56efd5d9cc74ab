"""`lookup` on Spark: each partition is looked up by its executor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from problex.corpus import ReadOptions
from problex.counting.streams import MEMORY_BATCH
from problex.lookups.entries import AnyDictionary, CategoryEntries
from problex.lookups.matcher import Matcher, make_matcher, match_batches
from problex.lookups.tables import ROW, TableLayout
from problex.matching.tokens import Tokenizer
from problex.spark.cluster import (
    Batches,
    RowTask,
    in_partition,
    kept_columns,
    load_task,
    quoted,
    resolve_tokenizer,
    with_new_columns,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class LookupTask(RowTask):
    """The input of an executor that looks up the words of a partition in a dictionary."""

    entries: CategoryEntries
    tokenizer: Tokenizer
    matching: str
    layout: TableLayout


def lookup(
    df: DataFrame,
    dictionary: AnyDictionary,
    column: str,
    *,
    values: str = "count",
    matching: str = "category",
    levels: str | int = "all",
    glob: bool = False,
    long: bool = False,
    keep: Sequence[str] | None = None,
    tokenizer: Tokenizer | None = None,
    missing: str = "error",
    on_error: str = "stop",
    markup: bool = False,
) -> DataFrame:
    """The frame with the columns of `problex.lookup`, except the number of the row, for every text; lazy.

    `keep` are the columns to keep (None: all); one that has the name of a new column becomes `input_` and its name.
    """
    kept = kept_columns(df, column, keep)
    matcher, _ = make_matcher(
        [],
        dictionary,
        resolve_tokenizer(tokenizer or Tokenizer(), df.select(quoted(column))),
        matching=matching,
        levels=levels,
        glob=glob,
    )
    entries = matcher.entries
    layout = TableLayout.of(entries.categories, values, long=long, weighted=entries.weighted)
    reading = ReadOptions(missing, on_error, MEMORY_BATCH)
    task = LookupTask(column, kept, reading, markup, entries, matcher.tokenizer, matching, layout)
    return with_new_columns(
        df, task, dict.fromkeys(layout.names()[1:], "long") | layout.other_types(), lookup_partition
    )


def lookup_partition(batches: Batches, pickled: bytes) -> Batches:
    """Look up a partition on an executor: its rows with the new columns."""
    task: LookupTask = load_task(pickled)
    matcher = Matcher(task.entries, task.tokenizer, task.matching)
    with in_partition(task.column):
        for _, table in match_batches(task.stream(batches), matcher, task.layout.table, markup=task.markup, threads=1):
            yield from table.drop_columns([ROW]).rename_columns(task.names).combine_chunks().to_batches()
