"""The file formats of texts. A new format is one reader class and one entry in `FORMATS`."""

from __future__ import annotations

import difflib
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from problex._util.formatting import quote_all
from problex.corpus.batch import ReadOptions
from problex.corpus.csv_reader import CsvReader, TsvReader
from problex.corpus.jsonl_reader import JsonlReader
from problex.corpus.parquet_reader import ParquetReader
from problex.corpus.reader import Reader, file_errors
from problex.corpus.sources import COMPRESSIONS, Source
from problex.corpus.text_reader import FolderReader, LineReader
from problex.errors import DocumentError


@dataclass(frozen=True)
class Format:
    """A file format: its name, the endings of its files, its reader, and whether a stream can have it."""

    name: str
    endings: tuple[str, ...]
    reader: Callable[[Source, ReadOptions], Reader]
    stream: bool


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        format.name: format
        for format in (
            Format("csv", (".csv",), CsvReader, stream=True),
            Format("tsv", (".tsv", ".tab"), TsvReader, stream=True),
            Format("jsonl", (".jsonl", ".ndjson"), JsonlReader, stream=True),
            Format("parquet", (".parquet", ".pq"), ParquetReader, stream=False),
            Format("txt", (".txt",), LineReader, stream=True),
            Format("folder", (), FolderReader, stream=False),
        )
    }
)
STREAM_FORMATS = tuple(format.name for format in FORMATS.values() if format.stream)
FORMAT_OF_ENDING = {ending: format.name for format in FORMATS.values() for ending in format.endings}


def guess_format(file: Path) -> str | None:
    """The format by the ending of a file's name, None if it is unknown.

    >>> guess_format(Path("reviews.jsonl.gz")), guess_format(Path("notes.md"))
    ('jsonl', None)
    """
    return FORMAT_OF_ENDING.get(_ending(file))


def _ending(path: Path) -> str:
    return (Path(path.stem).suffix if path.suffix.lower() in COMPRESSIONS else path.suffix).lower()


def open_path(path: Path, options: ReadOptions) -> Reader:
    """The reader of a file or folder; a pipe or device is read as a stream."""
    if not path.exists():
        neighbours = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        similar = difflib.get_close_matches(path.name, neighbours)
        advice = f"Did you mean {quote_all(similar)}?" if similar else f"Check the folder {str(path.parent)!r}."
        raise DocumentError(f"there is no file or folder {str(path)!r}. {advice}")
    format = options.format or ("folder" if path.is_dir() else guess_format(path))
    if format is None:
        ending = _ending(path)
        advice = "Write one JSON object per line (.jsonl)." if ending == ".json" else "Rename it, or give format=..."
        raise DocumentError(
            f"{path} has the extension {ending!r}; expected one of {', '.join(FORMAT_OF_ENDING)}, where text may also "
            f"be compressed ({', '.join(COMPRESSIONS)}), or a folder of these. {advice}"
        )
    if path.is_fifo() or path.is_char_device():
        stream = io.BufferedReader(pa.PythonFile(path.open("rb"), mode="r"))
        return open_source(Source(str(path), stream=stream), format, options)
    return open_source(Source(str(path), path), format, options)


def open_source(source: Source, format: str, options: ReadOptions) -> Reader:
    """The reader of a source of a known format."""
    if format not in FORMATS:
        raise DocumentError(f"format is {format!r}; expected one of {quote_all(FORMATS)}.")
    if source.path is None and not FORMATS[format].stream:
        raise DocumentError(f"{source.name}: {format} cannot be read from a stream. Save it and give its path.")
    with file_errors(source.name):
        return FORMATS[format].reader(source, options)
