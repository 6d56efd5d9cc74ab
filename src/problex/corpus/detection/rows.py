"""The first rows of a table for a given delimiter and quotes, divided as Arrow divides them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

MAX_ROWS = 200


@dataclass(frozen=True)
class Quoting:
    r"""The character around cells, none if it is empty, and whether \" stands for a quote within one."""

    quote: str = '"'
    escaped: bool = False


@dataclass(frozen=True)
class Row:
    """The cells of a row and its place in the sample.

    `proper` counts the quoted cells that end with a quote, `malformed` those that do not. With `begins_quoted`, the
    first cell is quoted.
    """

    cells: tuple[str, ...]
    start: int
    end: int
    proper: int = 0
    malformed: int = 0
    begins_quoted: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but delimiters and blanks."""
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True)
class Layout:
    """The rows of a sample that are not blank, for a delimiter and quotes."""

    delimiter: str
    quoting: Quoting
    rows: tuple[Row, ...]

    @cached_property
    def width(self) -> int:
        """The most frequent number of cells in a row."""
        return Counter(len(row.cells) for row in self.rows).most_common(1)[0][0] if self.rows else 0

    @cached_property
    def share(self) -> float:
        """The share of rows that have this number of cells."""
        width = self.width
        return sum(len(row.cells) == width for row in self.rows) / max(len(self.rows), 1)

    @property
    def malformed(self) -> int:
        """The quoted cells that do not end with a quote."""
        return sum(row.malformed for row in self.rows)

    @property
    def proper(self) -> int:
        """The quoted cells that end with a quote."""
        return sum(row.proper for row in self.rows)


def lay_out(sample: str, delimiter: str, quoting: Quoting, *, is_whole: bool) -> Layout:
    r"""The first rows of a sample; the last one is left out if the sample ends within it.

    >>> [row.cells for row in lay_out('a,b\n1,"c, d"\n', ",", Quoting(), is_whole=True).rows]
    [('a', 'b'), ('1', 'c, d')]
    """
    pattern = _cell_pattern(delimiter, quoting)
    rows: list[Row] = []
    cells: list[str] = []
    at = start = proper = malformed = 0
    while at < len(sample) and len(rows) < MAX_ROWS:
        match = pattern.match(sample, at)
        assert match is not None
        quoted, closing, tail, plain, end = match.groups()
        if quoted is not None:
            plain = _unescape(quoted, quoting) + tail
            is_proper = bool(closing) and not tail.strip()
            proper, malformed = proper + is_proper, malformed + (not is_proper)
        cells.append(plain)
        at = match.end()
        if end == delimiter and at < len(sample):
            continue
        if end or is_whole:
            begins_quoted = bool(quoting.quote) and sample.startswith(quoting.quote, start)
            whole = (*cells, "") if end == delimiter else tuple(cells)
            rows.append(Row(whole, start, at, proper, malformed, begins_quoted))
        cells, start, proper, malformed = [], at, 0, 0
    return Layout(delimiter, quoting, tuple(row for row in rows if not row.is_blank))


@cache
def _cell_pattern(delimiter: str, quoting: Quoting) -> re.Pattern[str]:
    """A cell and what ends it: a quoted one with its closing quote and what follows it, or a plain one."""
    ends, quote = re.escape(delimiter) + r"\r\n", re.escape(quoting.quote)
    escape = r"|\\(?:.|\Z)" if quoting.escaped else ""
    stop = r"\\" if quoting.escaped else ""
    plain = rf"((?:[^{ends}{stop}]++{escape})*+)"
    end = rf"({re.escape(delimiter)}|\r\n|\n|\r|\Z)"
    if not quote:
        return re.compile(rf"(?:(?!)()()())?{plain}{end}", re.S)  # the groups of a quoted cell never match
    inner = rf"((?:[^{quote}{stop}]++|{quote}{quote}{escape})*+)"
    return re.compile(rf"(?:{quote}{inner}({quote}?)([^{ends}]*+)|{plain}){end}", re.S)


def _unescape(cell: str, quoting: Quoting) -> str:
    cell = cell.replace(2 * quoting.quote, quoting.quote)
    return re.sub(r"(?s)\\(.)", r"\1", cell) if quoting.escaped else cell
