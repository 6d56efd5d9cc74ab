"""Lexicon files: one reader per format. Adding one is a function in here and a line in `READERS`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from problex.formats.plain import read_plain
from problex.formats.table import read_table
from problex.lexicon import Entry

Reader = Callable[[Path, str | None], list[Entry]]

READERS: dict[str, Reader] = {
    ".txt": read_plain,
    ".lst": read_plain,
    ".words": read_plain,
    "": read_plain,
    ".csv": read_table,
    ".tsv": read_table,
    ".tab": read_table,
}
"""Suffix -> reader(path, list name or None). With a list name, every entry of the file belongs to that list."""

__all__ = ["READERS", "Reader", "read_plain", "read_table"]
