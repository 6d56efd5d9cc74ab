"""A dictionary: the entries of a lexicon file as written, in any number of categories that may overlap.

Readers return one, writers take one; `choose` makes the opposed lists of a `Lexicon` from it.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from problex._util.formatting import first_few, pluralize
from problex._util.records import Record
from problex.errors import LexiconError, LexiconWarning, check_choice, opt, warn_caller
from problex.lexicon.lexicon import Entry, Issue, Lexicon

SHARED = ("drop", "first", "most", "both")
"""What becomes of words in several lists: a lexicon leaves them out, or they are kept in the first list, in that with
most of their categories, or in all of them, as a dictionary may have them."""
NEGATED_LIST = "neg_"
"""How the names of categories of negated forms begin in the Lexicoder Sentiment Dictionary."""
SEPARATOR = "/"
"""Between the names of nested categories: `ECONOMY/+STATE+`."""


@dataclass(frozen=True, repr=False)
class Dictionary:
    """Entries as written, each with its category, and the issues of the reader in `problems`.

    >>> dictionary = Dictionary((Entry("happ*", "affect/posemo", "a.dic:5"), Entry("sad", "affect/negemo", "a.dic:6")))
    >>> dictionary.categories
    ('affect/posemo', 'affect/negemo')
    >>> dictionary.choose({"positive": "posemo", "negative": "negemo"}).lexicon()
    Lexicon(negative: 1, positive: 1)
    """

    entries: tuple[Entry, ...]
    problems: tuple[Issue, ...] = ()

    @classmethod
    def of(cls, lexicon: Lexicon) -> Dictionary:
        """A lexicon as a dictionary, for writing it to a file."""
        return cls(
            tuple(
                Entry(word, name, f"{name}, {word!r}", lexicon.weights.get(word))
                for name, words in lexicon.lists.items()
                for word in words
            )
        )

    def __repr__(self) -> str:
        entries = pluralize(len(self.entries), "entry", "entries")
        return f"Dictionary({entries} in {pluralize(len(self.categories), 'category', 'categories')})"

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The categories that have entries, in the order of the file."""
        return tuple(dict.fromkeys(entry.list for entry in self.entries))

    @cached_property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The entries of each category, once each, in the order of the file."""
        words: dict[str, dict[str, None]] = {name: {} for name in self.categories}
        for entry in self.entries:
            words[entry.list][entry.text] = None
        return {name: tuple(category_words) for name, category_words in words.items()}

    @cached_property
    def weights(self) -> Mapping[tuple[str, str], float]:
        """The weights in the file by category and text, for entries that have one."""
        return {(entry.list, entry.text): entry.weight for entry in self.entries if entry.weight is not None}

    def __add__(self, other: Dictionary) -> Dictionary:
        return Dictionary(self.entries + other.entries, self.problems + other.problems)

    def tidy(self) -> Dictionary:
        """The same without blank entries, extra spaces and repetitions, which become issues; case is kept.

        >>> rows = Entry("well  made", "up", "a:1", 1.0), Entry("well made", "up", "a:2", 2.0)
        >>> tidy = Dictionary(rows).tidy()
        >>> tidy.entries[0].text, str(tidy.problems[0])
        ('well made', "'well made' (a:2): repeated, the weight 1.0 of a:1 is kept, not 2.0")
        """
        entries: dict[tuple[str, str], Entry] = {}
        issues = list(self.problems)
        for entry in self.entries:
            text = " ".join(entry.text.split())
            same = entries.get((entry.list, text))
            if not text:
                issues.append(Issue("blank", entry.text, entry.where, "left out"))
            elif same is None:
                entries[entry.list, text] = entry._replace(text=text)
            elif same.weight == entry.weight:
                issues.append(Issue("repeated", text, entry.where, "kept once"))
            else:
                action = f"the weight {same.weight} of {same.where} is kept, not {entry.weight}"
                issues.append(Issue("repeated", text, entry.where, action))
        return Dictionary(tuple(entries.values()), tuple(issues))

    def choose(self, choices: Mapping[str, str | Iterable[str]], *, shared: str = "drop") -> Dictionary:
        """New lists from categories: `{"positive": ["posemo", "POSITIVE"]}` merges two into one.

        A name means the category and all below it. It may be a whole path (`ECONOMY/+STATE+`), or the end or the
        middle of one if no other category has it; case matters only if names differ by nothing else. `shared` says what
        becomes of words in several of the lists: a choice of `SHARED`.

        >>> entries = Entry("joy", "posemo", "a:1"), Entry("win", "achieve", "a:2"), Entry("sad", "negemo", "a:3")
        >>> Dictionary(entries).choose({"up": ["posemo", "achieve"], "down": "negemo"}).lists
        {'up': ('joy', 'win'), 'down': ('sad',)}
        """
        check_choice("shared", shared, SHARED)
        selected = {
            name: {want: find_categories(want, self.categories) for want in ([one] if isinstance(one, str) else one)}
            for name, one in choices.items()
        }
        if shared != "both":
            _refuse_nesting(selected)
        chosen: list[Entry] = []
        for name, wanted in selected.items():
            categories = {category for names in wanted.values() for category in names}
            origin: dict[str, str] = {}
            for entry in self.entries:
                # The same word in two merged categories is not an issue: the union has it once.
                if entry.list in categories and origin.setdefault(entry.text, entry.list) == entry.list:
                    chosen.append(entry._replace(list=name))
        dictionary = replace(self, entries=tuple(chosen))
        return (
            dictionary if shared in ("drop", "both") else keep_shared(dictionary, self._memberships(selected), shared)
        )

    def _memberships(self, selected: Mapping[str, Mapping[str, Sequence[str]]]) -> Counter[tuple[str, str]]:
        """In how many of the categories of each list a word is."""
        lists = {category: name for name, wanted in selected.items() for names in wanted.values() for category in names}
        pairs = {(word_of(entry), entry.list) for entry in self.entries if entry.list in lists}
        return Counter((word, lists[category]) for word, category in pairs)

    def lexicon(self) -> Lexicon:
        """The `Lexicon` of these categories: two or more, and no word in two of them.

        Negated forms in categories of their own, `neg_positive` and `neg_negative`, count for the other of two lists.

        >>> rows = [("bad", "negative"), ("good", "positive"), ("no good", "neg_positive")]
        >>> Dictionary(tuple(Entry(word, name, "a.yml:1") for word, name in rows)).lexicon().lists["negative"]
        ('bad', 'no good')
        """
        try:
            return Lexicon.from_entries(self._without_negated_lists().entries, self.problems)
        except LexiconError as error:
            if len(self.categories) < 3:
                raise
            raise LexiconError(
                f"{error}; the file has {len(self.categories)} categories ({first_few(self.categories, 8)}): choose "
                "opposed categories, --list positive=CATEGORY --list negative=CATEGORY, "
                "or read_dictionary(file).choose({...}).lexicon()"
            ) from None

    def _without_negated_lists(self) -> Dictionary:
        plain = [name for name in self.categories if not name.startswith(NEGATED_LIST)]
        opposite = dict(zip((NEGATED_LIST + name for name in plain), reversed(plain), strict=True))
        negated = [name for name in self.categories if name not in plain]
        if len(plain) != 2 or not negated or not opposite.keys() >= set(negated):
            return self
        named = " and ".join(f"{name!r} count for {opposite[name]!r}" for name in negated)
        warn_caller(f"the entries of {named}, as negated forms: choose lists to change that", LexiconWarning)
        return replace(self, entries=tuple(one._replace(list=opposite.get(one.list, one.list)) for one in self.entries))

    def records(self) -> list[Record]:
        """One record per category: how many entries, of what kind, and the first few."""
        rows = []
        for name, words in self.lists.items():
            weighted = sum((name, word) in self.weights for word in words)
            row = {"category": name, "entries": len(words), "wildcards": sum("*" in word for word in words)}
            row |= {"phrases": sum(" " in word.strip() for word in words), "weighted": weighted}
            rows.append(row | {"first": ", ".join(words[:5])})
        return rows


def word_of(entry: Entry) -> str:
    """The word of an entry as lists compare it."""
    return " ".join(entry.text.split()).lower()


def keep_shared(dictionary: Dictionary, memberships: Mapping[tuple[str, str], int], shared: str) -> Dictionary:
    """Keep words of several lists in one: the first list, or that in most of whose categories they are.

    >>> both = Dictionary((Entry("kind", "up", "a:1"), Entry("kind", "down", "a:2")))
    >>> memberships = {("kind", "up"): 1, ("kind", "down"): 2}
    >>> [keep_shared(both, memberships, shared).entries[0].list for shared in ("first", "most")]
    ['up', 'down']
    """
    lists: dict[str, list[str]] = {}
    for entry in dictionary.entries:
        names = lists.setdefault(word_of(entry), [])
        if entry.list not in names:
            names.append(entry.list)
    several = {word: names for word, names in lists.items() if len(names) > 1}
    if not several:
        return dictionary
    kept = {
        word: names[0] if shared == "first" else max(names, key=lambda name: memberships.get((word, name), 0))
        for word, names in several.items()
    }
    entries = tuple(entry for entry in dictionary.entries if kept.get(word_of(entry), entry.list) == entry.list)
    issues = [
        Issue("in several lists", word, " and ".join(several[word]), f"kept in {name!r}") for word, name in kept.items()
    ]
    first = "; ".join(f"{word!r} in {name!r}" for word, name in list(kept.items())[:5])
    number = pluralize(len(several), "entry is", "entries are")
    warn_caller(f"{number} in several lists and kept in one ({opt('shared', shared)}): {first}", LexiconWarning)
    return Dictionary(entries, (*dictionary.problems, *issues))


def _refuse_nesting(selected: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Raise if a category of one list is within a category of another one.

    >>> _refuse_nesting({"up": {"emo": ["emo/joy", "emo/fear"]}, "down": {"fear": ["emo/fear"]}})
    Traceback (most recent call last):
    problex.errors.LexiconError: the category 'emo' of list 'up' contains 'fear' of list 'down' ...
    """
    chosen = [(name, want, set(names)) for name, wanted in selected.items() for want, names in wanted.items()]
    for one, other in combinations(chosen, 2):
        common = one[2] & other[2]
        if one[0] == other[0] or not common:
            continue
        if one[2] == other[2]:
            raise LexiconError(
                f"lists {one[0]!r} and {other[0]!r} both take the category {one[1]!r}, expected different ones for each"
            )
        outer, inner = (one, other) if one[2] > other[2] else (other, one)
        raise LexiconError(
            f"the category {outer[1]!r} of list {outer[0]!r} contains {inner[1]!r} of list {inner[0]!r} "
            f"({first_few(sorted(common), 3)}), expected categories that do not contain each other: choose a "
            "category beside it"
        )


