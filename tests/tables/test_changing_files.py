"""Files that change while they are read: no document is lost silently."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches
from problex.errors import DocumentError, DocumentWarning
from problex.tables import csv_file, source, text_files

TEXTS = [f"document number {number} is a good film" for number in range(2000)]
LINES = "".join(f"{text}\n" for text in TEXTS)
CONTENTS: dict[str, bytes] = {
    "x.txt": LINES.encode(),
    "x.csv": f"text\n{LINES}".encode(),
    "x.jsonl": "".join(f'{{"text": "{text}"}}\n' for text in TEXTS).encode(),
    "x.csv.gz": gzip.compress(os.urandom(1 << 18).hex().join(["text\n", "\n"] * 3).encode()),
}


@pytest.fixture(autouse=True)
def small_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "READ_BYTES", 500)
    monkeypatch.setattr(text_files, "READ_BYTES", 500)
    monkeypatch.setattr(source, "BUFFER_BYTES", 500)


def read_while(path: Any, change: Callable[[], object], **options: Any) -> int:
    """The number of documents read from a file that changes after the first batch."""
    stream = batches(path, batch_bytes=500, **options)
    number = len(next(stream).texts)
    change()
    return number + sum(len(batch.texts) for batch in stream)


def later(path: Path) -> None:
    """Set the time of the last change to a second later."""
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 10**9))


@pytest.mark.parametrize("name", CONTENTS)
def test_a_file_that_shrinks_is_an_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(CONTENTS[name])
    size = len(CONTENTS[name])
    with pytest.raises(DocumentError, match=r"x\.\S+ (changed while it was read|cannot be read)"):
        read_while(path, lambda: os.truncate(path, size // 2), on_error="skip")


def test_the_error_has_the_sizes_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(CONTENTS["x.csv"])
    with pytest.raises(DocumentError) as caught:
        read_while(path, lambda: os.truncate(path, 1000))
    assert str(caught.value).startswith(f"{path} changed while it was read: it had {len(CONTENTS['x.csv']):,} bytes")
    assert "now it has 1,000. Read it again when nothing writes to it, or read a copy" in str(caught.value)


@pytest.mark.parametrize("name", CONTENTS)
def test_a_file_that_is_rewritten_at_the_same_size_is_an_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(CONTENTS[name])
    with pytest.raises(DocumentError, match="changed while it was read: it was written to"):
        read_while(path, lambda: later(path))


@pytest.mark.parametrize("name", ["x.txt", "x.csv", "x.jsonl"])
def test_a_file_that_grows_is_reported(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(CONTENTS[name])
    more = CONTENTS[name].splitlines(keepends=True)[-1]

    def grow() -> None:
        with path.open("ab") as file:
            file.write(more)
        later(path)

    with pytest.warns(DocumentWarning, match=rf"{name} grew from \S+ to \S+ bytes while it was read"):
        assert read_while(path, grow) == len(TEXTS) + 1


def test_a_file_that_vanishes_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(CONTENTS["x.csv"])
    with pytest.raises(DocumentError, match="No such file"):
        read_while(path, path.unlink)


def test_one_of_several_files_is_named(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(CONTENTS["x.csv"])
    with pytest.raises(DocumentError, match=r"a\.csv changed while it was read"):
        read_while(tmp_path, lambda: os.truncate(tmp_path / "a.csv", 1000))


def test_a_parquet_file_that_is_replaced_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"text": TEXTS}), path, row_group_size=100)
    with pytest.raises(DocumentError, match=r"x\.parquet (changed while it was read|cannot be read)"):
        read_while(path, lambda: pq.write_table(pa.table({"text": TEXTS[:500]}), path, row_group_size=100))


def test_a_parquet_file_with_fewer_rows_than_its_metadata_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"text": TEXTS}), path, row_group_size=100)
    read = pq.ParquetFile.iter_batches

    def lose(self: pq.ParquetFile, *arguments: Any, **options: Any) -> Any:
        return list(read(self, *arguments, **options))[:-1]

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lose)
    with pytest.raises(DocumentError, match=r"x\.parquet: \S+ of 2,000 rows could be read"):
        list(batches(path, text="text", batch_bytes=500))


def test_a_text_of_a_folder_that_changes_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcdefghijk":
        (tmp_path / f"{name}.txt").write_text("text " * 200)
    with pytest.raises(DocumentError, match=r"k\.txt"):
        read_while(tmp_path, (tmp_path / "k.txt").unlink)
    states = iter([source.FileState(1000, 1), source.FileState(500, 2)])
    monkeypatch.setattr(source.FileState, "of", lambda status: next(states))
    with pytest.raises(DocumentError, match=r"a\.txt changed while it was read: it had 1,000 bytes, now it has 500"):
        source.read_whole(tmp_path / "a.txt")


def test_a_text_of_a_folder_that_grows_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("text")
    states = iter([source.FileState(1000, 1), source.FileState(1500, 2)])
    monkeypatch.setattr(source.FileState, "of", lambda status: next(states))
    with pytest.raises(DocumentError, match=r"a\.txt changed while it was read: it had 1,000 bytes, now it has 1,500"):
        source.read_whole(tmp_path / "a.txt")
