"""Estimates do not depend on the order in which texts are counted, nor on the number of threads, to the last bit."""

from __future__ import annotations

import itertools
import random

import pytest

from problex import Lexicon, estimate
from problex.corpus import batches
from problex.counting import Counts
from problex.counting.streams import count_batches

LEXICON = Lexicon({"down": ["ba*", "be*", "*zo"], "up": ["da*", "de*", "*zu", "fine day"]})


def made_texts(number: int = 400) -> list[str]:
    draw = random.Random(0)
    words = ["".join(letters) for letters in itertools.product("bdgz", "aeou", "bdgz", "aeou")]
    sides = [[word for word in words if word[0] == first] for first in "bd"]
    return [
        " ".join(draw.choice(draw.choice(sides) if draw.random() < 0.3 else sides[at % 2]) for _ in range(12))
        for at in range(number)
    ]


def bits(counts: Counts) -> tuple[bytes, ...]:
    model = estimate(counts, LEXICON)
    pairs = counts.pairs
    return (
        *(array.tobytes() for array in (pairs.indptr, pairs.indices, pairs.data)),
        model.predictiveness.tobytes(),
        model.shares.tobytes(),
    )


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_words_of_wildcards_in_another_order_give_the_same_bits(threads: int) -> None:
    texts = made_texts()
    first, second = (
        count_batches(batches(given, batch_bytes=2000), LEXICON, number)
        for given, number in ((texts, 1), (texts[::-1], threads))
    )
    assert len(first.entries) > 50
    assert bits(first) == bits(second)
