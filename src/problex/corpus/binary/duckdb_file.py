"""DuckDB databases, and queries by DuckDB over files of other formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import pyarrow as pa

from problex._util.packages import import_optional
from problex.corpus.batch import ReadOptions
from problex.corpus.binary.table_file import RecordReader, TableFileReader, choose_table
from problex.corpus.reader import Reader, quote_columns
from problex.corpus.sources import Source
from problex.errors import DocumentError

ROWS_AT_ONCE = 8192
VIEW = "texts"  # the name of a file in a query
FUNCTIONS = {"csv": "read_csv", "tsv": "read_csv", "jsonl": "read_ndjson_auto", "parquet": "read_parquet"}
"""The functions of DuckDB that read the formats; the other formats are read by the readers of this package."""
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
            self._select = _as_arrow_reads(connection, select)
            empty = f"select * from ({self._select}) limit 0"  # nosec B608  # the user's own query, or a quoted name
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
        rest = f"select * from ({self._select}) offset {int(skip)}"  # nosec B608  # as above
        with self._connection() as connection:
            for records in arrow_reader(connection.sql(rest)):
                yield records.select(list(names))

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        connection = None
        duckdb_error = import_optional("duckdb", "a query").Error
        try:
            connection = self._connect()
            connection.execute("set threads = 1")
            connection.execute(f"set memory_limit = '{self._options.memory >> 10}KiB'")
            yield connection
        except duckdb_error as error:
            query = f", the query {self._options.query!r}" if self._options.query else ""
            advice = "Correct the query." if query else "Check the file."
            reason = " ".join(str(error).split())
            raise DocumentError(f"{self.name}{query} cannot be read: {reason}. {advice}") from error
        finally:
            if connection is not None:
                connection.close()


def _as_arrow_reads(connection: Any, select: str) -> str:
    """A `select` whose columns of `MISREAD` types are texts."""
    described = connection.execute(f"describe select * from ({select})")  # nosec B608  # the user's own, or quoted
    names = [quote_name(name) for name, kind, *_ in described.fetchall() if kind in MISREAD]
    texts = [f"{name}::varchar as {name}" for name in names]
    return f"select * replace ({', '.join(texts)}) from ({select})" if texts else select  # nosec B608  # as above


def quote_name(name: str) -> str:
    """A name of a column or table as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def arrow_reader(relation: Any) -> pa.RecordBatchReader:
    """The rows of a relation, some at a time; the method has another name in old versions."""
    return getattr(relation, "to_arrow_reader", relation.fetch_record_batch)(ROWS_AT_ONCE)


def open_duckdb(source: Source, options: ReadOptions) -> Reader:
    """The reader of the chosen table or view of a database, or of the rows of a query."""
    duckdb = import_optional("duckdb", "reading .duckdb")
    connect = partial(duckdb.connect, str(source.path), read_only=True)
    if options.query is not None:
        return DuckdbReader(source, options, connect, _bare(options.query))
    listing = "select table_schema, table_name, table_type from information_schema.tables order by all"
    found = DuckdbReader(source, options, connect, listing)
    tables = {}
    for records in found.records(found.columns, 0):
        for schema, name, kind in zip(*records.to_pydict().values(), strict=True):
            place = ".".join(map(quote_name, (schema, name)))
            count = f"select count(*) from {place}" if kind == "BASE TABLE" else ""  # nosec B608  # quoted names
            select = f"select * from {place}"  # nosec B608  # quoted names
            tables[name if schema == "main" else f"{schema}.{name}"] = partial(
                DuckdbReader, source, options, connect, select, count
            )
    return choose_table(tables, options, source.name, "table")


def open_query(source: Source, format: str, options: ReadOptions, open_reader: Callable[[], Reader]) -> Reader:
    """The reader of the rows of a query over a file that is no database, in which the file is called `texts`."""
    duckdb = import_optional("duckdb", "a query")
    reader = None if format in FUNCTIONS else open_reader()
    if reader is not None and not isinstance(reader, TableFileReader):
        raise DocumentError(f"{source.name} has no columns, so that no query can be made. Leave query=... out.")

    def connect() -> Any:
        connection = duckdb.connect()
        if reader is None:
            place = str(source.path).replace("'", "''")
            options = ", delim = '\t'" if format == "tsv" else ""
            connection.execute(f"create view {VIEW} as from {FUNCTIONS[format]}('{place}'{options})")
        else:
            connection.register(VIEW, _whole_table(reader))
        return connection

    return DuckdbReader(source, options, connect, _bare(options.query or ""))


def _whole_table(reader: TableFileReader) -> pa.Table:
    """All columns of a table, which a workbook and files of statistics programs can be held as."""
    names = [name for name in dict.fromkeys(reader.columns) if reader.columns.count(name) == 1]
    if not names:
        raise DocumentError(f"{reader.name} has the columns {quote_columns(reader.columns)}; expected different names.")
    parts = [raw.columns for raw in reader.read(names[0], names, ()) if raw.columns is not None]
    return pa.concat_tables(parts) if parts else pa.table({name: pa.nulls(0, pa.string()) for name in names})


def _bare(query: str) -> str:
    """A query that can stand in parentheses."""
    return query.strip().rstrip(";")
