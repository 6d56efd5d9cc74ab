"""Records to people and files: one table, JSON or CSV for all commands, and writers of predictions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table
from rich.text import Text

from problex._util.formatting import format_value
from problex.errors import OutputError, check_choice

Record = dict[str, Any]


def _as_table(records: Sequence[Record], title: str) -> str:
    columns = list(records[0]) if records else []
    table = Table()
    for column in columns:
        numeric = all(isinstance(record[column], (int, float)) or record[column] is None for record in records)
        name = column.replace("_", "\n" if numeric else " ")  # numbers must not wrap, so their names are made narrow
        table.add_column(name, justify="right" if numeric else "left", no_wrap=numeric)
    for record in records:
        table.add_row(*(Text(format_value(record[column])) for column in columns))
    console = Console(file=io.StringIO(), width=None if Console().is_terminal else 120)
    if title:
        console.print(Text(title), soft_wrap=True)
    console.print(table)
    return console.file.getvalue().rstrip("\n")  # type: ignore[attr-defined, no-any-return]


def _as_json(records: Sequence[Record], title: str) -> str:
    return json.dumps(records, ensure_ascii=False, indent=2)


def _as_csv(records: Sequence[Record], title: str) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]) if records else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().rstrip("\n")


FORMATS: dict[str, Callable[[Sequence[Record], str], str]] = {"table": _as_table, "json": _as_json, "csv": _as_csv}


def render(records: Sequence[Record], form: str = "table", title: str = "") -> str:
    """Records as text in one of `FORMATS`.

    >>> print(render([{"word": "good", "weight": 1.5}], "csv"))
    word,weight
    good,1.5
    """
    check_choice("format", form, FORMATS)
    return FORMATS[form](records, title)


def _write_arrow(open_writer: Callable[[Path, pa.Schema], Any], tables: Iterator[pa.Table], path: Path) -> None:
    """With a writer of Arrow's, which takes its columns from the first table."""
    first = next(tables)
    with open_writer(path, first.schema) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _write_jsonl(tables: Iterator[pa.Table], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for table in tables:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in table.to_pylist())


WRITERS: dict[str, Callable[[Iterator[pa.Table], Path], None]] = {
    ".csv": partial(_write_arrow, pacsv.CSVWriter),
    ".parquet": partial(_write_arrow, pq.ParquetWriter),
    ".jsonl": _write_jsonl,
}


def writer_for(path: Path) -> Callable[[Iterator[pa.Table], Path], None]:
    """The writer of a file's suffix."""
    if path.suffix.lower() not in WRITERS:
        raise OutputError(f"{path.name!r} has no known suffix for results, expected one of {', '.join(WRITERS)}")
    return WRITERS[path.suffix.lower()]
