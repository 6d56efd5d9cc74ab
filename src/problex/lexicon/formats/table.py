"""Tables in text: CSV, TSV, LIWC-22's .dicx, and lists with weights (VADER, AFINN), flags (NRC) or forms (SentiWS)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Literal

from problex.errors import LexiconError
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.formats.plain import comment, doubtful_comment
from problex.lexicon.formats.source import Source
from problex.lexicon.formats.table_cells import as_number
from problex.lexicon.formats.table_rows import KNOWN_COLUMNS, Table, read_rows
from problex.lexicon.formats.written import Written, cannot_hold, number, without_weight
from problex.lexicon.lexicon import Entry, Problem


def read_table(source: Source) -> Dictionary:
    """Read a table, long (a word and its list in each row) or wide (a column for each list)."""
    mark = "\t" if source.suffix in (".tsv", ".tab") else delimiter(source)
    reader = csv.reader(io.StringIO(source.text, newline=""), delimiter=mark, quoting=_quoting(source, mark))
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise LexiconError(f"{source.where(reader.line_num)} cannot be read as a table: {error}") from None
    width = max((len(row) for _, row in rows), default=1)
    kept, problems = [], []
    for line, row in rows:
        alone = len(row) < width or not any(cell.strip() for cell in row[1:])
        remark = comment(row[0]) if alone else False  # a row that is whole is an entry, whatever it begins with
        if remark is None:
            problems.append(doubtful_comment(row[0], source.where(line)))
        elif not remark:
            kept.append((source.where(line), row))
    table = read_rows(Table(source.name, kept, source.only_list, source.listed is not None))
    return source.result(table.entries, problems + table.problems)


def delimiter(source: Source) -> str:
    """What divides the cells: the mark that most lines have, a comma if none is in half of them."""
    lines = [line for line in source.lines[:200] if line.strip() and comment(line) is not True]
    marks = ",;\t|" if source.suffix in (".csv", ".dicx") else "\t,;|"
    found = {mark: sum(mark in line for line in lines) for mark in marks}
    if found[","] == found[";"] > 0 and not any(re.search(r"(?<!\d),|,(?!\d)", line) for line in lines):
        return ";"  # commas are in numbers only
    best = max(marks, key=lambda mark: found[mark])
    return best if 2 * found[best] >= len(lines) else "\x1f"  # a mark that no file has: one column


def _quoting(source: Source, mark: str) -> Literal[0, 3]:
    """Lists with tabs hold entries such as `:"(` whose quotes mean nothing; where all quotes pair up, they do."""
    if mark == "\x1f":
        return csv.QUOTE_NONE
    if mark == "\t":
        cells = [cell for line in source.lines for cell in line.split("\t")]
        if any(cell.startswith('"') and (len(cell) < 2 or not cell.endswith('"')) for cell in cells):
            return csv.QUOTE_NONE
    return csv.QUOTE_MINIMAL


def read_sentiws(source: Source) -> Dictionary:
    """Read SentiWS: `Wort|NN<TAB>-0.05<TAB>form,form`, every form with the weight of its word."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    for at, line in enumerate(source.lines, start=1):
        cells = line.strip().split("\t")
        weight = as_number(cells[1]) if len(cells) > 1 else None
        if not line.strip() or comment(line):
            continue
        if weight is None or "|" not in cells[0]:
            raise LexiconError(f"{source.where(at)} is {line.strip()[:60]!r}, expected Word|POS<TAB>weight<TAB>forms")
        forms = [cells[0].rsplit("|", 1)[0], *(cells[2].split(",") if len(cells) > 2 else ())]
        if weight == 0:
            problems.append(Problem("weight 0", cells[0], source.where(at), "left out: neither positive nor negative"))
            continue
        listed = "positive" if weight > 0 else "negative"
        entries += [Entry(form, listed, source.where(at), weight) for form in forms if form.strip()]
    problems.append(Problem("part of speech", "|NN and others", source.name, "left out: words are matched without it"))
    return source.result(entries, problems)


def records_of(dictionary: Dictionary) -> tuple[list[str], list[list[str]]]:
    """The long form: header and rows, with weights if there are any."""
    weighted = bool(dictionary.weights)
    header = ["word", "list", "weight"] if weighted else ["word", "list"]
    rows = []
    for entry in dictionary.entries:
        given = [number(entry.weight) if entry.weight is not None else ""] if weighted else []
        rows.append([entry.text, entry.list, *given])
    return header, rows


def wide_of(dictionary: Dictionary, first: str = "word") -> tuple[list[str], list[list[str]], list[Problem]]:
    """The wide form: one row per word, one column per category, X or the weight where it belongs.

    The first column is LIWC-22's `DicTerm` where a category has a name that columns of other tables have.
    """
    names, words, problems = dictionary.categories, dict[str, dict[str, str]](), []
    if any(name.casefold() in KNOWN_COLUMNS or as_number(name) is not None for name in names):
        first = "DicTerm"
    for entry in dictionary.entries:
        if entry.weight == 0:
            problems.append(without_weight(entry))
        words.setdefault(entry.text, {})[entry.list] = number(entry.weight) if entry.weight else "X"
    rows = [[word, *(cells.get(name, "") for name in names)] for word, cells in words.items()]
    return [first, *names], rows, problems


def write_csv(dictionary: Dictionary, mark: str = ",") -> Written:
    """Write `word,list`, and `weight` if there are weights."""
    header, rows = records_of(dictionary)
    return Written.of_text(_text([header, *rows], mark), (), dictionary, weights=True)


def write_tsv(dictionary: Dictionary) -> Written:
    """Write the same with tabs."""
    return write_csv(dictionary, "\t")


def write_wide(dictionary: Dictionary, first: str = "word") -> Written:
    """Write one row per word and one column per category."""
    header, rows, problems = wide_of(dictionary, first)
    return Written.of_text(_text([header, *rows], ","), problems, dictionary, weights=True)


def write_dicx(dictionary: Dictionary) -> Written:
    """Write LIWC-22's .dicx: the wide form whose first column is `DicTerm`."""
    return write_wide(dictionary, "DicTerm")


def write_afinn(dictionary: Dictionary) -> Written:
    """Write `word<TAB>weight`, as AFINN and VADER have it: the sign is the list, and entries need a weight."""
    rows, problems = [], []
    for entry in dictionary.entries:
        if not entry.weight:
            problems.append(cannot_hold(entry, "it has no weight"))
            continue
        rows.append([entry.text, number(entry.weight)])
        if entry.list != ("positive" if entry.weight > 0 else "negative"):
            problems.append(Problem("category not kept", entry.text, entry.where, f"{entry.list!r} has no place"))
    return Written.of_text(_text(rows, "\t"), problems, dictionary, weights=True)


def write_nrc(dictionary: Dictionary) -> Written:
    """Write `word<TAB>category<TAB>0|1`, a line for every word and category."""
    rows, members = [], {name: frozenset(words) for name, words in dictionary.lists.items()}
    for word in dict.fromkeys(entry.text for entry in dictionary.entries):
        rows += [[word, name, str(int(word in words))] for name, words in members.items()]
    return Written.of_text(_text(rows, "\t"), (), dictionary, weights=False)


def _text(rows: Iterable[Sequence[str]], mark: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=mark, lineterminator="\n").writerows(rows)
    return text.getvalue()
