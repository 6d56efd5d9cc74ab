"""Lexicoder 3 dictionaries (.lc3): `+category`, then its entries, one per line. (.lcd is XML, as Yoshikoder's.)"""

from __future__ import annotations

import re
from itertools import chain

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary, category_of
from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.output import Output, unsupported_entry
from problex.lexicon.lexicon import Entry, Issue

_COLOUR = re.compile(r"\s*#[0-9A-Fa-f]{6}$")


def read_lexicoder(file: LexiconFile) -> Dictionary:
    """Read a .lc3; the colour after a category, `+negative#AA0000`, is not part of its name."""
    entries: list[Entry] = []
    issues: list[Issue] = []
    sizes: dict[str, int] = {}
    category = None
    for number, line in enumerate(file.lines, start=1):
        text = line.strip()
        if text.startswith("+"):
            category = category_of([_COLOUR.sub("", text[1:])])
            if not category:
                raise LexiconError(f"{file.where(number)} is {text!r}, expected the name of a category after +")
            sizes.setdefault(category, 0)
        elif text and category is None:
            action = "left out: expected +CATEGORY before the first entry"
            issues.append(Issue("bad line", text[:60], file.where(number), action))
        elif text and category is not None:
            sizes[category] += 1
            entries.append(Entry(text, category, file.where(number)))
    for name, size in sizes.items():
        if not size:
            issues.append(Issue("empty category", name, file.name, "left out: it has no entry"))
    return file.dictionary(entries, issues)


def write_lexicoder(dictionary: Dictionary) -> Output:
    """Write a .lc3; nested categories keep their path as name."""
    lines: dict[str, list[str]] = {name: [f"+{name}"] for name in dictionary.categories}
    issues = []
    for entry in dictionary.entries:
        if entry.text.startswith("+"):
            issues.append(unsupported_entry(entry, "a line that begins with + is a category"))
        else:
            lines[entry.list].append(entry.text)
    return Output.from_lines(chain.from_iterable(lines.values()), issues, dictionary, weights=False)
