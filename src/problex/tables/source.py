"""Files and streams: decompressed or out of an archive, from any offset, in whole lines, and in UTF-8."""

from __future__ import annotations

import codecs
import io
import lzma
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from problex._util.files import TemporaryFolder
from problex._util.memory import format_size
from problex._util.threads import prefetch
from problex.errors import DocumentError, DocumentWarning, opt, warn_caller
from problex.tables.encoding import (
    LATIN_LETTERS,
    Encoding,
    Transcoder,
    check_has_few_zeros,
    check_is_text,
    describe_readings,
    encoding_named,
    excerpt,
    find_utf8,
    guess_encoding,
    transcode,
    utf8_share,
)
from problex.tables.reader import ReadOptions, file_errors

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
    """Whether a document type is declared, in UTF-8 or UTF-16.

    >>> [_declares_doctype(io.BytesIO("<!DOCTYPE a>".encode(codec))) for codec in ("utf-8", "utf-16", "utf-32")]
    [True, True, False]
    """
    rest = b""
    while block := stream.read(1 << 20):
        data = rest + block
        if any(mark in data for mark in _DOCTYPES):
            return True
        rest = data[-max(map(len, _DOCTYPES)) :]
    return False


READ_BYTES = 2 << 20  # read at once of CSV and JSONL: enough to find the columns, small enough for the cache
BUFFER_BYTES = 1 << 20  # read ahead of a file, and at once where a compressed one is only skipped
READ_AHEAD = 1 << 16  # bytes of a compressed file that may have been read before they are unpacked
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".xz": "xz"}


@dataclass(frozen=True)
class FileState:
    """The size of a file in bytes, and when it was last written to, in nanoseconds."""

    size: int
    modified: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        """The state in what `os.stat` returns."""
        return cls(status.st_size, status.st_mtime_ns)

    def check_unchanged(self, after: FileState, name: str, *, may_grow: bool = False) -> None:
        """Raise if the file `name` was changed; warn if it only grew and `may_grow`.

        >>> FileState(3, 1).check_unchanged(FileState(5, 2), "x.csv")
        Traceback (most recent call last):
        problex.errors.DocumentError: x.csv changed while it was read: it had 3 bytes, now it has 5. ...
        """
        if after == self:
            return
        if may_grow and after.size > self.size:
            message = f"{name} grew from {self.size:,} to {after.size:,} bytes while it was read"
            warn_caller(f"{message}: documents that were added after its end was reached are missing", DocumentWarning)
            return
        difference = f"it had {self.size:,} bytes, now it has {after.size:,}"
        if after.size == self.size:
            difference = f"it was written to, though it still has {self.size:,} bytes"
        raise DocumentError(
            f"{name} changed while it was read: {difference}. Read it again when nothing writes to it, or read a copy"
        )


