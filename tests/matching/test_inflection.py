from __future__ import annotations

import warnings

import numpy as np
import pytest

from problex import Lexicon, LexiconClassifier
from problex.errors import LexiconWarning
from problex.matching.language_guess import inflected_entries

KOREAN = [
    "영화가 좋았고 배우도 멋졌다",
    "정말 좋아요 멋진 영화",
    "지루하고 나쁜 영화",
    "너무 나쁘고 지루했다",
    "좋은 영화",
] * 20


def test_korean_entries_in_the_form_of_a_dictionary_get_a_note() -> None:
    lexicon = Lexicon({"긍정": ["좋다", "멋*", "영화"], "부정": ["나쁘다", "지루하다", "너무"]})
    with pytest.warns(LexiconWarning) as caught:
        LexiconClassifier(lexicon, language="ko").fit(KOREAN)
    assert str(caught[0].message) == (
        "3 of 5 entries occur mostly with other endings, for example '좋다' 0 times as written and 60 as 좋아요, "
        "좋았고, 좋은: Korean words take many endings. Write such entries as wildcards, for example '좋*'"
    )


def test_wildcards_and_other_languages_get_none() -> None:
    wild = Lexicon({"긍정": ["좋*", "멋*"], "부정": ["나*", "지루*"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error", LexiconWarning)
        LexiconClassifier(wild, language="ko").fit(KOREAN)
        LexiconClassifier({"a": ["good", "fine"], "b": ["bad", "sad"]}).fit(
            ["goodness fine", "badly sad", "good bad"] * 20
        )


def test_half_of_the_entries_are_not_most() -> None:
    words, counts = ["güzel", "güzeldi", "kötü", "iyi", "iyiydi"], np.array([1, 2, 1, 3, 3])
    assert [one.entry for one in inflected_entries(["güzel", "kötü", "iyi"], words, counts, ())] == ["güzel"]


def test_other_entries_and_short_stems_are_no_endings() -> None:
    words, counts = ["gelmek", "geldi", "ak", "akşam", "gelin"], np.array([1, 5, 1, 9, 9])
    [found] = inflected_entries(["gelmek", "gelin", "ak"], words, counts, ("mek",))
    assert (found.entry, found.stem, found.written, found.forms, found.inflected) == ("gelmek", "gel", 1, ("geldi",), 5)
