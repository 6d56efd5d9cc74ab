"""Texts in files, folders and streams. Adding a format is one function and one line in `READERS`."""

from __future__ import annotations

import codecs
import difflib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as papq

from problex._util.formatting import quote_all
from problex.corpus.batches import (
    ROWS,
    SAMPLE,
    Opened,
    Piece,
    Position,
    Settings,
    gather,
    naming,
    record_piece,
    sample_of,
)
from problex.corpus.csv_reader import open_csv
from problex.corpus.jsonl_reader import open_jsonl
from problex.corpus.sources import BUFFER, COMPRESSIONS, Chunk, Source
from problex.errors import DocumentError

EXTENSIONS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
              ".parquet": "parquet", ".pq": "parquet", ".txt": "txt"}  # fmt: skip


def locate(path: Path, format: str | None) -> tuple[Source, str]:
    """The source at a path, and the name of its format."""
    if not path.exists():
        there = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        near = difflib.get_close_matches(path.name, there)
        advice = f"Did you mean {quote_all(near)}?" if near else f"Look into the folder {str(path.parent)!r}."
        raise DocumentError(f"there is no file or folder {str(path)!r}. {advice}")
    format = format or ("folder" if path.is_dir() else format_of(path))
    if format is None:
        suffix = _suffix(path)
        advice = "Write one JSON object per line (.jsonl)." if suffix == ".json" else "Rename it, or give format=..."
        raise DocumentError(
            f"{path} has the extension {suffix!r}; expected one of {', '.join(EXTENSIONS)}, where text may also be "
            f"compressed ({', '.join(COMPRESSIONS)}), or a folder of these. {advice}"
        )
    if path.is_fifo() or path.is_char_device():
        return Source(str(path), stream=io.BufferedReader(pa.PythonFile(path.open("rb"), mode="r"))), format
    return Source(str(path), path), format


def format_of(file: Path) -> str | None:
    """The format that a file's name says.

    >>> format_of(Path("reviews.jsonl.gz")), format_of(Path("notes.md"))
    ('jsonl', None)
    """
    return EXTENSIONS.get(_suffix(file))


def _suffix(path: Path) -> str:
    return (Path(path.stem).suffix if path.suffix.lower() in COMPRESSIONS else path.suffix).lower()


def open_source(source: Source, format: str, settings: Settings) -> Opened:
    """Open a source with the reader of its format."""
    if format not in READERS:
        raise DocumentError(f"format is {format!r}; expected one of {quote_all(READERS)}.")
    if source.path is None and format in ("parquet", "folder"):
        raise DocumentError(f"{source.name}: {format} cannot be read from a stream. Save it and give its path.")
    with naming(source.name):
        return READERS[format](source, settings)


def _open_txt(source: Source, settings: Settings) -> Opened:
    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
        for chunk in source.chunks(settings.batch_bytes, *start):
            yield Piece(_split_lines(chunk), position=(chunk.after,), bytes_read=chunk.bytes_read)

    return Opened(pieces)


def _split_lines(chunk: Chunk) -> Any:
    """The lines of a chunk, by Arrow where they end as on Unix."""
    if b"\r" in chunk.data:
        return chunk.lines()
    data = chunk.data.removesuffix(b"\n")
    # One value around the bytes as they are, where pa.scalar would copy them.
    ends = pa.py_buffer(np.array([0, len(data)], dtype=np.int64))
    whole = pa.Array.from_buffers(pa.large_binary(), 1, [None, ends, pa.py_buffer(data)])
    lines = pc.split_pattern(whole, "\n").values
    return lines[: 0 if not chunk.data else None]


def text_files_of(folder: Path) -> list[Path]:
    """The .txt files of a folder, sorted."""
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() == ".txt" and file.is_file())


def _open_folder(source: Source, settings: Settings) -> Opened:
    folder = source.path or Path()
    files = text_files_of(folder)
    if not files:
        raise DocumentError(
            f"the folder {folder} holds no file that can be read; expected .txt (each a document), or "
            f"files of one other format: {', '.join(EXTENSIONS)}."
        )

    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
        first, read = start or (0, 0)
        for group in gather(files[first:], settings.batch_bytes, lambda file: file.stat().st_size):
            values = [file.read_bytes() for file in group]
            first, read = first + len(group), read + sum(map(len, values))
            values = [value.removeprefix(codecs.BOM_UTF8) for value in values]
            paths = [file.relative_to(folder).as_posix() for file in group]
            yield Piece(values, pa.table({"path": paths}) if keep else None, 0, paths, (first, read), read)

    return Opened(pieces, ("text", "path"))


def _open_parquet(source: Source, settings: Settings) -> Opened:
    file = papq.ParquetFile(source.path, buffer_size=BUFFER, pre_buffer=False)
    size = source.path.stat().st_size if source.path else 0

    def sample() -> dict[str, list[object]]:
        first = list(islice(file.iter_batches(SAMPLE), 1))
        return sample_of(pa.Table.from_batches(first)) if first else {}

    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
        rows, units = _units(file, text, settings.batch_bytes)
        columns = list(dict.fromkeys([text, *keep]))
        unit, skipped, done = start or (0, 0, 0)
        for at in range(unit, len(units)):
            # Two columns at a time would only wait for each other: the threads are for counting.
            parts = file.iter_batches(rows, units[at], columns=columns, use_threads=False)
            for number, records in enumerate(islice(parts, skipped, None), skipped + 1):
                done += records.num_rows
                piece = record_piece(records, text, keep)
                gone = size * done // file.metadata.num_rows
                yield replace(piece, position=(at, number, done), bytes_read=gone)
            skipped = 0

    return Opened(pieces, file.schema_arrow.names, sample)


def _units(file: papq.ParquetFile, text: str, batch_bytes: int) -> tuple[int, list[list[int]]]:
    """How many rows make a batch, and row groups that are read together: small ones until they fill a batch."""
    groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
    sizes = [
        sum(
            group.column(number).total_uncompressed_size
            for number in range(group.num_columns)
            if group.column(number).path_in_schema == text
        )
        for group in groups
    ]
    rows = min(max(batch_bytes * file.metadata.num_rows // max(sum(sizes), 1), 1), ROWS)
    units: list[list[int]] = []
    filled = rows
    for number, group in enumerate(groups):
        if filled >= rows:
            units.append([])
            filled = 0
        units[-1].append(number)
        filled += group.num_rows
    return rows, units


Reader = Callable[[Source, Settings], Opened]


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "csv": open_csv,
        "tsv": partial(open_csv, delimiter="\t"),
        "jsonl": open_jsonl,
        "parquet": _open_parquet,
        "txt": _open_txt,
        "folder": _open_folder,
    }
)
