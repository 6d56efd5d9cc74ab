"""Tables of Arrow as files of CSV, JSON lines, Parquet and Excel, and as tables of databases.

A writer returns what its format cannot hold, in sentences.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count, groupby
from pathlib import Path
from typing import Any

import pyarrow as pa

from problex._util.arrow import pc
from problex._util.files import check_writable, scratch_file, write_atomically
from problex._util.formatting import pluralize
from problex._util.late import import_optional, pq
from problex._util.records import FORMULA, NUMBER, Record, csv_cell, escape_formula, plain_value, to_json
from problex.errors import DocumentWarning, OutputError, opt, warn_caller

Tables = Iterator[pa.Table]
Others = Mapping[str, Tables]
"""Further tables by their names: sheets of a workbook, tables of a database, or files beside the first.

They are made after the first was written.
"""

# -- Values


def python_values(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; if Python lacks one of them (24:00, the year 20,000), all are texts, with a warning.

    >>> python_values(pa.chunked_array([pa.array([1, None], pa.int32()).cast(pa.time32("s"))]))
    [datetime.time(0, 0, 1), None]
    """
    if not has_values_beyond_python(column):
        try:
            return list(column.to_pylist())
        except (ValueError, OverflowError):  # durations, and digits beyond microseconds
            pass
    with _clear_errors():
        return text_values(column)


