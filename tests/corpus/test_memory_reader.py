"""Every kind of collection in memory gives the same texts."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.corpus import batches
from tests.tables.reading import TEXTS, Maker, error_of, read

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


@pytest.mark.parametrize("kind", MEMORY)
@pytest.mark.parametrize("batch_bytes", [1, 12, 1 << 20])
def test_every_kind_in_memory_gives_the_same_texts(kind: str, batch_bytes: int) -> None:
    assert read(MEMORY[kind](TEXTS), batch_bytes=batch_bytes).texts == TEXTS


@given(st.lists(st.text()), st.integers(1, 40))
def test_any_texts_come_back_from_memory(texts: list[str], batch_bytes: int) -> None:
    for kind, make in MEMORY.items():
        assert read(make(texts), batch_bytes=batch_bytes).texts == texts, kind


def test_a_category_of_pandas_keeps_texts_of_nul_characters() -> None:
    """Before pandas 3, `astype("category")` takes them for empty texts; a category that has both is read as it is."""
    series = pd.Series(pd.Categorical.from_codes([1, 0, 2, 1], categories=pd.Index(["", "\0", "a"])))
    assert read(series).texts == ["\0", "", "a", "\0"]


def test_numpy_str_arrays() -> None:
    assert read(np.array(["a", "bcd"])).texts == ["a", "bcd"]
    assert read(np.array([b"a", b"bcd"])).texts == ["a", "bcd"]


@pytest.mark.parametrize("documents", [[], iter([]), np.array([], object), pd.Series([], dtype=object), pa.array([])])
def test_nothing_gives_no_batch(documents: object) -> None:
    assert list(batches(documents)) == []


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


@pytest.mark.parametrize(
    ("documents", "expected"),
    [
        ("reviews.csv", "If it is a text, put it in a list; if it names a file, wrap it in pathlib.Path."),
        (b"text", "the documents are of type bytes (b'text'); expected a list"),
        ({"text": ["a"]}, "the documents are of type dict ({'text': ['a']}); expected a list"),
        (17, "the documents are of type int (17); expected a list, column, frame or iterator of texts"),
        (None, "the documents are of type NoneType (None)"),
        (np.array([["a"]]), "choose one column of an array"),
    ],
)
def test_what_are_no_documents(documents: object, expected: str) -> None:
    assert expected in error_of(documents)


def test_kept_columns_of_mixed_types() -> None:
    frame = pd.DataFrame({"text": ["a", "b"], "n": pd.Series([1, "x"], dtype=object)})
    assert error_of(frame, keep=["n"]).startswith("a column to keep has mixed types: ")
    assert error_of(frame, keep=["n"]).endswith("Give each column one type.")


def test_what_an_iterator_raises_is_the_callers() -> None:
    def broken() -> Iterator[str]:
        yield "a"
        raise FileNotFoundError("mine")

    with pytest.raises(FileNotFoundError, match="mine"):
        read(broken())


def test_a_lazy_frame_and_a_relation_are_read_in_parts() -> None:
    lazy = pl.LazyFrame({"id": [1, 2], "text": ["a", "b"]})
    assert read(lazy, keep=["id"]).columns == {"id": [1, 2]}
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select i as id, 'text ' || i as \"my text\" from range(20000) t(i)")
    result = read(relation, keep=["id"], text="my text")
    assert result.texts == [f"text {number}" for number in range(20000)]
    assert result.columns == {"id": list(range(20000))}
    assert len(result.sizes) > 1
