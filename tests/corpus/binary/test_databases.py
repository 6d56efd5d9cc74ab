"""SQLite and DuckDB: tables, views and queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches
from problex.errors import DocumentWarning
from tests.corpus.binary.writing import write_duckdb, write_excel, write_sqlite
from tests.corpus.reading import error_of, read

CREATE = (
    "create table authors (id integer, age integer)",
    "insert into authors values (1, 40)",
    "create table reviews (id integer, text varchar)",
    "insert into reviews values (1, 'a good film'), (2, 'a bad film')",
)
VIEW = "create view long_ones as select id, text || '!' as text from reviews where id > 1"
WRITERS: dict[str, Callable[..., None]] = {"x.sqlite": write_sqlite, "x.duckdb": write_duckdb}


@pytest.mark.parametrize("name", WRITERS)
def test_tables_views_and_queries(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path, *CREATE)
    with pytest.warns(DocumentWarning, match=r"reading the table 'reviews' of .*, the only one of 2 with texts"):
        assert read(path, keep=["id"]).columns == {"id": [1, 2]}
    assert read(path, sheet="reviews").texts == ["a good film", "a bad film"]
    query = "with good as (select * from reviews where id = 1) select text as review, 7 as n from good;"
    assert read(path, query=query, keep=["n"]).columns == {"n": [7]}
    assert read(path, query=query).texts == ["a good film"]


@pytest.mark.parametrize("name", WRITERS)
def test_views_can_be_chosen(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path, *CREATE, VIEW)
    assert read(path, sheet="long_ones").texts == ["a bad film!"]
    assert "has 3 tables, and several of them have texts: " in error_of(path)
    assert "there is no table 'films' in" in error_of(path, sheet="films")


@pytest.mark.parametrize("name", WRITERS)
def test_a_query_that_fails_is_shown(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path, *CREATE)
    message = error_of(path, query="select no from reviews")
    assert message.startswith(f"{path}, the query 'select no from reviews' cannot be read: ")
    assert message.endswith("Correct the query.")
    before = path.read_bytes()
    assert "Correct the query." in error_of(path, query="delete from reviews")
    assert path.read_bytes() == before


def test_blobs_and_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table t (id, text)")
        connection.execute("insert into t values (1, x'676f6f64'), (2, 'bad'), (3, cast(x'ff' as text)), (4, 10)")
    assert error_of(path).startswith(f"document 2 of {path} is not valid UTF-8 at byte 0.")
    with pytest.warns(DocumentWarning, match="1 cell of column 'text' of "):
        result = read(path, on_error="replace", keep=["text"])
    assert result.texts == ["good", "bad", "�", "10"]
    assert result.columns == {"text": ["good", "bad", "�", "10"]}


def test_the_order_does_not_depend_on_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    create = ("create table t (id integer, text text)", "create index by_text on t (text, id)")
    write_sqlite(path, *create, "insert into t values (?, ?)", rows=[(1, "zebra"), (2, "ant")])
    assert read(path).texts == ["zebra", "ant"]
    assert read(path, keep=["id"]).columns == {"id": [1, 2]}


def test_a_large_database_is_read_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    create = "create table t (id integer, text text)"
    rows = [(number, f"text {number}") for number in range(5000)]
    write_sqlite(path, create, "insert into t values (?, ?)", rows=rows)
    parts = list(batches(path, batch_bytes=1000, keep=["id"]))
    assert len(parts) > 10
    assert [batch.bytes_read for batch in parts] == sorted(batch.bytes_read for batch in parts)
    assert parts[-1].bytes_read == parts[-1].bytes_total == path.stat().st_size


def test_queries_of_files_that_are_no_databases(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (tmp_path / "x.csv").write_text("id,review\n1,a good film\n2,a bad film\n")
    (tmp_path / "x.jsonl").write_text('{"id": 1, "review": "a good film"}\n{"id": 2, "review": "a bad film"}\n')
    pq.write_table(pa.table({"id": [1, 2], "review": ["a good film", "a bad film"]}), tmp_path / "x.parquet")
    write_excel(tmp_path / "x.xlsx", {"S": [["id", "review"], [1, "a good film"], [2, "a bad film"]]})
    for name in ("x.csv", "x.jsonl", "x.parquet", "x.xlsx"):
        result = read(
            tmp_path / name, query="select review as text, id * 2 as twice from texts where id > 1", keep=["twice"]
        )
        assert (result.texts, result.columns) == (["a bad film"], {"twice": [4]}), name
    query = f"select review from '{tmp_path / 'x.parquet'}' order by id desc"
    assert read(tmp_path / "x.csv", query=query).texts == ["a bad film", "a good film"]
    (tmp_path / "x.txt").write_text("a\n")
    expected = f"{tmp_path / 'x.txt'} has no columns, so that no query can be made. Leave query=... out."
    assert error_of(tmp_path / "x.txt", query="select 1") == expected


def test_no_database(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite").write_bytes(b"nothing of the kind")
    assert error_of(tmp_path / "x.sqlite").startswith(f"{tmp_path / 'x.sqlite'} cannot be read as an SQLite database: ")


EXACT = {
    "uhugeint": ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
    "bit": ("'101'", "101"),
    "timetz": ("'12:00:00+02'", "12:00:00+02"),
    "interval": ("'1 month 3 hours'", "1 month 03:00:00"),
}
"""Values that are wrong, or lack something, in Arrow."""


@pytest.mark.parametrize("kind", EXACT)
def test_values_that_arrow_cannot_hold_are_texts(kind: str, tmp_path: Path) -> None:
    value, expected = EXACT[kind]
    path = tmp_path / "x.duckdb"
    write_duckdb(path, f'create table t (text varchar, "the ""c" {kind})', f"insert into t values ('good', {value})")
    assert read(path, text="text", keep=['the "c']).columns == {'the "c': [expected]}
