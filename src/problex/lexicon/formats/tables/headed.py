"""Tables with a header: names decide, and where they are unknown, the cells."""

from __future__ import annotations

from problex.errors import LexiconError, opt
from problex.lexicon.formats.tables.cells import membership
from problex.lexicon.formats.tables.columns import Column, columns_of
from problex.lexicon.formats.tables.entries import add_long, add_signed, add_wide, add_words, add_years
from problex.lexicon.formats.tables.names import (
    DIMENSIONS,
    LABELS,
    LIST_COLUMNS,
    WEIGHT,
    WEIGHT_COLUMNS,
    WORD_COLUMNS,
    first_named,
    parts_of,
    role_of,
)
from problex.lexicon.formats.tables.pairs import refuse_pairs
from problex.lexicon.formats.tables.rivals import doubt_numbers, doubt_words, find_signed, labels_beside, sign_columns
from problex.lexicon.formats.tables.table import Table

LOUGHRAN = (
    "negative", "positive", "uncertainty", "litigious", "strong_modal", "weak_modal", "moderate_modal", "modal",
    "constraining", "complexity", "interesting", "superfluous", "harvard_iv",
)  # fmt: skip
"""The categories of the Loughran-McDonald master dictionary, whose cells hold the year in which a word was added."""
PLAIN_WEIGHTS = frozenset({"weight", "score", "polarity", "sentiment", "pol"})
"""Names of a weight beside which other numbers are no rivals."""
LARGE = 20
"""Rows from which on the cells of a column count for more than its name."""


def read_with_header(table: Table, header: list[str]) -> None:
    """Read a table whose first row was a header."""
    if [name.casefold() for name in header] in (["word", "list"], ["word", "list", "weight"]) and not table.is_one_list:
        add_long(table, 0, [1], 2 if len(header) > 2 else None, flags=False, missing={""})  # as problex writes them
        return
    columns = columns_of(table.rows, header)
    word = word_column(table, columns)
    others = [column for column in columns if column is not word and column.cells]
    if _is_loughran(header):
        categories = {at: name for at, name in enumerate(header) if name.casefold().replace(" ", "_") in LOUGHRAN}
        table.ignore([name for at, name in enumerate(header) if at != word.at and at not in categories])
        add_years(table, word.at, categories)
        return
    marked = [
        column
        for column in others
        if column.is_membership and not column.is_index and (column.repeats_its_name or not column.is_other)
    ]
    flags = [column for column in others if column.is_flag and (column in marked or _is_sign(column, others))]
    signs = sign_columns(others)
    lists, weight = _lists(others), _weight(others)
    doubt_words(table, word, [column for column in others if column not in lists])
    if table.is_one_list and not lists and weight is None:
        _ignore_others(table, others, [])
        add_words(table, word.at)
    elif signs and not lists and all(column in signs for column in marked):
        _ignore_others(table, others, signs)
        add_wide(table, word.at, {column.at: column.name for column in signs})
    elif len(flags) > 2 or (len(flags) > 1 and not lists):
        wide = [column for column in others if column in flags or (column in marked and role_of(column.name) is None)]
        labels = labels_beside(table, others, wide)
        _ignore_others(table, others, [*wide, *labels])
        add_wide(table, word.at, {column.at: column.name for column in wide})
        if labels:
            add_long(table, word.at, [labels[0].at])
    elif lists:
        doubt_numbers(table, lists, weight, marked)
        _ignore_others(table, others, [*lists, *([weight] if weight else [])])
        places = [column.at for column in lists]
        add_long(table, word.at, places, weight.at if weight else None, flags=_has_flags(weight))
    else:
        _read_numbers(table, word, others, marked, weight)


