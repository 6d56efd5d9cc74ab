"""Excel workbooks (.xlsx): every sheet is a table, long or wide; a sheet with one column is a list of that name."""

from __future__ import annotations

import io
import math
import zipfile
from typing import Any

from problex._util.formatting import parse_place
from problex._util.late import import_optional
from problex.errors import LexiconError, was_given
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.layouts.columns import Row
from problex.lexicon.formats.layouts.reading import read_rows
from problex.lexicon.formats.lexicon_file import DOES_NOT_FIT, LexiconFile, Output, drop_surrogates
from problex.lexicon.formats.table import records_of, wide_of
from problex.lexicon.lexicon import Entry, Issue
from problex.tables.source import find_bomb, find_doctype, unpacked_size
from problex.tables.write_workbook import new_workbook

OLD_EXCEL = b"\xd0\xcf\x11\xe0"
MAX_BYTES = 200 << 20
"""Largest size of a workbook when unpacked; the largest lexicons have a few million bytes."""
MAX_CELLS = 10_000_000
OPEN_DOCUMENT = {"mimetype", "content.xml"}
"""Parts of every file of LibreOffice."""
MAX_WORD, MAX_NOTE = 30, 40
"""Characters of an entry, and rows of a sheet, beyond which it is no note."""


def is_excel(file: LexiconFile) -> bool:
    """A zip archive (.xlsx), or the container of an old Excel file (.xls)."""
    return file.data.startswith((b"PK\x03\x04", OLD_EXCEL))


def read_xlsx(file: LexiconFile) -> Dictionary:
    """Read all sheets that are not empty."""
    if file.data.startswith(OLD_EXCEL):
        raise LexiconError(f"{file.name} is an old Excel file (.xls), expected .xlsx: save it as that, or as CSV")
    openpyxl = import_optional("openpyxl", "reading .xlsx", ", or save the sheet as CSV")
    try:
        _check_archive(file)
        return _read_book(file, openpyxl.load_workbook(io.BytesIO(file.data), read_only=True))
    except LexiconError:
        raise
    except Exception as error:  # openpyxl has no error of its own for a broken file
        reason = str(error).strip(" .\"'") or type(error).__name__
        raise LexiconError(
            f"{file.name} cannot be read as an Excel file: {reason}: open it in Excel and save it again, or as CSV"
        ) from None


def _read_book(file: LexiconFile, book: Any) -> Dictionary:
    entries: list[Entry] = []
    issues: list[Issue] = []
    sheets = _sheets(file, book.worksheets)
    for sheet in sheets:
        rows = _read_rows(file, sheet, issues)
        if len(sheets) > 1 and _is_note(rows):
            issues.append(Issue("notes", rows[0][1][0][:60], rows[0][0], "left out: a sheet of sentences"))
        elif rows:
            list_name = file.list_name or (sheet.title if len(sheets) > 1 else file.default_list)
            table = read_rows(file, rows, f"{file.name}:{sheet.title}", list_name)
            entries += table.entries
            issues += table.issues
    if not entries:
        raise LexiconError(f"{file.name} has no rows, expected a word and the name of its list in each")
    entries, issues = drop_surrogates(entries, issues)
    return Dictionary(tuple(entries), tuple(issues))


def _is_note(rows: list[Row]) -> bool:
    """Whether a sheet holds a few sentences, in one column: a description, a licence."""
    cells = [cell.strip() for _, row in rows for cell in row if cell.strip()]
    one_column = bool(rows) and all(not cell.strip() for _, row in rows for cell in row[1:])
    long = sum(len(cell) > MAX_WORD for cell in cells)
    return one_column and len(rows) < MAX_NOTE and 3 * long >= len(cells)


def _sheets(file: LexiconFile, sheets: list[Any]) -> list[Any]:
    """All sheets, or the one that was named, by its name or number from 1."""
    wanted = file.options.sheet
    if wanted is None:
        return sheets
    named = [sheet for sheet in sheets if sheet.title == wanted]
    if not named and 1 <= (place := parse_place(wanted)) <= len(sheets):
        named = [sheets[place - 1]]
    if not named:
        names = ", ".join(repr(sheet.title) for sheet in sheets)
        raise LexiconError(
            f"{was_given('sheet', wanted)}, but {file.name} has the sheets {names}, expected one of them"
        )
    return named


