"""Parquet: row groups, of which small ones are read together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import pyarrow as pa
import pyarrow.parquet as papq

from problex.corpus.batch import MAX_ROWS, Position, RawBatch, ReadOptions
from problex.corpus.reader import SAMPLE_ROWS, Reader, sample_table
from problex.corpus.sources import BUFFER_BYTES, Source
from problex.errors import DocumentError


class ParquetReader(Reader):
    """A Parquet file; a position is the number of a unit of row groups, of batches in it, and of rows read."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.name, self.size = source.name, source.size
        self._source = source
        self._file = papq.ParquetFile(source.path, buffer_size=BUFFER_BYTES, pre_buffer=False)
        self._batch_bytes = options.batch_bytes
        self.columns = self._file.schema_arrow.names

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        first = list(islice(self._file.iter_batches(SAMPLE_ROWS), 1))
        return sample_table(pa.Table.from_batches(first)) if first else {}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns, as many rows at a time as make about `batch_bytes` of text."""
        rows, units = self._divide(text)
        columns = list(dict.fromkeys([text, *keep]))
        unit, skipped, rows_read = start or (0, 0, 0)
        for at in range(unit, len(units)):
            # Columns are not read in parallel: the threads are for counting.
            parts = self._file.iter_batches(rows, units[at], columns=columns, use_threads=False)
            for number, records in enumerate(islice(parts, skipped, None), skipped + 1):
                rows_read += records.num_rows
                bytes_read = self.size * rows_read // self._file.metadata.num_rows
                raw = RawBatch.from_records(records, text, keep)
                yield replace(raw, position=(at, number, rows_read), bytes_read=bytes_read)
            skipped = 0
        self._check_complete(rows_read)

    def _check_complete(self, rows_read: int) -> None:
        """Raise if the file changed while it was read, or has fewer rows than its metadata."""
        self._source.check_unchanged()
        if rows_read != self._file.metadata.num_rows:
            raise DocumentError(
                f"{self.name}: {rows_read:,} of {self._file.metadata.num_rows:,} rows could be read; expected all rows "
                "of its metadata. Write the file again."
            )

    def _divide(self, text: str) -> tuple[int, list[list[int]]]:
        """The number of rows in a batch, and the row groups that are read together to fill at least one batch."""
        metadata = self._file.metadata
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        text_bytes = sum(
            group.column(number).total_uncompressed_size
            for group in groups
            for number in range(group.num_columns)
            if group.column(number).path_in_schema == text
        )
        rows = min(max(self._batch_bytes * metadata.num_rows // max(text_bytes, 1), 1), MAX_ROWS)
        units: list[list[int]] = []
        rows_in_unit = rows
        for number, group in enumerate(groups):
            if rows_in_unit >= rows:
                units.append([])
                rows_in_unit = 0
            units[-1].append(number)
            rows_in_unit += group.num_rows
        return rows, units