def parse_choices(options: Iterable[str], categories: Sequence[str]) -> dict[str, list[str]]:
    """The choices of `--list` options: `positive=posemo,POSITIVE`, or just the name of a category.

    >>> parse_choices(["good=joy,trust", "fear"], ["joy", "trust", "fear"])
    {'good': ['joy', 'trust'], 'fear': ['fear']}
    """
    choices: dict[str, list[str]] = {}
    for option in options:
        name, sign, wanted = (part.strip() for part in option.partition("="))
        if not name or (sign and not wanted):
            raise LexiconError(f"--list {option} was given, expected NAME=CATEGORY or NAME=CATEGORY,CATEGORY")
        is_one_name = wanted in categories or not sign  # a category may have a comma in its name
        choices.setdefault(name, []).extend(
            [wanted or name] if is_one_name else [part.strip() for part in wanted.split(",")]
        )
    return choices


def path_of(category: str) -> tuple[str, ...]:
    """The names in the path of a category.

    >>> path_of("ECONOMY/+STATE+")
    ('ECONOMY', '+STATE+')
    """
    return tuple(part.strip() for part in category.split(SEPARATOR) if part.strip())


def category_of(names: Iterable[str]) -> str:
    """The name of a nested category, with single spaces and without empty names.

    >>> category_of(["ECONOMY", " +STATE+ ", ""])
    'ECONOMY/+STATE+'
    """
    return SEPARATOR.join(path_of(SEPARATOR.join(" ".join(name.split()) for name in names)))


