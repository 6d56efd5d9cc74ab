"""Files, streams and frames: the same texts from each, and the choice of columns."""

from __future__ import annotations

import io
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex.corpus import batches, column_names
from problex.corpus import documents as documents_module
from problex.corpus.documents import read_stream
from problex.errors import DocumentError, DocumentWarning
from problex.tables import csv_file, text_files
from problex.tables.columns import choose_column
from problex.tables.reader import RawBatch
from problex.tables.text_files import LineReader
from tests.tables.reading import FILES, TEXTS, error_of, read


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("batch_bytes", [1, 12, 1 << 20])
def test_every_kind_of_file_gives_the_same_texts(name: str, batch_bytes: int, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, TEXTS)
    result = read(tmp_path / name, batch_bytes=batch_bytes, keep=["id"])
    assert result.texts == TEXTS
    assert result.columns == {"id": [f"n{number}" for number in range(len(TEXTS))]}
    assert column_names(tmp_path / name) == ["id", "text"]


@settings(max_examples=40)
@given(st.lists(st.text()), st.integers(1, 40))
def test_any_texts_come_back_from_files(texts: list[str], batch_bytes: int) -> None:
    with TemporaryDirectory() as folder:
        for name, write in FILES.items():
            write(Path(folder, name), texts)
            assert read(Path(folder, name), batch_bytes=batch_bytes, text="text").texts == texts, name
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(csv_file, "READ_BYTES", 1)
                patch.setattr(text_files, "READ_BYTES", 1)
                assert read(Path(folder, name), batch_bytes=batch_bytes, text="text").texts == texts, name


LINES = st.text(st.characters(exclude_characters="\0\r\n\ufeff", exclude_categories=["Cs"]))


@given(
    st.lists(LINES.filter(lambda line: not line.startswith(("BZh", "PAR1", "PK", "%PDF", "$FL2")))), st.integers(1, 40)
)
def test_any_lines_come_back_from_a_stream(texts: list[str], batch_bytes: int) -> None:
    """Many zeros, or the first bytes of another format, are refused: they are no text."""
    stream = io.BytesIO("".join(text + "\n" for text in texts).encode())
    assert read(stream, batch_bytes=batch_bytes).texts == texts


@pytest.mark.parametrize(
    ("names", "sample", "text", "expected"),
    [
        (["x"], {}, None, ("x", False)),
        (["id", "text"], {}, None, ("text", True)),
        (["Title", "BODY", "id"], {}, None, ("BODY", True)),
        (["id", "text"], {}, "id", ("id", False)),
        (["a", "b"], {"a": ["x" * 10, None], "b": ["y" * 30, None]}, None, ("b", True)),
        (["a", "b"], {"a": [12345678901234567890123], "b": [b"y" * 21]}, None, ("b", True)),
    ],
)
def test_the_choice_of_a_column(names: list[str], sample: Any, text: str | None, expected: tuple[str, bool]) -> None:
    assert choose_column(names, sample, text) == expected


def test_a_column_of_long_texts_has_more_than_20_characters_on_average() -> None:
    assert choose_column(["a", "b"], {"a": ["x" * 20, "x" * 21], "b": ["y"]}) == ("a", True)
    with pytest.raises(DocumentError, match="the column with the texts could not be guessed"):
        choose_column(["a", "b"], {"a": ["x" * 20, "x" * 20], "b": ["y"]})


def test_no_column_to_choose() -> None:
    with pytest.raises(
        DocumentError, match="the column with the texts could not be guessed; the columns are 'a', 'b'; expected "
    ):
        choose_column(["a", "b"], {"a": ["short"], "b": [1]})
    with pytest.raises(DocumentError, match="there is no column 'txt'; the columns are 'id', 'text'"):
        choose_column(["id", "text"], {}, "txt")


def frame_and_files(folder: Path, table: pa.Table) -> Iterator[object]:
    yield from (table, table.to_pandas(), pl.from_arrow(table))
    pq.write_table(table, folder / "g.parquet")
    table.to_pandas().to_csv(folder / "g.csv", index=False)
    table.to_pandas().to_json(folder / "g.jsonl", orient="records", lines=True)
    yield from (folder / "g.parquet", folder / "g.csv", folder / "g.jsonl")


