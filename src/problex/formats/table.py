"""Tables of words and lists: `word,list`, one entry per row, or a single column for one list."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from problex.errors import LexiconError
from problex.formats.encoding import read_text
from problex.lexicon import Entry

WORD_COLUMNS = ("word", "entry", "term", "token", "phrase", "lemma", "pattern")
LIST_COLUMNS = ("list", "label", "category", "class", "polarity", "sentiment", "topic", "lexicon")


def read_table(path: Path, name: str | None) -> list[Entry]:
    """Read a CSV or TSV. A header is recognised by its words (`word`, `list`, ...), in any order and case."""
    text = read_text(path)
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else _delimiter(text)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise LexiconError(f"{path.name}:{reader.line_num} cannot be read as a table: {error}") from None
    rows = [(number, row) for number, row in rows if row[0].lstrip()[:1] not in (";", "#")]
    if not rows:
        raise LexiconError(f"{path.name} has no rows, expected a word and the name of its list in each")
    word_at, list_at, has_header = _columns(rows[0][1], path, name)
    entries = []
    for number, row in rows[has_header:]:
        if len(row) <= max(word_at, list_at or 0):
            raise LexiconError(
                f"{path.name}:{number} has {len(row)} cells ({delimiter.join(row)[:60]!r}), "
                "expected a word and its list"
            )
        listed = name if list_at is None else row[list_at].strip()
        if not listed:
            raise LexiconError(f"{path.name}:{number} names no list for {row[word_at]!r}, expected one in each row")
        entries.append(Entry(row[word_at], listed, f"{path.name}:{number}"))
    return entries


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip() and line[0] not in ";#"), "")
    return max(",;\t|", key=first.count)


def _columns(first: list[str], path: Path, name: str | None) -> tuple[int, int | None, bool]:
    """Where the word and the list stand, and whether the first row is a header."""
    cells = [cell.strip().lower() for cell in first]
    words = [cells.index(known) for known in WORD_COLUMNS if known in cells]
    lists = [cells.index(known) for known in LIST_COLUMNS if known in cells]
    if name is not None:
        return (words[0] if words else 0), None, bool(words)
    if words and lists:
        return words[0], lists[0], True
    if len(cells) == 2 and not words and not lists:
        return 0, 1, False
    raise LexiconError(
        f"{path.name} has the columns {', '.join(repr(cell.strip()) for cell in first)}: expected one for the word "
        f"({', '.join(WORD_COLUMNS[:4])}, ...) and one for its list ({', '.join(LIST_COLUMNS[:4])}, ...), or name the "
        "list: positive=file"
    )
