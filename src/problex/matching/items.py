"""The items of a lexicon: words, phrases, wildcards and literals as they are matched, each in one list.

Also the weights that the author of a lexicon gave its entries, such as VADER's ratings, for the items.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from problex._util._tables import are_small_letters
from problex._util.formatting import first_few, pluralize
from problex.errors import LexiconError, LexiconWarning, ProblexError, opt, warn_caller
from problex.lexicon.lexicon import Issue, Lexicon
from problex.matching.languages import LANGUAGES
from problex.matching.negation import NEGATED, Negation, opposite_lists
from problex.matching.segmentation import UNSPACED, check_segmenter, segment
from problex.matching.tokens import APOSTROPHES, AUTO_UNRESOLVED, Tokenizer, blank_links
from problex.matching.wildcards import Wildcard, WildcardIndex, is_glob, most_specific_first

SEPARATORS = frozenset(" -_/.,‐‑–—")
"""Characters that separate the words of an entry; an entry with others, except letters, is matched literally."""


@dataclass(frozen=True, eq=False)
class Items:
    """The entries that can be matched, sorted by list and by name; the words of a phrase are separated by spaces.

    `names` are the words, phrases and literals of the lexicon. Words that match `wildcards`, and negated items, become
    items when they occur. `phrases` are those of the lexicon, and the exceptions of negation. `segmented` is whether
    texts without spaces are segmented: if the lexicon has words of such a script. With `glob`, `?` and `*` inside words
    are wildcards. `problems` are entries that are not used.
    """

    lists: tuple[str, ...]
    names: tuple[str, ...]
    list_index: NDArray[np.int64]
    phrases: tuple[tuple[str, ...], ...]
    wildcards: tuple[Wildcard, ...] = ()
    literals: tuple[str, ...] = ()
    negation: Negation | None = None
    problems: tuple[Issue, ...] = field(default=())
    segmented: bool = False
    glob: bool = False

    @cached_property
    def list_of(self) -> Mapping[str, int]:
        """The list of each name."""
        return dict(zip(self.names, self.list_index.tolist(), strict=True))

    @cached_property
    def phrase_wildcards(self) -> tuple[Wildcard, ...]:
        """The wildcards inside phrases, the most specific first."""
        words = (word for phrase in self.phrases for word in phrase if has_wildcard(word, self.glob))
        return most_specific_first(Wildcard(word, glob=self.glob) for word in words)

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
        wildcard = None if " " in name else self.matching_wildcard(name)
        return None if wildcard is None else wildcard.list

    def known_name(self, name: str, known: Container[str]) -> str:
        """The name under which an item is known: its own, else that of the wildcard that its word matches.

        >>> items = items_of(Lexicon({"negative": ["*less"], "positive": ["good"]}), Tokenizer())
        >>> [items.known_name(name, {"hopeless", "*less", "NOT *less"}) for name in ("hopeless", "NOT useless", "film")]
        ['hopeless', 'NOT *less', 'film']
        """
        if name in known or not self.wildcards:
            return name
        word = name.removeprefix(NEGATED)
        wildcard = None if " " in word or word in self.list_of else self.matching_wildcard(word)
        return name if wildcard is None else name.replace(word, wildcard.pattern)

    def matching_wildcard(self, word: str) -> Wildcard | None:
        """The most specific wildcard that matches a word."""
        return self._wildcard_index.find(word)

    def phrase_wildcard(self, word: str) -> Wildcard | None:
        """The most specific wildcard inside phrases that matches a word."""
        return self._phrase_wildcard_index.find(word)

    @cached_property
    def _wildcard_index(self) -> WildcardIndex:
        return WildcardIndex.of(self.wildcards)

    @cached_property
    def _phrase_wildcard_index(self) -> WildcardIndex:
        return WildcardIndex.of(self.phrase_wildcards)


@lru_cache(maxsize=16)
def items_of(lexicon: Lexicon, tokenizer: Tokenizer) -> Items:
    """Tokenise the lexicon like the texts; entries that cannot be matched, or are now in two lists, are `problems`.

    >>> items = items_of(Lexicon({"positive": ["well-made", "a+"], "negative": ["bad", "*"]}), Tokenizer())
    >>> items.names, items.literals, str(items.problems[0])
    (('bad', 'a+', 'well made'), ('a+',), "'*' (negative): not matchable, left out: there is nothing to match")
    """
    if tokenizer.language == "auto":
        raise ProblexError(AUTO_UNRESOLVED)
    segmented = tokenizer.custom is None and LANGUAGES[tokenizer.language].segmented
    entries, by_list = _Entries(lexicon.names), list(lexicon.lists.values())
    if tokenizer.custom is not None or tokenizer.letters or not all(map(are_small_letters, by_list)):
        segmented = _has_unspaced(lexicon, tokenizer) or segmented
        by_list = entries.read(lexicon, tokenizer, segmented)
    # else the entries are words of small letters, which are their items
    negation = _negation(tokenizer, segmented)
    phrases = [*entries.phrases, *(() if negation is None else negation.exceptions)]
    return Items(
        lexicon.names,
        tuple(chain.from_iterable(by_list)),
        np.repeat(np.arange(len(by_list)), list(map(len, by_list))),
        tuple(tuple(phrase.split(" ")) for phrase in dict.fromkeys(phrases)),
        most_specific_first(entries.wildcards),
        tuple(entries.literals),
        negation,
        tuple(entries.problems),
        segmented,
        tokenizer.glob,
    )


def _has_unspaced(lexicon: Lexicon, tokenizer: Tokenizer) -> bool:
    """Whether a lexicon has words of a script without spaces; raise if they cannot be found in texts."""
    every = [word for words in lexicon.lists.values() for word in words]
    unspaced = [word for word in every if is_unspaced(word)] if tokenizer.custom is None else []
    if unspaced:
        check_segmenter(unspaced, every)
    return bool(unspaced)


@dataclass
class _Entries:
    """What is read from entries: the list of each item, the items that are not plain words, and the problems.

    `written` has the entry of each item that is written differently; `conflicts` are items that are in two lists.
    """

    lists: tuple[str, ...]
    list_of: dict[str, int] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    conflicts: set[str] = field(default_factory=set)
    phrases: list[str] = field(default_factory=list)
    literals: list[str] = field(default_factory=list)
    wildcards: list[Wildcard] = field(default_factory=list)
    problems: list[Issue] = field(default_factory=list)

    def read(self, lexicon: Lexicon, tokenizer: Tokenizer, segmented: bool) -> list[tuple[str, ...]]:
        """Read all entries; the items of each list that are not wildcards, sorted."""
        known_literals = set()
        for index, words in enumerate(lexicon.lists.values()):
            for word in words:
                item, literal = item_of(word, tokenizer, segmented)
                known_literals |= {item} if literal else set()
                self._add(item, word, index)
        by_list: list[list[str]] = [[] for _ in self.lists]
        for item in sorted(self.list_of.keys() - self.conflicts):
            by_list[self.list_of[item]].append(item)
        for name, items in zip(self.lists, by_list, strict=True):
            if not items:
                examples = lexicon.lists[name][:3]
                raise LexiconError(f"no entry of list {name!r} can be matched, for example {examples}: expected words")
        for index, items in enumerate(by_list):
            self.literals += [item for item in items if item in known_literals]
            rest = [item for item in items if item not in known_literals]
            self.phrases += [item for item in rest if " " in item]
            wild = {item for item in rest if " " not in item and has_wildcard(item, tokenizer.glob)}
            self.wildcards += [Wildcard(item, index, tokenizer.glob) for item in wild]
            by_list[index] = [item for item in items if item not in wild]
        return list(map(tuple, by_list))

    def _add(self, item: str, entry: str, index: int) -> None:
        """Put the item of an entry into the list `index`; an item that is empty or known is a problem.

        >>> entries = _Entries(("up", "down"))
        >>> entries._add("well made", "well-made", 0)
        >>> entries._add("well made", "well made", 1)
        >>> entries.conflicts, entries.problems[0].action
        ({'well made'}, "the same as 'well-made' in 'up' once tokenised, left out of both")
        """
        name, known = self.lists[index], self.list_of.get(item)
        if not item:
            self.problems.append(Issue("not matchable", entry, name, f"left out: {why_unmatchable(entry)}"))
            return
        if known is None:
            self.list_of[item] = index
            self.written[item] = entry
        elif known == index:
            action = f"the same as {self.written[item]!r} once tokenised"
            self.problems.append(Issue("repeated", entry, name, action))
        else:
            self.conflicts.add(item)
            action = f"the same as {self.written[item]!r} in {self.lists[known]!r} once tokenised, left out of both"
            self.problems.append(Issue("in two lists", entry, name, action))


def _negation(tokenizer: Tokenizer, segmented: bool) -> Negation | None:
    """The tokenizer's negation with its words tokenised; those that are not one token are left out.

    Words that negate are not segmented: those of languages without spaces are as the segmenter gives them.
    """
    negation = tokenizer.negation
    if not isinstance(negation, Negation):
        return None
    words = []
    for group in (negation.negators, negation.ends):
        tokens_of_each = [[word] if tokenizer.custom is not None else tokenizer(word) for word in group]
        words.append(tuple(tokens[0] for tokens in tokens_of_each if len(tokens) == 1))
    phrases = [segment(phrase) if segmented else phrase for phrase in negation.exceptions]
    split = str.split if tokenizer.custom is not None else tokenizer
    exceptions = [" ".join(tokens) for tokens in map(split, phrases) if len(tokens) > 1]
    return Negation(words[0], words[1], negation.scope, tuple(exceptions))


def item_of(entry: str, tokenizer: Tokenizer, segmented: bool | None = None) -> tuple[str, bool]:
    """An entry as it is matched, and whether that is literally; entries of scripts without spaces are segmented.

    `segmented` is whether texts are, where the entry may not be of the lexicon that decides it.

    >>> [item_of(entry, Tokenizer()) for entry in ("Well-made", "happ*", "a+")]
    [('well made', False), ('happ*', False), ('a+', True)]
    >>> [item_of("Gre*t colo?r", Tokenizer(glob=glob)) for glob in (False, True)]
    [('Gre*t colo?r', True), ('gre*t colo?r', False)]
    """
    is_plain = tokenizer.custom is None and not tokenizer.letters and entry.isascii()
    if is_plain and entry.removeprefix("*").removesuffix("*").isalpha():
        return entry.lower(), False  # nearly all entries: 100,000 take 0.06 s, and 0.5 s by what follows
    words: list[str] = []
    if "\0" in entry:  # the kernel ends short words with it
        return "", True
    if tokenizer.custom is None:
        for letter, letters in tokenizer.letters:
            entry = entry.replace(letter, letters)
        if not tokenizer.keep_links and blank_links(entry) != entry:
            return "", True
        segmented = segmented is not False and is_unspaced(entry)
    for part in entry.split(" "):
        if tokenizer.glob and part.strip("*?"):
            part = re.sub(r"\*+", "*", part)
            if is_glob(part) and (pattern := _glob_of(part, tokenizer)):
                words.append(pattern)
                continue
        bare = re.fullmatch(r"(\*?)([^*]+)(\*?)", part)
        tokens = tokenizer(segment(bare[2]) if segmented else bare[2]) if bare else []
        if bare is None or not tokens or _loses_characters(bare[2], tokens):
            return (entry if entry.strip("*") else ""), True
        tokens[0] = bare[1] + tokens[0]
        tokens[-1] += bare[3]
        words += tokens
    return " ".join(words), False


def why_unmatchable(entry: str) -> str:
    """Why an entry without an item has none.

    >>> why_unmatchable("*"), why_unmatchable("@united")
    ('there is nothing to match', 'links, addresses and handles are no words by default')
    """
    has_link = blank_links(entry) != entry
    return "links, addresses and handles are no words by default" if has_link else "there is nothing to match"


def has_wildcard(word: str, glob: bool) -> bool:
    """Whether a word of an item that is not literal is a wildcard."""
    return "*" in word or (glob and "?" in word)


def _glob_of(word: str, tokenizer: Tokenizer) -> str:
    """A word with `?`, or `*` inside, as it is matched; empty unless the rest are letters, as those of tokens.

    >>> [_glob_of(word, Tokenizer("es")) for word in ("Canci?n", "caf*és", "a+?", "???")]
    ['canci?n', 'caf*es', '', '']
    """
    parts = re.split(r"([*?])", word)
    for at in range(0, len(parts), 2):  # every second one is a sign
        tokens = tokenizer(parts[at]) if parts[at] else [""]
        if len(tokens) != 1 or (tokenizer.custom is None and _has_others(parts[at])):
            return ""
        parts[at] = tokens[0]
    return "".join(parts) if any(parts[::2]) else ""


def _has_others(part: str) -> bool:
    """Whether a part of a word has more than letters, and apostrophes between them.

    >>> [_has_others(part) for part in ("don't", "'tis", "a+")]
    [False, True, True]
    """
    inner = part[1:-1]
    return any(unicodedata.category(c)[0] not in "LM" and not (c in APOSTROPHES and c in inner) for c in part)


def _loses_characters(entry: str, tokens: Sequence[str]) -> bool:
    """Whether the tokens lack more than separators, so that they would match too much: `a+` is not `a`.

    >>> _loses_characters("well-made", ["well", "made"]), _loses_characters("a+", ["a"])
    (False, True)
    """
    accounted = SEPARATORS.union(APOSTROPHES, *tokens)
    return any(c not in accounted and unicodedata.category(c)[0] not in "LM" for c in entry)


def is_unspaced(entry: str) -> bool:
    """Whether an entry has words of a script without spaces, and is not matched literally.

    >>> [is_unspaced(entry) for entry in ("映画*", "映画☆", "film")]
    [True, False, False]
    """
    return UNSPACED.search(entry) is not None and not _loses_characters(entry.replace("*", " "), ())


def warn_of_problems(items: Items) -> None:
    """Warn of the entries that are not used."""
    lost = [problem for problem in items.problems if problem.kind != "repeated"]
    if lost:
        shown = first_few([f"{problem.entry!r} ({problem.where})" for problem in lost])
        why = " or ".join(dict.fromkeys(problem.kind for problem in lost))
        warn_caller(f"{pluralize(len(lost), 'entry is', 'entries are')} not used ({why}): {shown}", LexiconWarning)


def given_weights(lexicon: Lexicon, tokenizer: Tokenizer, entries: Iterable[str]) -> NDArray[np.float64]:
    """What the author of a lexicon gave each entry, as evidence for its own list.

    That is the weight times the sign of its list, which is that of the sum of the list's weights. Words that a wildcard
    matches have the weight of the wildcard, negated words that of their word, and entries without a weight the mean of
    their list.

    >>> lexicon = Lexicon({"up": {"good": 1.9, "happ*": 2.5, "fine": None}, "down": {"bad": -2.5}})
    >>> given_weights(lexicon, Tokenizer(), ["bad", "NOT good", "happy", "fine"]).tolist()
    [2.5, 1.9, 2.5, 2.2]
    """
    check_weights(lexicon)
    items, weights = items_of(lexicon, tokenizer), dict[str, float]()
    for words in lexicon.lists.values():
        known = [lexicon.weights[word] for word in words if word in lexicon.weights]
        mean = sum(known) / len(known)
        for word in words:
            item, _ = item_of(word, tokenizer, items.segmented)
            weights.setdefault(item, np.sign(mean) * lexicon.weights.get(word, mean))

    def weight_of(word: str) -> float:
        wildcard = None if word in weights else items.matching_wildcard(word)
        return weights[word if wildcard is None else wildcard.pattern]

    return np.array([weight_of(entry.removeprefix(NEGATED)) for entry in entries], dtype=np.float64)


def check_weights(lexicon: Lexicon) -> None:
    """Raise if a list has no weights, or weights that do not tell for or against it.

    >>> check_weights(Lexicon({"up": {"good": 1.0, "fine": -1.0}, "down": {"bad": -2.5}}))
    Traceback (most recent call last):
    problex.errors.LexiconError: the weights of the words in list 'up' add up to 0, expected ...
    """
    if not lexicon.weights:
        raise LexiconError(
            "the lexicon has no weights, expected a number for each word, as VADER and AFINN have: use a lexicon with "
            f"weights. A model file has them only if the model was fitted with {opt('rule', 'given')} or "
            f"{opt('shrink_to', 'given')}"
        )
    for name, words in lexicon.lists.items():
        total = sum(lexicon.weights.get(word, 0.0) for word in words)
        if not total:
            raise LexiconError(
                f"the weights of the words in list {name!r} add up to 0, expected positive or negative ones in every "
                "list: add weights to the list, or choose other lists"
            )


def warn_of_missing_weights(lexicon: Lexicon) -> None:
    """Warn of entries that have no weight."""
    missing = [word for words in lexicon.lists.values() for word in words if word not in lexicon.weights]
    if missing:
        several = pluralize(len(missing), "entry of the lexicon has", "entries of the lexicon have")
        gets = "gets the mean of its" if len(missing) == 1 else "get the mean of their"
        shown = first_few(list(map(repr, missing)))
        warn_caller(f"{several} no weight and {gets} list: {shown}", LexiconWarning)
