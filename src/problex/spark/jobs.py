"""`count`, `fit` and `predict` on Spark: each partition is counted by its executor, and only sums are sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from problex.corpus import Batch, RawBatch, ReadOptions, make_batches
from problex.counting.counts import Counts, tokenizer_of
from problex.counting.pruning import prune_counts, sum_counts
from problex.counting.streams import MEMORY_BATCH, count_batches
from problex.errors import ProblexError
from problex.estimation.model import Model, estimate
from problex.estimation.settings import Settings
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of, warn_of_problems
from problex.matching.tokens import Tokenizer
from problex.scoring.scorer import make_scorer, score_batches
from problex.scoring.scores import Scores
from problex.spark.cluster import (
    Batches,
    check_column,
    clear_errors,
    in_partition,
    load_task,
    make_schema,
    quoted,
    resolve_tokenizer,
    share_task,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

TASK_MEMORY = 512 << 20
"""Bytes of words in each task."""
MAX_WORDS = 1_000_000
"""Words outside the lexicon that a task sends."""
MAX_MERGES = 32
"""Tasks that add up counts."""


@dataclass(frozen=True)
class CountTask:
    """The input of an executor that counts a partition."""

    column: str
    lexicon: Lexicon
    tokenizer: Tokenizer
    reading: ReadOptions
    markup: bool
    associations: bool
    memory: int
    words: int | None


@dataclass(frozen=True)
class PredictTask:
    """The input of an executor that labels a partition."""

    column: str
    keep: Sequence[str]
    names: Sequence[str]
    model: Model
    reading: ReadOptions
    rule: str | None
    temper: str | None
    markup: bool


def count(
    df: DataFrame,
    column: str,
    lexicon: Lexicon,
    *,
    tokenizer: Tokenizer | None = None,
    missing: str = "error",
    on_error: str = "stop",
    markup: bool = False,
    associations: bool = False,
    memory: int = TASK_MEMORY,
    words: int | None = MAX_WORDS,
    merges: int | None = None,
) -> Counts:
    """Count a column of texts: the same sums as `problex.count`, whatever the partitions and however often one fails.

    Each partition becomes one row of counts as bytes; `merges` tasks add them up (None: one per core, at most 32), and
    the driver adds those. `memory` is about how many bytes words may take in each task. A task sends at most `words`
    words outside the lexicon (None: all). Beyond either limit rare words are dropped, as `problex.counting.pruning`
    says: their tokens are counted in `pruned`, and every sum of the lexicon is exact. `Tokenizer("auto")` guesses the
    language from the first rows. `associations` is as in `problex.count`.
    """
    tokenizer = tokenizer or Tokenizer()
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    check_column(df, column)
    _check_limits(words=words, merges=merges, memory=memory)
    texts = df.select(quoted(column))
    tokenizer = resolve_tokenizer(tokenizer, texts)
    warn_of_problems(items_of(lexicon, tokenizer))
    reading = ReadOptions(missing, on_error, MEMORY_BATCH)
    task = share_task(df, CountTask(column, lexicon, tokenizer, reading, markup, associations, memory, words))
    parts = texts.mapInArrow(lambda batches: count_partition(batches, task()), "part int, counts binary")
    groups = parts.repartition(merges or _merges(df), "part")
    merged = groups.mapInArrow(lambda batches: merge_partition(batches, words), "counts binary")
    with clear_errors():
        rows = merged.collect()
    total = sum_counts(Counts.from_bytes(row["counts"]) for row in rows)
    return Counts.none(lexicon, tokenizer, associations=associations) if total is None else total


def fit(df: DataFrame, column: str, lexicon: Lexicon, **options: Any) -> Model:
    """Count on the cluster, estimate on the driver. Options are those of `count` and the settings of `estimate`."""
    counting = {name: options.pop(name) for name in signature(count).parameters if name in options}
    settings = Settings.from_options(**options)  # a wrong name is refused before the corpus is read
    counting.setdefault("associations", settings.rule == "pmi")
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    counts = count(df, column, lexicon, **counting)
    custom = counting["tokenizer"].custom if counting.get("tokenizer") else None
    return estimate(counts, lexicon, tokenizer=tokenizer_of(counts, custom), **options)


def predict(
    df: DataFrame,
    model: Model,
    column: str,
    *,
    keep: Sequence[str] | None = None,
    rule: str | None = None,
    temper: str | None = None,
    missing: str = "error",
    on_error: str = "stop",
    markup: bool = False,
) -> DataFrame:
    """The frame with a label, a score (for two labels), probabilities, tokens and matches for every text; lazy.

    `keep` are the columns to keep (None: all); one that has the name of a new column becomes `input_` and its name.
    """
    check_column(df, column)
    for name in (kept := df.columns if keep is None else [keep] if isinstance(keep, str) else list(keep)):
        check_column(df, name, texts=False)
    make_scorer(model, rule, temper)  # so that a wrong name is refused now, not by an executor
    schema = _labelled_schema(df, kept, model.classes)
    reading = ReadOptions(missing, on_error, MEMORY_BATCH)
    task = share_task(df, PredictTask(column, kept, schema.names, model, reading, rule, temper, markup))
    needed = df.select([quoted(name) for name in dict.fromkeys([column, *kept])])
    return needed.mapInArrow(lambda batches: predict_partition(batches, task()), schema)


def count_partition(batches: Batches, pickled: bytes) -> Batches:
    """Count a partition on an executor: one row of counts, none for a partition without rows."""
    task: CountTask = load_task(pickled)
    stream = make_batches((RawBatch(batch.column(0)) for batch in batches), task.reading)
    with in_partition(task.column) as number:
        counts = count_batches(
            stream,
            task.lexicon,
            1,
            tokenizer=task.tokenizer,
            markup=task.markup,
            word_bytes=task.memory,
            associations=task.associations,
        )
    if counts.documents or counts.invalid:
        counts = prune_counts(counts, max_words=task.words)
        yield pa.RecordBatch.from_pydict({"part": pa.array([number], pa.int32()), "counts": [counts.to_bytes()]})


def merge_partition(batches: Batches, words: int | None) -> Batches:
    """Add up the counts of some partitions on an executor: one row."""
    parts = (Counts.from_bytes(value.as_buffer()) for batch in batches for value in batch["counts"])
    total = sum_counts(parts, max_words=words)
    if total is not None:
        yield pa.RecordBatch.from_pydict({"counts": [total.to_bytes()]})


def predict_partition(batches: Batches, pickled: bytes) -> Batches:
    """Label a partition on an executor: its rows with the new columns."""
    task: PredictTask = load_task(pickled)
    stream = make_batches((RawBatch.from_records(batch, task.column, task.keep) for batch in batches), task.reading)
    with in_partition(task.column):
        for batch, scores in score_batches(
            stream, task.model, threads=1, rule=task.rule, temper=task.temper, markup=task.markup
        ):
            yield _labelled(batch, scores, task.names)


def _labelled_schema(df: DataFrame, kept: Sequence[str], classes: Sequence[str]) -> StructType:
    scores = [*(["score"] if len(classes) == 2 else []), *(f"p_{name}" for name in classes)]
    types = {"label": "string", **dict.fromkeys(scores, "double"), "tokens": "long", "matches": "long"}
    return make_schema(df, kept, types)


def _labelled(batch: Batch, scores: Scores, names: Sequence[str]) -> pa.RecordBatch:
    old = [] if batch.columns is None else [column.combine_chunks() for column in batch.columns.columns]
    decision = [scores.decision] if len(scores.classes) == 2 else []
    labels = pa.array(scores.labels().tolist(), pa.string())
    new = map(pa.array, [*decision, *scores.probabilities.T, scores.lengths, scores.matches])
    return pa.RecordBatch.from_arrays([*old, labels, *new], names=names)


def _merges(df: DataFrame) -> int:
    """One merging task per core, and no more than the driver can add up at once."""
    context = getattr(df.sparkSession, "sparkContext", None)
    return min(context.defaultParallelism if context is not None else MAX_MERGES, MAX_MERGES)


def _check_limits(**limits: int | None) -> None:
    for name, limit in limits.items():
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise ProblexError(f"{name}={limit!r} was given, expected a positive whole number")
