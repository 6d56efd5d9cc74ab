"""Several files as one source: each may have a format and columns of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from problex._util.formatting import pluralize, quote_all
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.columns import find_text_column
from problex.tables.reader import Position, RawBatch, Reader, ReadOptions, file_errors, quote_columns

FILE = "file"
"""The column with the file of each document."""
MAX_CHECKED = 20  # files that are opened at once, to know columns and types; of more, the others are as these


@dataclass(frozen=True)
class SourceFile:
    """One of several files: its name in messages, in the column `file`, its bytes, and how it is opened."""

    name: str
    label: str
    size: int
    open: Callable[[], Reader]


class FilesReader(Reader):
    """Several files, one after the other; a position is the number of a file, of a document in it, and its position.

    The columns are those of all files, and `file`. Where a file lacks a column to keep it is null, and where files
    differ in its type it has one that holds both, in the end a string.
    """

    def __init__(self, parts: Sequence[SourceFile], options: ReadOptions) -> None:
        self._parts, self._options = parts, options
        self.name, self.size = f"{parts[0].name} and {pluralize(len(parts) - 1, 'other')}", sum(p.size for p in parts)
        self._readers = {part.name: part.open() for part in parts[:MAX_CHECKED]}
        self._notes: set[str] = set()
        self._names = list(dict.fromkeys(name for reader in self._readers.values() for name in reader.columns))
        self.columns = [*self._names, FILE] if self._names and FILE not in self._names else self._names

    def text_column(self, text: str | None) -> str:
        """Check that each file has a column of texts; nothing is returned where each file has its own."""
        chosen: dict[str, str] = {}
        guessed = False
        for name, reader in self._readers.items():
            if reader.columns:
                chosen[name], is_guess = _find(name, reader, text)
                guessed |= is_guess and chosen[name] != "text"
        if guessed and len(set(chosen.values())) == 1:
            column = next(iter(chosen.values()))
            warn_caller(f"reading texts from column {column!r} (guessed; name it with {opt('text')})", DocumentWarning)
        elif guessed or len(set(chosen.values())) > 1:
            listed = [f"{column!r} of {name}" for name, column in chosen.items()]
            warn_caller(f"reading texts from the columns {', '.join(listed)} (guessed)", DocumentWarning)
        return text or ""

    def sample(self) -> Mapping[str, Sequence[object]]:
        """The first values of every column in the first file that has columns."""
        return next((reader.sample() for reader in self._readers.values() if reader.columns), {})

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of columns to keep: one that holds the values of all files."""
        types: dict[str, pa.DataType] = {}
        differing = []
        for reader in self._readers.values():
            present = [name for name in names if name in reader.columns]
            for name, kind in reader.types(present).items():
                common = _common_type(types.get(name, kind), kind)
                if common == pa.string() and kind != types.get(name, kind):
                    differing.append(name)
                types[name] = common
        if differing:
            differ = f"the files have different types in the kept columns {quote_all(dict.fromkeys(differing))}"
            warn_caller(f"{differ}: kept as text", DocumentWarning)
        return types

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The documents of all files; without `text`, those of the column that each file's own names suggest."""
        number, row, *inner = start or (0, 0)
        types = self.types([name for name in keep if name in self._names]) if keep else {}
        if not start:
            self._say_missing(keep)
        size_before = sum(part.size for part in self._parts[:number])
        for at, part in enumerate(self._parts[number:], number):
            for raw in self._read_part(part, text, keep, tuple(inner)):
                yield replace(
                    raw,
                    columns=_conform(raw, part, keep, types) if keep else None,
                    file=part.name,
                    file_row=row,
                    position=(at, row + len(raw.values), *raw.position),
                    bytes_read=size_before + raw.bytes_read,
                )
                row += len(raw.values)
            row, inner, size_before = 0, [], size_before + part.size

    def _say_missing(self, keep: Sequence[str]) -> None:
        """Warn about files that lack a column to keep."""
        for name in keep:
            tables = {file: reader for file, reader in self._readers.items() if not reader.optional_columns}
            lacking = [file for file, reader in tables.items() if name not in reader.columns]
            if lacking and name in self._names:
                others = f" and {pluralize(len(lacking) - 1, 'other file')}" if len(lacking) > 1 else ""
                verb = "have" if others else "has"
                message = f"{lacking[0]}{others} {verb} no column {name!r} to keep: it is empty there"
                warn_caller(message, DocumentWarning)

    def _say_note(self, part: SourceFile, reader: Reader) -> None:
        """Say how a file is read, if no file before was read so."""
        if reader.note and reader.note not in self._notes:
            warn_caller(f"{part.name}: {reader.note}", DocumentWarning)
        self._notes.add(reader.note)

    def _read_part(self, part: SourceFile, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The documents of one file, with those of the columns to keep that it has."""
        with file_errors(part.name):
            reader = self._readers.pop(part.name, None) or part.open()
            self._say_note(part, reader)
            chosen = _find(part.name, reader, text or self._options.text)[0] if reader.columns else ""
            optional = reader.optional_columns
            present = [name for name in keep if name in self._names and (optional or name in reader.columns)]
            for name in dict.fromkeys([chosen, *present]) if reader.columns else ():
                if reader.columns.count(name) > 1:
                    raise DocumentError(
                        f"{part.name} has the columns {quote_columns(reader.columns)}; expected {name!r} once. Rename "
                        "all but one."
                    )
            yield from reader.read(chosen, present, start)


def _find(name: str, reader: Reader, text: str | None) -> tuple[str, bool]:
    if text and reader.optional_columns:
        return text, False
    try:
        return find_text_column(reader, text)
    except DocumentError as error:
        raise DocumentError(f"{name}: {error}") from error


def _common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType:
    """A type that holds the values of both.

    >>> _common_type(pa.int64(), pa.float64()), _common_type(pa.int64(), pa.string())
    (DataType(double), DataType(string))
    """
    if first == second:
        return first
    try:
        schemas = [pa.schema({"column": kind}) for kind in (first, second)]
        return pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.string()


def _conform(raw: RawBatch, part: SourceFile, keep: Sequence[str], types: Mapping[str, pa.DataType]) -> pa.Table:
    """The columns to keep with the types that they have in all files."""
    columns, number = {}, len(raw.values)
    for name in keep:
        if name == FILE and name not in types:
            own = [f"{part.label}/{label}" for label in raw.labels] or [part.label] * number
            columns[name] = pa.array(own, pa.string())
        elif raw.columns is None or name not in raw.columns.column_names:
            columns[name] = pa.nulls(number, types[name])
        else:
            columns[name] = _cast(raw.columns[name], types[name], name, part.name)
    return pa.table(columns)


def _cast(column: pa.ChunkedArray, kind: pa.DataType, name: str, file: str) -> pa.ChunkedArray:
    """A column with the type that it has in all files; raise if a value cannot have it.

    >>> _cast(pa.chunked_array([[1, 2]]), pa.string(), "n", "a.csv").to_pylist()
    ['1', '2']
    >>> _cast(pa.chunked_array([["1", "x"]]), pa.int64(), "n", "a.csv")
    Traceback (most recent call last):
    problex.errors.DocumentError: the column 'n' of a.csv is of type string; expected int64, as in the other files: ...
    """
    if column.type == kind:
        return column
    try:
        return column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise DocumentError(
            f"the column {name!r} of {file} is of type {column.type}; expected {kind}, as in the other files: {error}. "
            "Give each column one type."
        ) from error
