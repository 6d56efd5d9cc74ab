"""Files and streams as bytes: decompressed, from any offset, in whole lines."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

READ_BYTES = 2 << 20  # read at once of CSV and JSONL: enough to know the columns, little enough for the cache
BUFFER_BYTES = 1 << 20  # read ahead of a file, and at once where a compressed one is only skipped
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}


@dataclass(frozen=True)
class Source:
    """A file or folder, or else a stream that can be read only once."""

    name: str
    path: Path | None = None
    stream: Any = None

    @property
    def size(self) -> int:
        """Bytes on disk of a file or of the texts in a folder; 0 if unknown."""
        if self.path is None:
            return 0
        if self.path.is_dir():
            return sum(file.stat().st_size for file in list_text_files(self.path))
        return self.path.stat().st_size if self.path.is_file() else 0

    def open(self, offset: int = 0) -> Stream:
        """The decompressed bytes from an offset."""
        if self.path is None:
            return Stream(self.stream, None)
        raw = pa.OSFile(str(self.path), "rb")
        compression = COMPRESSIONS.get(self.path.suffix.lower())
        data = io.BufferedReader(pa.CompressedInputStream(raw, compression) if compression else raw, BUFFER_BYTES)
        if not compression:
            data.seek(offset)
        while compression and offset > 0:
            offset -= len(data.read(min(offset, BUFFER_BYTES))) or offset
        return Stream(data, raw)

    def chunks(self, size: int, offset: int = 0) -> Iterator[Chunk]:
        """Whole lines, about `size` bytes at a time."""
        stream = self.open(offset)
        while data := stream.data.read(size):
            if not data.endswith(b"\n"):
                data += stream.data.readline()
            after = offset + len(data)
            yield Chunk(data if offset else data.removeprefix(codecs.BOM_UTF8), after, stream.bytes_read())
            offset = after


@dataclass(frozen=True)
class Stream:
    """Bytes to read, and the file they come from."""

    data: Any
    raw: Any

    def bytes_read(self) -> int:
        """How many bytes of the file on disk were read."""
        return self.raw.tell() if self.raw is not None else 0


@dataclass(frozen=True)
class Chunk:
    """Some lines of a file; `after` is the offset of the next."""

    data: bytes
    after: int
    bytes_read: int

    def lines(self) -> list[bytes]:
        """The lines without their ends."""
        lines = self.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        return [line.removesuffix(b"\r") for line in lines] if b"\r" in self.data else lines


def list_text_files(folder: Path) -> list[Path]:
    """The .txt files of a folder and its subfolders, sorted."""
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() == ".txt" and file.is_file())
