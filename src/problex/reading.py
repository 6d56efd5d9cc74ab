"""`read_lexicon`: from files to a `Lexicon`."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from problex.errors import LexiconError
from problex.formats import READERS
from problex.lexicon import Entry, Lexicon

FilePath = str | PathLike[str]


def read_lexicon(path: FilePath | None = None, /, **lists: FilePath | Iterable[FilePath]) -> Lexicon:
    """Read a lexicon: one file with all lists in it, or one or more files for each list.

    `read_lexicon("both.csv")` reads a table of words and lists; `read_lexicon(positive="p.txt", negative="n.txt")`
    reads one list per file.
    """
    if (path is None) == (not lists):
        raise LexiconError(
            "read_lexicon takes either one file with all lists, read_lexicon('both.csv'), or a file for each list, "
            "read_lexicon(positive='p.txt', negative='n.txt')"
        )
    if path is not None:
        return Lexicon.from_entries(read_entries(Path(path)))
    entries: list[Entry] = []
    for name, files in lists.items():
        for file in [files] if isinstance(files, (str, PathLike)) else files:
            found = read_entries(Path(file), name)
            if not found:
                raise LexiconError(f"{str(file)!r} has no entry for list {name!r}, expected one word per line")
            entries.extend(found)
    return Lexicon.from_entries(entries)


def read_entries(path: Path, name: str | None = None) -> list[Entry]:
    """The entries of one file, by the reader of its suffix."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(suffix or "(none)" for suffix in READERS)
        raise LexiconError(f"{path.name}: lexicons of format {path.suffix!r} are not known, expected one of {known}")
    return reader(path, name)
