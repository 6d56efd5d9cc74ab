"""Results in every format, and back into databases."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pytest

from problex.cli.predictions import describe_labels
from problex.errors import OutputError, ProblexError
from problex.tables.write import TableFile
from tests.cli.runs import problex, run, said

COLUMNS = ["row", "id", "label", "score", "p_negative", "p_positive", "tokens", "matches"]


def read_table(path: Path, table: str = "predictions") -> pd.DataFrame:
    """A result in any format as a frame."""
    if path.suffix == ".xlsx":
        return pd.read_excel(path, sheet_name=table, engine="openpyxl")
    if path.suffix == ".duckdb":
        duckdb = pytest.importorskip("duckdb")
        with duckdb.connect(str(path)) as connection:
            frame: pd.DataFrame = connection.sql(f'select * from "{table}"').df()
            return frame
    if path.suffix in (".sqlite", ".db"):
        connection = sqlite3.connect(path)
        try:
            return pd.read_sql(f'select * from "{table}"', connection)
        finally:
            connection.close()
    if path.suffix == ".jsonl":
        return pd.read_json(path, lines=True)
    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, keep_default_na=False)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".parquet", ".jsonl", ".sqlite", ".db", ".duckdb"])
def test_predictions_are_the_same_in_every_format(folder: Path, model: Path, suffix: str) -> None:
    if suffix == ".duckdb":
        pytest.importorskip("duckdb")
    run("predict", "m.json", "texts.csv", "-o", "expected.csv")
    run("predict", "m.json", "texts.csv", "-o", f"p{suffix}")
    expected, frame = read_table(Path("expected.csv")), read_table(Path(f"p{suffix}"))
    assert list(frame) == COLUMNS
    pd.testing.assert_frame_equal(frame, expected, check_dtype=False)
    assert ((frame["p_positive"] * 10_000).round(6) % 1 == 0).all()


@pytest.mark.parametrize("keep", ["all", "none", "label,id", "text"])
def test_columns_that_are_kept(folder: Path, model: Path, keep: str) -> None:
    run("predict", "m.json", "texts.csv", "--keep", keep, "-o", "p.csv")
    kept = {
        "all": ["id", "text", "input_label"],
        "none": [],
        "label,id": ["input_label", "id"],
        "text": ["text"],
    }[keep]
    frame = pd.read_csv("p.csv")
    assert list(frame) == ["row", *kept, *COLUMNS[2:]]
    if keep == "all":
        given = pd.read_csv("texts.csv")
        assert frame["text"].tolist() == given["text"].tolist()


def test_all_columns_of_standard_input_are_kept(folder: Path, model: Path) -> None:
    words = ("predict", "m.json", "-", "--input-format", "csv", "--keep", "all")
    ran = problex(*words, stdin="n,text,all\n1,good,x\n2,bad,y\n")
    assert ran.stdout.splitlines()[0].startswith("row,n,text,all,label,")
    assert ran.stdout.splitlines()[2].startswith("1,2,bad,y,negative,")


def test_a_name_with_a_comma_is_one_column(folder: Path, model: Path) -> None:
    Path("odd.csv").write_text('"a,b",text\n1,good\n')
    run("predict", "m.json", "odd.csv", "--keep", "a,b", "-o", "p.csv")
    assert pd.read_csv("p.csv")["a,b"].tolist() == [1]


def test_a_byte_order_mark_on_request(folder: Path, model: Path) -> None:
    run("predict", "m.json", "texts.csv", "-o", "with.csv", "--bom")
    run("predict", "m.json", "texts.csv", "-o", "without.csv")
    assert Path("with.csv").read_bytes() == b"\xef\xbb\xbf" + Path("without.csv").read_bytes()


def test_the_summary_counts_every_text_once(folder: Path, model: Path) -> None:
    source, *lines = said("predict", "m.json", "texts.csv", "-o", "p.csv").splitlines()
    assert source == "threshold and probabilities: label-free"
    frame = pd.read_csv("p.csv")
    numbers = frame["label"].value_counts()
    expected = ", ".join(f"{numbers[n]} {n} ({numbers[n] / 40:.1%})" for n in ("negative", "positive", "undecided"))
    assert lines[0] == expected
    decided = frame[frame["label"] != "undecided"]
    best = decided[["p_negative", "p_positive"]].max(axis=1)
    unsure = int((best < 0.6).sum())
    assert (
        lines[1]
        == f"by the model, {unsure} of {len(decided)} labels {'has' if unsure == 1 else 'have'} a probability below 60%"
    )
    assert lines[2] == "wrote 40 rows to p.csv"
    resumed = said("predict", "m.json", "texts.csv", "-o", "q.csv", "--checkpoint", "c").splitlines()
    assert resumed == [source, *lines[:2], "wrote 40 rows to q.csv"]


def test_the_summary_when_nothing_is_decided() -> None:
    lines = describe_labels({"rows": 2, "label undecided": 2, "decided": 0}, ["a", "b"])
    assert lines == ["0 a (0.0%), 0 b (0.0%), 2 undecided (100.0%)"]


def make_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("create table texts (id integer, text text)")
        connection.execute("insert into texts values (1, 'kept')")
    connection.close()


def test_other_tables_of_a_database_stay(folder: Path, model: Path) -> None:
    make_database(Path("own.sqlite"))
    run("predict", "m.json", "texts.csv", "-o", "own.sqlite", "--table", "labels")
    assert len(read_table(Path("own.sqlite"), "labels")) == 40
    assert read_table(Path("own.sqlite"), "texts")["text"].tolist() == ["kept"]
    again = problex("predict", "m.json", "texts.csv", "-o", "own.sqlite", "--table", "Labels")
    assert again.returncode == 1
    assert (
        "has a table 'Labels' already: choose another name with --table, or overwrite it with --force" in again.stderr
    )
    run("predict", "m.json", "texts.csv", "-o", "own.sqlite", "--table", "labels", "--force", "--keep", "none")
    assert list(read_table(Path("own.sqlite"), "labels")) == [name for name in COLUMNS if name != "id"]


def test_a_file_that_is_no_database_is_refused(folder: Path, model: Path) -> None:
    Path("no.db").write_text("this is a text, not a database, and it stays as it is" * 20)
    ran = problex("predict", "m.json", "texts.csv", "-o", "no.db")
    assert ran.returncode == 1
    assert "'no.db' could not be written: file is not a database; nothing was changed" in ran.stderr
    assert Path("no.db").read_text().startswith("this is a text")


@pytest.mark.parametrize("suffix", [".sqlite", ".duckdb"])
def test_a_database_that_fails_is_as_before(tmp_path: Path, suffix: str) -> None:
    if suffix == ".duckdb":
        pytest.importorskip("duckdb")

    def tables() -> object:
        yield pa.table({"n": [1]})
        raise KeyboardInterrupt

    path = tmp_path / f"x{suffix}"
    TableFile(path, "old").write(iter([pa.table({"n": [5, 6]})]))
    with pytest.raises(KeyboardInterrupt):
        TableFile(path, "old", force=True).write(tables())  # type: ignore[arg-type]
    assert read_table(path, "old")["n"].tolist() == [5, 6]
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_further_tables_are_sheets_tables_or_files(tmp_path: Path) -> None:
    main = pa.table({"n": [1]})
    for suffix in (".xlsx", ".sqlite", ".csv"):
        target = TableFile(tmp_path / f"x{suffix}", "texts")
        target.check(["shares"])
        target.write(iter([main]), {"shares": iter([pa.table({"s": [0.5]})])})
        expected = tmp_path / ("x-shares.csv" if suffix == ".csv" else f"x{suffix}")
        assert read_table(expected, "shares")["s"].tolist() == [0.5]
        with pytest.raises(OutputError, match=r"exists: choose another name|has a table"):
            target.check(["shares"])
    assert openpyxl.load_workbook(tmp_path / "x.xlsx").sheetnames == ["texts", "shares"]
    (tmp_path / "x.csv").unlink()
    with pytest.raises(OutputError, match=r"x-shares\.csv' exists"):
        TableFile(tmp_path / "x.csv", "texts").check(["shares"])


def test_an_unknown_suffix_and_a_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutputError, match=r"expected one of \.csv, \.xlsx, \.parquet, \.jsonl, \.sqlite, \.duckdb"):
        TableFile(tmp_path / "x.docx").check()
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(
        ProblexError, match=r"writing \.xlsx needs the package openpyxl: pip install 'problex\[excel\]'"
    ):
        TableFile(tmp_path / "x.xlsx").check()
