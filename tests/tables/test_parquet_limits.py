"""Values of Parquet that take much more memory than bytes in the file: a value may take a quarter of the memory."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.errors import DocumentWarning
from tests.tables.reading import error_of, read

LIMIT = 10_000
MEMORY = 4 * LIMIT


def write(path: Path, values: list[str], **options: Any) -> Path:
    defaults = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    pq.write_table(pa.table({"text": values}), path, **defaults | options)
    return path


@pytest.mark.parametrize(
    ("length", "times", "compression", "rows"),
    [
        (1000, 500, "none", 10),  # few bytes per value in the file
        (5000, 20, "zstd", 2),  # many bytes, but well compressed
        (LIMIT, 500, "none", 1),
    ],
)
def test_long_values_that_repeat_are_read_in_small_batches(
    length: int, times: int, compression: str, rows: int, tmp_path: Path
) -> None:
    path = write(
        tmp_path / "x.parquet", ["a" * length, "b"] * (times // 2), use_dictionary=True, compression=compression
    )
    assert read(path, memory=MEMORY).sizes == [rows] * (times // rows)


def test_a_value_that_repeats_and_is_larger_than_the_limit_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", ["a" * (LIMIT + 1), "b"] * 250, use_dictionary=True)
    assert error_of(path, memory=MEMORY).startswith(f"{path} has a value in column 'text' of over 10000; expected at")


@pytest.mark.parametrize(
    ("values", "compression", "fits"),
    [
        (["a" * 15_000], "none", False),  # one value, larger than the limit
        (["a" * 5000] * 3, "none", True),  # values that are not, though they are together
        (["a" * 400] * 21, "zstd", True),  # compressed a hundredfold, but small
        (["a" * 1000] * 21, "zstd", False),  # compressed a hundredfold: one of them may be too large
    ],
)
def test_values_by_their_size_and_compression(values: list[str], compression: str, fits: bool, tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", values, compression=compression)
    if fits:
        assert read(path, memory=MEMORY).texts == values
    else:
        assert "has a value in column 'text' of over 10000" in error_of(path, memory=MEMORY)


@pytest.mark.parametrize(("rows", "fits"), [(9_999, False), (10_000, True)])
def test_many_rows_may_be_compressed_more(rows: int, fits: bool, tmp_path: Path) -> None:
    draws = random.Random(0)
    path = write(tmp_path / "x.parquet", ["a" * 56 + draws.choice("bcdefghi") for _ in range(rows)], compression="zstd")
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(0)
    assert 30 < chunk.total_uncompressed_size / chunk.total_compressed_size < 100
    if fits:
        assert len(read(path, memory=MEMORY).texts) == rows
    else:
        assert "has a value in column 'text' of over 10000" in error_of(path, memory=MEMORY)


def test_metadata_may_take_an_eighth_of_the_memory(tmp_path: Path) -> None:
    path = write(tmp_path / "x.parquet", ["a", "b"])
    size = int.from_bytes(path.read_bytes()[-8:-4], "little")
    assert read(path, memory=8 * size).texts == ["a", "b"]
    message = error_of(path, memory=8 * size - 8)
    assert message.startswith(f"{path} has {size:,} bytes of metadata; expected at most an eighth of memory=")


def test_a_column_of_a_dictionary_is_guessed_too(tmp_path: Path) -> None:
    short, long = (pa.array([value, value]).dictionary_encode() for value in ("x", "long text " * 5))
    pq.write_table(pa.table({"n": [1, 2], "a": short, "b": long}), tmp_path / "x.parquet")
    with pytest.warns(DocumentWarning, match="'b'"):
        assert read(tmp_path / "x.parquet").texts == ["long text " * 5] * 2
