"""Wildcards that match words which are not associated with the list."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile

import numpy as np
from scipy.special import ndtr

from problex.doctor.associations import CAUTION, OUTSIDE, Change
from problex.doctor.findings import MIN_OCCURRENCES, Case, Finding
from problex.lexicon.edits import Edit
from problex.matching.wildcards import Wildcard, is_glob

MAX_WORDS_SHOWN = 8


def matches_of(entry: str, words: Sequence[str], *, glob: bool = False) -> Sequence[str]:
    """The words, of sorted ones, that a wildcard such as `happ*` matches.

    Without `glob`, stars inside a word (`f**k`) match nothing.

    >>> matches_of("happ*", ["happens", "happy", "unhappy"]), matches_of("*ful", ["joy", "joyful"])
    (['happens', 'happy'], ['joyful'])
    >>> matches_of("f**k", ["folk"])
    []
    >>> matches_of("f?l*", ["fall", "folk", "full"], glob=True)
    ['fall', 'folk', 'full']
    """
    if glob and is_glob(entry) and " " not in entry:
        start = "".join(takewhile(lambda sign: sign not in "*?", entry))
        first, end = bisect_left(words, start), bisect_right(words, start + chr(sys.maxunicode))
        return list(filter(Wildcard(entry, glob=True).matches, words[first:end]))
    core = entry.removeprefix("*").removesuffix("*")
    if not core or "*" in core or core == entry or " " in core:
        return []
    if entry.startswith("*"):
        return [word for word in words if (core in word if entry.endswith("*") else word.endswith(core))]
    return words[bisect_left(words, core) : bisect_right(words, core + chr(sys.maxunicode))]


def broad_wildcards(case: Case) -> Iterator[Finding]:
    """Wildcards of which some matches are not associated with the list."""
    associations = case.associations
    for label, name in enumerate(associations.lists):
        for entry in case.lexicon.lists[name]:
            matches = matches_of(entry, associations.words, glob=case.tokenizer.glob)
            words = [associations.index[word] for word in matches if word not in case.written]
            words.sort(key=lambda word: -int(associations.occurrences[word]))
            unrelated = [word for word in words if _is_unrelated(case, word, label)]
            if unrelated and (finding := _replacement(case, entry, label, words, unrelated)).cost > 0:
                yield finding


def _is_unrelated(case: Case, word: int, label: int) -> bool:
    """Whether the estimate of a match plus its standard error is is low, and its list uses it no more than others."""
    estimate, std_error = case.associations.entry_estimate(word, label)
    is_weak = bool(estimate + std_error < case.associations.list_mean[label] / 2)
    return is_weak and (case.associations.list_index[word] == OUTSIDE or case.use(word).may_be_chance)


def _is_related(case: Case, word: int, label: int) -> bool:
    """Whether the texts show that a match belongs: its share of the list is above chance by two standard errors."""
    associations = case.associations
    excess = associations.share[word, label] - associations.expected_share[word, label]
    is_frequent = associations.occurrences[word] >= MIN_OCCURRENCES
    return bool(is_frequent and excess > CAUTION * associations.share_error[word, label])


def _replacement(case: Case, entry: str, label: int, words: list[int], unrelated: list[int]) -> Finding:
    """The proposal to replace a wildcard by its related matches; the forecasts are with all matches and with these."""
    associations = case.associations
    kept = [word for word in words if word not in unrelated and _is_related(case, word, label)]
    name = associations.lists[label]
    examples = ", ".join(
        f"{associations.words[word]} ({associations.occurrences[word]:,})" for word in words[:MAX_WORDS_SHOWN]
    )
    rest = f" and {len(words) - MAX_WORDS_SHOWN} more" if len(words) > MAX_WORDS_SHOWN else ""
    names = [associations.words[word] for word in unrelated]
    related = [associations.words[word] for word in kept]
    text = (
        f"matches {examples}{rest}; not associated with {name}: {', '.join(names[:MAX_WORDS_SHOWN])}; associated with "
        f"it: {', '.join(related[:MAX_WORDS_SHOWN]) or 'none'}"
    )
    edits = (Edit(entry, name, None), *(Edit(word, None, name) for word in related))
    added = [Change(word, OUTSIDE, label, related=True) for word in words if associations.list_index[word] == OUTSIDE]
    lost = set(words) - set(kept)
    removed = [
        Change(word, label, OUTSIDE) for word in words if word in lost and associations.list_index[word] == label
    ]
    before = associations.forecast(added)
    after = associations.forecast([change for change in added if change.word not in lost] + removed)
    certainty = _certainty(case, unrelated, label)
    finding = Finding("wildcard", name, (entry, *names), text, edits, certainty, before, after)
    return case.tried(finding, removed)


def _certainty(case: Case, words: list[int], label: int) -> float:
    """The mean probability that the estimates of words are below half of the list's mean."""
    estimates = [case.associations.entry_estimate(word, label) for word in words]
    half = case.associations.list_mean[label] / 2
    return float(np.mean([ndtr((half - estimate) / std_error) for estimate, std_error in estimates]))
