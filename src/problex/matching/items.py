"""The items of a lexicon: words, phrases, wildcards and literals as they are matched, each in one list."""

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
from problex._util.formatting import pluralize
from problex.errors import LexiconError, LexiconWarning, ProblexError, warn_caller
from problex.lexicon.lexicon import Issue, Lexicon
from problex.matching.languages import LANGUAGES
from problex.matching.links import APOSTROPHES, blank_links
from problex.matching.negation import NEGATED, Negation, opposite_lists
from problex.matching.segmentation import UNSPACED, check_segmenter, segment
from problex.matching.tokens import AUTO_UNRESOLVED, Tokenizer
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

    def find_all(self, names: Iterable[str]) -> list[int | None]:
        """The list of each name, as `find` gives it.

        >>> items_of(Lexicon({"negative": ["*less"], "positive": ["good"]}), Tokenizer()).find_all(["less", "NOT good"])
        [0, 0]
        """
        names = list(names)
        found: list[int | None] = list(map(self.list_of.get, names))
        rest = [at for at, own in enumerate(found) if own is None]
        words = [names[at].removeprefix(NEGATED) for at in rest]
        opposite = [None] * len(self.lists) if self.negation is None else opposite_lists(self.lists)
        for at, word, own in zip(rest, words, self._lists_of(words), strict=True):
            own = self.find(word) if word.startswith(NEGATED) else own
            found[at] = own if own is None or len(word) == len(names[at]) else opposite[own]
        return found

    def _lists_of(self, words: Sequence[str]) -> list[int | None]:
        """The list of each word or phrase that is not negated."""
        found: list[int | None] = list(map(self.list_of.get, words))
        rest = [at for at, own in enumerate(found) if own is None and " " not in words[at]] if self.wildcards else []
        for at, wildcard in zip(rest, self._wildcard_index.find_all([words[at] for at in rest]), strict=True):
            found[at] = None if wildcard is None else wildcard.list
        return found

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
    is_plain = tokenizer.custom is None
    is_simple = is_plain and not tokenizer.letters
    segmented = is_plain and LANGUAGES[tokenizer.language].segmented
    if is_simple and all(map(are_small_letters, lexicon.lists.values())):
        return _simple_items(lexicon, _negation(tokenizer, segmented), segmented, tokenizer.glob)
    entries = _Entries(lexicon.names)
    for index, words in enumerate(lexicon.lists.values()):
        text = "".join(words)
        if is_simple and _is_simple(text) and entries.list_of.keys().isdisjoint(words):
            entries.list_of.update(dict.fromkeys(words, index))  # entries of a list differ
            continue
        if is_plain and UNSPACED.search(text) and (unspaced := [word for word in words if is_unspaced(word)]):
            check_segmenter(unspaced, chain.from_iterable(lexicon.lists.values()))
            segmented = True
        for word in words:
            if is_simple and word.isascii() and word.isalpha():  # nearly all entries, and much faster
                entries.add(word.lower(), word, index)
            else:
                item, literal = item_of(word, tokenizer, segmented)
                entries.add(item, word, index, literal=literal)
    entries.leave_out_conflicts(lexicon)
    return entries.items(_negation(tokenizer, segmented), segmented, tokenizer.glob)


