"""Tables of pairs of words, such as two spellings or a translation: no column is a list."""

from __future__ import annotations

from collections.abc import Sequence

from problex.errors import LexiconError, opt
from problex.lexicon.formats.tables.columns import Column
from problex.lexicon.formats.tables.table import Table, cell_of

LEAST_ROWS = 8
"""Rows from which on columns of equal length are pairs, not lists."""


def refuse_pairs(table: Table, columns: Sequence[Column]) -> None:
    """Raise if two columns hold a word, or a text about it, in nearly every row."""
    full = [column for column in columns if len(column.cells) > 0.95 * column.rows and not column.is_index]
    words = [column for column in full if column.is_text and not column.is_label and not column.is_part_of_speech]
    if len(words) < 2 or words[0].rows < LEAST_ROWS:
        return
    rows = "; ".join(
        " | ".join(cell_of(row, column.at).strip()[:30] for column in words[:3]) for _, row in table.rows[:3]
    )
    raise LexiconError(
        f"{table.name} has a text in {len(words)} columns of each row ({rows}), as tables of spellings or translations "
        f"have, expected a word and its list: name the columns with {opt('word')} and {opt('label')}, or only "
        f"{opt('word')}"
    )
