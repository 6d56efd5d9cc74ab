"""Values of any type in CSV, JSON and Parquet: nothing is lost silently, and no cell is a formula."""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from problex.errors import OutputError, ProblexError
from problex.tables.write import write_csv, write_sqlite
from tests.cli.runs import problex, run, said

DAY = datetime.date(2024, 1, 2)
KINDS: dict[str, tuple[Any, Any, str]] = {
    "date": (DAY, "2024-01-02", "2024-01-02"),
    "timestamp": (datetime.datetime(2024, 1, 2, 3, 4, 5), "2024-01-02T03:04:05", "2024-01-02 03:04:05"),
    "time": (datetime.time(3, 4, 5), "03:04:05", "03:04:05"),
    "duration": (datetime.timedelta(1, 5), "P1DT5S", "P1DT5S"),
    "decimal": (decimal.Decimal("1.50"), "1.50", "1.50"),
    "binary": (b"\xff\x00", "/wA=", "/wA="),
    "list": ([1, 2], [1, 2], "[1, 2]"),
    "struct": ({"a": 1}, {"a": 1}, '{"a": 1}'),
    "nested": ([{"day": DAY}], [{"day": "2024-01-02"}], '[{"day": "2024-01-02"}]'),
}


def refuse(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@pytest.mark.parametrize("kind", KINDS)
def test_columns_of_every_type_can_be_kept(kind: str, folder: Path, model: Path) -> None:
    value, as_json, as_csv = KINDS[kind]
    pq.write_table(pa.table({"text": ["good", "bad"], "x": [value, None]}), "in.parquet")
    for suffix in ("jsonl", "csv", "parquet"):
        run("predict", "m.json", "in.parquet", "--keep", "x", "-o", f"out.{suffix}")
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    printed = json.loads(run("predict", "m.json", "in.parquet", "--keep", "x", "--format", "json"))
    assert [row["x"] for row in rows] == [row["x"] for row in printed] == [as_json, None]
    for text in (Path("out.csv").read_text(), run("predict", "m.json", "in.parquet", "--keep", "x")):
        cells = [row["x"] for row in csv.DictReader(io.StringIO(text))]
        assert cells[0].startswith(as_csv)
        assert cells[1] == ""
    assert pq.read_table("out.parquet")["x"].to_pylist() == [value, None]


def test_times_beyond_the_years_of_python_can_be_kept(folder: Path, model: Path) -> None:
    far = pa.array([2**62], pa.timestamp("us"))
    pq.write_table(pa.table({"text": ["good"], "x": far}), "in.parquet")
    run("predict", "m.json", "in.parquet", "--text", "text", "--keep", "x", "-o", "out.jsonl")
    assert "x" in json.loads(Path("out.jsonl").read_text())


def test_numbers_that_json_lacks_are_null_and_reported(folder: Path, model: Path) -> None:
    values = [float("nan"), float("inf"), -float("inf"), 1.5]
    pq.write_table(pa.table({"text": ["good"] * 4, "x": values, "y": [[value] for value in values]}), "in.parquet")
    words = ("predict", "m.json", "in.parquet", "--keep", "x", "--keep", "y")
    for extra in (("-o", "out.jsonl"), ("-o", "again.jsonl", "--checkpoint", "c")):
        assert "6 numbers that JSON lacks, NaN or infinite, written as null" in said(*words, *extra)
        rows = [json.loads(line, parse_constant=refuse) for line in Path(extra[1]).read_text().splitlines()]
        assert [row["x"] for row in rows] == [None, None, None, 1.5]
        assert [row["y"] for row in rows] == [[None], [None], [None], [1.5]]
    ran = problex(*words, "--format", "json")
    assert [row["x"] for row in json.loads(ran.stdout, parse_constant=refuse)] == [None, None, None, 1.5]
    assert "6 numbers" in ran.stderr


CELLS = ["=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "safe", "-5", "+1.5e3", "'=1", "it's"]
HARMLESS = ["'=1+1", "+1", "'-2+3", "'@SUM(A1)", "'\t=1", "'\r=1", "safe", "-5", "+1.5e3", "''=1", "it's"]


def test_formulas_in_kept_columns_are_made_harmless(folder: Path, model: Path) -> None:
    pq.write_table(pa.table({"text": ["good"] * len(CELLS), "id": CELLS, "=x": CELLS}), "in.parquet")
    words = ("predict", "m.json", "in.parquet", "--keep", "id", "--keep", "=x")
    for extra, expected, name in (((), HARMLESS, "'=x"), (("--raw",), CELLS, "=x")):
        run(*words, "-o", "out.csv", "--force", *extra)
        with Path("out.csv").open(newline="") as file:
            texts = (file.read(), problex(*words, *extra).stdout)
        for text in texts:
            rows = list(csv.DictReader(io.StringIO(text, newline="")))
            assert [row["id"] for row in rows] == [row[name] for row in rows] == expected
    run(*words, "-o", "out.parquet", "--raw")
    assert pq.read_table("out.parquet")["id"].to_pylist() == CELLS


def test_formulas_in_words_and_labels_are_made_harmless(folder: Path) -> None:
    Path("odd.csv").write_text("word,list\n=good,=plus\ngood,=plus\nfine,=plus\nbad,minus\npoor,minus\n")
    run("fit", "texts.csv", "-l", "odd.csv", "-o", "odd.json")
    commands = [
        ("weights", "odd.json"),
        ("predict", "odd.json", "texts.csv"),
        ("explain", "odd.json", "--text", "a good film"),
        ("categories", "odd.csv"),
        ("doctor", "texts.csv", "-l", "odd.csv"),
    ]
    for words in commands:
        cells = [cell for row in csv.reader(io.StringIO(run(*words, "--format", "csv"))) for cell in row]
        assert not any(cell.startswith("=") for cell in cells), words
    assert "\n=good,=plus," in run("weights", "odd.json", "--format", "csv", "--raw")


def test_ids_of_an_audit_sheet_come_back_as_they_were(folder: Path, model: Path) -> None:
    from tests.audit.filled import read_sheet

    ids = ["=1+1", "'=1", "-5", "@x", "plain"] * 6
    texts = ["=good film", "a bad film", "-fine", "good day", "poor"] * 6
    pq.write_table(pa.table({"id": ids, "text": texts}), "in.parquet")
    run("audit", "sample", "m.json", "in.parquet", "-n", "20", "-o", "sheet.csv")
    with Path("sheet.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert not any(cell.startswith(("=", "@")) for row in rows for cell in row.values())
    for row in rows:
        assert row["id"].removeprefix("'") in (ids[int(row["row"])], ids[int(row["row"])].removeprefix("'"))
        row["label"] = "positive"
    with Path("sheet.csv").open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    design, labels = read_sheet(Path("sheet.csv"))
    assert labels == ["positive"] * len(rows)
    run("audit", "sample", "m.json", "in.parquet", "-n", "20", "-o", "raw.csv", "--raw")
    with Path("raw.csv").open(newline="", encoding="utf-8-sig") as file:
        raw = list(csv.DictReader(file))
    assert [row["id"] for row in raw] == [ids[row] for row in np.array(design.sample.rows).tolist()]


def keep(column: pa.Array, name: str) -> None:
    """A file of Arrow with a text for each value."""
    feather.write_feather(pa.table({"text": ["good film"] * len(column), "x": column}), name)


def test_times_keep_all_of_their_digits(folder: Path, model: Path) -> None:
    keep(pa.array([1, 3_600_000_000_000], pa.time64("ns")), "t.feather")
    rows = json.loads(run("predict", "m.json", "t.feather", "--keep", "x", "--format", "json"))
    assert [row["x"] for row in rows] == ["00:00:00.000000001", "01:00:00.000000000"]
    keep(pa.array([1_500, -1, 10**9], pa.duration("ns")), "d.feather")
    rows = json.loads(run("predict", "m.json", "d.feather", "--keep", "x", "--format", "json"))
    assert [row["x"] for row in rows] == ["P0DT0.000001500S", "-P0DT0.000000001S", "P0DT1S"]


@pytest.mark.parametrize("type", [pa.timestamp("s"), pa.duration("s")], ids=str)
def test_times_beyond_the_years_of_python(folder: Path, model: Path, type: pa.DataType) -> None:
    keep(pa.array([2**62, 5], type), "far.feather")
    with pytest.raises(ProblexError, match="are not lists of the lexicon"):
        run("evaluate", "m.json", "far.feather", "--label", "x")
    if pa.types.is_timestamp(type):
        for name in ("far.parquet", "far.sqlite"):
            with pytest.raises(
                OutputError, match=r"a column cannot be written in this format: .* Keep other columns \(--keep\)"
            ):
                run("predict", "m.json", "far.feather", "--keep", "x", "-o", name)
            assert not (folder / name).exists()
    else:
        run("audit", "sample", "m.json", "far.feather", "-n", "2", "--by", "x", "-o", "s.csv")
        assert len((folder / "s.csv").read_text().splitlines()) == 3


def stored(name: str) -> list[object]:
    """The values of the kept column in a database."""
    if name.endswith(".sqlite"):
        with closing(sqlite3.connect(name)) as connection:
            return [row[0] for row in connection.execute("select x from predictions")]
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(name, read_only=True) as connection:
        return [row[0] for row in connection.execute("select x from predictions").fetchall()]


def test_large_integers_and_half_floats_in_a_database(folder: Path, model: Path) -> None:
    keep(pa.array([2**64 - 1, 5, None], pa.uint64()), "t.feather")
    run("predict", "m.json", "t.feather", "--keep", "x", "-o", "u.sqlite")
    assert stored("u.sqlite") == ["18446744073709551615", 5, None]
    keep(pa.array(np.array([1.5], dtype=np.float16)), "t.feather")
    run("predict", "m.json", "t.feather", "--keep", "x", "-o", "h.sqlite")
    assert stored("h.sqlite") == [1.5]


def test_numbers_that_sqlite_lacks_are_null_and_reported(folder: Path, model: Path) -> None:
    keep(pa.array([float("nan"), float("inf"), None]), "t.feather")
    notes = said("predict", "m.json", "t.feather", "--keep", "x", "-o", "n.sqlite")
    assert "1 number that SQLite lacks, NaN, written as null" in notes
    assert stored("n.sqlite") == [None, float("inf"), None]


def test_nan_among_half_floats_is_reported_with_an_older_arrow(
    folder: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some versions look for NaN only in wider numbers."""
    is_nan = pc.is_nan

    def refuse_half_floats(column: pa.Array) -> pa.Array:
        assert column.type != pa.float16(), "no kernel matching input types (halffloat)"
        return is_nan(column)

    monkeypatch.setattr(pc, "is_nan", refuse_half_floats)
    pq.write_table(pa.table({"x": pa.array(np.array([1.5, np.nan], dtype=np.float16))}), "h.parquet")
    notes = write_sqlite(Path("h.parquet"), Path("h.sqlite"), "predictions")
    assert notes == ["1 number that SQLite lacks, NaN, written as null"]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_keep_their_unit_in_a_database(folder: Path, model: Path, unit: str) -> None:
    lengths = [datetime.timedelta(days=1, seconds=5), None, datetime.timedelta(seconds=-3)]
    keep(pa.array(lengths, pa.duration(unit)), "t.feather")
    run("predict", "m.json", "t.feather", "--keep", "x", "-o", "d.duckdb")
    assert stored("d.duckdb") == lengths


def test_durations_beside_a_column_whose_name_differs_in_case(folder: Path, model: Path) -> None:
    """They are one name for DuckDB, which renames the second."""
    duckdb = pytest.importorskip("duckdb")
    length = datetime.timedelta(seconds=5)
    for names in (("time", "Time"), ("Time", "time")):
        whole, duration = names
        columns = {whole: pa.array([7]), duration: pa.array([length], pa.duration("s"))}
        feather.write_feather(pa.table({"text": ["good film"]} | columns), "t.feather")
        for kept in (names, names[::-1]):
            options = [word for name in kept for word in ("--keep", name)]
            run("predict", "m.json", "t.feather", *options, "-o", "d.duckdb", "--force")
            with duckdb.connect("d.duckdb", read_only=True) as connection:
                found = connection.execute(f'select "{kept[0]}", "{kept[1]}_1" from predictions').fetchall()
            assert found == [tuple(columns[name][0].as_py() for name in kept)]


def test_nanoseconds_of_durations_are_kept_in_a_database(folder: Path, model: Path) -> None:
    keep(pa.array([1_000_000_001, 5_000, None], pa.duration("ns")), "t.feather")
    run("predict", "m.json", "t.feather", "--keep", "x", "-o", "d.duckdb")
    assert stored("d.duckdb") == ["1000000001 ns", "5000 ns", None]


def test_the_end_of_a_day_is_not_its_beginning(folder: Path, model: Path) -> None:
    """Databases have 24:00."""
    times = pa.array([86_400_000_000, 1_000_000, None], pa.time64("us"))
    pq.write_table(pa.table({"text": ["good", "bad", "bad"], "x": times}), "t.parquet")
    ran = problex("predict", "m.json", "t.parquet", "--keep", "x", "--format", "json")
    assert "a column of type time64[us] has values that Python lacks, such as 24:00" in ran.stderr
    rows = json.loads(ran.stdout)
    assert [row["x"] for row in rows] == ["86400000000", "00:00:01.000000", None]
    run("predict", "m.json", "t.parquet", "--keep", "x", "-o", "t.sqlite")
    assert stored("t.sqlite") == ["86400000000", "00:00:01.000000", None]
    run("predict", "m.json", "t.parquet", "--keep", "x", "-o", "t.csv")
    with Path("t.csv").open(newline="") as file:
        assert [row["x"] for row in csv.DictReader(file)] == ["86400000000", "00:00:01.000000", ""]


def test_csv_has_one_header_if_only_some_tables_have_the_end_of_a_day(folder: Path) -> None:
    """The others are as they would be without it."""
    tables = [pa.table({"x": pa.array([seconds], pa.time32("s"))}) for seconds in (1, 86_400, 2, 3)]
    write_csv(iter(tables), Path("t.csv"))
    assert Path("t.csv").read_text() == '"x"\n00:00:01\n"86400"\n00:00:02\n00:00:03\n'


WITHOUT_END = {
    "date": (2**31 - 1, "2024-01-02"),
    "timestamp": (2**63 - 1, "2024-01-02 00:00:00.000000"),
}


@pytest.mark.parametrize("kind", WITHOUT_END)
def test_dates_of_a_database_without_end_are_kept(kind: str, folder: Path, model: Path) -> None:
    """They are numbers in files of text, with a note, and the same in a database."""
    duckdb = pytest.importorskip("duckdb")
    last, as_text = WITHOUT_END[kind]
    with duckdb.connect("t.duckdb") as connection:
        rows = [f"select 'good' as text, '{x}'::{kind} as x" for x in ("infinity", "-infinity", "2024-01-02")]
        connection.execute("create table t as " + " union all ".join(rows))
    ends = [str(last), str(-last), as_text]
    for suffix in ("jsonl", "csv", "sqlite", "duckdb"):
        run("predict", "m.json", "t.duckdb", "--text", "text", "--keep", "x", "-o", f"out.{suffix}")
    assert [json.loads(line)["x"] for line in Path("out.jsonl").read_text().splitlines()] == ends
    with Path("out.csv").open(newline="") as file:
        assert [row["x"] for row in csv.DictReader(file)] == ends
    assert stored("out.sqlite") == ends
    with duckdb.connect("out.duckdb", read_only=True) as connection:
        connection.execute("attach 't.duckdb' as given (read_only)")
        changed = "(from given.t select x) except (from predictions select x)"
        assert connection.execute(changed).fetchall() == []
