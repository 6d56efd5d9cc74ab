"""Texts from anywhere, in batches, as Arrow string arrays: lists, frames, Arrow, files, folders, streams.

A source is opened (its columns become known), a text column is chosen, and its pieces are checked and cut into
batches. Adding a file format is one function and one line in `READERS`.
"""

from __future__ import annotations

import codecs
import difflib
import io
import json
import re
import reprlib
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as papq

from problex.errors import DocumentError, DocumentWarning

ROWS = 1 << 16  # documents in a piece, before it is cut by bytes
SAMPLE = 100  # rows looked at to guess the text column
READ_BYTES = 1 << 20  # read at least at once, so that the columns and their types are known
LARGEST_ROW = 1 << 30  # of a CSV: Arrow counts the bytes of a block in 32 bits
QUOTED = re.compile(rb'"(?:[^"]++|"")*+("?)')
CHOICES = {"missing": ("error", "empty"), "on_error": ("stop", "skip", "replace")}
TEXT_NAMES = ("text", "document", "body", "content", "review", "comment", "message", "tweet", "sentence",
              "description", "abstract", "title", "transcript", "answer")  # fmt: skip
EXTENSIONS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl",
              ".parquet": "parquet", ".pq": "parquet", ".txt": "txt"}  # fmt: skip
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
# A quoted attribute may hold ">" but not "<", else one forgotten quote would swallow the text up to the next.
TAG = r"""(?s)<!--.*?-->|</?[A-Za-z](?:[^<>=]|=\s*"[^"<]*"|=\s*'[^'<]*'|=)*>"""
# The ampersand comes last: "&amp;lt;" is the text "&lt;", not "<".
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": "\u00a0", "&amp;": "&"}
UNFIT = (pa.ArrowException, OverflowError, UnicodeEncodeError)
Label = Callable[[int], str]


@dataclass(frozen=True)
class Batch:
    """Some documents: `texts` is a string or large_string array without nulls (they became "").

    `first_row` is the 0-based number of the first; `missing` and `invalid` count documents that were null, and that
    were skipped (they became "") or repaired; `columns` are the kept ones. A CSV row with too many or too few cells
    cannot become "": it is left out, and counted in `invalid`, in the end perhaps of a batch without texts.
    """

    texts: pa.Array
    first_row: int
    missing: int = 0
    invalid: int = 0
    columns: pa.Table | None = None


@dataclass(frozen=True)
class Settings:
    """How to treat what is wrong, and how much text makes a batch."""

    missing: str = "error"
    on_error: str = "stop"
    batch_bytes: int = 8 << 20

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if (given := getattr(self, name)) not in choices:
                raise DocumentError(f"{name} is {given!r}; expected one of {_listed(choices)}.")
        if self.batch_bytes < 1:
            raise DocumentError(f"batch_bytes is {self.batch_bytes}; expected a positive number of bytes.")


@dataclass(frozen=True)
class Piece:
    """What a reader delivers, unchecked: a list of anything, or an Arrow array; `labels` name each one's file."""

    values: Any
    columns: pa.Table | None = None
    invalid: int = 0
    labels: Sequence[str] = ()


@dataclass(frozen=True)
class Opened:
    """A source whose columns are known; `pieces(text, keep)` reads it."""

    pieces: Callable[[str, Sequence[str]], Iterator[Piece]]
    names: Sequence[str] = ()
    sample: Callable[[], Mapping[str, Sequence[object]]] = dict


@dataclass(frozen=True)
class Source:
    """A file or folder, or else a stream that can be read only once."""

    name: str
    path: Path | None = None
    stream: Any = None

    def open(self) -> Any:
        """The bytes, decompressed."""
        if self.path is None:
            return self.stream
        return pa.input_stream(str(self.path), compression=COMPRESSIONS.get(self.path.suffix.lower()))

    def lines(self, size: int) -> Iterator[list[bytes]]:
        """Lines without their ends, in lists of about `size` bytes."""
        stream = self.stream if self.path is None else io.BufferedReader(self.open(), 1 << 20)
        mark = codecs.BOM_UTF8
        while lines := stream.readlines(size):
            lines[0], mark = lines[0].removeprefix(mark), b""
            yield [line.removesuffix(b"\n").removesuffix(b"\r") for line in lines]


