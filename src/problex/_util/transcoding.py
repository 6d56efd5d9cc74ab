"""Bytes in any encoding as UTF-8."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from typing import Any

READ_BYTES = 1 << 20
LAST_BYTES = 4  # the most that a character has in UTF-8
UNDECODABLE = "\udcff"  # is written as the byte FF, which UTF-8 does not have: a text with it is found to be invalid
ERRORS = "problex.undecodable"
"""The name of the error handler of codecs that writes `UNDECODABLE`."""


class Transcoder(io.RawIOBase):
    """A stream of text in any encoding as UTF-8; what cannot be decoded becomes a byte that UTF-8 does not have.

    `check` gets each part before it is decoded, with the last bytes of the part before.
    """

    def __init__(self, data: Any, encoding: str, check: Callable[[bytes], None] | None = None) -> None:
        super().__init__()
        self._check, self._last = check, b""
        self._data, self._decoder = data, codecs.getincrementaldecoder(encoding)(ERRORS)
        self._ready, self._ended = memoryview(b""), False

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes in UTF-8."""
        while not self._ready and not self._ended:
            data = self._data.read(READ_BYTES)
            self._ended = not data
            if self._check is not None:
                self._check(self._last + data)
                self._last = data[-LAST_BYTES:]
            self._ready = memoryview(self._decoder.decode(data, not data).encode(errors="surrogateescape"))
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def transcode(data: bytes, encoding: str, *, is_whole: bool = True) -> bytes:
    """Bytes in an encoding as UTF-8; a character that is cut off at the end is left out unless they are whole."""
    if encoding == "utf-8":
        return data
    decoder = codecs.getincrementaldecoder(encoding)(ERRORS)
    return decoder.decode(data, is_whole).encode(errors="surrogateescape")


def _replace_undecodable(error: UnicodeError) -> tuple[str, int]:
    """An error handler of codecs."""
    assert isinstance(error, UnicodeDecodeError)
    return UNDECODABLE, error.end


codecs.register_error(ERRORS, _replace_undecodable)
