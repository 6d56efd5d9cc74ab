"""Plain text: each line of a file, or each .txt file of a folder, is a document."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from problex.corpus.batch import Position, RawBatch, ReadOptions
from problex.corpus.reader import Reader, group_by_size
from problex.corpus.sources import Chunk, Source, list_text_files, read_whole
from problex.errors import DocumentError


class LineReader(Reader):
    """A text file; a position is the offset of the next line."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.name, self.size = source.name, source.size
        self._source, self._options = source, options

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The lines, about `batch_bytes` at a time."""
        for chunk in self._source.chunks(self._options.batch_bytes, self._options, *start):
            yield RawBatch(_split_lines(chunk), position=(chunk.after,), bytes_read=chunk.bytes_read)


def _split_lines(chunk: Chunk) -> Any:
    """The lines of a chunk, by Arrow where they end as on Unix."""
    if b"\r" in chunk.data:
        return chunk.lines()
    data = chunk.data.removesuffix(b"\n")
    # One value that refers to the bytes, where pa.scalar would copy them.
    ends = pa.py_buffer(np.array([0, len(data)], dtype=np.int64))
    whole = pa.Array.from_buffers(pa.large_binary(), 1, [None, ends, pa.py_buffer(data)])
    lines = pc.split_pattern(whole, "\n").values
    return lines[: 0 if not chunk.data else None]


class FolderReader(Reader):
    """A folder of .txt files; a position is the number of files and of bytes read."""

    columns = ("text", "path")

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.name, self.size = source.name, source.size
        self._source, self._folder, self._options = source, source.path or Path(), options
        self._files = list_text_files(self._folder)
        if not self._files:
            raise DocumentError(
                f"the folder {self._folder} has no file that can be read; expected .txt files, each a document, or "
                "tables such as .csv, .xlsx or .parquet."
            )

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The texts of the files, and their paths relative to the folder."""
        files, size = start or (0, 0)
        for group in group_by_size(self._files[files:], self._options.batch_bytes, self._file_size):
            values = [read_whole(file) for file in group]
            files, size = files + len(group), size + sum(map(len, values))
            values = [value.removeprefix(codecs.BOM_UTF8) for value in values]
            paths = [file.relative_to(self._folder).as_posix() for file in group]
            columns = pa.table({"path": paths}) if keep else None
            yield RawBatch(values, columns, labels=paths, position=(files, size), bytes_read=size)

    def _file_size(self, file: Path) -> int:
        """The bytes of a file; raise if it is too large to be read."""
        size = file.stat().st_size
        if size > self._options.max_row_bytes:
            raise self._options.too_large(f"{file} is a text")
        return size
