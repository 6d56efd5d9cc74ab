from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from problex.corpus import Batch, batches
from problex.corpus.documents import documents_at
from problex.errors import DocumentError

TEXTS = [f"text {number}" for number in range(10)]


@pytest.mark.parametrize("batch_bytes", [1, 14, 1 << 20])
def test_documents_by_their_row_numbers(batch_bytes: int) -> None:
    table = pa.table({"id": list("abcdefghij"), "text": TEXTS})
    stream = batches(table, keep=["id"], batch_bytes=batch_bytes)
    expected = {row: {"id": "abcdefghij"[row], "text": f"text {row}"} for row in (0, 3, 9)}
    assert documents_at(stream, [9, 0, 3, 3]) == expected


def test_reading_stops_after_the_last_row() -> None:
    def stream() -> Iterator[Batch]:
        yield from batches(TEXTS[:3], batch_bytes=1)
        raise AssertionError("read too far")

    assert documents_at(stream(), [1, 2]) == {1: {"text": "text 1"}, 2: {"text": "text 2"}}
    assert documents_at(stream(), []) == {}


def test_markup_is_stripped() -> None:
    assert documents_at(batches(["a<br>b"]), [0], markup=True) == {0: {"text": "a b"}}
    assert documents_at(batches(["a<br>b"]), [0]) == {0: {"text": "a<br>b"}}


@pytest.mark.parametrize("row", [10, -1])
def test_a_row_that_does_not_exist_is_named(row: int, tmp_path: Path) -> None:
    expected = f"row {row} was requested, but x.csv has 10 documents: expected 0 to 9"
    with pytest.raises(DocumentError, match=expected):
        documents_at(batches(TEXTS), [0, row], source="x.csv")


def test_a_row_of_an_empty_source_is_named() -> None:
    with pytest.raises(DocumentError, match="row 0 was requested, but the source has 0 documents: expected 0 to 0"):
        documents_at(batches([]), [0])
