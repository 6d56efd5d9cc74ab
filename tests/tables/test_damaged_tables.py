"""Damaged tables of other programs end in one clear line: found by `make fuzz`."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pytest

from problex.corpus import batches
from problex.errors import DocumentError
from tests.tables.writing import FILES, TABLE, write_ods, write_xls


def read(path: Path) -> int:
    return sum(len(batch.texts) for batch in batches(path, text="text"))


def written(folder: Path, name: str) -> bytes:
    FILES[name](folder / name, TABLE)
    return (folder / name).read_bytes()


def test_a_workbook_with_a_part_whose_name_is_not_utf8(tmp_path: Path) -> None:
    data = bytearray(written(tmp_path, "x.xlsx"))
    at = data.index(b"PK\x01\x02")
    data[at + 8 : at + 10], data[at + 46] = struct.pack("<H", 0x800), 0xB3  # the name is said to be UTF-8, and is not
    (tmp_path / "x.xlsx").write_bytes(data)
    with pytest.raises(DocumentError, match=r"x\.xlsx cannot be read.*codec can't decode byte 0xb3"):
        read(tmp_path / "x.xlsx")


@pytest.mark.parametrize("name", ["x.xlsx", "x.ods"])
def test_a_workbook_whose_list_of_parts_is_damaged(tmp_path: Path, name: str) -> None:
    data = written(tmp_path, name)
    (tmp_path / name).write_bytes(data.replace(b"PK\x01\x02", b"PK\x01\x03"))
    with pytest.raises(DocumentError, match=rf"{name} cannot be read.*[Bb]ad magic number"):
        read(tmp_path / name)


def test_a_workbook_with_a_part_that_is_compressed_in_an_unknown_way(tmp_path: Path) -> None:
    data = bytearray(written(tmp_path, "x.ods"))
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"META-INF/manifest.xml"))
    data[at + 10 : at + 12] = struct.pack("<H", 77)
    (tmp_path / "x.ods").write_bytes(data)
    with pytest.raises(DocumentError, match=r"x\.ods cannot be read as a workbook: That compression method is not"):
        read(tmp_path / "x.ods")


def test_an_old_workbook_that_is_cut_off(tmp_path: Path) -> None:
    """The package that reads it does not raise an Exception, but a BaseException of its own."""
    data = written(tmp_path, "x.xls")
    (tmp_path / "x.xls").write_bytes(data[:4010])
    with pytest.raises(DocumentError, match=r"x\.xls cannot be read as a workbook: .*Open it in Excel"):
        read(tmp_path / "x.xls")


def test_texts_of_an_arrow_file_that_end_before_they_begin(tmp_path: Path) -> None:
    path, batch = tmp_path / "x.arrow", pa.record_batch({"text": ["good ", "day"]})
    with pa.ipc.new_stream(str(path), batch.schema) as writer:
        writer.write_batch(batch)
    whole, broken = (np.array(ends, dtype=np.int32).tobytes() for ends in ([0, 5, 8], [0, 5, -3]))
    path.write_bytes(path.read_bytes().replace(whole, broken))
    with pytest.raises(DocumentError, match=r"x\.arrow cannot be read: "):
        read(tmp_path / "x.arrow")


def test_a_compressed_column_that_claims_to_be_huge(tmp_path: Path) -> None:
    path = tmp_path / "x.feather"
    pyarrow.feather.write_feather(pa.table({"text": ["good day " * 1001]}), path, compression="lz4")
    size, huge = struct.pack("<q", 9009), struct.pack("<q", 2**52)
    data = path.read_bytes()
    at = data.rindex(size)  # before the compressed bytes; the first is in the index of the buffers
    path.write_bytes(data[:at] + huge + data[at + 8 :])
    with pytest.raises(DocumentError, match=r"x\.feather cannot be read: malloc of size .* It is damaged, or one of"):
        read(path)


def test_a_stream_whose_first_message_claims_to_be_huge(tmp_path: Path) -> None:
    data = bytearray(written(tmp_path, "x.arrow"))
    data[24:28] = b"\xfc\xff\xff\xff"  # where the fields of the message are said to be
    (tmp_path / "x.arrow").write_bytes(data)
    with pytest.raises(DocumentError, match=r"x\.arrow cannot be read: malloc of size"):
        read(tmp_path / "x.arrow")


def test_texts_of_an_arrow_file_that_are_not_utf8_are_still_repaired(tmp_path: Path) -> None:
    offsets = pa.py_buffer(np.array([0, 4, 7], dtype=np.int32).tobytes())
    texts = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"caf\xe9day")])
    pyarrow.feather.write_feather(pa.table({"text": texts}), tmp_path / "x.feather", compression="uncompressed")
    (batch,) = batches(tmp_path / "x.feather", on_error="replace")
    assert batch.texts.to_pylist() == ["caf\ufffd", "day"]


def test_a_zip_archive_with_a_file_without_a_name(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("name", "text\ngood\n")
    path.write_bytes(path.read_bytes().replace(b"name", b"\0ame"))
    with pytest.raises(DocumentError, match=r"x\.zip holds ''; expected a file that can be read"):
        read(path)


def test_a_statistics_file_with_a_column_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    written(tmp_path, "x.dta")
    whole = pyreadstat.read_dta

    def damaged(*values: Any, **options: Any) -> Any:
        content, metadata = whole(*values, **options)
        metadata.column_names[2] = None
        return content, metadata

    monkeypatch.setattr(pyreadstat, "read_dta", damaged)
    with pytest.raises(DocumentError, match=r"x\.dta has a column without a name, so it is damaged"):
        read(tmp_path / "x.dta")


FAR = {
    "x.xls": lambda path, row, column: write_xls(path, far_cell(row, column)),
    "x.ods": lambda path, row, column: write_ods(path, far_cell(row, column)),
}


def far_cell(row: int, column: int) -> dict[str, list[list[str | None]]]:
    """A sheet with a text, and a cell far from it."""
    blank: list[list[str | None]] = [[] for _ in range(row - 2)]
    return {"reviews": [["text"], ["good day"], *blank, [*[None] * column, "far"]]}


@pytest.mark.parametrize("name", FAR)
def test_a_cell_in_a_last_row_is_read(tmp_path: Path, name: str) -> None:
    FAR[name](tmp_path / name, 65_000, 3)
    assert read(tmp_path / name) == 2


def test_two_streams_joined_are_refused(tmp_path: Path) -> None:
    data = written(tmp_path, "x.arrow")
    assert read(tmp_path / "x.arrow") == len(TABLE["text"])
    (tmp_path / "x.arrow").write_bytes(data + data)
    with pytest.raises(DocumentError, match=r"x\.arrow holds several streams, of which only the first would be read"):
        read(tmp_path / "x.arrow")


def test_a_file_of_r_that_the_package_refuses_without_a_reason(tmp_path: Path) -> None:
    data = written(tmp_path, "x.rds")
    (tmp_path / "x.rds").write_bytes(data + data)
    with pytest.raises(DocumentError, match=r"x\.rds cannot be read as an R file: it is damaged\. Save it again with"):
        read(tmp_path / "x.rds")
