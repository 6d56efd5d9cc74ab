"""Plain word lists: one entry per line, `;` and `#` begin a comment."""

from __future__ import annotations

import re

from problex.errors import OutputError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.output import Output, unsupported_entry
from problex.lexicon.lexicon import Entry, Issue

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
    is_doubtful = rest and not rest[0].isspace() and len(line.split()) == 1
    return None if is_doubtful else True


def doubtful_comment(line: str, where: str) -> Issue:
    """The issue of a line that was read as a comment and may have been an entry."""
    return Issue("doubtful comment", line.strip(), where, "read as a comment: if it is an entry, use a table or YAML")


def read_plain(file: LexiconFile) -> Dictionary:
    """Read one list, named by the user or after the file."""
    entries, issues = [], []
    for number, line in enumerate(file.lines, start=1):
        is_comment = comment(line)
        if is_comment is None:
            issues.append(doubtful_comment(line, file.where(number)))
        elif line.strip() and not is_comment:
            entries.append(Entry(line, file.default_list, file.where(number)))
    return file.dictionary(entries, issues)


def write_plain(dictionary: Dictionary) -> Output:
    """Write the one list of a dictionary, an entry per line."""
    if len(dictionary.categories) > 1:
        raise OutputError(
            f"a plain list holds one category, and there are {len(dictionary.categories)} "
            f"({', '.join(dictionary.categories[:8])}): choose one with --list, or write .csv"
        )
    lines, issues = [], []
    for entry in dictionary.entries:
        if comment(entry.text) is not False:
            issues.append(unsupported_entry(entry, "it would be read as a comment"))
        else:
            lines.append(entry.text)
    return Output.from_lines(lines, issues, dictionary, weights=False)
