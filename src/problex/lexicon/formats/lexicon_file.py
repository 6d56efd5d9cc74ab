"""A lexicon file in memory: its bytes, its decoded text and its lines, what a person said about it, and what is read.

Also the result of a writer: the bytes of a file, and what its format cannot hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path, PurePath

from problex._util.formatting import pluralize
from problex.errors import LexiconError, OutputError, opt
from problex.lexicon.dictionary import Dictionary, path_of
from problex.lexicon.lexicon import Entry, Issue
from problex.tables.encoding import Encoding, describe_readings, guess_encoding

MAX_DEPTH = 100
"""How deep categories may be nested."""
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
"""Share of characters that are zero, beyond which a file is no text."""
DOES_NOT_FIT = "does not fit the format"
"""The issue of an entry that a format cannot hold."""


def encoding_option() -> str:
    """The option for the encoding of a lexicon, for messages."""
    return f"{opt('encoding')} (--lexicon-encoding in commands that read texts)"


@dataclass(frozen=True)
class FileOptions:
    """Columns of a table by name or number, how ratings become two lists, and the sheet of a workbook.

    Words rated above `midpoint` are positive and words below it negative; those within `neutral`, which contains the
    midpoint, are neither.

    >>> ratings = FileOptions(neutral=(4, 6))
    >>> ratings.midpoint, [ratings.list_of(rating) for rating in (7.5, 5.5, 1)]
    (5.0, ['positive', None, 'negative'])
    """

    word: str | None = None
    label: str | None = None
    weight: str | None = None
    midpoint: float | None = None
    neutral: tuple[float, float] | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        for name, numbers in (("midpoint", (self.midpoint,)), ("neutral", self.neutral or ())):
            if any(number is not None and not isfinite(number) for number in numbers):
                raise LexiconError(f"{name}={':'.join(map(str, numbers))} was given, expected finite numbers")
        if self.neutral is None:
            return
        low, high = self.neutral
        if self.midpoint is None:
            object.__setattr__(self, "midpoint", sum(self.neutral) / 2)
        if self.midpoint is not None and not low <= self.midpoint <= high:
            neutral, midpoint = opt("neutral", (low, high)), opt("midpoint", f"{self.midpoint:g}")
            raise LexiconError(
                f"{neutral} does not contain {midpoint}, expected two numbers around it, the lower one first"
            )

    @property
    def names_columns(self) -> bool:
        """Whether a column was named."""
        return any((self.word, self.label, self.weight))

    def list_of(self, weight: float) -> str | None:
        """The list of a rated word; None if it is neutral.

        >>> [FileOptions(midpoint=5, neutral=(4, 6)).list_of(rating) for rating in (2, 6, 6.5)]
        ['negative', None, 'positive']
        """
        middle = self.midpoint or 0.0
        low, high = self.neutral or (middle, middle)
        return None if low <= weight <= high else "positive" if weight > middle else "negative"


def parse_neutral(text: str) -> tuple[float, float]:
    """The two numbers of `4:6`.

    >>> parse_neutral("4:6")
    (4.0, 6.0)
    """
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        raise LexiconError(f"--neutral {text} was given, expected two numbers such as 4:6") from None
    return low, high


@dataclass(frozen=True)
class LexiconFile:
    """A file's name and bytes; `encoding` and `list_name` (the list of all its entries) if the user named them.

    >>> file = LexiconFile("moods.txt", "froh\\r\\nschön".encode())
    >>> file.lines, file.default_list, file.where(2)
    (('froh', 'schön'), 'moods', 'moods.txt:2')
    """

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

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The lines that are not blank."""
        return tuple(line for line in self.lines if line.strip())

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


class LexiconReading:
    """The entries and the issues that are read from a file.

    >>> reading = LexiconReading(LexiconFile("moods.txt", b"glad"))
    >>> reading.add("glad", "up", line=1)
    >>> reading.report("bad line", "+", "left out", line=2)
    >>> reading.dictionary().entries, str(reading.issues[0])
    ((Entry(text='glad', list='up', where='moods.txt:1', weight=None),), "'+' (moods.txt:2): bad line, left out")
    """

    def __init__(self, file: LexiconFile) -> None:
        self.file = file
        self.entries: list[Entry] = []
        self.issues: list[Issue] = []

    def add(self, text: str, category: str, line: int, weight: float | None = None) -> None:
        """Add an entry."""
        self.entries.append(Entry(text, category, self.file.where(line), weight))

    def report(self, kind: str, entry: str, action: str, line: int | None = None, *, loud: bool = False) -> None:
        """Add an issue of a line, or of the file."""
        where = self.file.name if line is None else self.file.where(line)
        self.issues.append(Issue(kind, entry, where, action, loud))

    def dictionary(self) -> Dictionary:
        """What was read."""
        return self.file.dictionary(self.entries, self.issues)


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
    try:
        text = raw.decode(guess.codec)
    except UnicodeDecodeError:
        if guess.is_utf8 and (mixed := _decode_lines(raw)) is not None:
            return mixed
        text = raw.decode(guess.codec, "replace")
    if text.count("\0") > MAX_ZEROS * len(text):
        raise LexiconError(
            f"{name} cannot be read as text, expected a text file or an .xlsx workbook: save the lexicon as CSV"
        )
    return Decoded(text.removeprefix("\ufeff"), guess, "" if guess.is_certain else _doubt(raw, guess, name))


