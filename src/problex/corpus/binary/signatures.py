"""The format of a file by its first bytes: suffixes may be wrong."""

from __future__ import annotations

import zipfile
from pathlib import Path

HEAD_BYTES = 4096
SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"PAR1", "parquet"),
    (0, b"ARROW1", "arrow"),
    (0, b"SQLite format 3\0", "sqlite"),
    (8, b"DUCK", "duckdb"),
    (0, b"<stata_dta>", "stata"),
    (0, b"$FL2", "spss"),
    (0, b"$FL3", "spss"),
    (0, b"\xd0\xcf\x11\xe0", "xls"),
)
"""Where the bytes are, the bytes, and the format."""
COMPRESSED: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", ".gz"),
    (b"BZh", ".bz2"),
    (b"\xfd7zXZ\0", ".xz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
)


def read_head(path: Path) -> bytes:
    """The first bytes of a file; none of what is no ordinary file."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def recognise(path: Path, head: bytes) -> str | None:
    """The format by the first bytes, None if they are not typical of one."""
    for offset, mark, format in SIGNATURES:
        if head[offset : offset + len(mark)] == mark:
            return format
    if head[:4] == b"PK\x03\x04" and zipfile.is_zipfile(path):
        return _kind_of_zip(path)
    return None


def _kind_of_zip(path: Path) -> str | None:
    try:
        with zipfile.ZipFile(path) as parts:
            names = parts.namelist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        return None  # damaged: the reader of its suffix says so
    if "xl/workbook.xml" in names:
        return "excel"
    if "xl/workbook.bin" in names:
        return "xlsb"
    return "ods" if "mimetype" in names and "content.xml" in names else "zip"


def is_text(head: bytes) -> bool:
    r"""Whether the first bytes are those of a text; UTF-16 has zeros, but begins with a mark.

    >>> is_text(b"id,text\n"), is_text(b"\x00\x01"), is_text("id".encode("utf-16"))
    (True, False, True)
    """
    return head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" not in head