@dataclass
class _Entries:
    """The entries read so far: the list of each item, and the problems.

    `written` has the entry of each item that is written differently; `conflicts` are items that are in two lists.
    """

    lists: tuple[str, ...]
    list_of: dict[str, int] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    literals: set[str] = field(default_factory=set)
    conflicts: set[str] = field(default_factory=set)
    problems: list[Issue] = field(default_factory=list)

    def add(self, item: str, entry: str, index: int, *, literal: bool = False) -> None:
        """Put the item of an entry into the list `index`; an item that is empty or known is a problem."""
        name, known = self.lists[index], self.list_of.get(item)
        if not item:
            self.problems.append(Issue("not matchable", entry, name, f"left out: {why_unmatchable(entry)}"))
            return
        if literal:
            self.literals.add(item)
        if known is None:
            self.list_of[item] = index
            if item != entry:
                self.written[item] = entry
            return
        first = self.written.get(item, item)
        if known == index:
            self.problems.append(Issue("repeated", entry, name, f"the same as {first!r} once tokenised"))
        else:
            self.conflicts.add(item)
            action = f"the same as {first!r} in {self.lists[known]!r} once tokenised, left out of both"
            self.problems.append(Issue("in two lists", entry, name, action))

    def leave_out_conflicts(self, lexicon: Lexicon) -> None:
        """Delete the items that are in two lists; a list without an item is refused."""
        for item in self.conflicts:
            del self.list_of[item]
        matchable = set(self.list_of.values())
        for index, name in enumerate(self.lists):
            if index not in matchable:
                examples = lexicon.lists[name][:3]
                raise LexiconError(f"no entry of list {name!r} can be matched, for example {examples}: expected words")

    def items(self, negation: Negation | None, segmented: bool, glob: bool) -> Items:
        """The items by list and name; words with `*`, and with `glob` those with `?`, become wildcards."""
        by_list: list[list[str]] = [[] for _ in self.lists]
        for item, index in self.list_of.items():
            by_list[index].append(item)
        ordered = [item for items in by_list for item in sorted(items)]
        wild = {item for item in ordered if has_wildcard(item, glob) and " " not in item and item not in self.literals}
        names = tuple(item for item in ordered if item not in wild) if wild else tuple(ordered)
        phrases = [item for item in names if item not in self.literals and " " in item]
        exceptions = () if negation is None else negation.exceptions
        return Items(
            self.lists,
            names,
            np.fromiter(map(self.list_of.__getitem__, names), np.int64, len(names)),
            tuple(tuple(phrase.split(" ")) for phrase in dict.fromkeys([*phrases, *exceptions])),
            most_specific_first(Wildcard(item, self.list_of[item], glob) for item in wild),
            tuple(item for item in names if item in self.literals),
            negation,
            tuple(self.problems),
            segmented,
            glob,
        )


def _is_simple(text: str) -> bool:
    return text.isascii() and text.isalpha() and text.islower()


def _simple_items(lexicon: Lexicon, negation: Negation | None, segmented: bool, glob: bool) -> Items:
    """The items of a lexicon of small letters a to z, which are its entries, sorted: faster, for large lexicons."""
    names = tuple(chain.from_iterable(lexicon.lists.values()))
    lists = np.repeat(np.arange(len(lexicon.lists)), [len(words) for words in lexicon.lists.values()])
    exceptions = () if negation is None else negation.exceptions
    phrases = tuple(tuple(phrase.split(" ")) for phrase in exceptions)
    return Items(lexicon.names, names, lists, phrases, negation=negation, segmented=segmented, glob=glob)


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
    if tokenizer.custom is None and not tokenizer.letters and entry.isascii() and _letters_of(entry).isalpha():
        return entry.lower(), False  # nearly all entries, and much faster
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
    """Whether a part of a word has more than letters, and apostrophes between them."""
    inner = part[1:-1]
    return any(unicodedata.category(c)[0] not in "LM" and not (c in APOSTROPHES and c in inner) for c in part)


def _letters_of(entry: str) -> str:
    """An entry without the asterisk at its start and that at its end."""
    return entry.removeprefix("*").removesuffix("*")


def _loses_characters(entry: str, tokens: Sequence[str]) -> bool:
    """Whether the tokens lack more than separators, so that they would match too much: `a+` is not `a`."""
    accounted = SEPARATORS.union(APOSTROPHES, *tokens)
    return any(c not in accounted and unicodedata.category(c)[0] not in "LM" for c in entry)


def is_unspaced(entry: str) -> bool:
    """Whether an entry has words of a script without spaces, and is not matched literally."""
    return UNSPACED.search(entry) is not None and not _loses_characters(entry.replace("*", " "), ())


def warn_of_problems(items: Items) -> None:
    """Warn of the entries that are not used."""
    lost = [problem for problem in items.problems if problem.kind != "repeated"]
    if lost:
        shown = ", ".join(f"{problem.entry!r} ({problem.where})" for problem in lost[:5])
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        kinds = " or ".join(dict.fromkeys(problem.kind for problem in lost))
        message = f"{pluralize(len(lost), 'entry is', 'entries are')} not used ({kinds}): {shown}{more}"
        warn_caller(message, LexiconWarning)
