"""Checks of entries: each finds what was put there for it, and nothing in a lexicon without faults."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from problex import Lexicon, count
from problex.doctor.associations import company_of
from problex.doctor.checks import caught, in_both, loud, misplaced, rare, unmatchable, unseen, wildcards
from problex.doctor.findings import Case
from problex.matching.tokens import Tokenizer

PLAIN = ["the", "a", "day", "film"]
GOOD, BAD = ["good", "fine", "great", "nice", "lovely"], ["bad", "poor", "awful", "nasty", "ugly"]

PLAIN = ["the", "a", "day", "film"]


def corpus(extra: dict[str, tuple[float, float]], documents: int = 600, seed: int = 0) -> list[str]:
    """Texts of two kinds; `extra` gives the chance of further words in good and in bad texts."""
    random = np.random.default_rng(seed)
    texts = []
    for number in range(documents):
        kind = number % 2
        own, other = (GOOD, BAD) if kind == 0 else (BAD, GOOD)
        sizes = random.poisson([6, 2.5, 10])
        words = [*random.choice(own, sizes[0]), *random.choice(other, sizes[1]), *random.choice(PLAIN, sizes[2])]
        words += [word for word, chances in extra.items() if random.random() < chances[kind]]
        texts.append(" ".join(random.permutation(words)))
    return texts


def case_of(texts: list[str], **more: list[str]) -> Case:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lexicon = Lexicon(
            {"negative": [*BAD, *more.get("negative", [])], "positive": [*GOOD, *more.get("positive", [])]}
        )
        counts = count(texts, lexicon, associations=True)
    return Case(lexicon, Tokenizer(), counts, company_of(counts))


def test_a_good_lexicon_has_no_misfits() -> None:
    assert list(misplaced(case_of(corpus({})))) == []


def test_a_word_on_the_wrong_side_is_moved_and_a_useless_one_removed() -> None:
    texts = corpus({"hero": (0.05, 0.5), "like": (0.5, 0.5)})
    found = {finding.words[0]: finding for finding in misplaced(case_of(texts, positive=["hero", "like"]))}
    assert set(found) == {"hero", "like"}
    assert (found["hero"].kind, found["hero"].edit) == ("wrong side", "move 'hero' from positive to negative")
    assert found["hero"].certainty is not None
    assert found["hero"].certainty > 0.99
    assert found["like"].kind in ("ambiguous", "dominates")
    assert found["like"].edit == "remove 'like' from positive"
    assert found["like"].cost > 0
    assert "of the list words in its texts are negative" in found["hero"].why


def test_the_same_with_the_lists_exchanged() -> None:
    texts = corpus({"hero": (0.5, 0.05)})
    found = list(misplaced(case_of(texts, negative=["hero"])))
    assert [finding.edit for finding in found] == ["move 'hero' from negative to positive"]


def test_a_word_that_few_texts_repeat_dominates_them() -> None:
    texts = corpus({})
    texts[0] += " pig" * 60
    texts[2] += " pig" * 40
    (found,) = misplaced(case_of(texts, positive=["pig"]))
    assert (found.words, found.kind) == (("pig",), "dominates")


def test_words_that_the_score_hangs_on_are_to_know() -> None:
    texts = [text + " super" * (8 if number % 2 == 0 else 1) for number, text in enumerate(corpus({}))]
    rest = [f"word{chr(97 + at)}" for at in range(20)]
    (found,) = loud(case_of([*texts, " ".join(rest)], positive=["super", *rest]))
    assert found.words == ("super",)
    assert (found.cost, found.edits) == (0.0, ())


def test_unseen_rare_and_unmatchable_entries_are_named() -> None:
    texts = corpus({"scarce": (0.003, 0.0)})
    case = case_of(texts, positive=["scarce", "absent"], negative=["*", "nev*", "a+"])
    assert [(one.list, one.words) for one in unseen(case)] == [("negative", ("a+", "nev*")), ("positive", ("absent",))]
    assert [(one.list, one.words) for one in rare(case)] == [("positive", ("scarce",))]
    assert [(one.list, one.words[:1]) for one in unmatchable(case)] == [("negative", ("*",))]
    assert list(unseen(case))[1].why == "1 of 7 entries in positive never occur: they do no harm"


def test_an_entry_in_both_lists_is_given_to_the_one_that_it_fits() -> None:
    texts = corpus({"envy": (0.05, 0.6), "thing": (0.5, 0.5)})
    both = ["envy", "thing", "ghost"]
    found = {one.words[0]: one for one in in_both(case_of(texts, positive=both, negative=both))}
    assert found["envy"].edit == "add 'envy' to negative"
    assert found["thing"].edits == ()
    assert found["thing"].why.endswith("it is better left out")
    assert found["ghost"].why.endswith("it does not occur")


@pytest.mark.parametrize(
    ("entry", "met"),
    [
        ("happ*", ["happen", "happy"]),
        ("*y", ["happy", "unhappy"]),
        ("*happ*", ["happen", "happy", "unhappy"]),
        ("f**k", []),
        ("bull****", []),
        ("*", []),
        ("happy", []),
        ("so happ*", []),
    ],
)
def test_what_a_wildcard_catches(entry: str, met: list[str]) -> None:
    assert list(caught(entry, ["bullet", "folk", "happen", "happy", "unhappy"])) == met


def test_a_wildcard_that_catches_strangers_is_replaced_by_those_that_fit() -> None:
    texts = corpus({"happy": (0.6, 0.1), "happens": (0.5, 0.5), "happened": (0.4, 0.4)})
    (found,) = wildcards(case_of(texts, positive=["happ*", "lovel*"]))
    assert found.words == ("happ*", "happens", "happened")
    assert [str(edit) for edit in found.edits] == ["remove 'happ*' from positive", "add 'happy' to positive"]
    assert found.cost > 0
    assert "catches happens (" in found.why
