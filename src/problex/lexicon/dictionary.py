"""A dictionary: the entries of a lexicon file as they stand, in any number of categories that may overlap.

Readers give one, writers take one; `choose` makes the opposed lists of a `Lexicon` out of it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from problex.errors import LexiconError
from problex.lexicon.lexicon import Entry, Lexicon, Problem

SEPARATOR = "/"
"""Between the names of nested categories: `ECONOMY/+STATE+`."""


@dataclass(frozen=True)
class Dictionary:
    """Entries as written, each with its category, and what the reader could not take.

    >>> found = Dictionary((Entry("happ*", "affect/posemo", "a.dic:5"), Entry("sad", "affect/negemo", "a.dic:6")))
    >>> found.categories
    ('affect/posemo', 'affect/negemo')
    >>> found.choose({"positive": "posemo", "negative": "negemo"}).lexicon()
    Lexicon(negative: 1, positive: 1)
    """

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, lexicon: Lexicon) -> Dictionary:
        """A lexicon as a dictionary, to be written to a file."""
        return cls(
            tuple(
                Entry(word, name, f"{name}, {word!r}", lexicon.weights.get(word))
                for name, words in lexicon.lists.items()
                for word in words
            )
        )

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The categories that have entries, in the order of the file."""
        return tuple(dict.fromkeys(entry.list for entry in self.entries))

    @cached_property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The entries of each category, once each, in the order of the file."""
        found: dict[str, dict[str, None]] = {name: {} for name in self.categories}
        for entry in self.entries:
            found[entry.list][entry.text] = None
        return {name: tuple(words) for name, words in found.items()}

    @cached_property
    def weights(self) -> Mapping[tuple[str, str], float]:
        """What the file says that an entry is worth, by category and text, where it says so."""
        return {(entry.list, entry.text): entry.weight for entry in self.entries if entry.weight is not None}

    def __add__(self, other: Dictionary) -> Dictionary:
        return Dictionary(self.entries + other.entries, self.problems + other.problems)

    def tidy(self) -> Dictionary:
        """The same without blank entries, spare blanks and repetitions, which are reported; case stays as written."""
        kept: dict[tuple[str, str], Entry] = {}
        problems = list(self.problems)
        for entry in self.entries:
            text = " ".join(entry.text.split())
            same = kept.get((entry.list, text))
            if not text:
                problems.append(Problem("blank", entry.text, entry.where, "left out"))
            elif same is None:
                kept[entry.list, text] = entry._replace(text=text)
            elif same.weight == entry.weight:
                problems.append(Problem("repeated", text, entry.where, "kept once"))
            else:
                action = f"the weight {same.weight} of {same.where} is kept, not {entry.weight}"
                problems.append(Problem("repeated", text, entry.where, action))
        return Dictionary(tuple(kept.values()), tuple(problems))

    def choose(self, choices: Mapping[str, str | Iterable[str]]) -> Dictionary:
        """New lists from categories: `{"positive": ["posemo", "POSITIVE"]}` merges two into one.

        A name stands for the category and all below it. It may be a whole path (`ECONOMY/+STATE+`), or the end or the
        middle of one when no other category has it; upper and lower case count only where both exist.
        """
        chosen: list[Entry] = []
        for name, given in choices.items():
            wanted = [given] if isinstance(given, str) else list(given)
            taken = {category for want in wanted for category in find_categories(want, self.categories)}
            origin: dict[str, str] = {}
            for entry in self.entries:
                # The same word in two merged categories is no fault of the file: the union has it once.
                if entry.list in taken and origin.setdefault(entry.text, entry.list) == entry.list:
                    chosen.append(entry._replace(list=name))
        return replace(self, entries=tuple(chosen))

    def lexicon(self) -> Lexicon:
        """The `Lexicon` of these categories: two or more, and no word in two of them."""
        try:
            return Lexicon.from_entries(self.entries, self.problems)
        except LexiconError as error:
            if len(self.categories) < 3:
                raise
            raise LexiconError(
                f"{error}; the file has {len(self.categories)} categories ({_some(self.categories)}): choose opposed "
                "ones, --list positive=CATEGORY --list negative=CATEGORY, "
                "or read_dictionary(file).choose({...}).lexicon()"
            ) from None

    def records(self) -> list[dict[str, Any]]:
        """One record per category: how many entries, of what kind, and the first few."""
        rows = []
        for name, words in self.lists.items():
            weighted = sum((name, word) in self.weights for word in words)
            row = {"category": name, "entries": len(words), "wildcards": sum("*" in word for word in words)}
            row |= {"phrases": sum(" " in word.strip() for word in words), "weighted": weighted}
            rows.append(row | {"first": ", ".join(words[:5])})
        return rows


def parse_choices(options: Iterable[str], categories: Sequence[str]) -> dict[str, list[str]]:
    """What `--list` options choose: `positive=posemo,POSITIVE`, or just the name of a category.

    >>> parse_choices(["good=joy,trust", "fear"], ["joy", "trust", "fear"])
    {'good': ['joy', 'trust'], 'fear': ['fear']}
    """
    choices: dict[str, list[str]] = {}
    for option in options:
        name, sign, given = (part.strip() for part in option.partition("="))
        if not name or (sign and not given):
            raise LexiconError(f"--list {option} was given, expected NAME=CATEGORY or NAME=CATEGORY,CATEGORY")
        whole = given in categories or not sign  # a category may have a comma in its name
        choices.setdefault(name, []).extend([given or name] if whole else [part.strip() for part in given.split(",")])
    return choices


def path_of(category: str) -> tuple[str, ...]:
    """The names on the way to a category.

    >>> path_of("ECONOMY/+STATE+")
    ('ECONOMY', '+STATE+')
    """
    return tuple(part.strip() for part in category.split(SEPARATOR) if part.strip())


def category_of(names: Iterable[str]) -> str:
    """The name of a nested category: blanks tidied, empty names left out.

    >>> category_of(["ECONOMY", " +STATE+ ", ""])
    'ECONOMY/+STATE+'
    """
    return SEPARATOR.join(path_of(SEPARATOR.join(" ".join(name.split()) for name in names)))


def find_categories(wanted: str, categories: Sequence[str]) -> list[str]:
    """The categories that a name stands for; one that is not there, or could be two, is an error that lists them.

    >>> find_categories("economy", ["ECONOMY/+STATE+", "ECONOMY/-STATE-", "CULTURE"])
    ['ECONOMY/+STATE+', 'ECONOMY/-STATE-']
    """
    for alike in (str, str.casefold, _without_description):
        nodes = _nodes(wanted, categories, alike)
        roots = [node for node in nodes if len(node) == len(path_of(wanted))]
        if len(roots or nodes) > 1:
            raise LexiconError(
                f"{wanted!r} names {len(nodes)} categories ({_some([SEPARATOR.join(node) for node in nodes])}), "
                "expected one: write more of the path"
            )
        for node in roots or nodes:
            return [category for category in categories if path_of(category)[: len(node)] == node]
    close = difflib.get_close_matches(wanted.casefold(), {name.casefold(): name for name in categories}, 1, 0.7)
    hint = next((f"; did you mean {name!r}?" for name in categories if close and name.casefold() == close[0]), "")
    raise LexiconError(f"there is no category {wanted!r}, expected one of {_some(categories, 20)}{hint}")


def _nodes(wanted: str, categories: Sequence[str], alike: Callable[[str], str]) -> list[tuple[str, ...]]:
    """The paths, from the root, that end as `wanted` does."""
    sought = [alike(part) for part in path_of(wanted)]
    found: dict[tuple[str, ...], None] = {}
    for category in categories:
        path = path_of(category)
        parts = [alike(part) for part in path]
        for end in range(len(sought), len(path) + 1):
            if sought and parts[end - len(sought) : end] == sought:
                found[path[:end]] = None
                break  # what lies below belongs to it
    return list(found)


def _without_description(name: str) -> str:
    """LIWC writes `posemo (Positive Emotions)`; people ask for `posemo`."""
    return re.sub(r"\s*\(.*\)$", "", name).casefold()


def _some(names: Sequence[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
