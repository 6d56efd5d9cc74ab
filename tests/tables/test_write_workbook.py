"""Workbooks: every value comes back, or is reported."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pyarrow as pa
import pytest

from problex.errors import OutputError
from problex.tables import write_workbook as workbooks
from problex.tables.write import TableFile
from problex.tables.write_workbook import MAX_CHARACTERS, check_sheet_name, write_workbook

KILLED = """
import sys
from pathlib import Path
import pyarrow as pa
from problex.tables.write_workbook import write_workbook

def tables():
    yield pa.table({"a": ["x" * 1000] * 1000})
    {end}

write_workbook({"a": tables()}, Path(sys.argv[1]))
"""


@pytest.mark.parametrize("end", ["raise KeyboardInterrupt", ""])
def test_no_temporary_file_of_a_workbook_is_left(end: str, tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    for code in (KILLED.replace("{end}", end), KILLED.replace("{end}", "")):
        line = [sys.executable, "-c", code, str(tmp_path / "x.xlsx")]
        subprocess.run(line, env=environment, stderr=subprocess.DEVNULL)
    assert os.listdir(tmp_path) == ["x.xlsx"]


def test_a_workbook_that_fails_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even while the process goes on, as the page does."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    table = pa.table({"a": [["x"]]})
    for failing in (iter([table, None]), iter([None])):
        with pytest.raises(AttributeError):
            write_workbook({"a": [table], "b": failing}, tmp_path / "x.xlsx")
    assert [path for path in (tmp_path / "temporary").rglob("*") if path.is_file()] == []


def cells(path: Path, sheet: str = "a") -> list[tuple[object, ...]]:
    return list(openpyxl.load_workbook(path)[sheet].iter_rows(values_only=True))


def test_values_of_every_type(tmp_path: Path) -> None:
    day, moment = datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5)
    values = {
        "text": ["good", None],
        "number": [1.5, -2.0],
        "integer": [3, 10**15],
        "truth": [True, False],
        "day": [day, datetime.date(1850, 1, 1)],
        "moment": [moment, None],
        "zone": pa.array([moment, None], pa.timestamp("us", "UTC")),
        "list": [[1, 2], None],
    }
    assert write_workbook({"a": [pa.table(values)]}, tmp_path / "x.xlsx") == []
    header, first, second = cells(tmp_path / "x.xlsx")
    assert header == tuple(values)
    midnight = datetime.datetime(2024, 1, 2)
    assert first == ("good", 1.5, 3, True, midnight, moment, "2024-01-02T03:04:05+00:00", "[1, 2]")
    assert second == (None, -2, "1000000000000000", False, "1850-01-01", None, None, None)


def test_no_text_is_a_formula_or_an_error(tmp_path: Path) -> None:
    texts = ["=1+1", "#N/A", "+1", "@x", "-2", "plain"]
    write_workbook({"a": [pa.table({"=x": texts})]}, tmp_path / "x.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx")["a"]
    assert [row[0].value for row in sheet.iter_rows()] == ["=x", *texts]
    assert {row[0].data_type for row in sheet.iter_rows()} == {"s"}


def test_what_a_cell_cannot_hold_is_reported(tmp_path: Path) -> None:
    emoji = "\N{GRINNING FACE}"  # two of the units that Excel counts
    texts = ["x" * (MAX_CHARACTERS + 1), emoji * MAX_CHARACTERS, "a\x01b", "x" * MAX_CHARACTERS]
    table = pa.table({"t": texts, "n": [float("nan"), float("inf"), 1.0, 2.0]})
    assert write_workbook({"a": [table]}, tmp_path / "x.xlsx") == [
        "2 texts were cut to 32,767 characters in the workbook",
        "2 numbers that are not finite are empty cells in the workbook",
        "1 text has control characters, which were replaced, in the workbook",
    ]
    rows = cells(tmp_path / "x.xlsx")[1:]
    assert [len(str(row[0])) for row in rows] == [MAX_CHARACTERS, MAX_CHARACTERS // 2, 3, MAX_CHARACTERS]
    assert rows[2][0] == "a\u2401b"
    assert [row[1] for row in rows] == [None, None, 1, 2]


def test_digits_of_times_that_a_workbook_loses_are_reported(tmp_path: Path) -> None:
    fine, coarse = pa.array([1, 1_000_000], pa.timestamp("ns")), pa.array([1_000, 2_000_000], pa.time64("us"))
    table = pa.table({"moment": fine, "time": coarse, "length": pa.array([1_500, 2_000], pa.duration("us"))})
    assert write_workbook({"a": [table]}, tmp_path / "x.xlsx") == [
        "2 times were rounded to milliseconds in the workbook"
    ]


def test_several_tables_are_one_sheet_and_several_sheets_one_workbook(tmp_path: Path) -> None:
    parts = [pa.table({"n": [1, 2]}), pa.table({"n": [3]})]
    write_workbook({"a": iter(parts), "b": [pa.table({"m": ["x"]})]}, tmp_path / "x.xlsx")
    assert cells(tmp_path / "x.xlsx") == [("n",), (1,), (2,), (3,)]
    assert cells(tmp_path / "x.xlsx", "b") == [("m",), ("x",)]


def test_too_many_rows_or_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbooks, "MAX_ROWS", 3)
    write_workbook({"a": [pa.table({"n": [1, 2]})]}, tmp_path / "fits.xlsx")
    with pytest.raises(OutputError, match="more than 2 rows, the most that an Excel sheet can have"):
        write_workbook({"a": [pa.table({"n": [1, 2, 3]})]}, tmp_path / "x.xlsx")
    monkeypatch.setattr(workbooks, "MAX_COLUMNS", 1)
    with pytest.raises(OutputError, match="there are 2 columns; a sheet can have 1: choose some with keep="):
        write_workbook({"a": [pa.table({"n": [1], "m": [1]})]}, tmp_path / "x.xlsx")


@pytest.mark.parametrize("name", ["", " ", "a/b", "a[1]", "x" * 32, "a\nb", "'a", "a'", "History"])
def test_a_name_that_excel_forbids_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="expected an Excel sheet name: 1 to 31 characters"):
        check_sheet_name(name)
    check_sheet_name("x" * 31)
    with pytest.raises(OutputError, match="expected an Excel sheet name"):
        TableFile(tmp_path / "x.xlsx", table=name).check()
