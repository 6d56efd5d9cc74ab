"""Tests of the content of a file: whether it has a format."""

from __future__ import annotations

import json
import re

from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.table_rows import WORD_COLUMNS

MAX_LINES = 200
"""Lines at the beginning of a file that are compared with a pattern."""


def is_excel(file: LexiconFile) -> bool:
    """A zip archive (.xlsx), or the container of an old Excel file (.xls)."""
    return file.data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def is_xml(file: LexiconFile) -> bool:
    """XML, or an element of Yoshikoder."""
    return bool(re.match(r"\s*(<\?xml|<dictionary\b|<!DOCTYPE|<cnode\b)", file.text[:500]))


def is_json(file: LexiconFile) -> bool:
    """An object or array that can be parsed."""
    if not file.text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(file.text)
    except (ValueError, RecursionError):
        return False
    return True


def is_liwc(file: LexiconFile) -> bool:
    """`%` in the first line and in a later one."""
    lines = [line.strip() for line in file.lines if line.strip()]
    return lines[:1] == ["%"] and "%" in lines[1:]


def is_dicx(file: LexiconFile) -> bool:
    """`DicTerm` in the first cell."""
    return bool(re.match(r"""["']?DicTerm["']?\s*[,;\t]""", file.text, re.I))


def is_sentiws(file: LexiconFile) -> bool:
    """`Wort|NN<TAB>-0.05`."""
    return _most_lines_match(file, r"[^\t|]+\|[A-Z]+\t\s*[-+]?\d")


def is_wordstat(file: LexiconFile) -> bool:
    """`WORD* (1)`, with indented lines."""
    most = _most_lines_match(file, r"[ \t]*\S.* \([-+]?\d+([.,]\d+)?\)\s*$")
    return most and bool(re.search(r"^\t", file.text, re.M))


def is_lexicoder(file: LexiconFile) -> bool:
    """`+name#AA0000`."""
    return bool(re.match(r"\s*\+[^\n]+#[0-9A-Fa-f]{6}\s*$", file.text, re.M))


def is_tab_table(file: LexiconFile) -> bool:
    """Words and numbers separated by tabs, whatever the suffix: AFINN, VADER, NRC."""
    return _most_lines_match(file, r"[^\t]+\t([^\t]+\t)?\s*[-+]?\d+([.,]\d+)?\s*(\t|$)")


def is_yaml(file: LexiconFile) -> bool:
    """A name, a colon and a list, or a nested name."""
    return bool(re.match(r"(---\s*\n|#.*\n|\s*\n)*[^\s:#][^:\n]*:\s*(\[|\n\s*- |\n\s+\S+:)", file.text))


def is_table(file: LexiconFile) -> bool:
    """Cells divided by tabs, or a header that names a column of words."""
    first = next((line for line in file.lines if line.strip()), "").casefold()
    cells = [cell.strip("\"' ") for cell in re.split(r"[,;|\t]", first)]
    has_header = len(cells) > 1 and not set(WORD_COLUMNS).isdisjoint(cells)
    return has_header or _most_lines_match(file, r"[^\t]*\t")


def _most_lines_match(file: LexiconFile, pattern: str) -> bool:
    lines = [line for line in file.lines[:MAX_LINES] if line.strip()]
    return bool(lines) and 2 * sum(bool(re.match(pattern, line)) for line in lines) > len(lines)
