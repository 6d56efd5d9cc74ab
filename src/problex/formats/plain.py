"""Plain word lists: one entry per line, `;` and `#` begin a comment."""

from __future__ import annotations

from pathlib import Path

from problex.formats.encoding import read_text
from problex.lexicon import Entry


def read_plain(path: Path, name: str | None) -> list[Entry]:
    """Read one list; without a name it is called as the file is."""
    listed = name or path.stem
    entries = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        word = line.strip()
        if word and word[0] not in ";#":
            entries.append(Entry(line, listed, f"{path.name}:{number}"))
    return entries
