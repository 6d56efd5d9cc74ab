"""A synthetic corpus and lexicon for the tests of the doctor."""

from __future__ import annotations

import warnings

import numpy as np

from problex import Lexicon, count
from problex.doctor.associations import measure_associations
from problex.doctor.findings import Case
from problex.matching.tokens import Tokenizer

PLAIN = ["the", "a", "day", "film"]
GOOD, BAD = ["good", "fine", "great", "nice", "lovely"], ["bad", "poor", "awful", "nasty", "ugly"]


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
    return Case(lexicon, Tokenizer(), counts, measure_associations(counts))
