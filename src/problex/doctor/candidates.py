"""Words to add to a lexicon: inflected forms of its entries, and words that are associated with one of its lists."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from problex.doctor.associations import OUTSIDE, Change
from problex.doctor.checks import describe_association
from problex.doctor.findings import MIN_OCCURRENCES, Case, Finding
from problex.matching.languages import LANGUAGES

MIN_STEM_LENGTH = 4


def missing_inflections(case: Case) -> Iterator[Finding]:
    """Inflected forms of entries that occur in the texts and are not in the lexicon."""
    associations = case.associations
    for family, words in _missing_forms(case).items():
        label = int(associations.list_index[associations.index[family[0]]])
        changes = [Change(word, OUTSIDE, label, related=True) for word in words]
        names = [associations.words[word] for word in words]
        forms = ", ".join(f"{associations.words[word]} ({associations.occurrences[word]:,})" for word in words)
        text = f"{associations.lists[label]} has {', '.join(family[:4])} but not {forms}, with the same association"
        finding = case.finding("inflections", label, names, text, changes)
        if finding.cost > 0:
            yield finding


def _missing_forms(case: Case) -> dict[tuple[str, ...], list[int]]:
    """Words outside the lexicon with the association of entries of the same family, by those entries."""
    associations = case.associations
    families, language = _entries_by_stem(case), case.tokenizer.language
    forms: dict[tuple[str, ...], list[int]] = {}
    for word in _words_outside(case):
        family = {entry for stem in stems(associations.words[word], language) for entry in families.get(stem, ())}
        labels = {int(associations.list_index[entry]) for entry in family}
        if len(labels) != 1:
            continue  # no family, or one in several lists
        label = labels.pop()
        if associations.entry_estimate(word, label)[0] > associations.list_mean[label] / 2 and case.is_mostly(
            word, label
        ):
            forms.setdefault(tuple(sorted(associations.words[entry] for entry in family)), []).append(word)
    return forms


def _words_outside(case: Case) -> list[int]:
    """Words in no list that occur often enough to be judged."""
    associations = case.associations
    outside = (associations.list_index == OUTSIDE) & (associations.occurrences >= MIN_OCCURRENCES)
    return list(np.flatnonzero(outside).tolist())


def stems(word: str, language: str) -> set[tuple[str, int]]:
    """The stems of a word: what is left without an ending, with the number of the set of endings.

    >>> sorted(stems("wastes", "en"))
    [('wast', 0), ('wast', 1), ('waste', 0), ('wastes', 0)]
    """
    families = [ends.split(" ") for ends in LANGUAGES[language].inflections]
    return {
        (word[: len(word) - len(end)], family)
        for family, ends in enumerate(families)
        for end in ends
        if word.endswith(end) and len(word) - len(end) >= MIN_STEM_LENGTH
    }


def _entries_by_stem(case: Case) -> dict[tuple[str, int], list[int]]:
    """The entries with at least half of the mean association of their list, by stem."""
    entries: dict[tuple[str, int], list[int]] = {}
    associations = case.associations
    for word in associations.entries.tolist():
        label = int(associations.list_index[word])
        strong = associations.estimate[word, label] > associations.list_mean[label] / 2
        if " " not in associations.words[word] and strong:
            for stem in stems(associations.words[word], case.tokenizer.language):
                entries.setdefault(stem, []).append(word)
    return entries


def candidate_words(case: Case) -> Iterator[Finding]:
    """Words outside the lexicon that qualify for one of its lists."""
    associations = case.associations
    for word in _words_outside(case):
        label = int(np.argmax(associations.estimate[word]))
        if not case.qualifies(word, label):
            continue
        change = Change(word, OUTSIDE, label)
        if associations.forecast([change]) > case.before:
            reason, certainty = describe_association(case, word, OUTSIDE), case.certainty(word, label)
            yield case.finding("candidate", label, [associations.words[word]], reason, [change], certainty)
