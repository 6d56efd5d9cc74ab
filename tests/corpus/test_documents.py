"""Every kind of input gives the same texts, batch boundaries change nothing, and every error says what to do."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import re
import subprocess
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex.corpus import FORMATS, Batch, batches, column_names, csv_reader, jsonl_reader, read_stream, strip_markup
from problex.corpus.documents import choose_column
from problex.errors import DocumentError, DocumentWarning

TEXTS = [
    "a good film",
    "",
    "n'était pas bon: 映画 😀",
    'he said "no",\nand\r\nleft\t.',
    "\0nul\0",
    "  blanks  ",
    ",;\t",
]
Maker = Callable[[list[str]], Any]

MEMORY: dict[str, Maker] = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "generator": lambda texts: (text for text in texts),
    "bytes": lambda texts: [text.encode() for text in texts],
    "list of numpy str": lambda texts: [np.str_(text) for text in texts],
    "list of Arrow scalars": lambda texts: list(pa.array(texts, pa.string())),
    "numpy object": lambda texts: np.array(texts, dtype=object),
    "pandas": lambda texts: pd.Series(texts, dtype="str"),
    "pandas object": lambda texts: pd.Series(texts, dtype=object, index=range(7, 7 + len(texts))),
    "pandas category": lambda texts: pd.Series(texts, dtype="category"),
    "pandas index": lambda texts: pd.Index(texts, dtype=object),
    "polars": lambda texts: pl.Series(texts, dtype=pl.String),
    "polars categorical": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "arrow": lambda texts: pa.array(texts, pa.string()),
    "arrow large": lambda texts: pa.array(texts, pa.large_string()),
    "arrow view": lambda texts: pa.array(texts, pa.string_view()),
    "arrow binary": lambda texts: pa.array([text.encode() for text in texts], pa.binary()),
    "arrow dictionary": lambda texts: pa.array(texts, pa.string()).dictionary_encode(),
    "arrow slice": lambda texts: pa.array(["before", *texts, "after"], pa.string())[1:-1],
    "arrow chunks": lambda texts: pa.chunked_array([texts[:2], [], texts[2:]], pa.string()),
    "pandas frame": lambda texts: pd.DataFrame({"id": range(len(texts)), "text": pd.Series(texts, dtype=object)}),
    "polars frame": lambda texts: pl.DataFrame({"id": range(len(texts)), "text": pl.Series(texts, dtype=pl.String)}),
    "arrow table": lambda texts: pa.table({"id": range(len(texts)), "text": pa.array(texts, pa.string())}),
    "arrow record batch": lambda texts: pa.record_batch({"text": pa.array(texts, pa.string())}),
}


def write_csv(path: Path, texts: Sequence[str], delimiter: str = ",") -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["id", "text"])
        writer.writerows((f"n{number}", text) for number, text in enumerate(texts))


def write_jsonl(path: Path, texts: Sequence[str]) -> None:
    lines = (json.dumps({"id": f"n{n}", "text": text}, ensure_ascii=n % 2 == 0) for n, text in enumerate(texts))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def write_parquet(path: Path, texts: Sequence[str]) -> None:
    ids = pa.array([f"n{number}" for number in range(len(texts))], pa.string())
    pq.write_table(pa.table({"id": ids, "text": pa.array(texts, pa.string())}), path, row_group_size=3)


FILES: dict[str, Callable[[Path, Sequence[str]], None]] = {
    "x.csv": write_csv,
    "x.tsv": lambda path, texts: write_csv(path, texts, "\t"),
    "x.jsonl": write_jsonl,
    "x.parquet": write_parquet,
}


def read(documents: object, **options: Any) -> SimpleNamespace:
    """All batches as one, after checking what must hold for each."""
    texts: list[str] = []
    found: list[Batch] = []
    for batch in batches(documents, **options):
        assert batch.texts.type in (pa.string(), pa.large_string())
        assert batch.texts.null_count == 0
        assert batch.first_row == len(texts)
        assert (batch.columns is None) == (not options.get("keep"))
        assert batch.columns is None or batch.columns.num_rows == len(batch.texts)
        batch.texts.validate(full=True)
        texts += batch.texts.to_pylist()
        found.append(batch)
    return SimpleNamespace(
        texts=texts,
        missing=sum(batch.missing for batch in found),
        invalid=sum(batch.invalid for batch in found),
        columns=pa.concat_tables(batch.columns for batch in found).to_pydict() if options.get("keep") else None,
        sizes=[len(batch.texts) for batch in found],
    )


def error_of(documents: object, **options: Any) -> str:
    with pytest.raises(DocumentError) as caught:
        read(documents, **options)
    return str(caught.value)


# -- the same texts from everywhere


@pytest.mark.parametrize("kind", MEMORY)
@pytest.mark.parametrize("batch_bytes", [1, 12, 1 << 20])
def test_every_kind_in_memory_gives_the_same_texts(kind: str, batch_bytes: int) -> None:
    assert read(MEMORY[kind](TEXTS), batch_bytes=batch_bytes).texts == TEXTS


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("batch_bytes", [1, 12, 1 << 20])
def test_every_kind_of_file_gives_the_same_texts(name: str, batch_bytes: int, tmp_path: Path) -> None:
    FILES[name](tmp_path / name, TEXTS)
    found = read(tmp_path / name, batch_bytes=batch_bytes, keep=["id"])
    assert found.texts == TEXTS
    assert found.columns == {"id": [f"n{number}" for number in range(len(TEXTS))]}
    assert column_names(tmp_path / name) == ["id", "text"]


@given(st.lists(st.text()), st.integers(1, 40))
def test_any_texts_come_back_from_memory(texts: list[str], batch_bytes: int) -> None:
    for kind, make in MEMORY.items():
        assert read(make(texts), batch_bytes=batch_bytes).texts == texts, kind


@settings(max_examples=40)
@given(st.lists(st.text()), st.integers(1, 40))
def test_any_texts_come_back_from_files(texts: list[str], batch_bytes: int) -> None:
    with TemporaryDirectory() as folder:
        for name, write in FILES.items():
            write(Path(folder, name), texts)
            assert read(Path(folder, name), batch_bytes=batch_bytes, text="text").texts == texts, name
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(csv_reader, "READ_BYTES", 1)
                patch.setattr(jsonl_reader, "READ_BYTES", 1)
                assert read(Path(folder, name), batch_bytes=batch_bytes, text="text").texts == texts, name


@given(st.lists(st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]))), st.integers(1, 40))
def test_any_lines_come_back_from_a_stream(texts: list[str], batch_bytes: int) -> None:
    stream = io.BytesIO("".join(text + "\n" for text in texts).encode())
    assert read(stream, batch_bytes=batch_bytes).texts == texts


def test_numpy_str_arrays() -> None:
    assert read(np.array(["a", "bcd"])).texts == ["a", "bcd"]
    assert read(np.array([b"a", b"bcd"])).texts == ["a", "bcd"]


@pytest.mark.parametrize("documents", [[], iter([]), np.array([], object), pd.Series([], dtype=object), pa.array([])])
def test_nothing_gives_no_batch(documents: object) -> None:
    assert list(batches(documents)) == []


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.txt"])
def test_an_empty_file_gives_no_batch(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    assert list(batches(tmp_path / name)) == []


@pytest.mark.parametrize("content", ["id,text", "id,text\n", "\ufeffid,text\r\n\r\n"])
def test_a_csv_with_only_a_header_gives_no_batch(content: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(content, encoding="utf-8")
    assert list(batches(tmp_path / "x.csv", keep=["id"])) == []
    assert column_names(tmp_path / "x.csv") == ["id", "text"]


def test_a_text_of_30_megabytes() -> None:
    giant = "giant " * 5_000_000
    found = read(["a", giant, "b"], batch_bytes=1000)
    assert found.sizes == [1, 1, 1]
    assert found.texts[1] == giant


def test_a_giant_cell_straddles_the_blocks_of_a_csv(tmp_path: Path) -> None:
    texts = ["row"] * 300_000 + ["giant\n" * 800_000, "after"]
    write_csv(tmp_path / "x.csv", texts)
    found = read(tmp_path / "x.csv", batch_bytes=1 << 20, keep=["id"])
    assert found.texts == texts
    assert found.columns["id"] == [f"n{number}" for number in range(len(texts))]
    stream = io.BytesIO(b'id,text\n1,"' + b"giant\n" * 600_000 + b'"\n2,after\n')
    assert read(stream, format="csv").texts == ["giant\n" * 600_000, "after"]


def test_batches_hold_about_batch_bytes(tmp_path: Path) -> None:
    texts = ["x" * 100] * 1000
    write_parquet(tmp_path / "x.parquet", texts)
    for documents in (texts, iter(texts), pa.array(texts), pd.Series(texts)):
        assert read(documents, batch_bytes=1000).sizes == [10] * 100
    assert max(read(tmp_path / "x.parquet", batch_bytes=1000).sizes) <= 10


def test_batches_of_arrow_are_not_copies() -> None:
    array = pa.array(["x" * 100] * 50)
    addresses = {batch.texts.buffers()[2].address for batch in batches(array, batch_bytes=1000)}
    assert addresses == {array.buffers()[2].address}


def test_a_generator_is_read_no_further_than_needed() -> None:
    seen = []

    def endless() -> Iterator[str]:
        for number in itertools.count():
            seen.append(number)
            yield "x" * 100

    stream = batches(endless(), batch_bytes=1000)
    assert seen == []
    next(stream)
    assert len(seen) == 10
    next(stream)
    assert len(seen) == 20


# -- missing and invalid documents


NULLS = [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]


@pytest.mark.parametrize("null", NULLS, ids=repr)
def test_a_missing_document_is_named_or_counted(null: object) -> None:
    documents = ["a", "b", null, "c"]
    for kind in (documents, iter(documents), np.array(documents, dtype=object), pd.Series(documents, dtype=object)):
        assert read(kind, missing="empty").missing == 1
    assert read(documents, missing="empty", batch_bytes=1).texts == ["a", "b", "", "c"]
    message = error_of(documents, batch_bytes=1)
    assert message.startswith("document 2 is missing (None, NaN or null); expected a text. Drop it")
    assert 'missing="empty"' in message


@pytest.mark.parametrize(
    "documents",
    [
        pl.Series(["a", "b", None]),
        pd.Series(["a", "b", None]),
        pd.Series(["a", "b", None], dtype="category"),
        pa.array(["a", "b", None]),
        pa.array(["a", "b", None], pa.string_view()),
        pa.array(["a", "b", None]).dictionary_encode(),
        pa.chunked_array([["a"], ["b", None]]),
        pl.DataFrame({"text": ["a", "b", None]}),
    ],
)
def test_a_null_in_a_column_is_named_or_counted(documents: object) -> None:
    found = read(documents, missing="empty")
    assert (found.texts, found.missing) == (["a", "b", ""], 1)
    assert error_of(documents).startswith("document 2 is missing")


@pytest.mark.parametrize("documents", [pa.nulls(3), pa.nulls(3, pa.float64()), pl.Series([None] * 3)])
def test_a_column_of_nulls(documents: object) -> None:
    assert read(documents, missing="empty").missing == 3
    assert error_of(documents).startswith("document 0 is missing")


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        (["a", 17], "document 1 is of type int (17); expected a text (str). Drop it, or turn it into a text."),
        (["a", None, {"x": 1}], "document 2 is of type dict ({'x': 1}); expected a text"),
        (iter(["a", ["b"]]), "document 1 is of type list (['b']); expected"),
        (["a", 10**100], "document 1 is of type int (10000"),
        (np.array([1.5, 2.0]), "document 0 is of type float (1.5)"),
        (["a", np.array([1, 2])], "document 1 is of type ndarray (array([1, 2]))"),
        (pd.Series(["a", 3], dtype=object), "document 1 is of type int (3)"),
        (pl.Series(["a", 3], dtype=pl.Object, strict=False), "document 1 is of type int (3)"),
        (pd.Series([1, 2]), "document 0 is of type int64 (1); expected a text. Choose a column of texts."),
        (pa.array([None, 2.5]), "document 1 is of type double (2.5)"),
        (pa.array([{"x": 1}]), "document 0 is of type struct<x: int64> ({'x': 1})"),
    ],
)
def test_what_is_no_text_is_named(documents: object, expected: str) -> None:
    message = error_of(documents, missing="empty", on_error="skip")
    assert message.startswith(expected)
    assert len(message) < 200


INVALID: dict[str, Callable[[], Any]] = {
    "bytes": lambda: [b"a", b"caf\xc3\xa9 \xff!", b"c"],
    "str and bytes": lambda: ["a", bytearray(b"caf\xc3\xa9 \xff!"), "c"],
    "escaped": lambda: ["a", b"caf\xc3\xa9 \xff!".decode(errors="surrogateescape"), "c"],
    "generator": lambda: iter([b"a", b"caf\xc3\xa9 \xff!", b"c"]),
    "pandas": lambda: pd.Series(["a", b"caf\xc3\xa9 \xff!".decode(errors="surrogateescape"), "c"], dtype=object),
    "binary": lambda: pa.array([b"a", b"caf\xc3\xa9 \xff!", b"c"]),
    "string": lambda: pa.array([b"a", b"caf\xc3\xa9 \xff!", b"c"]).view(pa.string()),
    "view": lambda: pa.array([b"a", b"caf\xc3\xa9 \xff!", b"c"], pa.binary_view()),
    "stream": lambda: io.BytesIO(b"a\ncaf\xc3\xa9 \xff!\nc\n"),
}


@pytest.mark.parametrize("kind", INVALID)
def test_invalid_utf8_is_named_skipped_or_replaced(kind: str) -> None:
    message = error_of(INVALID[kind]())
    assert re.match(r"document 1( of the stream)? is not valid UTF-8 at byte 6\. Convert it \(iconv", message)
    assert 'on_error="skip" or on_error="replace"' in message
    skipped, replaced = read(INVALID[kind](), on_error="skip"), read(INVALID[kind](), on_error="replace")
    assert (skipped.texts, skipped.invalid) == (["a", "", "c"], 1)
    assert (replaced.texts, replaced.invalid) == (["a", "café \ufffd!", "c"], 1)


def write_bytes(path: Path, cell: bytes) -> Path:
    """The documents a, cell, c in the format of the path, with no check of what is in the cell."""
    if path.suffix == ".csv":
        path.write_bytes(b"id,text\n1,a\n2,%s\n3,c\n" % cell)
    elif path.suffix == ".jsonl":
        path.write_bytes(b'{"id": 1, "text": "a"}\n{"id": 2, "text": "%s"}\n{"id": 3, "text": "c"}\n' % cell)
    elif path.suffix == ".parquet":
        pq.write_table(pa.table({"id": [1, 2, 3], "text": pa.array([b"a", cell, b"c"]).view(pa.string())}), path)
    else:
        path.mkdir()
        for name, content in (("1", b"a"), ("2", cell), ("3", b"c")):
            (path / f"{name}.txt").write_bytes(content)
    return path


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet", "folder"])
def test_invalid_utf8_in_files(name: str, tmp_path: Path) -> None:
    path = write_bytes(tmp_path / name, b"caf\xc3\xa9 \xff!")
    message = error_of(path)
    assert message.startswith("document 1 ")
    assert "not valid UTF-8 at byte 6" in message
    assert name in message
    assert ("(2.txt)" in message) == (name == "folder")
    assert read(path, on_error="skip").texts == ["a", "", "c"]
    assert read(path, on_error="replace").texts == ["a", "café \ufffd!", "c"]
    assert read(path, on_error="skip").invalid == 1


def test_lone_surrogates() -> None:
    assert error_of(["aé\ud800"]).startswith("document 0 is not valid UTF-8 at byte 3.")
    assert read(["a\ud800b"], on_error="skip").texts == [""]
    assert read(["a\ud800b"], on_error="replace").texts[0].strip("ab") in ("\ufffd", "\ufffd" * 3)


def test_a_bad_document_late_in_the_corpus_is_named_by_its_row(tmp_path: Path) -> None:
    texts: list[Any] = ["x" * 50] * 5000
    texts[4321] = b"\xff"
    assert error_of(texts, batch_bytes=1000).startswith("document 4321 is not valid UTF-8 at byte 0")
    assert read(texts, on_error="skip", batch_bytes=1000).invalid == 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"missing": "drop"}, "missing is 'drop'; expected one of 'error', 'empty'."),
        ({"on_error": "ignore"}, "on_error is 'ignore'; expected one of 'stop', 'skip', 'replace'."),
        ({"batch_bytes": 0}, "batch_bytes is 0; expected a positive number of bytes."),
        ({"keep": ["id"]}, "there is no column 'id' to keep; the columns are none."),
    ],
)
def test_wrong_options_are_reported_at_the_call(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(expected)):
        batches(["a"], **options)


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ("reviews.csv", "If it is a text, put it in a list; if it names a file, wrap it in pathlib.Path."),
        (b"text", "the documents are of type bytes (b'text'); expected a list"),
        ({"text": ["a"]}, "the documents are of type dict ({'text': ['a']}); expected a list"),
        (17, "the documents are of type int (17); expected a list, column, frame or iterator of texts"),
        (None, "the documents are of type NoneType (None)"),
        (np.array([["a"]]), "choose one column of an array"),
        (pl.LazyFrame({"text": ["a"]}), "Collect a lazy frame first"),
    ],
)
def test_what_are_no_documents(documents: object, expected: str) -> None:
    assert expected in error_of(documents)


# -- columns


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


def test_no_column_to_choose() -> None:
    with pytest.raises(DocumentError, match="no column is clearly the texts: the columns are 'a', 'b'; expected "):
        choose_column(["a", "b"], {"a": ["short"], "b": [1]})
    with pytest.raises(DocumentError, match="there is no column 'txt'; the columns are 'id', 'text'"):
        choose_column(["id", "text"], {}, "txt")


def frame_and_files(folder: Path, table: pa.Table) -> Iterator[object]:
    yield from (table, table.to_pandas(), pl.from_arrow(table))
    pq.write_table(table, folder / "g.parquet")
    table.to_pandas().to_csv(folder / "g.csv", index=False)
    table.to_pandas().to_json(folder / "g.jsonl", orient="records", lines=True)
    yield from (folder / "g.parquet", folder / "g.csv", folder / "g.jsonl")


def test_a_guess_is_said(tmp_path: Path) -> None:
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
        with pytest.raises(DocumentError, match="there is no column 'id' to keep; the columns are 'n', 'text'"):
            batches(documents, keep=["id"])


def test_kept_columns_go_with_their_rows(tmp_path: Path) -> None:
    table = pa.table({"n": range(9), "text": [f"text {n}" for n in range(9)], "half": [n / 2 for n in range(9)]})
    for documents in frame_and_files(tmp_path, table):
        found = read(documents, keep=("half", "n", "text"), batch_bytes=20)
        assert list(found.columns) == ["half", "n", "text"]
        assert [float(value) for value in found.columns["half"]] == table["half"].to_pylist()
        assert [int(value) for value in found.columns["n"]] == list(range(9))
        assert found.columns["text"] == found.texts
    assert read(table, keep="n").columns == {"n": list(range(9))}


def test_kept_column_names_mixed_types() -> None:
    frame = pd.DataFrame({"text": ["a", "b"], "n": pd.Series([1, "x"], dtype=object)})
    assert error_of(frame, keep=["n"]).startswith("a column to keep has mixed types: ")
    assert error_of(frame, keep=["n"]).endswith("Give each column one type.")


def test_what_an_iterator_raises_is_the_callers() -> None:
    def broken() -> Iterator[str]:
        yield "a"
        raise FileNotFoundError("mine")

    with pytest.raises(FileNotFoundError, match="mine"):
        read(broken())


def test_doubled_columns(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("text,n,n\na,1,2\n")
    assert read(tmp_path / "x.csv").texts == ["a"]
    assert error_of(tmp_path / "x.csv", keep=["n"]) == "2 columns are called 'n'; rename all but one."


# -- files


def test_a_missing_file_suggests_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "reviews.csv").write_text("text\na\n")
    message = error_of(tmp_path / "review.csv")
    assert message.startswith(
        f"there is no file or folder {str(tmp_path / 'review.csv')!r}. Did you mean 'reviews.csv'?"
    )
    assert error_of(tmp_path / "no" / "x.csv").endswith(f"Look into the folder {str(tmp_path / 'no')!r}.")


def test_unknown_formats(tmp_path: Path) -> None:
    for name in ("x.doc", "x.json", "x", "x.gz"):
        (tmp_path / name).write_text('{"text": "a"}\n')
    assert "has the extension '.doc'; expected one of .csv, .tsv, .tab, .jsonl, " in error_of(tmp_path / "x.doc")
    assert "(.gz, .zst, .bz2)" in error_of(tmp_path / "x.doc")
    assert error_of(tmp_path / "x.json").endswith("Write one JSON object per line (.jsonl).")
    assert error_of(tmp_path / "x.gz").endswith("Rename it, or give format=...")
    assert read(tmp_path / "x", format="jsonl").texts == ["a"]
    expected = "format is 'xls'; expected one of 'csv', 'tsv', 'jsonl', 'parquet', 'txt', 'folder'."
    assert error_of(tmp_path / "x", format="xls") == expected


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".bz2"])
@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.txt"])
def test_compressed_files(name: str, suffix: str, tmp_path: Path) -> None:
    texts = ["a", "b é", "c"]
    FILES.get(name, lambda path, texts: path.write_text("\n".join(texts)))(tmp_path / name, texts)
    plain = (tmp_path / name).read_bytes()
    with pa.output_stream(str(tmp_path / (name + suffix)), compression="detect") as file:
        file.write(plain)
    assert read(tmp_path / (name + suffix)).texts == texts
    if name != "x.txt":
        assert column_names(tmp_path / (name + suffix)) == ["id", "text"]


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.jsonl"])
def test_a_truncated_archive_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.gz"
    rows = [f'{{"text": "{n}"}}' if name == "x.jsonl" else f"{n * n}" for n in range(10_000)]
    path.write_bytes(gzip.compress("\n".join(rows).encode())[:-2000])
    message = error_of(path)
    assert message.startswith(f"{path} cannot be read: Truncated compressed stream. Expected a complete, readable file")


@pytest.mark.parametrize("content", [b"", b"PAR1 not really PAR1", b"text\na\n"])
def test_a_corrupt_parquet_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(content)
    assert error_of(tmp_path / "x.parquet").startswith(f"{tmp_path / 'x.parquet'} cannot be read: ")


def test_a_truncated_parquet_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_parquet(path, TEXTS)
    path.write_bytes(path.read_bytes()[:-20])
    assert error_of(path).startswith(f"{path} cannot be read: ")
    with pytest.raises(DocumentError, match=re.escape(str(path))):
        column_names(path)


def test_types_of_parquet_columns(tmp_path: Path) -> None:
    texts = pa.array(TEXTS * 3)
    table = pa.table({"a.b": texts, "large": texts.cast(pa.large_string()), "words": texts.dictionary_encode()})
    pq.write_table(table, tmp_path / "x.parquet")
    for name in table.column_names:
        assert read(tmp_path / "x.parquet", text=name, batch_bytes=30).texts == TEXTS * 3
    assert next(batches(tmp_path / "x.parquet", text="large")).texts.type == pa.large_string()


def test_lines_of_text(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"\xef\xbb\xbfone\r\n\r\ntwo\rstill two\n\nlast")
    assert read(tmp_path / "x.txt", batch_bytes=3).texts == ["one", "", "two\rstill two", "", "last"]
    assert column_names(tmp_path / "x.txt") == []


def test_a_folder_of_texts(tmp_path: Path) -> None:
    (tmp_path / "neg").mkdir()
    for name, text in {"b.txt": "b\nb\n", "neg/1.TXT": "neg", "a.txt": "\ufeffa", "other.md": "no"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    found = read(tmp_path, keep=["path"], batch_bytes=2)
    assert found.texts == ["a", "b\nb\n", "neg"]
    assert found.columns == {"path": ["a.txt", "b.txt", "neg/1.TXT"]}
    assert {batch.bytes_total for batch in batches(tmp_path)} == {4 + 4 + 3}
    (tmp_path / "empty").mkdir()
    expected = (
        f"the folder {tmp_path / 'empty'} holds no file that can be read; expected .txt files, each a document, or"
    )
    assert error_of(tmp_path / "empty").startswith(expected)


# -- CSV


def test_csv_with_byte_order_mark_and_empty_cells(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(b'\xef\xbb\xbf"text",n\r\nNULL,1\r\n,2\r\n\r\n"",3\r\nNaN,\r\n')
    found = read(tmp_path / "x.csv", keep=["n"])
    assert (found.texts, found.missing) == (["NULL", "", "", "NaN"], 0)
    assert found.columns == {"n": ["1", "2", "3", ""]}


RAGGED = b"id,text\n1,a\n2,b,c\n\n3,d\n4\n5,e \xff,f\n6,\xfe\n7,g\n8,h,i\n"


def test_rows_with_too_many_or_too_few_cells(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(RAGGED)
    message = error_of(path)
    assert message.startswith(f"row 3 of {path} (the header is row 1; blank lines do not count) has 3 cells, '2,b,c'; ")
    assert 'expected 2. Correct it (is a quote or a delimiter missing?), or give on_error="skip".' in message
    for documents, options in ((path, {}), (io.BytesIO(RAGGED), {"format": "csv"})):
        found = read(documents, on_error="skip", keep=["id"], **options)
        assert found.texts == ["a", "d", "", "g"]
        assert found.columns == {"id": ["1", "3", "6", "7"]}
        assert found.invalid == 5
    assert read(path, on_error="replace").texts == ["a", "d", "\ufffd", "g"]


def test_bad_rows_and_lines_are_numbered_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_reader, "READ_BYTES", 20)
    monkeypatch.setattr(jsonl_reader, "READ_BYTES", 20)
    (tmp_path / "x.csv").write_text("id,text\n" + '1,"a\nb"\n' * 40 + "2,b,c\n")
    assert error_of(tmp_path / "x.csv").startswith("row 42 of ")
    (tmp_path / "x.jsonl").write_text('{"text": "a"}\n\n' * 40 + "no\n")
    assert error_of(tmp_path / "x.jsonl").startswith("line 81 of ")


def test_ragged_rows_among_many_are_counted_once(tmp_path: Path) -> None:
    rows = [f"{n},text {n}\n" if n % 50_000 != 7 else f"{n}\n" for n in range(200_000)]
    rows[150_000] = '150000,"' + "giant\n" * 400_000 + '"\n'
    (tmp_path / "x.csv").write_text("id,text\n" + "".join(rows), newline="")
    found = read(tmp_path / "x.csv", on_error="skip", keep=["id"], batch_bytes=1 << 18)
    assert found.invalid == 4
    assert found.columns["id"] == [str(n) for n in range(200_000) if n % 50_000 != 7]
    assert [n for n, text in zip(found.columns["id"], found.texts, strict=True) if text != f"text {n}"] == ["150000"]


def test_a_quote_left_open_loses_nothing_silently(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b'id,text\n1,a\n2,"b\n3,c\n4,d\n')
    message = error_of(path)
    assert message.startswith(f"the last row of {path} has a quote that is never closed")
    with pytest.warns(DocumentWarning, match="never closed"):
        assert len(read(path, on_error="skip").texts) == 2
    path.write_bytes(b'id,text\n1,a\n2,"b\n3,c\n4,d\n"  \n\n')
    assert len(read(path).texts) == 2


def test_kept_cells_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"name,text\nb,a\nJos\xe9,b\n")
    assert error_of(path, keep=["name"]).startswith(
        f"document 1 of {path}, column 'name', is not valid UTF-8 at byte 3"
    )
    assert read(path, keep=["name"], on_error="skip").columns == {"name": ["b", "Jos\ufffd"]}
    assert read(path).texts == ["a", "b"]


def test_a_row_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_reader, "MAX_ROW_BYTES", 1 << 20)
    stream = io.BytesIO(b'text,n\n"' + b"x" * (3 << 20) + b'",1\n')
    message = error_of(stream, format="csv", batch_bytes=1 << 20)
    assert message == "the stream has a row of over 0 GiB, more than can be read. Is a quote left open?"


@settings(max_examples=300)
@given(st.text('ab,"\n\r é', max_size=60), st.integers(1, 20))
def test_rows_are_cut_as_arrow_would(content: str, read_bytes: int) -> None:
    """Anything that looks like CSV, cut into small chunks, gives what Arrow reads from the whole."""
    raw = b"n,text\n" + content.encode() + b'\n,""\n'
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        whole = read(io.BytesIO(raw), format="csv", on_error="skip", keep=["n"])
        patch.setattr(csv_reader, "READ_BYTES", read_bytes)
        patch.setattr(jsonl_reader, "READ_BYTES", read_bytes)
        parts = read(io.BytesIO(raw), format="csv", on_error="skip", keep=["n"], batch_bytes=1)
    assert len(said) in (0, 2)
    assert (parts.texts, parts.columns, parts.invalid) == (whole.texts, whole.columns, whole.invalid)


def test_a_program_may_end_in_the_midst_of_a_csv(tmp_path: Path) -> None:
    write_csv(tmp_path / "x.csv", ["text " * 100] * 20_000)
    code = "from pathlib import Path; from problex.corpus import batches; "
    code += f"stream = batches(Path({str(tmp_path / 'x.csv')!r}), batch_bytes=9); next(stream)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# -- JSONL


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"text": "b"', "is b'{\"text\": \"b\"' (Expecting ',' delimiter"),
        (b"17", 'is b\'17\' (of type int); expected a JSON object such as {"text": "..."}.'),
        (b"[" * 100_000, "is b'[[[[["),
        (b'{"body": "b", "n": 1}', "has no field 'text'; its fields are 'body', 'n'."),
    ],
)
def test_bad_lines_of_jsonl(line: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text": "a", "n": 1}\r\n\r\n' + line + b'\n{"text": "c"}')
    message = error_of(path, text="text")
    assert message.startswith(f"line 3 of {path} {expected}")
    assert message.endswith('Correct it, or give on_error="skip".')
    for on_error in ("skip", "replace"):
        found = read(path, text="text", on_error=on_error, keep=["n"], batch_bytes=1)
        assert (found.texts, found.invalid) == (["a", "", "c"], 1)
        assert found.columns["n"][::2] == [1, None]


def test_null_in_jsonl_is_missing(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"text": "a"}\n{"text": null}\n{"text": NaN}\n')
    assert read(tmp_path / "x.jsonl", missing="empty").missing == 2
    assert error_of(tmp_path / "x.jsonl").startswith(f"document 1 of {tmp_path / 'x.jsonl'} is missing")


def test_kept_fields_of_jsonl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.jsonl"
    mixed = [1, "é", None, {"a": [1, "é"]}, 2**80, True, "\udc80"]
    path.write_text("".join(json.dumps({"text": "t", "mixed": value, "n": n}) + "\n" for n, value in enumerate(mixed)))
    assert error_of(path, keep=["mixed"]).startswith(f"line 7 of {path} has 'mixed': '\\udc80'; expected string")
    found = read(path, keep=["mixed", "n"], on_error="skip")
    assert found.columns["mixed"] == ["1", "é", None, '{"a": [1, "é"]}', str(2**80), "true", "\ufffd"]
    assert found.columns["n"] == list(range(7))
    path.write_text('{"text": "a", "n": 1}\n{"text": "b", "n": "x"}\n')
    assert read(path, keep=["n"]).columns == {"n": ["1", "x"]}
    monkeypatch.setattr(csv_reader, "READ_BYTES", 1)
    monkeypatch.setattr(jsonl_reader, "READ_BYTES", 1)
    message = error_of(path, keep=["n"], batch_bytes=1)
    assert message.startswith(f"line 2 of {path} has 'n': 'x'; expected int64, as before, in UTF-8")
    assert read(path, keep=["n"], batch_bytes=1, on_error="skip").columns == {"n": [1, None]}


# -- streams


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


def test_formats_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        FORMATS["xls"] = FORMATS["csv"]  # type: ignore[index]


# -- markup


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("good<br />film<br>", "good film "),
        ('<p class="a">x</p>', " x "),
        ('<a href="u" title="1 > 0">link</a>', " link "),
        ("<a href='u'\n>link</a>", " link "),
        ('<a href="u>x</a> and "quotes"', ' x  and "quotes"'),
        ('<a href="u>x</a> and <b title="v">y</b>', " x  and  y "),
        ("a <!-- <b> no > --> b", "a   b"),
        ("a < b and c > d", "a < b and c > d"),
        ("a <3 b, 1<2, c>d, <- ->", "a <3 b, 1<2, c>d, <- ->"),
        ("cut <br", "cut <br"),
        ("Q&amp;A &lt;b&gt; &quot;x&quot; it&#39;s&nbsp;so", 'Q&A <b> "x" it\'s\u00a0so'),
        ("&amp;lt; &amp;amp;", "&lt; &amp;"),
        ("R&D & co", "R&D & co"),
        ("", ""),
    ],
)
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_markup(text: str, expected: str, kind: pa.DataType) -> None:
    stripped = strip_markup(pa.array(["plain", text, "x"], kind)[1:])
    assert stripped.to_pylist() == [expected, "x"]
    assert stripped.type == kind


def test_without_markup_nothing_is_copied() -> None:
    texts = pa.array(["plain", "text"])
    assert strip_markup(texts) is texts
