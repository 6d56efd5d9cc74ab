"""Parquet files."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches, column_names
from problex.errors import DocumentError
from tests.tables.reading import TEXTS, error_of, read, write_parquet


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


def test_damaged_data_are_named_when_the_column_is_guessed(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": ["x"] * 99, "b": [f"{n} y" for n in range(99)]}), path, compression="zstd")
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * 300 + content[304:])
    assert error_of(path).startswith(f"{path} cannot be read: ")


def test_small_row_groups_are_read_together(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"text": ["a", "b", "c", "d"]}), path, row_group_size=1)
    metadata = pq.ParquetFile(path).metadata
    size = sum(metadata.row_group(group).column(0).total_uncompressed_size for group in range(4))
    stream = list(batches(path, batch_bytes=-(-size // 2)))  # half of the rows in a batch
    assert [batch.position[3:] for batch in stream] == [(0, 1, 2), (1, 1, 4)]
    stream = list(batches(path, batch_bytes=1))
    assert [batch.bytes_read for batch in stream] == [path.stat().st_size * rows // 4 for rows in (1, 2, 3, 4)]


def test_the_text_may_be_any_of_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    table = pa.table({"deep": [{"a": 1, "b": "x"}] * 3, "text": ["a", "b", "c"], "last": [1, 2, 3]})
    pq.write_table(table, path)
    assert [batch.position[3:] for batch in batches(path, batch_bytes=1)] == [(0, 1, 1), (0, 2, 2), (0, 3, 3)]
    assert read(path, keep=["deep", "last"]).columns == {"deep": [{"a": 1, "b": "x"}] * 3, "last": [1, 2, 3]}
