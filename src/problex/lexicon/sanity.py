"""A check of every reading: what cannot be a lexicon is an error, what may be a misreading is a warning.

Parts of speech at the end of words, `good#a`, `good_adj` or `good (adjective)`, are left out before.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from problex._util.formatting import pluralize
from problex.errors import LexiconError, opt
from problex.lexicon.dictionary import Dictionary, path_of
from problex.lexicon.formats.layouts.columns import LIST_COLUMNS, WEIGHT_COLUMNS, WORD_COLUMNS, as_number
from problex.lexicon.lexicon import Entry, Issue

SHOWN = 3
"""Entries that a message shows."""
WORDS_AND_PHRASES = "give a file of words and phrases"
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
_NAMES = "noun|verb|adj|adv|adjective|adverb|nouns|verbs|nomen|verben|adjektiv|substantivo|sustantivo|adjetivo|other"
_TAGS = "NN[PS]?|NNPS|VB[DGNPZ]?|JJ[RS]?|RB[RS]?|ADJA|ADJD|VVINF|VVFIN|NE|ADJX|NOUN|VERB|ADJ|ADV"
_SUFFIXES = rf"#[nvars]|[_/|](?:{_NAMES}|{_TAGS})| ?[(\[](?:{_NAMES}|{_TAGS}|[nvar])[)\]]"
TAG = re.compile(rf"(?<=\S)(?:{_SUFFIXES})$", re.I)
"""The part of speech of an entry."""
MOST_TAGGED = 0.8
"""Share of the entries that have one if it is not part of the words."""
SIGNS = frozenset({"positive", "negative"})


class Sign(NamedTuple):
    """A sign of a misreading, what mends it (naming the columns, if empty), and whether the entries are no lexicon."""

    what: str
    mend: str = ""
    is_error: bool = False


def columns_options() -> str:
    """The options by which a table is read otherwise."""
    return f"name the columns with {opt('word')}, {opt('label')} or {opt('weight')}, or the format with --from"


def check_reading(dictionary: Dictionary, name: str) -> Dictionary:
    """The dictionary with an issue for each sign of a misreading; raise if it cannot be a lexicon.

    >>> row = Entry("http://a.b/good", "positive", "a.txt:1")
    >>> print(check_reading(Dictionary((row,) * 8), "a.txt").problems[0].entry)
    8 of 8 entries look like code or addresses
    """
    if not dictionary.entries:
        lost = f"; {dictionary.problems[0]}" if dictionary.problems else ""
        raise LexiconError(f"{name} has no entry that can be read, expected words and their lists{lost}")
    signs = [*_of_entries(dictionary), *_of_categories(dictionary), *_of_texts(dictionary)]
    columns = f"name the columns with {opt('word')}, {opt('label')} or {opt('weight')}, or the format with --from"
    for sign in signs:
        if sign.is_error:
            raise LexiconError(f"{name}: {sign.what}, as in {_show_entries(dictionary)}: {sign.mend or columns}")
    issues = [
        Issue("doubtful reading", one.what, name, f"check it, or {one.mend or columns}", loud=True) for one in signs
    ]
    return replace(dictionary, problems=(*dictionary.problems, *_inner_wildcards(dictionary), *issues))


def _inner_wildcards(dictionary: Dictionary) -> Iterator[Issue]:
    """Entries with a wildcard inside a word, which is matched as it is written: `gre*t`, `colo?r`.

    >>> entries = tuple(Entry(word, "up", "a.txt:1") for word in ("gre*t", "good*", "colo?r"))
    >>> [issue.entry for issue in _inner_wildcards(Dictionary(entries))]
    ['gre*t', 'colo?r']
    """
    action = (
        f"matched as it is written unless you give {opt('glob', True)}: list the words that are "
        "meant, or use * at the end"
    )
    first = {entry.text: entry for entry in reversed(dictionary.entries) if INNER_WILDCARD.search(entry.text)}
    for entry in reversed(first.values()):
        yield Issue(INNER_WILDCARD_KIND, entry.text, entry.where, action)


def _show_entries(dictionary: Dictionary) -> str:
    """The first entries as they were understood."""
    return "; ".join(_shown(entry) for entry in dictionary.entries[:SHOWN])


def _shown(entry: Entry) -> str:
    text = entry.text if len(entry.text) <= 40 else f"{entry.text[:37]}..."
    weight = "" if entry.weight is None else f", weight {entry.weight:g}"
    return f"{text!r} in {entry.list[:40]!r}{weight}"


def warning_of(issue: Issue, dictionary: Dictionary) -> str:
    """The text of a warning: what is doubtful, the first entries, and what mends it."""
    return f"{issue.where}: {issue.entry}: {issue.action}. First entries: {_show_entries(dictionary)}"


def _of_entries(dictionary: Dictionary) -> Iterator[Sign]:
    """Entries that are fewer than empty categories, numbers, or rows.

    >>> entries = tuple(Entry(word, "up", "a.csv:1") for word in "1 2 3 4 5 good bad fine".split())
    >>> list(_of_entries(Dictionary(entries))), list(_of_entries(Dictionary(entries[:7])))
    ([Sign(what='5 of 8 words are numbers', mend='', is_error=True)], [])
    """
    entries, size = dictionary.entries, len(dictionary.entries)
    if size < LEAST:
        return
    several = pluralize(size, "entry", "entries")
    empty = sum(issue.kind == "empty category" for issue in dictionary.problems)
    if empty > size:
        categories = pluralize(empty, "category has", "categories have")
        yield Sign(
            f"{categories} no entry beside {several}", "name the format with --from, or save the file again", True
        )
    numbers = sum(as_number(entry.text) is not None for entry in entries)
    rows = sum(CELLS.search(entry.text) is not None for entry in entries)
    if numbers > SOME * size:
        yield Sign(f"{numbers:,} of {pluralize(size, 'word')} are numbers", is_error=numbers > MANY * size)
    if rows > SOME * size:
        yield Sign(f"{rows:,} of {several} contain tabs, commas or numbers", is_error=rows > MANY * size)


def _of_categories(dictionary: Dictionary) -> Iterator[Sign]:
    """Categories that are numbers or have few entries, a header among the entries, and words with several weights.

    Such are the ratings of single persons, or of senses.
    """
    entries, categories = dictionary.entries, dictionary.categories
    numeric = [name for category in categories if as_number(name := (path_of(category) or (category,))[-1]) is not None]
    if 2 * len(numeric) > len(categories):
        yield Sign(f"categories are numbers ({', '.join(numeric[:5])})")
    if len(categories) > LEAST and len(entries) < FEW_PER_CATEGORY * len(categories):
        yield Sign(f"{len(categories):,} categories have only {len(entries):,} entries")
    sizes = sorted(map(len, dictionary.lists.values()))
    if len(categories) > MANY_CATEGORIES and sizes[len(sizes) // 2] < FEW_ENTRIES:
        yield Sign(f"there are {len(categories):,} categories, most of them with few entries")
    if _is_header(entries[0]):
        yield Sign(f"the first entry, {entries[0].text!r}, may be the header")
    weights: dict[tuple[str, str], set[float | None]] = {}
    for entry in entries:
        weights.setdefault((entry.list, entry.text), set()).add(entry.weight)
    varying = sum(len(values) > 1 for values in weights.values())
    is_repeated = varying > 0 and len(entries) > 2 * len(weights)
    if len(weights) >= LEAST and (is_repeated or varying > MANY * len(weights)):
        what = f"{varying:,} of {len(weights):,} words have several weights"
        yield Sign(what, "give a file with one weight for each word")


def _of_texts(dictionary: Dictionary) -> Iterator[Sign]:
    """Entries that are sentences, code, expressions or rows, or that were not read."""
    texts = [entry.text for entry in dictionary.entries]
    size, several = len(texts), pluralize(len(texts), "entry", "entries")
    yield from _of_lines([text.strip() for text in texts], dictionary)
    long = sum(text.count(" ") > 5 for text in texts)
    if long > (0.2 if size >= LEAST else 0.5) * size:
        have = pluralize(size, "entry has", "entries have")
        yield Sign(f"{long:,} of {have} more than six words", WORDS_AND_PHRASES)
    code = sum(CODE.search(text) is not None and len(text) > 8 for text in texts)
    if size >= LEAST and code > SOME * size:
        yield Sign(f"{code:,} of {size:,} entries look like code or addresses", WORDS_AND_PHRASES)
    expressions = sum(EXPRESSION.search(text) is not None for text in texts)
    if expressions > SOME * size or any(map(CERTAIN.search, texts)):
        yield Sign(f"{expressions:,} of {several} look like regular expressions", "write them with * at the end")
    lost = sum(issue.kind in LOST for issue in dictionary.problems)
    if lost > 3 and lost > MANY * (size + lost):
        yield Sign(f"{lost:,} rows were left out, and {pluralize(size, 'entry was', 'entries were')} read")
    if odd := sum("\ufffd" in text for text in texts):
        have = pluralize(odd, "entry has", "entries have")
        yield Sign(f"{have} characters that cannot be read", "name the encoding with --encoding")


def _of_lines(texts: Sequence[str], dictionary: Dictionary) -> Iterator[Sign]:
    """Lines of a plain list that may be rows of cells: with tabs, or with columns divided by spaces.

    >>> [sign.what for sign in _of_lines(["good|nice", "bad"], Dictionary(()))]
    ['1 entry has several words with | between them']
    """
    if tabs := sum("\t" in text for text in texts):
        yield Sign(f"{pluralize(tabs, 'entry has', 'entries have')} a tab in it")
    alternatives = sum(ALTERNATIVES.search(text) is not None for text in texts)
    if alternatives > SOME * len(texts):
        have = pluralize(alternatives, "entry has", "entries have")
        yield Sign(f"{have} several words with | between them", "write each of them as an entry")
    if len(dictionary.categories) > 1 or len(texts) < LEAST_LINES:
        return
    rows = [text.split() for text in texts]
    width, lines = Counter(map(len, rows)).most_common(1)[0]
    several = [row for row in rows if len(row) > 1]
    if width > 1 and lines > MOST_ALIKE * len(texts):
        words = f"{lines:,} of {len(texts):,} entries have {width} words"
        yield Sign(f"{words}, as columns that are divided by spaces have")
    elif len(several) > max(LEAST_LINES, SOME_LINES * len(rows)) and all(
        _is_sorted([row[at] for row in several]) for at in (0, 1)
    ):
        yield Sign("the second words of the entries are in order, as columns that are divided by spaces are")


def _is_sorted(words: Sequence[str]) -> bool:
    """Whether most words follow the one before them in the alphabet.

    >>> _is_sorted([*"abcdefghijkl"]), _is_sorted([*"bananasplits"])
    (True, False)
    """
    pairs = list(itertools.pairwise(word.casefold() for word in words))
    return len(pairs) > LEAST and sum(one <= other for one, other in pairs) > MOST_ALIKE * len(pairs)


def _is_header(entry: Entry) -> bool:
    """Whether an entry is rather the names of the columns of words and lists.

    >>> _is_header(Entry("word", "list", "a.csv:9")), _is_header(Entry("word", "up", "a.csv:9"))
    (True, False)
    """
    known = {*LIST_COLUMNS, *WEIGHT_COLUMNS}
    is_word = entry.text.strip().casefold() in WORD_COLUMNS[:12]
    return is_word and (entry.list.casefold() in known or entry.where.endswith(":1"))


def drop_tags(dictionary: Dictionary, name: str) -> Dictionary:
    """The dictionary without parts of speech, if nearly all entries have one.

    A word with several has the mean of its weights, as the senses of a word have elsewhere.

    >>> words = "bad_adj dull_adj film_noun good_adj joy_noun run_verb sad_adj walk_verb".split()
    >>> entries = tuple(Entry(word, "up", "a.txt:1") for word in words)
    >>> [drop_tags(Dictionary(entries[:size]), "a.txt").entries[0].text for size in (8, 7)]
    ['bad', 'bad_adj']
    """
    entries = dictionary.entries
    tagged = [entry for entry in entries if TAG.search(entry.text)]
    if len(tagged) < LEAST or len(tagged) < MOST_TAGGED * len(entries):
        return dictionary
    plain = [entry._replace(text=TAG.sub("", entry.text).replace("_", " ")) for entry in entries]
    kept = _means(plain)
    number = pluralize(len(tagged), "entry", "entries")
    action = f"left out, as of {number} in all: words are matched without; several of a word have their mean weight"
    issue = Issue("part of speech", tagged[0].text, name, action)
    return Dictionary(tuple(kept), (*dictionary.problems, issue))


def _means(entries: list[Entry]) -> list[Entry]:
    """One entry for each word and list; where the sign of the weight is the list, one for each word.

    >>> senses = [Entry("fine", "positive", "a.csv:1", 2.0), Entry("fine", "negative", "a.csv:2", -1.0)]
    >>> [(entry.list, entry.weight) for entry in _means(senses)]
    [('positive', 0.5)]
    """
    is_signed = {entry.list for entry in entries} <= SIGNS and all(entry.weight is not None for entry in entries)
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.text, "" if is_signed else entry.list), []).append(entry)
    means = []
    for group in groups.values():
        weights = [entry.weight for entry in group if entry.weight is not None]
        mean = round(sum(weights) / len(weights), 6) if len(weights) > 1 else group[0].weight
        if is_signed and mean:
            means.append(group[0]._replace(list="positive" if mean > 0 else "negative", weight=mean))
        elif not is_signed:
            means.append(group[0]._replace(weight=mean))
    return means
