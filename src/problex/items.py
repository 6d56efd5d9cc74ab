"""What is counted for a lexicon under a tokenizer: words and sequences of words, each in one list."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from problex.errors import LexiconError, LexiconWarning, counted
from problex.lexicon import Lexicon, Problem
from problex.tokens import APOSTROPHES, Tokenizer

SEPARATORS = frozenset(" -_/.,‐‑–—")
"""What may stand between the words of an entry; anything else but letters makes it unmatchable as words."""


@dataclass(frozen=True, eq=False)
class Items:
    """The matchable entries, sorted by list and by name: a sequence of words is written with blanks.

    `phrases` gives, for a first word, the sequences that begin with it, longest first.
    """

    lists: tuple[str, ...]
    names: tuple[str, ...]
    list_index: NDArray[np.int64]
    phrases: Mapping[str, tuple[tuple[str, ...], ...]]
    problems: tuple[Problem, ...] = field(default=())

    def match(self, tokens: Sequence[str]) -> Sequence[str]:
        """Join the tokens of each phrase into one item: the longest match wins, its words are not counted again.

        >>> lexicon = Lexicon({"positive": ["good"], "negative": ["no good", "no good at all"]})
        >>> items_of(lexicon, Tokenizer()).match(["it", "is", "no", "good", "at", "all"])
        ['it', 'is', 'no good at all']
        """
        if not self.phrases or self.phrases.keys().isdisjoint(tokens):
            return tokens
        matched: list[str] = []
        at = 0
        while at < len(tokens):
            for phrase in self.phrases.get(tokens[at], ()):
                if tuple(tokens[at : at + len(phrase)]) == phrase:
                    matched.append(" ".join(phrase))
                    at += len(phrase)
                    break
            else:
                matched.append(tokens[at])
                at += 1
        return matched


@lru_cache(maxsize=16)
def items_of(lexicon: Lexicon, tokenizer: Tokenizer) -> Items:
    """Tokenise the lexicon like the texts; what cannot be matched, or now stands in two lists, is reported.

    >>> lexicon = Lexicon({"positive": ["well-made", "a+"], "negative": ["bad"]})
    >>> items = items_of(lexicon, Tokenizer())
    >>> items.names, str(items.problems[0])
    (('bad', 'well made'), "'a+' (positive): not matchable, left out: only letters can be matched")
    """
    found: dict[str, tuple[int, str]] = {}
    problems: list[Problem] = []
    conflicts: set[str] = set()
    for index, (name, words) in enumerate(lexicon.lists.items()):
        for word in words:
            tokens = tokenizer(word)
            if not tokens or _loses_characters(word, tokens):
                problems.append(Problem("not matchable", word, name, "left out: only letters can be matched"))
                continue
            item = " ".join(tokens)
            if item not in found:
                found[item] = (index, word)
            elif found[item][0] == index:
                problems.append(Problem("repeated", word, name, f"the same as {found[item][1]!r} once tokenised"))
            else:
                conflicts.add(item)
                other = lexicon.names[found[item][0]]
                action = f"the same as {found[item][1]!r} in {other!r} once tokenised, left out of both"
                problems.append(Problem("in two lists", word, name, action))
    names = tuple(sorted((item for item in found if item not in conflicts), key=lambda item: (found[item][0], item)))
    list_index = np.array([found[item][0] for item in names], dtype=np.int64)
    for index, name in enumerate(lexicon.names):
        if not np.any(list_index == index):
            raise LexiconError(
                f"no entry of list {name!r} can be matched, for example {lexicon.lists[name][:3]}: expected words made "
                "of letters"
            )
    return Items(lexicon.names, names, list_index, _phrases(names), tuple(problems))


def _loses_characters(entry: str, tokens: Sequence[str]) -> bool:
    """Whether the tokens leave out more than separators, so that they would match too much: `a+` is not `a`."""
    accounted = SEPARATORS.union(APOSTROPHES, *tokens)
    return any(c not in accounted and unicodedata.category(c)[0] not in "LM" for c in entry)


def _phrases(names: Sequence[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    starts: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        words = tuple(name.split(" "))
        if len(words) > 1:
            starts.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(found, key=lambda words: (-len(words), words))) for first, found in starts.items()}


def warn_of_problems(items: Items) -> None:
    """Say which entries are not used, each time that texts are counted for them."""
    lost = [problem for problem in items.problems if problem.kind != "repeated"]
    if lost:
        shown = ", ".join(f"{problem.entry!r} ({problem.where})" for problem in lost[:5])
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        kinds = " or ".join(dict.fromkeys(problem.kind for problem in lost))
        message = f"{counted(len(lost), 'entry is', 'entries are')} not used ({kinds}): {shown}{more}"
        warnings.warn(message, LexiconWarning, stacklevel=4)
