"""Checks of entries: each finds the fault that was planted for it, and nothing in a lexicon without faults."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from problex import Lexicon, count
from problex.doctor import doctor
from problex.doctor.associations import Associations
from problex.doctor.checks import (
    dominant_entries,
    entries_in_two_lists,
    misplaced_entries,
    rare_entries,
    unmatchable_entries,
    unseen_entries,
)
from problex.doctor.findings import Case
from problex.matching.tokens import Tokenizer
from tests.doctor.material import case_of, corpus


def test_a_good_lexicon_has_no_misplaced_entries() -> None:
    assert list(misplaced_entries(case_of(corpus({})))) == []


def test_a_word_on_the_wrong_side_is_moved_and_a_useless_one_removed() -> None:
    texts = corpus({"hero": (0.05, 0.5), "like": (0.5, 0.5)})
    findings = {finding.words[0]: finding for finding in misplaced_entries(case_of(texts, positive=["hero", "like"]))}
    assert set(findings) == {"hero", "like"}
    assert (findings["hero"].kind, findings["hero"].edit) == ("wrong side", "move 'hero' from positive to negative")
    assert findings["hero"].certainty is not None
    assert findings["hero"].certainty > 0.99
    assert findings["like"].kind in ("ambiguous", "dominates")
    assert findings["like"].edit == "remove 'like' from positive"
    assert findings["like"].cost > 0
    assert "of the list words in its texts belong to negative" in findings["hero"].why


def test_the_same_with_the_lists_exchanged() -> None:
    texts = corpus({"hero": (0.5, 0.05)})
    findings = list(misplaced_entries(case_of(texts, negative=["hero"])))
    assert [finding.edit for finding in findings] == ["move 'hero' from negative to positive"]


def test_a_word_that_few_texts_repeat_dominates_them() -> None:
    texts = corpus({})
    texts[0] += " pig" * 60
    texts[2] += " pig" * 40
    (finding,) = misplaced_entries(case_of(texts, positive=["pig"]))
    assert (finding.words, finding.kind) == (("pig",), "dominates")


def test_words_that_the_score_hangs_on_are_to_know() -> None:
    texts = [text + " super" * (8 if number % 2 == 0 else 1) for number, text in enumerate(corpus({}))]
    rest = [f"word{chr(97 + at)}" for at in range(20)]
    (finding,) = dominant_entries(case_of([*texts, " ".join(rest)], positive=["super", *rest]))
    assert finding.words == ("super",)
    assert (finding.cost, finding.edits) == (0.0, ())


def test_unseen_rare_and_unmatchable_entries_are_named() -> None:
    texts = corpus({"scarce": (0.003, 0.0)})
    case = case_of(texts, positive=["scarce", "absent"], negative=["*", "nev*", "a+"])
    assert [(one.list, one.words) for one in unseen_entries(case)] == [
        ("negative", ("a+", "nev*")),
        ("positive", ("absent",)),
    ]
    assert [(one.list, one.words) for one in rare_entries(case)] == [("positive", ("scarce",))]
    (rare,) = rare_entries(case)
    assert rare.why.startswith("1 entry of positive occurs too rarely to be assessed, ")
    assert rare.why.endswith(" of the matches of the list: use more texts, or keep it")
    assert [(one.list, one.words[:1]) for one in unmatchable_entries(case)] == [("negative", ("*",))]
    assert list(unseen_entries(case))[1].why == "1 of 7 entries in positive never occurs, which does no harm"


def test_an_entry_in_both_lists_is_given_to_the_one_that_it_fits() -> None:
    texts = corpus({"envy": (0.05, 0.6), "thing": (0.5, 0.5)})
    both = ["envy", "thing", "ghost"]
    findings = {one.words[0]: one for one in entries_in_two_lists(case_of(texts, positive=both, negative=both))}
    assert findings["envy"].edit == "add 'envy' to negative"
    assert findings["thing"].edits == ()
    assert findings["thing"].why.endswith("it is better left out")
    assert findings["ghost"].why.endswith("it does not occur")


def small_case(estimate: float, std_error: float, noise: float = 3.0, occurrences: int = 10, entries: int = 3) -> Case:
    """Two lists; `word` is an entry of "b" with a base rate of 1/4, the others share a base rate of 1/4 and noise 1.

    The others have an estimate of 1/2, so the signal without the word is 1/8. Only texts of "a" use the word.
    """
    others = entries - 1
    names = ["word", *(f"a{at}" for at in range(others - 1)), "z"]
    lexicon = Lexicon({"a": names[1:-1], "b": ["word", "z"]})
    list_index = np.array([1, *[0] * (others - 1), 1])
    associations = Associations(
        lists=("a", "b"),
        words=tuple(names),
        list_index=list_index,
        occurrences=np.array([occurrences, *[10] * others]),
        base_rates=np.array([0.25, *[0.25 / others] * others]),
        noise=np.array([noise, *[1.0 / others] * others]),
        share=np.full((entries, 2), 0.5),
        expected_share=np.full((entries, 2), 0.5),
        share_error=np.full((entries, 2), 0.1),
        estimate=np.where(np.eye(2)[list_index] == 1, 0.5, -0.5),
        std_error=np.full((entries, 2), 0.125),
        list_mean=np.array([0.5, 0.5]),
        prior_variance=0.1,
        scale=1.0,
    )
    associations.estimate[0] = -estimate, estimate
    associations.std_error[0] = std_error
    numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    texts = [text for number in numbers for text in (f"word a0 {number}", f"z {number}")]
    return Case(lexicon, Tokenizer(), count(texts, lexicon, associations=True), associations)


def test_an_entry_exactly_at_break_even_is_not_a_fault() -> None:
    """Without the word, noise V falls from 4 to 1 and signal S from 1/4 to 1/8: S / sqrt(V) stays 1/8."""
    assert list(misplaced_entries(small_case(0.5, 0.125))) == []
    assert [finding.words for finding in misplaced_entries(small_case(0.5, 0.125, noise=3.01))] == [("word",)]
    assert list(misplaced_entries(small_case(0.5, 0.125, noise=2.99))) == []


def test_break_even_by_hand() -> None:
    """S v / (2 V m) with signal S = 1/4, noise v = 3 of V = 4 and base rate m = 1/4."""
    assert small_case(0.5, 0.125).associations.break_even(0) == 0.375


def test_an_entry_is_on_the_wrong_side_from_a_certainty_of_exactly_three_quarters() -> None:
    (at_limit,) = misplaced_entries(small_case(-0.125 * float(ndtri(0.75)), 0.125))
    assert (at_limit.kind, at_limit.certainty) == ("wrong side", 0.75)
    (below,) = misplaced_entries(small_case(-0.125 * float(ndtri(0.749)), 0.125))
    assert below.kind == "ambiguous"
    # estimate -0.0839, signal 1/8 - 0.0839 / 4 = 0.1040, break-even 1.5 * 0.1040 = 0.1560: Phi(0.2399 / 0.125)
    assert below.certainty == pytest.approx(0.9725, abs=1e-4)


@pytest.mark.parametrize(("occurrences", "number"), [(4, 0), (5, 1)])
def test_an_entry_is_judged_from_five_occurrences_on(occurrences: int, number: int) -> None:
    assert len(list(misplaced_entries(small_case(-0.25, 0.125, occurrences=occurrences)))) == number


def test_a_standard_error_of_twice_the_mean_is_not_yet_too_rare() -> None:
    case = small_case(0.5, 0.125)
    for error, number in [(1.0, 0), (1.001, 2)]:
        errors = np.full((3, 2), error)
        changed = replace(case, associations=replace(case.associations, share_error=errors))
        assert len(list(rare_entries(changed))) == number
    few = small_case(0.5, 0.125, occurrences=4)
    assert [finding.words for finding in rare_entries(few)] == [("word",)]


def test_an_entry_dominates_above_ten_times_the_mean_share_of_the_noise() -> None:
    """With 20 entries the limit is 10 / 20; the others have noise 1."""
    assert list(dominant_entries(small_case(1.0, 0.125, noise=0.99, entries=20))) == []
    (finding,) = dominant_entries(small_case(1.0, 0.125, noise=1.01, entries=20))
    assert finding.words == ("word",)
    assert (
        "b: much of the score depends on a few words, which add more signal than noise: word 50.2% of the noise"
        in finding.why
    )


def test_a_word_qualifies_for_a_list_if_its_lower_limit_is_above_the_mean() -> None:
    """The lower limit is the estimate minus two standard errors; the mean is 1/2."""
    assert not small_case(0.75, 0.125).associations.qualifies(0, 1)
    assert small_case(0.76, 0.125).associations.qualifies(0, 1)


def test_the_forecast_by_hand() -> None:
    """Phi(sqrt(scale S / V)) with scale 1, signal S = 1/4 and noise V = 4."""
    assert small_case(0.5, 0.125).before == pytest.approx(float(ndtr(0.25)))


def test_negated_forms_that_are_too_rare_are_named_as_such() -> None:
    texts = ["a good, fine day", "a bad, poor film", "poor and bad", "fine and good", "good, if a bit poor"] * 50
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    rare = [one for one in doctor([*texts, "not bad"], lexicon).findings if one.kind == "too rare"]
    assert [one.words for one in rare] == [("NOT bad",)]
    assert "too rarely to be assessed (1 negated form, such as 'not good', included), " in rare[0].why
