"""A lexicon file in memory: its bytes, its text whatever the encoding, its lines, and where they stand."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePath

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.lexicon import Entry, Problem

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True)
class Source:
    """A file's name and bytes; `encoding` and `listed` (the list that all entries belong to) when the user said so."""

    name: str
    data: bytes
    encoding: str | None = None
    listed: str | None = None

    @property
    def suffix(self) -> str:
        """The end of the name, in lower case: `.dic`."""
        return PurePath(self.name).suffix.lower()

    @property
    def only_list(self) -> str:
        """What a list is called for which the file has no name."""
        return self.listed or PurePath(self.name).stem

    @cached_property
    def _decoded(self) -> tuple[str, str]:
        return decode(self.data, self.encoding, self.name)

    @property
    def text(self) -> str:
        """The characters of the file."""
        return self._decoded[0]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, whichever way they end; only line ends divide, not the rarer separators of Unicode."""
        return tuple(re.split(r"\r\n|\n|\r", self.text))

    def where(self, line: int | str) -> str:
        """Where something stands, as shown to people: `pos.txt:12`."""
        return f"{self.name}:{line}"

    def result(self, entries: list[Entry], problems: list[Problem]) -> Dictionary:
        """What a reader of text gives back: its entries and problems, and a guessed encoding among these."""
        if self._decoded[1] not in ("utf-8", "utf-8-sig", "utf-16", self.encoding):
            action = f"read as {self._decoded[1]}: name another with --encoding if words look wrong"
            problems = [Problem("old encoding", self.name, "whole file", action), *problems]
        return Dictionary(tuple(entries), tuple(problems))


def read_source(path: Path, encoding: str | None = None, listed: str | None = None) -> Source:
    """Read a file; one that is not there, a folder or an unknown encoding is a clear error."""
    try:
        return Source(path.name, path.read_bytes(), encoding, listed)
    except FileNotFoundError:
        raise LexiconError(f"there is no lexicon file {str(path)!r}: check the path") from None
    except IsADirectoryError:
        raise LexiconError(f"{str(path)!r} is a folder, expected a lexicon file") from None


def decode(raw: bytes, encoding: str | None, name: str) -> tuple[str, str]:
    """The text and its encoding: as told, else by its byte order mark, else UTF-8, Windows-1252 or latin-1.

    Every byte means something in latin-1, so nothing is lost; Windows-1252 is tried first because it differs only
    where latin-1 has control characters. UTF-16 without a mark shows itself by a zero in every second byte.
    """
    if encoding is not None:
        try:
            return raw.decode(encoding).removeprefix("\ufeff"), encoding
        except LookupError:
            raise LexiconError(f"the encoding {encoding!r} is not known, expected one like utf-8 or cp1250") from None
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise LexiconError(f"{name}:{line} is not {encoding} ({error.reason}): name another encoding") from None
    for mark, known in _BOMS:
        if raw.startswith(mark):
            return raw.decode(known, "replace"), known
    for start, known in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(raw) > 3 and len(raw) % 2 == 0 and raw[start::2].count(0) > len(raw) // 4:
            return raw.decode(known, "replace"), "utf-16"
    for known in ("utf-8", "cp1252"):
        try:
            return raw.decode(known), known
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1"), "latin-1"
