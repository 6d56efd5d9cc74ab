"""Copies of texts: the key of a text, specified here in Python, and how many texts have the key of another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Counts, Lexicon, count, estimate, score
from problex.counting import copies
from problex.counting._counter import document_keys
from problex.counting.copies import different_texts, smallest_keys
from problex.index import WordIndex
from problex.matching.items import Items, items_of
from problex.matching.reference import prepare_texts, split_text
from problex.matching.tokens import CLAUSE_BREAK, Tokenizer
from problex.scoring import Scores, score_indexed
from tests.counting.test_hash import MASK, MULTIPLIER, mix

LEXICON = Lexicon({"down": ["bad", "not good", "poo*"], "up": ["good", "film*", ":)"]})
PLAIN = ["what", "a", "good", "bad", "film", "été", "incomprehensibilities", "not", "é"]


def hash_of_word(word: str) -> int:
    """The first sixteen bytes mixed; of a longer word all others, too, then its length and its last eight bytes."""
    text, size = word.encode(), len(word.encode())
    numbers = [int.from_bytes(text[at : at + 8], "little") for at in range(0, max(size, 16), 8)]
    found = mix(numbers[0], numbers[1])
    if size < 16:
        return found
    for at in range(16, size - 8, 8):
        found = mix(found, numbers[at // 8])
    return mix((found + size) & MASK, int.from_bytes(text[-8:], "little"))


def word_keys(texts: Sequence[str], items: Items, tokenizer: Tokenizer) -> np.ndarray:
    """A polynomial of the hashes of the words, without "rt" and literals; of fewer than three, the hash of the text."""
    keys = document_keys(prepare_texts(pa.array(texts, pa.string()), items, tokenizer))
    for at, text in enumerate(texts):
        tokens, literals = split_text(text, items, tokenizer)
        words = [one for place, one in enumerate(tokens) if place not in literals and one not in (CLAUSE_BREAK, "rt")]
        key = 0
        for word in words:
            key = key * MULTIPLIER + hash_of_word(word) & MASK
        if len(words) >= 3:
            keys[at] = mix(key, len(words))
    return keys


@given(st.lists(st.lists(st.sampled_from([*PLAIN, ":)", ",", "RT", "“", "7"]), max_size=9).map(" ".join), max_size=6))
def test_keys_are_those_of_the_specification(texts: list[str]) -> None:
    tokenizer = Tokenizer()
    expected = word_keys(texts, items_of(LEXICON, tokenizer), tokenizer)
    counts = count([*texts, "never"], LEXICON)
    kept = expected[lengths_of(texts) > 0]  # empty texts are not compared
    assert counts.keys.tolist() == sorted({*kept.tolist(), *document_keys(pa.array(["never"])).tolist()})
    assert scores_of(texts).tolist() == expected.tolist()


def scored(texts: list[str]) -> Scores:
    model = estimate(count(["good film", "bad day"] * 20, LEXICON), LEXICON, calibration="none")
    return score(texts or ["x"], model)


def lengths_of(texts: list[str]) -> np.ndarray:
    return scored(texts).lengths[: len(texts)]


def scores_of(texts: list[str]) -> np.ndarray:
    found = scored(texts).keys
    assert found is not None
    return found[: len(texts)]


COPIES = {
    "case": "what a GOOD film",
    "signs and digits": "“What” a (good) film... 10/10 :)",
    "what passes it on": "RT what a good film",
    "accented in two ways": "what a good film été",
}
OTHERS = ["a what good film", "what a good film film", "what good film", "what a goodfilm", "whata good film"]


@pytest.mark.parametrize("copy", COPIES.values(), ids=COPIES)
def test_texts_with_the_same_words_in_the_same_order_are_copies(copy: str) -> None:
    text = "What a good film!" + (" e\u0301te\u0301" if "été" in copy else "")
    counts = count([text, copy, "what a bad film"], LEXICON)
    assert (counts.copies, counts.copies_are_exact) == (1, True)
    keys = scores_of([text, copy, "what a bad film"])
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("other", OTHERS)
def test_other_words_or_another_order_are_no_copy(other: str) -> None:
    assert count(["What a good film!", other], LEXICON).copies == 0


def test_a_text_of_fewer_than_three_words_is_a_copy_of_the_same_bytes_only() -> None:
    assert count(["good film", "Good film!", "RT good film", "", "!!", "😀"], LEXICON).copies == 0
    assert count(["good film", "good film", "", "", ""], LEXICON).copies == 1  # empty texts are not compared


def test_with_a_custom_tokenizer_copies_have_the_same_bytes() -> None:
    tokenizer = Tokenizer(custom=str.split)
    texts = ["what a good film", "what a good film", "What a good film"]
    assert count(texts, LEXICON, tokenizer=tokenizer).copies == 1


def test_the_key_depends_neither_on_where_a_text_is_cut_nor_on_the_lexicon() -> None:
    """Blocks have 64 tokens and windows 2,048 bytes; negation and phrases take other ways through the counter."""
    long = " ".join(["what", "not", "good", "été", "poor", "Films,", "incomprehensibilities"] * 200)
    plain = Lexicon({"one": ["x"], "two": ["y"]})
    found = [count([long, long.upper() + "!"], lexicon).keys.tolist() for lexicon in (LEXICON, plain)]
    assert found[0] == found[1] == sorted({*scores_of([long]).tolist()})


def texts_with_copies(number: int, times: int = 1) -> list[str]:
    words = np.array(["good", "bad", "film", "day", "plot", "actor", "story", "music"])
    digits = [np.array(list(np.base_repr(at, 8).zfill(6)), int) for at in range(number)]
    return [" ".join(words[own]) for own in digits] * times


def test_the_number_is_that_of_all_texts_however_they_are_divided(tmp_path: Path) -> None:
    texts = texts_with_copies(500, 3)
    whole = count(texts, LEXICON, threads=3)
    parts = count(texts[:700], LEXICON) + count(texts[700:], LEXICON)
    assert whole == parts == Counts.none(LEXICON) + parts
    assert whole.copies == 1000
    assert Counts.from_bytes(whole.to_bytes()).copies == 1000
    whole.save(tmp_path / "counts.parquet")
    assert Counts.load(tmp_path / "counts.parquet").copies == 1000


def test_of_more_texts_than_keys_the_number_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 200 keys the standard error is about 7 %; more than four times as many are cut while counting."""
    monkeypatch.setattr(copies, "MAX_KEYS", 200)
    texts = texts_with_copies(4000, 2)
    parts = [count(texts[at::8], LEXICON, threads=1) for at in range(8)]
    whole = count(texts, LEXICON, threads=2)
    assert sum(parts, Counts.none(LEXICON)) == sum(reversed(parts), Counts.none(LEXICON)) == whole
    assert len(whole.keys) == 200
    assert not whole.copies_are_exact
    assert whole.copies == pytest.approx(4000, abs=4 * 0.07 * 4000)
    every = np.unique(scores_of(texts))
    assert whole.keys.tolist() == every[:200].tolist()


