"""Characters beyond ASCII: the compiled counter gives the tokens of the plain tokenizer, for all that exist."""

from __future__ import annotations

import sys
import unicodedata
from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon
from problex.counting._counter import FASTEST
from problex.counting.counters import id_counter, row_counter, sum_counter
from problex.matching.characters import normalization
from problex.matching.items import items_of
from problex.matching.reference import find_matches
from problex.matching.tokens import Tokenizer

LEXICON = Lexicon({"up": ["good"], "down": ["bad"]})
ASSIGNED = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) not in ("Cn", "Co", "Cs")]
SINGULAR = [c for c in ASSIGNED if unicodedata.category(c)[0] == "M" or c.lower() != c or c.upper() != c]
SINGULAR += [chr(point) for point in normalization().points] + [chr(point) for point in range(0x1100, 0x1200)]
SINGULAR += list("'’ʼ＇.,;\u037e“—½²_7日本한각😀👍\ufe0f\u200dªºß\u00b7")


def tokens_of(texts: list[str], tokenizer: Tokenizer) -> list[list[str]]:
    """The tokens of each text, as the compiled counter finds them."""
    counter = id_counter(items_of(LEXICON, tokenizer), tokenizer)
    counter.add(pa.array(texts, pa.string()))
    ends, ids = counter.ids()
    words = counter.words().to_pylist()
    return [[words[at] for at in ids[start:end]] for start, end in pairwise(ends)]


def assert_same_tokens(texts: list[str], tokenizer: Tokenizer) -> None:
    """Many short texts as a few longer ones, which the reference splits faster."""
    joined = [" ".join(texts[at : at + 100]) for at in range(0, len(texts), 100)]
    wrong = [
        (text, one) for text, one in zip(joined, tokens_of(joined, tokenizer), strict=True) if one != tokenizer(text)
    ]
    assert wrong == []


def plain(language: str, folds: bool) -> Tokenizer:
    return Tokenizer(language, folds, negation=None)


@pytest.mark.parametrize("folds", [False, True])
def test_every_character_that_exists(folds: bool) -> None:
    tokenizer = plain("en", folds)
    assert_same_tokens([f"{c} a{c}b" for c in ASSIGNED], tokenizer)


@pytest.mark.parametrize(("language", "folds"), [("en", False), ("fr", False), ("es", True), ("en", True)])
def test_characters_that_depend_on_others(language: str, folds: bool) -> None:
    """Each behind a letter, another of its kind, a Hangul syllable, an apostrophe, and beside a capital sigma."""
    tokenizer = plain(language, folds)
    shapes = ["é{0}{1}x", "가{0} ᄀ{0}{1}", "a’{0}b'{1}", "Σ{0} Α{0}Σ ΑΣ{0}Α 1{0}Σ", "{1}{0}é क{0}़", "İ{0} I{0}"]
    texts = [shape.format(c, d) for c, d in zip(SINGULAR, SINGULAR[7:] + SINGULAR[:7], strict=True) for shape in shapes]
    assert_same_tokens(texts, tokenizer)


@given(
    st.lists(st.text(st.sampled_from([*SINGULAR, *"aA eE.", " ", " "]), max_size=12), max_size=6),
    st.sampled_from(["en", "es", "fr"]),
    st.booleans(),
)
def test_any_sequence_twice(texts: list[str], language: str, folds: bool) -> None:
    """The second time the counter knows which chunks are words as they are."""
    tokenizer = plain(language, folds)
    again = [*texts, *(text.upper() for text in texts), *texts]
    assert tokens_of(again, tokenizer) == [tokenizer(text) for text in again]


def test_a_million_marks_out_of_order_are_sorted_in_linear_time() -> None:
    """By exchange it would take hours; NFC of the same text in Python, too, hence few of them are compared."""
    marks = "\u0301\u0327" * 50
    assert tokens_of([f"x{marks}", "ö" + "\u0301\u0327" * 500_000], plain("en", False))[0] == Tokenizer()(f"x{marks}")


