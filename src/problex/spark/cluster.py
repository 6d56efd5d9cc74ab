"""What all functions on Spark share: schemas, tasks for executors, and their errors."""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from problex import errors
from problex._util.formatting import quote_all
from problex._util.late import import_optional
from problex.corpus import Batch, ReadOptions, make_batches
from problex.errors import DocumentError, ProblexError, ProblexWarning
from problex.matching.language_guess import TEXTS_TO_GUESS, resolve_language
from problex.matching.tokens import Tokenizer
from problex.tables.reader import RawBatch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True)
class RowTask:
    """The input of an executor that adds columns to the rows of a partition: all `names` after those to `keep`."""

    column: str
    keep: Sequence[str]
    reading: ReadOptions
    markup: bool
    names: Sequence[str] = field(default=(), kw_only=True)

    def stream(self, batches: Batches) -> Iterator[Batch]:
        """The texts of a partition with the kept columns."""
        return make_batches((RawBatch.from_records(batch, self.column, self.keep) for batch in batches), self.reading)


def make_schema(df: DataFrame, kept: Sequence[str], new: Mapping[str, str]) -> StructType:
    """The kept columns and new ones, by the names of their types."""
    from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

    types = {"string": StringType(), "double": DoubleType(), "long": LongType()}
    old = {f"input_{name}" if name in new else name: df.schema[name].dataType for name in kept}
    if len(old) < len(kept):
        raise DocumentError(f"the columns {quote_all(kept)} would get the same names: rename one, or choose with keep=")
    return StructType([StructField(name, kind) for name, kind in (old | {k: types[v] for k, v in new.items()}).items()])


def resolve_tokenizer(tokenizer: Tokenizer, texts: DataFrame) -> Tokenizer:
    """The tokenizer with the language of the first rows in place of "auto"."""
    if tokenizer.language != "auto":
        return tokenizer
    first = [row[0] for row in texts.limit(TEXTS_TO_GUESS).collect()]
    return resolve_language(tokenizer, [text for text in first if isinstance(text, str)])


def share_task(df: DataFrame, value: object) -> Callable[[], bytes]:
    """A value for all tasks, as bytes: broadcast once to each executor, or, in Spark Connect, with the function."""
    from pyspark import cloudpickle  # it pickles functions by value: a custom tokenizer may be a lambda

    dumps: Callable[[object], bytes] = cloudpickle.dumps
    task = dumps(value)
    context = getattr(df.sparkSession, "sparkContext", None)
    if context is None:
        return lambda: task
    broadcast = context.broadcast(task)
    return lambda: broadcast.value


def map_partitions(
    df: DataFrame, function: Callable[[Batches, bytes], Batches], task: object, schema: StructType | str
) -> DataFrame:
    """The frame of what a function makes of each partition and of a task, which it gets as bytes; lazy."""
    shared = share_task(df, task)
    return df.mapInArrow(lambda batches: function(batches, shared()), schema)


def with_new_columns(
    df: DataFrame, task: RowTask, new: Mapping[str, str], function: Callable[[Batches, bytes], Batches]
) -> DataFrame:
    """The kept columns of a frame and new ones, by the names of their types, made by a function; lazy."""
    schema = make_schema(df, task.keep, new)
    needed = df.select([quoted(name) for name in dict.fromkeys([task.column, *task.keep])])
    return map_partitions(needed, function, replace(task, names=schema.names), schema)


@lru_cache(maxsize=4)
def load_task(pickled: bytes) -> Any:
    """The value of a task; a worker that does many tasks reads it once."""
    return pickle.loads(pickled)  # from the driver of the same job


@contextmanager
def in_partition(column: str) -> Iterator[int]:
    """The number of the partition, which errors name. Warnings were given on the driver, once."""
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
def clear_errors() -> Iterator[None]:
    """Raise the error of an executor, without the stack traces of two languages."""
    spark_error: type[Exception] = import_optional("pyspark.errors", "problex.spark").PySparkException
    try:
        yield
    except spark_error as error:
        text = str(error)
        if problems := re.findall(r"problex\.errors\.(\w+): (.+)", text):
            kind, message = problems[-1]
            raise getattr(errors, kind, ProblexError)(message) from error
        if modules := re.findall(r"No module named '(\w+)", text):
            raise ProblexError(
                f"the Python of the executors has no {modules[-1]!r}, expected problex and pyarrow on every machine: "
                "install problex[spark] there, or ship an environment with spark-submit --archives"
            ) from error
        if "exited unexpectedly" in text:
            raise ProblexError(
                "a Python worker died repeatedly, most often because it ran out of memory: raise "
                "spark.executor.memoryOverhead, make more partitions, or lower memory= and words="
            ) from error
        raise


def check_column(df: DataFrame, column: str, *, texts: bool = True) -> None:
    """Raise if a frame is not Spark's, or has no such column, or with `texts` if that has no texts.

    >>> check_column(["a good film"], "text")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.DocumentError: the documents are of type list, expected a Spark DataFrame: other texts are for ...
    """
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


def kept_columns(df: DataFrame, column: str, keep: Sequence[str] | None) -> list[str]:
    """The columns to keep (None: all), after a check of these and of the column of texts."""
    check_column(df, column)
    kept = df.columns if keep is None else [keep] if isinstance(keep, str) else list(keep)
    for name in kept:
        check_column(df, name, texts=False)
    return kept


def quoted(column: str) -> str:
    """The name of a column as Spark reads it, whatever its characters.

    >>> quoted("my text"), quoted("a`b")
    ('`my text`', '`a``b`')
    """
    return "`" + column.replace("`", "``") + "`"
