"""Lexicoder 3 dictionaries (.lc3): `+category`, then its entries, one per line. (.lcd is XML, as Yoshikoder's.)"""

from __future__ import annotations

import re
from itertools import chain

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.written import Written, cannot_hold
from problex.lexicon.lexicon import Entry, Problem

_COLOUR = re.compile(r"\s*#[0-9A-Fa-f]{6}$")


def read_lexicoder(source: Source) -> Dictionary:
    """Read a .lc3; the colour that may follow a category, `+negative#AA0000`, is not part of its name."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    sizes: dict[str, int] = {}
    listed = None
    for number, line in enumerate(source.lines, start=1):
        text = line.strip()
        if text.startswith("+"):
            listed = category_of([_COLOUR.sub("", text[1:])])
            if not listed:
                raise LexiconError(f"{source.where(number)} is {text!r}, expected the name of a category after +")
            sizes.setdefault(listed, 0)
        elif text and listed is None:
            raise LexiconError(f"{source.where(number)} is {text!r}, expected +CATEGORY before the first entry")
        elif text and listed is not None:
            sizes[listed] += 1
            entries.append(Entry(text, listed, source.where(number)))
    for name, size in sizes.items():
        if not size:
            problems.append(Problem("empty category", name, source.name, "left out: it has no entry"))
    return source.result(entries, problems)


def write_lexicoder(dictionary: Dictionary) -> Written:
    """Write a .lc3; nested categories keep their path as name."""
    lines: dict[str, list[str]] = {name: [f"+{name}"] for name in dictionary.categories}
    problems = []
    for entry in dictionary.entries:
        if entry.text.startswith("+"):
            problems.append(cannot_hold(entry, "a line that begins with + is a category"))
        else:
            lines[entry.list].append(entry.text)
    return Written.of_lines(chain.from_iterable(lines.values()), problems, dictionary, weights=False)
