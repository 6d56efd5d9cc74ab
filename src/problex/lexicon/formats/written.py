"""What a writer gives back: the bytes of a file, and what its format cannot hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from problex.lexicon.dictionary import Dictionary, path_of
from problex.lexicon.lexicon import Entry, Problem

DOES_NOT_FIT = "does not fit the format"


@dataclass(frozen=True)
class Written:
    """The bytes, and a problem for each entry or weight that did not fit."""

    data: bytes
    problems: tuple[Problem, ...] = ()

    @classmethod
    def of_text(cls, text: str, problems: Iterable[Problem], dictionary: Dictionary, *, weights: bool) -> Written:
        """Text in UTF-8; without `weights` the format has no place for them, and says so for each that there was."""
        lost = [] if weights else [without_weight(entry) for entry in dictionary.entries if entry.weight is not None]
        return cls(text.encode("utf-8", "surrogatepass"), (*problems, *lost))

    @classmethod
    def of_lines(
        cls, lines: Iterable[str], problems: Iterable[Problem], dictionary: Dictionary, *, weights: bool
    ) -> Written:
        """Lines, each with its end."""
        return cls.of_text("".join(f"{line}\n" for line in lines), problems, dictionary, weights=weights)


def cannot_hold(entry: Entry, why: str) -> Problem:
    """An entry that is left out because the format would read it as something else."""
    return Problem(DOES_NOT_FIT, entry.text, entry.where, f"left out: {why}")


def without_weight(entry: Entry) -> Problem:
    """A weight for which the format has no place."""
    return Problem("weight not kept", entry.text, entry.where, f"the format has no place for {entry.weight}")


class Tree(dict[str, "Tree"]):
    """Nested categories in the order of the file, each with the entries of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []


def tree_of(entries: Iterable[Entry]) -> Tree:
    """Entries by the path of their category."""
    root = Tree()
    for entry in entries:
        node = root
        for name in path_of(entry.list):
            node = node.setdefault(name, Tree())
        node.entries.append(entry)
    return root


def number(weight: float) -> str:
    """A weight as short as it can be written without losing a digit.

    >>> number(2.0), number(-0.05)
    ('2', '-0.05')
    """
    return repr(int(weight)) if weight == int(weight) and abs(weight) < 1e15 else repr(weight)
