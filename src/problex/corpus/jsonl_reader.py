"""JSONL: Arrow parses lines that are regular; a chunk with an odd one is parsed line by line, to the same result."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pajson

from problex._util.formatting import quote_all
from problex.corpus.batches import SAMPLE, Opened, Piece, Position, Settings, raw_bytes
from problex.corpus.sources import READ_BYTES, Chunk, Source
from problex.errors import DocumentError

UNFIT = (pa.ArrowException, OverflowError, UnicodeEncodeError)
FAST = (pa.string(), pa.int64(), pa.float64(), pa.bool_())
EXACT = 1 << 53  # beyond it a float does not hold every integer, of which the slow way complains
Records = list[tuple[int, dict[str, Any] | None]]
Reject = Callable[[int, str], None]
Kinds = Mapping[str, pa.DataType]


def open_jsonl(source: Source, settings: Settings) -> Opened:
    """Open a JSONL file: the objects of its first lines tell the fields."""
    reject = partial(_reject_line, source.name, settings.on_error)
    chunks = source.chunks(READ_BYTES)
    head, first = _first_records(chunks, reject)
    names = list(dict.fromkeys(name for _, record in first for name in record or ()))

    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
        kinds = {name: _json_type(_values(name, first)) for name in keep}
        offset, line = start or (0, 0)
        for chunk in source.chunks(READ_BYTES, offset) if start else chain(head, chunks):
            piece = _parse_fast(chunk.data, text, kinds) or _parse_slowly(chunk, line, text, kinds, reject)
            line += chunk.data.count(b"\n")
            yield replace(piece, position=(chunk.after, line), bytes_read=chunk.bytes_read)

    def sample() -> dict[str, list[object]]:
        return {name: [record.get(name) for _, record in first[:SAMPLE] if record] for name in names}

    return Opened(pieces, names, sample, loose=True)


def _reject_line(where: str, on_error: str, number: int, reason: str) -> None:
    if on_error == "stop":
        raise DocumentError(f'line {number} of {where} {reason}. Correct it, or give on_error="skip".')


def _first_records(chunks: Iterator[Chunk], reject: Reject) -> tuple[list[Chunk], Records]:
    """The chunks up to the first with a line that is not blank, and the objects of that one."""
    head: list[Chunk] = []
    line = 0
    for chunk in chunks:
        head.append(chunk)
        if records := _records(chunk, line, reject):
            return head, records
        line += chunk.data.count(b"\n")
    return head, []


def _parse_fast(data: bytes, text: str, kinds: Kinds) -> Piece | None:
    """A chunk by Arrow; None where the slow way would find anything to say or to decide.

    Arrow does not care about lines, so that each must begin and end with a brace, and be one object. To Arrow a field
    that is not there is null.
    """
    wanted = {**kinds, text: pa.string()}
    lines = _regular_lines(data)
    if not lines or any(kind not in FAST for kind in wanted.values()) or kinds.get(text, pa.string()) != pa.string():
        return None
    parse = pajson.ParseOptions(explicit_schema=pa.schema(list(wanted.items())), unexpected_field_behavior="ignore")
    read = pajson.ReadOptions(use_threads=False, block_size=min(len(data) + 1, (1 << 31) - 1))
    try:
        table = pajson.read_json(pa.BufferReader(data), read, parse)
        table.validate(full=True)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    if table.num_rows != lines or table[text].null_count or table[text].num_chunks != 1:
        return None
    numbers = [table[name] for name, kind in kinds.items() if kind == pa.float64()]
    if any(pc.any(pc.greater_equal(pc.abs(column), EXACT)).as_py() for column in numbers):
        return None
    return Piece(table[text].chunk(0), table.select(list(kinds)) if kinds else None)


def _regular_lines(data: bytes) -> int:
    """The number of lines, if each begins with an opening brace and ends with a closing one; else 0.

    >>> _regular_lines(b'{"a": 1}\\n{"a": 2}'), _regular_lines(b'{"a": 1}\\n\\n{"a": 2}\\n')
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


def _parse_slowly(chunk: Chunk, line: int, text: str, kinds: Kinds, reject: Reject) -> Piece:
    """A chunk line by line, naming what is wrong."""
    records = _records(chunk, line, reject)
    usable = [record is not None and text in record for _, record in records]
    for (number, record), good in zip(records, usable, strict=True):
        if record is not None and not good:
            reject(number, f"has no field {text!r}; its fields are {quote_all(record)}")
    values = [record[text] if record and text in record else "" for _, record in records]
    columns = {name: _kept_json(name, records, kind, reject) for name, kind in kinds.items()}
    return Piece(values, pa.table(columns) if kinds else None, usable.count(False))


def _records(chunk: Chunk, before: int, reject: Reject) -> Records:
    """The number and the object of each line that is not blank; None for a line that is no object."""
    numbered = enumerate(chunk.lines(), before + 1)
    return [(number, _record(line, number, reject)) for number, line in numbered if line.strip()]


def _record(line: bytes, number: int, reject: Reject) -> dict[str, Any] | None:
    try:
        # Bytes that are not UTF-8 pass as surrogates, so that a text with such bytes is judged like any other.
        record = json.loads(line.decode(errors="surrogateescape"))
        reason = f"of type {type(record).__name__}"
    except (ValueError, RecursionError) as error:
        record, reason = None, str(error)
    if isinstance(record, dict):
        return record
    reject(number, f'is {reprlib.repr(line)} ({reason}); expected a JSON object such as {{"text": "..."}}')
    return None


def _values(name: str, records: Records) -> list[Any]:
    return [record.get(name) if record else None for _, record in records]


def _kept_json(name: str, records: Records, kind: pa.DataType, reject: Reject) -> pa.Array:
    """A kept field, of the type that it had in the first chunk; what is mixed or nested, as JSON text."""
    values = _values(name, records)
    if kind == pa.string():
        values = [v if v is None or isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values]
    try:
        return pa.array(values, kind)
    except UNFIT:
        for at, value in enumerate(values):
            try:
                pa.scalar(value, kind)
            except UNFIT:
                reject(
                    records[at][0],
                    f"has {name!r}: {reprlib.repr(value)}; expected {kind}, as before, in UTF-8",
                )
                values[at] = raw_bytes(value).decode(errors="replace") if kind == pa.string() else None
        return pa.array(values, kind)


def _json_type(values: Sequence[object]) -> pa.DataType:
    try:
        uniform = len({type(value) for value in values if value is not None}) == 1
        kind = pa.array(values).type if uniform else pa.string()
    except UNFIT:
        kind = pa.string()
    return kind if pa.types.is_primitive(kind) else pa.string()
