"""Which format a file has, by what is in it first and by its suffix second."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from problex.lexicon.formats.source import Source
from problex.lexicon.formats.table_rows import WORD_COLUMNS

SUFFIXES: dict[str, str] = {
    ".txt": "plain",
    ".lst": "plain",
    ".words": "plain",
    "": "plain",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".xlsx": "xlsx",
    ".json": "json",
    ".dic": "dic",
    ".dicx": "dicx",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".lc3": "lc3",
    ".lcd": "lcd",
    ".ykd": "ykd",
    ".cat": "cat",
}
"""Suffix -> format, for files to write and for files to read whose content does not tell."""


def _is_excel(source: Source) -> bool:
    return source.data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"))


def _is_xml(source: Source) -> bool:
    return bool(re.match(r"\s*(<\?xml|<dictionary\b|<!DOCTYPE|<cnode\b)", source.text[:500]))


def _is_json(source: Source) -> bool:
    if not source.text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(source.text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_liwc(source: Source) -> bool:
    lines = [line.strip() for line in source.lines if line.strip()]
    return lines[:1] == ["%"] and "%" in lines[1:]


def _is_dicx(source: Source) -> bool:
    return bool(re.match(r"""["']?DicTerm["']?\s*[,;\t]""", source.text, re.I))


def _is_sentiws(source: Source) -> bool:
    return _most(source, r"[^\t|]+\|[A-Z]+\t\s*[-+]?\d")


def _is_wordstat(source: Source) -> bool:
    return _most(source, r"[ \t]*\S.* \([-+]?\d+([.,]\d+)?\)\s*$") and bool(re.search(r"^\t", source.text, re.M))


def _is_lexicoder(source: Source) -> bool:
    return bool(re.match(r"\s*\+[^\n]+#[0-9A-Fa-f]{6}\s*$", source.text, re.M))


def _is_table(source: Source) -> bool:
    """Words and numbers with tabs, under whatever suffix: AFINN, VADER, NRC."""
    return _most(source, r"[^\t]+\t([^\t]+\t)?\s*[-+]?\d+([.,]\d+)?\s*(\t|$)")


def _is_yaml(source: Source) -> bool:
    return bool(re.match(r"(---\s*\n|#.*\n|\s*\n)*[^\s:#][^:\n]*:\s*(\[|\n\s*- |\n\s+\S+:)", source.text))


SIGNS: dict[str, Callable[[Source], bool]] = {
    "xlsx": _is_excel,
    "ykd": _is_xml,
    "json": _is_json,
    "dic": _is_liwc,
    "dicx": _is_dicx,
    "sentiws": _is_sentiws,
    "lc3": _is_lexicoder,
    "cat": _is_wordstat,
    "tsv": _is_table,
    "yaml": _is_yaml,
}
"""Format -> whether the content shows it, in the order in which they are asked."""

SAME = ({"ykd", "lcd"}, {"csv", "tsv", "dicx", "sentiws", "plain"}, {"json", "yaml"})
"""Formats that may stand for each other without a word: one reads what the other writes, or suffixes mean little."""


def sniff(source: Source) -> str | None:
    """The format of a file, or None when neither content nor suffix is known."""
    for name, sign in SIGNS.items():
        if sign(source):
            return name
    by_suffix = SUFFIXES.get(source.suffix)
    if by_suffix == "plain" and (_most(source, r"[^\t]*\t") or _has_header(source)):
        return "csv"
    return by_suffix


def _has_header(source: Source) -> bool:
    first = next((line for line in source.lines if line.strip()), "").casefold()
    cells = [cell.strip("\"' ") for cell in re.split(r"[,;|\t]", first)]
    return len(cells) > 1 and not set(WORD_COLUMNS).isdisjoint(cells)


def _most(source: Source, pattern: str) -> bool:
    lines = [line for line in source.lines[:200] if line.strip()]
    return bool(lines) and 2 * sum(bool(re.match(pattern, line)) for line in lines) > len(lines)
