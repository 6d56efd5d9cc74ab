"""Zip archives and compressed files."""

from __future__ import annotations

import gzip
import lzma
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from problex.corpus import batches
from problex.errors import DocumentWarning
from problex.tables import source
from tests.tables.reading import error_of, read


def write_zip(path: Path, members: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_one_file_in_an_archive_is_that_file(tmp_path: Path) -> None:
    members = {"d/": "", "d/a.csv": "id,text\n1,a\n2,b\n", "__MACOSX/d/._a.csv": "?", ".DS_Store": "?"}
    path = write_zip(tmp_path / "x.zip", members)
    result = list(batches(path, keep=["id"], batch_bytes=1))
    assert [batch.texts.to_pylist() for batch in result] == [["a"], ["b"]]
    assert read(write_zip(tmp_path / "y.zip", {"a.txt": "one\ntwo\n"})).texts == ["one", "two"]
    message = error_of(write_zip(tmp_path / "z.zip", {"a.csv": "id,text\n1,a\n2\n"}))
    assert message.startswith(f"row 3 of {tmp_path / 'z.zip'}/a.csv ")


def test_several_files_in_an_archive_are_one_corpus(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "b.jsonl": '{"text": "b"}\n',
        "a.csv.gz": gzip.compress(b"text\na\n"),
        "c.md": "?",
    }
    path = write_zip(tmp_path / "x.zip", members)
    with pytest.warns(DocumentWarning, match=r"x\.zip: 'c\.md' cannot be read and is left out"):
        result = read(path, keep=["file"])
    assert result.texts == ["a", "b"]
    assert result.columns == {"file": ["a.csv.gz", "b.jsonl"]}


def test_several_texts_in_an_archive_are_a_document_each(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"d/a.txt": "one\ntwo", "d/b.txt": "three"})
    result = read(path, keep=["path"])
    assert result.texts == ["one\ntwo", "three"]
    assert result.columns == {"path": ["d/a.txt", "d/b.txt"]}


def test_positions_in_an_archive(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.txt": "one\ntwo\n", "b.csv": "text\nthree\nfour\n"})
    whole = list(batches(path, batch_bytes=1))
    for at, batch in enumerate(whole):
        if batch.position:
            rest = batches(path, batch_bytes=1, start=batch.position)
            assert [b.texts.to_pylist() for b in rest] == [b.texts.to_pylist() for b in whole[at + 1 :]]


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.csv": b"text\n" + b"a" * (8 << 20)})
    assert error_of(path) == f"{path} is refused: a.csv unpacks to over a hundred times its size."
    data = bytearray(write_zip(path, {"a.csv": "text\na\n"}).read_bytes())
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        data[data.index(mark) + (6 if mark[2] == 3 else 8)] |= 1
    path.write_bytes(data)
    expected = f"{path} is protected by a password (a.csv). Unpack it, and give the files in it."
    assert error_of(path) == expected
    write_zip(path, {"../a.csv": "text\na\n"})
    assert error_of(path) == f"{path} is refused: ../a.csv is the name of a file outside of it."
    write_zip(path, {"a.docx": "?"})
    assert error_of(path) == f"{path} holds 'a.docx'; expected a file that can be read, such as a .csv."
    path.write_bytes(b"PK\x03\x04 nothing")
    assert error_of(path).startswith(f"{path} cannot be read: File is not a zip file.")
    monkeypatch.setattr(source, "MAX_BOMB_BYTES", 1000)
    (tmp_path / "x.parquet.gz").write_bytes(gzip.compress(b"\0" * (1 << 20)))
    assert "unpack to over a hundred times as much." in error_of(tmp_path / "x.parquet.gz")


def test_xz_and_compression_that_the_name_does_not_say(tmp_path: Path) -> None:
    data = b"id,text\n1,a\n2,b\n"
    (tmp_path / "x.csv.xz").write_bytes(lzma.compress(data))
    assert read(tmp_path / "x.csv.xz").texts == ["a", "b"]
    (tmp_path / "x.csv.xz").write_bytes(lzma.compress(data)[:-10])
    assert error_of(tmp_path / "x.csv.xz").startswith(f"{tmp_path / 'x.csv.xz'} cannot be read: ")
    (tmp_path / "y.csv").write_bytes(gzip.compress(data))
    with pytest.warns(DocumentWarning, match=r"is compressed \(\.gz\), though its name does not say so"):
        assert read(tmp_path / "y.csv").texts == ["a", "b"]
