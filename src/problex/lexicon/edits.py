"""`Edit`: a change of one entry, and what a series of edits makes of the lists of a lexicon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from problex.errors import LexiconError


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
        """The word as a lexicon has it: in lower case, without blanks around it."""
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


def _check(lists: Mapping[str, set[str]], edit: Edit) -> None:
    """Raise if an edit does not fit the lists, with what to do about it."""
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
