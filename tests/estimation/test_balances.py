"""Three lists or more: what the balance of the lists decides is said, and only then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from problex import Lexicon, Model, count, estimate, load_model, score
from problex.counting.counts import draw_sample
from problex.errors import ModelError
from problex.estimation.fitting import MIN_SHIFT, MIN_TEXTS, _frequent_words
from problex.model.evidence import BalanceShift

NAMES = tuple(f"list{a}" for a in "abcde")
WORDS = {name: [f"{name[-1]}{letter}" for letter in "abcdefgh"] for name in NAMES}
LEXICON = Lexicon(WORDS)
PULLED = Lexicon(WORDS | {"lista": [*WORDS["lista"], "said"]})
"""One list has a word that is frequent in the texts of all labels."""


def corpus(seed: int, *, texts: int = 600, frequent: float = 0.0) -> list[str]:
    """Texts of five labels, equally frequent: two words of the own list, one of any; and, in a share of all texts, a
    frequent word of the first list."""
    random = np.random.default_rng(seed)
    rows = []
    for label in random.integers(0, 5, texts):
        own = random.choice(WORDS[NAMES[label]], 2)
        other = random.choice(WORDS[NAMES[random.integers(0, 5)]])
        fill = random.choice([f"x{letter}" for letter in "abcdefghijklmnopqrst"], 9)
        rows.append(" ".join([*own, other, *fill, *["said"] * (random.random() < frequent)]))
    return rows


def pulled() -> list[str]:
    """Texts of which most have the frequent word of `PULLED`."""
    return corpus(1, frequent=0.8)


def fitted(texts: list[str], lexicon: Lexicon = LEXICON, **settings: Any) -> Model:
    return estimate(count(texts, lexicon), lexicon, **settings)


@pytest.mark.parametrize("balance", ["coverage", "equal"])
def test_a_frequent_word_of_one_list_is_named_with_both_shares(balance: str) -> None:
    """The shares are those of the labels that both models give, which are computed here from the texts."""
    lexicon, texts = PULLED, pulled()
    model = fitted(texts, lexicon, balance=balance)
    shift = model.balance_shift
    assert shift is not None
    other = "equal" if balance == "coverage" else "coverage"
    assert (shift.label, shift.words, shift.balance, shift.other_balance) == ("lista", ("said",), balance, other)
    for found, share in ((model, shift.share), (model.reestimate(balance=other), shift.other_share)):
        assert share == pytest.approx(np.mean(score(texts, found).labels() == "lista"))
    assert abs(shift.share - shift.other_share) > MIN_SHIFT


def test_even_lists_have_no_note() -> None:
    assert not any(fitted(corpus(seed)).balance_shift for seed in range(20))


def test_few_texts_two_lists_and_a_given_balance_have_no_note() -> None:
    lexicon, texts = PULLED, pulled()
    assert fitted(texts[: MIN_TEXTS - 1], lexicon).balance_shift is None
    assert fitted(texts[:MIN_TEXTS], lexicon).balance_shift is not None
    assert fitted(texts, lexicon, balance=dict.fromkeys(NAMES, 0.2)).balance_shift is None
    two = Lexicon({"lista": [*WORDS["lista"], "said"], "listb": WORDS["listb"]})
    assert fitted(texts, two).balance_shift is None


def test_the_note_is_in_the_file_of_the_model(tmp_path: Path) -> None:
    model = fitted(pulled(), PULLED)
    model.save(tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").balance_shift == model.balance_shift is not None
    entries, record = model.evidence.entries, json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    for wrong in ([9, 0.5, 0.2, 1], [0, 0.5, 0.2, len(entries)], [0, 0.5, 0.2, -1], [0], 3, None, [0, 0.5, 0.2, 1.5]):
        record["digest"], record["solution"]["balance_shift"] = None, wrong
        (tmp_path / "wrong.json").write_text(json.dumps(record), encoding="utf-8")
        with pytest.warns(match="no digest"), pytest.raises(ModelError, match="balance_shift' is not a list"):
            load_model(tmp_path / "wrong.json")


def test_words_are_named_until_they_are_in_half_of_the_texts() -> None:
    """Ten texts: the first word is in three, the second in two others, the third in three of these five."""
    rows = np.zeros((10, 4), np.int64)
    rows[:3, 0] = rows[3:5, 1] = rows[:3, 2] = rows[:, 3] = 1
    sample = draw_sample(np.arange(10, dtype=np.uint64), np.full(10, 5), sparse.csr_array(rows), 10)
    own = np.array([True, True, True, False])
    assert _frequent_words(sample, np.ones(10, dtype=bool), own) == [0, 1]
    assert _frequent_words(sample, np.arange(10) < 4, own) == [0]
    assert _frequent_words(sample, np.arange(10) > 4, own) == []  # none of these has a word of the list


def test_the_sentence() -> None:
    shift = BalanceShift("sport", ("said",), "coverage", 0.52, "equal", 0.213)
    assert shift.describe() == (
        "By the model, without labels, 52.0% of the texts are sport, but 21.3% with the balance 'equal' of the lists "
        "in place of 'coverage': 'said' decides. Which is right cannot be known without labels: compare with problex "
        "fit --balance equal, or label 40 texts (problex audit sample)"
    )
