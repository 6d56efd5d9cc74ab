"""What is counted for a lexicon under a tokenizer: words, phrases, wildcards and literal strings, each in one list."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from problex._util.formatting import pluralize
from problex.errors import LexiconError, LexiconWarning, warn_caller
from problex.lexicon.lexicon import Issue, Lexicon
from problex.matching.negation import NEGATED, Negation, opposite_lists
from problex.matching.tokens import APOSTROPHES, Tokenizer

SEPARATORS = frozenset(" -_/.,‐‑–—")
"""What may stand between the words of an entry; with anything else but letters it is matched as it is."""


@dataclass(frozen=True)
class Wildcard:
    """A pattern for single words: `happ*`, `*less` or `*friend*`."""

    pattern: str
    list: int = -1

    @property
    def letters(self) -> str:
        """What a word must have."""
        return self.pattern.strip("*")

    @property
    def kind(self) -> int:
        """Where it must have it: 0 at its start, 1 at its end, 2 anywhere."""
        return 2 if self.pattern[0] == self.pattern[-1] == "*" else int(self.pattern[0] == "*")

    def matches(self, word: str) -> bool:
        """Whether a word is caught.

        >>> Wildcard("happ*").matches("happens"), Wildcard("*less").matches("less"), Wildcard("*a*").matches("b")
        (True, True, False)
        """
        tests = (word.startswith, word.endswith, word.__contains__)
        return tests[self.kind](self.letters)


@dataclass(frozen=True, eq=False)
class Items:
    """The matchable entries, sorted by list and by name: the words of a phrase are written with blanks.

    `names` are known beforehand: words, phrases and literals. What `wildcards` catch, and negated items, become items
    when they are met.
    """

    lists: tuple[str, ...]
    names: tuple[str, ...]
    list_index: NDArray[np.int64]
    phrases: tuple[tuple[str, ...], ...]
    wildcards: tuple[Wildcard, ...] = ()
    literals: tuple[str, ...] = ()
    negation: Negation | None = None
    problems: tuple[Issue, ...] = field(default=())

    @cached_property
    def list_of(self) -> Mapping[str, int]:
        """The list of each name."""
        return dict(zip(self.names, self.list_index.tolist(), strict=True))

    @cached_property
    def classes(self) -> tuple[Wildcard, ...]:
        """The patterns that stand inside phrases, the most specific first."""
        return specific_first(Wildcard(word) for phrase in self.phrases for word in phrase if "*" in word)

    def find(self, name: str) -> int | None:
        """The list of a word, phrase, literal or negated item, if it is one of the lexicon.

        >>> items = items_of(Lexicon({"negative": ["*less"], "positive": ["good"]}), Tokenizer())
        >>> [items.find(name) for name in ("hopeless", "good", "NOT good", "film")]
        [0, 1, 0, None]
        """
        if name.startswith(NEGATED):
            own = self.find(name.removeprefix(NEGATED))
            return None if own is None or self.negation is None else opposite_lists(self.lists)[own]
        if name in self.list_of:
            return self.list_of[name]
        caught = None if " " in name else self.caught_by(name)
        return None if caught is None else caught.list

    def caught_by(self, word: str) -> Wildcard | None:
        """The most specific wildcard that catches a word."""
        return next((wildcard for wildcard in self.wildcards if wildcard.matches(word)), None)


def specific_first(wildcards: object) -> tuple[Wildcard, ...]:
    """Wildcards in the order in which they are tried: those with the most letters first."""
    return tuple(sorted(set(wildcards), key=lambda one: (-len(one.letters.encode()), one.pattern)))  # type: ignore[call-overload]


@lru_cache(maxsize=16)
def items_of(lexicon: Lexicon, tokenizer: Tokenizer) -> Items:
    """Tokenise the lexicon like the texts; what cannot be matched, or now stands in two lists, is reported.

    >>> items = items_of(Lexicon({"positive": ["well-made", "a+"], "negative": ["bad", "*"]}), Tokenizer())
    >>> items.names, items.literals, str(items.problems[0])
    (('bad', 'a+', 'well made'), ('a+',), "'*' (negative): not matchable, left out: there is nothing to match")
    """
    found: dict[str, tuple[int, str]] = {}
    problems: list[Issue] = []
    conflicts: set[str] = set()
    literals: set[str] = set()
    for index, (name, words) in enumerate(lexicon.lists.items()):
        for word in words:
            item, literal = item_of(word, tokenizer)
            if not item:
                problems.append(Issue("not matchable", word, name, "left out: there is nothing to match"))
                continue
            if literal:
                literals.add(item)
            if item not in found:
                found[item] = (index, word)
            elif found[item][0] == index:
                problems.append(Issue("repeated", word, name, f"the same as {found[item][1]!r} once tokenised"))
            else:
                conflicts.add(item)
                other = lexicon.names[found[item][0]]
                action = f"the same as {found[item][1]!r} in {other!r} once tokenised, left out of both"
                problems.append(Issue("in two lists", word, name, action))
    kept = [item for _, item in sorted((index, item) for item, (index, _) in found.items() if item not in conflicts)]
    for index, name in enumerate(lexicon.names):
        if not any(found[item][0] == index for item in kept):
            raise LexiconError(
                f"no entry of list {name!r} can be matched, for example {lexicon.lists[name][:3]}: expected words"
            )
    wild = [item for item in kept if item not in literals and "*" in item and " " not in item]
    names = tuple(item for item in kept if item not in wild)
    return Items(
        lexicon.names,
        names,
        np.array([found[item][0] for item in names], dtype=np.int64),
        tuple(tuple(item.split(" ")) for item in names if item not in literals and " " in item),
        specific_first(Wildcard(item, found[item][0]) for item in wild),
        tuple(item for item in names if item in literals),
        _negation(tokenizer),
        tuple(problems),
    )


def _negation(tokenizer: Tokenizer) -> Negation | None:
    """The tokenizer's negation with its words as texts have them, where they are one token there."""
    given = tokenizer.negation
    if not isinstance(given, Negation):
        return None
    words = []
    for group in (given.negators, given.ends):
        found = [[word] if tokenizer.custom is not None else tokenizer(word) for word in group]
        words.append(tuple(tokens[0] for tokens in found if len(tokens) == 1))
    return Negation(words[0], words[1], given.scope)


