"""Tables of Arrow as tables of SQLite and DuckDB databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.types import is_duration, is_floating

from problex._util.formatting import pluralize
from problex._util.late import pq
from problex._util.records import csv_cell, plain_value
from problex.errors import OutputError, opt
from problex.tables.write.values import python_values

SQLITE_TYPES = {
    "int": "INTEGER",
    "uint64": "",  # a text of more digits than an integer can have would become a rounded number
    "uint": "INTEGER",
    "bool": "INTEGER",
    "float": "REAL",
    "double": "REAL",
    "halffloat": "REAL",
}
"""The beginning of the name of an Arrow type -> the type of a column; all others are TEXT."""
MAX_SQLITE_INTEGER = (1 << 63) - 1
MICROSECONDS = {"s": 1_000_000, "ms": 1_000, "us": 1}
"""In a unit of durations."""


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
            f"the database {str(path)!r} has a table {table!r} already: choose another name with {opt('table')}, or "
            f"overwrite it with {opt('force', True)}"
        )


# -- SQLite


def has_sqlite_table(path: Path, table: str) -> bool:
    """Whether a SQLite file exists and has a table of this name."""
    if not path.exists():
        return False
    with _errors(path, sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("select 1 from sqlite_master where lower(name) = lower(?)", [table])
        return rows.fetchone() is not None


def write_sqlite(parquet: Path, path: Path, table: str) -> list[str]:
    """Replace a table of a SQLite file by the rows of a Parquet file, in one transaction.

    Returns what it cannot hold, in a sentence.
    """
    source = pq.ParquetFile(parquet)
    fields = list(source.schema_arrow)
    names = distinct_names([field.name for field in fields])
    columns = [f"{quote_name(name)} {_sqlite_type(field.type)}" for name, field in zip(names, fields, strict=True)]
    nulls = 0
    with _errors(path, sqlite3.Error), closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("begin immediate")
        connection.execute(f"drop table if exists {quote_name(table)}")
        connection.execute(f"create table {quote_name(table)} ({', '.join(columns)})")
        places = ", ".join("?" * len(columns))
        insert = f"insert into {quote_name(table)} values ({places})"  # the name is quoted
        for batch in source.iter_batches():
            connection.executemany(insert, _sqlite_rows(batch))
            nulls += sum(_number_of_nans(column) for column in batch if is_floating(column.type))
    return [f"{pluralize(nulls, 'number')} that SQLite lacks, NaN, written as null"] if nulls else []


def _number_of_nans(column: pa.Array) -> int:
    wide = pc.cast(column, pa.float64())  # older versions of Arrow do not look for NaN among half floats
    return pc.sum(pc.is_nan(wide)).as_py() or 0


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
    config: dict[str, Any] = {"enable_external_access": "false"}
    with _errors(path, duckdb.Error), closing(duckdb.connect(str(path), read_only=True, config=config)) as connection:
        names = "select 1 from information_schema.tables where lower(table_name) = lower(?)"
        return connection.execute(names, [table]).fetchone() is not None


def write_duckdb(parquet: Path, path: Path, table: str) -> list[str]:
    """Replace a table of a DuckDB file by the rows of a Parquet file, in one transaction."""
    import duckdb

    fields = pq.read_schema(parquet)
    with _errors(path, duckdb.Error), closing(duckdb.connect(str(path))) as connection:
        connection.begin()
        connection.execute(f"drop table if exists {quote_name(table)}")
        rows = connection.read_parquet(str(parquet))
        names = zip(rows.columns, fields, strict=True)  # DuckDB, for which Row and row are one, renames columns
        durations = {name: field.type.unit for name, field in names if is_duration(field.type)}
        if durations:  # which Parquet has as integers
            intervals = ", ".join(_interval(rows, name, unit) for name, unit in durations.items())
            rows = rows.project(f"* replace ({intervals})")
        rows.create(quote_name(table))
        connection.commit()
    return []


def _interval(rows: Any, name: str, unit: str) -> str:
    """A column of durations as DuckDB holds them, to the microsecond; a text if one of them has more digits."""
    column = quote_name(name)
    if unit == "ns" and rows.filter(f"{column} % 1000 <> 0").limit(1).fetchall():
        return f"printf('%d ns', {column}) as {column}"
    micro = f"{column} // 1000" if unit == "ns" else f"{column} * {MICROSECONDS[unit]}"
    return f"to_microseconds({micro}) as {column}"


@contextmanager
def _errors(path: Path, kind: type[Exception]) -> Iterator[None]:
    """Errors of a database as an `OutputError`."""
    try:
        yield
    except kind as error:
        reason = str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else type(error).__name__
        raise OutputError(f"the database {str(path)!r} could not be written: {reason}; nothing was changed") from error
