"""The same verbs on Spark: partitions are counted where they lie, and only their sums travel.

Works on PySpark 4 DataFrames, classic and Spark Connect: everything is `mapInArrow`, nothing is an RDD. The Python of
the executors needs problex; Spark itself is not imported before it is used.
"""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from problex import errors
from problex._util.formatting import quote_all
from problex.corpus import Batch, RawBatch, ReadOptions, make_batches
from problex.counting.counts import Counts
from problex.counting.serialization import pack, unpack
from problex.counting.streams import MEMORY_BATCH, count_batches
from problex.errors import DocumentError, ProblexError, ProblexWarning
from problex.estimation.model import Model, estimate
from problex.estimation.settings import Settings
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import items_of, warn_of_problems
from problex.matching.tokens import Tokenizer
from problex.scoring.scorer import make_scorer, score_batches
from problex.scoring.scores import Scores

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

Batches = Iterator[pa.RecordBatch]
MEMORY = 512 << 20
WORDS = 1_000_000
MERGES = 32


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
    memory: int = MEMORY,
    words: int | None = WORDS,
    merges: int | None = None,
) -> Counts:
    """Count a column of texts: the same sums as `problex.count`, whatever the partitions and however often one fails.

    Each partition becomes one row of packed counts; `merges` tasks add them up (None: one per core, at most 32), and
    the driver adds those. `memory` is about how many bytes words may take in each task. At most `words` words outside
    the lexicon travel from a task, the most frequent (None: all); occurrences of the others are counted in `pruned`,
    and every other sum is exact. `associations` is as in `problex.count`.
    """
    tokenizer = tokenizer or Tokenizer()
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    _check_column(df, column)
    _check_limits(words=words, merges=merges, memory=memory)
    warn_of_problems(items_of(lexicon, tokenizer))
    reading = ReadOptions(missing, on_error, MEMORY_BATCH)
    options = {"markup": markup, "word_bytes": memory, "associations": associations}
    shared = _shared(df, (column, lexicon, tokenizer, reading, options, words))
    texts = df.select(_quoted(column))
    parts = texts.mapInArrow(lambda batches: count_partition(batches, shared()), "part int, counts binary")
    groups = parts.repartition(merges or _merges(df), "part")
    merged = groups.mapInArrow(lambda batches: merge_partition(batches, words), "counts binary")
    with _clear_errors():
        rows = merged.collect()
    total = merge(unpack(row["counts"]) for row in rows)
    return Counts.none(lexicon, tokenizer, associations=associations) if total is None else total


def fit(df: DataFrame, column: str, lexicon: Lexicon, **options: Any) -> Model:
    """Count on the cluster, estimate on the driver. Options are those of `count` and the settings of `estimate`."""
    counting = {name: options.pop(name) for name in signature(count).parameters if name in options}
    settings = Settings.from_options(**options)  # a wrong name is refused before the corpus is read
    counting.setdefault("associations", settings.rule == "pmi")
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    counts = count(df, column, lexicon, **counting)
    return estimate(counts, lexicon, tokenizer=counting.get("tokenizer"), **options)


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
    _check_column(df, column)
    for name in (kept := df.columns if keep is None else [keep] if isinstance(keep, str) else list(keep)):
        _check_column(df, name, texts=False)
    make_scorer(model, rule, temper)  # so that a wrong name is refused here and now
    schema = _labelled_schema(df, kept, model.classes)
    options = {"rule": rule, "temper": temper, "markup": markup}
    shared = _shared(df, (column, kept, schema.names, model, ReadOptions(missing, on_error, MEMORY_BATCH), options))
    needed = df.select([_quoted(name) for name in dict.fromkeys([column, *kept])])
    return needed.mapInArrow(lambda batches: predict_partition(batches, shared()), schema)


def count_partition(batches: Batches, task: bytes) -> Batches:
    """What an executor does with a partition: one row of packed counts, none for a partition without rows."""
    column, lexicon, tokenizer, reading, options, words = _thawed(task)
    raw_batches = (RawBatch(batch.column(0)) for batch in batches)
    with _in_partition(column) as number:
        counts = count_batches(make_batches(raw_batches, reading), lexicon, 1, tokenizer=tokenizer, **options)
    if counts.documents or counts.invalid:
        row = {"part": pa.array([number], pa.int32()), "counts": [pack(trim(counts, words))]}
        yield pa.RecordBatch.from_pydict(row)


def merge_partition(batches: Batches, words: int | None) -> Batches:
    """What an executor does with the packed counts of some partitions: one row of their sum."""
    total = merge((unpack(packed.as_buffer()) for batch in batches for packed in batch["counts"]), words)
    if total is not None:
        yield pa.RecordBatch.from_pydict({"counts": [pack(total)]})


def predict_partition(batches: Batches, task: bytes) -> Batches:
    """What an executor does with a partition to be labelled: its rows with the new columns."""
    column, keep, names, model, reading, options = _thawed(task)
    raw_batches = (RawBatch.from_records(batch, column, keep) for batch in batches)
    with _in_partition(column):
        for batch, scores in score_batches(make_batches(raw_batches, reading), model, threads=1, **options):
            yield _labelled(batch, scores, names)


def merge(parts: Iterable[Counts], words: int | None = None) -> Counts | None:
    """The sum of counts, small ones with small ones, so that a large one is not copied for each; None for no parts."""
    waiting: list[tuple[int, Counts]] = []  # sums of 2^level parts, each of a lower level than the one before
    for part in parts:
        level = 0
        while waiting and waiting[-1][0] == level:
            part, level = trim(waiting.pop()[1] + part, words), level + 1
        waiting.append((level, part))
    total = waiting.pop()[1] if waiting else None
    while waiting and total is not None:
        total = trim(waiting.pop()[1] + total, words)
    return total


