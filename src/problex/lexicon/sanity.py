"""A check of every reading: what cannot be a lexicon is an error, what may be a misreading is a warning."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from problex._util.formatting import pluralize
from problex.errors import LexiconError, opt
from problex.lexicon.dictionary import Dictionary, path_of
from problex.lexicon.formats.tables.cells import as_number
from problex.lexicon.formats.tables.names import LIST_COLUMNS, WEIGHT_COLUMNS, WORD_COLUMNS
from problex.lexicon.lexicon import Entry, Issue

SHOWN = 3
"""Entries that a message shows."""
CELLS = re.compile(r"\t|/\w+/|,.*,|;.*;|\|.*\||\S[ ,;:|]-?\d+([.,]\d+)?$|=-?\d|\w:-?\d")
"""An entry that was a row of cells."""
CODE = re.compile(r"[{}<>]|https?://|\\[unUx][0-9a-fA-F]|\\n|\(\);")
EXPRESSION = re.compile(r"\[[^\]]*-[^\]]*\][*+]|\\[bwsd]|\(\?:|\.\*|\w\[\w{2,9}\]|\[\w{2,9}\]\w")
CERTAIN = re.compile(r"\(\?[:=!]\S{2,}\)|\w\[\w{2,9}\]\w")
"""A regular expression and nothing else, of which one is enough for a warning."""
ALTERNATIVES = re.compile(r"[^\s|]{2}\|[^\s|]{2}")
INNER_WILDCARD = re.compile(r"\w[*?]+\w")
LOST = frozenset({"bad line", "no category", "not a mark", "not a number", "blank"})
MANY = 0.3
"""Share of entries that are not words, from which on the reading is an error."""
SOME = 0.05
"""The same for a warning."""
FEW_PER_CATEGORY = 1.5
"""Entries per category, below which words and categories may be exchanged."""
LEAST_LINES = 20
"""Lines of a plain list from which on it may be seen that they are columns."""
MOST_ALIKE = 0.9
"""Share of the lines that are alike if they are columns."""
SOME_LINES = 0.2
"""Share of the lines with several words, from which on the order of the second ones is looked at."""
MANY_CATEGORIES, FEW_ENTRIES = 500, 10
"""Categories, and entries of most of them, from which on each word may have been read as a category."""
LEAST = 8
"""Entries from which on shares of them mean something."""


INNER_WILDCARD_KIND = "wildcard inside a word"
"""The issue of entries such as `gre*t` and `colo?r`."""


def columns_options() -> str:
    """The options by which a table is read otherwise."""
    return f"name the columns with {opt('word')}, {opt('label')} or {opt('weight')}, or the format with --from"


def check_reading(dictionary: Dictionary, name: str) -> Dictionary:
    """The dictionary with an issue for each sign of a misreading; raise if it cannot be a lexicon."""
    if not dictionary.entries:
        lost = f"; {dictionary.problems[0]}" if dictionary.problems else ""
        raise LexiconError(f"{name} has no entry that can be read, expected words and their lists{lost}")
    found = [*_errors(dictionary), *_doubts(dictionary)]
    shown = show_entries(dictionary)
    for is_error, what, mend in found:
        if is_error:
            raise LexiconError(f"{name}: {what}, as in {shown}: {mend}")
    issues = list(_inner_wildcards(dictionary))
    issues += [Issue("doubtful reading", what, name, f"check it, or {mend}", loud=True) for _, what, mend in found]
    return Dictionary(dictionary.entries, (*dictionary.problems, *issues)) if issues else dictionary


def _inner_wildcards(dictionary: Dictionary) -> Iterator[Issue]:
    """Entries with a wildcard inside a word, which is matched as it is written: `gre*t`, `colo?r`."""
    seen: set[str] = set()
    for entry in dictionary.entries:
        if entry.text not in seen and INNER_WILDCARD.search(entry.text):
            seen.add(entry.text)
            action = (
                f"matched as it is written unless you give {opt('glob', True)}: list the words that "
                "are meant, or use * at the end"
            )
            yield Issue(INNER_WILDCARD_KIND, entry.text, entry.where, action)


def show_entries(dictionary: Dictionary) -> str:
    """The first entries as they were understood."""
    return "; ".join(_shown(entry) for entry in dictionary.entries[:SHOWN])


def _shown(entry: Entry) -> str:
    text = entry.text if len(entry.text) <= 40 else f"{entry.text[:37]}..."
    weight = "" if entry.weight is None else f", weight {entry.weight:g}"
    return f"{text!r} in {entry.list[:40]!r}{weight}"


def warning_of(issue: Issue, dictionary: Dictionary) -> str:
    """The text of a warning: what was found, the first entries, and what mends it."""
    return f"{issue.where}: {issue.entry}: {issue.action}. First entries: {show_entries(dictionary)}"


def _errors(dictionary: Dictionary) -> Iterator[tuple[bool, str, str]]:
    """Entries that are numbers or rows."""
    entries, number = dictionary.entries, len(dictionary.entries)
    if number < LEAST:
        return
    empty = sum(issue.kind == "empty category" for issue in dictionary.problems)
    if empty > number:
        categories = pluralize(empty, "category has", "categories have")
        what = f"{categories} no entry beside {pluralize(number, 'entry', 'entries')}"
        yield True, what, "name the format with --from, or save the file again"
    numbers = sum(as_number(entry.text) is not None for entry in entries)
    rows = sum(bool(CELLS.search(entry.text)) for entry in entries)
    if numbers > MANY * number:
        yield True, f"{numbers:,} of {pluralize(number, 'word')} are numbers", columns_options()
    elif numbers > SOME * number:
        yield False, f"{numbers:,} of {pluralize(number, 'word')} are numbers", columns_options()
    if rows > MANY * number:
        what = f"{rows:,} of {pluralize(number, 'entry', 'entries')} contain tabs, commas or numbers"
        yield True, what, columns_options()
    elif rows > SOME * number:
        what = f"{rows:,} of {pluralize(number, 'entry', 'entries')} contain tabs, commas or numbers"
        yield False, what, columns_options()


def _doubts(dictionary: Dictionary) -> Iterator[tuple[bool, str, str]]:
    entries, number = dictionary.entries, len(dictionary.entries)
    categories = dictionary.categories
    ends = [path_of(name)[-1] if path_of(name) else name for name in categories]
    numeric = [name for name in ends if as_number(name) is not None]
    if numeric and 2 * len(numeric) > len(categories):
        yield False, f"categories are numbers ({', '.join(numeric[:5])})", columns_options()
    if len(categories) > LEAST and number < FEW_PER_CATEGORY * len(categories):
        yield False, f"{len(categories):,} categories have only {number:,} entries", columns_options()
    sizes = sorted(len(words) for words in dictionary.lists.values())
    if len(categories) > MANY_CATEGORIES and sizes[len(sizes) // 2] < FEW_ENTRIES:
        yield False, f"there are {len(categories):,} categories, most of them with few entries", columns_options()
    if _is_header(entries[0]):
        yield False, f"the first entry, {entries[0].text!r}, may be the header", columns_options()
    yield from _doubtful_weights(dictionary)
    yield from _doubtful_lines(dictionary)
    long = sum(entry.text.count(" ") > 5 for entry in entries)
    if long > (0.2 if number >= LEAST else 0.5) * number:
        what = f"{long:,} of {pluralize(number, 'entry has', 'entries have')} more than six words"
        yield False, what, "give a file of words and phrases"
    code = sum(bool(CODE.search(entry.text)) and len(entry.text) > 8 for entry in entries)
    if number >= LEAST and code > SOME * number:
        yield False, f"{code:,} of {number:,} entries look like code or addresses", "give a file of words and phrases"
    expressions = sum(bool(EXPRESSION.search(entry.text)) for entry in entries)
    if expressions > SOME * number or any(CERTAIN.search(entry.text) for entry in entries):
        what = f"{expressions:,} of {pluralize(number, 'entry', 'entries')} look like regular expressions"
        yield False, what, "write them with * at the end"
    lost = sum(issue.kind in LOST for issue in dictionary.problems)
    if lost > 3 and lost > MANY * (number + lost):
        yield (
            False,
            f"{lost:,} rows were left out, and {pluralize(number, 'entry was', 'entries were')} read",
            columns_options(),
        )
    odd = sum("\ufffd" in entry.text for entry in entries)
    if odd:
        yield (
            False,
            f"{pluralize(odd, 'entry has', 'entries have')} characters that cannot be read",
            "name the encoding with --encoding",
        )


def _doubtful_weights(dictionary: Dictionary) -> Iterator[tuple[bool, str, str]]:
    """Words with several weights: ratings of single persons, or of senses."""
    weights: dict[tuple[str, str], set[float | None]] = {}
    for entry in dictionary.entries:
        weights.setdefault((entry.list, entry.text), set()).add(entry.weight)
    varying = sum(len(values) > 1 for values in weights.values())
    repeated = varying > 0 and len(dictionary.entries) > 2 * len(weights)
    if len(weights) >= LEAST and (repeated or varying > MANY * len(weights)):
        what = f"{varying:,} of {len(weights):,} words have several weights"
        yield False, what, "give a file with one weight for each word"


def _doubtful_lines(dictionary: Dictionary) -> Iterator[tuple[bool, str, str]]:
    """Lines of a plain list that may be rows of cells: with tabs, or with columns divided by spaces."""
    texts = [entry.text.strip() for entry in dictionary.entries]
    tabs = sum("\t" in text for text in texts)
    if tabs:
        yield False, f"{pluralize(tabs, 'entry has', 'entries have')} a tab in it", columns_options()
    alternatives = sum(bool(ALTERNATIVES.search(text)) for text in texts)
    if alternatives > SOME * len(texts):
        number = pluralize(alternatives, "entry has", "entries have")
        yield False, f"{number} several words with | between them", "write each of them as an entry"
    if len(dictionary.categories) > 1 or len(texts) < LEAST_LINES:
        return
    words = [text.split() for text in texts]
    widths = Counter(map(len, words))
    width, lines = widths.most_common(1)[0]
    if width > 1 and lines > MOST_ALIKE * len(texts):
        what = f"{lines:,} of {len(texts):,} entries have {width} words, as columns that are divided by spaces have"
        yield False, what, columns_options()
        return
    several = [row for row in words if len(row) > 1]
    if len(several) > max(LEAST_LINES, SOME_LINES * len(words)) and all(
        _is_sorted([row[at] for row in several]) for at in (0, 1)
    ):
        what = "the second words of the entries are in order, as columns that are divided by spaces are"
        yield False, what, columns_options()


def _is_sorted(words: Sequence[str]) -> bool:
    """Whether most words follow the one before them in the alphabet."""
    pairs = list(itertools.pairwise(word.casefold() for word in words))
    return len(pairs) > LEAST and sum(one <= other for one, other in pairs) > MOST_ALIKE * len(pairs)


def _is_header(entry: Entry) -> bool:
    word, name = entry.text.strip().casefold(), entry.list.casefold()
    known = {*LIST_COLUMNS, *WEIGHT_COLUMNS}
    return word in WORD_COLUMNS[:12] and (name in known or entry.where.endswith(":1"))
