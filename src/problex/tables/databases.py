"""Databases of DuckDB and SQLite, and queries by DuckDB over files of other formats.

A database, and a query that somebody sent, are data of strangers: one SELECT runs, which reads nothing but the database
or the files that were named, and changes nothing. Times are in UTC, whatever the zone of the computer is.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa

from problex._util.formatting import pluralize
from problex._util.late import import_optional, pq
from problex.errors import DocumentError, opt
from problex.tables.columns import Chunk, RecordReader, TableFileReader, ValueReader, choose_table
from problex.tables.reader import Position, RawBatch, Reader, ReadOptions, group_by_size, quote_columns, text_size
from problex.tables.several import FILE
from problex.tables.source import Source

ROWS_AT_ONCE = 8192
VIEW = "texts"  # the name of the files in a query
FUNCTIONS = {"csv": "read_csv", "tsv": "read_csv", "jsonl": "read_ndjson_auto", "parquet": "read_parquet"}
"""The functions of DuckDB that read the formats; the other formats are read by the readers of this package."""
WITHOUT_ZONES = (
    ", auto_type_candidates = ['NULL', 'BOOLEAN', 'BIGINT', 'DOUBLE', 'TIME', 'DATE', 'TIMESTAMP', 'VARCHAR']"
)
"""Times with a zone in text files stay as they are written, so that their day is the one that is written."""
ZONED = "TIMESTAMP WITH TIME ZONE"
MISREAD = ("UHUGEINT", "BIGNUM", "VARINT", "BIT", "INTERVAL", "TIME WITH TIME ZONE")
"""Types whose values Arrow gets wrong or without their zone, or that files cannot hold: they are read as texts."""


class DuckdbReader(RecordReader):
    """The rows of a `select`; `connect` opens the database. One thread makes their order the same each time."""

    def __init__(
        self, source: Source, options: ReadOptions, connect: Callable[[], Any], select: str, count: str = ""
    ) -> None:
        super().__init__(source, options)
        self._connect = connect
        with self._connection() as connection:
            self._select = _as_arrow_reads(connection, self._one_select(connection, select))
            empty = f"select * from ({self._select}) limit 0"  # the user's own query, or a quoted name
            self._schema = arrow_reader(connection.sql(empty)).schema
            self.rows = connection.execute(count).fetchone()[0] if count else 0
        self.columns = self._schema.names
        if not self.rows:
            self.size = 0  # unknown: then there is no progress in bytes

    def types(self, names: Sequence[str]) -> dict[str, pa.DataType]:
        """The types of the columns."""
        return {name: self._schema.field(name).type for name in names}

    def records(self, names: Sequence[str], skip: int) -> Iterator[pa.RecordBatch]:
        """The rows from `skip`."""
        rest = f"select * from ({self._select}) offset {int(skip)}"  # as above
        with self._connection() as connection:
            for records in arrow_reader(connection.sql(rest)):
                yield records.select(list(names))

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        connection = None
        duckdb_error = import_optional("duckdb", "a query").Error
        try:
            connection = self._connect()
            _restrict(connection, self._options.memory)
            yield connection
        except duckdb_error as error:
            raise self._error(" ".join(str(error).split())) from error
        finally:
            if connection is not None:
                connection.close()

    def _one_select(self, connection: Any, query: str) -> str:
        """A query that can stand in parentheses; raise unless it is one SELECT, which cannot write."""
        kinds = [str(statement.type).rpartition(".")[2] for statement in connection.extract_statements(query)]
        if kinds != ["SELECT"]:
            found = f"it has {pluralize(len(kinds), 'statement')} ({', '.join(kinds) or 'none'})"
            raise self._error(f"{found}, expected one SELECT")
        return query.strip().rstrip(";") + "\n"  # it may end in a comment

    def _error(self, reason: str) -> DocumentError:
        query = f", the query {self._options.query!r}" if self._options.query else ""
        advice = "Correct the query." if query else "Check the file."
        return DocumentError(f"{self.name}{query} cannot be read: {reason}. {advice}")


def _restrict(connection: Any, memory: int) -> None:
    """Set one thread, the memory and the time zone, and let no statement change these or reach other files."""
    if connection.execute("select current_setting('lock_configuration')").fetchall()[0][0]:
        return  # another reader of the same database has done so
    connection.execute("set threads = 1")
    connection.execute(f"set memory_limit = '{memory >> 10}KiB'")
    connection.execute("set global TimeZone = 'UTC'")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


def _as_arrow_reads(connection: Any, select: str) -> str:
    """A `select` whose columns of `MISREAD` types are texts."""
    described = connection.execute(f"describe select * from ({select})")  # the user's own, or quoted
    names = [quote_name(name) for name, kind, *_ in described.fetchall() if kind in MISREAD]
    texts = [f"{name}::varchar as {name}" for name in names]
    return f"select * replace ({', '.join(texts)}) from ({select})" if texts else select  # as above


def quote_name(name: str) -> str:
    """A name of a column or table as SQL writes it.

    >>> quote_name('my "own" table')
    '"my ""own"" table"'
    """
    return '"' + name.replace('"', '""') + '"'


def arrow_reader(relation: Any) -> pa.RecordBatchReader:
    """The rows of a relation, some at a time; the method has another name in old versions."""
    return getattr(relation, "to_arrow_reader", relation.fetch_record_batch)(ROWS_AT_ONCE)


def open_duckdb(source: Source, options: ReadOptions) -> Reader:
    """The reader of the chosen table or view of a database, or of the rows of a query."""
    duckdb = import_optional("duckdb", "reading .duckdb")
    connect = partial(duckdb.connect, str(source.path), read_only=True, config={"enable_external_access": "false"})
    if options.query is not None:
        return DuckdbReader(source, options, connect, options.query)
    listing = "select table_schema, table_name, table_type from information_schema.tables order by all"
    found = DuckdbReader(source, options, connect, listing)
    tables = {}
    for records in found.records(found.columns, 0):
        for schema, name, kind in zip(*records.to_pydict().values(), strict=True):
            place = ".".join(map(quote_name, (schema, name)))
            count = f"select count(*) from {place}" if kind == "BASE TABLE" else ""  # quoted names
            select = f"select * from {place}"  # quoted names
            tables[name if schema == "main" else f"{schema}.{name}"] = partial(
                DuckdbReader, source, options, connect, select, count
            )
    return choose_table(tables, options, source.name, "table")


@dataclass(frozen=True)
class QueryFile:
    """A file in a query: its format, its name in the column `file` (empty: no such column), and how it is opened."""

    source: Source
    format: str
    label: str
    open: Callable[[], Reader]

    @property
    def place(self) -> str:
        """The whole path."""
        return str(Path(self.source.path or "").absolute())

    @cached_property
    def zones(self) -> dict[str, str]:
        """The zones of the columns of times that have one, but UTC."""
        if self.format != "parquet" and self.held is None:
            return {}
        schema = pq.read_schema(self.place) if self.held is None else self.held.schema
        times = (field for field in schema if pa.types.is_timestamp(field.type))
        return {field.name: field.type.tz for field in times if field.type.tz not in (None, "UTC")}

    @property
    def kind(self) -> object:
        """Consecutive files of one kind are read by one call of DuckDB."""
        return self.place if self.held is not None else (self.format, self.zones)

    @cached_property
    def held(self) -> pa.Table | None:
        """The table of a workbook or a statistics program, which can be held; None if DuckDB reads the file itself."""
        if self.format in FUNCTIONS:
            return None
        reader = self.open()
        if not isinstance(reader, TableFileReader):
            raise DocumentError(
                f"{self.source.name} has no columns, so that no query can be made. Leave {opt('query')} out."
            )
        names = [name for name in dict.fromkeys(reader.columns) if reader.columns.count(name) == 1]
        if not names:
            columns = quote_columns(reader.columns)
            raise DocumentError(f"{reader.name} has the columns {columns}; expected different names.")
        parts = [raw.columns for raw in reader.read(names[0], names, ()) if raw.columns is not None]
        return pa.concat_tables(parts) if parts else pa.table({name: pa.nulls(0, pa.string()) for name in names})


class QueryReader(DuckdbReader):
    """The rows of a query over files that are no databases, in which all of them are one table, `texts`."""

    def __init__(self, files: Sequence[QueryFile], options: ReadOptions) -> None:
        self._files = files
        others = f" and {pluralize(len(files) - 1, 'other')}" if len(files) > 1 else ""
        super().__init__(Source(f"{files[0].source.name}{others}"), options, self._open_files, options.query or "")

    def _open_files(self) -> Any:
        duckdb = import_optional("duckdb", "a query")
        connection = duckdb.connect()
        places = [quote_text(file.place) for file in self._files if file.held is None]
        connection.execute(f"set allowed_paths = [{', '.join(places)}]")
        runs = [list(run) for _, run in groupby(self._files, lambda file: file.kind)]
        selects = [_select_of(connection, f"held_{number}", run) for number, run in enumerate(runs)]
        connection.execute(f"create view {VIEW} as {' union all by name '.join(selects)}")
        return connection

    def read(self, text: str, keep: Sequence[str], start: Position) -> Iterator[RawBatch]:
        """The chosen columns."""
        yield from super().read(text, keep, start)
        for file in self._files:
            file.source.check_unchanged(may_grow=False)


def _select_of(connection: Any, name: str, files: Sequence[QueryFile]) -> str:
    """A SELECT of all rows of files of one kind; a table that is held gets a name."""
    first = files[0]
    if first.held is not None:
        connection.register(name, first.held)
        origin, columns, label = name, first.held.column_names, quote_text(first.label)
    else:
        origin, columns = _function(connection, files)
        places, labels = (
            ", ".join(map(quote_text, texts)) for texts in zip(*((f.place, f.label) for f in files), strict=True)
        )
        label = f"map([{places}], [{labels}])[filename]"
    changes = [_local_time(column, zone) for column, zone in first.zones.items()]
    replaced = f" replace ({', '.join(changes)})" if changes else ""
    has_label = first.label and FILE not in columns
    return f"select *{replaced}{f', {label} as {FILE}' if has_label else ''} from {origin}"  # quoted


def _function(connection: Any, files: Sequence[QueryFile]) -> tuple[str, list[str]]:
    """The call that reads files, and their columns; times with a zone stay as they are written, with their day."""
    format = files[0].format
    call = f"{FUNCTIONS[format]}([{', '.join(quote_text(file.place) for file in files)}], union_by_name = true"
    call += {"csv": WITHOUT_ZONES, "tsv": f"{WITHOUT_ZONES}, delim = '\t'"}.get(format, "")
    types = {name: kind for name, kind, *_ in connection.execute(f"describe from {call})").fetchall()}
    if format == "jsonl" and ZONED in types.values():
        texts = types | {name: "VARCHAR" for name, kind in types.items() if kind == ZONED}
        call += (
            f", columns = {{{', '.join(f'{quote_text(name)}: {quote_text(kind)}' for name, kind in texts.items())}}}"
        )
    return f"{call})", list(types)


def _local_time(column: str, zone: str) -> str:
    r"""A column of times with a zone, which DuckDB forgets, as the times in this zone: their days stay the same.

    >>> _local_time("t", "+05:30"), _local_time("t", "Asia/Kolkata")
    ('("t"::timestamp + interval \'05 hours 30 minutes\') as "t"', 'timezone(\'Asia/Kolkata\', "t") as "t"')
    """
    name, hours = quote_name(column), re.fullmatch(r"([+-])(\d\d):(\d\d)", zone)
    if hours:
        return f"({name}::timestamp {hours[1]} interval '{hours[2]} hours {hours[3]} minutes') as {name}"
    return f"timezone({quote_text(zone)}, {name}) as {name}"


def quote_text(text: str) -> str:
    """A text as SQL writes it.

    >>> quote_text("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


SQLITE_ROWS = 1000


class SqliteReader(ValueReader):
    """The rows of a `select`, in the order in which SQLite returns them.

    All columns are selected, so that the order does not depend on which of them are used.
    """

    def __init__(self, source: Source, options: ReadOptions, select: str, count: str = "") -> None:
        super().__init__(source, options)
        self._select = select
        with self._errors(), closing(connect_sqlite(source)) as connection:
            empty = f"select * from ({select}) limit 0"  # the user's own query, or a quoted name
            self.columns = [column[0] for column in connection.execute(empty).description or ()]
            self.rows = connection.execute(count).fetchone()[0] if count else 0
        if not self.rows:
            self.size = 0  # unknown: then there is no progress in bytes

    def chunks(self, names: Sequence[str], skip: int) -> Iterator[Chunk]:
        """The rows from `skip`."""
        places = [self.columns.index(name) for name in names]
        rest = f"select * from ({self._select}) limit -1 offset {int(skip)}"  # as above
        with self._errors(), closing(connect_sqlite(self._source)) as connection:
            cursor = connection.execute(rest)
            cursor.arraysize = SQLITE_ROWS
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


def connect_sqlite(source: Source) -> sqlite3.Connection:
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
    """Whether a part of a statement may be run, also inside of a view: not what opens other files or loads code.

    >>> _authorize(sqlite3.SQLITE_SELECT, None, None) == sqlite3.SQLITE_OK
    True
    >>> _authorize(sqlite3.SQLITE_FUNCTION, None, "load_extension") == sqlite3.SQLITE_DENY
    True
    """
    is_refused = action == sqlite3.SQLITE_ATTACH or second in ("load_extension", "fts3_tokenizer")
    return sqlite3.SQLITE_DENY if is_refused else sqlite3.SQLITE_OK


def open_sqlite(source: Source, options: ReadOptions) -> Reader:
    """The reader of the chosen table or view of a database, or of the rows of a query."""
    if options.query is not None:
        return SqliteReader(source, options, options.query.strip().rstrip(";") + "\n")  # it may end in a comment
    listing = "select name, type from sqlite_master where type in ('table', 'view') and substr(name, 1, 7) != 'sqlite_'"
    try:
        with closing(connect_sqlite(source)) as connection:
            found = connection.execute(f"{listing} order by rowid").fetchall()
    except sqlite3.Error as error:
        raise DocumentError(f"{source.name} cannot be read as an SQLite database: {error}. Check the file.") from error
    tables = {}
    for name, kind in found:
        quoted = quote_name(name)
        select = f"select * from {quoted}" + (" not indexed" if kind == "table" else "")  # quoted
        count = f"select count(*) from {quoted}" if kind == "table" else ""  # quoted
        tables[name] = partial(SqliteReader, source, options, select, count)
    return choose_table(tables, options, source.name, "table")