def batches(
    documents: object,
    *,
    text: str | None = None,
    missing: str = "error",
    on_error: str = "stop",
    keep: Sequence[str] = (),
    batch_bytes: int = 8 << 20,
    format: str | None = None,
) -> Iterator[Batch]:
    """The documents of a list, array, frame, iterator, stream or `pathlib.Path` (`-`: standard input) in batches.

    >>> [batch.texts.to_pylist() for batch in batches(["Good film.", "Bad film."])]
    [['Good film.', 'Bad film.']]
    """
    settings = Settings(missing, on_error, batch_bytes)
    if isinstance(documents, Path) and str(documents) == "-":
        documents = sys.stdin.buffer
    if isinstance(documents, Path):
        source, format = _locate(documents, format)
    elif isinstance(documents, io.RawIOBase | io.BufferedIOBase):
        source = Source(str(getattr(documents, "name", "the stream")), stream=documents)
    else:
        return _deliver(_open_memory(documents, batch_bytes), "", text, keep, settings)
    return _deliver(_open(source, format or "txt", settings), source.name, text, keep, settings)


def read_stream(stream: BinaryIO, format: str = "txt", **options: Any) -> Iterator[Batch]:
    """The documents of a binary stream in batches; the options are those of `batches`.

    >>> [batch.texts.to_pylist() for batch in read_stream(io.BytesIO(b"Good film.\\nBad film.\\n"))]
    [['Good film.', 'Bad film.']]
    """
    return batches(stream, format=format, **options)


def columns_of(path: Path, format: str | None = None) -> list[str]:
    """The names of the columns of a file; none for plain text, nor for what can be read only once."""
    if str(path) == "-" or path.is_fifo() or path.is_char_device():
        return []
    return list(_open(*_locate(path, format), Settings()).names)


def source_bytes(path: Path) -> int | None:
    """The bytes on disk of a file or of the texts in a folder, for progress; None where nobody can know."""
    if path.is_dir():
        return sum(file.stat().st_size for file in _text_files(path))
    return path.stat().st_size if path.is_file() else None


def choose_column(
    names: Sequence[str], sample: Mapping[str, Sequence[object]], text: str | None = None
) -> tuple[str, bool]:
    """The column that holds the texts, and whether it was guessed among several.

    >>> choose_column(["id", "Review"], sample={})
    ('Review', True)
    """
    if text is not None and text not in names:
        raise DocumentError(f"there is no column {text!r}; the columns are {_listed(names)}. Name one of these.")
    if text is not None or len(names) == 1:
        return text or names[0], False
    lower = {str(name).lower(): name for name in reversed(names)}
    usual = [lower[name] for name in TEXT_NAMES if name in lower]
    lengths = {name: _mean_length(sample.get(name, ())) for name in names}
    best = usual[0] if usual else max(names, key=lengths.__getitem__)
    if not usual and lengths[best] <= 20:
        raise DocumentError(
            f"no column is clearly the texts: the columns are {_listed(names)}; expected a usual name such as 'text', "
            "or long texts. Name the column with text=... / --text."
        )
    return best, True


def strip_markup(texts: pa.Array) -> pa.Array:
    """Tags and comments become a blank and the usual entities are decoded; "a < b and c > d" stays.

    >>> strip_markup(pa.array(["Good<br />film &amp; cast, 1 < 2"])).to_pylist()
    ['Good film & cast, 1 < 2']
    """
    if pc.any(pc.match_substring(texts, "<")).as_py():
        texts = pc.replace_substring_regex(texts, TAG, " ")
    if pc.any(pc.match_substring(texts, "&")).as_py():
        for entity, character in ENTITIES.items():
            texts = pc.replace_substring(texts, entity, character)
    return texts


# -- from pieces to batches


