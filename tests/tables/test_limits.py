"""Small files that would take much memory or time: refused, or read within bounds."""

from __future__ import annotations

import bz2
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches, column_names
from tests.tables.reading import error_of, read

MEMORY = 256 << 20
BOMB_BYTES = 120 << 20
COLUMNS = 100_000

READ = """
import resource, sys
from pathlib import Path
from problex.corpus import batches
from problex.errors import DocumentError

def peak():
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) << 10

before = peak()
try:
    stream = batches(Path(sys.argv[1]), text=sys.argv[3] or None, memory=int(sys.argv[2]))
    print(f"read {sum(len(batch.texts) for batch in stream)}", peak() - before, sep="|")
except DocumentError as error:
    print(error, peak() - before, sep="|")
"""


def read_in_child(path: Path, text: str = "", memory: int = MEMORY) -> tuple[str, int]:
    """What is said about a file, and the memory that reading it takes, in a process of its own."""
    command = [sys.executable, "-c", READ, str(path), str(memory), text]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    message, _, peak = result.stdout.strip().rpartition("|")
    return message, int(peak)


def blocks(first: bytes, block: bytes) -> Iterator[bytes]:
    yield first
    for _ in range(BOMB_BYTES >> 20):
        yield block


def write_gzip(path: Path, first: bytes, block: bytes) -> None:
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.writelines(blocks(first, block))


def write_zstd(path: Path, first: bytes, block: bytes) -> None:
    with pa.CompressedOutputStream(str(path), "zstd") as file:
        for part in blocks(first, block):
            file.write(part)


def write_bz2(path: Path, first: bytes, block: bytes) -> None:
    with bz2.open(path, "wb", compresslevel=1) as file:
        file.writelines(blocks(first, block))


LINE, ROW = b"a" * (1 << 20), b"a\n" * (1 << 19)
LETTERS = np.frombuffer(b"abcdefg ", np.uint8)
MOST = 100 * 10**6  # bytes of memory that a bomb may take
BOMBS: dict[str, tuple[Callable[[Path, bytes, bytes], None], bytes, bytes, str]] = {
    "x.txt.gz": (write_gzip, b"", LINE, "line"),
    "x.csv.gz": (write_gzip, b"text\n", LINE, "row"),
    "open.csv.gz": (write_gzip, b'text\n"', ROW, "row"),
    "x.jsonl.zst": (write_zstd, b'{"text": "', LINE, "line"),
    "x.csv.zst": (write_zstd, b"", LINE, "row"),
    "x.txt.bz2": (write_bz2, b"", LINE, "line"),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of the memory is read from /proc")
@pytest.mark.parametrize("name", BOMBS)
def test_a_compressed_row_that_is_a_bomb_takes_little_memory(name: str, tmp_path: Path) -> None:
    write, first, block, what = BOMBS[name]
    write(tmp_path / name, first, block)
    message, peak = read_in_child(tmp_path / name, memory=1 << 30)
    assert message.startswith(f"{tmp_path / name} is refused: a {what} of it unpacks to over a hundred times its size")
    assert message.endswith("unpack it and read the unpacked file.")
    assert peak < MOST


@pytest.mark.parametrize("name", ["x.txt.gz", "x.csv.gz"])
def test_a_bomb_after_other_rows_is_refused(name: str, tmp_path: Path) -> None:
    write, first, block, what = BOMBS[name]
    texts = np.random.default_rng(0).choice(LETTERS, 1 << 20).tobytes()
    lines = b"".join(texts[at : at + 1000] + b"\n" for at in range(0, len(texts), 1000))
    write(tmp_path / name, first + lines, block)
    assert f"a {what} of it unpacks to over a hundred times its size" in error_of(tmp_path / name)


@pytest.mark.parametrize("name", ["x.txt.gz", "x.csv.gz", "x.txt.zst", "x.txt"])
def test_a_row_larger_than_memory_is_refused(name: str, tmp_path: Path) -> None:
    write_packed(tmp_path / name, b"text\n" + np.random.default_rng(0).choice(LETTERS, 3 << 20).tobytes())
    what = "row" if "csv" in name else "line"
    message = f'{tmp_path / name} has a {what} of over 1MiB; expected at most a quarter of memory="4MiB".'
    assert error_of(tmp_path / name, memory=4 << 20).startswith(message)


@pytest.mark.parametrize("name", ["x.txt.gz", "x.csv.gz", "x.txt.zst"])
def test_a_long_row_that_is_compressed_as_texts_are_is_read(name: str, tmp_path: Path) -> None:
    text = np.random.default_rng(0).choice(LETTERS, 10 << 20).tobytes()
    write_packed(tmp_path / name, b"text\n" + text + b"\nlast\n")
    assert read(tmp_path / name, batch_bytes=1 << 20).texts[-2:] == [text.decode(), "last"]


def write_packed(path: Path, data: bytes) -> None:
    """Write bytes, compressed as the ending of the name says."""
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(data, compresslevel=1))
        return
    with pa.output_stream(str(path), compression="zstd" if path.suffix == ".zst" else None) as file:
        file.write(data)