def _read_numbers(
    table: Table, word: Column, others: list[Column], marked: list[Column], weight: Column | None
) -> None:
    """One number per word is a weight; several are categories, unless one of them is named as the weight."""
    numbers = [column for column in marked if column.is_number]
    rated = [column for column in numbers if not column.is_flag]
    is_norm = weight is not None and not DIMENSIONS.isdisjoint(parts_of(weight.name)) and len(rated) > 1
    if weight is not None and not is_norm and not weight.is_flag:
        _ignore_others(table, others, [weight])
        if len(rated) > 1 and weight.name.casefold() not in PLAIN_WEIGHTS:
            rest = ", ".join(column.name for column in rated if column is not weight)
            table.doubt(
                f"{weight.name}, {rest}", f"{weight.name!r} was read as the weight: name another with {opt('weight')}"
            )
        _signed(table, word, weight)
    elif len(rated) == 1 and len(marked) == 1 and len(rated[0].values) == len(rated[0].cells):
        _ignore_others(table, others, rated)
        _signed(table, word, rated[0])
    elif len(marked) == 1 and role_of(marked[0].name) == WEIGHT:
        _ignore_others(table, others, [])
        add_words(table, word.at)  # every weight is 1
    elif marked:
        _ignore_others(table, others, marked)
        add_wide(table, word.at, {column.at: column.name for column in marked})
        if table.options.midpoint is not None and len(rated) > 1:
            names = ", ".join(repr(column.name) for column in rated)
            midpoint = opt("midpoint", f"{table.options.midpoint:g}")
            raise LexiconError(
                f"{midpoint} was given, but {table.name} has {len(rated)} columns of "
                f"numbers ({names}), expected one: name it with {opt('weight')}"
            )
        if len(rated) > 1:
            names = ", ".join(column.name for column in rated[:6]) + (", ..." if len(rated) > 6 else "")
            table.doubt(
                names,
                f"each column of numbers was read as a category with weights; {opt('weight')} and "
                f"{opt('midpoint')} make two lists of one of them",
            )
        elif len(marked) == 1 and _holds_all(marked[0]) and marked[0].name.casefold() not in LABELS:
            table.doubt(marked[0].name, f"it was read as the category of all words: name the list with {opt('label')}")
    elif (signed := find_signed(others)) is not None:
        _ignore_others(table, others, [signed])
        _signed(table, word, signed)
    else:
        _read_texts(table, word, others)


def _read_texts(table: Table, word: Column, others: list[Column]) -> None:
    """Without numbers, texts that repeat are the lists; words that do not are another language or spelling."""
    labels = [column for column in others if column.is_known_label] or [
        column for column in others if column.is_label and not column.is_other and column.distinct > 1
    ]
    refuse_pairs(table, [word, *others]) if not labels else None
    if labels:
        chosen = labels[0]
        _ignore_others(table, others, [chosen])
        if len(labels) > 1:
            rest = ", ".join(column.name for column in labels[1:])
            table.doubt(
                f"{chosen.name}, {rest}", f"{chosen.name!r} was read as the lists: name another with {opt('label')}"
            )
        add_long(table, word.at, [chosen.at])
    elif all(column.is_other or column.is_index or column.has_sentences for column in others):
        _ignore_others(table, others, [])
        add_words(table, word.at)
    else:
        raise unknown(table.name, [word.name, *(column.name for column in others)])


def _signed(table: Table, word: Column, weight: Column) -> None:
    """Words and one weight: two lists by sign; one list if all weights have the same sign, without a midpoint."""
    signs = {value > 0 for value in weight.values if value}
    own_name = None
    if table.options.midpoint is None and len(signs) == 1:
        generic = weight.name.casefold() in WEIGHT_COLUMNS and weight.name.casefold() not in DIMENSIONS
        own_name = table.default_list if generic else weight.name
    if own_name is not None and not agrees(own_name, positive=True in signs):
        low, high = min(weight.values), max(weight.values)
        table.doubt(
            weight.name,
            f"all weights are from {low:g} to {high:g}, so there is one list, {own_name!r}: {opt('midpoint')} "
            "makes two, of the words above and below it",
        )
    add_signed(table, word.at, weight.at, own_name)