def _deliver(opened: Opened, where: str, text: str | None, keep: Sequence[str], settings: Settings) -> Iterator[Batch]:
    """Choose the columns now, so that a wrong name is reported at the call; read later."""
    names, keep, chosen = list(opened.names), [keep] if isinstance(keep, str) else list(keep), ""
    if names:
        with _naming(where):
            chosen, guessed = choose_column(names, opened.sample() if text is None else {}, text)
        if guessed and chosen != "text":
            message = f"reading texts from column {chosen!r} (guessed; name it with text=... / --text)"
            warnings.warn(message, DocumentWarning, stacklevel=3)
    for name in keep:
        if name not in names:
            raise DocumentError(f"there is no column {name!r} to keep; the columns are {_listed(names)}.")
    for name in [chosen, *keep]:
        if names.count(name) > 1:
            raise DocumentError(f"{names.count(name)} columns are called {name!r}; rename all but one.")
    return _batches(opened.pieces(chosen, keep), where, settings)


def _batches(pieces: Iterator[Piece], where: str, settings: Settings) -> Iterator[Batch]:
    row = 0
    with _naming(where):
        for piece in pieces:
            values, label, invalid = piece.values, partial(_label, where, row, piece.labels), piece.invalid
            if not isinstance(values, list):
                values = _as_text(values, partial(label, 0))
            for start, stop in _cuts(values, settings.batch_bytes) or [(0, 0)] * bool(invalid):
                texts, missing, changed = _checked(values[start:stop], partial(label, start), settings)
                columns = None if piece.columns is None else piece.columns.slice(start, stop - start)
                yield Batch(texts, row + start, missing, invalid + changed, columns)
                invalid = 0
            row += len(values)


def _checked(values: Any, label: Label, settings: Settings) -> tuple[pa.Array, int, int]:
    """Texts without nulls, how many were missing, how many invalid."""
    texts, invalid = _valid(values, label, settings.on_error)
    if texts.null_count and settings.missing == "error":
        raise DocumentError(
            f"{label(pc.index(texts.is_null(), True).as_py())} is missing (None, NaN or null); expected a text. "
            'Drop it, or let it count as an empty text with missing="empty".'
        )
    return texts.fill_null("") if texts.null_count else texts, texts.null_count, invalid


def _valid(values: Any, label: Label, on_error: str) -> tuple[pa.Array, int]:
    """Valid texts and nulls, and how many were invalid; one by one only where the fast way finds fault."""
    listed = isinstance(values, list)
    kind = pa.string() if not listed and values.type in (pa.string(), pa.binary()) else pa.large_string()
    try:
        if listed:
            return pa.array(values, kind, from_pandas=True), 0
        values.validate(full=True)
        return values.cast(kind), 0
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
        values = values if listed else values.cast(pa.large_binary()).to_pylist()
        fixed = [_fixed(value, at, label, on_error) for at, value in enumerate(values)]
        return pa.array([text for text, _ in fixed], kind), sum(changed for _, changed in fixed)


def _fixed(value: Any, at: int, label: Label, on_error: str) -> tuple[str | None, bool]:
    """One value as valid text or None, and whether it had to be changed."""
    value = value.as_py() if isinstance(value, pa.Scalar) else value
    if _is_missing(value):
        return None, False
    if not isinstance(value, str | bytes | bytearray | memoryview):
        raise DocumentError(
            f"{label(at)} is of type {type(value).__name__} ({reprlib.repr(value)}); expected a text (str). "
            "Drop it, or turn it into a text."
        )
    raw = _raw(value)
    try:
        return raw.decode(), False
    except UnicodeDecodeError as error:
        if on_error == "stop":
            raise DocumentError(
                f"{label(at)} is not valid UTF-8 at byte {error.start}. Convert it (iconv -f latin1 -t utf-8), or give "
                'on_error="skip" or "replace".'
            ) from None
        return "" if on_error == "skip" else raw.decode(errors="replace"), True


def _raw(value: Any) -> bytes:
    """The bytes of a text; undecodable bytes that were smuggled in as surrogates come out again."""
    if not isinstance(value, str):
        return bytes(value)
    try:
        return value.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return value.encode(errors="surrogatepass")


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA and arrays have no truth
        return type(value).__name__ == "NAType"


