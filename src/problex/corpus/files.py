"""Which files are read: lists of paths, folders, and patterns such as data/*.parquet."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from problex._util.formatting import pluralize, quote_all
from problex.errors import DocumentError, DocumentWarning, warn_caller, was_given
from problex.tables.formats import FORMATS, guess_format, locate, open_query, open_table
from problex.tables.reader import Reader, ReadOptions
from problex.tables.several import FilesReader, SourceFile
from problex.tables.source import Source, is_hidden

Paths = Path | Sequence[Path]
MAX_NAMED = 5  # files in a message


def list_files(paths: Paths | str | Sequence[str]) -> list[Path]:
    """The files of paths, folders and patterns, in the order in which they are read.

    A folder of .txt files is listed itself: there each file is one document.
    """
    if isinstance(paths, str):
        paths = Path(paths)
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
    """The tables of a folder; the folder itself if it has .txt files, or nothing that can be read."""
    files = _visible_files(folder)
    tables = [file for file in files if guess_format(file) not in (None, "txt")]
    has_texts = any(file.suffix.lower() == ".txt" for file in files)
    return [*tables, folder] if has_texts or not tables else tables


def _visible_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file() and not is_hidden(file.relative_to(folder)))


def open_files(files: Sequence[Path], options: ReadOptions) -> Reader:
    """The reader of one or several files."""
    formats = [options.format or guess_format(file) for file in files]
    if options.sheet is not None and not any(format is None or FORMATS[format].sheets for format in formats):
        given = f"{was_given('sheet', options.sheet)} for {', '.join(map(str, files[:MAX_NAMED]))}"
        raise DocumentError(f"{given}; expected a workbook or a database, which has sheets or tables. Leave it out.")
    if len(files) == 1:
        return open_table(files[0], options)
    labels = _labels(files)
    if options.query is not None:
        return open_query([(*locate(file, options), label) for file, label in zip(files, labels, strict=True)], options)
    parts = [
        SourceFile(str(file), label, Source(str(file), file).size, partial(open_table, file, options))
        for file, label in zip(files, labels, strict=True)
    ]
    return FilesReader(parts, options)


def _labels(files: Sequence[Path]) -> list[str]:
    """The names of files in the column `file`: their paths from the folder that has all of them.

    >>> _labels([Path("data/a.csv"), Path("data/more/b.csv")])
    ['a.csv', 'more/b.csv']
    """
    folder = os.path.commonpath([file.absolute().parent for file in files])
    return [Path(os.path.relpath(file.absolute(), folder)).as_posix() for file in files]


def say_formats(paths: Paths) -> None:
    """Warn about folders with several formats, or with files that cannot be read."""
    for folder in [paths] if isinstance(paths, Path) else paths:
        files = _visible_files(folder) if folder.is_dir() else []
        formats = Counter(guess_format(file) for file in files)
        unknown = [file.name for file in files if guess_format(file) is None]
        known = {format: number for format, number in formats.most_common() if format is not None}
        if len(known) > 1:
            summary = ", ".join(f"{pluralize(number, 'file')} of {format}" for format, number in known.items())
            warn_caller(
                f"the folder {folder} holds {summary}: all are read (choose some with a pattern in quotes, such as "
                f"'{folder}/**/*.csv')",
                DocumentWarning,
            )
        if unknown and known:
            _say_left_out(folder, unknown, " cannot be read and", "")
        _say_left_out(folder, _underscored_files(folder), "", ": names that begin with an underscore are skipped")


def _underscored_files(folder: Path) -> list[str]:
    """Names of files that could be read, but begin with an underscore, as those that Spark puts beside its data."""
    files = sorted(folder.rglob("_*")) if folder.is_dir() else []
    return [
        file.name
        for file in files
        if guess_format(file) and file.is_file() and not is_hidden(file.parent.relative_to(folder))
    ]


def _say_left_out(folder: Path, names: Sequence[str], what: str, why: str) -> None:
    if names:
        more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
        verb = "are" if len(names) > 1 else "is"
        message = f"the folder {folder}: {quote_all(names[:MAX_NAMED])}{more}{what} {verb} left out{why}"
        warn_caller(message, DocumentWarning)