def item_of(entry: str, tokenizer: Tokenizer) -> tuple[str, bool]:
    """An entry as it is matched, and whether that is literally.

    >>> [item_of(entry, Tokenizer()) for entry in ("Well-made", "happ*", "a+")]
    [('well made', False), ('happ*', False), ('a+', True)]
    """
    if entry.isascii() and entry.isalpha() and tokenizer.custom is None:
        return entry.lower(), False  # nearly all are, and a page that changes a list waits for this
    words: list[str] = []
    if "\0" in entry:  # no text means it, and the kernel ends short words with it
        return "", True
    for part in entry.split(" "):
        bare = re.fullmatch(r"(\*?)([^*]+)(\*?)", part)
        tokens = tokenizer(bare[2]) if bare else []
        if bare is None or not tokens or _loses_characters(bare[2], tokens):
            return (entry if entry.strip("*") else ""), True
        tokens[0] = bare[1] + tokens[0]
        tokens[-1] += bare[3]
        words += tokens
    return " ".join(words), False


def _loses_characters(entry: str, tokens: Sequence[str]) -> bool:
    """Whether the tokens leave out more than separators, so that they would match too much: `a+` is not `a`."""
    accounted = SEPARATORS.union(APOSTROPHES, *tokens)
    return any(c not in accounted and unicodedata.category(c)[0] not in "LM" for c in entry)


def warn_of_problems(items: Items) -> None:
    """Say which entries are not used, each time that texts are counted for them."""
    lost = [problem for problem in items.problems if problem.kind != "repeated"]
    if lost:
        shown = ", ".join(f"{problem.entry!r} ({problem.where})" for problem in lost[:5])
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        kinds = " or ".join(dict.fromkeys(problem.kind for problem in lost))
        message = f"{pluralize(len(lost), 'entry is', 'entries are')} not used ({kinds}): {shown}{more}"
        warn_caller(message, LexiconWarning)