def _as_text(array: pa.Array, label: Label) -> pa.Array:
    """Any Arrow array of texts as (large_)string or (large_)binary."""
    if pa.types.is_dictionary(array.type):
        return _as_text(array.dictionary_decode(), label)
    if array.type in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
        return array
    if array.type in (pa.string_view(), pa.binary_view()):
        return array.cast(pa.large_binary())
    if array.null_count == len(array):
        return pa.nulls(len(array), pa.string())
    at = pc.index(array.is_valid(), True).as_py()
    raise DocumentError(
        f"{label(at)} is of type {array.type} ({reprlib.repr(array[at].as_py())}); expected a text. "
        "Choose a column of texts."
    )


def _cuts(values: Any, limit: int) -> list[tuple[int, int]]:
    """Bounds of runs of at most `limit` bytes (for str, characters), each of at least one document."""
    if isinstance(values, list):
        try:
            sizes = np.fromiter(map(len, values), np.int64, len(values))
        except TypeError:
            sizes = np.fromiter(map(_size, values), np.int64, len(values))
    else:
        sizes = np.asarray(pc.binary_length(values).fill_null(0), np.int64)
    ends, cuts, start = sizes.cumsum(), [], 0
    while start < len(values):
        stop = max(start + 1, int(ends.searchsorted(ends[start] - sizes[start] + limit, "right")))
        cuts.append((start, stop))
        start = stop
    return cuts


def _size(value: object) -> int:
    return len(value) if isinstance(value, str | bytes) else 0


def _gather(items: Iterable[Any], limit: int, size: Callable[[Any], int] = _size) -> Iterator[list[Any]]:
    """Items in lists of about `limit` bytes, reading no further than each list needs."""
    pile: list[Any] = []
    total = 0
    for item in items:
        pile.append(item)
        total += size(item)
        if total >= limit or len(pile) == ROWS:
            yield pile
            pile, total = [], 0
    if pile:
        yield pile


def _label(where: str, row: int, labels: Sequence[str], start: int, at: int) -> str:
    named = f" ({labels[start + at]})" if labels else ""
    return f"document {row + start + at}{named}" + (f" of {where}" if where else "")


def _listed(names: Iterable[object]) -> str:
    return ", ".join(map(repr, names)) or "none"