def test_a_text_of_a_folder_larger_than_memory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a" * 1000)
    assert error_of(tmp_path, memory=2000).startswith(f"{tmp_path / 'a.txt'} is a text of over 500;")


def repeated(value: str, times: int) -> pa.Table:
    """A column that has one value many times, in a few bytes."""
    indices = pa.array([0] * times, pa.int32())
    return pa.table({"text": pa.DictionaryArray.from_arrays(indices, pa.array([value]))})


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of the memory is read from /proc")
def test_a_value_of_parquet_larger_than_memory_is_refused(tmp_path: Path) -> None:
    for codec in ("zstd", "snappy"):
        path = tmp_path / f"{codec}.parquet"
        pq.write_table(pa.table({"text": ["b"] * 20 + ["a" * (75 << 20)]}), path, compression=codec)
        message, peak = read_in_child(path, memory=64 << 20)
        assert "has a value in column 'text' of over 16MiB" in message
        assert peak < 1.2 * (64 << 20)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of the memory is read from /proc")
@pytest.mark.parametrize("as_dictionary", [False, True])
def test_values_of_parquet_that_repeat_are_read_within_memory(as_dictionary: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(repeated("a" * 1_000_000, 5000), path, store_schema=as_dictionary, compression="zstd")
    message, peak = read_in_child(path)
    assert message == "read 5000"
    assert peak < 2 * MEMORY
    pq.write_table(repeated("a" * (100 << 20), 50), path, store_schema=as_dictionary, compression="zstd")
    assert "has a value in column 'text' of over 64MiB" in read_in_child(path)[0]


def wide_csv(path: Path) -> None:
    names = ",".join(f"c{number}" for number in range(COLUMNS))
    path.write_text(f"{names},texts\n" + (",".join(["1"] * COLUMNS) + ",good film\n") * 3)


def wide_jsonl(path: Path) -> None:
    record = {f"c{number}": 1 for number in range(COLUMNS)} | {"texts": "good film"}
    path.write_text((json.dumps(record) + "\n") * 3)


def wide_parquet(path: Path) -> None:
    columns = {f"c{number}": [1] * 3 for number in range(COLUMNS // 4)} | {"texts": ["good film"] * 3}
    pq.write_table(pa.table(columns), path)


@pytest.mark.parametrize("write", [wide_csv, wide_jsonl, wide_parquet])
def test_many_columns(write: Any, tmp_path: Path) -> None:
    path = tmp_path / f"x.{write.__name__[5:]}"
    write(path)
    start = time.process_time()
    assert read(path, text="texts").texts == ["good film"] * 3
    assert len(column_names(path)) == (COLUMNS // 4 if "parquet" in path.name else COLUMNS) + 1
    assert error_of(path).startswith("there are ")
    assert "too many to find the texts: 'c0', 'c1'" in error_of(path)
    assert error_of(path, text="wrong").endswith("more. Name one of these.")
    assert time.process_time() - start < 10  # seconds; a minute before


def test_names_of_many_columns_are_read_as_of_few(tmp_path: Path) -> None:
    names = ['"a,b"', "", 'c"d', '"e ""f"""', "g", '"h\ni"'] + [f"c{number}" for number in range(1500)]
    for number in (7, len(names)):
        (tmp_path / f"{number}.csv").write_text(",".join(names[:number]) + "\n" + "1," * (number - 1) + "1\n")
    few, many = (column_names(tmp_path / f"{number}.csv") for number in (7, len(names)))
    assert many[:7] == few
    assert len(list(batches(tmp_path / f"{len(names)}.csv", text="g"))) == 1


def test_a_json_line_of_many_values(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b'{"text": "a"}\n{"text": "b", "list": [' + b"[]," * 8_000_000 + b"[]]}\n")
    assert "of over 8,000,000 values" in error_of(tmp_path / "x.jsonl", keep=["list"])