def _holds_all(column: Column) -> bool:
    """Whether every word is in the category of a column, so that it says nothing."""
    return (
        column.is_flag
        and column.is_filled
        and all(membership(cell, column.name) != (False, None) for cell in column.cells)
    )


def agrees(name: str, *, positive: bool) -> bool:
    """Whether the name of a list says the sign of its weights."""
    return any(part.startswith("pos" if positive else "neg") for part in parts_of(name.replace("~", " ")))


def word_column(table: Table, columns: list[Column]) -> Column:
    """The column of the words: by its name, or the first whose cells hardly repeat."""
    named = first_named([column.name for column in columns], WORD_COLUMNS)
    candidates = [columns[named]] if named is not None else []
    rivals = [column for column in columns if column.is_words]
    if candidates and (candidates[0].is_text or candidates[0].rows < LARGE or not rivals):
        loose = candidates[0].name.casefold() in ("text", "lexicon", "item", "form", "entry", "type")
        if not (loose and candidates[0].has_sentences):
            return candidates[0]
    best = [column for column in rivals if not column.is_other or column.name.startswith("column ")] or rivals
    if not best:
        raise unknown(table.name, [column.name for column in columns])
    return max(best, key=lambda column: (round(column.distinct / max(1, len(column.cells)), 1), -column.at))


def _lists(others: list[Column]) -> list[Column]:
    """The columns that name lists: one, and those with the same name and a number, `category_1`, `category_2`."""
    texts = [
        column
        for column in others
        if not column.is_number
        and (column.name.casefold() in LIST_COLUMNS[:4] or not (column.rows >= LARGE and column.is_words))
    ]
    exact = [column for column in texts if column.is_known_label]
    at = first_named([column.name for column in texts], LIST_COLUMNS)
    if at is None:
        return exact[:1]
    chosen = texts[at]
    if chosen.rows >= LARGE and 2 * len(chosen.cells) < chosen.rows:
        return exact[:1]  # remarks on some words
    return [column for column in texts if parts_of(column.name) == parts_of(chosen.name)]


def _weight(others: list[Column]) -> Column | None:
    """The column that is named as the weight and holds numbers."""
    numbers = [
        column for column in others if (column.is_number and not column.is_index) or column.name.casefold() == "weight"
    ]
    at = first_named([column.name for column in numbers], WEIGHT_COLUMNS)
    return None if at is None else numbers[at]


def _has_flags(weight: Column | None) -> bool:
    """Whether 0 and 1 in the column of weights are membership: they are weights if it is called so."""
    return weight is None or weight.name.casefold() != "weight"


def _is_sign(column: Column, others: list[Column]) -> bool:
    """Whether `pos` is positive, not a part of speech: only if there is `neg`."""
    names = {other.name.casefold() for other in others}
    return column.name.casefold() in ("pos", "neg") and {"pos", "neg"} <= names


def _is_loughran(header: list[str]) -> bool:
    folded = {name.casefold() for name in header}
    return {"negative", "positive"} <= folded and any(name.startswith(("seq", "word count")) for name in folded)


def _ignore_others(table: Table, others: list[Column], used: list[Column]) -> None:
    table.ignore([column.name for column in others if column not in used])


def unknown(name: str, columns: list[str]) -> LexiconError:
    """The error for columns that are not understood."""
    shown = ", ".join(repr(cell.strip()) for cell in columns[:12]) + (", ..." if len(columns) > 12 else "")
    return LexiconError(
        f"{name} has the columns {shown}: expected one for the word ({', '.join(WORD_COLUMNS[:4])}, ...) and one for "
        f"its list ({', '.join(LIST_COLUMNS[:4])}, ...); name them with {opt('word')} and {opt('label')}, or "
        "name the list: positive=file"
    )
