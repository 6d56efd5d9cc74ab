"""Parquet files."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches, column_names
from problex.errors import DocumentError
from tests.corpus.reading import TEXTS, error_of, read, write_parquet


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
