"""What commands write: records as a table, JSON or CSV, files of predictions, and messages on standard error."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from problex._util.files import check_writable
from problex._util.formatting import format_value
from problex._util.records import Record, to_csv
from problex._util.terminal import is_utf8, printable, write_output
from problex.errors import OutputError, ProblexError, check_choice

PIPED_WIDTH = 120
"""Columns of a table that does not go to a terminal."""


def show(records: Sequence[Record], format: str, title: str = "") -> None:
    """Write records to standard output."""
    write_output(render(records, format, title))


@contextmanager
def status(message: str) -> Iterator[Callable[[str], None]]:
    """Show a spinner with a message, which the returned function changes; nothing when piped."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda message: None
        return
    with console.status(message) as spinner:
        yield spinner.update


@contextmanager
def resumable(checkpoint: Path | None) -> Iterator[None]:
    """On an interrupt, write a message that the command can continue, if there is a checkpoint."""
    if checkpoint is not None:
        check_writable(checkpoint, force=True)
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is None or not checkpoint.exists():
            raise
        raise ProblexError(f"interrupted: the same command continues from the checkpoint {checkpoint}") from None


def _as_table(records: Sequence[Record], title: str) -> str:
    columns = list(records[0]) if records else []
    table = Table(box=box.HEAVY_HEAD if is_utf8(sys.stdout) else box.ASCII)
    for column in columns:
        numeric = all(isinstance(record[column], (int, float)) or record[column] is None for record in records)
        name = printable(column).replace("_", "\n" if numeric else " ")  # numbers must not wrap, so their headers do
        table.add_column(name, justify="right" if numeric else "left", no_wrap=numeric)
    for record in records:
        table.add_row(*(Text(printable(format_value(record[column]))) for column in columns))
    text = io.StringIO()
    console = Console(file=text, width=None if Console().is_terminal else PIPED_WIDTH)
    if title:
        console.print(Text(printable(title)), soft_wrap=True)
    console.print(table)
    return text.getvalue().rstrip("\n")


def _as_json(records: Sequence[Record], title: str) -> str:
    return json.dumps(records, ensure_ascii=not is_utf8(sys.stdout), indent=2)


def _as_csv(records: Sequence[Record], title: str) -> str:
    return to_csv(records).rstrip("\n")


def printable_text(text: Text) -> Text:
    """A text in colours with its control characters as escapes; its lines stay."""
    pieces = text.render(Console(file=io.StringIO()))
    return Text.assemble(*((printable(piece.text, keep="\n\t"), piece.style or "") for piece in pieces))


FORMATS: dict[str, Callable[[Sequence[Record], str], str]] = {"table": _as_table, "json": _as_json, "csv": _as_csv}


def render(records: Sequence[Record], format: str = "table", title: str = "") -> str:
    """Records as text in one of `FORMATS`.

    >>> print(render([{"word": "good", "weight": 1.5}], "csv"))
    word,weight
    good,1.5
    """
    check_choice("format", format, FORMATS)
    return FORMATS[format](records, title)


def _write_arrow(open_writer: Callable[[Path, pa.Schema], Any], tables: Iterator[pa.Table], path: Path) -> None:
    """Write with a writer of Arrow, which takes its columns from the first table."""
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
"""Suffix -> writer of predictions."""


def writer_for(path: Path) -> Callable[[Iterator[pa.Table], Path], None]:
    """The writer of a file's suffix; raise if it is unknown."""
    if path.suffix.lower() not in WRITERS:
        raise OutputError(f"{path.name!r} has no known suffix for results, expected one of {', '.join(WRITERS)}")
    return WRITERS[path.suffix.lower()]
