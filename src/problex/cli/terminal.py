"""Standard input, output and error: streams that are closed, other encodings than UTF-8, and control characters."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from problex.errors import ProblexError

MAX_MESSAGE = 2000
"""Characters of a message."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str, keep: str = "") -> str:
    r"""A text with control characters as escapes, so that it changes neither the terminal nor the lines of a message.

    Characters that change the direction of writing, separate lines or are no characters are control characters, too.

    >>> print(printable("a\x1b[2J\nb"), printable("a\tb", keep="\t") == "a\tb")
    a\x1b[2J\nb True
    """
    return _CONTROL.sub(lambda match: match[0] if match[0] in keep else _escape(match[0]), text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


class _ClosedStream(io.RawIOBase):
    """Raises when it is read or written."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise OSError(errno.EBADF, f"{self.name} is closed")

    def write(self, data: Any) -> int:
        raise OSError(errno.EBADF, f"{self.name} is closed")


def prepare_streams() -> None:
    """Make the standard streams safe to use: reading or writing a closed one raises, encoding never does.

    Python has None for a stream that is closed, and the next file that is opened would take its place.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(cast(Any, _ClosedStream("standard input")), encoding="utf-8")
    if sys.stdout is None:
        raw = cast(Any, _ClosedStream("standard output"))
        sys.stdout = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream, errors in ((sys.stdout, _COUNTING), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _count_escapes(error: UnicodeError) -> tuple[str | bytes, int]:
    """Escapes for characters that an encoding lacks, as by `backslashreplace`, which are counted."""
    if isinstance(error, UnicodeEncodeError):
        _ESCAPED[0] += error.end - error.start
    return codecs.backslashreplace_errors(error)


_COUNTING = "problex.escape"
_ESCAPED = [0]
"""The number of characters that standard output got as escapes."""
codecs.register_error(_COUNTING, _count_escapes)


def say(*messages: str) -> None:
    """Write lines to standard error, unless they are empty or it is closed; a terminal wraps them at spaces."""
    for message in filter(None, messages):
        with suppress(OSError):
            text = shorten(printable(message))
            if sys.stderr.isatty():
                text = wrap(text, shutil.get_terminal_size().columns)
            sys.stderr.write(text + "\n")


def shorten(message: str) -> str:
    """A message without its middle if that is very long, as that of a damaged file may be.

    >>> len(shorten("x" * 1_000_000)), shorten("short")
    (2031, 'short')
    """
    if len(message) <= MAX_MESSAGE:
        return message
    half = MAX_MESSAGE // 2
    return f"{message[:half]} ({len(message) - MAX_MESSAGE:,} characters left out) {message[-half:]}"


def wrap(text: str, width: int) -> str:
    """A line as lines of at most `width` characters; longer words stay whole.

    >>> print(wrap("two short words", 9))
    two short
    words
    """
    lines = textwrap.wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False, drop_whitespace=True)
    return "\n".join(lines)


def write_output(text: str) -> None:
    """Write a line, or lines, to standard output; control characters are escaped if that is a terminal."""
    sys.stdout.write((printable(text, keep="\n\t") if sys.stdout.isatty() else text) + "\n")


def is_utf8(stream: Any) -> bool:
    """Whether a stream can write every character.

    >>> from types import SimpleNamespace
    >>> [is_utf8(SimpleNamespace(encoding=name)) for name in ("UTF8", None, "latin-1", "no-such-encoding")]
    [True, True, False, False]
    """
    try:
        return codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name == "utf-8"
    except LookupError:
        return False


def decode_arguments(arguments: Sequence[str]) -> list[str]:
    """Arguments that Python could not decode in the encoding of the terminal, as UTF-8; names of files stay."""
    return [_decode(argument) if _is_undecoded(argument) else argument for argument in arguments]


def _is_undecoded(argument: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in argument)


def _decode(argument: str) -> str:
    name, sign, file = argument.rpartition("=")
    if os.path.exists(argument):
        return argument
    if sign and _is_undecoded(file) and os.path.exists(file):
        return f"{_decode(name) if _is_undecoded(name) else name}={file}"
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        raise ProblexError(
            f"the argument '{printable(argument)}' is neither valid UTF-8 nor the name of a file: check the encoding "
            "of the terminal"
        ) from None


def _describe_escapes() -> str:
    """A note about characters that standard output got as escapes, or nothing."""
    if not _ESCAPED[0]:
        return ""
    number = f"{_ESCAPED[0]:,} characters were" if _ESCAPED[0] > 1 else "1 character was"
    note, encoding = f"problex: note: {number} written to standard output as escapes such as", sys.stdout.encoding
    if str(encoding).lower().startswith("utf"):  # which has all characters
        return f"{note} \\ud800: halves of characters (lone surrogates), which {encoding} cannot represent"
    return f"{note} \\xe9, because its encoding, {encoding}, lacks them: set PYTHONIOENCODING=utf-8"


def close_output() -> str | None:
    """Write what standard output still holds; returns the reason if that fails, "" if its reader has gone."""
    say(_describe_escapes())
    _ESCAPED[0] = 0
    try:
        sys.stdout.flush()
    except OSError as error:
        with suppress(OSError):  # Python tries once more when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return "" if error.errno == errno.EPIPE else error.strerror or str(error)
    return None
