"""Plain text: each line of a file, or each .txt file of a folder, is a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from problex._util.arrow import pc
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.decoding import decode_whole, note_encoding, open_text
from problex.tables.dialect import looks_like_table
from problex.tables.encoding import Encoding, guess_encoding, utf8_share
from problex.tables.reader import Position, RawBatch, Reader, ReadOptions, group_by_size, quote_columns
from problex.tables.source import Chunk, Source, list_text_files, read_whole

MAX_SAMPLED, SAMPLE_BYTES = 200, 1 << 12  # files and their bytes from which the encoding of a folder is guessed


class LineReader(Reader):
    """A text file; a position is the offset of the next line."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._text, self._options = open_text(source, options), options
        self.name, self.size, self._source = source.name, source.size, self._text.source
        self.note = note_encoding(self._text, options)
        if not options.format and (table := looks_like_table(self._text.head)):
            self.note = (
                f"each line is read as a text, but the file looks like a table with the columns "
                f"{quote_columns(table.names)}: if it is one, rename it to .csv, or give {opt('format', 'csv')}"
            )

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The lines, about `batch_bytes` at a time."""
        label = self._text.encoding.label
        for chunk in self._source.chunks(self._options.batch_bytes, self._options, *start):
            yield RawBatch(
                _split_lines(chunk),
                position=(chunk.after,),
                bytes_read=chunk.bytes_read,
                encoding=label,
                describe=self._text.describe,
            )


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
        self._reported = self._has_common = False
        self._common: Encoding | None = None
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
            contents = [read_whole(file) for file in group]
            files, size = files + len(group), size + sum(map(len, contents))
            values = [self._decode(file, data) for file, data in zip(group, contents, strict=True)]
            paths = [file.relative_to(self._folder).as_posix() for file in group]
            columns = pa.table({"path": paths}) if keep else None
            yield RawBatch(values, columns, labels=paths, position=(files, size), bytes_read=size, encoding="UTF-8")

    def _decode(self, file: Path, data: bytes) -> bytes:
        """A text as UTF-8; the first one in another encoding is reported."""
        text, encoding = decode_whole(data, str(file), self._options, self._guess_common)
        if not encoding.is_utf8 and not self._options.encoding and not self._reported:
            self._reported = True
            warn_caller(
                f"{file}: read as {encoding.label}; the encoding of each file is detected (give {opt('encoding')} if "
                "that is wrong)",
                DocumentWarning,
            )
        return text

    def _guess_common(self) -> Encoding | None:
        """The encoding of the first files that are not UTF-8, taken together; it is found once."""
        if not self._has_common:
            heads = [read_whole(file)[:SAMPLE_BYTES] for file in self._files[:MAX_SAMPLED]]
            others = [head for head in heads if utf8_share(head) < 1 and b"\0" not in head]
            self._common, self._has_common = guess_encoding(b"\n".join(others)), True
        return self._common

    def _file_size(self, file: Path) -> int:
        """The bytes of a file; raise if it is too large to be read."""
        size = file.stat().st_size
        if size > self._options.max_row_bytes:
            raise self._options.too_large(f"{file} is a text")
        return size
