"""The delimiter, the quotes and the header of a table, from its first bytes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

from problex.corpus.detection.headers import TEXT_NAMES, find_header, fit_names, has_header, is_doubtful, name_columns
from problex.corpus.detection.rows import Layout, Quoting, lay_out
from problex.errors import DocumentError

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
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

    `line` is that of the header, 0 if there is none. `first_rows` are the first rows as they were understood.
    """

    delimiter: str = ","
    quoting: Quoting = DOUBLE
    names: tuple[str, ...] = ()
    line: int = 1
    start: int = 0
    first_rows: tuple[tuple[str, ...], ...] = ()
    is_doubtful: bool = False

    def description(self, encoding: str) -> str:
        """How the table was understood, in a few words.

        >>> Dialect(";", line=0).description("UTF-8")
        'semicolon-separated, UTF-8, no header'
        """
        separated = f"{delimiter_name(self.delimiter)}-separated" if self.delimiter != ONE_COLUMN else "one column"
        header = f"header in line {self.line}" if self.line else "no header"
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
    if is_header:
        names, start = fit_names(rows[0], rows[1:], layout.width), rows[0].end
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
    )


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
    layouts = [_best_quoting(text, delimiter, is_whole=is_whole) for delimiter in candidates]
    best = max(layouts, key=lambda layout: (layout.width > 1, round(layout.share, 2), not _is_decimal(text, layout)))
    if given or not best.rows:
        return best
    if best.width == 1 and (in_header := [one for one in layouts if len(one.rows[0].cells) > 1]):
        best = max(in_header, key=lambda layout: len(layout.rows[0].cells))
    first = [layout.rows[0].cells for layout in layouts if layout.rows]
    is_one_name = all(len(cells) == 1 for cells in first) and first[0][0].strip().lower() in TEXT_NAMES
    if is_one_name and (layouts[0].width > 1 or layouts[0].share < 1):  # unquoted texts with delimiters
        return _best_quoting(text, ONE_COLUMN, is_whole=is_whole)
    return best if best.width > 1 or len(best.rows[0].cells) > 1 else layouts[0]


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
