"""`write_dictionary`: a dictionary to a file in any format that can be written, whole or not at all."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from problex._util.files import check_writable, write_atomically
from problex.errors import OutputError, check_choice
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats import SUFFIXES, WRITERS
from problex.lexicon.lexicon import Problem


def write_dictionary(
    dictionary: Dictionary, path: str | PathLike[str], *, format: str | None = None, force: bool = False
) -> tuple[Problem, ...]:
    """Write a dictionary in the format of the suffix, or the one given; returns what did not fit into it."""
    path = Path(path)
    known = format or SUFFIXES.get(path.suffix.lower())
    if known is None:
        raise OutputError(
            f"{path.name!r} has no known suffix for lexicons, expected one of {', '.join(filter(None, SUFFIXES))}, "
            f"or name the format: {', '.join(WRITERS)}"
        )
    check_choice("format", known, WRITERS)
    check_writable(path, force=force)
    if not dictionary.entries:
        raise OutputError(f"there is no entry to write to {path.name!r}, expected at least one")
    written = WRITERS[known](dictionary.tidy())
    write_atomically(path, lambda partial: partial.write_bytes(written.data), force=force)
    return written.problems
