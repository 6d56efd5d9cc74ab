"""A lexicon: named lists of entries, one for each label, and the issues of its entries."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite
from numbers import Real
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple

from problex._util._tables import are_small_letters, are_texts, ascents
from problex._util.formatting import first_few, pluralize
from problex.errors import LexiconError, LexiconWarning, warn_caller
from problex.lexicon.edits import Edit, edited_lists

RESERVED = "undecided"
"""The label of texts without evidence; a list cannot have this name."""


class Entry(NamedTuple):
    """An entry of a lexicon file: its text, its list, its position, and the weight in the file, if any."""

    text: str
    list: str
    where: str
    weight: float | None = None


@dataclass(frozen=True)
class Issue:
    """A problem with an entry (`kind`), and what was done about it (`action`).

    One that puts the whole reading in doubt is `loud`: it is also a warning.
    """

    kind: str
    entry: str
    where: str
    action: str
    loud: bool = False

    def __str__(self) -> str:
        return f"{self.entry!r} ({self.where}): {self.kind}, {self.action}"


@dataclass(frozen=True, init=False)
class Lexicon:
    """Two or more lists of words and phrases, one for each label.

    The order of lists and of words has no effect. Entries are lower-cased and stripped; entries that are blank,
    repeated, or in two lists are left out and listed in `problems` with their positions. `weights` are those of the
    file, or of lists that are mappings of words to weights: estimation uses them only if asked to (`rule="given"`,
    `shrink_to="given"`), and equality ignores them.

    >>> lexicon = Lexicon({"positive": ["good", "Fine", "good"], "negative": ["bad", "poor"]})
    >>> lexicon.names, lexicon.lists["positive"]
    (('negative', 'positive'), ('fine', 'good'))
    >>> for problem in lexicon.problems:
    ...     print(problem)
    'Fine' (positive, entry 2): upper case, read as 'fine'
    'good' (positive, entry 3): repeated, kept once
    >>> dict(Lexicon({"positive": {"good": 1.9}, "negative": {"bad": -2.5}}).weights)
    {'bad': -2.5, 'good': 1.9}
    """

    lists: Mapping[str, tuple[str, ...]] = field(hash=False)
    problems: tuple[Issue, ...] = field(compare=False)
    weights: Mapping[str, float] = field(compare=False)
    names: tuple[str, ...]
    """The names of the lists, sorted: the classes of every classifier built on them."""
    fingerprint: str
    """A hash of the lists that does not depend on the order of their words."""

    def __init__(self, lists: Mapping[str, Iterable[str] | Mapping[str, float | None]]) -> None:
        if not isinstance(lists, Mapping):
            raise LexiconError(
                f"a lexicon was given as {type(lists).__name__}, expected a mapping of list names to words such as "
                "{'positive': ['good'], 'negative': ['bad']}; files are read with read_lexicon"
            )
        given = [(str(name), _list_of_words(name, words)) for name, words in lists.items()]
        weights = {str(name): words for name, words in lists.items() if isinstance(words, Mapping)}
        clean = {name: tuple(sorted(words)) for name, words in sorted(given)}
        if not weights and len(clean) == len(given) and _are_clean(clean):
            _check_lists(clean, [])
            self._set(clean, (), {})
        else:
            entries = [entry for name, words in given for entry in _entries(name, words, weights.get(name, {}))]
            self._fill([name for name, _ in given], entries)

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        lists: Mapping[str, str | Iterable[str]] | None = None,
        shared: str = "drop",
        **options: Any,
    ) -> Lexicon:
        """The lexicon in a file; `lists` chooses categories, and other options are those of `read_dictionary`.

        `Lexicon.load("norms.csv", word="Word", weight="V.Mean.Sum", midpoint=5, neutral=(4, 6))` makes two lists of
        ratings from 1 to 9.
        """
        from problex.lexicon.files import read_dictionary  # which needs this module

        dictionary = read_dictionary(path, **options)
        return (dictionary if lists is None else dictionary.choose(lists, shared=shared)).lexicon()

    @classmethod
    def from_entries(cls, entries: Iterable[Entry], problems: Iterable[Issue] = ()) -> Lexicon:
        """A lexicon from the entries and issues of a reader of files."""
        lexicon = cls.__new__(cls)
        all_entries = list(entries)
        lexicon._fill(list(dict.fromkeys(entry.list for entry in all_entries)), all_entries, problems)
        return lexicon

    def edited(self, edits: Iterable[Edit]) -> Lexicon:
        """The lexicon after edits, which are applied one by one.

        An edit is refused if its entry is not in the list `old` at that point (None: in no list), and if it would
        leave a list empty. Entries that were not edited keep the weights of the file.

        >>> lexicon = Lexicon({"positive": ["good", "hero"], "negative": ["bad"]})
        >>> edited = lexicon.edited([Edit("hero", "positive", "negative"), Edit("dull", None, "negative")])
        >>> edited.lists["negative"]
        ('bad', 'dull', 'hero')
        """
        edits = list(edits)
        lists = {name: tuple(sorted(words)) for name, words in edited_lists(self.lists, edits).items()}
        touched = {edit.entry for edit in edits}
        weights = {word: weight for word, weight in self.weights.items() if word not in touched}
        return _restore(lists, self.problems, weights)

    def _fill(self, names: list[str], entries: list[Entry], reader_issues: Iterable[Issue] = ()) -> None:
        clean, issues = _clean(entries)
        words: dict[str, list[str]] = {name: [] for name in sorted(names)}
        for word, entry in clean.items():
            words[entry.list].append(word)
        lists = {name: tuple(sorted(list_words)) for name, list_words in words.items()}
        _check_lists(lists, issues)
        weights = {word: entry.weight for word, entry in clean.items() if entry.weight is not None}
        self._set(lists, (*reader_issues, *issues), dict(sorted(weights.items())))
        conflicts = [issue for issue in issues if issue.kind == "in two lists"]
        if conflicts:
            shown = first_few([f"{issue.entry!r} ({issue.where})" for issue in conflicts], mark="; ")
            several = pluralize(len(conflicts), "entry is", "entries are")
            warn_caller(f"{several} in two lists, left out of both: {shown}", LexiconWarning)

    def _set(self, lists: dict[str, tuple[str, ...]], problems: tuple[Issue, ...], weights: dict[str, float]) -> None:
        object.__setattr__(self, "lists", MappingProxyType(lists))
        object.__setattr__(self, "problems", problems)
        object.__setattr__(self, "weights", MappingProxyType(weights))
        object.__setattr__(self, "names", tuple(lists))
        text = "{" + ", ".join(f"{_json_of([name])[1:-1]}: {_json_of(words)}" for name, words in lists.items()) + "}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        object.__setattr__(self, "fingerprint", digest[:16])

    def __len__(self) -> int:
        return sum(len(words) for words in self.lists.values())

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {len(words)}" for name, words in self.lists.items())
        return f"Lexicon({sizes})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (dict(self.lists), self.problems, dict(self.weights))


def _restore(lists: dict[str, tuple[str, ...]], problems: tuple[Issue, ...], weights: dict[str, float]) -> Lexicon:
    lexicon = Lexicon.__new__(Lexicon)
    lexicon._set(lists, problems, weights)
    return lexicon


def _json_of(words: Sequence[str]) -> str:
    """`json.dumps` of a list of words, much faster if none has a character that must be escaped.

    >>> _json_of(["good", "schön"]), _json_of(['"', "a"]), _json_of([])
    ('["good", "schön"]', '["\\\\"", "a"]', '[]')
    """
    text = '", "'.join(words)
    plain = are_small_letters(words) or (
        text.isprintable() and "\\" not in text and text.count('"') == 2 * (len(words) - 1)
    )
    return f'["{text}"]' if plain else json.dumps(list(words), ensure_ascii=False)


def _list_of_words(name: str, words: Iterable[str]) -> list[str]:
    if isinstance(words, str):
        raise LexiconError(
            f"list {name!r} is one string, {words[:40]!r}, expected a list of words: write [{words[:40]!r}], "
            "or read a file with read_lexicon"
        )
    listed = list(words)
    if are_texts(listed):
        return listed
    for number, word in enumerate(listed, start=1):
        if not isinstance(word, str):
            raise LexiconError(
                f"entry {number} of list {name!r} is {word!r} ({type(word).__name__}), expected a word: remove it or "
                "put it in quotes"
            )
    return listed


def _are_clean(lists: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether no entry would change or be left out, as in a lexicon that was saved: such a one is made much faster.

    The words of each list are sorted, which makes it quick to sort all of them, and to see which are equal.

    >>> _are_clean({"up": ("fine", "good"), "down": ("bad",)}), _are_clean({"up": ("Good",), "down": ("bad",)})
    (True, False)
    >>> _are_clean({"up": ("good",), "down": ("bad", "good")})
    False
    """
    words = sorted(chain.from_iterable(lists.values()))
    if not (are_texts(words) and all(words[:1]) and ascents(words).all()):
        return False
    if are_small_letters(words):
        return True
    text = "".join(words)
    if text.isascii() and text == text.lower():  # words of letters have no blanks
        words = [] if text.isalpha() else [word for word in words if not word.isalpha()]
    return all(" ".join(word.split()).lower() == word for word in words)


