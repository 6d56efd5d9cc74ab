"""Texts that the caller holds: lists, arrays, series, frames and iterators."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.late import nw
from problex.errors import DocumentError
from problex.tables.reader import (
    MAX_ROWS,
    SAMPLE_ROWS,
    Position,
    RawBatch,
    Reader,
    ReadOptions,
    group_by_size,
    sample_table,
)


class ColumnReader(Reader):
    """One column without a name, in parts: Arrow arrays, lists or tuples."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self._parts = parts

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """A raw batch for each part."""
        return map(RawBatch, self._parts)


class TableReader(Reader):
    """An Arrow table."""

    def __init__(self, table: pa.Table) -> None:
        self._table, self.columns = table, table.column_names

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        return sample_table(self._table)

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns, without copying them."""
        chosen = self._table.select(list(dict.fromkeys([text, *keep])))
        for records in chosen.to_batches(max_chunksize=MAX_ROWS):
            yield RawBatch.from_records(records, text, keep)


class FrameReader(Reader):
    """A data frame of pandas, polars or any other library that narwhals knows."""

    def __init__(self, frame: nw.DataFrame[Any]) -> None:
        self._frame, self.columns = frame, frame.columns

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column that can have texts."""
        with_texts = (nw.String, nw.Object, nw.Categorical, nw.Enum, nw.Binary, nw.Unknown)
        names = [name for name, kind in self._frame.schema.items() if kind in with_texts]
        return {name: self._frame[name].head(SAMPLE_ROWS).to_list() for name in names}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns, converted slice by slice."""
        for part in _slices(self._frame):
            yield RawBatch(_series_values(part[text]), _frame_columns(part, keep))


class LazyReader(Reader):
    """A query that runs while it is read: `parts` returns the record batches of some columns."""

    def __init__(self, columns: Sequence[str], parts: Callable[[list[str]], Iterable[pa.RecordBatch]]) -> None:
        self.columns, self._parts = list(columns), parts

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        first = list(islice(self._parts(list(self.columns)), 1))
        return sample_table(pa.Table.from_batches(first)) if first else {}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns."""
        for records in self._parts(list(dict.fromkeys([text, *keep]))):
            yield RawBatch.from_records(records, text, keep)


def _open_lazy(frame: nw.LazyFrame[Any]) -> Reader | None:
    """The reader of a DuckDB relation or a polars LazyFrame, which is not collected as a whole; None for others."""
    from problex.tables.databases import arrow_reader, quote_name

    native, columns = nw.to_native(frame), frame.collect_schema().names()
    if hasattr(native, "fetch_record_batch"):  # DuckDB
        return LazyReader(columns, lambda names: arrow_reader(native.select(*map(quote_name, names))))
    if hasattr(native, "collect_batches"):  # polars
        return LazyReader(columns, lambda names: _polars_records(native.select(names)))
    return None


def _polars_records(frame: Any) -> Iterator[pa.RecordBatch]:
    for part in frame.collect_batches(maintain_order=True):
        yield from part.to_arrow().to_batches(max_chunksize=MAX_ROWS)


def open_memory(documents: Any, options: ReadOptions) -> Reader:
    """The reader of texts in memory."""
    if isinstance(documents, pa.Table):
        return TableReader(documents)
    if isinstance(documents, pa.RecordBatch):
        return TableReader(pa.Table.from_batches([documents]))
    if isinstance(documents, pa.Array | pa.ChunkedArray):
        records = pa.table({"text": documents}).to_batches(max_chunksize=MAX_ROWS)
        return ColumnReader(part.column(0) for part in records)
    if isinstance(documents, list | tuple):
        return ColumnReader([documents])
    native = nw.from_native(documents, pass_through=True, allow_series=True)
    if isinstance(native, nw.DataFrame):
        return FrameReader(native)
    if isinstance(native, nw.LazyFrame) and (lazy := _open_lazy(native)):
        return lazy
    if isinstance(native, nw.Series):
        return ColumnReader(map(_series_values, _slices(native)))
    if isinstance(documents, np.ndarray) and documents.ndim == 1:
        return ColumnReader(part.tolist() for part in _slices(documents))
    if isinstance(documents, str | bytes | Mapping | np.ndarray) or not isinstance(documents, Iterable):
        advice = "Collect a lazy frame first, choose one column of an array, take the values of a dict."
        if isinstance(documents, str | bytes):
            advice = "If it is a text, put it in a list; if it names a file, wrap it in pathlib.Path."
        raise DocumentError(
            f"the documents are of type {type(documents).__name__} ({reprlib.repr(documents)}); expected a list, "
            f"column, frame or iterator of texts, or a pathlib.Path. {advice}"
        )
    return ColumnReader(group_by_size(documents, options.batch_bytes))


def _slices(values: Any) -> Iterator[Any]:
    return (values[start : start + MAX_ROWS] for start in range(0, len(values), MAX_ROWS))


def _frame_columns(frame: nw.DataFrame[Any], keep: Sequence[str]) -> pa.Table | None:
    try:
        return frame.select(list(keep)).to_arrow().replace_schema_metadata(None) if keep else None
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError) as error:
        raise DocumentError(f"a column to keep has mixed types: {error}. Give each column one type.") from error


def _series_values(series: nw.Series[Any]) -> Any:
    """An Arrow array, or a list if the types are mixed, so that a wrong value can be named."""
    try:
        return series.to_list() if series.dtype == nw.Object else series.to_arrow()
    except (pa.ArrowException, UnicodeEncodeError):
        return series.to_list()
