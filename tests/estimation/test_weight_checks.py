"""Entries that repeat within documents weigh less, unless the lists themselves are about topics."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from problex import Lexicon, count, estimate, load_model
from problex.counting.counts import Counts
from problex.estimation.weight_checks import entry_discounts, less_repetition

TONE = {"good": [f"good{letter}" for letter in "abcdefghijkl"], "bad": [f"bad{letter}" for letter in "abcdefghijkl"]}
SUBJECTS = [f"thing{letter}" for letter in "abcdefghijklmnop"]


def reviews(documents: int = 400, *, repeated: str = "gooda", times: int = 4) -> list[str]:
    """Texts with five words of a tone, each once except for one, and a subject that repeats itself."""
    random = np.random.default_rng(0)
    texts = []
    for _ in range(documents):
        name = "good" if random.random() < 0.5 else "bad"
        words = random.choice(TONE[name], 5, replace=False).tolist()
        words += [repeated] * (times - 1) * (repeated in words) + [random.choice(SUBJECTS)] * int(random.integers(2, 8))
        texts.append(" ".join(random.permutation(words).tolist()))
    return texts


def counts_of(lexicon: Lexicon, texts: list[str]) -> Counts:
    return count(texts, lexicon)


def test_a_word_that_repeats_is_discounted() -> None:
    lexicon = Lexicon(TONE)
    counts = counts_of(lexicon, reviews())
    found = entry_discounts(counts, counts.sample)
    assert found is not None
    factors = dict(zip(counts.entries, found.tolist(), strict=True))
    others = [value for entry, value in factors.items() if entry != "gooda"]
    assert factors["gooda"] < 0.3 < 0.8 < min(others)
    assert max(others) <= np.exp(1.5 * 0.3) + 1e-6


def test_differences_that_are_noise_are_no_reason() -> None:
    """Every word occurs once in a text: nothing repeats, and nothing is discounted."""
    counts = counts_of(Lexicon(TONE), reviews(times=1))
    found = entry_discounts(counts, counts.sample)
    assert found is not None
    assert found == pytest.approx(np.ones(len(found)), abs=0.02)


def test_lists_of_topics_are_not_discounted() -> None:
    """The lists are the subjects, which repeat more than the words of tone."""
    lexicon = Lexicon({"one": SUBJECTS[:8], "two": SUBJECTS[8:]})
    counts = counts_of(lexicon, reviews(times=1))
    assert less_repetition(counts) == 0.0
    assert entry_discounts(counts, counts.sample) is None


def test_the_distance_of_the_lists_by_hand() -> None:
    """Words of the lists never repeat, and there are as many of them as of subjects, of the same frequency."""
    lexicon = Lexicon({"a": ["x", "y"], "b": ["z"]})
    texts = ["x y z", "u u v v w w"] * 40 + ["x y z"] * 40
    counts = counts_of(lexicon, texts)
    # log((80 + 2) / (80 + 2)) = 0 and log((160 + 2) / (80 + 2)): one standard deviation below and above the line.
    assert counts.occurrences.tolist() == [80] * 6
    assert less_repetition(counts) == 1.0
    assert less_repetition(replace(counts, squares=counts.squares[::-1].copy())) == 0.0


def test_few_or_rare_words_have_no_discount() -> None:
    lexicon = Lexicon({"good": ["gooda"], "bad": ["bada"]})
    counts = counts_of(lexicon, reviews())
    assert entry_discounts(counts, counts.sample) is None
    assert less_repetition(counts_of(lexicon, ["gooda bada"])) == 0.0


def test_the_discount_is_in_the_weights_and_in_the_file(tmp_path: Path) -> None:
    lexicon = Lexicon(TONE)
    counts = counts_of(lexicon, reviews())
    model = estimate(counts, lexicon)
    assert model.evidence.discounts is not None
    weights = {row["entry"]: row["weight"] for row in model.records()}
    assert weights["gooda"] < 0.5 * min(weight for entry, weight in weights.items() if entry != "gooda")
    assert np.all(model.predictiveness < 0.9)
    model.save(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json") == model
    assert model.reestimate() == model
    plain = model.reestimate(shrinkage=10.0)
    assert np.all(np.isfinite(plain.standard_errors))


def test_standard_errors_are_discounted_as_the_weights_are() -> None:
    lexicon = Lexicon(TONE)
    model = estimate(counts_of(lexicon, reviews()), lexicon)
    place = model.evidence.entries.index("gooda")
    others = np.delete(model.standard_errors, place)
    assert model.standard_errors[place] < 0.5 * others.min()


def test_three_lists_are_not_discounted() -> None:
    lists = Lexicon({"good": TONE["good"], "bad": TONE["bad"][:6], "worse": TONE["bad"][6:]})
    assert estimate(counts_of(lists, reviews()), lists).evidence.discounts is None
