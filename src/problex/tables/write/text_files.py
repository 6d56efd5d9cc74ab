"""Tables of Arrow whose columns have any type, in files of CSV, JSON lines and Parquet.

A writer returns what its format cannot hold, in sentences.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv

from problex._util.arrow import pc
from problex._util.formatting import pluralize
from problex._util.late import pq
from problex._util.records import FORMULA, NUMBER, Record, csv_cell, escape_formula, to_json
from problex.errors import OutputError
from problex.tables.write.values import odd_times, python_values, text_values


def write_csv(tables: Iterator[pa.Table], path: Path, *, raw: bool = False, bom: bool = False) -> list[str]:
    """Write tables as one CSV file; cells that a spreadsheet would compute are made harmless, unless `raw`.

    With `bom`, it begins with a byte order mark, by which Excel knows that it is UTF-8.
    """
    with path.open("wb") as file:
        file.write(codecs.BOM_UTF8 if bom else b"")
        parts = groupby((_csv_table(table, raw=raw) for table in tables), key=lambda table: table.schema)
        for number, (_, part) in enumerate(parts):  # the same column may be times here, and texts where one is 24:00
            options = pacsv.WriteOptions(include_header=number == 0)
            _write_arrow(partial(pacsv.CSVWriter, write_options=options), part, file)
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
    """What to tell about numbers that are null because JSON lacks them."""
    return [f"{pluralize(number, 'number')} that JSON lacks, NaN or infinite, written as null"] if number else []


def to_records(table: pa.Table) -> list[Record]:
    """The rows of a table."""
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
    """A column that Arrow's writer of CSV can write."""
    type = column.type
    if pa.types.is_string(type) or pa.types.is_large_string(type):
        return column if raw else _escape_formulas(column)
    if odd_times(column):
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
