"""Bytes of unknown encoding to text."""

from __future__ import annotations

import codecs
from pathlib import Path

from problex.errors import LexiconError

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_text(path: Path) -> str:
    """Read a small file as UTF-8 (with or without a byte order mark), else as Windows-1252 or latin-1.

    Every byte means something in latin-1, so nothing is lost; Windows-1252 is tried first because it differs only
    where latin-1 has control characters.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise LexiconError(f"there is no lexicon file {str(path)!r}: check the path") from None
    except IsADirectoryError:
        raise LexiconError(f"{str(path)!r} is a folder, expected a lexicon file") from None
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return raw.decode(encoding)
    for encoding in ("utf-8", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")