@dataclass(frozen=True)
class Source:
    """A file or folder, or else a stream that can be read only once; `state` is that of the file when it was opened.

    With `member`, it is this file of the zip archive. `suffix` tells how it is compressed if its name does not.
    `held` keeps a temporary file as long as the source.
    Text in another `encoding` is read as UTF-8; offsets are those of the UTF-8 bytes. `check` gets its bytes before.
    """

    name: str
    path: Path | None = None
    stream: Any = None
    member: str = ""
    suffix: str = ""
    held: Any = None
    encoding: str = "utf-8"
    check: Callable[[bytes], None] | None = None
    state: FileState | None = None

    def __post_init__(self) -> None:
        if self.state is None and self.path is not None and self.path.is_file():
            object.__setattr__(self, "state", FileState.of(self.path.stat()))

    @property
    def compression(self) -> str | None:
        """How the bytes are compressed, by the ending of the name.

        >>> Source("", Path("x.csv.gz")).compression, Source("", Path("x.csv")).compression
        ('gzip', None)
        """
        if self.path is None:
            return None
        return COMPRESSIONS.get(self.suffix or Path(self.member or self.path).suffix.lower())

    @property
    def is_packed(self) -> bool:
        """Whether it is compressed, or in an archive."""
        return bool(self.member or self.compression)

    def check_unchanged(self, *, may_grow: bool = True) -> None:
        """Raise if the file was changed since it was opened, or warn if lines may have been added to it."""
        if self.path is not None and self.state is not None:
            may_grow = may_grow and not self.is_packed and self.path.suffix.lower() not in (".parquet", ".pq")
            self.state.check_unchanged(FileState.of(self.path.stat()), self.name, may_grow=may_grow)

    @property
    def size(self) -> int:
        """Bytes on disk of a file or of the texts in a folder; 0 if unknown."""
        if self.path is None:
            return 0
        if self.path.is_dir():
            return sum(file.stat().st_size for file in list_text_files(self.path))
        return self.state.size if self.state else 0

    def open(self, offset: int = 0) -> Stream:
        """The decompressed bytes in UTF-8 from an offset."""
        raw, data = None, self.stream
        if self.path is not None:
            raw = pa.OSFile(str(self.path), "rb")
            data = _unpack(raw, self.member, self.compression)
            data = io.BufferedReader(ReadAhead(data) if self.is_packed else data, BUFFER_BYTES)
        if self.encoding != "utf-8":
            data = io.BufferedReader(Transcoder(data, self.encoding, self.check), BUFFER_BYTES)
        elif raw is not None and not self.is_packed:
            data.seek(offset)
            offset = 0
        while offset > 0:
            offset -= len(data.read(min(offset, BUFFER_BYTES))) or offset
        return Stream(data, raw, self.name, self.is_packed)

    def chunks(self, size: int, options: ReadOptions, offset: int = 0) -> Iterator[Chunk]:
        """Whole lines, about `size` bytes at a time."""
        stream, limit = self.open(offset), options.max_row_bytes
        while data := stream.data.read(min(size, limit)):
            if not data.endswith(b"\n"):
                data += stream.rest_of_line(options)
            after = offset + len(data)
            yield Chunk(data if offset else data.removeprefix(codecs.BOM_UTF8), after, stream.bytes_read())
            offset = after
        self.check_unchanged()


def _unpack(raw: Any, member: str, compression: str | None) -> Any:
    """The bytes of a file, or of a member of a zip archive, without compression."""
    if member:
        raw = zipfile.ZipFile(raw).open(member)  # noqa: SIM115 - it is read later
    if compression == "xz":
        return lzma.LZMAFile(raw)
    if compression is None:
        return raw
    return pa.CompressedInputStream(pa.PythonFile(raw, mode="r") if member else raw, compression)


