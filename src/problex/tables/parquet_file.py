"""Parquet, Arrow and Feather files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from problex._util.arrow import pc
from problex._util.late import pq
from problex._util.memory import format_size
from problex.errors import DocumentError, opt
from problex.tables.columns import RecordReader
from problex.tables.reader import (
    MAX_ROWS,
    SAMPLE_ROWS,
    Position,
    RawBatch,
    Reader,
    ReadOptions,
    is_text_type,
    sample_table,
)
from problex.tables.source import BUFFER_BYTES, Source

MAX_COMPRESSION = 100  # texts are compressed to a third or a tenth, never to a hundredth
USUAL_COMPRESSION = 15
MAX_ROWS_IN_PAGE = 10_000  # which is decompressed at once
MIN_MEAN_BYTES = 64  # of a value in the file: where it has less, long values may be repeated by reference


class ParquetReader(Reader):
    """A Parquet file; a position is the number of a unit of row groups, of batches in it, and of rows read."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.name, self.size = source.name, source.size
        self._source, self._options = source, options
        self._path = source.path or Path()
        self._check_footer()
        self._file = self._open()
        self.columns = self._file.schema_arrow.names

    def _open(self, **options: Any) -> pq.ParquetFile:
        return pq.ParquetFile(self._path, buffer_size=BUFFER_BYTES, pre_buffer=False, **options)

    def _check_footer(self) -> None:
        """Raise if the metadata are too large to be read: they take ten times their size."""
        with self._path.open("rb") as file:
            file.seek(max(self.size - 8, 0))
            size = int.from_bytes(file.read(4), "little")
        if self._options.max_row_bytes // 2 < size < self.size:
            raise DocumentError(
                f"{self.name} has {size:,} bytes of metadata; expected at most an eighth of "
                f"{opt('memory', format_size(self._options.memory))}. Write it with fewer columns or larger row "
                f"groups, or give more with {opt('memory')}"
            )

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of columns in the file."""
        return {name: self._file.schema_arrow.field(name).type for name in names}

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column that can have texts."""
        names = [field.name for field in self._file.schema_arrow if is_text_type(field.type)]
        groups = [0] if self._file.num_row_groups else []
        self._check_metadata(groups, names)
        self._rows_in_batch(SAMPLE_ROWS, groups, names)
        first = list(islice(self._file.iter_batches(SAMPLE_ROWS, columns=names), 1)) if names else []
        return sample_table(pa.Table.from_batches(first)) if first else {}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns, as many rows at a time as make about `batch_bytes` of text."""
        columns = list(dict.fromkeys([text, *keep]))
        self._check_metadata(range(self._file.num_row_groups), columns)
        rows, units = self._divide(text)
        unit, skipped, rows_read = start or (0, 0, 0)
        for at in range(unit, len(units)):
            # Columns are not read in parallel: the threads are for counting.
            rows_in_batch = self._rows_in_batch(rows, units[at], columns)
            parts = self._file.iter_batches(rows_in_batch, units[at], columns=columns, use_threads=False)
            for number, records in enumerate(islice(parts, skipped, None), skipped + 1):
                rows_read += records.num_rows
                bytes_read = self.size * rows_read // max(self._file.metadata.num_rows, 1)
                raw = RawBatch.from_records(records, text, keep)
                yield replace(raw, position=(at, number, rows_read), bytes_read=bytes_read)
            skipped = 0
        self._check_complete(rows_read)

    def _check_metadata(self, groups: Iterable[int], columns: Sequence[str]) -> None:
        """Raise if the metadata of a column are damaged.

        Arrow ends the process if damaged metadata are read by `RowGroupMetaData.column`. Its readers raise an error:
        so a batch of no rows is read first, which opens the columns and reads none of their pages.
        """
        leaves = [number for name in columns for number in self._leaves.get(name, [])]
        for group in groups:
            next(self._file.reader.iter_batches(0, row_groups=[group], column_indices=leaves, use_threads=False), None)

    def _check_complete(self, rows_read: int) -> None:
        """Raise if the file changed while it was read, or has fewer rows than its metadata."""
        self._source.check_unchanged()
        if rows_read != self._file.metadata.num_rows:
            raise DocumentError(
                f"{self.name}: {rows_read:,} of {self._file.metadata.num_rows:,} rows could be read; expected all rows "
                "of its metadata. Write the file again."
            )

    @cached_property
    def _leaves(self) -> dict[str, list[int]]:
        """The numbers of the columns in the metadata by the column in the file, which may be nested."""
        leaves: dict[str, list[int]] = {}
        schema = self._file.schema
        if len(schema) == len(self.columns):  # one each
            for number, name in enumerate(self.columns):
                leaves.setdefault(name, []).append(number)
            return leaves
        for number, path in enumerate(schema.column(number).path for number in range(len(schema))):
            for name in {path, path.partition(".")[0]}:
                leaves.setdefault(name, []).append(number)
        return leaves

    def _divide(self, text: str) -> tuple[int, list[list[int]]]:
        """The number of rows in a batch, and the row groups that are read together to fill at least one batch."""
        metadata = self._file.metadata
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        leaves = [number for number in self._leaves.get(text, []) if self._file.schema.column(number).path == text]
        text_bytes = sum(group.column(number).total_uncompressed_size for group in groups for number in leaves)
        rows = min(max(self._options.batch_bytes * metadata.num_rows // max(text_bytes, 1), 1), MAX_ROWS)
        units: list[list[int]] = []
        rows_in_unit = rows
        for number, group in enumerate(groups):
            if rows_in_unit >= rows:
                units.append([])
                rows_in_unit = 0
            units[-1].append(number)
            rows_in_unit += group.num_rows
        return rows, units

    def _rows_in_batch(self, rows: int, groups: list[int], columns: Sequence[str]) -> int:
        """At most `rows`, and fewer if long values repeat: raise if a value takes too much memory.

        A file has a value that repeats only once. So values that take few bytes in the file may take many in memory.
        """
        limit = self._options.max_row_bytes
        for group, name in ((group, name) for group in groups for name in columns):
            rows_in_group = self._file.metadata.row_group(group).num_rows
            for number in self._leaves.get(name, []):
                chunk = self._file.metadata.row_group(group).column(number)
                size, packed = chunk.total_uncompressed_size, max(chunk.total_compressed_size, 1)
                compression = USUAL_COMPRESSION if rows_in_group < MAX_ROWS_IN_PAGE else MAX_COMPRESSION
                if size > limit * max(rows_in_group, 1) or size > max(limit, compression * packed):
                    raise self._options.too_large(f"{self.name} has a value in column {name!r}")
                may_repeat = size < MIN_MEAN_BYTES * rows_in_group or size > USUAL_COMPRESSION * packed
                is_text = chunk.physical_type == "BYTE_ARRAY" and chunk.path_in_schema == name
                if chunk.has_dictionary_page and may_repeat and is_text and rows * size > limit:
                    rows = min(rows, limit // max(self._longest(group, name), 1))
                    if rows == 0:
                        raise self._options.too_large(f"{self.name} has a value in column {name!r}")
        return rows

    def _longest(self, group: int, name: str) -> int:
        """The bytes of the longest of the values that repeat."""
        file = self._open(read_dictionary=[name])
        first = next(file.iter_batches(1, [group], columns=[name], use_threads=False), None)
        if first is None or not pa.types.is_dictionary(first.schema.field(0).type):
            return 0
        return int(pc.max(pc.binary_length(first.column(0).dictionary)).as_py() or 0)


CONTINUATION = b"\xff\xff\xff\xff"  # the first bytes of a message of a stream
BINARY = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}


def as_bytes(column: pa.Array) -> pa.Array:
    """A column of texts as bytes, which need not be valid UTF-8: those of a text are checked, and repaired, later."""
    return column.cast(BINARY[column.type]) if column.type in BINARY else column


@contextmanager
def memory_errors(name: str) -> Iterator[None]:
    """Sizes in a damaged file may be anything: what does not fit into memory is an error of the file."""
    try:
        yield
    except pa.ArrowMemoryError as error:
        raise DocumentError(
            f"{name} cannot be read: {error}. It is damaged, or one of its parts needs more memory than there is: "
            "write it again, in smaller parts."
        ) from error


class ArrowReader(RecordReader):
    """An Arrow file (Feather version 2) or a stream of Arrow records in a file."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        with self._path.open("rb") as file:
            self._is_file = file.read(6) == b"ARROW1"
        with self._open_file() as file:
            self._schema = self._open(file, []).schema
        self.columns = self._schema.names

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of columns in the file; views are strings like any other."""
        kinds = {name: self._schema.field(name).type for name in names}
        return {name: pa.large_string() if kind == pa.string_view() else kind for name, kind in kinds.items()}

    def records(self, names: Sequence[str], skip: int) -> Iterator[pa.RecordBatch]:
        """The columns, in parts of the record batches of the file."""
        types = self.types(names)
        with self._open_file() as file:
            opened = self._open(file, sorted(self._schema.get_field_index(name) for name in names))
            numbers = range(opened.num_record_batches) if self._is_file else ()
            yield from self._parts(map(opened.get_batch, numbers) if self._is_file else opened, types, skip)
            if not self._is_file and file.read(len(CONTINUATION)) == CONTINUATION:
                raise DocumentError(
                    f"{self.name} holds several streams, of which only the first would be read. Give each as a file of "
                    "its own, or write them as one stream."
                )

    def _parts(
        self, batches: Iterable[pa.RecordBatch], types: Mapping[str, pa.DataType], skip: int
    ) -> Iterator[pa.RecordBatch]:
        for records in self._whole(batches):
            first = min(skip, records.num_rows)
            skip -= first
            for start in range(first, records.num_rows, MAX_ROWS):
                part = records.slice(start, MAX_ROWS)
                yield pa.record_batch({name: part.column(name).cast(kind) for name, kind in types.items()})

    def _whole(self, parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Record batches whose offsets are within their bytes; raise if the file is damaged."""
        with memory_errors(self.name):
            for records in parts:
                for column in records.columns:
                    as_bytes(column).validate(full=True)
                yield records

    def _open_file(self) -> pa.NativeFile:
        return pa.memory_map(str(self._path)) if self._is_file else pa.OSFile(str(self._path), "rb")

    def _open(
        self, file: pa.NativeFile, fields: list[int]
    ) -> pa.ipc.RecordBatchFileReader | pa.ipc.RecordBatchStreamReader:
        options = pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        with memory_errors(self.name):
            return (pa.ipc.open_file if self._is_file else pa.ipc.open_stream)(file, options=options)
