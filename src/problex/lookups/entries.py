"""`CategoryEntries`: the entries of a dictionary as they are matched, each in any number of categories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import parse_place, pluralize
from problex.errors import LexiconError, LexiconWarning, ProblexError, warn_caller, was_given
from problex.lexicon.dictionary import SEPARATOR, Dictionary, path_of
from problex.lexicon.lexicon import Entry, Issue, Lexicon
from problex.lookups.patterns import Ragged
from problex.matching.items import Items, is_unspaced, item_of, why_unmatchable
from problex.matching.languages import LANGUAGES
from problex.matching.segmentation import UNSPACED, check_segmenter
from problex.matching.tokens import Tokenizer

AnyDictionary = Dictionary | Lexicon | Mapping[str, Iterable[str] | Mapping[str, float]] | str | PathLike[str]
LEVELS = ("all", "lowest")
"""Choices of `levels`; a number is the third."""


@dataclass(frozen=True, eq=False)
class CategoryEntries:
    """The entries of a dictionary, the most specific first, and their categories.

    `items` are the entries as they are matched; `literals` those that are found as they are written. A pair is an entry
    in a category: entry i has the pairs `pairs.values[pairs.ends[i]:pairs.ends[i + 1]]`, and pair p is entry
    `pair_entries[p]` in category `pair_categories[p]` with the weight `pair_weights[p]`, NaN if it has none.
    """

    categories: tuple[str, ...]
    items: tuple[str, ...]
    literals: frozenset[str]
    pairs: Ragged
    pair_entries: IntArray
    pair_categories: IntArray
    pair_weights: FloatArray
    problems: tuple[Issue, ...] = field(default=())
    glob: bool = False
    segmented: bool = False

    @cached_property
    def words(self) -> tuple[int, ...]:
        """The numbers of the entries of one word, wildcards and literals included."""
        return tuple(at for at, item in enumerate(self.items) if " " not in item or item in self.literals)

    @cached_property
    def phrases(self) -> tuple[int, ...]:
        """The numbers of the entries of several words."""
        return tuple(at for at, item in enumerate(self.items) if " " in item and item not in self.literals)

    @property
    def weighted(self) -> bool:
        """Whether an entry has a weight."""
        return bool(np.isfinite(self.pair_weights).any())

    def counted_items(self) -> Items:
        """What the counter must know: literals only, since all else is found among the words."""
        literals = tuple(sorted(self.literals))
        zeros = np.zeros(len(literals), np.int64)
        return Items(("all",), literals, zeros, (), literals=literals, segmented=self.segmented)


def as_dictionary(dictionary: AnyDictionary) -> Dictionary:
    """A dictionary from a file, a lexicon, or a mapping of categories to words or to words with weights.

    >>> as_dictionary({"affect/joy": ["happ*"], "valence": {"happy": 8.2, "sad": 2.4}}).categories
    ('affect/joy', 'valence')
    """
    if isinstance(dictionary, Dictionary):
        return dictionary
    if isinstance(dictionary, Lexicon):
        return Dictionary.of(dictionary)
    if isinstance(dictionary, str | PathLike):
        from problex.lexicon import read_dictionary  # imports the modules of all formats

        return read_dictionary(Path(dictionary))
    if not isinstance(dictionary, Mapping):
        raise LexiconError(
            f"a dictionary was given as {type(dictionary).__name__}, expected a file, a Dictionary, a Lexicon, or a "
            "mapping of categories to words such as {'joy': ['happ*'], 'anger': ['furious']}"
        )
    entries = []
    for name, words in dictionary.items():
        if isinstance(words, str):
            raise LexiconError(f"category {name!r} is one string, {words[:40]!r}, expected a list of words")
        weights: Mapping[str, float | None] = words if isinstance(words, Mapping) else dict.fromkeys(words)
        if not weights:
            raise LexiconError(f"category {name!r} has no words, expected at least one: add a word, or leave it out")
        entries += [Entry(text, name, f"{name}, {text!r}", weight) for text, weight in weights.items()]
    return Dictionary(tuple(entries))


def check_levels(levels: str | int) -> str | int:
    """The levels of nested categories: `all`, `lowest`, or how many names of a path a category has.

    >>> check_levels("lowest"), check_levels("2")
    ('lowest', 2)
    """
    if isinstance(levels, str):
        levels = parse_place(levels) or levels
    if levels in LEVELS or (isinstance(levels, int) and not isinstance(levels, bool) and levels >= 1):
        return levels
    raise ProblexError(f"{was_given('levels', levels)}, expected all, lowest, or a number of levels such as 1")


def columns_of(categories: Iterable[str], levels: str | int = "all") -> dict[str, list[str]]:
    """For each category of a file, the columns of the table that its entries count for.

    With `all`, a category that contains others also has a column, of all entries in it and below it; one that contains
    only one other and has no entries of its own would repeat that one, and has none.

    >>> columns_of(["affect/joy", "affect/anger", "work/job"])
    {'affect/joy': ['affect', 'affect/joy'], 'affect/anger': ['affect', 'affect/anger'], 'work/job': ['work/job']}
    >>> columns_of(["affect/joy", "affect/anger", "work/job"], 1)["work/job"]
    ['work']
    """
    names = list(categories)
    if levels == "lowest":
        return {name: [name] for name in names}
    paths = {name: path_of(name) for name in names}
    if isinstance(levels, int):
        return {name: [SEPARATOR.join(path[:levels])] for name, path in paths.items()}
    own, below = set(paths.values()), dict[tuple[str, ...], set[tuple[str, ...]]]()
    for path in paths.values():
        for end in range(1, len(path)):
            below.setdefault(path[:end], set()).add(path[: end + 1])

    def has_column(part: tuple[str, ...]) -> bool:
        return part in own or len(below[part]) > 1

    return {
        name: [SEPARATOR.join(path[:end]) for end in range(1, len(path) + 1) if has_column(path[:end])]
        for name, path in paths.items()
    }


def compile_entries(
    dictionary: AnyDictionary, tokenizer: Tokenizer, levels: str | int = "all", *, glob: bool = False
) -> CategoryEntries:
    """Tokenise the entries of a dictionary like the texts; those that cannot be matched are `problems`.

    With `glob`, or a tokenizer that has it, `?` stands for one letter and `*` may be inside a word.

    >>> entries = compile_entries({"joy": ["happ*", "well-made"], "tone": ["happ*", "*"]}, Tokenizer())
    >>> entries.categories, entries.items, str(entries.problems[0])
    (('joy', 'tone'), ('well made', 'happ*'), "'*' (tone, '*'): not matchable, left out: there is nothing to match")
    """
    if glob:
        tokenizer = replace(tokenizer, glob=True)
    given = as_dictionary(dictionary)
    columns = columns_of(given.categories, check_levels(levels))
    categories = list(dict.fromkeys(column for of in columns.values() for column in of))
    number = {name: at for at, name in enumerate(categories)}
    weights: dict[str, dict[int, float]] = {}  # by item and category
    literals: set[str] = set()
    problems: list[Issue] = []
    texts = {entry.text for entry in given.entries}  # many categories may have the same one
    segmented = _is_segmented(texts, tokenizer)
    known = {text: _item_of(" ".join(text.split()), tokenizer, segmented) for text in texts}
    for entry in given.entries:
        item, literal = known[entry.text]
        if not item:
            problems.append(Issue("not matchable", entry.text, entry.where, f"left out: {why_unmatchable(entry.text)}"))
            continue
        if literal:
            literals.add(item)
        of_item = weights.setdefault(item, {})
        for column in columns[entry.list]:
            of_item.setdefault(number[column], np.nan if entry.weight is None else entry.weight)
    if not weights:
        raise LexiconError(f"the dictionary has no entry that can be matched ({given!r}), expected at least one word")
    items = sorted(weights, key=lambda item: _by_specificity(item, item in literals))
    rows = [(at, category, weights[item][category]) for at, item in enumerate(items) for category in weights[item]]
    pair_entries, pair_categories = (np.array([row[side] for row in rows], np.int64) for side in (0, 1))
    return CategoryEntries(
        categories=tuple(categories),
        items=tuple(items),
        literals=frozenset(literals),
        pairs=Ragged.of(pair_entries, np.arange(len(rows)), len(items)),
        pair_entries=pair_entries,
        pair_categories=pair_categories,
        pair_weights=np.array([row[2] for row in rows], np.float64),
        problems=tuple(problems),
        glob=tokenizer.glob,
        segmented=segmented,
    )


def _is_segmented(texts: Iterable[str], tokenizer: Tokenizer) -> bool:
    """Whether texts without spaces are segmented: if the language has none, or an entry is of such a script."""
    if tokenizer.custom is not None:
        return False
    every = list(texts)
    has_any = UNSPACED.search("".join(every)) is not None  # one search: few dictionaries have any
    if unspaced := [text for text in every if has_any and is_unspaced(text)]:
        check_segmenter(unspaced, every)
    return bool(unspaced) or LANGUAGES[tokenizer.language].segmented


def _item_of(entry: str, tokenizer: Tokenizer, segmented: bool) -> tuple[str, bool]:
    """An entry as it is matched, and whether that is literally.

    >>> [_item_of("Gre*t colo?r", Tokenizer(glob=glob), False) for glob in (False, True)]
    [('gre*t colo?r', True), ('gre*t colo?r', False)]
    """
    item, literal = item_of(entry, tokenizer, segmented)
    return item.lower() if literal else item, literal


def _by_specificity(item: str, literal: bool) -> tuple[int, int, str]:
    """The order in which entries win: words as they are, then wildcards, those with the most letters first.

    >>> sorted(["h*", "happ*", "happy", "*"], key=lambda item: _by_specificity(item, literal=False))
    ['happy', 'happ*', 'h*', '*']
    """
    wildcards = 0 if literal else sum("*" in word or "?" in word for word in item.split(" "))
    return wildcards, -len(item.replace("*", "").replace("?", "").encode()), item


def warn_of_lost_entries(entries: CategoryEntries) -> None:
    """Warn of the entries that cannot be matched."""
    if entries.problems:
        shown = ", ".join(f"{problem.entry!r} ({problem.where})" for problem in entries.problems[:5])
        more = f" and {len(entries.problems) - 5} more" if len(entries.problems) > 5 else ""
        number = pluralize(len(entries.problems), "entry is", "entries are")
        reasons = " or ".join(dict.fromkeys(problem.action.removeprefix("left out: ") for problem in entries.problems))
        warn_caller(f"{number} not used, because {reasons}: {shown}{more}", LexiconWarning)
