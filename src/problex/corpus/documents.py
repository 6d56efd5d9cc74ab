"""Texts from anywhere, in batches, as Arrow string arrays: lists, frames, Arrow, files, folders, streams.

A source is opened (its columns become known), a text column is chosen, and its pieces are checked and cut into
batches.
"""

from __future__ import annotations

import io
import reprlib
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeGuard

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from problex._util.formatting import quote_all
from problex._util.threads import prefetch
from problex.corpus.batches import (
    ROWS,
    SAMPLE,
    Batch,
    Opened,
    Piece,
    Position,
    Settings,
    cut_batches,
    gather,
    naming,
    record_piece,
    sample_of,
    text_size,
)
from problex.corpus.files import Corpus, files_of, open_corpus, source_size
from problex.corpus.readers import READERS, locate, open_source
from problex.corpus.sources import Source
from problex.errors import DocumentError, DocumentWarning

__all__ = ["READERS", "Batch", "batches", "choose_column", "columns_of", "read_stream", "source_bytes", "strip_markup"]
STDIN: tuple[object, ...] = (Path("-"), [Path("-")])
TEXT_NAMES = ("text", "document", "body", "content", "review", "comment", "message", "tweet", "sentence",
              "description", "abstract", "title", "transcript", "answer")  # fmt: skip
# A quoted attribute may hold ">" but not "<", else one forgotten quote would swallow the text up to the next.
TAG = r"""(?s)<!--.*?-->|</?[A-Za-z](?:[^<>=]|=\s*"[^"<]*"|=\s*'[^'<]*'|=)*>"""
# The ampersand comes last: "&amp;lt;" is the text "&lt;", not "<".
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&nbsp;": "\u00a0", "&amp;": "&"}


def batches(
    documents: object,
    *,
    text: str | None = None,
    missing: str = "error",
    on_error: str = "stop",
    keep: Sequence[str] = (),
    batch_bytes: int = 8 << 20,
    format: str | None = None,
    start: Position = (),
) -> Iterator[Batch]:
    """The documents of a list, array, frame, iterator, stream or `pathlib.Path` (`-`: standard input) in batches.

    A path may be a file, a folder, or a pattern such as data/*.parquet, and there may be several in a list. Files are
    read ahead by a thread of their own, and from `start` on, the `position` of a batch of the same files and options.

    >>> [batch.texts.to_pylist() for batch in batches(["Good film.", "Bad film."])]
    [['Good film.', 'Bad film.']]
    """
    settings = Settings(missing, on_error, batch_bytes)
    if is_corpus(documents) and documents in STDIN:
        documents = sys.stdin.buffer
    if is_corpus(documents):
        files = files_of(documents)
        opened, where = open_corpus(files, format, settings)
        found = _deliver(opened, where, text, keep, settings, start)
        return prefetch(found) if all(file.is_file() or file.is_dir() for file in files) else found
    if start:
        raise DocumentError("reading can go on only in files: give their paths, or begin at the beginning")
    if isinstance(documents, io.RawIOBase | io.BufferedIOBase) or (format and hasattr(documents, "readlines")):
        source = Source(str(getattr(documents, "name", "the stream")), stream=documents)
        return _deliver(open_source(source, format or "txt", settings), source.name, text, keep, settings)
    return _deliver(_open_memory(documents, batch_bytes), "", text, keep, settings)


def is_corpus(documents: object) -> TypeGuard[Corpus]:
    """Whether documents are given as paths: one, or a list of nothing else."""
    many = isinstance(documents, list | tuple) and bool(documents)
    return isinstance(documents, Path) or (many and all(isinstance(path, Path) for path in documents))  # type: ignore[attr-defined]


def read_stream(stream: BinaryIO, format: str = "txt", **options: Any) -> Iterator[Batch]:
    """The documents of a binary stream in batches; the options are those of `batches`.

    >>> [batch.texts.to_pylist() for batch in read_stream(io.BytesIO(b"Good film.\\nBad film.\\n"))]
    [['Good film.', 'Bad film.']]
    """
    return batches(stream, format=format, **options)


def columns_of(corpus: Corpus, format: str | None = None) -> list[str]:
    """The names of the columns of files; none for plain text, nor for what can be read only once."""
    if corpus in STDIN:
        return []
    first = files_of(corpus)[0]
    if first.is_fifo() or first.is_char_device():
        return []
    return list(open_source(*locate(first, format), Settings()).names)


