"""SQLite databases: tables, views and queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial

from problex.errors import DocumentError
from problex.tables.read.base import Chunk, ValueReader, choose_table
from problex.tables.reader import Reader, ReadOptions, group_by_size, text_size
from problex.tables.source import Source

ROWS_AT_ONCE = 1000


class SqliteReader(ValueReader):
    """The rows of a `select`, in the order in which SQLite returns them.

    All columns are selected, so that the order does not depend on which of them are used.
    """

    def __init__(self, source: Source, options: ReadOptions, select: str, count: str = "") -> None:
        super().__init__(source, options)
        self._select = select
        with self._errors(), closing(connect(source)) as connection:
            empty = f"select * from ({select}) limit 0"  # the user's own query, or a quoted name
            self.columns = [column[0] for column in connection.execute(empty).description or ()]
            self.rows = connection.execute(count).fetchone()[0] if count else 0
        if not self.rows:
            self.size = 0  # unknown: then there is no progress in bytes

    def chunks(self, names: Sequence[str], skip: int) -> Iterator[Chunk]:
        """The rows from `skip`."""
        places = [self.columns.index(name) for name in names]
        rest = f"select * from ({self._select}) limit -1 offset {int(skip)}"  # as above
        with self._errors(), closing(connect(self._source)) as connection:
            cursor = connection.execute(rest)
            cursor.arraysize = ROWS_AT_ONCE
            cells = ([row[at] for at in places] for row in cursor)
            for rows in group_by_size(cells, self._options.batch_bytes, lambda row: sum(map(text_size, row))):
                yield dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning) as error:
            query = f", the query {self._options.query!r}" if self._options.query else ""
            advice = "Correct the query." if query else "Check the file."
            raise DocumentError(f"{self.name}{query} cannot be read: {error}. {advice}") from error


def connect(source: Source) -> sqlite3.Connection:
    """A connection that cannot write; texts that are not UTF-8 keep their bytes as surrogates."""
    if source.path is None:
        raise DocumentError(f"{source.name} is no file")
    uri = f"{source.path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, check_same_thread=False)  # batches are read by another thread
    connection.text_factory = lambda data: data.decode(errors="surrogateescape")
    connection.execute("pragma trusted_schema = off")
    connection.set_authorizer(_authorize)
    return connection


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    """Whether a part of a statement may be run, also inside of a view: not what opens other files or loads code."""
    is_refused = action == sqlite3.SQLITE_ATTACH or second in ("load_extension", "fts3_tokenizer")
    return sqlite3.SQLITE_DENY if is_refused else sqlite3.SQLITE_OK


def open_sqlite(source: Source, options: ReadOptions) -> Reader:
    """The reader of the chosen table or view of a database, or of the rows of a query."""
    if options.query is not None:
        return SqliteReader(source, options, options.query.strip().rstrip(";") + "\n")  # it may end in a comment
    listing = "select name, type from sqlite_master where type in ('table', 'view') and substr(name, 1, 7) != 'sqlite_'"
    try:
        with closing(connect(source)) as connection:
            found = connection.execute(f"{listing} order by rowid").fetchall()
    except sqlite3.Error as error:
        raise DocumentError(f"{source.name} cannot be read as an SQLite database: {error}. Check the file.") from error
    tables = {}
    for name, kind in found:
        quoted = '"' + name.replace('"', '""') + '"'
        select = f"select * from {quoted}" + (" not indexed" if kind == "table" else "")  # quoted
        count = f"select count(*) from {quoted}" if kind == "table" else ""  # quoted
        tables[name] = partial(SqliteReader, source, options, select, count)
    return choose_table(tables, options, source.name, "table")
