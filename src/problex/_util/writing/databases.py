"""Tables of Arrow as tables of SQLite and DuckDB databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, count
from pathlib import Path
from typing import Any

import pyarrow as pa

from problex._util.late import pq
from problex._util.records import csv_cell, plain_value
from problex._util.writing.tables import python_values
from problex.errors import OutputError

SQLITE_TYPES = {"int": "INTEGER", "uint": "INTEGER", "bool": "INTEGER", "float": "REAL", "double": "REAL"}
"""The beginning of the name of an Arrow type -> the type of a column; all others are TEXT."""
MAX_SQLITE_INTEGER = (1 << 63) - 1


def quote_name(name: str) -> str:
    """The name of a table or column in SQL.

    >>> quote_name('my "own" table')
    '"my ""own"" table"'
    """
    return '"' + name.replace('"', '""') + '"'


def check_table(path: Path, exists: bool, table: str, *, force: bool) -> None:
    """Raise if a database has the table already."""
    if exists and not force:
        raise OutputError(
            f"the database {str(path)!r} has a table {table!r} already: choose another name with table=..., or "
            "overwrite it with force=True"
        )


# -- SQLite


def has_sqlite_table(path: Path, table: str) -> bool:
    """Whether a SQLite file exists and has a table of this name."""
    if not path.exists():
        return False
    with _errors(path, sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("select 1 from sqlite_master where lower(name) = lower(?)", [table])
        return rows.fetchone() is not None


def write_sqlite(parquet: Path, path: Path, table: str) -> None:
    """Replace a table of a SQLite file by the rows of a Parquet file, in one transaction."""
    source = pq.ParquetFile(parquet)
    fields = list(source.schema_arrow)
    names = distinct_names([field.name for field in fields])
    columns = [f"{quote_name(name)} {_sqlite_type(field.type)}" for name, field in zip(names, fields, strict=True)]
    with _errors(path, sqlite3.Error), closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("begin immediate")
        connection.execute(f"drop table if exists {quote_name(table)}")
        connection.execute(f"create table {quote_name(table)} ({', '.join(columns)})")
        places = ", ".join("?" * len(columns))
        insert = f"insert into {quote_name(table)} values ({places})"  # nosec B608  # the name is quoted
        for batch in source.iter_batches():
            connection.executemany(insert, _sqlite_rows(batch))


def distinct_names(names: Sequence[str]) -> list[str]:
    """Names of columns for a database, for which Row and row are one: the second gets a number, as in DuckDB.

    >>> distinct_names(["row", "Row", "ROW", "text"])
    ['row', 'Row_1', 'ROW_2', 'text']
    """
    taken: set[str] = set()
    distinct = []
    for name in names:
        numbered = (f"{name}_{number}" for number in count(1))
        chosen = next(one for one in chain([name], numbered) if one.lower() not in taken)
        taken.add(chosen.lower())
        distinct.append(chosen)
    return distinct


def _sqlite_type(type: pa.DataType) -> str:
    return next((kind for name, kind in SQLITE_TYPES.items() if str(type).startswith(name)), "TEXT")


def _sqlite_rows(batch: pa.RecordBatch) -> Iterable[tuple[Any, ...]]:
    table = pa.Table.from_batches([batch])
    return zip(*([_sqlite_value(value) for value in python_values(column)] for column in table.columns), strict=True)


def _sqlite_value(value: Any) -> Any:
    if isinstance(value, int) and abs(value) > MAX_SQLITE_INTEGER:
        return str(value)
    if value is None or isinstance(value, str | bool | int | float | bytes):
        return value
    return csv_cell(value, raw=True) if isinstance(value, list | tuple | dict) else plain_value(value)


# -- DuckDB


def has_duckdb_table(path: Path, table: str) -> bool:
    """Whether a DuckDB file exists and has a table or view of this name."""
    import duckdb

    if not path.exists():
        return False
    with _errors(path, duckdb.Error), closing(duckdb.connect(str(path), read_only=True)) as connection:
        names = "select 1 from information_schema.tables where lower(table_name) = lower(?)"
        return connection.execute(names, [table]).fetchone() is not None


def write_duckdb(parquet: Path, path: Path, table: str) -> None:
    """Replace a table of a DuckDB file by the rows of a Parquet file, in one transaction."""
    import duckdb

    with _errors(path, duckdb.Error), closing(duckdb.connect(str(path))) as connection:
        connection.begin()
        connection.execute(f"drop table if exists {quote_name(table)}")
        connection.read_parquet(str(parquet)).create(quote_name(table))
        connection.commit()


@contextmanager
def _errors(path: Path, kind: type[Exception]) -> Iterator[None]:
    """Errors of a database as an `OutputError`."""
    try:
        yield
    except kind as error:
        reason = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else type(error).__name__
        raise OutputError(f"the database {str(path)!r} could not be written: {reason}; nothing was changed") from error
