"""Words to add: inflected forms of entries, and words that are associated with a list."""

from __future__ import annotations

import pytest

from problex.doctor.checks import candidate_words, missing_inflections, stems
from tests.doctor.material import case_of, corpus


@pytest.mark.parametrize(
    ("one", "other", "language", "same_family"),
    [
        ("waste", "wasted", "en", True),
        ("bore", "boring", "en", False),  # the stem has three letters only
        ("pretty", "prettiest", "en", True),
        ("bloody", "blood", "en", False),
        ("star", "stare", "en", False),
        ("friend", "friendly", "en", False),  # another word, not a form of the same word
        ("bueno", "buenas", "es", True),
        ("belle", "belles", "fr", True),
        ("schön", "schönes", "de", True),
        ("same", "same", "any", False),
    ],
)
def test_families(one: str, other: str, language: str, same_family: bool) -> None:
    assert bool(stems(one, language) & stems(other, language)) == same_family


def test_forms_that_the_texts_have_and_the_lexicon_has_not_are_proposed() -> None:
    texts = corpus({"delight": (0.4, 0.1), "delighted": (0.4, 0.05), "delights": (0.2, 0.2), "other": (0.4, 0.1)})
    findings = list(missing_inflections(case_of(texts, positive=["delight"])))
    assert [finding.edit for finding in findings] == ["add 'delighted' to positive"]
    assert findings[0].cost > 0


def test_a_family_in_both_lists_is_left_alone() -> None:
    texts = corpus({"trick": (0.1, 0.4), "tricking": (0.4, 0.1), "tricked": (0.05, 0.4)})
    assert len(list(missing_inflections(case_of(texts, negative=["trick"])))) == 1
    assert list(missing_inflections(case_of(texts, negative=["trick"], positive=["tricking"]))) == []


def test_words_associated_with_a_list_are_candidates() -> None:
    texts = corpus({"superb": (0.6, 0.02), "dismal": (0.02, 0.6), "table": (0.5, 0.5), "once": (0.004, 0.0)}, 1200)
    findings = {finding.words[0]: finding for finding in candidate_words(case_of(texts))}
    assert set(findings) == {"superb", "dismal"}
    assert findings["superb"].edit == "add 'superb' to positive"
    assert findings["dismal"].list == "negative"
    assert findings["dismal"].certainty is not None
    assert findings["dismal"].certainty > 0.97