def source_bytes(corpus: Corpus) -> int | None:
    """The bytes on disk of the files, for progress; None where nobody can know."""
    return sum(map(source_size, files_of(corpus))) or None


def choose_column(
    names: Sequence[str], sample: Mapping[str, Sequence[object]], text: str | None = None
) -> tuple[str, bool]:
    """The column that holds the texts, and whether it was guessed among several.

    >>> choose_column(["id", "Review"], sample={})
    ('Review', True)
    """
    if text is not None and text not in names:
        raise DocumentError(f"there is no column {text!r}; the columns are {quote_all(names)}. Name one of these.")
    if text is not None or len(names) == 1:
        return text or names[0], False
    lower = {str(name).lower(): name for name in reversed(names)}
    usual = [lower[name] for name in TEXT_NAMES if name in lower]
    lengths = {name: _mean_length(sample.get(name, ())) for name in names}
    best = usual[0] if usual else max(names, key=lengths.__getitem__)
    if not usual and lengths[best] <= 20:
        raise DocumentError(
            f"no column is clearly the texts: the columns are {quote_all(names)}; expected a usual name such as "
            "'text', or long texts. Name the column with text=...."
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


def _deliver(
    opened: Opened, where: str, text: str | None, keep: Sequence[str], settings: Settings, start: Position = ()
) -> Iterator[Batch]:
    """Choose the columns now, so that a wrong name is reported at the call; read later."""
    names, keep, chosen = list(opened.names), [keep] if isinstance(keep, str) else list(keep), ""
    if names:
        with naming(where):
            chosen, guessed = choose_column(names, opened.sample() if text is None else {}, text)
        if guessed and chosen != "text":
            message = f"reading texts from column {chosen!r} (guessed; name it with text=...)"
            warnings.warn(message, DocumentWarning, stacklevel=3)
    for name in keep:
        if name not in names:
            raise DocumentError(f"there is no column {name!r} to keep; the columns are {quote_all(names)}.")
    for name in [chosen, *keep]:
        if names.count(name) > 1:
            raise DocumentError(f"{names.count(name)} columns are called {name!r}; rename all but one.")
    row = start[0] if start else 0
    return cut_batches(opened.pieces(chosen, keep, start[1:]), where, settings, row, opened.size)


def _mean_length(values: Sequence[object]) -> float:
    present = [value for value in values if value is not None]
    return sum(map(text_size, present)) / len(present) if present else 0.0


def _open_memory(documents: Any, limit: int) -> Opened:
    if isinstance(documents, pa.RecordBatch):
        documents = pa.Table.from_batches([documents])
    if isinstance(documents, pa.Table):
        return _open_table(documents)
    if isinstance(documents, pa.Array | pa.ChunkedArray):
        table = pa.table({"text": documents})
        return Opened(lambda text, keep, start: _open_table(table).pieces("text", (), ()))
    native = nw.from_native(documents, pass_through=True, allow_series=True)
    if isinstance(native, nw.DataFrame):
        return _open_frame(native)
    if isinstance(native, nw.Series):
        return Opened(lambda text, keep, start: map(Piece, map(_series_values, _slices(native))))
    if isinstance(documents, np.ndarray) and documents.ndim == 1:
        return Opened(lambda text, keep, start: (Piece(part.tolist()) for part in _slices(documents)))
    if isinstance(documents, list | tuple):
        return Opened(lambda text, keep, start: map(Piece, map(list, _slices(documents))))
    if isinstance(documents, str | bytes | Mapping | np.ndarray) or not isinstance(documents, Iterable):
        advice = "Collect a lazy frame first, choose one column of an array, take the values of a dict."
        if isinstance(documents, str | bytes):
            advice = "If it is a text, put it in a list; if it names a file, wrap it in pathlib.Path."
        raise DocumentError(
            f"the documents are of type {type(documents).__name__} ({reprlib.repr(documents)}); expected a list, "
            f"column, frame or iterator of texts, or a pathlib.Path. {advice}"
        )
    return Opened(lambda text, keep, start: map(Piece, gather(documents, limit)))


def _slices(values: Any) -> Iterator[Any]:
    return (values[start : start + ROWS] for start in range(0, len(values), ROWS))


def _open_table(table: pa.Table) -> Opened:
    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
        wanted = table.select(list(dict.fromkeys([text, *keep])))
        return (record_piece(records, text, keep) for records in wanted.to_batches(max_chunksize=ROWS))

    return Opened(pieces, table.column_names, lambda: sample_of(table))


def _open_frame(frame: nw.DataFrame[Any]) -> Opened:
    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
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