def trim(counts: Counts, words: int | None) -> Counts:
    """Counts with at most so many words outside the lexicon, the most frequent; the others are counted in `pruned`."""
    if words is None or len(counts.words) <= words:
        return counts
    lexical = pc.is_in(counts.words, value_set=pa.array(counts.entries, counts.words.type)).to_numpy(False)
    outside = np.flatnonzero(~lexical)
    rare = outside[np.argsort(-counts.occurrences[outside], kind="stable")[words:]]
    kept = np.ones(len(counts.words), dtype=bool)
    kept[rare] = False
    fields = {name: getattr(counts, name)[kept] for name in counts.per_word}
    lost = int(counts.occurrences[rare].sum())
    return replace(counts, words=counts.words.filter(pa.array(kept)), pruned=counts.pruned + lost, **fields)


def _labelled_schema(df: DataFrame, kept: Sequence[str], classes: Sequence[str]) -> StructType:
    from pyspark.sql.types import DataType, DoubleType, LongType, StringType, StructField, StructType

    scores = [*(["score"] if len(classes) == 2 else []), *(f"p_{name}" for name in classes)]
    new: dict[str, DataType] = {"label": StringType(), **{name: DoubleType() for name in scores}}
    new |= {"tokens": LongType(), "matches": LongType()}
    old = {f"input_{name}" if name in new else name: df.schema[name].dataType for name in kept}
    if len(old) < len(kept):
        raise DocumentError(f"the columns {quote_all(kept)} would get the same names: rename one, or choose with keep=")
    return StructType([StructField(name, kind) for name, kind in (old | new).items()])


def _labelled(batch: Batch, scores: Scores, names: Sequence[str]) -> pa.RecordBatch:
    old = [] if batch.columns is None else [column.combine_chunks() for column in batch.columns.columns]
    decision = [scores.decision] if len(scores.classes) == 2 else []
    labels = pa.array(scores.labels().tolist(), pa.string())
    new = map(pa.array, [*decision, *scores.probabilities.T, scores.lengths, scores.matches])
    return pa.RecordBatch.from_arrays([*old, labels, *new], names=names)


def _shared(df: DataFrame, values: tuple[Any, ...]) -> Callable[[], bytes]:
    """Values for all tasks, as bytes: broadcast once to each executor, or, in Spark Connect, with the function."""
    from pyspark import cloudpickle  # the one that carries functions by value: a tokenizer of one's own may be a lambda

    dumps: Callable[[object], bytes] = cloudpickle.dumps
    task = dumps(values)
    context = getattr(df.sparkSession, "sparkContext", None)
    if context is None:
        return lambda: task
    broadcast = context.broadcast(task)
    return lambda: broadcast.value


def _merges(df: DataFrame) -> int:
    """As many merging tasks as there are cores, and no more than the driver can add up at once."""
    context = getattr(df.sparkSession, "sparkContext", None)
    return min(context.defaultParallelism if context is not None else MERGES, MERGES)


@lru_cache(maxsize=4)
def _thawed(task: bytes) -> Any:
    """The values of a task; a worker that does many tasks reads them once."""
    return pickle.loads(task)


@contextmanager
def _in_partition(column: str) -> Iterator[int]:
    """The number of the partition; complaints say it. Warnings were given on the driver, once."""
    from pyspark import TaskContext

    context = TaskContext.get()
    number = context.partitionId() if context else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ProblexWarning)
            yield number
    except ProblexError as error:
        raise type(error)(f"partition {number} of column {column!r}: {error}") from None


@contextmanager
def _clear_errors() -> Iterator[None]:
    """What went wrong on an executor, without the stack of two languages."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        text = str(error)
        if found := re.findall(r"problex\.errors\.(\w+): (.+)", text):
            kind, message = found[-1]
            raise getattr(errors, kind, ProblexError)(message) from error
        if found := re.findall(r"No module named '(\w+)", text):
            raise ProblexError(
                f"the Python of the executors has no {found[-1]!r}, expected problex and pyarrow on every machine: "
                "install problex[spark] there, or ship an environment with spark-submit --archives"
            ) from error
        if "exited unexpectedly" in text:
            raise ProblexError(
                "a Python worker died again and again, most often for want of memory: raise "
                "spark.executor.memoryOverhead, make more partitions, or lower memory= and words="
            ) from error
        raise


def _check_column(df: DataFrame, column: str, *, texts: bool = True) -> None:
    if not hasattr(df, "mapInArrow"):
        raise DocumentError(
            f"the documents are of type {type(df).__name__}, expected a Spark DataFrame: other texts are for "
            "problex.count and problex.score"
        )
    same = df.columns.count(column)
    if same != 1:
        what = f"{same} columns are called" if same else "there is no column"
        raise DocumentError(f"{what} {column!r}; the columns are {quote_all(df.columns)}. Name one, once there.")
    kind = df.schema[column].dataType.typeName()
    if texts and kind not in ("string", "varchar", "char", "binary"):
        raise DocumentError(f"column {column!r} is of type {kind}, expected string: choose a column of texts")


def _check_limits(**limits: int | None) -> None:
    for name, limit in limits.items():
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise ProblexError(f"{name}={limit!r} was given, expected a positive whole number")


def _quoted(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"
