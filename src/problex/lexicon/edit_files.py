"""Edits of a lexicon as CSV with the columns `word`, `from` and `to`; an empty cell is no list."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from problex._util.records import to_csv, unescape_formula
from problex.errors import LexiconError
from problex.lexicon.edits import Edit
from problex.tables.formats import read_cells

COLUMNS = ("word", "from", "to")


def edits_csv(edits: Iterable[Edit]) -> str:
    r"""Edits as CSV, which `read_edits` reads.

    >>> edits_csv([Edit("hero", "positive", None), Edit("dull", None, "negative")])
    'word,from,to\nhero,positive,\ndull,,negative\n'
    """
    rows = [dict(zip(COLUMNS, (edit.entry, edit.old or "", edit.new or ""), strict=True)) for edit in edits]
    return to_csv(rows, COLUMNS)


def read_edits(path: Path) -> list[Edit]:
    """The edits of a table in any format, in order: of the doctor's log those that it made."""
    table = read_cells(path)
    if not table.keys() >= {*COLUMNS}:
        raise LexiconError(
            f"{path} has the columns {', '.join(table)}, expected {', '.join(COLUMNS)}: "
            "the entry, the list that it leaves and the list that it joins"
        )
    rows = zip(*(map(unescape_formula, table[name]) for name in COLUMNS), strict=True)
    done = table.get("done") or [""] * len(table["word"])
    return [
        Edit(word, old or None, new or None)
        for (word, old, new), what in zip(rows, done, strict=True)
        if word and (old or new) and not what.startswith("nothing")
    ]
