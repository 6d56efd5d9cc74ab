"""`read_lexicon`, `read_dictionary` and `write_dictionary`: lexicons from and to files."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from os import PathLike
from pathlib import Path

from problex._util.files import check_writable, write_atomically
from problex.errors import LexiconError, LexiconWarning, OutputError, check_choice, warn_caller
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats import (
    READERS,
    SUFFIXES,
    WRITERS,
    WRITTEN_SUFFIXES,
    detect_format,
    is_expected,
)
from problex.lexicon.formats.lexicon_file import FileOptions, LexiconFile
from problex.lexicon.lexicon import Issue, Lexicon
from problex.lexicon.sanity import check_reading, drop_tags, warning_of

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
    dictionary = Dictionary(())
    for name, files in lists.items():
        for file in [files] if isinstance(files, (str, PathLike)) else files:
            dictionary += read_dictionary(file, listed=name)
    return dictionary.lexicon()


def read_dictionary(
    path: FilePath,
    *,
    format: str | None = None,
    encoding: str | None = None,
    listed: str | None = None,
    word: str | None = None,
    label: str | None = None,
    weight: str | None = None,
    midpoint: float | None = None,
    neutral: tuple[float, float] | None = None,
    sheet: str | None = None,
) -> Dictionary:
    """Read the categories of a file; format and encoding are detected unless given.

    With `listed`, all entries belong to one list of that name. `word`, `label` and `weight` are columns of a table, by
    name or number from 1. Words rated above `midpoint` are positive, words below it negative, and words within
    `neutral`, two numbers, neither. `sheet` is a sheet of a workbook. A reading that may be wrong is a warning.
    """
    options = FileOptions(word, label, weight, midpoint, neutral, sheet)
    return read_file(LexiconFile.read(Path(path), encoding, listed, options), format)


def read_file(file: LexiconFile, format: str | None = None) -> Dictionary:
    """Read a file in memory, check the reading, and warn of what may be misread."""
    if format is not None:
        check_choice("format", format, READERS)
    name = format or detect_format(file)
    if name is None:
        suffixes = ", ".join(suffix or "(none)" for suffix in SUFFIXES)
        raise LexiconError(f"{file.name}: lexicons of format {file.suffix!r} are not known, expected one of {suffixes}")
    if file.options.sheet is not None and name != "xlsx":
        asked = f"the sheet {file.options.sheet!r} of {file.name} was asked for"
        warn_caller(
            f"{asked}, which has none: it is read as a whole. Only a workbook (.xlsx) has sheets", LexiconWarning
        )
    dictionary = READERS[name](file)
    if format is None and not is_expected(name, file.suffix):
        issue = Issue("other format", file.name, "whole file", f"read as {name}, which is the format of its content")
        dictionary = replace(dictionary, problems=(issue, *dictionary.problems))
    if file.list_name is not None:
        if not dictionary.entries:
            raise LexiconError(f"{file.name!r} has no entry for list {file.list_name!r}, expected one word per line")
        dictionary = _as_one_list(dictionary, file.name, file.list_name)
    dictionary = check_reading(drop_tags(dictionary, file.name), file.name)
    for issue in dictionary.problems:
        if issue.loud:
            warn_caller(warning_of(issue, dictionary), LexiconWarning)
    return dictionary


def _as_one_list(dictionary: Dictionary, file_name: str, list_name: str) -> Dictionary:
    if len(dictionary.categories) > 1:
        names = ", ".join(dictionary.categories[:8])
        raise LexiconError(
            f"{file_name} was given as list {list_name!r}, but has {len(dictionary.categories)} categories ({names}), "
            f"expected one: choose with --lexicon {file_name} --list {list_name}=CATEGORY"
        )
    return replace(dictionary, entries=tuple(entry._replace(list=list_name) for entry in dictionary.entries))


def write_dictionary(
    dictionary: Dictionary, path: FilePath, *, format: str | None = None, force: bool = False
) -> tuple[Issue, ...]:
    """Write a dictionary in the format of the suffix, or the given one; returns what the format cannot hold."""
    path = Path(path)
    name = format or WRITTEN_SUFFIXES.get(path.suffix.lower())
    if name is None:
        known = ", ".join(filter(None, WRITTEN_SUFFIXES))
        raise OutputError(
            f"{path.name!r} has no known suffix for lexicons, expected one of {known}, "
            f"or name the format: {', '.join(WRITERS)}"
        )
    check_choice("format", name, WRITERS)
    check_writable(path, force=force)
    if not dictionary.entries:
        raise OutputError(f"there is no entry to write to {path.name!r}, expected at least one")
    for entry in dictionary.entries:
        if entry.weight is not None and not math.isfinite(entry.weight):
            raise OutputError(f"{entry.text!r} ({entry.where}) has the weight {entry.weight}, expected a finite number")
    output = WRITERS[name](dictionary.tidy())
    write_atomically(path, lambda partial: partial.write_bytes(output.data), force=force)
    return output.issues
