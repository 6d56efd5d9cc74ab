"""The text of a lexicon file: its encoding is given, or guessed as that of texts is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from problex._util.formatting import pluralize
from problex.errors import LexiconError, opt
from problex.tables.encoding import Encoding, describe_readings, guess_encoding

BINARY = {
    re.compile(rb"\x1f\x8b|BZh[1-9]1AY&SY|\xfd7zXZ|\x28\xb5\x2f\xfd"): (
        "compressed, or a file of R (.rda, .rds)",
        "unpack it, or write its table as CSV (in R, write.csv)",
    ),
    re.compile(rb"RD[XAB][23]\r?\n"): ("a file of R", "write its table as CSV (in R, write.csv)"),
    re.compile(rb"PAR1|SQLite format 3\0|\$FL2|<stata_dta>"): ("a database or a file of statistics", "save it as CSV"),
    re.compile(rb"%PDF-|\{\\rtf"): ("a formatted document", "save the words as plain text or CSV"),
}
"""First bytes -> what a file is that is no text, and what to do."""
MOST_DOUBTFUL = 0.2
"""Share of lines whose encoding may be uncertain: beyond it, a file is refused, not read with a warning."""
MAX_ZEROS = 0.1


def encoding_option() -> str:
    """The option for the encoding of a lexicon, for messages."""
    return f"{opt('encoding')} (--lexicon-encoding in commands that read texts)"


@dataclass(frozen=True)
class Decoded:
    """The text of a file, its encoding, and, if that is not certain, how else a line may be read."""

    text: str
    encoding: Encoding
    doubt: str = ""


def decode(raw: bytes, encoding: str | None, name: str) -> Decoded:
    """The text and its encoding: the given one, or the one that is guessed.

    >>> decode("schön".encode(), None, "a.txt").text
    'schön'
    """
    if encoding is not None:
        return Decoded(_decode_as(raw, encoding, name), Encoding(encoding, encoding))
    for signature, (kind, advice) in BINARY.items():
        if signature.match(raw):
            raise LexiconError(f"{name} is {kind}, expected a lexicon as text or .xlsx: {advice}")
    guess = guess_encoding(raw) or Encoding("cp1252", "Windows-1252", ("cp1252",))
    if guess.is_utf8 and (mixed := _decode_lines(raw)) is not None:
        return mixed
    text = raw.decode(guess.codec, "replace").removeprefix("\ufeff")
    if text.count("\0") > MAX_ZEROS * len(text):
        raise LexiconError(
            f"{name} cannot be read as text, expected a text file or an .xlsx workbook: save the lexicon as CSV"
        )
    return Decoded(text, guess, "" if guess.is_certain else _doubt(raw, guess, name))


def _decode_lines(raw: bytes) -> Decoded | None:
    """A file of lines in UTF-8 and lines in one other encoding; None if it is not one."""
    lines = raw.split(b"\n")
    others = [line for line in lines if not is_utf8(line)]
    guess = guess_encoding(b"\n".join(others)) if others else None
    if guess is None or guess.is_utf8 or not guess.is_certain:
        return None
    text = "\n".join(line.decode("utf-8" if is_utf8(line) else guess.codec, "replace") for line in lines)
    number = sum(not line.isascii() for line in lines) - len(others)
    shown = f"{pluralize(len(others), 'line is', 'lines are')} in {guess.label} and {number:,} in UTF-8"
    return Decoded(text.removeprefix("\ufeff"), guess, shown)


def is_utf8(line: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _doubt(raw: bytes, guess: Encoding, name: str) -> str:
    """How a line may be read; raise if the encoding matters for many lines."""
    lines = [line for line in raw.splitlines() if line.strip()]
    doubtful = sum(not line.isascii() for line in lines)
    readings = describe_readings(guess, raw)
    if doubtful > max(1, MOST_DOUBTFUL * len(lines)):
        raise LexiconError(
            f"the encoding of {name} is not certain. A line of it is {readings}. Give the right one with "
            f"{encoding_option()}, or save the file as UTF-8"
        )
    number = pluralize(doubtful, "line has", "lines have")
    return f"{number} characters that depend on the encoding, which is not certain: {readings}"


def _decode_as(raw: bytes, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise LexiconError(f"{name}:{line} is not {encoding} ({error.reason}): name another encoding") from None
    except (LookupError, ValueError):
        raise LexiconError(f"the encoding {encoding!r} is not known, expected one like utf-8 or cp1250") from None