def _decode_lines(raw: bytes) -> Decoded | None:
    """A file of lines in UTF-8 and lines in one other encoding; None if it is not one."""
    lines: list[str | bytes] = [*raw.split(b"\n")]
    for at, line in enumerate(raw.split(b"\n")):
        with suppress(UnicodeDecodeError):
            lines[at] = line.decode()
    others = [line for line in lines if isinstance(line, bytes)]
    guess = guess_encoding(b"\n".join(others))
    if guess is None or guess.is_utf8 or not guess.is_certain:
        return None
    rest = sum(isinstance(line, str) and not line.isascii() for line in lines)
    shown = f"{pluralize(len(others), 'line is', 'lines are')} in {guess.label} and {rest:,} in UTF-8"
    text = "\n".join(line if isinstance(line, str) else line.decode(guess.codec, "replace") for line in lines)
    return Decoded(text.removeprefix("\ufeff"), guess, shown)


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
    several = pluralize(doubtful, "line has", "lines have")
    return f"{several} characters that depend on the encoding, which is not certain: {readings}"


def _decode_as(raw: bytes, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise LexiconError(f"{name}:{line} is not {encoding} ({error.reason}): name another encoding") from None
    except (LookupError, ValueError):
        raise LexiconError(f"the encoding {encoding!r} is not known, expected one like utf-8 or cp1250") from None


def drop_surrogates(entries: list[Entry], issues: list[Issue]) -> tuple[list[Entry], list[Issue]]:
    r"""Leave out entries that are no valid text because they have half a character, such as "\ud800" in JSON.

    >>> [entry.text for entry in drop_surrogates([Entry("caf\u00e9", "a", ""), Entry("caf\ud800", "a", "")], [])[0]]
    ['café']
    """
    invalid = [entry for entry in entries if _HALF.search(entry.text + entry.list)]
    if not invalid:
        return entries, issues
    action = "left out: it has half a character (a lone surrogate)"
    lost = [Issue("invalid text", ascii(entry.text)[1:-1], ascii(entry.where)[1:-1], action) for entry in invalid]
    return [entry for entry in entries if not _HALF.search(entry.text + entry.list)], [*issues, *lost]


_HALF = re.compile("[\ud800-\udfff]")


def drop_unit_weights(entries: list[Entry]) -> list[Entry]:
    """The entries without their weights if all weights are 1, which some formats require of every entry.

    >>> drop_unit_weights([Entry("good", "up", "a.csv:1", 1.0)])
    [Entry(text='good', list='up', where='a.csv:1', weight=None)]
    """
    if all(entry.weight in (None, 1) for entry in entries):
        return [Entry(entry.text, entry.list, entry.where) for entry in entries]
    return entries


@dataclass(frozen=True)
class Output:
    """The bytes, and an issue for each entry or weight that the format cannot hold."""

    data: bytes
    issues: tuple[Issue, ...] = ()

    @classmethod
    def from_text(cls, text: str, issues: Iterable[Issue], dictionary: Dictionary, *, weights: bool) -> Output:
        """Text in UTF-8; without `weights` the format cannot hold weights, and each is an issue."""
        lost = (
            [] if weights else [unsupported_weight(entry) for entry in dictionary.entries if entry.weight is not None]
        )
        return cls(text.encode("utf-8", "surrogatepass"), (*issues, *lost))

    @classmethod
    def from_lines(
        cls, lines: Iterable[str], issues: Iterable[Issue], dictionary: Dictionary, *, weights: bool
    ) -> Output:
        """Lines, to which the line ends are added."""
        return cls.from_text("".join(f"{line}\n" for line in lines), issues, dictionary, weights=weights)


def unsupported_entry(entry: Entry, why: str) -> Issue:
    """An entry that is left out because the format would read it as something else."""
    return Issue(DOES_NOT_FIT, entry.text, entry.where, f"left out: {why}")


def unsupported_weight(entry: Entry) -> Issue:
    """A weight that the format cannot hold."""
    shown = None if entry.weight is None else round(entry.weight, 6)
    return Issue("weight not kept", entry.text, entry.where, f"the format cannot hold {shown}")


class CategoryTree(dict[str, "CategoryTree"]):
    """Nested categories in the order of the file, each with its own entries."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> CategoryTree:
        """Entries by the path of their category.

        >>> CategoryTree.of([Entry("good", "a/" * 101, "a:1")])
        Traceback (most recent call last):
        problex.errors.OutputError: a category has 101 levels, expected at most 100: rename it with --list
        """
        root = cls()
        for entry in entries:
            node = root
            path = path_of(entry.list)
            if len(path) > MAX_DEPTH:
                raise OutputError(
                    f"a category has {len(path):,} levels, expected at most {MAX_DEPTH}: rename it with --list"
                )
            for name in path:
                node = node.setdefault(name, cls())
            node.entries.append(entry)
        return root


def format_weight(weight: float) -> str:
    """A weight as short as it can be written without losing a digit.

    >>> format_weight(2.0), format_weight(-0.05)
    ('2', '-0.05')
    """
    return repr(int(weight)) if weight == int(weight) and abs(weight) < 1e15 else repr(weight)