def find_categories(wanted: str, categories: Sequence[str]) -> list[str]:
    """The categories that a name means; raise, with the choices, if there is none or more than one.

    >>> find_categories("economy", ["ECONOMY/+STATE+", "ECONOMY/-STATE-", "CULTURE"])
    ['ECONOMY/+STATE+', 'ECONOMY/-STATE-']
    """
    for normalize in (str, str.casefold, _without_description):
        nodes = _nodes(wanted, categories, normalize)
        roots = [node for node in nodes if len(node) == len(path_of(wanted))]
        if len(roots or nodes) > 1:
            raise LexiconError(
                f"{wanted!r} names {len(nodes)} categories ({first_few([SEPARATOR.join(node) for node in nodes], 8)}), "
                "expected one: write more of the path"
            )
        for node in roots or nodes:
            return [category for category in categories if path_of(category)[: len(node)] == node]
    close = difflib.get_close_matches(wanted.casefold(), {name.casefold(): name for name in categories}, 1, 0.7)
    hint = next((f"; did you mean {name!r}?" for name in categories if close and name.casefold() == close[0]), "")
    raise LexiconError(f"there is no category {wanted!r}, expected one of {first_few(categories, 20)}{hint}")


def _nodes(wanted: str, categories: Sequence[str], normalize: Callable[[str], str]) -> list[tuple[str, ...]]:
    """The paths, from the root, that end in `wanted`.

    >>> _nodes("-state-", ["ECONOMY/-STATE-/TAX", "CULTURE"], str.casefold)
    [('ECONOMY', '-STATE-')]
    """
    names = [normalize(part) for part in path_of(wanted)]
    nodes: dict[tuple[str, ...], None] = {}
    for category in categories:
        path = path_of(category)
        parts = [normalize(part) for part in path]
        for end in range(len(names), len(path) + 1):
            if names and parts[end - len(names) : end] == names:
                nodes[path[:end]] = None
                break  # it includes all categories below it
    return list(nodes)


def _without_description(name: str) -> str:
    """LIWC writes `posemo (Positive Emotions)`; people ask for `posemo`."""
    return re.sub(r"\s*\(.*\)$", "", name).casefold()
