"""Delimited rows, and how they are written: the delimiter, quotes, header and names, from the first bytes."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import NamedTuple

from problex._util.formatting import pluralize
from problex.errors import DocumentError, opt, was_given

MAX_ROWS = 200


@dataclass(frozen=True)
class Quoting:
    r"""The character around cells, none if it is empty, and whether \" stands for a quote within one."""

    quote: str = '"'
    escaped: bool = False


class Row(NamedTuple):
    """The cells of a row and its place in the text.

    `proper` counts the quoted cells that end with a quote, `malformed` those that do not; `many_lines` are the places
    of quoted cells that have a line end. With `begins_quoted`, the first cell is quoted; with `is_open`, the last one
    is, and has no closing quote.
    """

    cells: tuple[str, ...]
    start: int = 0
    end: int = 0
    proper: int = 0
    malformed: int = 0
    many_lines: tuple[tuple[int, int], ...] = ()
    begins_quoted: bool = False
    is_open: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but delimiters and blanks."""
        return not any(cell.strip() for cell in self.cells)


def read_row(text: str, start: int, delimiter: str, quoting: Quoting, *, is_whole: bool = True) -> Row | None:
    r"""The row that begins at a place of a text; a quote opens a cell only at its beginning.

    None if the text ends within the row, or may do so because its line end may go on, and is not the `whole` text.

    >>> read_row('1,"c ""d"", e"\n2,f', 0, ",", Quoting()).cells, read_row('1,"c', 0, ",", Quoting()).is_open
    (('1', 'c "d", e'), True)
    >>> read_row("1,c", 0, ",", Quoting(), is_whole=False)
    """
    pattern, at, end = _cell_pattern(delimiter, quoting), start, delimiter
    cells: list[str] = []
    many_lines: list[tuple[int, int]] = []
    proper = malformed = 0
    is_open = False
    while end == delimiter:
        match = pattern.match(text, at)
        assert match is not None
        end = match[5]
        if not is_whole and match.end() == len(text) and end in ("", "\r"):
            return None
        quoted, closing, tail, cell, _ = match.groups()
        if quoted is not None:
            cell = quoted.replace(2 * quoting.quote, quoting.quote) + tail
            is_open = not closing
            is_proper = bool(closing) and not tail.strip()
            proper, malformed = proper + is_proper, malformed + (not is_proper)
            if "\n" in quoted or "\r" in quoted:
                many_lines.append((at, match.start(3)))
        cells.append(re.sub(r"(?s)\\(.)", r"\1", cell) if quoting.escaped else cell)
        at = match.end()
    begins_quoted = bool(quoting.quote) and text.startswith(quoting.quote, start)
    return Row(tuple(cells), start, at, proper, malformed, tuple(many_lines), begins_quoted, is_open)


def read_rows(text: str, delimiter: str, quoting: Quoting, *, is_whole: bool = True) -> Iterator[Row]:
    r"""The rows of a text, whatever number of cells they have; the last is left out if the text ends within it.

    >>> [row.cells for row in read_rows('a,b\n1,"c, d"\n2\n', ",", Quoting())]
    [('a', 'b'), ('1', 'c, d'), ('2',)]
    """
    at = 0
    while at < len(text) and (row := read_row(text, at, delimiter, quoting, is_whole=is_whole)):
        yield row
        at = row.end


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


@dataclass(frozen=True)
class RowLayout:
    """The first rows of a sample that are not blank, for a delimiter and quotes."""

    delimiter: str
    quoting: Quoting
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, sample: str, delimiter: str, quoting: Quoting, *, is_whole: bool) -> RowLayout:
        r"""The layout of a sample; the last row is left out if the sample ends within it.

        >>> [len(RowLayout.of("a,b\nc,d", ",", Quoting(), is_whole=whole).rows) for whole in (True, False)]
        [2, 1]
        """
        rows = islice(read_rows(sample, delimiter, quoting, is_whole=is_whole), MAX_ROWS)
        return cls(delimiter, quoting, tuple(row for row in rows if not row.is_blank))

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


TEXT_NAMES = ("text", "document", "body", "content", "review", "comment", "message", "tweet", "sentence",
              "description", "abstract", "title", "transcript", "answer")  # fmt: skip
"""Names that a column of texts usually has, the likeliest first."""
MAX_TITLE_LINES = 5
MAX_COLUMNS_COMPARED = 1000  # with the values below them, to tell a header from values
MAX_NAME_CHARACTERS = 40  # of an ordinary name of a column
MIN_ROWS = 3  # without which the values of a column are no evidence
_NUMBER = re.compile(r"\s*[-+]?[\d.,:/ -]*\d[\d.,:/ %-]*")
MIN_TEXT_WORDS = 4  # in a name that may be a text
MIN_SHAPE = 6  # characters of a value that is known by its shape, such as a date
_SENTENCE = re.compile(r"\S+ \S+.*[.!…]$")
_DASHES = re.compile(r"\s*:?--+:?\s*")
_UNIT = re.compile(r"\s*(?:-|%|[mck]?m|[mk]?g|m?s|min|h|°[CF]|€|\$|EUR|USD|\[[^]]{1,12}\]|\([^)]{1,12}\))?\s*")
_IMPORT_ID = re.compile(r'\{"ImportId"')
_RESPONSE = re.compile(r"Open-Ended Response|Response|Other \(please specify\)", re.I)


def find_header(rows: Sequence[Row], width: int) -> int:
    """The number of title lines above the header: 0 unless they are plainly none of the table.

    >>> titled = [Row(("Survey of May",)), Row(("id", "answer")), Row(("1", "fine"))]
    >>> find_header(titled, 2), find_header(titled[1:], 2)
    (1, 0)
    """
    for number, row in enumerate(rows[: MAX_TITLE_LINES + 1]):
        is_full = len(row.cells) == width and all(cell.strip() for cell in row.cells)
        if is_full:
            below = rows[number + 1 :]
            is_plain = sum(len(row.cells) == width for row in below) >= 0.9 * len(below) > 0
            return number if is_plain and not any(map(_is_number, row.cells)) else 0
        if width < 2 or any(cell.strip() for cell in row.cells[1:]) or re.search(r"[;|\t]", row.cells[0]):
            return 0  # a title has one cell, and no delimiter
    return 0


def has_header(rows: Sequence[Row]) -> bool:
    """Whether the first row has the names of the columns; it has unless its cells are plainly values.

    >>> has_header([Row(("1", "fine")), Row(("2", "bad")), Row(("3", "good"))])
    False
    """
    first, below = [cell.strip() for cell in rows[0].cells], rows[1:]
    if any(cell.lower() in (*TEXT_NAMES, "id") for cell in first):
        return True
    if len(below) < MIN_ROWS - 1:
        return not (any(map(_is_number, first)) and any(map(_SENTENCE.match, first)))
    others = [row for row in below if row.cells != rows[0].cells]
    for at, cell in enumerate(first[:MAX_COLUMNS_COMPARED]):
        values = [row.cells[at].strip() for row in others if at < len(row.cells)]
        if _is_number(cell) and sum(map(_is_number, values)) >= 0.9 * len(values) > 0:
            return False
        if cell and values.count(cell) >= max(2, 0.02 * len(values)):
            return False  # a label that occurs again
        if _is_shaped(cell) and sum(_shape(value) == _shape(cell) for value in values) >= 0.9 * len(values) > 0:
            return False
    return not (len(first) == 1 and _SENTENCE.match(first[0]))


def _is_shaped(cell: str) -> bool:
    return len(cell) >= MIN_SHAPE and any(map(str.isdigit, cell))


def _shape(cell: str) -> str:
    """A cell with a 9 for each number and an a for each word: the shape of a date, a time or an address.

    >>> _shape("Mon Apr 06 22:19:45 PDT 2009")
    'a a 9 9:9:9 a 9'
    """
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", cell))


def count_subheaders(rows: Sequence[Row]) -> int:
    """The number of rows below the header that are not values: questions and ids of survey tools, or dashes.

    A row of units has cells such as "-", "mm" or "[kg]", and no values. Qualtrics writes the questions and then its
    ids; SurveyMonkey the kinds of answers, nothing in the first column.

    >>> ids = '{"ImportId":"QID1"}'
    >>> count_subheaders([Row(cells) for cells in (("Q1",), ("How was it?",), (ids,), ("Fine",))])
    2
    """
    for number, row in enumerate(rows[1:3], 1):
        if all(map(_IMPORT_ID.match, row.cells)):
            return number
    cells = rows[1].cells if len(rows) > 1 else ()
    is_dashes = len(cells) > 1 and all(_DASHES.fullmatch(cell) for cell in cells if cell.strip())
    is_kinds = len(cells) > 1 and not cells[0].strip() and any(map(_RESPONSE.fullmatch, cells))
    is_units = len(cells) > 1 and any(map(str.strip, cells)) and all(map(_UNIT.fullmatch, cells))
    return int(is_dashes or is_kinds or is_units)


def is_doubtful(names: Sequence[str]) -> bool:
    """Whether a name of a column looks like a text.

    >>> is_doubtful(["id", "text"]), is_doubtful(["1", "A film that I liked more than I had expected"])
    (False, True)
    """
    return any(
        len(name) > MAX_NAME_CHARACTERS or len(name.split()) >= MIN_TEXT_WORDS or _SENTENCE.match(name) or "  " in name
        for name in names
    )


def name_columns(cells: Sequence[str], width: int) -> list[str]:
    """The names without blanks around them; a column without a name is called by its number.

    >>> name_columns([" id", "", "text"], 4)
    ['id', 'column_2', 'text', 'column_4']
    """
    stripped = [cell.strip().strip("\ufeff") for cell in cells]
    named = [name or f"column_{number}" for number, name in enumerate(stripped, 1)]
    return named + [f"column_{number}" for number in range(len(named) + 1, width + 1)]


def fit_names(header: Row, below: Sequence[Row], width: int) -> list[str]:
    """The names of the columns where rows have a cell more or less than the header, for a plain reason.

    Rows may end with a delimiter though the header does not, or the reverse; R writes row names without a header, all
    in quotes: otherwise the cell more may come from a delimiter in a text.

    >>> header, rows = Row(('"text"',), proper=1), [Row(("1", "good"), begins_quoted=True)]
    >>> fit_names(header, rows, 2), fit_names(Row(("id", "text")), [Row(("1", "good", ""))], 3)
    (['column_1', '"text"'], ['id', 'text', 'column_3'])
    """
    full = [row for row in below if len(row.cells) == width]
    names, values = list(header.cells), [row.cells for row in full]
    if len(names) == width - 1 and values:
        if all(not cells[-1].strip() for cells in values):
            names.append("")
        elif header.proper == len(names) and all(row.begins_quoted for row in full):
            names.insert(0, "")
    elif len(names) == width + 1 and values and not names[-1].strip():
        names.pop()
    return name_columns(names, len(names))


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell))


DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
RARE_DELIMITERS = ("^", "~", "\x01", ":", "!", "#")
ONE_COLUMN = "\x1f"  # a delimiter that texts do not have
SAMPLE_BYTES = 1 << 16
DOUBLE = Quoting()
_NAMES = {sign: name for name, sign in DELIMITERS.items()}
_SEPARATOR_LINE = re.compile(r'\s*"?sep=(.)"?[ \t;,]*(?:\r\n|\n|\r)', re.I)
QUOTES = {
    Quoting("'"): "cells in single quotes",
    Quoting('"', escaped=True): 'quotes written as \\"',
    Quoting(""): "quotes taken as part of the texts",
}
"""What is unusual about quotes."""


@dataclass(frozen=True)
class Dialect:
    """How the rows of a table are written. `start` is the offset of its first row of values.

    `line` is that of the header, 0 if there is none. `first_rows` are the first rows as they were understood, and
    `subheaders` the rows between the header and the values, which are left out. `header` is the row of names as it is
    written, without its line end.
    """

    delimiter: str = ","
    quoting: Quoting = DOUBLE
    names: tuple[str, ...] = ()
    line: int = 1
    start: int = 0
    first_rows: tuple[tuple[str, ...], ...] = ()
    is_doubtful: bool = False
    subheaders: int = 0
    header: bytes = b""

    def description(self, encoding: str) -> str:
        """How the table was understood, in a few words.

        >>> Dialect(";", line=0).description("UTF-8")
        'semicolon-separated, UTF-8, no header'
        """
        separated = f"{delimiter_name(self.delimiter)}-separated" if self.delimiter != ONE_COLUMN else "one column"
        header = f"header in line {self.line}" if self.line else "no header"
        if self.subheaders:
            header += f" ({pluralize(self.subheaders, 'row')} below it left out)"
        return ", ".join(filter(None, [separated, encoding, QUOTES.get(self.quoting, ""), header]))


ORDINARY = Dialect()


def delimiter_name(delimiter: str) -> str:
    """The name of a delimiter in messages, which is also one that `parse_delimiter` knows.

    >>> delimiter_name(";"), delimiter_name("^")
    ('semicolon', "'^'")
    """
    return _NAMES.get(delimiter, repr(delimiter))


def parse_delimiter(given: str) -> str:
    r"""A delimiter by its name or as it is.

    >>> parse_delimiter("semicolon"), parse_delimiter("|"), parse_delimiter(r"\t") == "\t"
    (';', '|', True)
    """
    delimiter = DELIMITERS.get(given.lower(), "\t" if given == r"\t" else given)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in "\"'\r\n\0" or delimiter.isalnum():
        raise DocumentError(
            f"{was_given('delimiter', given)}; expected one of {', '.join(map(repr, DELIMITERS))}, or another "
            "single character."
        )
    return delimiter


def detect_dialect(
    data: bytes, default: str = ",", *, given: str | None = None, header: bool | None = None, is_whole: bool = True
) -> Dialect:
    r"""The dialect of a table from its first bytes, in UTF-8; `given` is its delimiter, if that is known.

    >>> dialect = detect_dialect(b"id;price;text\n1;2,50;good\n2;3,00;bad, but cheap\n")
    >>> dialect.delimiter, dialect.names, dialect.start
    (';', ('id', 'price', 'text'), 14)
    """
    begin = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    text = data[begin:].decode("latin-1")  # a character for each byte, so that places are offsets
    if separator := _SEPARATOR_LINE.match(text):
        begin, text, given = begin + separator.end(), text[separator.end() :], given or separator[1]
    layout = _choose_layout(text, default, given, is_whole=is_whole)
    if not layout.rows:
        return Dialect(layout.delimiter, layout.quoting, start=begin, line=1)
    rows = [row._replace(cells=tuple(map(_decode, row.cells))) for row in layout.rows]
    titles = find_header(rows, layout.width) if header is not False else 0
    rows = rows[titles:]
    is_header = has_header(rows) if header is None else header
    subheaders = count_subheaders(rows) if is_header else 0
    if is_header:
        names, start = fit_names(rows[0], rows[1:], layout.width), rows[subheaders].end
    else:
        names, start = name_columns([""] * max(layout.width, len(rows[0].cells)), 0), rows[0].start
    line = data[: begin + rows[0].start].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    return Dialect(
        layout.delimiter,
        layout.quoting,
        tuple(names),
        line if is_header else 0,
        begin + start,
        tuple(row.cells for row in rows[:3]),
        header is None and is_header and is_doubtful(names),
        subheaders,
        data[begin + rows[0].start : begin + rows[0].end].rstrip(b"\r\n") if is_header else b"",
    )


def check_dialect(dialect: Dialect, guess: Dialect, name: str) -> None:
    r"""Raise if the one column of a table has several: by the delimiter that would be guessed, or within its quotes.

    >>> table = b"id;text\n1;good\n2;bad\n"
    >>> check_dialect(detect_dialect(table, given=","), detect_dialect(table), "a.csv")
    Traceback (most recent call last):
    problex.errors.DocumentError: a.csv has one column as comma-separated, as given, but it looks semicolon-...
    """
    if len(dialect.names) != 1 or not dialect.line:
        return
    if _has_usual_names(guess):
        sign, other = delimiter_name(dialect.delimiter), delimiter_name(guess.delimiter)
        raise DocumentError(
            f"{name} has one column as {sign}-separated, as given, but it looks {other}-separated, with the columns "
            f"{', '.join(map(repr, guess.names[:5]))}. Give {opt('delimiter', other)}, or leave it out."
        )
    inner = "\n".join(cell for row in dialect.first_rows for cell in row)
    if dialect.header[:1] == b'"' and dialect.quoting.quote and _has_usual_names(detect_dialect(inner.encode())):
        raise DocumentError(
            f"each row of {name} is in quotes as a whole, such as {inner.partition(chr(10))[0]!r}: expected quotes "
            "around cells. Export the table again, or remove the quotes around the rows."
        )


def _has_usual_names(dialect: Dialect) -> bool:
    names = {name.lower() for name in dialect.names}
    return len(dialect.names) > 1 and bool(dialect.line) and bool(names & {*TEXT_NAMES, "id"})


def looks_like_table(data: bytes) -> Dialect | None:
    r"""The dialect of what is plainly a table with a column of texts, though its name says otherwise.

    >>> looks_like_table(b"id,text\n1,good\n2,bad\n").names, looks_like_table(b"Good, but\nlong, and\ndull, so\n")
    (('id', 'text'), None)
    """
    dialect = detect_dialect(data[:SAMPLE_BYTES], is_whole=False)
    layout = RowLayout.of(data[:SAMPLE_BYTES].decode("latin-1"), dialect.delimiter, dialect.quoting, is_whole=False)
    is_plain = len(layout.rows) > 2 and layout.width > 1 and layout.share == 1 and dialect.line == 1
    return dialect if is_plain and any(name.lower() in TEXT_NAMES for name in dialect.names) else None


def _decode(cell: str) -> str:
    return cell.encode("latin-1").decode(errors="replace")


def _choose_layout(text: str, default: str, given: str | None, *, is_whole: bool) -> RowLayout:
    """The layout in which the rows have the same number of cells, and more than one."""
    candidates = [given] if given else [default, *(sign for sign in DELIMITERS.values() if sign != default)]
    if not given and (rare := _rare_delimiter(text)):
        candidates = [rare]
    layouts = [_best_quoting(text, delimiter, is_whole=is_whole) for delimiter in candidates]
    best = max(layouts, key=lambda layout: (layout.width > 1, round(layout.share, 2), not _is_decimal(text, layout)))
    if given or not best.rows:
        return best
    if best.width == 1 and (in_header := [one for one in layouts if one.rows and len(one.rows[0].cells) > 1]):
        best = max(in_header, key=lambda layout: len(layout.rows[0].cells))
    first = [layout.rows[0].cells for layout in layouts if layout.rows]
    is_one_name = all(len(cells) == 1 for cells in first) and first[0][0].strip().lower() in TEXT_NAMES
    is_title = len(best.rows) > 1 and {*TEXT_NAMES, "id"} & {cell.strip().lower() for cell in best.rows[1].cells}
    is_divided = best.width > 1 or layouts[0].width > 1 or layouts[0].share < 1
    if is_one_name and is_divided and not is_title:  # unquoted texts with delimiters
        return _best_quoting(text, ONE_COLUMN, is_whole=is_whole)
    return best if best.width > 1 or len(best.rows[0].cells) > 1 else layouts[0]


def _rare_delimiter(text: str) -> str | None:
    r"""A sign that hardly any file has between its cells, if the first line plainly has it between names.

    >>> _rare_delimiter("id^text\n1^good\n"), _rare_delimiter("id,text\n1,good^\n")
    ('^', None)
    """
    line = re.match(r"[^\r\n]*", text.lstrip("\r\n"))
    header = line[0] if line else ""
    if re.fullmatch(r'"[^" ]*"(?: "[^" ]*")+', header):
        return " "
    for sign in RARE_DELIMITERS:
        names = [name.strip().strip('"').lower() for name in header.split(sign)]
        is_plain = len(names) > 1 and all(re.fullmatch(r"[\w .-]+", name) for name in names)
        if is_plain and {*TEXT_NAMES, "id"} & {*names}:
            lines = re.split(r"[\r\n]+", text[:SAMPLE_BYTES].strip("\r\n"))
            rows = lines[1:] if len(text) <= SAMPLE_BYTES else lines[1:-1]
            if rows and all(sign in row for row in rows):
                return sign
    return None


def _is_decimal(text: str, layout: RowLayout) -> bool:
    r"""Whether commas occur only within numbers.

    >>> tables = "1,5\n2,5\n", "1,good\n2,bad\n"
    >>> [_is_decimal(table, RowLayout.of(table, ",", Quoting(), is_whole=True)) for table in tables]
    [True, False]
    """
    return (
        layout.delimiter == ","
        and "," in text[:SAMPLE_BYTES]
        and not re.search(r"(?<!\d),|,(?!\d)", text[:SAMPLE_BYTES])
    )


def _best_quoting(text: str, delimiter: str, *, is_whole: bool) -> RowLayout:
    r"""The layout with the quotes that leave the fewest rows and cells malformed.

    >>> tables = "'so, so',1\n'bad',2\n", "'so',1\nbad,2\n"
    >>> [_best_quoting(table, ",", is_whole=True).quoting.quote for table in tables]
    ["'", '"']
    """
    sample = text[:SAMPLE_BYTES]
    is_whole = is_whole and len(sample) == len(text)
    double = RowLayout.of(sample, delimiter, Quoting(), is_whole=is_whole)
    if not double.rows and len(sample) < len(text):  # a header of thousands of columns, or a giant first row
        return RowLayout.of(text, delimiter, Quoting(), is_whole=True)
    layouts = [double]
    if '\\"' in sample:
        layouts.append(RowLayout.of(sample, delimiter, Quoting('"', escaped=True), is_whole=is_whole))
    if double.malformed > double.proper:
        layouts.append(RowLayout.of(sample, delimiter, Quoting(""), is_whole=is_whole))
    if "'" in sample and not double.proper:
        single = RowLayout.of(sample, delimiter, Quoting("'"), is_whole=is_whole)
        if single.proper >= len(single.rows) and not single.malformed and single.share >= double.share:
            return single
    return max(layouts, key=lambda layout: (round(layout.share, 2), -layout.malformed))
