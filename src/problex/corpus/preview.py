"""`peek`: the first rows of a file, the column that probably has the texts, and what is unusual about the file."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Unpack

import pyarrow as pa

from problex._util.arrow import pc
from problex._util.formatting import pluralize
from problex.corpus.batch import Batch
from problex.corpus.documents import batches
from problex.corpus.files import Paths, list_files, open_files
from problex.errors import DocumentError, DocumentWarning
from problex.tables.columns import find_text_column
from problex.tables.reader import Reading, ReadOptions
from problex.tables.write import text_values

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
    """A sentence about the rows without a text, if there are some."""
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
