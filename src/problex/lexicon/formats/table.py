"""Tables in text: CSV, TSV, LIWC-22's .dicx, and lists with weights (VADER, AFINN), flags (NRC) or forms (SentiWS)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Literal

from problex._util.records import escape_formula, unescape_formula
from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.layouts.columns import WORD_COLUMNS, as_number, role_of
from problex.lexicon.formats.layouts.reading import read_rows
from problex.lexicon.formats.lexicon_file import (
    LexiconFile,
    LexiconReading,
    Output,
    format_weight,
    unsupported_entry,
    unsupported_weight,
)
from problex.lexicon.formats.plain import comment, is_comma_list, report_comment
from problex.lexicon.lexicon import Issue
from problex.tables.dialect import ONE_COLUMN, detect_dialect

MAX_LINES = 200
"""Lines at the beginning of a file that are compared with a pattern."""
LEAST_PAIRS = 8
"""Lines from which on one colon in nearly each divides two columns."""
_NUMBER = r"[-+]?\d+([.,]\d+)?"
_WEIGHTED = rf"[^,;|]+[,;|]\s*{_NUMBER}\s*([,;|]|$)|[-+]?\d+(\.\d+)?\s*[,;|]\s*[^\d\s,;|][^,;|]*$"
"""A word and its weight, or a number and a word."""
_NUMBER_OR_SIGN = re.compile(r"[-+]?\d+(\.\d+)?|positive|negative|neutral|pos|neg", re.I)


def is_dicx(file: LexiconFile) -> bool:
    """`DicTerm` in the first cell."""
    return bool(re.match(r"""["']?DicTerm["']?\s*[,;\t]""", file.text, re.I))


def is_sentiws(file: LexiconFile) -> bool:
    """`Wort|NN<TAB>-0.05`."""
    return most_lines_match(file, r"[^\t|]+\|[A-Z]+\t\s*[-+]?\d")


def is_tab_table(file: LexiconFile) -> bool:
    """Words and numbers separated by tabs, whatever the suffix: AFINN, VADER, NRC."""
    return most_lines_match(file, rf"[^\t]+\t([^\t]+\t)?\s*{_NUMBER}\s*(\t|$)")


def is_table(file: LexiconFile) -> bool:
    """Cells divided by tabs, or a header that names a column of words."""
    first = next(iter(file.filled), "").casefold()
    cells = [cell.strip("\"' ") for cell in re.split(r"[,;|\t]", first)]
    has_header = len(cells) > 1 and not set(WORD_COLUMNS[:-2]).isdisjoint(cells)
    if has_header or most_lines_match(file, r"[^\t]*\t"):
        return True
    if is_comma_list(file):
        return False
    return most_lines_match(file, _WEIGHTED) or has_columns(file) is not None or _has_cells(file)


def most_lines_match(file: LexiconFile, pattern: str) -> bool:
    r"""Whether most lines begin with a pattern.

    >>> most_lines_match(LexiconFile("a.txt", b"good,2\nbad,-1\nodd"), r"\w+,")
    True
    """
    lines = [line for line in file.lines[:MAX_LINES] if line.strip()]
    return 2 * sum(re.match(pattern, line) is not None for line in lines) > len(lines)


def _has_cells(file: LexiconFile) -> bool:
    """Whether nearly all lines are divided into at least four cells, and a cell is a number or a polarity."""
    lines = [line for line in file.lines[:MAX_LINES] if line.strip() and not line.startswith(("#", "!", ";"))]
    for mark in ",;|":
        rows = [line.split(mark) for line in lines]
        meant = sum(any(_NUMBER_OR_SIGN.fullmatch(cell.strip()) for cell in row[1:]) for row in rows)
        if len(rows) >= LEAST_PAIRS and min(sum(len(row) > 3 for row in rows), meant) > 0.9 * len(rows):
            return True
    return False


def has_columns(file: LexiconFile) -> str | None:
    r"""What separates columns that have no usual delimiter: a colon, or spaces before numbers; None if nothing does.

    >>> has_columns(LexiconFile("a.txt", b"good 0.9\nbad -0.8\nodd -0.1")), has_columns(LexiconFile("a.txt", b"good"))
    (' ', None)
    """
    lines = [line.strip() for line in file.lines[:MAX_LINES] if line.strip() and not line.startswith(("#", ";"))]
    if len(lines) < 3:
        return None
    colons = {line.count(":") for line in lines}
    pairs = sum(re.fullmatch(r"[^:\s][^:]*:[^:\s/][^:]*", line) is not None for line in lines)
    if (len(colons) == 1 and max(colons) > 1) or (len(lines) >= LEAST_PAIRS and pairs > 0.9 * len(lines)):
        return ":"
    numbers = sum(re.fullmatch(r"\S+(\s+[-+]?\d+(\.\d+)?){1,12}", line) is not None for line in lines)
    return " " if numbers > 0.9 * len(lines) and any("." in line or "-" in line for line in lines) else None


def read_table(file: LexiconFile) -> Dictionary:
    """Read a table, long (a word and its list in each row) or wide (a column for each list)."""
    rows = _cells(file)
    width = max((len(row) for _, row in rows), default=1)
    reading, entry_rows = LexiconReading(file), []
    for line, row in rows:
        is_alone = len(row) < width or not any(cell.strip() for cell in row[1:])
        is_comment = comment(row[0]) if is_alone else False  # a complete row is an entry, whatever it begins with
        if is_comment is None:
            report_comment(reading, row[0], line)
        elif not is_comment:
            entry_rows.append((file.where(line), row))
    table = read_rows(file, entry_rows)
    return file.dictionary(table.entries, reading.issues + table.issues)


def _cells(file: LexiconFile) -> list[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its line."""
    mark = "\t" if file.suffix in (".tsv", ".tab") else delimiter(file)
    text = re.sub(r"[ \t]+", " ", file.text) if mark == " " else file.text
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, quoting=_quoting(file, mark))
    try:
        return [(reader.line_num, [*map(unescape_formula, row)]) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise LexiconError(f"{file.where(reader.line_num)} cannot be read as a table: {error}") from None


def delimiter(file: LexiconFile) -> str:
    r"""The delimiter of the cells: that of tables of texts, or a colon or blanks if most lines do not have it.

    >>> delimiter(LexiconFile("a.csv", b"good;1,5\nbad;-2,5")), delimiter(LexiconFile("a.csv", b"good\nbad"))
    (';', '\x1f')
    """
    lines = [line for line in file.lines[:MAX_LINES] if line.strip() and comment(line) is not True]
    usual = "," if file.suffix in (".csv", ".dicx") else "\t"
    mark = detect_dialect("\n".join(lines).encode(errors="replace"), usual, header=False).delimiter
    is_rare = 2 * sum(mark in line for line in lines) < len(lines)
    if is_rare and (other := has_columns(file)) is not None:
        return other
    if file.suffix == ".csv" and lines and all(re.fullmatch(r'"[^"]*"', line.strip()) for line in lines):
        return ","
    return ONE_COLUMN if is_rare else mark


def _quoting(file: LexiconFile, mark: str) -> Literal[0, 3]:
    r"""Quotes delimit cells only where they are paired: lists with tabs have entries such as `:"(`.

    >>> [_quoting(LexiconFile("a.tsv", data), "\t") for data in (b'"well made"\tup', b'"(\tdown')]
    [0, 3]
    """
    if mark in (ONE_COLUMN, ":", " "):
        return csv.QUOTE_NONE
    cells = [cell for line in file.lines for cell in line.split("\t")] if mark == "\t" else []
    unpaired = any(cell.startswith('"') and (len(cell) < 2 or not cell.endswith('"')) for cell in cells)
    return csv.QUOTE_NONE if unpaired else csv.QUOTE_MINIMAL


def read_sentiws(file: LexiconFile) -> Dictionary:
    """Read SentiWS: `Wort|NN<TAB>-0.05<TAB>form,form`, every form with the weight of its word."""
    reading = LexiconReading(file)
    for at, line in enumerate(file.lines, start=1):
        if not line.strip() or comment(line):
            continue
        cells = [*line.strip().split("\t"), "", ""]
        weight = as_number(cells[1])
        if weight is None or "|" not in cells[0]:
            reading.report("bad line", line.strip()[:60], "left out: expected Word|POS<TAB>weight<TAB>forms", at)
        elif weight == 0:
            reading.report("weight 0", cells[0], "left out: neither positive nor negative", at)
        else:
            for form in [cells[0].rsplit("|", 1)[0], *cells[2].split(",")]:
                if form.strip():
                    reading.add(form, "positive" if weight > 0 else "negative", at, weight)
    reading.report("part of speech", "|NN and others", "left out: words are matched without it")
    return reading.dictionary()


def records_of(dictionary: Dictionary) -> tuple[list[str], list[list[str]]]:
    """The long form: header and rows, with weights if there are any."""
    weighted = bool(dictionary.weights)
    header = ["word", "list", "weight"] if weighted else ["word", "list"]
    rows = []
    for entry in dictionary.entries:
        weight = [format_weight(entry.weight) if entry.weight is not None else ""] if weighted else []
        rows.append([entry.text, entry.list, *weight])
    return header, rows


def wide_of(dictionary: Dictionary, first: str = "word") -> tuple[list[str], list[list[str]], list[Issue]]:
    """The wide form: one row per word, one column per category, X or the weight in the categories of the word.

    The first column is `DicTerm`, as in LIWC-22, if there is one category, or the name of one says something else, such
    as `score`.

    >>> from problex.lexicon.lexicon import Entry
    >>> wide_of(Dictionary((Entry("glad", "joy", "a:1", 1.5), Entry("hate", "anger", "a:2"))))[:2]
    (['word', 'joy', 'anger'], [['glad', '1.5', ''], ['hate', '', 'X']])
    """
    names, words, issues = dictionary.categories, dict[str, dict[str, str]](), []
    if len(names) == 1 or any(role_of(name) is not None or as_number(name) is not None for name in names):
        first = "DicTerm"
    for entry in dictionary.entries:
        if entry.weight == 0:
            issues.append(unsupported_weight(entry))
        words.setdefault(entry.text, {})[entry.list] = format_weight(entry.weight) if entry.weight else "X"
    rows = [[word, *(cells.get(name, "") for name in names)] for word, cells in words.items()]
    return [first, *names], rows, issues


def write_csv(dictionary: Dictionary, mark: str = ",") -> Output:
    """Write `word,list`, and `weight` if there are weights."""
    header, rows = records_of(dictionary)
    return Output.from_text(_text([header, *rows], mark, escape=True), (), dictionary, weights=True)


def write_wide(dictionary: Dictionary) -> Output:
    """Write one row per word and one column per category."""
    header, rows, issues = wide_of(dictionary)
    return Output.from_text(_text([header, *rows], ",", escape=True), issues, dictionary, weights=True)


def write_dicx(dictionary: Dictionary) -> Output:
    """Write LIWC-22's .dicx: the wide form whose first column is `DicTerm`."""
    header, rows, issues = wide_of(dictionary, "DicTerm")
    return Output.from_text(_text([header, *rows], ","), issues, dictionary, weights=True)


def write_afinn(dictionary: Dictionary) -> Output:
    """Write `word<TAB>weight`, as in AFINN and VADER: the sign is the list, and entries need a weight."""
    rows, issues = [], []
    for entry in dictionary.entries:
        if not entry.weight:
            issues.append(unsupported_entry(entry, "it has no weight"))
            continue
        rows.append([entry.text, format_weight(entry.weight)])
        if entry.list != ("positive" if entry.weight > 0 else "negative"):
            issues.append(Issue("category not kept", entry.text, entry.where, f"the format cannot hold {entry.list!r}"))
    return Output.from_text(_text(rows, "\t"), issues, dictionary, weights=True)


def write_nrc(dictionary: Dictionary) -> Output:
    """Write `word<TAB>category<TAB>0|1`, a line for every word and category."""
    rows, members = [], {name: frozenset(words) for name, words in dictionary.lists.items()}
    for word in dict.fromkeys(entry.text for entry in dictionary.entries):
        rows += [[word, name, str(int(word in words))] for name, words in members.items()]
    return Output.from_text(_text(rows, "\t"), (), dictionary, weights=False)


def _text(rows: Iterable[Sequence[str]], mark: str, *, escape: bool = False) -> str:
    """Rows as text. With `escape`, no spreadsheet computes a cell: `=1+1` has an apostrophe, which reading removes."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=mark, lineterminator="\n")
    writer.writerows([*map(escape_formula, row)] if escape else row for row in rows)
    return text.getvalue()
