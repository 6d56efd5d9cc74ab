"""Texts are checked and divided into batches; what is missing or invalid is named or counted."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import Batch, ReadOptions, batches, make_batches
from problex.errors import DocumentError
from problex.tables.reader import RawBatch
from tests.tables.reading import error_of, read, write_parquet


def test_a_text_of_30_megabytes() -> None:
    giant = "giant " * 5_000_000
    result = read(["a", giant, "b"], batch_bytes=1000)
    assert result.sizes == [1, 1, 1]
    assert result.texts[1] == giant


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
    result = read(documents, missing="empty")
    assert (result.texts, result.missing) == (["a", "b", ""], 1)
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
    assert re.match(
        r"document 1( of the stream)? is not valid UTF-8 at byte 6\. (Convert it \(iconv|Correct it, or)", message
    )
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
        ({"missing": "drop"}, "missing='drop' was given; expected one of 'error', 'empty'."),
        ({"on_error": "ignore"}, "on_error='ignore' was given; expected one of 'stop', 'skip', 'replace'."),
        ({"batch_bytes": 0}, "batch_bytes is 0; expected a positive number of bytes."),
        ({"keep": ["id"]}, "there is no column 'id'; the columns are none. Name one of these."),
    ],
)
def test_wrong_options_are_reported_at_the_call(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(expected)):
        batches(["a"], **options)


@pytest.mark.parametrize(
    ("documents", "batch_bytes", "expected"),
    [
        (["abc", "de", "f", "ghijk", "l"], 5, [["abc", "de"], ["f"], ["ghijk"], ["l"]]),
        (["abc", "de", "f", "ghijk", "l"], 6, [["abc", "de", "f"], ["ghijk", "l"]]),
        (["abcdef", "g"], 5, [["abcdef"], ["g"]]),
        (["", "", "ab", ""], 2, [["", "", "ab", ""]]),
        (["é", "é", "é"], 4, [["é", "é", "é"]]),
        (pa.array(["é", "é", "é"]), 4, [["é", "é"], ["é"]]),
        (pa.array(["abc", "de", "f"]), 5, [["abc", "de"], ["f"]]),
        (iter(["abc", "de", "f"]), 5, [["abc", "de"], ["f"]]),
        (iter(["ab", "cd", "e"] * 2), 5, [["ab", "cd", "e"]] * 2),
        (pa.array([None, "a", None, "b"]), 1, [["", "a", ""], ["b"]]),
    ],
)
def test_a_batch_ends_before_the_text_that_would_exceed_the_limit(
    documents: Any, batch_bytes: int, expected: list[list[str]]
) -> None:
    assert [
        batch.texts.to_pylist() for batch in batches(documents, batch_bytes=batch_bytes, missing="empty")
    ] == expected


def test_a_batch_has_at_most_65536_documents() -> None:
    texts = [""] * (2 * 65536 + 1)
    for documents in (texts, tuple(texts), iter(texts), pa.array(texts), pd.Series(texts)):
        assert read(documents).sizes == [65536, 65536, 1]


def test_missing_and_invalid_documents_are_counted_in_their_batch() -> None:
    documents = ["ab", None, b"\xff", "cd", None, b"e\xfe"]
    expected = [(["ab", "", ""], 1, 1), (["cd", ""], 1, 0), ([""], 0, 1)]
    stream = batches(documents, batch_bytes=3, missing="empty", on_error="skip")
    assert [(batch.texts.to_pylist(), batch.missing, batch.invalid) for batch in stream] == expected
    stream = batches(documents, batch_bytes=3, missing="empty", on_error="replace")
    assert [batch.texts.to_pylist() for batch in stream] == [["ab", "", "\ufffd"], ["cd", ""], ["e\ufffd"]]


def test_rows_left_out_are_counted_once_in_the_first_batch_or_in_an_empty_one() -> None:
    options = ReadOptions(batch_bytes=1)
    parts = [RawBatch(["a", "b"], invalid=2), RawBatch([], invalid=1), RawBatch([]), RawBatch(["c"])]
    result = [(batch.texts.to_pylist(), batch.first_row, batch.invalid) for batch in make_batches(parts, options)]
    assert result == [(["a"], 0, 2), (["b"], 1, 0), ([], 2, 1), (["c"], 2, 0)]


def test_only_the_last_batch_of_a_raw_batch_has_its_position() -> None:
    parts = [RawBatch(["a", "b"], position=(7,)), RawBatch(["c"], position=(9, 1)), RawBatch(["d"])]
    result = [batch.position for batch in make_batches(parts, ReadOptions(batch_bytes=1), row=10)]
    assert result == [(), (12, 7), (13, 9, 1), ()]


def test_a_batch_has_8_mebibytes_by_default() -> None:
    texts = ["x" * (4 << 20), "x" * (4 << 20), "x"]
    assert [len(batch.texts) for batch in batches(texts)] == [2, 1]
    assert [len(batch.texts) for batch in make_batches([RawBatch(texts)], ReadOptions())] == [2, 1]


def test_what_is_in_memory_has_no_bytes_on_disk() -> None:
    for documents in (["a"], pa.array(["a"]), pd.Series(["a"]), io.BytesIO(b"a")):
        assert [(batch.bytes_read, batch.bytes_total) for batch in batches(documents)] == [(0, 0)]


def test_what_is_not_given_of_a_batch_is_zero() -> None:
    batch = Batch(pa.array(["a"]), 0)
    assert (batch.missing, batch.invalid, batch.bytes_read, batch.bytes_total) == (0, 0, 0, 0)
    raw = RawBatch(["a"], file="x.csv")
    assert (raw.invalid, raw.bytes_read) == (0, 0)
    assert raw.label("other", row=5, start=0, at=0) == "document 0 of x.csv"


@pytest.mark.parametrize(("memory", "expected"), [(4000, 1000), (4 << 30, 1 << 30), (1 << 40, 1 << 30)])
def test_a_row_may_take_a_quarter_of_the_memory_up_to_a_gibibyte(memory: int, expected: int) -> None:
    assert ReadOptions(memory=memory).max_row_bytes == expected
