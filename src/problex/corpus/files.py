"""Several files as one source: lists of paths, folders, and patterns such as data/*.parquet."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from problex._util.formatting import pluralize
from problex.corpus.batch import Position, RawBatch, ReadOptions
from problex.corpus.formats import guess_format, open_path
from problex.corpus.reader import Reader, file_errors, quote_columns
from problex.corpus.sources import Source, is_hidden
from problex.errors import DocumentError, DocumentWarning, warn_caller

Paths = Path | Sequence[Path]


def list_files(paths: Paths) -> list[Path]:
    """The files of paths, folders and patterns, in the order in which they are read.

    A folder of .txt files is listed itself: there each file is one document.
    """
    if not isinstance(paths, Path):
        return [file for path in paths for file in list_files(path)]
    if paths.is_dir():
        return _list_folder(paths)
    if not paths.exists() and glob.has_magic(str(paths)):
        matches = sorted(map(Path, glob.glob(str(paths), recursive=True)))
        if not matches:
            raise DocumentError(f"no file matches {str(paths)!r}. Check the folder {str(paths.parent)!r}.")
        return list_files(matches)
    return [paths]


def _list_folder(folder: Path) -> list[Path]:
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not is_hidden(file.relative_to(folder)))
    formats = {file: guess_format(file) for file in files}
    numbers = Counter(format for format in formats.values() if format is not None)
    if len(numbers) > 1:
        summary = ", ".join(f"{pluralize(number, 'file')} of {format}" for format, number in numbers.most_common())
        suffix = next(file for file in files if formats[file] == numbers.most_common(1)[0][0]).suffix
        raise DocumentError(
            f"the folder {folder} holds {summary}; expected files of one format. "
            f"Choose some with a pattern in quotes, such as '{folder}/**/*{suffix}'."
        )
    tables = [file for file in files if formats[file] not in (None, "txt")]
    return tables or [folder]


def open_files(files: Sequence[Path], options: ReadOptions) -> Reader:
    """The reader of one or several files."""
    return open_path(files[0], options) if len(files) == 1 else FilesReader(files, options)


class FilesReader(Reader):
    """Several files, one after the other; a position is the number of a file, of a document in it, and its position.

    The columns are those of the first file that has any. Columns to keep have the types of the first file.
    """

    def __init__(self, files: Sequence[Path], options: ReadOptions) -> None:
        self._files, self._options = files, options
        self._sizes = [Source(str(file), file).size for file in files]
        self.name, self.size = f"{files[0]} and {pluralize(len(files) - 1, 'other')}", sum(self._sizes)
        readers = (open_path(file, options) for file in files if file.is_file() or not file.exists() or file.is_dir())
        self._first = next((reader for reader in readers if reader.columns), None)
        self.columns = self._first.columns if self._first else ()
        self._notes = {self._first.note} if self._first else set[str]()
        self.note = self._first.note if self._first else ""

    def sample(self) -> Mapping[str, Sequence[object]]:
        """The first values of every column in the first file."""
        return self._first.sample() if self._first else {}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The documents of all files."""
        number, row, *inner = start or (0, 0)
        schema = self._kept_schema(number, text, keep) if start and keep else None
        for at in range(number, len(self._files)):
            file, size_before = self._files[at], sum(self._sizes[:at])
            for raw in self._read_file(file, text, keep, tuple(inner)):
                columns = _cast_columns(raw.columns, schema, file)
                schema = columns.schema if columns is not None else None
                yield replace(
                    raw,
                    columns=columns,
                    file=str(file),
                    file_row=row,
                    position=(at, row + len(raw.values), *raw.position),
                    bytes_read=size_before + raw.bytes_read,
                )
                row += len(raw.values)
            row, inner = 0, []

    def _kept_schema(self, number: int, text: str, keep: Sequence[str]) -> pa.Schema | None:
        """The types of the kept columns in the first of the files up to `number` that has a row."""
        before = (raw for file in self._files[: number + 1] for raw in self._read_file(file, text, keep, ()))
        return next((raw.columns.schema for raw in before if raw.columns is not None), None)

    def _read_file(self, file: Path, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The documents of one file, which must have the columns."""
        reader = open_path(file, self._options)
        if reader.note not in {"", *self._notes}:
            self._notes.add(reader.note)
            warn_caller(f"{file}: {reader.note}", DocumentWarning)
        for name in [text, *keep] if reader.columns and not reader.optional_columns else ():
            if reader.columns.count(name) != 1:
                raise DocumentError(
                    f"{file} has the columns {quote_columns(reader.columns)}; expected {name!r} once, as in the files "
                    "before. Give files with the same columns."
                )
        with file_errors(str(file)):
            yield from reader.read(text, keep, start)


def _cast_columns(columns: pa.Table | None, schema: pa.Schema | None, file: Path) -> pa.Table | None:
    """Kept columns with the types that they have in the files before."""
    if columns is None or schema is None or columns.schema.equals(schema):
        return columns
    try:
        return columns.cast(schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        types = {field.name: str(field.type) for field in schema}
        raise DocumentError(
            f"the columns to keep of {file} do not match those of the files before, {types}: {error}. "
            "Give each column one type."
        ) from error
