"""Zip archives and what is stored as one (.xlsx, .ods): refused if they unpack to far more than they hold."""

from __future__ import annotations

import zipfile
from typing import IO

MAX_BOMB_BYTES, MAX_COMPRESSION = 4 << 20, 100
"""A part that unpacks to more than both, bytes and times its size, is a bomb: texts and sheets never do."""
_DOCTYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def is_bomb(size: int, packed: int) -> bool:
    """Whether `packed` bytes that unpack to `size` are compressed far more than texts or a sheet can be.

    >>> is_bomb(1 << 30, 1 << 20), is_bomb(1 << 20, 1 << 10)
    (True, False)
    """
    return size > max(MAX_BOMB_BYTES, MAX_COMPRESSION * packed)


def unpacked_size(archive: zipfile.ZipFile) -> int:
    """The bytes of all parts when unpacked, as the archive says."""
    return sum(part.file_size for part in archive.infolist())


def find_bomb(archive: zipfile.ZipFile) -> str | None:
    """The name of the first part that is a bomb."""
    parts = archive.infolist()
    return next((part.filename for part in parts if is_bomb(part.file_size, part.compress_size)), None)


def find_doctype(archive: zipfile.ZipFile) -> str | None:
    """The name of the first part that declares a document type, which no spreadsheet program writes."""
    for part in archive.infolist():
        with archive.open(part) as stream:
            if _declares_doctype(stream):
                return part.filename
    return None


def _declares_doctype(stream: IO[bytes]) -> bool:
    rest = b""
    while block := stream.read(1 << 20):
        data = rest + block
        if any(mark in data for mark in _DOCTYPES):
            return True
        rest = data[-max(map(len, _DOCTYPES)) :]
    return False
