"""`count`, `fit`, `predict`, `shares` and `lookup` on Spark: executors count partitions, and only sums are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.records import Record
from problex.corpus import Batch, ReadOptions, make_batches
from problex.counting.counts import Counts
from problex.counting.pruning import prune_counts, sum_counts
from problex.counting.streams import MEMORY_BATCH, count_batches
from problex.errors import ProblexError
from problex.expansion.learn import learn, sample_for
from problex.expansion.reservoir import SAMPLE_SIZE, check_sample
from problex.grouping.grouping import make_grouping
from problex.lexicon.lexicon import Lexicon
from problex.lookups.entries import AnyDictionary, CategoryEntries
from problex.lookups.matcher import Matcher, make_matcher, match_batches
from problex.lookups.tables import ROW, TableLayout
from problex.matching.items import items_of, warn_of_problems
from problex.matching.tokens import Tokenizer
from problex.model.model import Model
from problex.model.settings import Settings
from problex.scoring.scorer import make_scorer, score_batches
from problex.scoring.scores import Scores
from problex.shares.counting import ShareCounter, share_records
from problex.spark.cluster import (
    Batches,
    RowTask,
    check_column,
    clear_errors,
    in_partition,
    kept_columns,
    load_task,
    map_partitions,
    quoted,
    resolve_tokenizer,
    with_new_columns,
)
from problex.spark.samples import LevelSizes, draw_sample
from problex.tables.reader import RawBatch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

TASK_MEMORY = 512 << 20
"""Bytes of words in each task."""
MAX_WORDS = 1_000_000
"""Words outside the lexicon that a task sends."""
MAX_MERGES = 32
"""Tasks that add up counts."""
SUMS = "counts binary, sizes array<long>"
"""The columns of sums of partitions."""


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
    measured: bool


@dataclass(frozen=True)
class PredictTask(RowTask):
    """The input of an executor that labels a partition."""

    model: Model
    rule: str | None
    temper: str | None
    confidence: float | None


@dataclass(frozen=True)
class LookupTask(RowTask):
    """The input of an executor that looks up the words of a partition in a dictionary."""

    entries: CategoryEntries
    tokenizer: Tokenizer
    matching: str
    layout: TableLayout


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
    options = {"tokenizer": tokenizer, "missing": missing, "on_error": on_error, "markup": markup, "merges": merges}
    options |= {"associations": associations, "memory": memory, "words": words}
    return _count_and_measure(df, column, lexicon, options, measured=False)[0]


def _count_and_measure(
    df: DataFrame, column: str, lexicon: Lexicon, options: Mapping[str, Any], *, measured: bool
) -> tuple[Counts, IntArray]:
    """The counts with all options of `count`, and the sums of `LevelSizes`, which are zero if it is not `measured`."""
    tokenizer, words, associations = options["tokenizer"] or Tokenizer(), options["words"], options["associations"]
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    check_column(df, column)
    _check_limits(words=words, merges=options["merges"], memory=options["memory"])
    texts = df.select(quoted(column))
    tokenizer = resolve_tokenizer(tokenizer, texts)
    warn_of_problems(items_of(lexicon, tokenizer))
    task = CountTask(
        *(column, lexicon, tokenizer, _reading(options), options["markup"], associations, options["memory"], words),
        measured,
    )
    parts = map_partitions(texts, count_partition, task, f"part int, {SUMS}")
    groups = parts.repartition(options["merges"] or _merges(df), "part")
    merged = groups.mapInArrow(lambda batches: merge_partition(batches, words), SUMS)
    with clear_errors():
        rows = merged.collect()
    total = sum_counts(Counts.from_bytes(row["counts"]) for row in rows)
    if total is None:
        total = Counts.none(lexicon, tokenizer, associations=associations)
    return total, np.sum([LevelSizes.NONE, *(row["sizes"] for row in rows)], axis=0)


def fit(
    df: DataFrame,
    column: str,
    lexicon: Lexicon,
    *,
    expand: bool | str = False,
    expand_sample: int | str = SAMPLE_SIZE,
    **options: Any,
) -> Model:
    """Count on the cluster, estimate on the driver. Options are those of `count` and the settings of `estimate`.

    With `expand=True` or `expand="lexicon"` the driver also learns from all words of the texts, as `problex.expand`
    does: of up to `expand_sample` bytes of text (a number, or a size such as "256MiB"), beyond it of a sample of so
    many, which the executors draw: that of one machine, whatever the partitions. They read the texts twice, to count
    and to draw; without `expand` once.
    """
    wanted, limit = sample_for(expand), check_sample(expand_sample)
    known = [option for option in signature(count).parameters.values() if option.kind == option.KEYWORD_ONLY]
    counting = {option.name: options.pop(option.name, option.default) for option in known}
    settings = Settings.from_options(**options)  # a wrong name is refused before the corpus is read
    counting["associations"] |= settings.rule == "pmi"
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    counts, sizes = _count_and_measure(df, column, lexicon, counting, measured=wanted is not None)
    sample = None if wanted is None else draw_sample(df, column, _reading(counting), limit, sizes)
    tokenizer, markup = counting["tokenizer"], counting["markup"]
    return learn(counts, lexicon, settings, expand, sample, tokenizer=tokenizer, markup=markup)


def predict(
    df: DataFrame,
    model: Model,
    column: str,
    *,
    keep: Sequence[str] | None = None,
    rule: str | None = None,
    temper: str | None = None,
    confidence: float | None = None,
    missing: str = "error",
    on_error: str = "stop",
    markup: bool = False,
) -> DataFrame:
    """The frame with a label, a score (for two labels), probabilities, tokens and matches for every text; lazy.

    `keep` are the columns to keep (None: all); one that has the name of a new column becomes `input_` and its name.
    With a `confidence`, texts whose best label has a lower probability are undecided.
    """
    kept = kept_columns(df, column, keep)
    make_scorer(model, rule, temper)  # so that a wrong name is refused now, not by an executor
    reading = ReadOptions(missing, on_error, MEMORY_BATCH)
    task = PredictTask(column, kept, reading, markup, model, rule, temper, confidence)
    return with_new_columns(df, task, _label_columns(model.classes), predict_partition)


def shares(
    df: DataFrame,
    model: Model,
    column: str,
    *,
    by: str | None = None,
    every: str | None = None,
    date_order: str | None = None,
    **options: Any,
) -> list[Record]:
    """The share of each predicted label, in all or by the groups or dates in column `by`, as `problex.shares` has.

    The executors label the texts and count the labels of each value. `options` are those of `predict`, except `keep`;
    `every` and `date_order` are those of `problex.shares.share_table`.
    """
    grouping = make_grouping(by, every, date_order)
    labelled = predict(df, model, column, keep=[by] if by else [], **options)
    names = [*labelled.columns[: 1 if by else 0], "label"]
    counted = labelled.groupBy(*map(quoted, names)).count()
    with clear_errors():
        table = counted.toArrow()
    counter = ShareCounter(grouping)
    groups = table[names[0]] if by else None
    counter.add_counts(groups, table["label"].to_pylist(), table["count"].to_pylist())
    return share_records(counter.tally(), model.classes, max_groups=None)


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


def count_partition(batches: Batches, pickled: bytes) -> Batches:
    """Count a partition on an executor: one row of counts, none for a partition without rows."""
    task: CountTask = load_task(pickled)
    stream, sizes = make_batches((RawBatch(batch.column(0)) for batch in batches), task.reading), LevelSizes()
    with in_partition(task.column) as number:
        counts = count_batches(
            sizes.watch(stream) if task.measured else stream,
            task.lexicon,
            1,
            tokenizer=task.tokenizer,
            markup=task.markup,
            word_bytes=task.memory,
            associations=task.associations,
        )
    if counts.documents or counts.invalid:
        counts = prune_counts(counts, max_words=task.words)
        sums = {"counts": [counts.to_bytes()], "sizes": [sizes.sums()]}
        yield pa.RecordBatch.from_pydict({"part": pa.array([number], pa.int32()), **sums})


def merge_partition(batches: Batches, words: int | None) -> Batches:
    """Add up the counts of some partitions on an executor: one row."""
    sizes = LevelSizes.NONE.copy()

    def parts() -> Iterator[Counts]:
        for batch in batches:
            sizes[:] += np.sum([LevelSizes.NONE, *batch["sizes"].to_pylist()], axis=0)
            yield from (Counts.from_bytes(value.as_buffer()) for value in batch["counts"])

    total = sum_counts(parts(), max_words=words)
    if total is not None:
        yield pa.RecordBatch.from_pydict({"counts": [total.to_bytes()], "sizes": [sizes]})


def predict_partition(batches: Batches, pickled: bytes) -> Batches:
    """Label a partition on an executor: its rows with the new columns."""
    task: PredictTask = load_task(pickled)
    with in_partition(task.column):
        for batch, scores in score_batches(
            task.stream(batches), task.model, threads=1, rule=task.rule, temper=task.temper, markup=task.markup
        ):
            yield _labelled(batch, scores, task)


def lookup_partition(batches: Batches, pickled: bytes) -> Batches:
    """Look up a partition on an executor: its rows with the new columns."""
    task: LookupTask = load_task(pickled)
    matcher = Matcher(task.entries, task.tokenizer, task.matching)
    with in_partition(task.column):
        for _, table in match_batches(task.stream(batches), matcher, task.layout.table, markup=task.markup, threads=1):
            yield from table.drop_columns([ROW]).rename_columns(task.names).combine_chunks().to_batches()


def _label_columns(classes: Sequence[str]) -> dict[str, str]:
    scores = [*(["score"] if len(classes) == 2 else []), *(f"p_{name}" for name in classes)]
    return {"label": "string", **dict.fromkeys(scores, "double"), "tokens": "long", "matches": "long"}


def _labelled(batch: Batch, scores: Scores, task: PredictTask) -> pa.RecordBatch:
    old = [] if batch.columns is None else [column.combine_chunks() for column in batch.columns.columns]
    decision = [scores.decision] if len(scores.classes) == 2 else []
    labels = pa.array(scores.labels(confidence=task.confidence).tolist(), pa.string())
    new = map(pa.array, [*decision, *scores.probabilities.T, scores.lengths, scores.matches])
    return pa.RecordBatch.from_arrays([*old, labels, *new], names=task.names)


def _reading(options: Mapping[str, Any]) -> ReadOptions:
    return ReadOptions(options["missing"], options["on_error"], MEMORY_BATCH)


def _merges(df: DataFrame) -> int:
    """One merging task per core, and no more than the driver can add up at once."""
    context = getattr(df.sparkSession, "sparkContext", None)
    return min(context.defaultParallelism if context is not None else MAX_MERGES, MAX_MERGES)


def _check_limits(**limits: int | None) -> None:
    """Raise if a limit is neither None nor a positive whole number.

    >>> _check_limits(words=None, memory=1 << 20)
    >>> _check_limits(words=0)
    Traceback (most recent call last):
    problex.errors.ProblexError: words=0 was given, expected a positive whole number
    """
    for name, limit in limits.items():
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise ProblexError(f"{name}={limit!r} was given, expected a positive whole number")
