"""The entries of a table whose layout is known."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from problex.lexicon.formats.tables.cells import MISSING, as_number, membership
from problex.lexicon.formats.tables.table import Table, cell_of
from problex.lexicon.lexicon import Issue


def add_words(table: Table, word_at: int, list_name: str | None = None) -> None:
    """One list of all words."""
    for where, row in table.rows:
        table.add(cell_of(row, word_at), list_name or table.default_list, where)


def add_long(
    table: Table,
    word_at: int,
    lists: Sequence[int],
    weight_at: int | None = None,
    *,
    flags: bool = True,
    missing: Collection[str] = MISSING,
) -> None:
    """One entry per row and column of lists. Numbers that are all 0 or 1 are membership; others are weights."""
    numbers = {as_number(cell_of(row, weight_at)) for _, row in table.rows} if weight_at is not None else set()
    flags = flags and weight_at is not None and numbers <= {0, 1, None}
    absent: dict[str, bool] = {}
    mark = label_separator([cell_of(row, at) for _, row in table.rows for at in lists])
    if mark:
        action = f"a cell with {mark!r} names several lists"
        table.issues.append(Issue("several lists in a cell", mark, table.name, action))
    for where, row in table.rows:
        word = cell_of(row, word_at)
        cells = [name for at in lists for name in (cell_of(row, at).split(mark) if mark else [cell_of(row, at)])]
        names = [name for name in cells if name.strip().casefold() not in missing]
        if len(row) <= max(word_at, *lists, weight_at or 0) and not names:
            table.skip((where, row), "a word and its list")
            continue
        if not names:
            table.issues.append(Issue("no category", word, where, "left out: it has no list"))
        weight = _weight(table, word, cell_of(row, weight_at), where)
        for name in names:
            if not flags:
                table.add(word, name, where, weight)
                continue
            absent[word] = absent.get(word, True) and weight == 0
            if weight != 0:
                table.add(word, name, where)
    report_absent(table, [word for word, is_absent in absent.items() if is_absent])


def label_separator(cells: Sequence[str]) -> str | None:
    """What separates the names of lists in cells with several, as in `anger; fear`: their parts are few and repeat.

    A cell of nothing but marks does not make them separators: a list may be called `;`.

    >>> label_separator(["anger; fear", "fear;", "anger", "joy; anger"]), label_separator(["food, drink", "other"])
    (';', None)
    """
    distinct = {cell.strip() for cell in cells if cell.strip()}
    for mark in ";|,":
        several = [cell for cell in distinct if mark in cell and cell.strip(f"{mark} ")]
        parts = {part.strip() for cell in distinct for part in cell.split(mark) if part.strip()}
        are_known = bool(several) and parts <= {cell for cell in distinct if mark not in cell}
        if are_known or (len(several) > 1 and len(parts) < len(distinct)):
            return mark
    return None


def add_signed(table: Table, word_at: int, weight_at: int, one_list: str | None = None) -> None:
    """Words with weights: the side of the midpoint, 0 unless given, makes the list; with `one_list`, there is one."""
    middle = table.options.midpoint or 0.0
    for where, row in table.rows:
        word, cell = cell_of(row, word_at), cell_of(row, weight_at).strip()
        if len(row) <= max(word_at, weight_at):
            table.skip((where, row), "a word and its weight")
            continue
        weight = _weight(table, word, cell, where)
        name = None if weight is None else one_list or table.options.list_of(weight)
        if weight is None:
            table.issues.append(Issue("no category", word, where, "left out: a weight was expected"))
        elif name is None:
            kind = "neutral" if table.options.neutral else "weight 0" if not middle else f"weight {middle:g}"
            table.issues.append(Issue(kind, word, where, "left out: neither positive nor negative"))
        else:
            table.add(word, name, where, weight - middle if middle else weight)


def _weight(table: Table, word: str, cell: str, where: str) -> float | None:
    weight = as_number(cell)
    if weight is None and cell.strip().casefold() not in MISSING:
        table.issues.append(Issue("not a number", word, where, f"the weight {cell.strip()[:40]!r} is left out"))
    return weight


def add_wide(table: Table, word_at: int, categories: Mapping[int, str]) -> None:
    """One row per word, one column per category, with a mark or a weight in the categories of the word."""
    absent = []
    for where, row in table.rows:
        size, word = len(table.entries), cell_of(row, word_at)
        for at, name in categories.items():
            meaning = membership(cell_of(row, at), name)
            if meaning is None:
                action = f"{cell_of(row, at)[:40]!r} under {name!r} is left out: X, 1, a weight or nothing was expected"
                table.issues.append(Issue("not a mark", word, where, action))
            elif meaning[0]:
                table.add(word, name, where, meaning[1])
        if len(table.entries) == size and word.strip():
            absent.append(word)
    report_absent(table, absent)


def add_years(table: Table, word_at: int, categories: Mapping[int, str]) -> None:
    """As Loughran and McDonald: a year puts the word into the category; it was removed in a negative year."""
    absent = []
    for where, row in table.rows:
        years = {name: as_number(cell_of(row, at)) or 0 for at, name in categories.items()}
        for name, year in years.items():
            if year > 0:
                table.add(cell_of(row, word_at), name, where)
            elif year < 0:
                action = f"left out: removed from {name!r} in {-year:.0f}"
                table.issues.append(Issue("removed", cell_of(row, word_at), where, action))
        if not any(years.values()):
            absent.append(cell_of(row, word_at))
    report_absent(table, absent)


def add_columns(table: Table, names: Sequence[str]) -> None:
    """A list per column, under its name."""
    for at, name in enumerate(names):
        for where, row in table.rows:
            if cell_of(row, at).strip():
                table.add(row[at], name, where)


def add_rows(table: Table) -> None:
    """A list per row: its name, then its words."""
    for where, row in table.rows:
        words = [word for word in row[1:] if word.strip()]
        if not words:
            table.skip((where, row), "the name of a category and its words")
        for word in words:
            table.add(word, row[0], where)


def report_absent(table: Table, words: list[str]) -> None:
    """Report the words without a category, which dictionaries may have in thousands, as one issue."""
    if words:
        more = f" and {len(words) - 1:,} more" if len(words) > 1 else ""
        table.issues.append(Issue("in no category", f"{words[0]}{more}", table.name, "left out, as the file says"))
