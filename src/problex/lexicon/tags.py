"""Parts of speech at the end of words, `good#a`, `good_adj` or `good (adjective)`: words are matched without them."""

from __future__ import annotations

import re

from problex._util.formatting import pluralize
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.lexicon import Entry, Issue

_NAMES = "noun|verb|adj|adv|adjective|adverb|nouns|verbs|nomen|verben|adjektiv|substantivo|sustantivo|adjetivo|other"
_TAGS = "NN[PS]?|NNPS|VB[DGNPZ]?|JJ[RS]?|RB[RS]?|ADJA|ADJD|VVINF|VVFIN|NE|ADJX|NOUN|VERB|ADJ|ADV"
_SUFFIXES = rf"#[nvars]|[_/|](?:{_NAMES}|{_TAGS})| ?[(\[](?:{_NAMES}|{_TAGS}|[nvar])[)\]]"
TAG = re.compile(rf"(?<=\S)(?:{_SUFFIXES})$", re.I)
"""The part of speech of an entry."""
MOST = 0.8
"""Share of the entries that have one if it is not part of the words."""
LEAST = 8
SIGNS = frozenset({"positive", "negative"})


def drop_tags(dictionary: Dictionary, name: str) -> Dictionary:
    """The dictionary without parts of speech, if nearly all entries have one.

    A word with several has the mean of its weights, as the senses of a word have elsewhere.
    """
    entries = dictionary.entries
    tagged = [entry for entry in entries if TAG.search(entry.text)]
    if len(tagged) < LEAST or len(tagged) < MOST * len(entries):
        return dictionary
    plain = [entry._replace(text=TAG.sub("", entry.text).replace("_", " ")) for entry in entries]
    kept = _means(plain)
    number = pluralize(len(tagged), "entry", "entries")
    action = f"left out, as of {number} in all: words are matched without; several of a word have their mean weight"
    issue = Issue("part of speech", tagged[0].text, name, action)
    return Dictionary(tuple(kept), (*dictionary.problems, issue))


def _means(entries: list[Entry]) -> list[Entry]:
    """One entry for each word and list; where the sign of the weight is the list, one for each word."""
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
