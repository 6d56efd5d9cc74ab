"""Columns that may be meant instead of those that are read: each is named in a warning."""

from __future__ import annotations

from collections.abc import Sequence

from problex.errors import opt
from problex.lexicon.formats.tables.columns import Column
from problex.lexicon.formats.tables.names import WORD, WORD_COLUMNS, parts_of, role_of
from problex.lexicon.formats.tables.table import Table

MIN_DISTINCT = 20
"""Different texts from which on a column may hold words or keys."""
MIN_SHARE = 0.02
"""The same as a share of the rows."""
SIGNS = (("pos", "neg"), ("positive", "negative"), ("positivity", "negativity"))


def doubt_words(table: Table, word: Column, others: Sequence[Column]) -> None:
    """Say that there are other columns of words: those named so, and those of keys and texts without a known name."""
    named = [column for column in others if column.is_words and role_of(column.name) == WORD]
    if word.name.casefold() in WORD_COLUMNS[:8]:
        named = [column for column in named if column.name.casefold() in WORD_COLUMNS and not is_like(column, word)]
    keys = [column for column in others if word.name.casefold() not in WORD_COLUMNS and _holds_texts(column, word)]
    rivals = list(dict.fromkeys([*named, *keys]))
    if rivals:
        names = ", ".join(column.name for column in [word, *rivals])
        table.doubt(names, f"the words were read from {word.name!r}: name another column with {opt('word')}")


def _holds_texts(column: Column, word: Column) -> bool:
    """Whether a column has many different texts that are not those of the words."""
    many = column.distinct > MIN_DISTINCT and column.distinct > MIN_SHARE * len(column.cells)
    is_plain = column.is_text and column.is_filled and not column.is_index and not column.has_sentences
    same = sum(one == other for one, other in zip(column.cells, word.cells, strict=False))
    return many and is_plain and not column.is_other and 2 * same < len(column.cells)


def labels_beside(table: Table, others: Sequence[Column], used: Sequence[Column]) -> list[Column]:
    """The column of polarities or emotions beside columns of marks; of several, none, which is said."""
    labels = [column for column in others if column not in used and column.is_known_label and column.distinct > 1]
    if len(labels) > 1:
        names = ", ".join(column.name for column in labels)
        marks = ", ".join(column.name for column in used[:4])
        table.doubt(
            names, f"left out, as the lists were read from {marks}: name one with {opt('label')} if it is meant"
        )
    return labels if len(labels) == 1 else []


def doubt_numbers(table: Table, lists: Sequence[Column], weight: Column | None, marked: Sequence[Column]) -> None:
    """Say that several columns of ratings are left out beside a column of lists whose labels are not known."""
    left = [column for column in marked if column is not weight and column.is_number and not column.is_flag]
    if len(left) > 2 or (len(lists) > 1 and left):
        names = ", ".join(column.name for column in left[:6]) + (", ..." if len(left) > 6 else "")
        read = ", ".join(column.name for column in lists[:4])
        table.doubt(
            names, f"left out, as the lists were read from {read}: name a column with {opt('weight')} or {opt('label')}"
        )


def find_signed(others: Sequence[Column]) -> Column | None:
    """The only column of numbers above and below 0, whatever its name."""
    signed = [
        column
        for column in others
        if column.is_number and column.is_filled and not column.is_index and min(column.values) < 0 < max(column.values)
    ]
    return signed[0] if len(signed) == 1 else None


def sign_columns(others: Sequence[Column]) -> list[Column]:
    """Two columns of numbers whose names differ by pos and neg only, if there are no more: `score_pos`, `score_neg`."""
    names = {parts_of(column.name): column for column in others if column.is_number and not column.is_index}
    pairs = []
    for parts, column in names.items():
        for positive, negative in SIGNS:
            other = tuple(negative if part == positive else part for part in parts)
            if len(parts) > 1 and other != parts and other in names:
                pairs.append([column, names[other]])
    return pairs[0] if len(pairs) == 1 else []


def is_like(column: Column, word: Column) -> bool:
    """Whether a column has the same words, or their lemmas: half of its cells are those of the other."""
    same = len(set(column.cells) & set(word.cells))
    return 2 * same > len(set(column.cells))