def _read_rows(file: LexiconFile, sheet: Any, issues: list[Issue]) -> list[Row]:
    """The rows of a sheet that are not blank, each as long as the longest."""
    sheet.reset_dimensions()  # else each row would be as wide as the file says, up to 16,384 cells
    rows: list[Row] = []
    cells, width = 0, 0
    for at, row_cells in enumerate(sheet.iter_rows(), start=1):
        if not row_cells:
            continue
        cells += len(row_cells)
        where = f"{file.name}:{sheet.title}:{at}"
        row = []
        if cells <= MAX_CELLS:  # most cells of a wide sheet are empty
            row = ["" if cell.value is None else _text(cell, where, issues) for cell in row_cells]
        last = max((number for number, text in enumerate(row, start=1) if text.strip()), default=0)
        if last:
            rows.append((where, row))
            width = max(width, last)
        if max(cells, len(rows) * width) > MAX_CELLS:
            raise LexiconError(
                f"{where}: the sheet has {len(rows):,} rows and {width:,} columns, expected at most {MAX_CELLS:,} "
                "cells: delete cells far from the others, or save the sheet as CSV"
            )
    return [(where, [*row[:width], *[""] * (width - len(row))]) for where, row in rows]


def _check_archive(file: LexiconFile) -> None:
    """Raise if an archive is too large when unpacked, or contains a document type, which Excel never writes."""
    with zipfile.ZipFile(io.BytesIO(file.data)) as parts:
        size = unpacked_size(parts)
        if OPEN_DOCUMENT.issubset(parts.namelist()):
            raise LexiconError(f"{file.name} is an OpenDocument file, expected .xlsx: save it as that, or as CSV")
        if size > MAX_BYTES or find_bomb(parts):
            raise LexiconError(f"{file.name} unpacks to {size:,} bytes, expected a lexicon: save the sheet as CSV")
        if part := find_doctype(parts):
            raise LexiconError(f"{file.name} declares a document type in {part}, which is refused")


def _text(cell: Any, where: str, issues: list[Issue]) -> str:
    """The text of a cell; Excel keeps booleans, numbers and dates as values, not as they were typed."""
    value = cell.value
    if value is None or isinstance(value, str):
        if value and cell.data_type == "f":
            issues.append(Issue("formula", value, where, "read as text, not evaluated"))
        return value or ""
    if isinstance(value, bool):
        issues.append(Issue("truth value", str(value), where, f"read as the word {str(value).lower()!r}"))
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
    issues.append(
        Issue("date", str(value), where, "Excel changed it to a date: set the column to Text and type it again")
    )
    return str(value)


def write_xlsx(dictionary: Dictionary) -> Output:
    """Write one sheet in the long form."""
    header, rows = records_of(dictionary)
    return _write(header, rows, [2] if len(header) > 2 else [], [])


def write_xlsx_wide(dictionary: Dictionary) -> Output:
    """Write one sheet with a column for each category."""
    header, rows, issues = wide_of(dictionary)
    return _write(header, rows, list(range(1, len(header))), issues)


def _write(header: list[str], rows: list[list[str]], numeric: list[int], issues: list[Issue]) -> Output:
    import_optional("openpyxl", "writing .xlsx", ", or write CSV")
    from openpyxl.utils.exceptions import IllegalCharacterError

    buffer = io.BytesIO()
    with new_workbook(buffer) as book:
        sheet = book.create_sheet("lexicon")
        for line, row in enumerate([header, *rows]):
            try:
                sheet.append([_cell(sheet, text, line > 0 and at in numeric) for at, text in enumerate(row)])
            except IllegalCharacterError:
                issues.append(Issue(DOES_NOT_FIT, row[0], "", "left out: Excel does not allow these characters"))
    return Output(buffer.getvalue(), tuple(issues))


def _cell(sheet: Any, text: str, is_numeric: bool) -> Any:
    """A text as a cell: a number, a word, or nothing."""
    from openpyxl.cell import WriteOnlyCell

    if not text or (is_numeric and text != "X"):
        return float(text) if text else None
    cell = WriteOnlyCell(sheet, value=text)
    cell.data_type = "s"  # words such as =) are not formulas
    return cell
