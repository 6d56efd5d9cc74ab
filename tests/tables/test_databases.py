"""SQLite and DuckDB: tables, views and queries."""

from __future__ import annotations

import datetime
import io
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches
from problex.corpus.documents import read_stream
from problex.corpus.files import open_files
from problex.errors import DocumentError, DocumentWarning
from problex.grouping.dates import as_texts
from problex.tables.databases import connect_sqlite
from problex.tables.reader import ReadOptions
from problex.tables.source import Source
from tests.tables.reading import error_of, read
from tests.tables.writing import write_duckdb, write_excel, write_sqlite

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
    assert read(path, query="select text from reviews -- all of them").texts == ["a good film", "a bad film"]


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


# -- what a query, and a database of somebody else, must not do


ATTACKS = {
    "two statements": "select 'a good film' as text; select 1",
    "a copy": "copy (select 'a good film' as text) to '{folder}/stolen.csv'",
    "a copy after a SELECT": "select 'a good film' as text; copy (select 1) to '{folder}/stolen.csv'",
    "a copy in parentheses": "select 1) limit 0; copy (select 1) to '{folder}/stolen.csv'; select * from (select 1",
    "attach": "attach '{folder}/stolen.csv' as other",
    "install": "install httpfs",
    "load": "load '{folder}/secret.txt'",
    "set": "set threads = 8",
    "read_text": "select content as text from read_text('{folder}/secret.txt')",
    "a path": "select * from '{folder}/secret.csv'",
    "a folder": "select file as text from glob('{folder}/*')",
    "a variable of Python": "select * from VIEW",
    "a comment": "select content as text from /* select */ read_blob('{folder}/secret.txt') --",
}


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("name", ["x.csv", "x.duckdb", "x.sqlite"])
def test_a_query_is_one_select_that_reads_nothing_else(name: str, attack: str, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (tmp_path / "secret.txt").write_text("a good secret\n")
    (tmp_path / "secret.csv").write_text("text\na good secret\n")
    (tmp_path / "x.csv").write_text("id,text\n1,a good film\n")
    if name in WRITERS:
        WRITERS[name](tmp_path / name, *CREATE)
    before = sorted(tmp_path.iterdir())
    error = error_of(tmp_path / name, query=ATTACKS[attack].format(folder=tmp_path))
    assert error.endswith("Correct the query.")
    assert "secret\n" not in error
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("read_file", ["read_text", "read_csv", "read_parquet"])
def test_a_view_of_a_database_reads_no_other_files(read_file: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    secret = tmp_path / "secret"
    if read_file == "read_parquet":
        pq.write_table(pa.table({"text": ["a good secret"]}), secret)
    else:
        secret.write_text("text\na good secret\n")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute(f"create view reviews as select * from {read_file}('{secret}')")
    for options in ({}, {"sheet": "reviews"}, {"query": "from reviews"}):
        error = error_of(tmp_path / "x.duckdb", **options)
        assert "cannot be read" in error
        assert "file system operations are disabled" in error


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("attach '{folder}/y.db' as y", "not authorized"),
        ("delete from reviews", "attempt to write a readonly database"),
        ("create table y (a)", "attempt to write a readonly database"),
    ],
)
def test_a_connection_to_sqlite_can_only_read(statement: str, message: str, tmp_path: Path) -> None:
    write_sqlite(tmp_path / "x.db", *CREATE)
    source = Source("x.db", tmp_path / "x.db")
    with closing(connect_sqlite(source)) as connection, pytest.raises(sqlite3.DatabaseError, match=message):
        connection.execute(statement.format(folder=tmp_path))
    assert not (tmp_path / "y.db").exists()


@pytest.mark.parametrize("call", ["load_extension('/tmp/x.so')", "fts3_tokenizer('simple', x'0102030405060708')"])
def test_no_function_of_sqlite_loads_code(call: str, tmp_path: Path) -> None:
    """The second would call the code at an address that it is given."""
    write_sqlite(tmp_path / "x.db", *CREATE, f"create view v as select {call} as text")
    assert "unsafe use of " in error_of(tmp_path / "x.db", sheet="v")
    assert "not authorized to use function: " in error_of(tmp_path / "x.db", query=f"select {call} as text")


def test_a_full_text_table_of_sqlite_is_read(tmp_path: Path) -> None:
    write_sqlite(tmp_path / "x.db", "create virtual table t using fts5(text)", "insert into t values ('a good film')")
    assert read(tmp_path / "x.db", sheet="t").texts == ["a good film"]


# -- times with a zone


