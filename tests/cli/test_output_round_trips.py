"""Odd texts and numbers come back from every format of results as they were, or as the documentation says."""

from __future__ import annotations

import csv
import json
import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from problex.tables.write import TableFile

Rows = list[tuple[str | None, int]]
SETTINGS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read_csv(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return [(row["text"], int(row["number"])) for row in csv.DictReader(file)]


def read_json_lines(path: Path) -> Rows:
    lines = path.read_bytes().decode().split("\n")[:-1]
    return [(row["text"], row["number"]) for row in map(json.loads, lines)]


def read_parquet(path: Path) -> Rows:
    return [(row["text"], row["number"]) for row in pq.read_table(path).to_pylist()]


def read_sqlite(path: Path) -> Rows:
    connection = sqlite3.connect(path)
    rows = connection.execute("select text, number from predictions order by rowid").fetchall()
    connection.close()
    return rows


def read_duckdb(path: Path) -> Rows:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute("select text, number from predictions").fetchall()


def read_workbook(path: Path) -> Rows:
    sheet = openpyxl.load_workbook(path)["predictions"]
    _, *rows = sheet.iter_rows(values_only=True)
    return [(row[0], row[1]) for row in rows]  # type: ignore[misc]


EXACT: dict[str, Callable[[Path], Rows]] = {
    ".csv": read_csv,
    ".jsonl": read_json_lines,
    ".parquet": read_parquet,
    ".sqlite": read_sqlite,
    ".duckdb": read_duckdb,
}
NUMBERS = st.integers(-(2**53), 2**53)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
ODD = [
    ("a,b;c\t|d", 1),
    ('say "good"', 2),
    ("two\nlines\r\nthree\rfour", 3),
    ("=1+1", 4),
    ("😀 é \u202e", 5),
    (" x ", 0),
]


def write(rows: Rows, path: Path, *, raw: bool, bom: bool = False) -> list[str]:
    texts, numbers = [text for text, _ in rows], [number for _, number in rows]
    table = pa.table({"text": pa.array(texts, pa.string()), "number": pa.array(numbers, pa.int64())})
    return TableFile(path, raw=raw, bom=bom).write(iter([table.slice(0, 2), table.slice(2)]))


@pytest.mark.parametrize("suffix", EXACT)
@pytest.mark.parametrize("bom", [False, True])
@SETTINGS
@example(rows=ODD)
@given(rows=st.lists(st.tuples(TEXTS, NUMBERS), min_size=1, max_size=6))
def test_texts_and_numbers_come_back(suffix: str, bom: bool, rows: Rows) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"out{suffix}"
        write(rows, path, raw=True, bom=bom)
        assert EXACT[suffix](path) == rows


@SETTINGS
@example(rows=ODD)
@given(rows=st.lists(st.tuples(TEXTS, NUMBERS), min_size=1, max_size=6))
def test_csv_changes_nothing_but_formulas(rows: Rows) -> None:
    with TemporaryDirectory() as folder:
        write(rows, Path(folder) / "out.csv", raw=False)
        for (text, number), (found, found_number) in zip(rows, read_csv(Path(folder) / "out.csv"), strict=True):
            assert found_number == number
            assert found in (text, f"'{text}")


@SETTINGS
@example(rows=ODD)
@given(rows=st.lists(st.tuples(TEXTS, NUMBERS), min_size=1, max_size=6))
def test_a_workbook_changes_nothing_but_line_ends_and_control_characters(rows: Rows) -> None:
    with TemporaryDirectory() as folder:
        write(rows, Path(folder) / "out.xlsx", raw=False)
        for (text, number), (found, found_number) in zip(rows, read_workbook(Path(folder) / "out.xlsx"), strict=True):
            assert int(found_number) == number  # text from 15 digits on, which Excel would round
            assert plain(found or "") == plain(text or "")


def plain(text: str) -> str:
    """A text without what Excel cannot hold: control characters, their pictures, and other line ends than one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    held = (sign for sign in lines if sign in "\n\t" or unicodedata.category(sign) not in ("Cc", "Cn"))
    return "".join(sign for sign in held if not "\u2400" <= sign <= "\u2426" and sign != "\ufffd")