def _entries(name: str, words: list[str], weights: Mapping[str, float | None]) -> list[Entry]:
    for word, weight in weights.items():
        if weight is not None and (isinstance(weight, bool) or not isinstance(weight, Real) or not isfinite(weight)):
            raise LexiconError(f"the weight of {word!r} in list {name!r} is {weight!r}, expected a number")
    return [
        Entry(word, name, f"{name}, entry {number}", None if (weight := weights.get(word)) is None else float(weight))
        for number, word in enumerate(words, start=1)
    ]


TURKIC_CASE = (("I\u0307", "i"), ("İ", "i"), ("I", "ı"))
"""Capitals of Turkish and Azerbaijani and their small letters: the capital of `i` is `İ`, and that of `ı` is `I`."""
_TURKIC_LETTERS = re.compile("[ıİğĞ]")
"""Letters of these languages only: a lexicon that has one is in one of them."""


def _clean(entries: list[Entry]) -> tuple[dict[str, Entry], list[Issue]]:
    """Each clean word with its entry, and the issues in the order of the file.

    >>> entries = [Entry("Good", "up", "a:1"), Entry("odd", "up", "a:2"), Entry("odd", "down", "b:1")]
    >>> clean, issues = _clean(entries)
    >>> list(clean), [issue.kind for issue in issues]
    (['good'], ['upper case', 'in two lists'])
    """
    issues: list[Issue] = []
    first: dict[str, Entry] = {}
    conflicts: dict[str, list[Entry]] = {}
    case = TURKIC_CASE if any(_TURKIC_LETTERS.search(entry.text) for entry in entries) else ()
    for entry in entries:
        stripped = word = " ".join(entry.text.split())
        for capital, small in case:
            word = word.replace(capital, small)
        word = word.lower()
        if not word:
            issues.append(Issue("blank", entry.text, entry.where, "left out"))
            continue
        if stripped != entry.text:
            issues.append(Issue("blanks", entry.text, entry.where, f"read as {stripped!r}"))
        if word not in first:
            first[word] = entry
            if stripped != word:
                issues.append(Issue("upper case", stripped, entry.where, f"read as {word!r}"))
        elif first[word].list == entry.list:
            issues.append(Issue("repeated", stripped, entry.where, "kept once"))
        else:
            conflicts.setdefault(word, [first[word]]).append(entry)
    for word, entries_of_word in conflicts.items():
        where = " and ".join(dict.fromkeys(entry.where for entry in entries_of_word))
        issues.append(Issue("in two lists", word, where, "left out of both"))
    return {word: entry for word, entry in first.items() if word not in conflicts}, issues


def _check_lists(lists: Mapping[str, tuple[str, ...]], issues: list[Issue]) -> None:
    """Raise if there are not two lists or more, each with a name and a word.

    >>> _check_lists({"up": ("good",)}, [])
    Traceback (most recent call last):
    problex.errors.LexiconError: the lexicon has 1 list (up), expected two or more that oppose each other: ...
    """
    if any(not name.strip() for name in lists):
        raise LexiconError(
            f"a list has the blank name {next(name for name in lists if not name.strip())!r}. Its texts would get a "
            "blank label, which means no label. Give the list a name"
        )
    if len(lists) < 2:
        raise LexiconError(
            f"the lexicon has {pluralize(len(lists), 'list')} ({', '.join(lists) or 'none'}), expected two or more "
            "that oppose each other: add a list"
        )
    if RESERVED in lists:
        raise LexiconError(f"a list is called {RESERVED!r}, which is the label of texts without evidence: rename it")
    for name, words in lists.items():
        if not words:
            lost = sum(issue.kind in ("in two lists", "blank") for issue in issues)
            why = f" ({pluralize(lost, 'entry', 'entries')} blank or in two lists)" if lost else ""
            raise LexiconError(f"list {name!r} has no usable entry{why}, expected at least one word")