class ReadAhead(io.RawIOBase):
    """A stream that a thread of its own reads ahead, and so decompresses while rows are parsed and texts counted."""

    def __init__(self, stream: Any) -> None:
        super().__init__()
        self._stream = stream  # which closes the file below it when nothing refers to it
        self._blocks, self._block = prefetch(iter(partial(stream.read, BUFFER_BYTES), b"")), memoryview(b"")

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes; none at the end."""
        self._block = self._block or memoryview(next(self._blocks, b""))
        data, self._block = self._block[: len(buffer)], self._block[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


@dataclass(frozen=True)
class Stream:
    """Bytes to read, the file they come from, its name, and whether they are unpacked."""

    data: Any
    raw: Any
    name: str
    is_packed: bool

    def bytes_read(self) -> int:
        """How many bytes of the file on disk were read."""
        return self.raw.tell() if self.raw is not None else 0

    def rest_of_line(self, options: ReadOptions) -> bytes:
        """The bytes up to the next line end; raise if they are too many."""
        start, limit, parts, size = self.bytes_read(), options.max_row_bytes, list[bytes](), 0
        while part := self.data.readline(min(limit - size, MAX_BOMB_BYTES)):
            parts.append(part)
            size += len(part)
            if part.endswith(b"\n"):
                break
            if size == limit:
                raise options.too_large(f"{self.name} has a line")
            self.check_size(size, start, "line")
        return b"".join(parts)

    def check_size(self, size: int, start: int, what: str) -> None:
        """Raise if a line or row of `size` bytes from byte `start` of a compressed file, is no text but a bomb."""
        if self.is_packed and is_bomb(size, self.bytes_read() - start + READ_AHEAD):
            raise DocumentError(
                f"{self.name} is refused: a {what} of it unpacks to over a hundred times its size, as no text does. "
                "Check the file; if it is right, unpack it and read the unpacked file."
            )


@dataclass(frozen=True)
class Chunk:
    """Some lines of a file; `after` is the offset of the next."""

    data: bytes
    after: int
    bytes_read: int

    def lines(self) -> list[bytes]:
        r"""The lines without their ends.

        >>> Chunk(b"a\r\nb\n\nc", 7, 7).lines()
        [b'a', b'b', b'', b'c']
        """
        lines = self.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        return [line.removesuffix(b"\r") for line in lines] if b"\r" in self.data else lines


def read_whole(path: Path) -> bytes:
    """The bytes of a file; raise if it changes while it is read."""
    with path.open("rb") as file:
        before = FileState.of(os.fstat(file.fileno()))
        data = file.read()
        before.check_unchanged(FileState.of(os.fstat(file.fileno())), str(path))
    return data


def list_text_files(folder: Path) -> list[Path]:
    """The .txt files of a folder and its subfolders, sorted, without hidden ones."""
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix.lower() == ".txt" and not is_hidden(file.relative_to(folder)) and file.is_file()
    )


def is_hidden(file: Path) -> bool:
    """Whether a name in the path begins with a dot or an underscore, such as Spark's _SUCCESS and .part.crc.

    The files that Excel and Windows put beside others, ~$name.xlsx and Thumbs.db, are hidden, too.

    >>> is_hidden(Path("_temporary/part.csv")), is_hidden(Path("part_1.csv"))
    (True, False)
    """
    return file.name.lower() == "thumbs.db" or any(part.startswith((".", "_", "~$")) for part in file.parts)


ENCRYPTED = 1  # the bit of a zip entry that says so


def list_members(source: Source) -> list[zipfile.ZipInfo]:
    """The files of a zip archive, sorted by name, without hidden ones and those of macOS; raise if one is refused."""
    with file_errors(source.name), zipfile.ZipFile(source.path or "") as archive:
        if bomb := find_bomb(archive):
            raise DocumentError(f"{source.name} is refused: {bomb} unpacks to over a hundred times its size.")
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    if outside := next((member.filename for member in members if ".." in Path(member.filename).parts), None):
        raise DocumentError(f"{source.name} is refused: {outside} is the name of a file outside of it.")
    members = [member for member in members if not is_hidden(Path(member.filename))]
    if locked := next((member for member in members if member.flag_bits & ENCRYPTED), None):
        raise DocumentError(
            f"{source.name} is protected by a password ({locked.filename}). Unpack it, and give the files in it."
        )
    return sorted(members, key=lambda member: member.filename)


def unpack(source: Source) -> Source:
    """A compressed file, or a member of an archive, as a temporary file that is removed with its source."""
    if not source.is_packed or source.path is None:
        return source
    name = Path(source.member or source.path)
    folder = TemporaryFolder()
    target = folder.path / (name.stem if name.suffix.lower() in COMPRESSIONS else name.name)
    packed = source.path.stat().st_size
    with file_errors(source.name), target.open("wb") as file:
        stream = source.open().data
        while block := stream.read(BUFFER_BYTES):
            file.write(block)
            if is_bomb(file.tell(), packed):
                raise DocumentError(
                    f"{source.name} is refused: its {format_size(packed)} unpack to over a hundred times as much."
                )
    return Source(source.name, target, held=folder)


def unpack_texts(source: Source, members: list[zipfile.ZipInfo]) -> Source:
    """The .txt files of an archive as a temporary folder, in which each is a document."""
    folder = TemporaryFolder()
    with file_errors(source.name), zipfile.ZipFile(source.path or "") as archive:
        for member in members:
            archive.extract(member, folder.path)
    return Source(source.name, folder.path, held=folder)


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
