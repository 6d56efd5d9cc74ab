"""A second implementation of `lookup`, in plain loops over words: slow, and by the words of the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

Entries = Mapping[str, Sequence[str]]
Result = tuple[dict[str, int], set[int]]
"""The counts of the categories, and the words in matches that count."""


def matches(words: Sequence[str], entry: str, start: int) -> bool:
    """Whether an entry, whose words are separated by spaces, matches at a word."""
    parts = entry.split(" ")
    here = words[start : start + len(parts)]
    return len(here) == len(parts) and all(fnmatchcase(word, part) for word, part in zip(here, parts, strict=True))


def spans(words: Sequence[str], entries: Entries) -> Iterator[tuple[int, int]]:
    """Length and start of all places to look at: the longest first, then the leftmost."""
    longest = max((entry.count(" ") + 1 for of in entries.values() for entry in of), default=0)
    for span in range(longest, 0, -1):
        for start in range(len(words) - span + 1):
            yield span, start


def here(words: Sequence[str], entries: Sequence[str], span: int, start: int) -> list[str]:
    return [entry for entry in entries if entry.count(" ") + 1 == span and matches(words, entry, start)]


def by_category(words: Sequence[str], entries: Entries) -> Result:
    counts, all_used = dict.fromkeys(entries, 0), set[int]()
    for name, own in entries.items():
        used: set[int] = set()
        for span, start in spans(words, {name: own}):
            place = set(range(start, start + span))
            if here(words, own, span, start) and not used & place:
                counts[name] += 1
                used |= place
        all_used |= used
    return counts, all_used


def by_dictionary(words: Sequence[str], entries: Entries) -> Result:
    counts = dict.fromkeys(entries, 0)
    used_by: dict[str, set[int]] = {name: set() for name in entries}
    used: set[int] = set()
    for span, start in spans(words, entries):
        place = set(range(start, start + span))
        if place <= used:
            continue
        found = [name for name, own in entries.items() if here(words, own, span, start) and not used_by[name] & place]
        for name in found:
            counts[name] += 1
            used_by[name] |= place
            used |= place
    return counts, used


def by_longest(words: Sequence[str], entries: Entries) -> Result:
    counts, used = dict.fromkeys(entries, 0), set[int]()
    every = sorted({entry for own in entries.values() for entry in own}, key=specificity)
    at = 0
    while at < len(words):
        found = [entry for entry in every if matches(words, entry, at)]
        if not found:
            at += 1
            continue
        best = max(found, key=lambda entry: entry.count(" "))  # the first of the longest is the most specific
        for name, own in entries.items():
            counts[name] += best in own
        used |= set(range(at, at + best.count(" ") + 1))
        at += best.count(" ") + 1
    return counts, used


def specificity(entry: str) -> tuple[int, int, str]:
    return sum("*" in word for word in entry.split(" ")), -len(entry.replace("*", "")), entry


RULES = {"category": by_category, "dictionary": by_dictionary, "longest": by_longest}
