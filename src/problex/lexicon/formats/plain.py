"""Plain word lists: one entry per line, `;` and `#` begin a comment."""

from __future__ import annotations

import re

from problex.errors import OutputError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.written import Written, cannot_hold
from problex.lexicon.lexicon import Entry, Problem

_WINK = re.compile(r";[-~o^',]?[()\[\]{}|/\\<>DPpOo3*]+$")


def comment(line: str) -> bool | None:
    """Whether a line is a comment; None when it may be an entry as well, as `#metoo` may.

    >>> comment("; a remark"), comment("good"), comment(";-)"), comment("#metoo")
    (True, False, False, None)
    """
    line = line.strip()
    if not line.startswith((";", "#")) or _WINK.match(line):
        return False
    rest = line.lstrip(";#")
    doubtful = rest and not rest[0].isspace() and len(line.split()) == 1
    return None if doubtful else True


def doubtful_comment(line: str, where: str) -> Problem:
    """What is said of a line that was taken as a comment and may have been an entry."""
    return Problem(
        "doubtful comment", line.strip(), where, "taken as a comment: if it is an entry, use a table or YAML"
    )


def read_plain(source: Source) -> Dictionary:
    """Read one list, called as the user or the file is."""
    entries, problems = [], []
    for number, line in enumerate(source.lines, start=1):
        remark = comment(line)
        if remark is None:
            problems.append(doubtful_comment(line, source.where(number)))
        elif line.strip() and not remark:
            entries.append(Entry(line, source.only_list, source.where(number)))
    return source.result(entries, problems)


def write_plain(dictionary: Dictionary) -> Written:
    """Write the one list of a dictionary, an entry per line."""
    if len(dictionary.categories) > 1:
        raise OutputError(
            f"a plain list holds one category, and there are {len(dictionary.categories)} "
            f"({', '.join(dictionary.categories[:8])}): choose one with --list, or write .csv"
        )
    lines, problems = [], []
    for entry in dictionary.entries:
        if comment(entry.text) is not False:
            problems.append(cannot_hold(entry, "it would be read as a comment"))
        else:
            lines.append(entry.text)
    return Written.of_lines(lines, problems, dictionary, weights=False)