@pytest.mark.parametrize("fast", range(FASTEST + 1))
def test_words_known_as_written_are_those_that_are_one_token(fast: int) -> None:
    """`да` is known when it comes again, `Да` and `да…нет` are not the same; all at every place of a block of 64."""
    tokenizer = Tokenizer("any")
    lexicon = Lexicon({"up": ["да", "не да", "очень хорошо сделано"], "down": ["нет", "исключительнейший"]})
    parts = [
        "да",
        "Да",
        "да…нет",
        "не",
        "a",
        "“да”",
        "исключительнейший",
        "Исключительнейший",
        "да’нет",
        "очень хорошо",
    ]
    for before in range(0, 130, 3):
        text = " ".join(["x"] * before + parts * 3)
        counter = sum_counter(items_of(lexicon, tokenizer), tokenizer, fast=fast)
        counter.add(pa.array([text, text], pa.string()))
        words, _, occurrences, _ = counter.sums()
        expected = Counter(match.name for match in find_matches(text, items_of(lexicon, tokenizer), tokenizer))
        assert dict(zip(words.to_pylist(), occurrences.tolist(), strict=True)) == {
            w: 2 * n for w, n in expected.items()
        }


def test_a_closed_counter_knows_a_bounded_number_of_words_without_a_column() -> None:
    tokenizer = Tokenizer("any")
    items = items_of(Lexicon({"up": ["да"], "down": ["нет"]}), tokenizer)
    letters = [chr(point) for point in range(0x430, 0x450)]
    texts = [
        "".join((one, two, three, four)) for one in letters for two in letters for three in letters for four in "абвг"
    ]
    counter = row_counter(items, tokenizer, {"да": 0, "нет": 1})
    counter.add(pa.array([" ".join(texts), "да " + " ".join(texts[:100]) + " да нет"], pa.string()))
    assert counter.size <= (1 << 16) + 2
    _, columns, counts, lengths, _ = counter.rows()
    assert dict(zip(columns.tolist(), counts.tolist(), strict=True)) == {0: 2, 1: 1}
    assert lengths.tolist() == [len(texts), 103]


LATIN = [
    "été",
    "niño",
    "NIÑO",
    "Ñandú",
    "l'été",
    "l’été",
    "a÷b",
    "a×b",
    "straße",
    "ÿ",
    "à",
    "e\u0301té",
    "naïve…ça",
    "ªºµ",
]


@pytest.mark.parametrize("fast", range(FASTEST + 1))
@pytest.mark.parametrize(("language", "folds"), [("any", False), ("fr", False), ("es", True)])
def test_latin_letters_at_every_place_of_a_block(fast: int, language: str, folds: bool) -> None:
    """Small ones are not looked at one by one; others, signs and marks between them are, wherever 64 bytes end."""
    tokenizer = plain(language, folds)
    lexicon = Lexicon({"up": ["été", "niño", "electroencefalografía"], "down": ["ça", "à"]})
    parts = [*LATIN, "electroencefalografía", "ELECTROENCEFALOGRAFÍA"]
    for before in range(66):
        text = "x" * before + " " + " ".join(parts)
        counter = sum_counter(items_of(lexicon, tokenizer), tokenizer, fast=fast)
        counter.add(pa.array([text, text], pa.string()))
        words, _, occurrences, _ = counter.sums()
        expected = Counter(tokenizer(text))
        assert dict(zip(words.to_pylist(), occurrences.tolist(), strict=True)) == {
            w: 2 * n for w, n in expected.items()
        }


@pytest.mark.parametrize("fast", range(FASTEST + 1))
def test_half_a_latin_letter_is_no_letter(fast: int) -> None:
    """A lead without its second byte, and a second byte without its lead, at every place of a block."""
    tokenizer = plain("any", False)
    for before in range(66):
        far = b"\xc3" + b"z" * 63 + b" \xa9"  # a block without bytes above 127 is between them
        for wrong in (b"\xc3", b"\xa9", b"\xc3\xc3\xa9", b"\xa9\xc3", far, b"\xc3\xa9\xa9"):
            raw = b"x" * before + b" a" + wrong + b"b \xc3\xa9"
            offsets = pa.py_buffer(np.array([0, len(raw)], np.int32))
            counter = sum_counter(items_of(LEXICON, tokenizer), tokenizer, fast=fast)
            counter.add(pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(raw)]))
            words, _, occurrences, _ = counter.sums()
            expected = Counter(tokenizer(raw.decode(errors="replace")))
            assert dict(zip(words.to_pylist(), occurrences.tolist(), strict=True)) == expected
