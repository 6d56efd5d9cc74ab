"""Where the header of a table is, whether it has one, and the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from problex.corpus.detection.rows import Row

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
    >>> count_subheaders([Row(cells, 0, 0) for cells in (("Q1",), ("How was it?",), (ids,), ("Fine",))])
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
