"""The words of a remembered corpus that start with given letters, for a person who types one."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from problex.counting.remembered import Remembered
from problex.matching.items import item_of

LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True)
class Completion:
    """A word of a corpus, how often it occurs, negated or not, and in how many documents."""

    word: str
    count: int
    documents: int


def completions(remembered: Remembered, prefix: str, number: int = 20) -> list[Completion]:
    """The words of a remembered corpus that start with a prefix: the word itself, then the most frequent ones.

    Upper case and accents are treated as in the texts.

    >>> import pyarrow as pa
    >>> from problex import Lexicon
    >>> from problex.counting import remember
    >>> texts = pa.array(["fine film", "film after film", "not fine, finest"])
    >>> corpus = remember(texts, Lexicon({"up": ["good"], "down": ["bad"]}))
    >>> [(found.word, found.count, found.documents) for found in completions(corpus, "Fi", 2)]
    [('film', 3, 2), ('fine', 2, 2)]
    """
    written = prefix.strip(" *")
    item, literal = item_of(written, remembered.tokenizer, remembered.items.segmented) if written else ("", False)
    start = written.lower() if literal else item
    words, size = remembered.sorted_words, len(remembered.words)
    first, end = bisect_left(words, start), bisect_left(words, start + LAST_CHARACTER)
    places = remembered.sorted_places[first:end]
    counts = remembered.occurrences[places] + remembered.occurrences[size + places]
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    if first < end and words[first] == start:
        order = np.concatenate([order[order == 0], order[order != 0]])
    return [
        Completion(words[first + at], int(counts[at]), len(remembered.documents_with(words[first + at])))
        for at in order[: max(number, 0)].tolist()
    ]
