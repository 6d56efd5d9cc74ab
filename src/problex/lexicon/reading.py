"""`read_lexicon` and `read_dictionary`: from files to a `Lexicon`, or to the categories of a `Dictionary`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from os import PathLike
from pathlib import Path

from problex.errors import LexiconError, check_choice
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats import READERS, SAME, SUFFIXES, Source, read_source, sniff
from problex.lexicon.lexicon import Lexicon, Problem

FilePath = str | PathLike[str]


def read_lexicon(path: FilePath | None = None, /, **lists: FilePath | Iterable[FilePath]) -> Lexicon:
    """Read a lexicon: one file with all lists in it, or one or more files for each list.

    `read_lexicon("both.csv")` reads a table of words and lists; `read_lexicon(positive="p.txt", negative="n.txt")`
    reads one list per file. `read_dictionary` reads a file from which categories are then chosen.
    """
    if (path is None) == (not lists):
        raise LexiconError(
            "read_lexicon takes either one file with all lists, read_lexicon('both.csv'), or a file for each list, "
            "read_lexicon(positive='p.txt', negative='n.txt')"
        )
    if path is not None:
        return read_dictionary(path).lexicon()
    found = Dictionary(())
    for name, files in lists.items():
        for file in [files] if isinstance(files, (str, PathLike)) else files:
            one = read_dictionary(file, listed=name)
            if not one.entries:
                raise LexiconError(f"{str(file)!r} has no entry for list {name!r}, expected one word per line")
            found += one
    return found.lexicon()


def read_dictionary(
    path: FilePath, *, format: str | None = None, encoding: str | None = None, listed: str | None = None
) -> Dictionary:
    """Read the categories of a file, in the format that it shows, in an encoding that is guessed unless given.

    With `listed`, the file is one list and is called that.
    """
    source = read_source(Path(path), encoding, listed)
    if format is not None:
        check_choice("format", format, READERS)
    known = format or sniff(source)
    if known is None:
        suffixes = ", ".join(suffix or "(none)" for suffix in SUFFIXES)
        raise LexiconError(
            f"{source.name}: lexicons of format {source.suffix!r} are not known, expected one of {suffixes}"
        )
    found = READERS[known](source)
    if format is None:
        found = replace(found, problems=_surprise(source, known) + found.problems)
    return found if listed is None else _one_list(found, source, listed)


def _surprise(source: Source, known: str) -> tuple[Problem, ...]:
    """Say so when a file is not what its suffix promises."""
    promised = SUFFIXES.get(source.suffix, known)
    if promised in ("plain", known) or any({promised, known} <= alike for alike in SAME):
        return ()
    return (Problem("other format", source.name, "whole file", f"read as {known}: that is what it holds"),)


def _one_list(found: Dictionary, source: Source, name: str) -> Dictionary:
    if len(found.categories) > 1:
        shown = ", ".join(found.categories[:8])
        raise LexiconError(
            f"{source.name} was given as list {name!r}, but has {len(found.categories)} categories ({shown}), expected "
            f"one: choose with --lexicon {source.name} --list {name}=CATEGORY"
        )
    return replace(found, entries=tuple(entry._replace(list=name) for entry in found.entries))
