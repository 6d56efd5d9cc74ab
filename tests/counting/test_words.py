"""The number of words of texts, which does not depend on the lexicon that they are counted with."""

from __future__ import annotations

import numpy as np
import pytest

from problex import Lexicon, count
from problex.counting.counts import words_of_texts
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

PIECES = [
    *("rip off", ":)", "not", "good", "U.S.", "don't", "well-made", "http://x.y", ":(", "a", "10/10", "film", "isn't"),
    *(
        "bad",
        ":-)",
        "100 %",
        "rock 'n' roll",
        "r&b",
        ",",
        "(good)",
        "^^",
        "<3",
        "good!!!",
        ":D",
        "été",
        "@who",
        "#good:)",
    ),
]
LEXICONS = {
    "words": {"up": ["good"], "down": ["bad"]},
    "phrases": {"up": ["well-made", "rock 'n' roll", "not good"], "down": ["rip off", "u.s."]},
    "literals": {"up": ["good", ":)", "^^", "<3", "r&b", ":d"], "down": ["bad", ":(", "10/10", "100 %", "(good)"]},
    "wildcards": {"up": ["goo*", "well*"], "down": ["ba*", "rip o*"]},
}


@pytest.mark.parametrize("negation", [None, "en"])
@pytest.mark.parametrize("lists", LEXICONS.values(), ids=LEXICONS)
def test_the_number_of_words_does_not_depend_on_the_lexicon(lists: dict[str, list[str]], negation: str | None) -> None:
    random, tokenizer, lexicon = np.random.default_rng(1), Tokenizer("en", negation=negation), Lexicon(lists)
    texts = [glue.join(random.choice(PIECES, random.integers(20)).tolist()) for _ in range(300) for glue in (" ", "")]
    counts = count(texts, lexicon, tokenizer=tokenizer)
    assert words_of_texts(counts, items_of(lexicon, tokenizer), tokenizer) == sum(len(tokenizer(one)) for one in texts)