def test_a_guess_is_reported(tmp_path: Path) -> None:
    table = pa.table({"n": [1, 2], "Review": ["good", "bad"], "sort": ["a", "b"]})
    for documents in frame_and_files(tmp_path, table):
        with pytest.warns(DocumentWarning, match=r"reading texts from column 'Review' \(guessed; name it with text="):
            assert read(documents).texts == ["good", "bad"]


def test_long_texts_are_guessed(tmp_path: Path) -> None:
    table = pa.table({"n": [1, 2], "sort": ["a", "b"], "words": ["long words " * 3, "more words " * 3]})
    for documents in frame_and_files(tmp_path, table):
        with pytest.warns(DocumentWarning, match="'words'"):
            assert read(documents).texts == table["words"].to_pylist()


def test_no_warning_without_a_guess(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for documents in frame_and_files(tmp_path, pa.table({"n": [1, 2], "text": ["good", "bad"]})):
            assert read(documents).texts == ["good", "bad"]
        for documents in frame_and_files(tmp_path, pa.table({"review": ["good", "bad"]})):
            assert read(documents).texts == ["good", "bad"]
            assert read(documents, text="review").texts == ["good", "bad"]


def test_wrong_columns_are_reported_at_the_call(tmp_path: Path) -> None:
    for documents in frame_and_files(tmp_path, pa.table({"n": [1, 2], "text": ["good", "bad"]})):
        with pytest.raises(DocumentError, match="there is no column 'body'; the columns are 'n', 'text'"):
            batches(documents, text="body")
        with pytest.raises(DocumentError, match="there is no column 'id'; the columns are 'n', 'text'"):
            batches(documents, keep=["id"])


def test_kept_columns_go_with_their_rows(tmp_path: Path) -> None:
    table = pa.table({"n": range(9), "text": [f"text {n}" for n in range(9)], "half": [n / 2 for n in range(9)]})
    for documents in frame_and_files(tmp_path, table):
        result = read(documents, keep=("half", "n", "text"), batch_bytes=20)
        assert list(result.columns) == ["half", "n", "text"]
        assert [float(value) for value in result.columns["half"]] == table["half"].to_pylist()
        assert [int(value) for value in result.columns["n"]] == list(range(9))
        assert result.columns["text"] == result.texts
    assert read(table, keep="n").columns == {"n": list(range(9))}


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def feed(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    feed(b"one\ntwo\n")
    assert read(Path("-")).texts == ["one", "two"]
    feed(b"id,text\n1,one\n2,two\n")
    assert read(Path("-"), format="csv", keep=["id"]).columns == {"id": ["1", "2"]}
    feed(b'{"body": "one"}\n{"body": "two"}\n')
    assert read(Path("-"), format="jsonl").texts == ["one", "two"]
    assert "parquet cannot be read from a stream. Save it and give its path." in error_of(Path("-"), format="parquet")
    assert column_names(Path("-"), "csv") == []


def test_a_stream_is_not_closed_and_need_not_be_whole_in_memory() -> None:
    rows = b"".join(b"%d,text %d\n" % (n, n) for n in range(300_000))
    stream = io.BytesIO(b"id,text\n" + rows)
    texts = [text for batch in read_stream(stream, "csv", keep=["id"]) for text in batch.texts.to_pylist()]
    assert texts == [f"text {n}" for n in range(300_000)]
    assert not stream.closed


def test_a_temporary_file_is_a_stream() -> None:
    with NamedTemporaryFile() as file:
        file.write(b"id,text\n1,one\n2,two\n")
        file.seek(0)
        assert read(file, format="csv").texts == ["one", "two"]


def test_a_named_pipe_is_a_stream() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"id,text\n1,one\n2,two\n")
    os.close(writing)
    path = Path(f"/dev/fd/{reading}")
    assert column_names(path, "csv") == []
    assert read(path, format="csv").texts == ["one", "two"]
    os.close(reading)


def test_files_are_read_ahead_by_a_thread_and_pipes_by_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    read_lines = LineReader.read

    def read_and_note(*arguments: Any) -> Iterator[RawBatch]:
        threads.append(threading.get_ident() == caller)
        yield from read_lines(*arguments)

    caller = threading.get_ident()
    monkeypatch.setattr(LineReader, "read", read_and_note)
    (tmp_path / "x.txt").write_text("one\n")
    assert read(tmp_path / "x.txt").texts == ["one"]
    reading, writing = os.pipe()
    os.write(writing, b"two\n")
    os.close(writing)
    assert read(Path(f"/dev/fd/{reading}"), format="txt").texts == ["two"]
    os.close(reading)
    assert threads == [False, True]


@pytest.mark.parametrize("name", [None, *FILES])
def test_100_rows_are_sampled_for_the_guess_of_a_column(name: str | None, tmp_path: Path) -> None:
    def documents(column: list[str]) -> object:
        table = pa.table({"a": ["x"] * len(column), "b": column})
        if name is None:
            return table
        path = tmp_path / name
        if path.suffix == ".parquet":
            pq.write_table(table, path, row_group_size=10_000)
        elif path.suffix == ".jsonl":
            table.to_pandas().to_json(path, orient="records", lines=True)
        else:
            table.to_pandas().to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
        return path

    long = "long" * 1000
    with pytest.warns(DocumentWarning, match="'b'"):
        assert read(documents([long, *["y"] * 150])).texts[0] == long
    with pytest.warns(DocumentWarning, match="'b'"):
        assert read(documents([*["y"] * 99, long])).texts[-1] == long
    assert error_of(documents([*["y"] * 100, long])).startswith("the column with the texts could not be guessed")


def test_a_frame_is_sampled_in_the_same_way() -> None:
    frame = pl.DataFrame({"a": ["x"] * 101, "b": [*["y"] * 100, "long" * 1000]})
    assert error_of(frame).startswith("the column with the texts could not be guessed")
    with pytest.warns(DocumentWarning, match="'b'"):
        assert len(read(frame[1:]).texts) == 100


def test_text_files_and_iterators_are_iterated_even_if_a_format_is_given() -> None:
    assert read(io.StringIO("one\ntwo\n")).texts == ["one\n", "two\n"]
    assert read(iter(["one", "two"]), format="csv").texts == ["one", "two"]


def test_a_path_among_texts_is_no_text() -> None:
    assert error_of([Path("x.csv"), "a"]).startswith("document 0 is of type PosixPath")


def test_a_pipe_among_files_is_read_by_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents_module, "prefetch", lambda stream: pytest.fail("read by a thread"))
    (tmp_path / "x.txt").write_text("one\n")
    reading, writing = os.pipe()
    os.write(writing, b"two\n")
    os.close(writing)
    stream = list(batches([tmp_path / "x.txt", Path(f"/dev/fd/{reading}")], format="txt"))
    os.close(reading)
    assert [text for batch in stream for text in batch.texts.to_pylist()] == ["one", "two"]
    assert {batch.bytes_total for batch in stream} == {4}


