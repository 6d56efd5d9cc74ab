"""Workbooks: Excel (.xlsx and .xlsm row by row, old .xls as a whole) and OpenDocument (.ods, as a whole)."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa

from problex._util.formatting import pluralize
from problex._util.late import import_optional
from problex._util.memory import format_size
from problex.errors import DocumentError, DocumentWarning, ProblexError, opt, warn_caller
from problex.tables.columns import Chunk, ValueReader, choose_table
from problex.tables.dialect import Row as TableRow
from problex.tables.dialect import count_subheaders, has_header, is_doubtful
from problex.tables.reader import SAMPLE_ROWS, Reader, ReadOptions, file_errors, group_by_size, quote_columns, text_size
from problex.tables.source import Source, find_bomb, find_doctype, unpacked_size

MAX_SHOWN = 40  # characters of a name in a message
MAX_NAME = 200  # characters in the name of a column: a longer one is a text
OLE = b"\xd0\xcf\x11\xe0"  # the first bytes of .xls, and of encrypted .xlsx
Row = Sequence[object]
OpenRows = Callable[[], Iterable[Row]]


class SheetReader(ValueReader):
    """One sheet: the names of the columns are in the first row in which most columns are filled with text."""

    def __init__(self, source: Source, options: ReadOptions, title: str, open_rows: OpenRows) -> None:
        super().__init__(source, options)
        self._title, self._open_rows = title, open_rows
        with workbook_errors(self.name):
            numbered = ((number, row) for number, row in enumerate(open_rows(), 1) if _is_filled(row))
            head = list(islice(numbered, SAMPLE_ROWS))
        self._header_row, self._skipped, self._subheaders = self._find_header(head)
        self.columns = self._name_columns(head)
        self._rows_above = [number for number, _ in head if number < self._header_row]

    def _find_header(self, head: list[tuple[int, Row]]) -> tuple[int, int, int]:
        """The number of the row with the names (0: none), of the last row before the values, and of rows between."""
        if not head:
            return 0, 0, 0
        width = max(sum(map(_is_value, row)) for _, row in head)
        at = next((at for at, (_, row) in enumerate(head) if 2 * sum(map(_is_text, row)) > width), 0)
        rows = [_as_table_row(row) for _, row in head[at:]]
        if self._options.header is False or (self._options.header is None and not has_header(rows)):
            return 0, 0, 0
        subheaders = count_subheaders(rows)
        return head[at][0], head[at + subheaders][0], subheaders

    def _name_columns(self, head: list[tuple[int, Row]]) -> list[str]:
        """The names, those of columns without one by their letters, and the places of the columns."""
        header = dict(head).get(self._header_row, ())
        last = max((at for _, row in head for at, value in enumerate(row, 1) if _is_value(value)), default=0)
        if header:
            last = max(at for at, value in enumerate(header, 1) if _is_value(value))
        used = {at for _, row in head for at, value in enumerate(row[:last]) if _is_value(value)}
        self._places: dict[str, int] = {}
        names = []
        for at in sorted(used):
            is_named = at < len(header) and _is_value(header[at])
            name = str(header[at]).strip() if is_named else f"column {_letters(at)}"
            self._places.setdefault(name, at)
            names.append(name)
        return names

    def say_header(self) -> None:
        """Warn if there are rows above the header or below it, or none; raise if it looks like texts."""
        if self.columns and not self._header_row and self._options.header is None:
            warn_caller(
                f"{self.name}: the sheet {self._title!r} has no row with names, so that its columns are called "
                f"{quote_columns(self.columns)} (give {opt('header', True)} if the first row has names)",
                DocumentWarning,
            )
        if self._subheaders:
            warn_caller(
                f"{self.name}: {pluralize(self._subheaders, 'row')} below the names of the columns of the sheet "
                f"{self._title!r} left out: not answers",
                DocumentWarning,
            )
        if self._header_row and self._options.header is None and is_doubtful(self.columns):
            name = max(self.columns, key=len)[:MAX_SHOWN]
            warn_caller(
                f"{self.name}: row {self._header_row} of the sheet {self._title!r} is taken for the names of the "
                f"columns, such as {name!r} (give {opt('header', False)} if it is not)",
                DocumentWarning,
            )
        if self._rows_above:
            warn_caller(
                f"{self.name}: the names of the columns are in row {self._header_row} of the sheet {self._title!r}; "
                "what is above is left out",
                DocumentWarning,
            )
        if any(len(name) > MAX_NAME for name in self.columns):
            raise DocumentError(
                f"row {self._header_row} of the sheet {self._title!r} of {self.name} looks like texts; expected the "
                "names of the columns. Insert a row with names, such as 'text', above it."
            )

    def chunks(self, names: Sequence[str], skip: int) -> Iterator[Chunk]:
        """The rows below the header that are not blank."""
        places = [self._places[name] for name in names]
        with workbook_errors(self.name):
            below = (row for row in islice(self._open_rows(), self._skipped, None) if _is_filled(row))
            cells = ([row[at] if at < len(row) else None for at in places] for row in islice(below, skip, None))
            for rows in group_by_size(cells, self._options.batch_bytes, self._row_size):
                yield dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    def _row_size(self, cells: list[object]) -> int:
        return sum(map(text_size, cells))


def _as_table_row(row: Row) -> TableRow:
    return TableRow(tuple("" if value is None else str(value) for value in row))


def _is_value(value: object) -> bool:
    return value is not None and value != ""


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_filled(row: Row) -> bool:
    return any(map(_is_value, row))


def _letters(at: int) -> str:
    """The letters of a column.

    >>> _letters(0), _letters(25), _letters(26)
    ('A', 'Z', 'AA')
    """
    return (_letters(at // 26 - 1) if at >= 26 else "") + chr(ord("A") + at % 26)


@contextmanager
def workbook_errors(name: str) -> Iterator[None]:
    """Errors of the packages that read workbooks, which may be of any class, become a `DocumentError`."""
    try:
        yield
    except (ProblexError, MemoryError):
        raise
    except BaseException as error:
        if not (isinstance(error, Exception) or type(error).__name__ == "PanicException"):  # that of calamine
            raise
        reason = str(error).strip().rstrip(".") or type(error).__name__
        raise DocumentError(
            f"{name} cannot be read as a workbook: {reason}. Open it in Excel or LibreOffice and save it again, or as "
            "CSV."
        ) from error


def open_excel(source: Source, options: ReadOptions) -> Reader:
    """The reader of the chosen sheet of an .xlsx file."""
    openpyxl = import_optional("openpyxl", "reading Excel files")
    with workbook_errors(source.name):
        _check_encryption(source)
        _check_archive(source, options)
        book = openpyxl.load_workbook(pa.OSFile(str(source.path), "rb"), read_only=True, data_only=True)
        hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
        titles = [sheet.title for sheet in book.worksheets]
    return _open_sheet(source, options, {title: partial(_excel_rows, book[title]) for title in titles}, hidden)


def _excel_rows(sheet: Any) -> Iterator[Row]:
    sheet.reset_dimensions()  # else each row would be as wide as the file says, up to 16,384 cells
    rows: Iterator[Row] = sheet.iter_rows(values_only=True)
    return rows


def open_calamine(source: Source, options: ReadOptions) -> Reader:
    """The reader of the chosen sheet of an .ods or .xls file."""
    calamine = import_optional("python_calamine", "reading .ods and .xls")
    with workbook_errors(source.name):
        _check_encryption(source)
        if zipfile.is_zipfile(source.path or ""):
            _check_archive(source, options)
        book = calamine.CalamineWorkbook.from_path(str(source.path))
        sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == calamine.SheetTypeEnum.WorkSheet]
    rows: dict[str, OpenRows] = {sheet.name: partial(_calamine_rows, book, sheet.name) for sheet in sheets}
    hidden = [sheet.name for sheet in sheets if sheet.visible != calamine.SheetVisibleEnum.Visible]
    return _open_sheet(source, options, rows, hidden)


def _calamine_rows(book: Any, title: str) -> Iterator[Row]:
    rows: Iterator[Row] = book.get_sheet_by_name(title).iter_rows()
    return rows


def _open_sheet(source: Source, options: ReadOptions, sheets: dict[str, OpenRows], hidden: Sequence[str]) -> Reader:
    tables = {title: partial(SheetReader, source, options, title, rows) for title, rows in sheets.items()}
    reader = choose_table(tables, options, source.name, "sheet", hidden)
    if isinstance(reader, SheetReader):
        reader.say_header()
    return reader


def _check_encryption(source: Source) -> None:
    """Raise if a workbook is protected by a password."""
    if source.path is None:
        return
    with source.path.open("rb") as file:
        head = file.read(4)
        encrypted = head == OLE and "EncryptedPackage".encode("utf-16-le") in head + file.read(64 << 20)
    if not encrypted and head[:2] == b"PK" and zipfile.is_zipfile(source.path):
        with zipfile.ZipFile(source.path) as parts:
            encrypted = any(
                b"encryption-data" in parts.read(name) for name in parts.namelist() if name == "META-INF/manifest.xml"
            )
    if encrypted:
        raise DocumentError(
            f"{source.name} is protected by a password. Open it in Excel or LibreOffice, save it without a password "
            "(Excel: File, Info, Protect Workbook), and read that file."
        )


def _check_archive(source: Source, options: ReadOptions) -> None:
    """Raise if a workbook is too large when unpacked, or declares a document type, which none does."""
    with file_errors(source.name), zipfile.ZipFile(source.path or "") as parts:
        size = unpacked_size(parts)
        if part := find_bomb(parts):
            raise DocumentError(f"{source.name} is refused: {part} unpacks to over a hundred times its size.")
        strings = sum(part.file_size for part in parts.infolist() if part.filename.endswith("sharedStrings.xml"))
        if max(strings, 0 if strings else size // 4) > options.memory:
            raise DocumentError(
                f"{source.name} unpacks to {format_size(size)}, which takes more than "
                f"{opt('memory', format_size(options.memory))}. Save the sheet as CSV, or give more with "
                f"{opt('memory')}"
            )
        if part := find_doctype(parts):
            raise DocumentError(f"{source.name} declares a document type in {part}, which is refused.")
