"""Files and streams in any encoding as UTF-8, a block at a time."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.encoding import (
    LATIN_LETTERS,
    Encoding,
    describe_readings,
    encoding_named,
    excerpt,
    find_utf8,
    guess_encoding,
    transcode,
    utf8_share,
)
from problex.tables.reader import ReadOptions
from problex.tables.signatures import check_has_few_zeros, check_is_text
from problex.tables.source import Source

HEAD_BYTES = 1 << 20
"""Bytes from which the encoding, the dialect and the columns are known."""


@dataclass(frozen=True)
class Text:
    """A source that is read as UTF-8, its encoding, its first bytes in UTF-8, and whether these are all."""

    source: Source
    encoding: Encoding
    head: bytes
    is_whole: bool

    def describe(self) -> str:
        """How the file was understood, and what to do if that is wrong."""
        return (
            f"It was read as text in {self.encoding.label}: give {opt('encoding')} if that is wrong; otherwise correct "
            "the file."
        )


class Prefixed(io.RawIOBase):
    """A stream of which some bytes were read already."""

    def __init__(self, head: bytes, rest: Any) -> None:
        super().__init__()
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The bytes that were read already, then the others."""
        data = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def open_text(source: Source, options: ReadOptions) -> Text:
    """A source with the encoding that is given, or that of its first bytes."""
    stream = source.open().data
    data = stream.read(HEAD_BYTES)
    is_whole = len(data) < HEAD_BYTES
    encoding = choose_encoding(data, source.name, options, is_whole=is_whole)
    if source.path is None:
        source = replace(source, stream=io.BufferedReader(Prefixed(data, stream)))
    head = transcode(data, encoding.codec, is_whole=is_whole)
    check_has_few_zeros(head, source.name)
    is_guess = options.encoding is None and encoding.codec in LATIN_LETTERS
    check = partial(_check_not_mixed, source.name, encoding) if is_guess else None
    return Text(replace(source, encoding=encoding.codec, check=check), encoding, head, is_whole)


def _check_not_mixed(name: str, encoding: Encoding, data: bytes) -> None:
    """Raise if letters of a file that was taken for Latin-1 or the like are in UTF-8."""
    if (found := find_utf8(data)) is not None:
        line = data[data.rfind(b"\n", 0, found.start()) + 1 :].partition(b"\n")[0].decode(errors="replace")
        raise DocumentError(
            f"{name} begins in {encoding.label}, but has UTF-8 further on, in {excerpt(line)!r}: two "
            f"encodings in one file. Correct it, or give {opt('encoding', encoding.codec)} if all of it is "
            f"{encoding.label}."
        )


def note_encoding(text: Text, options: ReadOptions) -> str:
    """What is to be said about the encoding; nothing if it is UTF-8, or was given."""
    if text.encoding.is_utf8 or options.encoding:
        return ""
    return f"read as {text.encoding.label} (give {opt('encoding')} if that is wrong)"


def decode_whole(
    data: bytes, name: str, options: ReadOptions, common: Callable[[], Encoding | None] | None = None
) -> tuple[bytes, Encoding]:
    """The bytes of a whole file as UTF-8 without a byte order mark, and its encoding.

    `common` returns the encoding of all files of a folder together, which decides where that of one is not certain.
    """
    encoding = choose_encoding(data[:HEAD_BYTES], name, options, is_whole=len(data) <= HEAD_BYTES, common=common)
    return transcode(data, encoding.codec).removeprefix(codecs.BOM_UTF8), encoding


def choose_encoding(
    data: bytes,
    name: str,
    options: ReadOptions,
    *,
    is_whole: bool,
    common: Callable[[], Encoding | None] | None = None,
) -> Encoding:
    """The encoding that is given, or that of the first bytes; raise if they are not text."""
    if options.encoding is None:
        check_is_text(data, name)
        guess = guess_encoding(data, is_whole=is_whole)
        if guess is None:
            raise DocumentError(
                f"the encoding of {name} is not known: it is neither UTF-8 nor another usual encoding. Is it a file of "
                f"text? Save it as UTF-8, or name the encoding with {opt('encoding')}"
            )
        if not guess.is_certain:
            shared = common() if common is not None else None
            if shared is not None and shared.is_certain and shared.codec in guess.candidates:
                return shared
            raise not_certain(guess, data, name)
        return guess
    given = encoding_named(options.encoding)
    if given.codec in ("utf-16", "utf-32"):
        given = _with_byte_order(given, data, name)
    is_narrow = not given.codec.startswith("utf")
    if is_narrow and not data.isascii() and utf8_share(data) == 1 and not data.startswith(b"\xff"):
        warn_caller(
            f"{name} is read as {given.label}, as given, but it is valid UTF-8: leave out {opt('encoding')} if "
            "characters look wrong",
            DocumentWarning,
        )
    return given


def not_certain(guess: Encoding, data: bytes, name: str) -> DocumentError:
    """The error about an encoding that is not certain: it shows a line as each likely encoding reads it."""
    problem = (
        f"the encoding of {name} is not certain: it may be UTF-8 with unusual characters, or words in another encoding"
        if guess.is_utf8
        else f"{name} is not UTF-8, and which other encoding it has is not certain"
    )
    return DocumentError(
        f"{problem}. A line of it is {describe_readings(guess, data)}. Give the right one with {opt('encoding')}, or "
        "save the file as UTF-8."
    )


def _with_byte_order(given: Encoding, data: bytes, name: str) -> Encoding:
    """UTF-16 or UTF-32 with the order of its bytes: that of the mark, or else the one that is guessed."""
    guess = guess_encoding(data)
    if guess is not None and guess.codec.startswith(given.codec):
        return guess
    raise DocumentError(
        f"{name} is not {given.label}, as given: it has no byte order mark, and does not look like it. Leave out "
        f"{opt('encoding')}, or give the order of its bytes, such as {given.codec + '-le'!r}."
    )
