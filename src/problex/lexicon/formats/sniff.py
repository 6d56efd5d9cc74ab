"""Tests of the content of a file: whether it has a format."""

from __future__ import annotations

import json
import re

from problex.lexicon.formats.lexicon_file import LexiconFile
from problex.lexicon.formats.plain import comment, is_comma_list
from problex.lexicon.formats.tables.names import WORD_COLUMNS

MAX_LINES = 200
"""Lines at the beginning of a file that are compared with a pattern."""


NUMBER_OR_SIGN = re.compile(r"[-+]?\d+(\.\d+)?|positive|negative|neutral|pos|neg", re.I)
YAML_NAME = re.compile(r"(?:---[^\S\n]*\n|#[^\n]*\n|[^\S\n]*\n)*+[^\s:#][^:\n]*+:(?P<space>\s*+)(?P<start>\[|- |\S+:)?")
"""The first name, and what follows its colon. Nothing is tried twice, so that blank lines cost no more than others."""
LEAST_PAIRS = 8
"""Lines from which on one colon in nearly each divides two columns."""


def is_excel(file: LexiconFile) -> bool:
    """A zip archive (.xlsx), or the container of an old Excel file (.xls)."""
    return file.data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def is_xml(file: LexiconFile) -> bool:
    """XML, with or without its first line."""
    return bool(re.match(r"\s*(<\?xml|<!DOCTYPE|<!--|<[A-Za-z][\w:]*[\s>/])", file.text[:500])) and ">" in file.text


def is_yoshikoder(file: LexiconFile) -> bool:
    """XML with elements of Yoshikoder."""
    return is_xml(file) and bool(re.search(r"<(cnode|pnode|dictionary)\b", file.text[:5000]))


def is_json(file: LexiconFile) -> bool:
    """An object or array that can be parsed, or that has a number too long to be converted."""
    if not file.text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(file.text)
    except (json.JSONDecodeError, RecursionError):
        return False
    except ValueError:
        return True
    return True


def is_liwc(file: LexiconFile) -> bool:
    """`%` in the first line and in a later one, or, in a .dic, words with numbers of categories."""
    lines = [line.strip() for line in file.lines if line.strip()]
    if lines[:1] == ["%"] and "%" in lines[1:]:
        return True
    numbered = sum(bool(re.fullmatch(r"[^\t]+(\t+\d{1,4})+", line)) for line in lines[:MAX_LINES])
    several = any(line.count("\t") > 1 for line in lines[:MAX_LINES]) or file.suffix == ".dic"
    widths = {line.count("\t") for line in lines[:MAX_LINES]}
    is_ragged = len(widths) > 2 or (file.suffix == ".dic" and len(lines) > 2)
    return several and is_ragged and numbered > 0.8 * min(len(lines), MAX_LINES)


def is_comma_separated(file: LexiconFile) -> bool:
    """Words separated by commas in one line, whatever the suffix."""
    lines = [line for line in file.lines if line.strip() and comment(line) is False]
    return len(lines) == 1 and is_comma_list(file) and not lines[0].lstrip().startswith(("{", "["))


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
    found = YAML_NAME.match(file.text)
    if found is None:
        return False
    space, start = found["space"], found["start"] or ""
    if start in ("[", "- "):
        return start == "[" or "\n" in space
    return bool(start) and "\n" in space[:-1]


def is_table(file: LexiconFile) -> bool:
    """Cells divided by tabs, or a header that names a column of words."""
    first = next((line for line in file.lines if line.strip()), "").casefold()
    cells = [cell.strip("\"' ") for cell in re.split(r"[,;|\t]", first)]
    has_header = len(cells) > 1 and not set(WORD_COLUMNS[:-2]).isdisjoint(cells)
    if has_header or _most_lines_match(file, r"[^\t]*\t"):
        return True
    if is_comma_list(file):
        return False
    by_number = r"[^,;|]+[,;|]\s*[-+]?\d+([.,]\d+)?\s*([,;|]|$)|[-+]?\d+(\.\d+)?\s*[,;|]\s*[^\d\s,;|][^,;|]*$"
    return _most_lines_match(file, by_number) or has_columns(file) is not None or _has_cells(file)


def _has_cells(file: LexiconFile) -> bool:
    """Whether nearly all lines are divided into at least four cells, and a cell is a number or a polarity."""
    lines = [line for line in file.lines[:MAX_LINES] if line.strip() and not line.startswith(("#", "!", ";"))]
    for mark in ",;|":
        rows = [line.split(mark) for line in lines]
        meant = sum(any(NUMBER_OR_SIGN.fullmatch(cell.strip()) for cell in row[1:]) for row in rows)
        if len(rows) >= LEAST_PAIRS and min(sum(len(row) > 3 for row in rows), meant) > 0.9 * len(rows):
            return True
    return False


def has_columns(file: LexiconFile) -> str | None:
    """What separates columns that have no usual delimiter: a colon, or spaces before numbers; None if nothing does."""
    lines = [line.strip() for line in file.lines[:MAX_LINES] if line.strip() and not line.startswith(("#", ";"))]
    if len(lines) < 3:
        return None
    colons = {line.count(":") for line in lines}
    if colons == {max(colons)} and max(colons) > 1:
        return ":"
    pairs = sum(bool(re.fullmatch(r"[^:\s][^:]*:[^:\s/][^:]*", line)) for line in lines)
    if len(lines) >= LEAST_PAIRS and pairs > 0.9 * len(lines):
        return ":"
    numbers = sum(bool(re.fullmatch(r"\S+(\s+[-+]?\d+(\.\d+)?){1,12}", line)) for line in lines)
    return " " if numbers > 0.9 * len(lines) and any("." in line or "-" in line for line in lines) else None


def _most_lines_match(file: LexiconFile, pattern: str) -> bool:
    lines = [line for line in file.lines[:MAX_LINES] if line.strip()]
    return bool(lines) and 2 * sum(bool(re.match(pattern, line)) for line in lines) > len(lines)
