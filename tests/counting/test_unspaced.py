"""Letters of Chinese, Japanese and Thai beside all kinds of others: tokens are those of the plain tokenizer."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from problex import Lexicon
from problex.counting._counter import FASTEST
from problex.counting.counters import sum_counter
from problex.matching.items import items_of
from problex.matching.segmentation import WORD_BREAK
from problex.matching.tokens import Tokenizer

LEXICON = Lexicon({"up": ["good"], "down": ["bad"]})  # without such letters: texts are not segmented
CHINESE = "一中文\u9fbf\u9fc0\u9fff\u4dff\u3400\uf900\U00020000"
JAPANESE = "\u3040ぁかがみゖ\u3097\u3099\u309a゛ゝゟ゠ァカダヺ・ーヽㇰｶ"
THAI = "\u0e00กขะ\u0e31า\u0e33\u0e34\u0e37\u0e38\u0e39\u0e3a\u0e3b฿เๆ\u0e47\u0e48\u0e4b\u0e4c\u0e4e๏๐ກ\u0eb8\u0ec8"
STOPS = f"{WORD_BREAK}\ufdd1\u2fff\u3000、。〃々〇\uff00！＇，０＠ＡＢａ"
OTHERS = " a'Zé’ß.가ñΣя😀-"


def counted(raw: bytes, tokenizer: Tokenizer, fast: int) -> dict[str, int]:
    """How often each token occurs in a text that need not be UTF-8."""
    offsets = pa.py_buffer(np.array([0, len(raw)], np.int32))
    counter = sum_counter(items_of(LEXICON, tokenizer), tokenizer, fast=fast)
    counter.add(pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(raw)]))
    words, _, occurrences, _ = counter.sums()
    return dict(zip(words.to_pylist(), occurrences.tolist(), strict=True))


@pytest.mark.parametrize("fast", range(FASTEST + 1))
@pytest.mark.parametrize(("language", "folds"), [("any", False), ("fr", False), ("es", True), ("de", False)])
def test_any_characters_beside_each_other(fast: int, language: str, folds: bool) -> None:
    tokenizer = Tokenizer(language, folds, negation=None)
    random = np.random.default_rng(3)
    for alphabet in (CHINESE + JAPANESE + THAI + STOPS + OTHERS, THAI + WORD_BREAK + " a'", CHINESE + STOPS + "a'"):
        for size in (1, 3, 20, 60, 200, 3000):
            for _ in range(40):
                text = "".join(random.choice(list(alphabet), size))
                assert counted(text.encode(), tokenizer, fast) == Counter(tokenizer(text)), text


@pytest.mark.parametrize("fast", range(FASTEST + 1))
def test_what_decides_may_be_in_the_next_block(fast: int) -> None:
    """An apostrophe before a letter, before what separates words, and before a mark; two marks with an order."""
    tokenizer = Tokenizer("any", negation=None)
    for part in ("中'中", f"a'{WORD_BREAK}", "a'，", "a'\u0e38", "ก\u0e48\u0e38", "ก\u0e38\u0e48", "か\u3099", "中"):
        for before in range(130):
            for follows in ("", " b", "ข", "中"):
                text = "x" * before + " " + part + follows
                assert counted(text.encode(), tokenizer, fast) == Counter(tokenizer(text)), text


@pytest.mark.parametrize("fast", range(FASTEST + 1))
def test_parts_of_a_letter_are_no_letter(fast: int) -> None:
    tokenizer = Tokenizer("any", negation=None)
    whole = "中".encode()
    parts = (whole[:1], whole[:2], whole[1:], whole[:1] * 2 + whole, whole + whole[1:], b"\xe0\xb8", b"\xef\xb7")
    for before in range(66):
        for wrong in parts:
            for follows in (b"b \xe4\xb8\xad", b"", whole):
                raw = b"x" * before + b" a" + wrong + follows
                expected = Counter(tokenizer(raw.decode(errors="replace")))
                assert counted(raw, tokenizer, fast) == expected, raw
