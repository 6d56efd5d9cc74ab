"""The result of a writer: the bytes of a file, and what its format cannot hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from problex.errors import OutputError
from problex.lexicon.dictionary import Dictionary, path_of
from problex.lexicon.formats.lexicon_file import MAX_DEPTH
from problex.lexicon.lexicon import Entry, Issue

DOES_NOT_FIT = "does not fit the format"


@dataclass(frozen=True)
class Output:
    """The bytes, and an issue for each entry or weight that the format cannot hold."""

    data: bytes
    issues: tuple[Issue, ...] = ()

    @classmethod
    def from_text(cls, text: str, issues: Iterable[Issue], dictionary: Dictionary, *, weights: bool) -> Output:
        """Text in UTF-8; without `weights` the format cannot hold weights, and each is an issue."""
        lost = (
            [] if weights else [unsupported_weight(entry) for entry in dictionary.entries if entry.weight is not None]
        )
        return cls(text.encode("utf-8", "surrogatepass"), (*issues, *lost))

    @classmethod
    def from_lines(
        cls, lines: Iterable[str], issues: Iterable[Issue], dictionary: Dictionary, *, weights: bool
    ) -> Output:
        """Lines, to which the line ends are added."""
        return cls.from_text("".join(f"{line}\n" for line in lines), issues, dictionary, weights=weights)


def unsupported_entry(entry: Entry, why: str) -> Issue:
    """An entry that is left out because the format would read it as something else."""
    return Issue(DOES_NOT_FIT, entry.text, entry.where, f"left out: {why}")


def unsupported_weight(entry: Entry) -> Issue:
    """A weight that the format cannot hold."""
    shown = None if entry.weight is None else round(entry.weight, 6)
    return Issue("weight not kept", entry.text, entry.where, f"the format cannot hold {shown}")


class CategoryTree(dict[str, "CategoryTree"]):
    """Nested categories in the order of the file, each with its own entries."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> CategoryTree:
        """Entries by the path of their category."""
        root = cls()
        for entry in entries:
            node = root
            path = path_of(entry.list)
            if len(path) > MAX_DEPTH:
                raise OutputError(
                    f"a category has {len(path):,} levels, expected at most {MAX_DEPTH}: rename it with --list"
                )
            for name in path:
                node = node.setdefault(name, cls())
            node.entries.append(entry)
        return root


def format_weight(weight: float) -> str:
    """A weight as short as it can be written without losing a digit.

    >>> format_weight(2.0), format_weight(-0.05)
    ('2', '-0.05')
    """
    return repr(int(weight)) if weight == int(weight) and abs(weight) < 1e15 else repr(weight)
