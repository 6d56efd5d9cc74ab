"""One tiny table, written in every format by the library that is usual for it."""

from __future__ import annotations

import datetime as dt
import sqlite3
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest

TEXTS = ["a good film", "n'était pas bon: 映画 😀", "  blanks & <tags>  ", "x" * 300]
TABLE: dict[str, list[Any]] = {
    "id": [1, 2, 3, 4],
    "text": TEXTS,
    "party": ["left", "right", "left", "right"],
    "day": [dt.date(2004, 12, 24), dt.date(2005, 1, 1), dt.date(2005, 1, 2), dt.date(2005, 1, 3)],
    "weight": [0.5, 1.25, 3.0, 4.0],
}
ODS = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)
Sheets = Mapping[str, Sequence[Sequence[object]]]


def rows_of(table: Mapping[str, Sequence[object]]) -> list[Sequence[object]]:
    return [list(table), *zip(*table.values(), strict=True)]


def write_excel(path: Path, sheets: Sheets, hidden: Sequence[str] = ()) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
        sheet.sheet_state = "hidden" if title in hidden else "visible"
    book.save(path)


def write_xls(path: Path, sheets: Sheets) -> None:
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    day = xlwt.easyxf(num_format_str="YYYY-MM-DD")
    for title, rows in sheets.items():
        sheet = book.add_sheet(title)
        for at, row in enumerate(rows):
            for column, value in enumerate(row):
                if value is not None:
                    sheet.write(at, column, value, *([day] if isinstance(value, dt.date) else []))
    book.save(str(path))


def ods_cell(value: object) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, dt.date):
        kind = f'office:value-type="date" office:date-value="{value.isoformat()}"'
    elif isinstance(value, int | float):
        kind = f'office:value-type="float" office:value="{value}"'
    else:
        kind = 'office:value-type="string"'
    text = escape(str(value)).replace("  ", '<text:s text:c="2"/>')
    return f"<table:table-cell {kind}><text:p>{text}</text:p></table:table-cell>"


def write_ods(path: Path, sheets: Sheets) -> None:
    """By hand, since no small library writes it."""
    tables = "".join(
        f'<table:table table:name="{title}">'
        + "".join(f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for title, rows in sheets.items()
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", kind, zipfile.ZIP_STORED)
        body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        archive.writestr(
            "content.xml", f'<?xml version="1.0"?><office:document-content {ODS}>{body}</office:document-content>'
        )
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>',
        )


def write_stata(path: Path, table: Mapping[str, Sequence[Any]]) -> None:
    pytest.importorskip("pyreadstat")
    frame = pd.DataFrame(dict(table))
    frame["day"] = pd.to_datetime(frame["day"])
    frame["party"] = [1, 2, 1, 2]
    labels: dict[Any, dict[float, str]] = {"party": {1: "left", 2: "right"}}
    frame.to_stata(path, write_index=False, version=118, value_labels=labels, convert_dates={"day": "td"})


def write_spss(path: Path, table: Mapping[str, Sequence[Any]]) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({**table, "party": [1, 2, 1, 2]})
    labels = {"party": {1: "left", 2: "right"}}
    pyreadstat.write_sav(frame, path, variable_value_labels=labels, compress=path.suffix == ".zsav")


def r_frame(table: Mapping[str, Sequence[Any]]) -> Any:
    frame = pd.DataFrame(dict(table)).drop(columns="day").astype({"text": object})
    return frame.assign(party=pd.Categorical(table["party"]))


def write_rds(path: Path, table: Mapping[str, Sequence[Any]]) -> None:
    pytest.importorskip("rdata").write_rds(path, r_frame(table))


def write_rdata(path: Path, table: Mapping[str, Sequence[Any]]) -> None:
    pytest.importorskip("rdata").write_rda(path, {"reviews": r_frame(table), "note": ["a", "b"]})


def write_sqlite(path: Path, *statements: str, rows: Sequence[Sequence[object]] = ()) -> None:
    """A database by statements, the last of which inserts the rows."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements[: -1 if rows else None]:
            connection.execute(statement)
        if rows:
            connection.executemany(statements[-1], rows)


def write_tiny_sqlite(path: Path, table: Mapping[str, Sequence[Any]]) -> None:
    create = "create table reviews (id integer, text text, party text, day text, weight real)"
    rows = [tuple(str(cell) if isinstance(cell, dt.date) else cell for cell in row) for row in rows_of(table)[1:]]
    write_sqlite(path, create, "insert into reviews values (?, ?, ?, ?, ?)", rows=rows)


def write_duckdb(path: Path, *statements: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)


def write_tiny_duckdb(path: Path, table: Mapping[str, Sequence[Any]]) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.register("given", pa.table(dict(table)))
        connection.execute("create table reviews as from given")


def write_stream(path: Path, table: Mapping[str, Sequence[Any]]) -> None:
    data = pa.table(dict(table))
    with pa.ipc.new_stream(str(path), data.schema) as writer:
        writer.write_table(data, max_chunksize=2)


FILES: dict[str, Callable[[Path, Mapping[str, Sequence[Any]]], None]] = {
    "x.xlsx": lambda path, table: write_excel(path, {"reviews": rows_of(table)}),
    "x.xlsm": lambda path, table: write_excel(path, {"reviews": rows_of(table)}),
    "x.xls": lambda path, table: write_xls(path, {"reviews": rows_of(table)}),
    "x.ods": lambda path, table: write_ods(path, {"reviews": rows_of(table)}),
    "x.dta": write_stata,
    "x.sav": write_spss,
    "x.zsav": write_spss,
    "x.rds": write_rds,
    "x.RData": write_rdata,
    "x.sqlite": write_tiny_sqlite,
    "x.db": write_tiny_sqlite,
    "x.duckdb": write_tiny_duckdb,
    "x.arrow": write_stream,
    "x.feather": lambda path, table: pyarrow.feather.write_feather(pa.table(dict(table)), path, chunksize=3),
}
