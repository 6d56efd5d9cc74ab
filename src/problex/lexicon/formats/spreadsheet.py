"""Excel workbooks (.xlsx): every sheet is a table, long or wide; a sheet of one column is a list of its own name."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.table import records_of, wide_of
from problex.lexicon.formats.table_rows import Table, read_rows
from problex.lexicon.formats.written import DOES_NOT_FIT, Written
from problex.lexicon.lexicon import Entry, Problem

LARGEST = 200 << 20
"""Bytes to which a workbook may unpack; the largest lexicons have a few million."""


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        raise LexiconError(
            "Excel files need openpyxl, which is not installed: pip install 'problex[excel]', or save the sheet as CSV"
        ) from None
    return openpyxl


def read_xlsx(source: Source) -> Dictionary:
    """Read all sheets that are not empty."""
    if source.data.startswith(b"\xd0\xcf\x11\xe0"):
        raise LexiconError(f"{source.name} is an old Excel file (.xls), expected .xlsx: save it as that, or as CSV")
    try:
        _refuse_traps(source)
        book = _openpyxl().load_workbook(io.BytesIO(source.data), read_only=True)
    except LexiconError:
        raise
    except Exception as error:  # openpyxl has no error of its own for a broken file
        raise LexiconError(f"{source.name} cannot be read as an Excel file: {error}") from None
    entries: list[Entry] = []
    problems: list[Problem] = []
    for sheet in book.worksheets:
        rows = []
        for at, cells in enumerate(sheet.iter_rows(), start=1):
            where = f"{source.name}:{sheet.title}:{at}"
            row = [_text(cell, where, problems) for cell in cells]
            if any(text.strip() for text in row):
                rows.append((where, row))
        if rows:
            width = max(at for _, row in rows for at, text in enumerate(row, start=1) if text.strip())
            named = source.listed is not None
            listed = source.only_list if named or len(book.worksheets) == 1 else sheet.title
            table = Table(f"{source.name}:{sheet.title}", [(at, row[:width]) for at, row in rows], listed, named)
            read_rows(table)
            entries += table.entries
            problems += table.problems
    if not entries:
        raise LexiconError(f"{source.name} has no rows, expected a word and the name of its list in each")
    return Dictionary(tuple(entries), tuple(problems))


def _refuse_traps(source: Source) -> None:
    """A workbook is zipped XML: refuse what would unpack without end, and document types, which Excel never writes."""
    with zipfile.ZipFile(io.BytesIO(source.data)) as parts:
        size = sum(part.file_size for part in parts.infolist())
        if size > LARGEST:
            raise LexiconError(f"{source.name} unpacks to {size:,} bytes, expected a lexicon: save the sheet as CSV")
        for part in parts.infolist():
            data = parts.read(part)
            if any("<!DOCTYPE".encode(encoding) in data for encoding in ("utf-8", "utf-16-le", "utf-16-be")):
                raise LexiconError(f"{source.name} declares a document type in {part.filename}, which is refused")


def _text(cell: Any, where: str, problems: list[Problem]) -> str:
    """A cell as its author wrote it, as far as Excel still knows."""
    value = cell.value
    if value is None or isinstance(value, str):
        if value and cell.data_type == "f":
            problems.append(Problem("formula", value, where, "read as text, not worked out"))
        return value or ""
    if isinstance(value, bool):
        problems.append(Problem("truth value", str(value), where, f"read as the word {str(value).lower()!r}"))
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(int(value)) if value == int(value) else repr(value)
    problems.append(
        Problem("date", str(value), where, "Excel made a date of it: set the column to Text and type it again")
    )
    return str(value)


def write_xlsx(dictionary: Dictionary) -> Written:
    """Write one sheet in the long form."""
    header, rows = records_of(dictionary)
    return _write(header, rows, [2] if len(header) > 2 else [], [])


def write_xlsx_wide(dictionary: Dictionary) -> Written:
    """Write one sheet with a column for each category."""
    header, rows, problems = wide_of(dictionary)
    return _write(header, rows, list(range(1, len(header))), problems)


def _write(header: list[str], rows: list[list[str]], numeric: list[int], problems: list[Problem]) -> Written:
    book = _openpyxl().Workbook()
    from openpyxl.utils.exceptions import IllegalCharacterError

    sheet = book.active
    sheet.title = "lexicon"
    line = 0
    for row in [header, *rows]:
        try:
            for at, text in enumerate(row, start=1):
                cell = sheet.cell(line + 1, at, text)
                cell.data_type = "s"  # words such as =) are no formulas
                if line and at - 1 in numeric and text not in ("", "X"):
                    cell.value = float(text)
                elif not text:
                    cell.value = None
        except IllegalCharacterError:
            problems.append(Problem(DOES_NOT_FIT, row[0], "", "left out: Excel has no such characters"))
            sheet.delete_rows(line + 1)
            continue
        line += 1
    file = io.BytesIO()
    book.save(file)
    return Written(file.getvalue(), tuple(problems))