def _mean_length(values: Sequence[object]) -> float:
    present = [value for value in values if value is not None]
    return sum(map(_size, present)) / len(present) if present else 0.0


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """The complaints of Arrow and of the system, with the name of the file."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowTypeError, OSError, UnicodeDecodeError) as error:
        if not where:  # what an iterator of the caller raises is the caller's
            raise
        raise DocumentError(
            f"{where} cannot be read: {str(error).strip().rstrip('.')}. Expected a complete, readable file of the "
            "format that its name says: check it, or give format=..."
        ) from error


# -- what is in memory


def _open_memory(documents: Any, limit: int) -> Opened:
    if isinstance(documents, pa.RecordBatch):
        documents = pa.Table.from_batches([documents])
    if isinstance(documents, pa.Table):
        return _open_table(documents)
    if isinstance(documents, pa.Array | pa.ChunkedArray):
        table = pa.table({"text": documents})
        return Opened(lambda text, keep: _open_table(table).pieces("text", ()))
    native = nw.from_native(documents, pass_through=True, allow_series=True)
    if isinstance(native, nw.DataFrame):
        return _open_frame(native)
    if isinstance(native, nw.Series):
        return Opened(lambda text, keep: map(Piece, map(_series_values, _slices(native))))
    if isinstance(documents, np.ndarray) and documents.ndim == 1:
        return Opened(lambda text, keep: (Piece(part.tolist()) for part in _slices(documents)))
    if isinstance(documents, list | tuple):
        return Opened(lambda text, keep: map(Piece, map(list, _slices(documents))))
    if isinstance(documents, str | bytes | Mapping | np.ndarray) or not isinstance(documents, Iterable):
        advice = "Collect a lazy frame first, choose one column of an array, take the values of a dict."
        if isinstance(documents, str | bytes):
            advice = "Put a single text in a list, [text]; wrap the name of a file in pathlib.Path(name)."
        raise DocumentError(
            f"the documents are of type {type(documents).__name__} ({reprlib.repr(documents)}); expected a list, "
            f"column, frame or iterator of texts, or a pathlib.Path. {advice}"
        )
    return Opened(lambda text, keep: map(Piece, _gather(documents, limit)))


def _slices(values: Any) -> Iterator[Any]:
    return (values[start : start + ROWS] for start in range(0, len(values), ROWS))


def _open_table(table: pa.Table) -> Opened:
    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        wanted = table.select(list(dict.fromkeys([text, *keep])))
        return (_record_piece(records, text, keep) for records in wanted.to_batches(max_chunksize=ROWS))

    return Opened(pieces, table.column_names, lambda: _sample(table))


def _record_piece(records: pa.RecordBatch, text: str, keep: Sequence[str]) -> Piece:
    columns = pa.table({name: records.column(name) for name in keep}) if keep else None
    return Piece(records.column(text), columns)


def _sample(table: pa.Table) -> dict[str, list[object]]:
    """The first values of every column; texts as bytes, for they may not be valid."""
    texts = (pa.string(), pa.large_string(), pa.string_view())
    columns = table.slice(0, SAMPLE).columns
    columns = [column.cast(pa.large_binary()) if column.type in texts else column for column in columns]
    return {name: column.to_pylist() for name, column in zip(table.column_names, columns, strict=True)}


def _open_frame(frame: nw.DataFrame[Any]) -> Opened:
    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        for part in _slices(frame):
            yield Piece(_series_values(part[text]), _frame_columns(part, keep))

    def sample() -> dict[str, list[object]]:
        return {name: frame[name].head(SAMPLE).to_list() for name in frame.columns}

    return Opened(pieces, frame.columns, sample)


def _frame_columns(frame: nw.DataFrame[Any], keep: Sequence[str]) -> pa.Table | None:
    try:
        return frame.select(list(keep)).to_arrow().replace_schema_metadata(None) if keep else None
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError) as error:
        raise DocumentError(f"a column to keep has mixed types: {error}. Give each column one type.") from error


def _series_values(series: nw.Series[Any]) -> Any:
    """An Arrow array, or a list where the values are mixed, so that the odd one can be named."""
    try:
        return series.to_list() if series.dtype == nw.Object else series.to_arrow()
    except (pa.ArrowException, UnicodeEncodeError):
        return series.to_list()


# -- files


def _locate(path: Path, format: str | None) -> tuple[Source, str]:
    """The source at a path, and the name of its format."""
    if not path.exists():
        there = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        near = difflib.get_close_matches(path.name, there)
        advice = f"Did you mean {_listed(near)}?" if near else f"Look into the folder {str(path.parent)!r}."
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


def _open(source: Source, format: str, settings: Settings) -> Opened:
    if format not in READERS:
        raise DocumentError(f"format is {format!r}; expected one of {_listed(READERS)}.")
    if source.path is None and format in ("parquet", "folder"):
        raise DocumentError(f"{source.name}: {format} cannot be read from a stream. Save it and give its path.")
    with _naming(source.name):
        return READERS[format](source, settings)


def _open_txt(source: Source, settings: Settings) -> Opened:
    return Opened(lambda text, keep: map(Piece, source.lines(settings.batch_bytes)))


def _text_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() == ".txt" and file.is_file())


def _open_folder(source: Source, settings: Settings) -> Opened:
    folder = source.path or Path()
    files = _text_files(folder)
    if not files:
        raise DocumentError(f"the folder {folder} holds no .txt file; expected one document per .txt file.")

    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        for group in _gather(files, settings.batch_bytes, lambda file: file.stat().st_size):
            values = [file.read_bytes().removeprefix(codecs.BOM_UTF8) for file in group]
            paths = [file.relative_to(folder).as_posix() for file in group]
            yield Piece(values, pa.table({"path": paths}) if keep else None, labels=paths)

    return Opened(pieces, ("text", "path"))


def _open_parquet(source: Source, settings: Settings) -> Opened:
    file = papq.ParquetFile(source.path, buffer_size=1 << 20, pre_buffer=False)

    def sample() -> dict[str, list[object]]:
        first = list(islice(file.iter_batches(SAMPLE), 1))
        return _sample(pa.Table.from_batches(first)) if first else {}

    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        groups = [file.metadata.row_group(number) for number in range(file.num_row_groups)]
        chunks = [group.column(number) for group in groups for number in range(group.num_columns)]
        size = sum(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema == text)
        rows = min(max(settings.batch_bytes * file.metadata.num_rows // max(size, 1), 1), ROWS)
        for records in file.iter_batches(rows, columns=list(dict.fromkeys([text, *keep]))):
            yield _record_piece(records, text, keep)

    return Opened(pieces, file.schema_arrow.names, sample)


def _open_jsonl(source: Source, settings: Settings) -> Opened:
    reject = partial(_reject_line, source.name, settings.on_error)
    chunks = _records(source, max(settings.batch_bytes, READ_BYTES), reject)
    first = next(chunks, [])
    names = list(dict.fromkeys(name for _, record in first for name in record or ()))

    def pieces(text: str, keep: Sequence[str]) -> Iterator[Piece]:
        kinds: dict[str, pa.DataType] = {}
        for records in chain([first] if first else [], chunks):
            usable = [record is not None and text in record for _, record in records]
            for (number, record), good in zip(records, usable, strict=True):
                if record is not None and not good:
                    reject(number, f"has no field {text!r}; its fields are {_listed(record)}")
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
                values[at] = _raw(value).decode(errors="replace") if kind == pa.string() else None
        return pa.array(values, kind)


def _json_type(values: Sequence[object]) -> pa.DataType:
    try:
        uniform = len({type(value) for value in values if value is not None}) == 1
        kind = pa.array(values).type if uniform else pa.string()
    except UNFIT:
        kind = pa.string()
    return kind if pa.types.is_primitive(kind) else pa.string()


# -- CSV


def _open_csv(source: Source, settings: Settings, delimiter: str = ",") -> Opened:
    chunks = _chunks(source, settings, delimiter.encode())
    first = next(chunks, b"")
    if not first:
        return Opened(lambda text, keep: iter(()))
    head = first[: 1 << 20].decode(errors="replace").encode()
    table = pacsv.read_csv(pa.BufferReader(head), _one_block(head), _grammar(delimiter, []))
    csv = _Csv(source.name, settings, delimiter, table.column_names)
    return Opened(partial(csv.pieces, chain([first], chunks)), table.column_names, lambda: _sample(table))


def _chunks(source: Source, settings: Settings, delimiter: bytes) -> Iterator[bytes]:
    """Whole rows, in chunks of about the size of a batch.

    Arrow's own streaming reads ahead in a thread: a program that ends early would abort in the midst of it.
    """
    least = size = max(settings.batch_bytes, READ_BYTES)
    stream = source.open()
    rest = stream.read(3).removeprefix(codecs.BOM_UTF8)
    while data := stream.read(size):
        rest += data
        end = _end_of_rows(rest, delimiter)
        if rest[:end].strip(b"\r\n"):
            yield rest[:end]
        rest, size = rest[end:], least if end else 2 * size
        if len(rest) > LARGEST_ROW:
            raise DocumentError(
                f"{source.name} has a row of over {LARGEST_ROW >> 30} GiB, more than can be read. Is a quote left open?"
            )
    cells = _quoted(rest, delimiter)
    if cells and not cells[-1][2] and b"\n" in rest:
        message = f"the last row of {source.name} has a quote that is never closed, so that all lines after it "
        message += f"became part of it: {reprlib.repr(rest)}. Close the quote, or double it."
        if settings.on_error == "stop":
            raise DocumentError(message)
        warnings.warn(message, DocumentWarning, stacklevel=2)
    if rest.strip(b"\r\n"):
        yield rest + b"\n"


def _quoted(rows: bytes, delimiter: bytes) -> list[tuple[int, int, bool]]:
    """Where quoted cells begin and end, and whether they are closed; a quote within a cell opens nothing."""
    cells, at = [], 0
    while (start := rows.find(b'"', at)) >= 0:
        at = start + 1
        if start == 0 or rows[start - 1] in delimiter + b"\r\n":
            found = QUOTED.match(rows, start)
            assert found is not None
            at = found.end()
            cells.append((start, at, bool(found[1])))
    return cells


def _end_of_rows(rows: bytes, delimiter: bytes) -> int:
    """The end of the last row that is whole, the first of which begins at 0."""
    newline, end = b"\n" if b"\n" in rows else b"\r", len(rows)
    for start, stop, _ in reversed(_quoted(rows, delimiter)):
        if (at := rows.rfind(newline, stop, end)) >= 0:
            return at + 1
        end = start
    return rows.rfind(newline, 0, end) + 1


def _grammar(delimiter: str, rejected: list[object] | None) -> Any:
    def skip(row: object) -> str:
        assert rejected is not None
        rejected.append(row)
        return "skip"

    handler = None if rejected is None else skip
    return pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=handler)


def _one_block(rows: bytes, **options: Any) -> Any:
    # Without threads Arrow knows the numbers of bad rows; transcoded rows take up to twice their bytes.
    return pacsv.ReadOptions(use_threads=False, block_size=min(2 * len(rows) + 2, (1 << 31) - 1), **options)


@dataclass(frozen=True)
class _Csv:
    """A CSV whose columns are known; Arrow is told their places, since names may be doubled or not UTF-8."""

    name: str
    settings: Settings
    delimiter: str
    names: Sequence[str]

    def pieces(self, chunks: Iterator[bytes], text: str, keep: Sequence[str]) -> Iterator[Piece]:
        places = {name: str(self.names.index(name)) for name in [text, *keep]}
        how = "stop" if self.settings.on_error == "stop" else "replace"
        row, before, header = 0, 0, 1  # to Arrow the header is a row
        for chunk in chunks:
            columns, rejected = self.parse(chunk, list(dict.fromkeys(places.values())), before)
            before += len(columns[places[text]]) + rejected
            values, kept = columns[places[text]][header:], {}
            for name in keep:
                label = partial(_label, f"{self.name}, column {name!r},", row, (), 0)
                kept[name] = _valid(columns[places[name]][header:], label, how)[0]
            yield Piece(values, pa.table(kept) if keep else None, rejected)
            row, header = row + len(values), 0

    def parse(self, chunk: bytes, wanted: list[str], before: int) -> tuple[dict[str, pa.Array], int]:
        """Columns of bytes, and how many rows had too many or too few cells."""
        try:
            return self.read(chunk, wanted, None), 0
        except pa.ArrowInvalid as error:
            ragged = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+): (.*)", str(error), re.DOTALL)
            if ragged is None:
                raise
        if self.settings.on_error == "stop":
            number, expected, got, cells = ragged.groups()
            raise DocumentError(
                f"row {before + int(number)} of {self.name} (the header is row 1; blank lines do not count) has {got} "
                f"cells, {reprlib.repr(cells)}; expected {expected}. Correct it (is a quote or a delimiter missing?), "
                'or give on_error="skip".'
            )
        rejected: list[object] = []
        return self.read(chunk, wanted, rejected), len(rejected)

    def read(self, chunk: bytes, wanted: list[str], rejected: list[object] | None) -> dict[str, pa.Array]:
        """Arrow can only skip bad rows that are UTF-8, so these are read as latin-1, which gives all bytes back."""
        places = [str(place) for place in range(len(self.names))]
        encoding, kind = ("utf8", pa.binary()) if rejected is None else ("latin-1", pa.string())
        table = pacsv.read_csv(
            pa.BufferReader(chunk),
            _one_block(chunk, column_names=places, encoding=encoding),
            _grammar(self.delimiter, rejected),
            pacsv.ConvertOptions(check_utf8=False, column_types=dict.fromkeys(places, kind), include_columns=wanted),
        )
        columns = {place: table.column(place) for place in wanted}
        if encoding == "utf8":
            return {place: column.chunk(0) for place, column in columns.items()}
        texts = {place: column.to_pylist() for place, column in columns.items()}
        return {place: pa.array([t.encode("latin-1") for t in texts[place]], pa.binary()) for place in wanted}


Reader = Callable[[Source, Settings], Opened]
READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "csv": _open_csv,
        "tsv": partial(_open_csv, delimiter="\t"),
        "jsonl": _open_jsonl,
        "parquet": _open_parquet,
        "txt": _open_txt,
        "folder": _open_folder,
    }
)
