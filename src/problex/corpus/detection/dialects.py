"""The delimiter, the quotes and the header of a table, from its first bytes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from problex._util.formatting import pluralize
from problex.corpus.detection.headers import (
    TEXT_NAMES,
    count_subheaders,
    find_header,
    fit_names,
    has_header,
    is_doubtful,
    name_columns,
)
from problex.corpus.detection.rows import Layout, Quoting, lay_out
from problex.errors import DocumentError

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
    """The name of a delimiter in messages, which is also one that `parse_delimiter` knows."""
    return _NAMES.get(delimiter, repr(delimiter))


def parse_delimiter(given: str) -> str:
    r"""A delimiter by its name or as it is.

    >>> parse_delimiter("semicolon"), parse_delimiter("|"), parse_delimiter(r"\t") == "\t"
    (';', '|', True)
    """
    delimiter = DELIMITERS.get(given.lower(), "\t" if given == r"\t" else given)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in "\"'\r\n\0" or delimiter.isalnum():
        raise DocumentError(
            f"delimiter={given!r} was given; expected one of {', '.join(map(repr, DELIMITERS))}, or another "
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
    rows = [replace(row, cells=tuple(map(_decode, row.cells))) for row in layout.rows]
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
    """Raise if the one column of a table has several: by the delimiter that would be guessed, or within its quotes."""
    if len(dialect.names) != 1 or not dialect.line:
        return
    if _has_usual_names(guess):
        sign, other = delimiter_name(dialect.delimiter), delimiter_name(guess.delimiter)
        raise DocumentError(
            f"{name} has one column as {sign}-separated, as given, but it looks {other}-separated, with the columns "
            f'{", ".join(map(repr, guess.names[:5]))}. Give delimiter="{other}", or leave it out.'
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
    """The dialect of what is plainly a table with a column of texts, though its name says otherwise."""
    dialect = detect_dialect(data[:SAMPLE_BYTES], is_whole=False)
    layout = lay_out(data[:SAMPLE_BYTES].decode("latin-1"), dialect.delimiter, dialect.quoting, is_whole=False)
    is_plain = len(layout.rows) > 2 and layout.width > 1 and layout.share == 1 and dialect.line == 1
    return dialect if is_plain and any(name.lower() in TEXT_NAMES for name in dialect.names) else None


def _decode(cell: str) -> str:
    return cell.encode("latin-1").decode(errors="replace")


def _choose_layout(text: str, default: str, given: str | None, *, is_whole: bool) -> Layout:
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
    """A sign that hardly any file has between its cells, if the first line plainly has it between names."""
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


def _is_decimal(text: str, layout: Layout) -> bool:
    """Whether commas occur only within numbers."""
    return (
        layout.delimiter == ","
        and "," in text[:SAMPLE_BYTES]
        and not re.search(r"(?<!\d),|,(?!\d)", text[:SAMPLE_BYTES])
    )


def _best_quoting(text: str, delimiter: str, *, is_whole: bool) -> Layout:
    """The layout with the quotes that leave the fewest rows and cells malformed."""
    sample = text[:SAMPLE_BYTES]
    is_whole = is_whole and len(sample) == len(text)
    double = lay_out(sample, delimiter, Quoting(), is_whole=is_whole)
    if not double.rows and len(sample) < len(text):  # a header of thousands of columns, or a giant first row
        return lay_out(text, delimiter, Quoting(), is_whole=True)
    layouts = [double]
    if '\\"' in sample:
        layouts.append(lay_out(sample, delimiter, Quoting('"', escaped=True), is_whole=is_whole))
    if double.malformed > double.proper:
        layouts.append(lay_out(sample, delimiter, Quoting(""), is_whole=is_whole))
    if "'" in sample and not double.proper:
        single = lay_out(sample, delimiter, Quoting("'"), is_whole=is_whole)
        if single.proper >= len(single.rows) and not single.malformed and single.share >= double.share:
            return single
    return max(layouts, key=lambda layout: (round(layout.share, 2), -layout.malformed))
