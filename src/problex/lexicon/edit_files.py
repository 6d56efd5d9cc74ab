"""Edits of a lexicon as CSV with the columns `word`, `from` and `to`; an empty cell is no list."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from problex._util.records import to_csv, unescape_formula
from problex.errors import LexiconError
from problex.lexicon.edits import Edit

COLUMNS = ("word", "from", "to")


def edits_csv(edits: Iterable[Edit]) -> str:
    r"""Edits as CSV, which `read_edits` reads.

    >>> edits_csv([Edit("hero", "positive", None), Edit("dull", None, "negative")])
    'word,from,to\nhero,positive,\ndull,,negative\n'
    """
    rows = [dict(zip(COLUMNS, (edit.entry, edit.old or "", edit.new or ""), strict=True)) for edit in edits]
    return to_csv(rows, COLUMNS)


def read_edits(path: Path) -> list[Edit]:
    """The edits of a CSV file, in order. The doctor's log of changes is one; what it did not change is left out."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise LexiconError(f"{path} is not UTF-8, expected CSV in UTF-8: save it with this encoding") from None
    except OSError as error:
        raise LexiconError(f"{path} cannot be read: {error.strerror}. Check its name") from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise LexiconError(
            f"{path} has the columns {', '.join(reader.fieldnames or ()) or 'none'}, expected {', '.join(COLUMNS)}: "
            "the entry, the list that it leaves and the list that it joins"
        )
    edits = []
    for row in reader:
        word, old, new = (unescape_formula(row[name] or "") for name in COLUMNS)
        is_done = not (row.get("done") or "").startswith("nothing")
        if word and (old or new) and is_done:
            edits.append(Edit(word, old or None, new or None))
    return edits
