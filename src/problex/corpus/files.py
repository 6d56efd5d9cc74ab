"""The files of a corpus: one, several, a folder of them, or a pattern such as data/*.parquet."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa

from problex._util.formatting import pluralize, quote_all
from problex.corpus.batches import Opened, Piece, Position, Settings, naming
from problex.corpus.readers import format_of, locate, open_source, text_files_of
from problex.errors import DocumentError

Corpus = Path | Sequence[Path]


def files_of(corpus: Corpus) -> list[Path]:
    """The files of a corpus, in the order in which they are read.

    A folder of .txt files stands for itself: there each file is one document.
    """
    if not isinstance(corpus, Path):
        return [file for path in corpus for file in files_of(path)]
    if corpus.is_dir():
        return _files_of_folder(corpus)
    if not corpus.exists() and glob.has_magic(str(corpus)):
        found = sorted(map(Path, glob.glob(str(corpus), recursive=True)))
        if not found:
            raise DocumentError(f"no file matches {str(corpus)!r}. Look into the folder {str(corpus.parent)!r}.")
        return [file for path in found for file in files_of(path)]
    return [corpus]


def _files_of_folder(folder: Path) -> list[Path]:
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not _is_hidden(file.relative_to(folder)))
    formats = {file: format_of(file) for file in files}
    kinds = Counter(format for format in formats.values() if format is not None)
    if len(kinds) > 1:
        held = ", ".join(f"{pluralize(number, 'file')} of {kind}" for kind, number in kinds.most_common())
        pattern = next(file for file in files if formats[file] == kinds.most_common(1)[0][0]).suffix
        raise DocumentError(
            f"the folder {folder} holds {held}; expected files of one format. "
            f"Choose some with a pattern in quotes, such as '{folder}/**/*{pattern}'."
        )
    tables = [file for file in files if formats[file] not in (None, "txt")]
    return tables or [folder]


def _is_hidden(file: Path) -> bool:
    return any(part.startswith((".", "_")) for part in file.parts)  # as of Spark: _SUCCESS, .part.crc


def open_corpus(files: Sequence[Path], format: str | None, settings: Settings) -> tuple[Opened, str]:
    """One or several files as one source, and its name."""
    sizes = [source_size(file) for file in files]
    if len(files) == 1:
        return replace(_open(files[0], format, settings), size=sizes[0]), str(files[0])
    read = partial(_read, format, settings)
    model = next((opened for file in files if (opened := _open(file, format, settings)).names), Opened(_nothing))

    def pieces(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
        number, row, *inner = start or (0, 0)
        before = (piece for at in range(number + 1 if start and keep else 0) for piece in read(files[at], text, keep))
        schema = next((piece.columns.schema for piece in before if piece.columns is not None), None)
        for at in range(number, len(files)):
            for piece in read(files[at], text, keep, tuple(inner)):
                columns = _with_types(piece.columns, schema, files[at])
                schema = columns.schema if columns is not None else None
                position = (at, row + len(piece.values), *piece.position)
                gone, where = sum(sizes[:at]) + piece.bytes_read, str(files[at])
                yield replace(piece, columns=columns, where=where, row=row, position=position, bytes_read=gone)
                row += len(piece.values)
            row, inner = 0, []

    return Opened(pieces, model.names, model.sample, sum(sizes)), f"{files[0]} and {pluralize(len(files) - 1, 'other')}"


def _open(file: Path, format: str | None, settings: Settings) -> Opened:
    return open_source(*locate(file, format), settings)


def _read(
    format: str | None, settings: Settings, file: Path, text: str, keep: Sequence[str], start: Position = ()
) -> Iterator[Piece]:
    """The pieces of one file among others, which must have the columns."""
    opened = _open(file, format, settings)
    for name in [text, *keep] if opened.names and not opened.loose else ():
        if opened.names.count(name) != 1:
            raise DocumentError(
                f"{file} has the columns {quote_all(opened.names)}; expected {name!r} once, as in the files before. "
                "Give files with the same columns."
            )
    with naming(str(file)):
        yield from opened.pieces(text, keep, start)


def _nothing(text: str, keep: Sequence[str], start: Position) -> Iterator[Piece]:
    return iter(())


def _with_types(columns: pa.Table | None, schema: pa.Schema | None, file: Path) -> pa.Table | None:
    """Kept columns of the types that they have in the files before."""
    if columns is None or schema is None or columns.schema.equals(schema):
        return columns
    try:
        return columns.cast(schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        kinds = {field.name: str(field.type) for field in schema}
        raise DocumentError(
            f"the columns to keep of {file} do not fit those of the files before, {kinds}: {error}. "
            "Give each column one type."
        ) from error


def source_size(path: Path) -> int:
    """The bytes on disk of a file or of the texts in a folder; 0 where nobody can know."""
    if path.is_dir():
        return sum(file.stat().st_size for file in text_files_of(path))
    return path.stat().st_size if path.is_file() else 0
