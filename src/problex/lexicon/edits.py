"""`Edit`: a change of one entry, what a series of edits makes of the lists of a lexicon, and files of edits.

The files are CSV with the columns `word`, `from` and `to`; an empty cell is no list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from problex._util.records import to_csv, unescape_formula
from problex.errors import LexiconError

COLUMNS = ("word", "from", "to")
"""The columns of a file of edits."""


@dataclass(frozen=True)
class Edit:
    """A change of one entry: it is removed from the list `old` and added to the list `new`; None is no list."""

    word: str
    old: str | None
    new: str | None

    def __str__(self) -> str:
        if self.new is None:
            return f"remove {self.word!r} from {self.old}"
        if self.old is None:
            return f"add {self.word!r} to {self.new}"
        return f"move {self.word!r} from {self.old} to {self.new}"

    @property
    def entry(self) -> str:
        """The word as a lexicon has it: in lower case, without blanks around it.

        >>> Edit("  Well   Made ", None, "up").entry
        'well made'
        """
        return " ".join(self.word.split()).lower()

    @property
    def inverse(self) -> Edit:
        """The edit that undoes this one.

        >>> str(Edit("hero", "positive", None).inverse)
        "add 'hero' to positive"
        """
        return Edit(self.word, self.new, self.old)


def edited_lists(lists: Mapping[str, Iterable[str]], edits: Iterable[Edit]) -> dict[str, set[str]]:
    """The lists after edits, one by one; an edit that does not fit the lists before it is refused.

    >>> lists = edited_lists({"up": ["good"], "down": ["bad", "hero"]}, [Edit("Hero", "down", "up")])
    >>> sorted(lists["up"]), sorted(lists["down"])
    (['good', 'hero'], ['bad'])
    """
    changed = {name: set(words) for name, words in lists.items()}
    for edit in edits:
        _check(changed, edit)
        if edit.old is not None:
            changed[edit.old].discard(edit.entry)
        if edit.new is not None:
            changed[edit.new].add(edit.entry)
    return changed


def edits_between(
    present: Mapping[str, Iterable[str]], given: Mapping[str, Iterable[str]], *, replace: bool
) -> list[Edit]:
    """The edits that add the entries of lists to others of the same names; with `replace`, those that remove the rest.

    >>> present = {"up": ["good", "odd"], "down": ["bad"]}
    >>> given = {"up": ["good", "fine"], "down": ["odd"]}
    >>> [str(edit) for edit in edits_between(present, given, replace=True)]
    ["add 'fine' to up", "move 'odd' from up to down", "remove 'bad' from down"]
    >>> [str(edit) for edit in edits_between(present, given, replace=False)]
    ["add 'fine' to up", "move 'odd' from up to down"]
    """
    if set(given) != set(present):
        raise LexiconError(
            f"its lists are {', '.join(given)}, expected {', '.join(present)}: rename them in the file, or paste the "
            "words under these names"
        )
    old, new = ({word: name for name, words in lists.items() for word in words} for lists in (present, given))
    changed = [Edit(word, old.get(word), name) for word, name in new.items() if old.get(word) != name]
    added = [edit for edit in changed if edit.old is None]  # first, so that no list is without entries in between
    moved = [edit for edit in changed if edit.old is not None]
    return added + moved + [Edit(word, name, None) for word, name in old.items() if replace and word not in new]


def _check(lists: Mapping[str, set[str]], edit: Edit) -> None:
    """Raise if an edit does not fit the lists, with what to do about it.

    >>> _check({"up": {"good"}, "down": {"bad"}}, Edit("good", "up", "down"))
    Traceback (most recent call last):
    problex.errors.LexiconError: 'good' is the last entry of 'up', and a list cannot be empty: ...
    """
    word = edit.entry
    if not word:
        raise LexiconError(f"an edit of the entry {edit.word!r} was given, expected a word: type at least one letter")
    for name in (edit.old, edit.new):
        if name is not None and name not in lists:
            raise LexiconError(
                f"the edit '{edit}' names the list {name!r}, expected one of {', '.join(lists)}: name one of these"
            )
    if edit.old == edit.new:
        raise LexiconError(
            f"the edit of {word!r} changes nothing, because both lists are {edit.old!r}: name two lists that differ"
        )
    current = next((name for name, words in lists.items() if word in words), None)
    if current != edit.old:
        place, expected = ("in no list" if name is None else f"in {name!r}" for name in (current, edit.old))
        raise LexiconError(
            f"{word!r} is {place}, but the edit '{edit}' expects it {expected}: look at the lexicon as it is now, and "
            "edit that"
        )
    if edit.old is not None and len(lists[edit.old]) == 1:
        raise LexiconError(
            f"{word!r} is the last entry of {edit.old!r}, and a list cannot be empty: add another entry to it first"
        )


def edits_csv(edits: Iterable[Edit]) -> str:
    r"""Edits as CSV, which `read_edits` reads.

    >>> edits_csv([Edit("hero", "positive", None), Edit("dull", None, "negative")])
    'word,from,to\nhero,positive,\ndull,,negative\n'
    """
    rows = [dict(zip(COLUMNS, (edit.entry, edit.old or "", edit.new or ""), strict=True)) for edit in edits]
    return to_csv(rows, COLUMNS)


def read_edits(path: Path) -> list[Edit]:
    """The edits of a table in any format, in order: of the doctor's log those that it made."""
    from problex.tables.formats import read_cells

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
