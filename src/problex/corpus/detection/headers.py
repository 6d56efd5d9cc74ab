"""Where the header of a table is, whether it has one, and the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from problex.corpus.detection.rows import Row

TEXT_NAMES = ("text", "document", "body", "content", "review", "comment", "message", "tweet", "sentence",
              "description", "abstract", "title", "transcript", "answer")  # fmt: skip
"""Names that a column of texts usually has, the likeliest first."""
MAX_TITLE_LINES = 5
MAX_NAME_CHARACTERS = 40  # of an ordinary name of a column
MIN_ROWS = 3  # without which the values of a column are no evidence
_NUMBER = re.compile(r"\s*[-+]?[\d.,:/ -]*\d[\d.,:/ %-]*")
_SENTENCE = re.compile(r"\S+ \S+.*[.!…]$")


def find_header(rows: Sequence[Row], width: int) -> int:
    """The number of title lines above the header: 0 unless they are plainly none of the table.

    >>> titled = [Row(("Survey of May",), 0, 0), Row(("id", "answer"), 0, 0), Row(("1", "fine"), 0, 0)]
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

    >>> has_header([Row(("1", "fine"), 0, 0), Row(("2", "bad"), 0, 0), Row(("3", "good"), 0, 0)])
    False
    """
    first, below = [cell.strip() for cell in rows[0].cells], rows[1:]
    if any(cell.lower() in (*TEXT_NAMES, "id") for cell in first):
        return True
    if len(below) < MIN_ROWS - 1:
        return not (any(map(_is_number, first)) and any(map(_SENTENCE.match, first)))
    for at, cell in enumerate(first):
        values = [row.cells[at].strip() for row in below if at < len(row.cells) and row.cells != rows[0].cells]
        if _is_number(cell) and sum(map(_is_number, values)) >= 0.9 * len(values) > 0:
            return False
        if cell and values.count(cell) >= max(2, 0.02 * len(values)):
            return False  # a label that occurs again
    return not (len(first) == 1 and _SENTENCE.match(first[0]))


def is_doubtful(names: Sequence[str]) -> bool:
    """Whether a name of a column looks like a text.

    >>> is_doubtful(["id", "text"]), is_doubtful(["1", "A film that I liked more than I had expected"])
    (False, True)
    """
    return any(len(name) > MAX_NAME_CHARACTERS or _SENTENCE.match(name) for name in names)


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

    Rows may end with a delimiter though the header does not, or the reverse; R writes row names without a header.
    """
    names, values = list(header.cells), [row.cells for row in below if len(row.cells) == width]
    if len(names) == width - 1 and values:
        if all(not cells[-1].strip() for cells in values):
            names.append("")
        elif [cells[0] for cells in values] == [str(number) for number in range(1, len(values) + 1)]:
            names.insert(0, "")
    elif len(names) == width + 1 and values and not names[-1].strip():
        names.pop()
    return name_columns(names, len(names))


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell))
