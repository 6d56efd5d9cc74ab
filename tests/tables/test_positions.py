"""The positions at which reading can go on, worked by hand for each format.

Checkpoints contain them, so their meaning must not change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.corpus import batches
from problex.tables import csv_file, text_files


def positions(corpus: Any, batch_bytes: int, **options: Any) -> list[tuple[int, ...]]:
    """Positions without the second and third number, which `test_positions_hold_the_losses` checks."""
    found = [batch.position for batch in batches(corpus, batch_bytes=batch_bytes, **options)]
    return [(position[0], *position[3:]) for position in found]


def test_positions_hold_the_losses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the number of the next document: the invalid rows and all rows of the file so far."""
    monkeypatch.setattr(csv_file, "READ_BYTES", 12)
    (tmp_path / "a.csv").write_bytes(b"id,text\n1,good\n2\n3,bad\n4,fine\n")
    (tmp_path / "b.csv").write_bytes(b"id,text\n5,good\n")
    stream = list(batches([tmp_path / "a.csv", tmp_path / "b.csv"], on_error="skip", batch_bytes=100))
    assert [batch.position[:3] for batch in stream] == [(1, 1, 2), (3, 1, 4), (4, 0, 1)]


def test_positions_in_lines(tmp_path: Path) -> None:
    """The number of the next document and its offset."""
    (tmp_path / "x.txt").write_bytes(b"one\ntwo\nthree")
    assert positions(tmp_path / "x.txt", 4) == [(1, 4), (2, 8), (3, 13)]


def test_positions_in_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next document, its offset, bytes read beyond it, documents, rows with the header and invalid ones."""
    monkeypatch.setattr(csv_file, "READ_BYTES", 12)
    (tmp_path / "x.csv").write_bytes(b"id,text\n1,a\n2,b\n3\n4,d\n")
    assert positions(tmp_path / "x.csv", 30, on_error="skip") == [(2, 18, 2, 2, 4), (3, 22, 0, 3, 5)]
    (tmp_path / "x.csv").write_bytes(b"id,text\n1,a\n2,b")
    assert positions(tmp_path / "x.csv", 30) == [(1, 12, 3, 1, 2), (2, 15, 0, 2, 3)]


def test_positions_in_jsonl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next document, its offset, and the number of lines read, blank ones too."""
    monkeypatch.setattr(text_files, "READ_BYTES", 14)
    (tmp_path / "x.jsonl").write_bytes(b'{"text": "a"}\n\n{"text": "b"}\n')
    assert positions(tmp_path / "x.jsonl", 30) == [(1, 14, 1), (2, 29, 3)]


def test_positions_in_parquet(tmp_path: Path) -> None:
    """The next document, the unit of row groups, batches of it, rows."""
    pq.write_table(pa.table({"text": ["a", "b", "c"]}), tmp_path / "x.parquet", row_group_size=2)
    assert positions(tmp_path / "x.parquet", 1) == [(1, 0, 1, 1), (2, 0, 2, 2), (3, 1, 1, 3)]
    assert positions(tmp_path / "x.parquet", 1 << 20) == [(3, 0, 1, 3)]


def test_positions_in_folders_and_in_several_files(tmp_path: Path) -> None:
    """In a folder: the next document, files, bytes. Among files: the file, its documents, the position in it."""
    for name, text in {"a.txt": "one", "b.txt": "seven"}.items():
        (tmp_path / name).write_text(text)
    assert positions(tmp_path, 2) == [(1, 1, 3), (2, 2, 8)]
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    assert positions(files, 2) == [(1, 0, 1, 3), (2, 1, 1, 5)]
