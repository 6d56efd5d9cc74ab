"""Documents from any source, in batches or as a preview: the source gets a reader, whose text column is chosen."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeGuard, Unpack

import pyarrow as pa

from problex._util.arrow import pc
from problex._util.formatting import pluralize
from problex._util.memory import DEFAULT_MEMORY
from problex._util.records import Record
from problex._util.threads import prefetch
from problex.corpus.batch import Batch, Losses, make_batches, strip_markup, warn_of_markup
from problex.corpus.files import Paths, list_files, open_files, say_formats
from problex.corpus.memory_reader import open_memory
from problex.errors import DocumentError, DocumentWarning, warn_caller
from problex.tables.columns import choose_text_column, find_text_column
from problex.tables.formats import open_source
from problex.tables.reader import Position, RawBatch, Reader, Reading, ReadOptions, file_errors, quote_columns
from problex.tables.several import FilesReader
from problex.tables.source import Source
from problex.tables.write import text_values, to_records

STDIN: tuple[object, ...] = (Path("-"), [Path("-")], "-", ["-"])


def batches(
    documents: object,
    *,
    text: str | None = None,
    keep: Sequence[str] | None = (),
    batch_bytes: int = 8 << 20,
    start: Position = (),
    memory: int = DEFAULT_MEMORY,
    hint_markup: bool = False,
    **reading: Unpack[Reading],
) -> Iterator[Batch]:
    """The documents of a list, array, frame, iterator, stream or `pathlib.Path` (`-`: standard input) in batches.

    A path may be a file, a folder, or a pattern such as data/*.parquet, and there may be several in a list. Files are
    read ahead by a thread of their own, and from `start`, the `position` of a batch of the same files and options.
    A row may take a quarter of `memory`. `keep` are columns to keep with the texts (None: all). With `hint_markup`, a
    warning says if texts of a file have HTML tags. `reading` are the options of `ReadOptions`, such as `missing`.

    >>> [batch.texts.to_pylist() for batch in batches(["Good film.", "Bad film."])]
    [['Good film.', 'Bad film.']]
    """
    options = ReadOptions(batch_bytes=batch_bytes, memory=memory, text=text, hint_markup=hint_markup, **reading)
    is_list = isinstance(documents, list | tuple)
    if is_list and not (keep or start or is_paths(documents)):
        return make_batches([RawBatch(documents)], options)  # there are no columns to choose from
    if is_paths(documents) and documents not in STDIN:
        files = list_files(documents)
        say_formats(documents)
        stream = _read(open_files(files, options), text, keep, options, start)
        return prefetch(stream) if all(file.is_file() or file.is_dir() for file in files) else stream
    if start:
        raise DocumentError("reading can continue only in files: give their paths, or start at the beginning")
    if is_paths(documents):
        documents = sys.stdin.buffer
    if isinstance(documents, io.RawIOBase | io.BufferedIOBase) or (options.format and hasattr(documents, "readlines")):
        source = Source(str(getattr(documents, "name", "the stream")), stream=documents)
        return _read(open_source(source, options.format or "txt", options), text, keep, options)
    return _read(open_memory(documents, options), text, keep, options)


def rereader(documents: object, **options: Any) -> Callable[[], Iterable[Batch]]:
    """A function that returns the batches of documents each time it is called; the options are those of `batches`.

    Iterators and streams can be read once only, so their texts are kept in memory.

    >>> read = rereader(iter(["Good film."]))
    >>> [[batch.texts.to_pylist() for batch in read()] for _ in range(2)]
    [[['Good film.']], [['Good film.']]]
    """
    if isinstance(documents, Iterator | io.IOBase):
        held = list(batches(documents, **options))
        return lambda: held
    return lambda: batches(documents, **options)


def is_paths(documents: object) -> TypeGuard[Paths]:
    """Whether the documents are a path, or a list of nothing but paths.

    >>> is_paths([Path("a.csv"), Path("b.csv")]), is_paths(["a text"]), is_paths([])
    (True, False, False)
    """
    if isinstance(documents, list | tuple) and documents:
        return isinstance(documents[0], Path) and all(isinstance(path, Path) for path in documents)
    return isinstance(documents, Path)


def read_stream(stream: BinaryIO, format: str = "txt", **options: Any) -> Iterator[Batch]:
    """The documents of a binary stream in batches; the options are those of `batches`.

    >>> [batch.texts.to_pylist() for batch in read_stream(io.BytesIO(b"Good film.\\nBad film.\\n"))]
    [['Good film.', 'Bad film.']]
    """
    return batches(stream, format=format, **options)


def column_names(
    paths: Paths | str | Sequence[str], format: str | None = None, memory: int = DEFAULT_MEMORY, **reading: Any
) -> list[str]:
    """The names of the columns of files; none for plain text, nor for what can be read only once."""
    if paths in STDIN:
        return []
    files = list_files(paths)
    if any(file.is_fifo() or file.is_char_device() for file in files):
        return []
    return list(open_files(files, ReadOptions(memory=memory, format=format, **reading)).columns)


def _read(
    reader: Reader, text: str | None, keep: Sequence[str] | None, options: ReadOptions, start: Position = ()
) -> Iterator[Batch]:
    """Choose the columns now, so that a wrong name is reported at the call; read later."""
    columns = list(reader.columns)
    keep = columns if keep is None else [keep] if isinstance(keep, str) else list(keep)
    if reader.note:
        warn_caller(f"{reader.name}: {reader.note}", DocumentWarning)
    chosen = ""
    if columns and isinstance(reader, FilesReader):
        chosen = reader.text_column(text)
    elif columns:
        chosen = choose_text_column(reader, text)
    for name in keep:
        if name not in columns:
            raise DocumentError(
                f"there is no column {name!r}; the columns are {quote_columns(columns)}. Name one of these."
            )
    for name in [chosen, *keep]:
        if columns.count(name) > 1:
            raise DocumentError(f"{columns.count(name)} columns are called {name!r}; rename all but one.")
        if name.encode(errors="replace").decode() != name:
            raise DocumentError(f"the name of column {name!a} is not valid text: it has half a character. Rename it.")
    row, invalid, rows = start[:3] if start else (0, 0, 0)
    losses = Losses(options.on_error, reader.name, invalid, rows) if reader.name else None
    stream = make_batches(reader.read(chosen, keep, start[3:]), options, reader.name, row, reader.size, losses)
    if not reader.name:
        return stream
    stream = _with_file_name(stream, reader.name)
    return warn_of_markup(stream, reader.name) if options.hint_markup and not start else stream


def _with_file_name(stream: Iterator[Batch], name: str) -> Iterator[Batch]:
    with file_errors(name):
        yield from stream


def documents_at(
    stream: Iterable[Batch], rows: Iterable[int], *, markup: bool = False, source: str = "the source"
) -> dict[int, Record]:
    """The documents with these row numbers: the text and the kept columns of each. No other document is held.

    >>> from problex.corpus import batches
    >>> documents_at(batches(["Good film.", "Bad film."]), [1])
    {1: {'text': 'Bad film.'}}
    """
    remaining = sorted(set(rows), reverse=True)
    documents: dict[int, Record] = {}
    end = 0
    for batch in stream if remaining else ():
        end = batch.first_row + len(batch.texts)
        while remaining and batch.first_row <= remaining[-1] < end:
            row = remaining.pop()
            text = batch.texts.slice(row - batch.first_row, 1)
            columns = to_records(batch.columns.slice(row - batch.first_row, 1))[0] if batch.columns is not None else {}
            documents[row] = {**columns, "text": (strip_markup(text) if markup else text)[0].as_py()}
        if not remaining:
            break
    if remaining:
        raise DocumentError(
            f"row {remaining[-1]:,} was requested, but {source} has {pluralize(end, 'document')}: expected 0 to "
            f"{max(end - 1, 0):,}, as problex predict numbers them"
        )
    return documents


PEEK_BYTES = 1 << 18
"""About as many bytes are read, if the format allows it."""
MAX_CHARACTERS = 1000
"""Characters of a cell that are shown."""


@dataclass(frozen=True)
class Preview:
    """The first rows of files: `columns` are the names of all columns, none for plain text.

    `text` is the column that was given, or that probably has the texts (`guessed`), None if none is likely. `texts`
    and `rows` are its first values and the first rows as shown text, cells by column. `problems` are sentences.
    """

    columns: tuple[str, ...]
    text: str | None
    guessed: bool
    texts: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    problems: tuple[str, ...]


def peek(paths: Paths, rows: int = 20, *, text: str | None = None, **reading: Unpack[Reading]) -> Preview:
    """Look at the first rows of a file, folder or list of files, as a person would before choosing its columns.

    `reading` are the options of `batches`. A file that cannot be opened at all raises a `DocumentError`; rows that
    cannot be read are left out of the preview and reported in `problems`, as are the warnings that reading gives.
    Warnings are caught while it runs, so call it from one thread at a time.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        reader = open_files(list_files(paths), ReadOptions(**reading))
        columns, problems = tuple(reader.columns), []
        chosen, guessed = text, False
        if columns:
            try:
                chosen, guessed = find_text_column(reader, text)
            except DocumentError as error:
                problems.append(str(error))
                chosen = None
        batch = _first_batch(paths, chosen, columns, problems, reading)
    told = [str(warning.message) for warning in caught if issubclass(warning.category, DocumentWarning)]
    texts: tuple[str, ...] = ()
    if batch is not None and (chosen is not None or not columns):
        texts = tuple(_shown(value) for value in batch.texts.slice(0, rows).to_pylist())
        problems += _missing_texts(batch)
    shown = () if batch is None or batch.columns is None else tuple(_rows(batch.columns.slice(0, rows)))
    return Preview(columns, chosen, guessed, texts, shown, tuple(dict.fromkeys([*told, *problems])))


def _missing_texts(batch: Batch) -> list[str]:
    """A sentence about the rows without a text, if there are some.

    >>> _missing_texts(Batch(pa.array(["good", " ", ""]), 0))
    ['2 of the first 3 rows have no text: check the column of the texts']
    """
    blank = int(pc.sum(pc.equal(pc.utf8_trim_whitespace(batch.texts), "")).as_py() or 0)
    if not blank:
        return []
    verb = "has" if blank == 1 else "have"
    return [
        f"{blank:,} of the first {pluralize(len(batch.texts), 'row')} {verb} no text: check the column of the texts"
    ]


def _first_batch(
    paths: Paths, text: str | None, columns: tuple[str, ...], problems: list[str], reading: Reading
) -> Batch | None:
    """The first rows as `batches` reads them; if some cannot be read, that is a problem, and the others are given."""
    single = [name for name in columns if columns.count(name) == 1]
    given = dict(reading)
    for on_error in dict.fromkeys([given.pop("on_error", "stop"), "skip"]):
        options: Any = {**given, "missing": "empty", "on_error": on_error}
        place = text or (single[0] if single else None)
        try:
            stream = batches(paths, text=place, keep=single, batch_bytes=PEEK_BYTES, hint_markup=True, **options)
            with closing(stream):  # type: ignore[type-var]
                return next(stream, None)
        except DocumentError as error:
            problems.append(str(error))
    return None


def _rows(table: pa.Table) -> Iterator[dict[str, str]]:
    columns = {name: _strings(table[name]) for name in table.column_names}
    for at in range(table.num_rows):
        yield {name: values[at] for name, values in columns.items()}


def _strings(column: pa.ChunkedArray) -> list[str]:
    """The values of a column as text; not all types of Arrow have one of Python, but nearly all can be cast."""
    try:
        values: list[object] = [*text_values(column)]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        values = column.to_pylist()
    return [_shown(value) for value in values]


def _shown(value: object) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…"
