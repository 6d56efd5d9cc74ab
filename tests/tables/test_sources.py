from __future__ import annotations

import bz2
import gzip
import io
import lzma
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from problex.corpus import ReadOptions, batches
from problex.errors import DocumentError
from problex.tables import source
from problex.tables.source import Source

DATA = b"\xef\xbb\xbfone\r\ntwo\n\nthree"


def pack_xz(data: bytes) -> bytes:
    """Compress as fast as xz can."""
    return lzma.compress(data, preset=0)


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress)])
@pytest.mark.parametrize("size", [1, 5, 100])
def test_reading_goes_on_at_any_line(suffix: str, pack: object, size: int, tmp_path: Path) -> None:
    path = tmp_path / f"x.txt{suffix}"
    path.write_bytes(pack(DATA))  # type: ignore[operator]
    source = Source(str(path), path)
    chunks = list(source.chunks(size, ReadOptions()))
    assert [line for chunk in chunks for line in chunk.lines()] == [b"one", b"two", b"", b"three"]
    assert chunks[-1].bytes_read == path.stat().st_size
    for at, chunk in enumerate(chunks):
        assert [rest.data for rest in source.chunks(size, ReadOptions(), chunk.after)] == [
            rest.data for rest in chunks[at + 1 :]
        ]


def test_a_stream_is_read_in_whole_lines() -> None:
    chunks = list(Source("x", stream=io.BytesIO(DATA)).chunks(2, ReadOptions()))
    assert [chunk.data for chunk in chunks] == [b"one\r\n", b"two\n", b"\nthree"]
    assert chunks[0].bytes_read == 0


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress)])
def test_a_file_is_opened_at_any_byte(
    suffix: str, pack: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "BUFFER_BYTES", 4)
    path = tmp_path / f"x.txt{suffix}"
    path.write_bytes(pack(DATA))  # type: ignore[operator]
    opened = Source(str(path), path)
    assert opened.open().data.read() == DATA
    for offset in range(len(DATA) + 1):
        assert opened.open(offset).data.read() == DATA[offset:]


@pytest.mark.parametrize(("memory", "fits"), [(4 * 9, True), (4 * 8, False)])
def test_the_rest_of_a_line_has_a_limit(memory: int, fits: bool) -> None:
    """Of 11 bytes, 2 are read first; then less than the limit or its end must follow."""
    chunks = Source("x", stream=io.BytesIO(b"0123456789\n")).chunks(2, ReadOptions(memory=memory))
    if fits:
        assert [chunk.data for chunk in chunks] == [b"0123456789\n"]
    else:
        with pytest.raises(DocumentError, match=r"^x has a line of over 8; expected at most a quarter of memory=32\."):
            list(chunks)


class Blocks(io.RawIOBase):
    """A compressed stream that notes how many blocks were read, and by which threads."""

    def __init__(self, blocks: list[bytes]) -> None:
        self.left, self.threads, self.number = iter(blocks), set[int](), 0

    def read(self, size: int = -1) -> bytes:
        self.threads.add(threading.get_ident())
        self.number += 1
        return next(self.left, b"")


def test_what_is_compressed_is_read_ahead_by_a_thread_of_its_own() -> None:
    """While the caller parses and counts; but only a few blocks ahead, whatever the size of the file."""
    blocks = [bytes([at]) * 1000 for at in range(100)]
    below = Blocks(blocks)
    stream = io.BufferedReader(source.ReadAhead(below), 100)
    assert stream.read(1500) == blocks[0] + blocks[1][:500]
    assert below.number <= 5
    assert len(below.threads) == 1
    assert threading.get_ident() not in below.threads
    assert stream.read() == b"".join(blocks)[1500:]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", pack_xz)])
def test_a_compressed_file_that_was_cut_is_an_error_though_it_is_read_ahead(
    suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / f"x.csv{suffix}"
    random = Random(1)
    content = b"id,text\n" + b"".join(b"%d,a good film of %d\n" % (at, random.getrandbits(60)) for at in range(99_999))
    packed = pack(content)
    path.write_bytes(packed)
    assert sum(len(batch.texts) for batch in batches(path)) == 99_999
    path.write_bytes(packed[:-1000])
    with pytest.raises(DocumentError, match="cannot be read"):
        list(batches(path))
