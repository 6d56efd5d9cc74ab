"""What readers of tables share: positions, samples, and the choice among several sheets or tables."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from problex._util.formatting import parse_place, pluralize, quote_all
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.columns import ColumnType, as_text, find_text_column, to_array
from problex.tables.reader import SAMPLE_ROWS, Position, RawBatch, Reader, ReadOptions, quote_columns, sample_table
from problex.tables.source import Source

MAX_LISTED = 20  # sheets in a message
Chunk = Mapping[str, list[object]]
"""Some consecutive rows: the values of each column."""


class TableFileReader(Reader):
    """A table in a file; a position is the number of rows read.

    `rows` is the number of rows if it is known without reading them, for the progress.
    """

    rows: int = 0

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.name, self.size = source.name, source.size
        self._source, self._options = source, options
        self._path = source.path or Path()

    def _bytes_read(self, rows: int) -> int:
        return self.size * min(rows, self.rows) // self.rows if self.rows else 0


class RecordReader(TableFileReader):
    """A table that is read as Arrow records."""

    @abstractmethod
    def records(self, names: Sequence[str], skip: int) -> Iterator[pa.RecordBatch]:
        """Columns, from row `skip`; in the same parts wherever reading starts."""

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        first = list(islice(self.records(list(dict.fromkeys(self.columns)), 0), 1))
        return sample_table(pa.Table.from_batches(first)) if first else {}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns."""
        rows = start[0] if start else 0
        for records in self.records(list(dict.fromkeys([text, *keep])), rows):
            rows += records.num_rows
            raw = RawBatch.from_records(records, text, keep)
            yield replace(raw, position=(rows,), bytes_read=self._bytes_read(rows))
        self._source.check_unchanged(may_grow=False)


class ValueReader(TableFileReader):
    """A table of Python values without fixed types: the types of kept columns come from all of their values.

    Numbers and dates among the texts are read as a person would type them, but a column without any text is refused.
    """

    types_of: Mapping[str, pa.DataType] = MappingProxyType({})

    @abstractmethod
    def chunks(self, names: Sequence[str], skip: int) -> Iterator[Chunk]:
        """Columns, from row `skip`; in the same parts wherever reading starts."""

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of columns, by reading all their values once."""
        unknown = [name for name in names if name not in self.types_of]
        kinds = {name: ColumnType() for name in unknown}
        for chunk in self.chunks(unknown, 0) if unknown else ():
            for name, kind in kinds.items():
                kind.add(chunk[name])
        self.types_of = MappingProxyType({**self.types_of, **{name: kind.type for name, kind in kinds.items()}})
        return {name: self.types_of[name] for name in names}

    def sample(self) -> dict[str, list[object]]:
        """The first values of every column."""
        chunk = next(self.chunks(list(dict.fromkeys(self.columns)), 0), {})
        return {name: values[:SAMPLE_ROWS] for name, values in chunk.items()}

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns."""
        rows, types, converted = start[0] if start else 0, self.types(keep), 0
        for chunk in self.chunks(list(dict.fromkeys([text, *keep])), rows):
            values = chunk[text]
            if not rows and not any(isinstance(value, str | bytes) for value in values):
                types |= self.types([text])  # if it has no text at all, its values are refused
            rows += len(values)
            texts = values if types.get(text, pa.string()) != pa.string() else list(map(as_text, values))
            converted += sum(a is not b for a, b in zip(values, texts, strict=True))
            columns = pa.table({name: to_array(chunk[name], types[name]) for name in keep}) if keep else None
            yield RawBatch(texts, columns, position=(rows,), bytes_read=self._bytes_read(rows))
        if converted:
            message = f"{pluralize(converted, 'cell')} of column {text!r} of {self.name} with a number or date"
            warn_caller(f"{message}: read as text", DocumentWarning)
        self._source.check_unchanged(may_grow=False)


def choose_table(
    tables: Mapping[str, Callable[[], Reader]], options: ReadOptions, name: str, noun: str, hidden: Sequence[str] = ()
) -> Reader:
    """The sheet or table of a file that `sheet` names, or the only one that has texts.

    `noun` is what the file calls its tables; those that are `hidden` are read only if they are named.
    """
    if options.sheet is not None:
        return tables[_named_table(list(tables), options.sheet, name, noun)]()
    readers = {title: open_table() for title, open_table in tables.items() if title not in hidden}
    readers = {title: reader for title, reader in readers.items() if reader.columns}
    if not readers:
        among = f"; hidden: {quote_all(hidden)}" if hidden else ""
        raise DocumentError(f"{name} has no {noun} with rows{among}. Check the file.")
    fitting = [title for title, reader in readers.items() if len(readers) == 1 or _has_texts(reader, options.text)]
    if len(fitting) == 1:
        if len(tables) > 1:
            warn_caller(
                f"reading the {noun} {fitting[0]!r} of {name}, the only one of {len(tables)} with texts (choose one "
                f"with {opt('sheet')})",
                DocumentWarning,
            )
        return readers[fitting[0]]
    listed = [f"{title!r} ({quote_columns(reader.columns)})" for title, reader in readers.items()]
    more = f" and {len(listed) - MAX_LISTED} more" if len(listed) > MAX_LISTED else ""
    found = "several of them have texts" if fitting else "none of them has a column that looks like texts"
    raise DocumentError(
        f"{name} has {pluralize(len(readers), noun)}, and {found}: {'; '.join(listed[:MAX_LISTED])}{more}. "
        f"Choose one with {opt('sheet')}"
    )


def _named_table(titles: Sequence[str], sheet: str | int, name: str, noun: str) -> str:
    """The title that a name or a number from 1 means; names come first."""
    if str(sheet) in titles:
        return str(sheet)
    if 1 <= (place := parse_place(str(sheet))) <= len(titles):
        return titles[place - 1]
    raise DocumentError(
        f"there is no {noun} {sheet!r} in {name}; it has {quote_columns(titles)}. Name one of these, or give its "
        "number from 1."
    )


def _has_texts(reader: Reader, text: str | None) -> bool:
    try:
        return bool(find_text_column(reader, text)[0])
    except DocumentError:
        return False
