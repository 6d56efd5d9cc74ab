"""Tables of Arrow as sheets of an Excel workbook."""

from __future__ import annotations

import datetime
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

import pyarrow as pa

from problex._util.formatting import pluralize, visible_text
from problex._util.records import csv_cell
from problex.errors import OutputError, opt, was_given
from problex.tables.write import python_values

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
MAX_CHARACTERS = 32_767
MAX_INTEGER = 10**15
"""Excel shows larger integers with wrong digits, so they are written as texts."""
COLUMN_WIDTHS = 8, 60
"""The least and the largest width of a column, in characters."""
FORBIDDEN_IN_NAMES = "[]:*?/\\"
MAX_NAME = 31
"""What the name of a sheet must not have, and its largest length."""


def check_sheet_name(name: str) -> None:
    """Raise if Excel does not allow a name for a sheet.

    >>> check_sheet_name("a/b")
    Traceback (most recent call last):
    problex.errors.OutputError: table='a/b' was given, expected an Excel sheet name: 1 to 31 characters, without ...
    """
    is_free = name.strip("'") == name and name.lower() != "history" and not set(name) & {*FORBIDDEN_IN_NAMES}
    if not (name.strip() and len(name) <= MAX_NAME and is_free and name.isprintable()):
        raise OutputError(
            f"{was_given('table', name)}, expected an Excel sheet name: 1 to {MAX_NAME} characters, without "
            f"{' '.join(FORBIDDEN_IN_NAMES)} or control characters, no apostrophe at either end, and not 'History'"
        )


def write_workbook(sheets: Mapping[str, Iterable[pa.Table]], path: Path) -> list[str]:
    """Write a workbook; returns what its cells cannot hold, in sentences.

    No text is a formula. A text that is too long for a cell is cut, control characters are replaced by their pictures,
    and numbers that are not finite are empty.
    """
    losses = Counter[str]()
    with path.open("wb") as file, new_workbook(file) as book:
        for name, tables in sheets.items():
            _write_sheet(book.create_sheet(name), tables, losses)
    return [f"{pluralize(number, *nouns)} in the workbook" for nouns, number in _named(losses)]


@contextmanager
def new_workbook(file: IO[bytes]) -> Iterator[Any]:
    """A workbook of openpyxl that is saved at the end of a `with` block; after a failure nothing of it is left."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    book: Any = Workbook(write_only=True)
    archive = ZipFile(file, "w", ZIP_DEFLATED)
    try:
        yield book
        ExcelWriter(book, archive).save()
    except BaseException:
        archive.fp = None  # or it would be written to when it is collected, as would be the files of the sheets
        for sheet in book.worksheets:
            with suppress(Exception):
                sheet.close()
            with suppress(Exception):
                sheet._writer.cleanup()
        raise


def _named(losses: Counter[str]) -> list[tuple[tuple[str, str], int]]:
    nouns = {
        "cut": (f"text was cut to {MAX_CHARACTERS:,} characters", f"texts were cut to {MAX_CHARACTERS:,} characters"),
        "replaced": (
            "text has control characters, which were replaced,",
            "texts have control characters, which were replaced,",
        ),
        "rounded": ("time was rounded to milliseconds", "times were rounded to milliseconds"),
        "empty": ("number that is not finite is an empty cell", "numbers that are not finite are empty cells"),
    }
    return [(nouns[kind], number) for kind, number in sorted((+losses).items())]


def _write_sheet(sheet: Any, tables: Iterable[pa.Table], losses: Counter[str]) -> None:
    """A header and the rows of all tables; the header stays visible, and columns are as wide as the first rows need."""
    rows = 1
    for number, table in enumerate(tables):
        if not number:
            _write_header(sheet, table, losses)
        rows += table.num_rows
        if rows > MAX_ROWS:
            raise OutputError(
                f"there are more than {MAX_ROWS - 1:,} rows, the most that an Excel sheet can have: write a file that "
                "ends in .csv or .parquet"
            )
        columns = [python_values(column) for column in table.columns]
        for values in zip(*columns, strict=True):
            sheet.append([_cell(value, sheet, losses) for value in values])


def _write_header(sheet: Any, table: pa.Table, losses: Counter[str]) -> None:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    if table.num_columns > MAX_COLUMNS:
        raise OutputError(
            f"there are {table.num_columns:,} columns; a sheet can have {MAX_COLUMNS:,}: choose some with {opt('keep')}"
        )
    sheet.freeze_panes = "A2"
    for number, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True), 1):
        lengths = [len(str(value)) for value in (name, *python_values(column.slice(0, 50)))]
        width = min(max(*lengths, COLUMN_WIDTHS[0]), COLUMN_WIDTHS[1])
        sheet.column_dimensions[get_column_letter(number)].width = width
    header = []
    for name in table.column_names:
        cell = WriteOnlyCell(sheet, value=_text(name, losses))
        cell.data_type, cell.font = "s", Font(bold=True)
        header.append(cell)
    sheet.append(header)


def _cell(value: Any, sheet: Any, losses: Counter[str]) -> Any:
    """A value as openpyxl writes it.

    >>> [_cell(value, None, Counter()) for value in (10**15, float("nan"), datetime.date(1899, 12, 31))]
    ['1000000000000000', None, '1899-12-31']
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        text = _text(value, losses)
        return _text_cell(text, sheet) if text.startswith(("=", "#")) else text
    if isinstance(value, int):
        return value if abs(value) < MAX_INTEGER else str(value)
    if isinstance(value, float):
        losses["empty"] += not math.isfinite(value)
        return value if math.isfinite(value) else None
    if isinstance(value, datetime.datetime | datetime.date):
        has_zone = isinstance(value, datetime.datetime) and value.tzinfo is not None
        if has_zone or value.year < 1900:
            return value.isoformat()
        losses["rounded"] += _has_microseconds(value)
        return value
    if isinstance(value, datetime.time | datetime.timedelta):
        losses["rounded"] += _has_microseconds(value)
        return value
    return _text_cell(_text(str(csv_cell(value, raw=True)), losses), sheet)


def _has_microseconds(value: Any) -> bool:
    """Whether a time has digits that Excel does not show and programs that read workbooks leave out.

    >>> [_has_microseconds(datetime.time(1, 2, 3, digits)) for digits in (456_000, 1)]
    [False, True]
    """
    is_length = isinstance(value, datetime.timedelta)
    digits: int = getattr(value, "microseconds" if is_length else "microsecond", 0)
    more: int = getattr(value, "nanoseconds" if is_length else "nanosecond", 0)  # those of pandas have them
    return bool(digits % 1000 or more)


def _text(text: str, losses: Counter[str]) -> str:
    r"""A text as a cell can hold it.

    >>> losses = Counter()
    >>> _text("a\x00b", losses), len(_text("x" * 40_000, losses)), losses
    ('a␀b', 32767, Counter({'replaced': 1, 'cut': 1}))
    """
    visible = visible_text(text)
    losses["replaced"] += visible != text
    if len(visible.encode("utf-16-le")) // 2 > MAX_CHARACTERS:
        losses["cut"] += 1
        visible = visible.encode("utf-16-le")[: 2 * MAX_CHARACTERS].decode("utf-16-le", errors="ignore")
    return visible


def _text_cell(text: str, sheet: Any) -> Any:
    """A cell that is a text, even if it looks like a formula or an error."""
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value=text)
    cell.data_type = "s"
    return cell
