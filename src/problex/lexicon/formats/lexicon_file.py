"""A lexicon file in memory: its bytes, its decoded text, and its lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.decoding import Decoded, decode, encoding_option
from problex.lexicon.formats.options import FileOptions
from problex.lexicon.lexicon import Entry, Issue

MAX_DEPTH = 100
"""How deep categories may be nested."""


@dataclass(frozen=True)
class LexiconFile:
    """A file's name and bytes; `encoding` and `list_name` (the list of all its entries) if the user named them."""

    name: str
    data: bytes
    encoding: str | None = None
    list_name: str | None = None
    options: FileOptions = field(default_factory=FileOptions)

    @classmethod
    def read(
        cls,
        path: Path,
        encoding: str | None = None,
        list_name: str | None = None,
        options: FileOptions | None = None,
    ) -> LexiconFile:
        """Read a file; raise if it does not exist or is a folder."""
        try:
            return cls(path.name, path.read_bytes(), encoding, list_name, options or FileOptions())
        except FileNotFoundError:
            raise LexiconError(f"there is no lexicon file {str(path)!r}: check the path") from None
        except IsADirectoryError:
            raise LexiconError(f"{str(path)!r} is a folder, expected a lexicon file") from None

    @property
    def suffix(self) -> str:
        """The end of the name, in lower case: `.dic`."""
        return PurePath(self.name).suffix.lower()

    @property
    def is_one_list(self) -> bool:
        """Whether the user named the list to which all entries belong."""
        return self.list_name is not None

    @property
    def default_list(self) -> str:
        """The list of entries for which the file names none."""
        return self.list_name or PurePath(self.name).stem

    @cached_property
    def _decoded(self) -> Decoded:
        return decode(self.data, self.encoding, self.name)

    @property
    def text(self) -> str:
        """The characters of the file."""
        return self._decoded.text

    @cached_property
    def lines(self) -> tuple[str, ...]:
        r"""The lines, which end in `\n`, `\r\n` or `\r`; other line separators of Unicode are part of an entry."""
        return tuple(re.split(r"\r\n|\n|\r", self.text))

    def where(self, line: int | str) -> str:
        """The position of a line, for messages: `pos.txt:12`."""
        return f"{self.name}:{line}"

    def check_depth(self, depth: int, line: int | str) -> None:
        """Raise if categories are nested too deeply."""
        if depth > MAX_DEPTH:
            raise LexiconError(f"{self.where(line)} is nested too deeply, expected at most {MAX_DEPTH} levels")

    def dictionary(self, entries: list[Entry], issues: list[Issue]) -> Dictionary:
        """The result of a reader of text: entries and issues, with an issue for a guessed encoding."""
        entries, issues = drop_surrogates(entries, issues)
        encoding = self._decoded.encoding
        if self._decoded.doubt:
            action = (
                f"read as such, or as {encoding.label}: name the encoding with {encoding_option()} if words look wrong"
            )
            issues = [Issue("doubtful encoding", self._decoded.doubt, self.name, action, loud=True), *issues]
        elif self.encoding is None and not encoding.codec.startswith("utf"):
            action = f"read as {encoding.label}: name another with {encoding_option()} if words look wrong"
            issues = [Issue("old encoding", self.name, "whole file", action), *issues]
        return Dictionary(tuple(entries), tuple(issues))


def drop_surrogates(entries: list[Entry], issues: list[Issue]) -> tuple[list[Entry], list[Issue]]:
    r"""Leave out entries that are no valid text because they have half a character, such as "\ud800" in JSON."""
    try:
        for entry in entries:
            (entry.text + entry.list).encode()
        return entries, issues
    except UnicodeEncodeError:
        valid = [entry for entry in entries if is_valid_text(entry.text + entry.list)]
        action = "left out: it has half a character (a lone surrogate)"
        invalid = [entry for entry in entries if not is_valid_text(entry.text + entry.list)]
        return valid, issues + [
            Issue("invalid text", ascii(entry.text)[1:-1], ascii(entry.where)[1:-1], action) for entry in invalid
        ]


def is_valid_text(text: str) -> bool:
    r"""Whether a text can be encoded.

    >>> is_valid_text("caf\u00e9"), is_valid_text("caf\ud800")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def drop_unit_weights(entries: list[Entry]) -> list[Entry]:
    """The entries without their weights if all weights are 1, which some formats require of every entry."""
    if all(entry.weight in (None, 1) for entry in entries):
        return [Entry(entry.text, entry.list, entry.where) for entry in entries]
    return entries
