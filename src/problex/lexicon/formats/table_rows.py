"""Rows of cells to entries: the layout is recognised by the header, and without one by the cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from problex.errors import LexiconError
from problex.lexicon.dictionary import category_of
from problex.lexicon.formats.lexicon_file import drop_unit_weights
from problex.lexicon.lexicon import Entry, Issue

WORD_COLUMNS = ("word", "entry", "term", "token", "phrase", "lemma", "pattern", "dicterm", "words")
LIST_COLUMNS = (
    "list", "label", "category", "class", "polarity", "sentiment", "emotion", "topic", "affectcategory", "lexicon"
)  # fmt: skip
WEIGHT_COLUMNS = ("weight", "score", "value", "valence", "intensity", "strength", "association", "associationflag")
KNOWN_COLUMNS = frozenset({*WORD_COLUMNS, *LIST_COLUMNS, *WEIGHT_COLUMNS})
LOUGHRAN = (
    "negative", "positive", "uncertainty", "litigious", "strong_modal", "weak_modal", "moderate_modal", "modal",
    "constraining", "complexity", "interesting", "superfluous", "harvard_iv",
)  # fmt: skip
"""The categories of the Loughran-McDonald master dictionary, whose cells hold the year in which a word was added."""
POLARITIES = frozenset({"positive", "negative", "neutral", "pos", "neg"})
MARKS = frozenset({"x", "✓", "✔", "true", "yes"})
"""Cells that put a word into the category of their column."""


@dataclass
class Table:
    """Rows with their positions, and the entries and issues that are read from them."""

    name: str
    rows: list[tuple[str, list[str]]]
    default_list: str
    is_one_list: bool = False
    entries: list[Entry] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)

    def add(self, word: str, list_name: str, where: str, weight: float | None = None) -> None:
        """Add an entry; a row without a word is an issue."""
        if word.strip():
            self.entries.append(Entry(word, category_of([list_name]), where, weight))
        elif list_name or weight is not None:
            self.issues.append(Issue("blank", word, where, "left out: the row has no word"))

    def ignore(self, columns: Sequence[str]) -> None:
        """Report the columns that are not read."""
        if columns:
            self.issues.append(Issue("other columns", ", ".join(columns), self.name, "left out"))


def read_rows(table: Table) -> Table:
    """Recognise the layout and read the entries into the table."""
    if not table.rows:
        raise LexiconError(f"{table.name} has no rows, expected a word and the name of its list in each")
    header = [cell.strip() for cell in table.rows[0][1]]
    word_at = _first(header, WORD_COLUMNS)
    if header[0].casefold() == "dicterm":
        del table.rows[0]
        _wide(table, 0, {at: name for at, name in enumerate(header) if at and name})
    elif word_at is None or any(as_number(cell) is not None for cell in header):
        _without_header(table)  # the name of a column is not a number
    else:
        del table.rows[0]
        _refuse_longer_rows(table, len(header))
        _with_header(table, [name or f"column {at}" for at, name in enumerate(header, start=1)], word_at)
    table.entries = drop_unit_weights(table.entries)
    return table


def _with_header(table: Table, header: list[str], word_at: int) -> None:
    list_at, weight_at = _first(header, LIST_COLUMNS), _first(header, WEIGHT_COLUMNS)
    others = [at for at in range(len(header)) if at != word_at and any(_cell(row, at).strip() for _, row in table.rows)]
    if list_at is not None and weight_at is None and _share(table, list_at, as_number) == 1:
        list_at, weight_at = None, list_at
    folded = {name.casefold() for name in header}
    if {"negative", "positive"} <= folded and any(name.startswith(("seq", "word count")) for name in folded):
        _loughran(table, header, word_at)
    elif list_at is not None or weight_at is not None:
        table.ignore([header[at] for at in others if at not in (list_at, weight_at)])
        has_weights = weight_at is not None and header[weight_at].casefold() == "weight"
        _long(table, word_at, list_at, weight_at, flags=not has_weights)
    else:
        marked = [at for at in others if not table.is_one_list and _share(table, at, membership) == 1]
        table.ignore([header[at] for at in others if at not in marked])
        if marked:
            _wide(table, word_at, {at: header[at] for at in marked})
        elif table.is_one_list or len(header) == 1:
            for where, row in table.rows:
                table.add(_cell(row, word_at), table.default_list, where)
        else:
            raise _unknown(table.name, header)


def _without_header(table: Table) -> None:
    first, width = table.rows[0][1], max(len(row) for _, row in table.rows)
    if width == 1:
        for where, row in table.rows:
            table.add(row[0], table.default_list, where)
    elif _share(table, 1, as_number) > 0.5:
        _drop_header(table, 1)
        table.ignore([f"column {at}" for at in range(3, width + 1)])
        _long(table, 0, None, 1)
    elif width > 2 and _share(table, 2, as_number) > 0.5:
        _drop_header(table, 2)
        table.ignore([f"column {at}" for at in range(4, width + 1)])
        _long(table, 0, 1, 2)
    elif table.is_one_list:
        table.ignore([f"column {at}" for at in range(2, width + 1)])
        for where, row in table.rows:
            table.add(row[0], table.default_list, where)
    elif _is_list_per_column(table, width):
        if not {name.strip().casefold() for name in first} <= POLARITIES:
            action = "read as the names of lists, each above its entries"
            table.issues.append(Issue("doubtful header", ", ".join(first), table.rows[0][0], action))
        del table.rows[0]
        for at, name in enumerate(first):
            for where, row in table.rows:
                if _cell(row, at).strip():
                    table.add(row[at], name, where)
    elif width == 2:
        _long(table, 0, 1, None)
    else:
        raise _unknown(table.name, first)


def _long(table: Table, word_at: int, list_at: int | None, weight_at: int | None, *, flags: bool = True) -> None:
    """One entry per row. Numbers that are all 0 or 1 are membership of the list; others are weights."""
    numbers = {as_number(_cell(row, weight_at)) for _, row in table.rows} if weight_at is not None else set()
    flags = flags and list_at is not None and numbers <= {0, 1, None}
    absent: dict[str, bool] = {}
    for where, row in table.rows:
        if len(row) <= max(word_at, list_at or 0, weight_at or 0):
            raise LexiconError(f"{where} has {len(row)} cells ({','.join(row)[:60]!r}), expected a word and its list")
        word, cell = row[word_at], row[weight_at].strip() if weight_at is not None else ""
        weight = as_number(cell)
        if cell and weight is None:
            table.issues.append(Issue("not a number", word, where, f"the weight {cell[:40]!r} is left out"))
        if list_at is None and weight is None:
            table.issues.append(Issue("no category", word, where, "left out: a weight was expected"))
        elif list_at is None and not weight:
            table.issues.append(Issue("weight 0", word, where, "left out: neither positive nor negative"))
        elif list_at is None:
            table.add(word, "negative" if (weight or 0) < 0 else "positive", where, weight)
        elif not row[list_at].strip():
            raise LexiconError(f"{where} names no list for {word!r}, expected one in each row")
        elif flags:
            absent[word] = absent.get(word, True) and weight == 0
            if weight != 0:
                table.add(word, row[list_at], where)
        else:
            table.add(word, row[list_at], where, weight)
    _report_absent(table, [word for word, is_absent in absent.items() if is_absent])


def _wide(table: Table, word_at: int, categories: dict[int, str]) -> None:
    """One row per word, one column per category, with a mark or a weight in the categories of the word."""
    absent = []
    for where, row in table.rows:
        size = len(table.entries)
        for at, name in categories.items():
            meaning = membership(_cell(row, at))
            if meaning is None:
                action = f"{_cell(row, at)[:40]!r} under {name!r} is left out: X, 1, a weight or nothing was expected"
                table.issues.append(Issue("not a mark", _cell(row, word_at), where, action))
            elif meaning[0]:
                table.add(_cell(row, word_at), name, where, meaning[1])
        if len(table.entries) == size:
            absent.append(_cell(row, word_at))
    _report_absent(table, absent)


def _loughran(table: Table, header: list[str], word_at: int) -> None:
    """A year puts the word into the category; a negative year means that it was removed in that year."""
    categories = {at: name for at, name in enumerate(header) if name.casefold().replace(" ", "_") in LOUGHRAN}
    table.ignore([name for at, name in enumerate(header) if at != word_at and at not in categories and name])
    absent = []
    for where, row in table.rows:
        years = {name: as_number(_cell(row, at)) or 0 for at, name in categories.items()}
        for name, year in years.items():
            if year > 0:
                table.add(_cell(row, word_at), name, where)
            elif year < 0:
                action = f"left out: removed from {name!r} in {-year:.0f}"
                table.issues.append(Issue("removed", _cell(row, word_at), where, action))
        if not any(years.values()):
            absent.append(_cell(row, word_at))
    _report_absent(table, absent)


def _report_absent(table: Table, words: list[str]) -> None:
    """Report the words without a category, which dictionaries may have in thousands, as one issue."""
    if words:
        more = f" and {len(words) - 1:,} more" if len(words) > 1 else ""
        table.issues.append(Issue("in no category", f"{words[0]}{more}", table.name, "left out, as the file says"))


def _is_list_per_column(table: Table, width: int) -> bool:
    """Whether each column is a list under its name; in rows of a word and its list, names of lists repeat."""
    first = [cell.strip().casefold() for cell in table.rows[0][1]]
    if len(first) < width or not all(first) or len(set(first)) < width or len(table.rows) < 2:
        return False
    cells = [cell.strip() for _, row in table.rows[1:] for cell in row if cell.strip()]
    if any(as_number(cell) is not None for cell in cells):
        return False
    seconds = [_cell(row, 1).strip() for _, row in table.rows]
    return set(first) <= POLARITIES or (len(table.rows) > 2 and len(set(seconds)) == len(seconds))


def _refuse_longer_rows(table: Table, width: int) -> None:
    """Raise if a row has more cells than the header: mostly an entry with a comma that lacks quotes."""
    for where, row in table.rows:
        if any(cell.strip() for cell in row[width:]):
            raise LexiconError(
                f"{where} has {len(row)} cells ({','.join(row)[:60]!r}), expected {width} as in the header: put "
                "an entry with a comma in quotes"
            )


def _drop_header(table: Table, at: int) -> None:
    """Drop a first row without a number where all others have one: a header in an unknown language."""
    if len(table.rows) > 1 and as_number(_cell(table.rows[0][1], at)) is None:
        where, row = table.rows.pop(0)
        table.issues.append(Issue("header", ", ".join(row), where, "taken as the names of the columns"))


def _share(table: Table, at: int, meaning: Callable[[str], object]) -> float:
    cells = [cell for _, row in table.rows if (cell := _cell(row, at).strip())]
    return sum(meaning(cell) is not None for cell in cells) / len(cells) if cells else 0


def _cell(row: list[str], at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


def _first(header: list[str], known: Sequence[str]) -> int | None:
    folded = [name.casefold() for name in header]
    return next((folded.index(name) for name in known if name in folded), None)


def _unknown(name: str, columns: list[str]) -> LexiconError:
    return LexiconError(
        f"{name} has the columns {', '.join(repr(cell.strip()) for cell in columns)}: expected one for the word "
        f"({', '.join(WORD_COLUMNS[:4])}, ...) and one for its list ({', '.join(LIST_COLUMNS[:4])}, ...), or name the "
        "list: positive=file"
    )


def as_number(cell: str) -> float | None:
    """The number in a cell, with a comma or a point, or None.

    >>> as_number("-0,05"), as_number(" 2 "), as_number("two"), as_number("nan")
    (-0.05, 2.0, None, None)
    """
    text = cell.strip()
    if not text or text[-1] not in "0123456789.":
        return None
    try:
        value = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


def membership(cell: str) -> tuple[bool, float | None] | None:
    """Whether a mark puts a word into a category, and with what weight; None for a cell that is neither.

    >>> membership("X"), membership("0"), membership("0.5"), membership("hello")
    ((True, None), (False, None), (True, 0.5), None)
    """
    text = cell.strip().casefold()
    if text in MARKS:
        return True, None
    if text in ("", "false", "no"):
        return False, None
    number = as_number(text)
    return None if number is None else (number != 0, number or None)