@pytest.fixture(params=["UTC", "America/Los_Angeles", "Asia/Tokyo"])
def _zone_of_the_computer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_zone_of_the_computer")
def test_days_do_not_depend_on_the_computer_nor_on_a_query(tmp_path: Path) -> None:
    """23:30 in New York is 04:30 of the next day in UTC, and 05:30 in Berlin."""
    duckdb = pytest.importorskip("duckdb")
    late = datetime.datetime(2020, 1, 2, 4, 30, tzinfo=datetime.UTC)
    (tmp_path / "x.csv").write_text(
        "text,posted\na good film,2020-01-01 23:30:00 -0500\na film,2020-01-01 23:30:00 -0500\n"
    )
    (tmp_path / "x.jsonl").write_text('{"text": "a good film", "posted": "2020-01-01T23:30:00-05:00"}\n')
    for zone, name in (("UTC", "u"), ("America/New_York", "n"), ("Europe/Berlin", "b"), ("-05:00", "o")):
        table = pa.table({"text": ["a good film"], "posted": pa.array([late], pa.timestamp("us", zone))})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute(
            "create table t as select 'a good film' as text, timestamptz '2020-01-02 04:30:00+00' as posted"
        )
    days = {"x.csv": 1, "x.jsonl": 1, "u.parquet": 2, "n.parquet": 1, "b.parquet": 2, "o.parquet": 1, "x.duckdb": 2}
    for name, day in days.items():
        table = "t" if name == "x.duckdb" else "texts"
        for query in (None, f"select text, posted from {table}"):
            (first, *_) = batches(tmp_path / name, text="text", keep=["posted"], query=query)
            assert first.columns is not None
            (written, *_) = as_texts(first.columns["posted"].combine_chunks()).to_pylist()
            assert written[:10] == f"2020-01-0{day}", (name, query)


def test_a_query_sees_times_in_utc(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute(
            "create table t as select 'a good film' as text, timestamptz '2020-01-02 04:30:00+00' as posted"
        )
    query = "select text, current_setting('TimeZone') as zone, posted::date::varchar as day from t"
    assert read(tmp_path / "x.duckdb", query=query, keep=["zone", "day"]).columns == {
        "zone": ["UTC"],
        "day": ["2020-01-02"],
    }


# -- one query over several files


def write_parts(folder: Path) -> None:
    folder.mkdir()
    (folder / "a.csv").write_text("id,text\n1,a good film\n2,a bad film\n")
    (folder / "b.csv").write_text("id,text\n3,a dull film\n")
    pq.write_table(pa.table({"id": [4], "text": ["a fine film"]}), folder / "c.parquet")


def test_a_query_runs_once_over_all_files(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    write_parts(folder := tmp_path / "parts")
    result = read(folder, query="select text, count(*) over () as n, file from texts order by id", keep=["n", "file"])
    assert result.texts == ["a good film", "a bad film", "a dull film", "a fine film"]
    assert result.columns == {"n": [4] * 4, "file": ["a.csv", "a.csv", "b.csv", "c.parquet"]}
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    assert read(tmp_path / "x.zip", query="select max(text) as text from texts").texts == ["a good film"]
    every = read(sorted(folder.iterdir()), query=f"select text from '{folder / 'c.parquet'}'")
    assert every.texts == ["a fine film"]


def test_a_query_over_many_files(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    for number in range(1200):
        (tmp_path / f"{number:04}.tsv").write_text(f"id\ttext\n{number}\ta good film\n")
    query = "select 'a film' as text, count(*) as n, max(file) as last from texts"
    assert read(tmp_path, query=query, keep=["n", "last"]).columns == {"n": [1200], "last": ["1199.tsv"]}


def test_each_database_runs_the_query_itself(tmp_path: Path) -> None:
    for number in (1, 2):
        write_sqlite(tmp_path / f"{number}.sqlite", *CREATE)
    result = read(tmp_path, query="select max(text) as text from reviews", keep=["file"])
    assert (result.texts, result.columns) == (["a good film"] * 2, {"file": ["1.sqlite", "2.sqlite"]})
    (tmp_path / "x.csv").write_text("text\na film\n")
    assert error_of(tmp_path, query="select text from reviews").startswith(
        f"a query was given for the database {tmp_path / '1.sqlite'} and for files that are none; expected one or the"
    )


def test_a_file_that_changes_while_a_query_reads_it(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    write_parts(folder := tmp_path / "parts")
    files = sorted(folder.iterdir())
    reader = open_files(files, ReadOptions(query="select text from texts"))
    files[1].write_text("id,text\n3,another film than before\n")
    with pytest.raises(DocumentError, match=r"b.csv changed while it was read"):
        list(reader.read("text", [], ()))


def test_a_query_of_a_stream_is_refused() -> None:
    message = "the rows of a query cannot be read from a stream. Save it and give its path."
    with pytest.raises(DocumentError, match=message):
        list(read_stream(io.BytesIO(b"text\na\n"), "csv", query="select * from texts"))


def test_one_database_is_read_twice_at_the_same_time(tmp_path: Path) -> None:
    write_duckdb(tmp_path / "x.duckdb", *CREATE, "insert into reviews select range, 'a film' from range(20000)")
    readers = [iter(batches(tmp_path / "x.duckdb", sheet="reviews")) for _ in range(2)]
    assert [len(next(reader).texts) for reader in readers] == [8192, 8192]
