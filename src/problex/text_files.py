"""Texts in files, folders and streams. Adding a format is one function and one line in `READERS`."""

from __future__ import annotations

import codecs
import difflib
import io
import json
import reprlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as papq

from problex.csv_files import open_csv
from problex.errors import DocumentError
from problex.pieces import (
    COMPRESSIONS,
    READ_BYTES,
    ROWS,
    SAMPLE,
    Opened,
    Piece,
    Settings,
    Source,
    gather,
    listed,
    naming,
    raw_bytes,
    record_piece,
    sample_of,
)

EXTENSIONS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
              ".parquet": "parquet", ".pq": "parquet", ".txt": "txt"}  # fmt: skip
UNFIT = (pa.ArrowException, OverflowError, UnicodeEncodeError)


def locate(path: Path, format: str | None) -> tuple[Source, str]:
    """The source at a path, and the name of its format."""
    if not path.exists():
        there = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        near = difflib.get_close_matches(path.name, there)
        advice = f"Did you mean {listed(near)}?" if near else f"Look into the folder {str(path.parent)!r}."
        raise DocumentError(f"there is no file or folder {str(path)!r}. {advice}")
    suffix = (Path(path.stem).suffix if path.suffix.lower() in COMPRESSIONS else path.suffix).lower()
    format = format or ("folder" if path.is_dir() else EXTENSIONS.get(suffix))
    if format is None:
        advice = "Write one JSON object per line (.jsonl)." if suffix == ".json" else "Rename it, or give format=..."
        raise DocumentError(
            f"{path} has the extension {suffix!r}; expected one of {', '.join(EXTENSIONS)}, where text may also be "
            f"compressed ({', '.join(COMPRESSIONS)}), or a folder of .txt. {advice}"
        )
    if path.is_fifo() or path.is_char_device():
        return Source(str(path), stream=io.BufferedReader(pa.PythonFile(path.open("rb"), mode="r"))), format
    return Source(str(path), path), format


def open_source(source: Source, format: str, settings: Settings) -> Opened:
    """Open a source with the reader of its format."""
    if format not in READERS:
        raise DocumentError(f"format is {format!r}; expected one of {listed(READERS)}.")
    if source.path is None and format in ("parquet", "folder"):
        raise DocumentError(f"{source.name}: {format} cannot be read from a stream. Save it and give its path.")
    with naming(source.name):
        return READERS[format](source, settings)


def _open_txt(source: Source, settings: Settings) -> Opened:
    return Opened(lambda text, keep: map(Piece, source.lines(settings.batch_bytes)))


def text_files_of(folder: Path) -> list[Path]:
    """The .txt files of a folder, sorted."""
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() == ".txt" and file.is_file())


def _open_folder(source: Source, settings: Settings) -> Opened:
    folder = source.path or Path()
    files = text_files_of(folder)
    if not files:
        raise DocumentError(f"the folder {folder} holds no .txt file; expected one document per .txt file.")

    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        for group in gather(files, settings.batch_bytes, lambda file: file.stat().st_size):
            values = [file.read_bytes().removeprefix(codecs.BOM_UTF8) for file in group]
            paths = [file.relative_to(folder).as_posix() for file in group]
            yield Piece(values, pa.table({"path": paths}) if keep else None, labels=paths)

    return Opened(pieces, ("text", "path"))


def _open_parquet(source: Source, settings: Settings) -> Opened:
    file = papq.ParquetFile(source.path, buffer_size=1 << 20, pre_buffer=False)

    def sample() -> dict[str, list[object]]:
        first = list(islice(file.iter_batches(SAMPLE), 1))
        return sample_of(pa.Table.from_batches(first)) if first else {}

    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
        chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
        size = sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema == text)
        rows = min(max(settings.batch_bytes * file.metadata.num_rows // max(size, 1), 1), ROWS)
        for records in file.iter_batches(rows, columns=list(dict.fromkeys([text, *keep]))):
            yield record_piece(records, text, keep)

    return Opened(pieces, file.schema_arrow.names, sample)


def _open_jsonl(source: Source, settings: Settings) -> Opened:
    reject = partial(_reject_line, source.name, settings.on_error)
    chunks = _records(source, READ_BYTES, reject)
    first = next(chunks, [])
    names = list(dict.fromkeys(name for _, record in first for name in record or ()))

    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        kinds: dict[str, pa.DataType] = {}
        for records in chain([first] if first else [], chunks):
            usable = [record is not None and text in record for _, record in records]
            for (number, record), good in zip(records, usable, strict=True):
                if record is not None and not good:
                    reject(number, f"has no field {text!r}; its fields are {listed(record)}")
            values = [record[text] if record and text in record else "" for _, record in records]
            columns = {name: _kept_json(name, records, kinds, reject) for name in keep}
            yield Piece(values, pa.table(columns) if keep else None, usable.count(False))

    def sample() -> dict[str, list[object]]:
        return {name: [record.get(name) for _, record in first[:SAMPLE] if record] for name in names}

    return Opened(pieces, names, sample)


Records = list[tuple[int, dict[str, Any] | None]]


Reject = Callable[[int, str], None]


def _reject_line(where: str, on_error: str, number: int, reason: str) -> None:
    if on_error == "stop":
        raise DocumentError(f'line {number} of {where} {reason}. Correct it, or give on_error="skip".')


def _records(source: Source, size: int, reject: Reject) -> Iterator[Records]:
    """The number and the object of each line that is not blank; None for a line that is no object."""
    before = 0
    for lines in source.lines(size):
        numbered = enumerate(lines, before + 1)
        if records := [(number, _record(line, number, reject)) for number, line in numbered if line.strip()]:
            yield records
        before += len(lines)


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


def _kept_json(name: str, records: Records, kinds: dict[str, pa.DataType], reject: Reject) -> pa.Array:
    """A kept field, of the type that it had in the first batch; what is mixed or nested, as JSON text."""
    values = [record.get(name) if record else None for _, record in records]
    kind = kinds.setdefault(name, _json_type(values))
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


Reader = Callable[[Source, Settings], Opened]


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "csv": open_csv,
        "tsv": partial(open_csv, delimiter="\t"),
        "jsonl": _open_jsonl,
        "parquet": _open_parquet,
        "txt": _open_txt,
        "folder": _open_folder,
    }
)
