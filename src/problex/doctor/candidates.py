"""Words that a lexicon lacks: forms of its own entries, and words that keep the company of one of its lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from scipy.special import ndtr

from problex.doctor.associations import OUTSIDE, Change
from problex.doctor.checks import FEW, why
from problex.doctor.findings import Case, Finding

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "en": (" s es ed ing er est", "e es ed ing er est", "y ies ied ying ier iest"),
    "es": (" s es", "o a os as", "ar a an ado ada ados adas ando o", "er ir e en ido ida idos idas iendo o"),
    "fr": (" s e es", "er e es ent é ée és ées ant"),
    "de": (" e en er es em s", "en e t te ten est end ende enden"),
    "nl": (" e en er s", "en t te ten de den"),
    "it": ("o a i e", "are a ato ata ati ate ando", "ere ire e ito ita iti ite endo"),
    "pt": (" s es", "o a os as", "ar a am ado ada ados adas ando", "er ir e em ido ida idos idas"),
}
"""The endings of words of one family, a family in each string; a stem has four letters or more."""
STEM = 4


def inflections(case: Case) -> Iterator[Finding]:
    """Forms of entries that the texts have and the lexicon has not."""
    company = case.company
    families, language = _families(case), case.tokenizer.language
    missing: dict[tuple[str, ...], list[int]] = {}
    for word in np.flatnonzero((company.list_index == OUTSIDE) & (company.occurrences >= FEW)).tolist():
        kin = {entry for stem in stems(company.words[word], language) for entry in families.get(stem, ())}
        labels = {int(company.list_index[entry]) for entry in kin}
        if len(labels) != 1:
            continue  # no family, or one that stands in several lists
        label = labels.pop()
        if company.as_entry(word, label)[0] > company.average[label] / 2:
            missing.setdefault(tuple(sorted(company.words[at] for at in kin)), []).append(word)
    for family, words in missing.items():
        label = int(company.list_index[company.place[family[0]]])
        changes = [Change(word, OUTSIDE, label, kin=True) for word in words]
        names = [company.words[word] for word in words]
        counts = ", ".join(f"{company.words[word]} ({company.occurrences[word]:,})" for word in words)
        text = f"{company.lists[label]} has {', '.join(family[:4])} but not {counts}, whose company is the same"
        finding = case.finding("inflections", label, names, text, changes)
        if finding.cost > 0:
            yield finding


def stems(word: str, language: str) -> set[tuple[str, int]]:
    """What is left of a word when an ending is taken off, with the family of the ending.

    >>> sorted(stems("wastes", "en"))
    [('wast', 0), ('wast', 1), ('waste', 0), ('wastes', 0)]
    """
    families = [ends.split(" ") for ends in ENDINGS.get(language, ())]
    return {
        (word[: len(word) - len(end)], family)
        for family, ends in enumerate(families)
        for end in ends
        if word.endswith(end) and len(word) - len(end) >= STEM
    }


def _families(case: Case) -> dict[tuple[str, int], list[int]]:
    """The entries that earn their place, by stem."""
    found: dict[tuple[str, int], list[int]] = {}
    company = case.company
    for word in company.entries.tolist():
        label = int(company.list_index[word])
        if " " not in company.words[word] and company.leaning[word, label] > company.average[label] / 2:
            for stem in stems(company.words[word], case.tokenizer.language):
                found.setdefault(stem, []).append(word)
    return found


def candidates(case: Case) -> Iterator[Finding]:
    """Words outside the lexicon that would surely earn a place in one of its lists."""
    company = case.company
    for word in np.flatnonzero((company.list_index == OUTSIDE) & (company.occurrences >= FEW)).tolist():
        label = int(np.argmax(company.leaning[word]))
        if not company.earns_a_place(word, label):
            continue
        change = Change(word, OUTSIDE, label)
        if company.forecast([change]) > case.before:
            above = (company.leaning[word, label] - company.average[label]) / company.doubt[word, label]
            text = why(case, word, OUTSIDE)
            yield case.finding("candidate", label, [company.words[word]], text, [change], float(ndtr(above)))