@pytest.mark.parametrize(
    ("number", "expected"), [(10_000, "the column with the texts"), (10_001, "there are 10,001 columns")]
)
def test_up_to_10_000_columns_are_sampled(number: int, expected: str) -> None:
    table = pa.table({f"c{at}": ["x"] for at in range(number)})
    assert error_of(table).startswith(expected)


@pytest.mark.parametrize(("number", "expected"), [(20, "'c19'. Name"), (21, "'c19' and 1 more. Name")])
def test_20_columns_are_shown(number: int, expected: str) -> None:
    table = pa.table({f"c{at}": ["x"] for at in range(number)})
    assert expected in error_of(table, text="wrong")


def test_dates_beyond_those_of_python_are_no_obstacle(tmp_path: Path) -> None:
    long = "a text that is long enough to be guessed"
    table = pa.table({"when": pa.array([2**60], pa.timestamp("us")), "long": [long]})
    pq.write_table(table, tmp_path / "x.parquet")
    (tmp_path / "x.csv").write_text(f"when,long\n99999-01-01 00:00:00,{long}\n")
    frames = (table, table.to_pandas(), pl.from_arrow(table))
    for documents in (*frames, tmp_path / "x.parquet", tmp_path / "x.csv"):
        with pytest.warns(DocumentWarning, match="reading texts from column 'long'"):
            assert read(documents).texts == [long]
    for documents in (*frames, tmp_path / "x.parquet"):
        assert "is of type timestamp[us]; expected a text" in error_of(documents, text="when")