def text_values(column: pa.ChunkedArray) -> list[str | None]:
    """The values of a column as Arrow writes them; of a time that it cannot write, the number of its units.

    >>> text_values(pa.chunked_array([pa.array([1.5, None]), pa.array([2.0])]))
    ['1.5', None, '2']
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    has_zone = pa.types.is_timestamp(column.type) and column.type.tz is not None
    values = column.cast(pa.timestamp(column.type.unit)) if has_zone else column  # Arrow writes far ones wrongly
    texts = pc.cast(values, pa.string())
    if has_values_beyond_python(column):
        warn_caller(
            f"a column of type {column.type} has values that Python lacks, such as 24:00, nanoseconds or the year "
            "20,000: written as texts, or as numbers where there is no text",
            DocumentWarning,
        )
        texts = pc.replace_substring_regex(texts, "^<value out of range: (.*)>$", r"\1")
    return [None if text is None else f"{text}{'Z' if has_zone else ''}" for text in texts.to_pylist()]


def has_values_beyond_python(column: pa.ChunkedArray | pa.Array) -> bool:
    """Whether a date or time of a column, also within lists, is none of Python: 24:00, nanoseconds, the year 10000.

    >>> days = pa.array([0, 3_000_000], pa.int32()).cast(pa.date32())
    >>> has_values_beyond_python(days), has_values_beyond_python(days[:1])
    (True, False)
    """
    kind = column.type
    if pa.types.is_nested(kind) or pa.types.is_dictionary(kind):
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        return any(map(has_values_beyond_python, chain.from_iterable(map(_pieces, chunks))))
    if not pa.types.is_temporal(kind) or pa.types.is_duration(kind) or pa.types.is_interval(kind):
        return False
    ends = pc.min_max(column)
    try:
        ends.as_py()
        if kind == pa.time64("ns"):
            column.cast(pa.time64("us"))
    except (ValueError, OverflowError):
        return True
    latest = ends["max"].cast(pa.string()).as_py() if pa.types.is_time(kind) else None
    return latest is not None and latest.startswith("<")  # as Arrow writes what is no time


def _pieces(array: pa.Array) -> list[pa.Array]:
    """The arrays that lists, structures, maps or categories consist of."""
    if pa.types.is_dictionary(array.type):
        return [array.dictionary]
    if pa.types.is_map(array.type):
        return [array.keys, array.items]
    flat = array.flatten()
    return flat if isinstance(flat, list) else [flat]


# -- Files of text, and Parquet


def write_csv(tables: Iterator[pa.Table], path: Path, *, raw: bool = False, bom: bool = False) -> list[str]:
    """Write tables as one CSV file; cells that a spreadsheet would compute are made harmless, unless `raw`.

    With `bom`, it begins with a byte order mark, by which Excel knows that it is UTF-8.
    """
    from pyarrow import csv

    with path.open("wb") as file:
        file.write(codecs.BOM_UTF8 if bom else b"")
        parts = groupby((_csv_table(table, raw=raw) for table in tables), key=lambda table: table.schema)
        for number, (_, part) in enumerate(parts):  # a column may be times here, and texts where one is 24:00
            options = csv.WriteOptions(include_header=number == 0)
            _write_arrow(partial(csv.CSVWriter, write_options=options), part, file)
    return []


def write_parquet(tables: Iterator[pa.Table], path: Path) -> list[str]:
    """Write tables as one Parquet file."""
    _write_arrow(pq.ParquetWriter, tables, path)
    return []


def _write_arrow(open_writer: Callable[[Any, pa.Schema], Any], tables: Iterator[pa.Table], path: Any) -> None:
    """Write with a writer of Arrow, which takes its columns from the first table; raise if it cannot write a value."""
    first = next(tables)
    with ExitStack() as stack:
        with _clear_errors():
            writer = stack.enter_context(open_writer(path, first.schema))
        for table in chain([first], tables):  # errors of reading the texts are not those of writing
            with _clear_errors():
                writer.write_table(table)
        with _clear_errors():
            stack.close()


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Say what to do about a value that Arrow cannot write."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise OutputError(
            f"a column cannot be written in this format: {error}. Keep other columns (--keep), or write a file that "
            "ends in .csv or .jsonl"
        ) from error


def write_json_lines(tables: Iterator[pa.Table], path: Path) -> list[str]:
    """Write tables as JSON lines."""
    nulls = 0
    with path.open("w", encoding="utf-8") as file:
        for table in tables:
            for record in to_records(table):
                line, number = to_json(record)
                file.write(line + "\n")
                nulls += number
    return describe_nulls(nulls)


def describe_nulls(number: int) -> list[str]:
    """What to tell about numbers that are null because JSON lacks them.

    >>> describe_nulls(1), describe_nulls(0)
    (['1 number that JSON lacks, NaN or infinite, written as null'], [])
    """
    return [f"{pluralize(number, 'number')} that JSON lacks, NaN or infinite, written as null"] if number else []


def to_records(table: pa.Table) -> list[Record]:
    """The rows of a table.

    >>> to_records(pa.table({"a": [1, 2], "b": ["x", None]}))
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': None}]
    """
    columns = [python_values(column) for column in table.columns]
    return [dict(zip(table.column_names, values, strict=True)) for values in zip(*columns, strict=True)]


def _is_simple(type: pa.DataType) -> bool:
    return bool(
        pa.types.is_boolean(type)
        or pa.types.is_integer(type)
        or pa.types.is_floating(type)
        or pa.types.is_string(type)
        or pa.types.is_large_string(type)
        or pa.types.is_null(type)
    )


def _csv_table(table: pa.Table, *, raw: bool) -> pa.Table:
    names = table.column_names if raw else [escape_formula(name) for name in table.column_names]
    columns = [_csv_column(column, raw=raw) for column in table.columns]
    return pa.Table.from_arrays(columns, names=names)


def _csv_column(column: pa.ChunkedArray, *, raw: bool) -> pa.ChunkedArray:
    """A column that Arrow's writer of CSV can write.

    >>> _csv_column(pa.chunked_array([[["a", "b"], None]]), raw=False).to_pylist()
    ['["a", "b"]', None]
    """
    type = column.type
    if pa.types.is_string(type) or pa.types.is_large_string(type):
        return column if raw else _escape_formulas(column)
    if not pa.types.is_nested(type) and has_values_beyond_python(column):
        return pa.chunked_array([pa.array(text_values(column), pa.string())])
    is_time = pa.types.is_date(type) or pa.types.is_time(type) or pa.types.is_timestamp(type)
    if _is_simple(type) or is_time or pa.types.is_decimal(type):
        return column
    cells = [None if value is None else str(csv_cell(value, raw=raw)) for value in python_values(column)]
    return pa.chunked_array([pa.array(cells, pa.string())])


def _escape_formulas(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pc.any(pc.match_substring_regex(column, FORMULA)).as_py():
        return column
    is_formula = pc.and_not(pc.match_substring_regex(column, FORMULA), pc.match_substring_regex(column, NUMBER))
    mark, nothing = (pa.scalar(text, column.type) for text in ("'", ""))
    return pc.if_else(is_formula, pc.binary_join_element_wise(mark, column, nothing), column)


# -- Databases

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


def has_sqlite_table(path: Path, table: str) -> bool:
    """Whether a SQLite file exists and has a table of this name."""
    import sqlite3

    if not path.exists():
        return False
    with _errors(path, sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("select 1 from sqlite_master where lower(name) = lower(?)", [table])
        return rows.fetchone() is not None


def write_sqlite(parquet: Path, path: Path, table: str) -> list[str]:
    """Replace a table of a SQLite file by the rows of a Parquet file, in one transaction.

    Returns what it cannot hold, in a sentence.
    """
    import sqlite3

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
            nulls += sum(_number_of_nans(column) for column in batch if pa.types.is_floating(column.type))
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
    """The type of a column of SQLite; empty where it must not convert values.

    >>> [_sqlite_type(type) for type in (pa.int32(), pa.uint64(), pa.float64(), pa.date32())]
    ['INTEGER', '', 'REAL', 'TEXT']
    """
    return next((kind for name, kind in SQLITE_TYPES.items() if str(type).startswith(name)), "TEXT")


def _sqlite_rows(batch: pa.RecordBatch) -> Iterable[tuple[Any, ...]]:
    table = pa.Table.from_batches([batch])
    return zip(*([_sqlite_value(value) for value in python_values(column)] for column in table.columns), strict=True)


def _sqlite_value(value: Any) -> Any:
    """A value as SQLite holds it: an integer of more than 64 bits is a text, a list JSON.

    >>> _sqlite_value(5), _sqlite_value(1 << 63), _sqlite_value(["a"])
    (5, '9223372036854775808', '["a"]')
    """
    if isinstance(value, int) and abs(value) > MAX_SQLITE_INTEGER:
        return str(value)
    if value is None or isinstance(value, str | bool | int | float | bytes):
        return value
    return csv_cell(value, raw=True) if isinstance(value, list | tuple | dict) else plain_value(value)


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
        durations = {name: field.type.unit for name, field in names if pa.types.is_duration(field.type)}
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


# -- Any of them

FILES: dict[str, Callable[[Tables, Path], list[str]]] = {
    ".csv": write_csv,
    ".parquet": write_parquet,
    ".jsonl": write_json_lines,
}
"""Suffix -> writer of a file of one table."""
DATABASES = {
    **dict.fromkeys((".sqlite", ".sqlite3", ".db"), (has_sqlite_table, write_sqlite)),
    ".duckdb": (has_duckdb_table, write_duckdb),
}
"""Suffix -> whether a database has a table, and the writer of a table."""
WORKBOOK = ".xlsx"
SUFFIXES = (".csv", WORKBOOK, ".parquet", ".jsonl", ".sqlite", ".duckdb")
"""The suffixes that messages and help name."""
PACKAGES = {WORKBOOK: "openpyxl", ".duckdb": "duckdb"}
"""Suffix -> the optional package that it needs."""


@dataclass(frozen=True)
class TableFile:
    """Where a table goes: `table` is its name in a database or its sheet in a workbook.

    `raw` leaves formulas in CSV as they are, `bom` begins CSV with a byte order mark, `force` overwrites.
    With `confirm`, a file that exists must have the content that is to be written.
    """

    path: Path
    table: str = "predictions"
    raw: bool = False
    bom: bool = False
    force: bool = False
    confirm: bool = False

    @property
    def suffix(self) -> str:
        """The suffix in lower case."""
        return self.path.suffix.lower()

    @property
    def is_database(self) -> bool:
        """Whether other tables of the file are left as they are."""
        return self.suffix in DATABASES

    @property
    def holds_others(self) -> bool:
        """Whether further tables are in the same file."""
        return self.is_database or self.suffix == WORKBOOK

    def check(self, others: Iterable[str] = ()) -> None:
        """Raise if the file cannot be written, or one for each of the other tables: before the work is done."""
        if self.suffix not in (*FILES, *DATABASES, WORKBOOK):
            raise OutputError(
                f"{self.path.name!r} has no known suffix for results, expected one of {', '.join(SUFFIXES)}"
            )
        if self.suffix in PACKAGES:
            import_optional(PACKAGES[self.suffix], f"writing {self.suffix}")
        if self.suffix == WORKBOOK:
            from problex.tables.write_workbook import check_sheet_name

            check_sheet_name(self.table)
        check_writable(self.path, force=self.force or self.confirm or self.is_database)
        if self.is_database:
            for table in (self.table, *others):
                check_table(self.path, DATABASES[self.suffix][0](self.path, table), table, force=self.force)
        elif self.suffix != WORKBOOK:
            for name in others:
                check_writable(self.beside(name), force=self.force)

    def beside(self, name: str) -> Path:
        """The file of another table, if that is neither a sheet nor a table of this one.

        >>> TableFile(Path("out/labelled.csv")).beside("shares").name
        'labelled-shares.csv'
        """
        return self.path.with_name(f"{self.path.stem}-{name}{self.path.suffix}")

    def write(self, tables: Tables, others: Others | None = None) -> list[str]:
        """Write the tables as one, and the others; returns what the format cannot hold, in sentences."""
        others = others or {}
        if self.suffix == WORKBOOK:
            from problex.tables.write_workbook import write_workbook

            return self._write_file(lambda path: write_workbook({self.table: tables, **others}, path))
        if self.is_database:
            named = chain([(self.table, tables)], others.items())
            return [note for name, parts in named for note in self._write_database(parts, name)]
        write = partial(write_csv, raw=self.raw, bom=self.bom) if self.suffix == ".csv" else FILES[self.suffix]
        notes = self._write_file(partial(write, tables))
        for name, table in others.items():
            notes += replace(self, path=self.beside(name)).write(table)
        return notes

    def _write_file(self, write: Callable[[Path], list[str]]) -> list[str]:
        notes: list[str] = []
        write_atomically(self.path, lambda path: notes.extend(write(path)), force=self.force, confirm=self.confirm)
        return notes

    def _write_database(self, tables: Tables, name: str) -> list[str]:
        """By way of a temporary file, so that a database can be read while its predictions are made."""
        is_new, writer = not self.path.exists(), DATABASES[self.suffix][1]
        with scratch_file(self.path) as rows:
            write_parquet(tables, rows)
            try:
                notes: list[str] = writer(rows, self.path, name)
                return notes
            except BaseException:
                if is_new:
                    self.path.unlink(missing_ok=True)
                raise
