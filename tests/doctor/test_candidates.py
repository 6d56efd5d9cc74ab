"""Words that are missing: forms of entries by their endings, and words that keep a list's company."""

from __future__ import annotations

import pytest

from problex.doctor.candidates import candidates, inflections, stems
from tests.doctor.test_checks import case_of, corpus


@pytest.mark.parametrize(
    ("one", "other", "language", "kin"),
    [
        ("waste", "wasted", "en", True),
        ("bore", "boring", "en", False),  # a stem of three letters says too little
        ("pretty", "prettiest", "en", True),
        ("bloody", "blood", "en", False),
        ("star", "stare", "en", False),
        ("friend", "friendly", "en", False),  # another word, and not a form of the same
        ("bueno", "buenas", "es", True),
        ("belle", "belles", "fr", True),
        ("schön", "schönes", "de", True),
        ("same", "same", "any", False),
    ],
)
def test_families(one: str, other: str, language: str, kin: bool) -> None:
    assert bool(stems(one, language) & stems(other, language)) == kin


def test_forms_that_the_texts_have_and_the_lexicon_has_not_are_proposed() -> None:
    texts = corpus({"delight": (0.4, 0.1), "delighted": (0.4, 0.05), "delights": (0.2, 0.2), "other": (0.4, 0.1)})
    found = list(inflections(case_of(texts, positive=["delight"])))
    assert [finding.edit for finding in found] == ["add 'delighted' to positive"]
    assert found[0].cost > 0


def test_a_family_in_both_lists_is_left_alone() -> None:
    texts = corpus({"trick": (0.1, 0.4), "tricking": (0.4, 0.1), "tricked": (0.05, 0.4)})
    assert len(list(inflections(case_of(texts, negative=["trick"])))) == 1
    assert list(inflections(case_of(texts, negative=["trick"], positive=["tricking"]))) == []


def test_words_that_keep_the_company_of_a_list_are_candidates() -> None:
    texts = corpus({"superb": (0.6, 0.02), "dismal": (0.02, 0.6), "table": (0.5, 0.5), "once": (0.004, 0.0)}, 1200)
    found = {finding.words[0]: finding for finding in candidates(case_of(texts))}
    assert set(found) == {"superb", "dismal"}
    assert found["superb"].edit == "add 'superb' to positive"
    assert found["dismal"].list == "negative"
    assert found["dismal"].certainty is not None
    assert found["dismal"].certainty > 0.97