def test_the_estimate_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three keys the largest is a quarter of all numbers: two keys lie in a quarter, so there are eight."""
    monkeypatch.setattr(copies, "MAX_KEYS", 3)
    keys = smallest_keys(np.array([5, 1 << 62, 1 << 63, 7, 5], np.uint64))
    assert keys.tolist() == [5, 7, 1 << 62]
    assert different_texts(keys, 9) == 8
    assert different_texts(keys, 5) == 5  # no more than there are
    assert different_texts(keys[:2], 9) == 2


def test_an_index_has_the_same_keys() -> None:
    texts = pa.array([*texts_with_copies(50, 2), "good :)", "what a good :) film"])
    other = Lexicon({"down": ["bad", "not good", "day"], "up": ["good", ":)"]})
    corpus = WordIndex.of(texts, LEXICON)
    assert corpus.counts(other) == count(texts, other)
    model = estimate(corpus.counts(other), other)
    assert score_indexed(corpus, model).keys.tolist() == score(texts, model).keys.tolist()  # type: ignore[union-attr]


def test_some_scores_have_the_keys_of_their_texts() -> None:
    model = estimate(count(["good film", "bad day"] * 20, LEXICON), LEXICON, calibration="none")
    scores = score(["what a good film", "what a bad film", "What a good film"], model)
    assert scores.keys is not None
    some = scores.take(np.array([2, 0]))
    assert some.keys is not None
    assert some.keys.tolist() == scores.keys[[0, 0]].tolist()


def test_an_estimate_is_said_as_one_and_only_where_it_tells_copies_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MAX_KEYS", 1000)
    random = np.random.default_rng(0)
    different = random.integers(1, 2**63, 20_000, dtype=np.uint64) * np.uint64(2)
    counter = copies.CopyCounter()
    for part in np.array_split(np.concatenate([different, different[:10_000]]), 7):
        counter.add(part)
    assert counter.describe() in [f"about {share}% of 30,000 texts are copies of others" for share in range(28, 39)]
    once = copies.CopyCounter()
    once.add(different)
    monkeypatch.setattr(copies, "LEAST_SHARE", 0.12)  # four standard errors of 1,000 keys
    assert once.describe() == ""
    assert copies.CopyCounter().describe() == ""
