"""Files of text: lines, folders of .txt files, and JSON lines."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json as pajson

from problex._util.arrow import pc
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.dialect import looks_like_table
from problex.tables.encoding import Encoding, guess_encoding, utf8_share
from problex.tables.reader import (
    SAMPLE_ROWS,
    Position,
    RawBatch,
    Reader,
    ReadOptions,
    group_by_size,
    quote_columns,
    raw_bytes,
)
from problex.tables.source import (
    READ_BYTES,
    Chunk,
    Source,
    decode_whole,
    list_text_files,
    note_encoding,
    open_text,
    read_whole,
)

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
    r"""The lines of a chunk, by Arrow where they end as on Unix.

    >>> list(_split_lines(Chunk(b"a\r\nb\n", 5, 5))), _split_lines(Chunk(b"a\n\nb", 4, 4)).to_pylist()
    ([b'a', b'b'], [b'a', b'', b'b'])
    """
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


CONVERSION_ERRORS = (pa.ArrowException, OverflowError, UnicodeEncodeError)
ARROW_TYPES = (pa.string(), pa.int64(), pa.float64(), pa.bool_())
MAX_EXACT_INTEGER = 1 << 53  # a float cannot hold every larger integer
MAX_JSON_VALUES = 8_000_000  # in a line: each takes up to a hundred bytes
JsonObject = dict[str, object]
Records = list[tuple[int, JsonObject | None]]
"""The number of each line that is not blank, and its object; None if it is not an object."""
Reject = Callable[[int, str], None]
Types = Mapping[str, pa.DataType]


class JsonlReader(Reader):
    """A file with a JSON object per line; a position is the offset of the next line and the number of lines read.

    Arrow parses chunks of regular lines; a chunk with any other line is parsed line by line, to equal values.

    The objects of the first chunk that is not blank define the columns and the types of those that are kept.
    """

    optional_columns = True

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._text, self._options = open_text(source, options), options
        self.name, self.size, self._source = source.name, source.size, self._text.source
        self.note = note_encoding(self._text, options)
        self._chunks = self._source.chunks(READ_BYTES, options)
        self._head: list[Chunk] = []
        self._records = self._first_records()
        self.columns = list(dict.fromkeys(name for _, record in self._records for name in record or ()))

    def _first_records(self) -> Records:
        line = 0
        for chunk in self._chunks:
            self._head.append(chunk)
            if records := read_records(chunk, line, self._reject):
                return records
            line += chunk.data.count(b"\n")
        return []

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of fields in the first chunk."""
        return {name: field_type(name, self._records) for name in names}

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        records = [record for _, record in self._records[:SAMPLE_ROWS] if record]
        return {name: [record.get(name) for record in records] for name in self.columns}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The texts and the fields to keep, chunk by chunk."""
        types = self.types(keep)
        offset, line = start or (0, 0)
        for chunk in (
            self._source.chunks(READ_BYTES, self._options, offset) if start else chain(self._head, self._chunks)
        ):
            raw = parse_with_arrow(chunk.data, text, types) or parse_lines(chunk, line, text, types, self._reject)
            line += chunk.data.count(b"\n")
            yield replace(
                raw,
                position=(chunk.after, line),
                bytes_read=chunk.bytes_read,
                encoding=self._text.encoding.label,
                describe=self._text.describe,
            )

    def _reject(self, number: int, reason: str) -> None:
        if self._options.on_error == "stop":
            raise DocumentError(
                f"line {number} of {self.name} {reason}. Correct it, or give {opt('on_error', 'skip')}."
            )


def parse_with_arrow(data: bytes, text: str, types: Types) -> RawBatch | None:
    r"""A chunk parsed by Arrow; None if `parse_lines` would reject a line or convert a value.

    Counting short texts takes less than a quarter of the time that it takes line by line. Arrow ignores line ends, so
    each line must begin and end with a brace and be one object. Arrow reads a field that is absent as null.

    >>> lines = b'{"t": "a", "n": 1}\n', b'{"t": null}\n', b'{"t": "a", "n": 1.5}\n'
    >>> [parse_with_arrow(line, "t", {"n": pa.int64()}) is not None for line in lines]
    [True, False, False]
    """
    schema = {**types, text: pa.string()}
    lines = _count_regular_lines(data)
    if (
        not lines
        or any(kind not in ARROW_TYPES for kind in schema.values())
        or types.get(text, pa.string()) != pa.string()
    ):
        return None
    parse = pajson.ParseOptions(explicit_schema=pa.schema(list(schema.items())), unexpected_field_behavior="ignore")
    read = pajson.ReadOptions(use_threads=False, block_size=min(len(data) + 1, (1 << 31) - 1))
    try:
        table = pajson.read_json(pa.BufferReader(data), read, parse)
        table.validate(full=True)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    if table.num_rows != lines or table[text].null_count or table[text].num_chunks != 1:
        return None
    numbers = [table[name] for name, kind in types.items() if kind == pa.float64()]
    if any(pc.any(pc.greater_equal(pc.abs(column), MAX_EXACT_INTEGER)).as_py() for column in numbers):
        return None
    return RawBatch(table[text].chunk(0), table.select(list(types)) if types else None)


def _count_regular_lines(data: bytes) -> int:
    """The number of lines, if each begins with an opening brace and ends with a closing one; else 0.

    >>> _count_regular_lines(b'{"a": 1}\\n{"a": 2}'), _count_regular_lines(b'{"a": 1}\\n\\n{"a": 2}\\n')
    (2, 0)
    """
    values = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(values == ord("\n"))
    if not data.endswith(b"\n"):
        ends = np.append(ends, len(values))
    starts = np.append(0, ends[:-1] + 1)
    if (ends - starts < 2).any():
        return 0
    last = np.where(values[ends - 1] == ord("\r"), values[ends - 2], values[ends - 1])
    return len(ends) if (values[starts] == ord("{")).all() and (last == ord("}")).all() else 0


def parse_lines(chunk: Chunk, lines_before: int, text: str, types: Types, reject: Reject) -> RawBatch:
    r"""A chunk parsed line by line; `reject` gets the number of each line that is not valid, and the reason.

    >>> chunk = Chunk(b'{"t": "a"}\n[1]\n\n{"u": "b"}\n', 27, 27)
    >>> raw = parse_lines(chunk, 0, "t", {}, lambda number, reason: print("line", number))
    line 2
    line 4
    >>> raw.values, raw.invalid
    (['a', '', ''], 2)
    """
    records = read_records(chunk, lines_before, reject)
    usable = [record is not None and text in record for _, record in records]
    for (number, record), is_usable in zip(records, usable, strict=True):
        if record is not None and not is_usable:
            reject(number, f"has no field {text!r}; its fields are {quote_columns(list(record))}")
    values = [record[text] if record and text in record else "" for _, record in records]
    columns = {name: _field_values(name, records, kind, reject) for name, kind in types.items()}
    return RawBatch(values, pa.table(columns) if types else None, usable.count(False))


def read_records(chunk: Chunk, lines_before: int, reject: Reject) -> Records:
    """The objects of the lines of a chunk."""
    numbered = enumerate(chunk.lines(), lines_before + 1)
    return [(number, _read_record(line, number, reject)) for number, line in numbered if line.strip()]


def _read_record(line: bytes, number: int, reject: Reject) -> JsonObject | None:
    try:
        if len(line) > MAX_JSON_VALUES and sum(map(line.count, b",[{")) > MAX_JSON_VALUES:
            raise ValueError(f"of over {MAX_JSON_VALUES:,} values")
        # Bytes that are not UTF-8 become surrogates, so that a text with such bytes is checked like any other.
        record = json.loads(line.decode(errors="surrogateescape"))
        reason = f"of type {type(record).__name__}"
    except (ValueError, RecursionError) as error:
        record, reason = None, str(error)
    if isinstance(record, dict):
        return record
    shown = reprlib.repr(line.decode(errors="replace"))
    reject(number, f'is {shown} ({reason}); expected a JSON object such as {{"text": "..."}}')
    return None


def _field_values(name: str, records: Records, kind: pa.DataType, reject: Reject) -> pa.Array:
    """A field to keep, of the type that it has in the first chunk; mixed or nested values as JSON text.

    >>> _field_values("n", [(1, {"n": 1}), (2, {"n": "x"})], pa.int64(), print).to_pylist()
    2 has 'n': 'x'; expected int64, as before, in UTF-8
    [1, None]
    """
    values = [record.get(name) if record else None for _, record in records]
    if kind == pa.string():
        values = [v if v is None or isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values]
    try:
        return pa.array(values, kind)
    except CONVERSION_ERRORS:
        for at, value in enumerate(values):
            try:
                pa.scalar(value, kind)
            except CONVERSION_ERRORS:
                reason = f"has {name!r}: {reprlib.repr(value)}; expected {kind}, as before, in UTF-8"
                reject(records[at][0], reason)
                values[at] = raw_bytes(value).decode(errors="replace") if kind == pa.string() else None
        return pa.array(values, kind)


def field_type(name: str, records: Records) -> pa.DataType:
    """The Arrow type of a field: string if its values are mixed or nested.

    >>> field_type("n", [(1, {"n": 1}), (2, {"n": None})]), field_type("n", [(1, {"n": 1}), (2, {"n": 2.5})])
    (DataType(int64), DataType(string))
    """
    values = [record.get(name) if record else None for _, record in records]
    try:
        uniform = len({type(value) for value in values if value is not None}) == 1
        kind = pa.array(values).type if uniform else pa.string()
    except CONVERSION_ERRORS:
        kind = pa.string()
    return kind if pa.types.is_primitive(kind) else pa.string()
