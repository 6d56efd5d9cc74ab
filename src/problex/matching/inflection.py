"""A note for languages whose words take many endings: entries that occur mostly with other endings than written."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.formatting import pluralize
from problex.errors import LexiconWarning, warn_caller
from problex.matching.items import Items
from problex.matching.languages import Language

MIN_STEM = 3
"""Letters that a stem must have to be told from the start of other words; syllables of Hangul count as three."""
LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True)
class InflectedEntry:
    """An entry, its stem, how often it occurs as written, and the words with other endings and their occurrences."""

    entry: str
    stem: str
    written: int
    forms: tuple[str, ...]
    inflected: int


def inflected_entries(
    entries: Iterable[str], words: list[str], occurrences: IntArray, infinitives: tuple[str, ...]
) -> list[InflectedEntry]:
    """The entries whose stem occurs more often with other endings; `infinitives` are those that are not of the stem.

    >>> import numpy as np
    >>> [found] = inflected_entries(["güzel", "gelmek"], ["gelmek", "güzel", "güzeldi"], np.array([1, 1, 4]), ("mek",))
    >>> found.entry, found.written, found.forms, found.inflected
    ('güzel', 1, ('güzeldi',), 4)
    """
    order = sorted(range(len(words)), key=words.__getitem__)
    in_order, known = [words[at] for at in order], set(entries)
    found = []
    for entry in sorted(known):
        ending = next((ending for ending in infinitives if entry.endswith(ending)), "")
        stem = entry.removesuffix(ending)
        if sum(3 if "\uac00" <= letter <= "\ud7a3" else 1 for letter in stem) < MIN_STEM:
            continue
        same = order[bisect_left(in_order, stem) : bisect_right(in_order, stem + LAST_CHARACTER)]
        others = sorted(
            (at for at in same if words[at] not in known), key=lambda at: (-int(occurrences[at]), words[at])
        )
        written = sum(int(occurrences[at]) for at in same if words[at] == entry)
        inflected = sum(int(occurrences[at]) for at in others)
        if inflected > written:
            found.append(InflectedEntry(entry, stem, written, tuple(words[at] for at in others), inflected))
    return found


def warn_of_inflected_forms(words: pa.Array, occurrences: IntArray, items: Items, language: Language) -> None:
    """Suggest wildcards if most entries of one word occur mostly with other endings among the words of a corpus."""
    entries = [name for name in items.names if name.isalpha()]
    found = inflected_entries(entries, words.to_pylist(), occurrences, language.infinitives)
    if 2 * len(found) <= len(entries):
        return
    first = max(found, key=lambda one: one.inflected)
    forms = ", ".join(first.forms[:3])
    warn_caller(
        f"{len(found)} of {pluralize(len(entries), 'entry', 'entries')} occur mostly with other endings, for example "
        f"{first.entry!r} {pluralize(first.written, 'time')} as written and {first.inflected} as {forms}: "
        f"{language.name} words take many endings. Write such entries as wildcards, for example '{first.stem}*'",
        LexiconWarning,
    )
