from __future__ import annotations

import bz2
import gzip
import io
from pathlib import Path

import pytest

from problex.corpus import ReadOptions
from problex.corpus.sources import Source

DATA = b"\xef\xbb\xbfone\r\ntwo\n\nthree"


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
