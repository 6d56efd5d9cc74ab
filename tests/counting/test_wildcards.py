"""The compiled counter matches wildcards as the reference does, however many there are."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from problex import Lexicon, count
from problex.counting.tables import tabulate, tabulate_slowly
from problex.index import WordIndex
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

LETTERS = st.text(alphabet="abéж", min_size=1, max_size=4)
PATTERNS = st.lists(
    st.builds(str.format, st.sampled_from(["{}*", "*{}", "*{}*"]), LETTERS), min_size=1, max_size=12, unique=True
)
GLOBS = st.lists(
    st.text(alphabet="abéж*?", min_size=1, max_size=6)
    .filter(lambda text: text.strip("*?"))
    .map(lambda text: re.sub(r"\*+", "*", text)),  # `a**` is `a*`: in the other list it would be left out of both
    min_size=1,
    max_size=12,
    unique=True,
)
"""Some have no wildcard, some one at an edge only."""
TEXTS = st.lists(st.lists(LETTERS, max_size=6).map(" ".join), max_size=6)


@given(PATTERNS, PATTERNS, TEXTS)
@example(["*éé*"], ["*aaa*"], ["aaaéé"])  # two letters of two bytes are more than three of one
@example(["*b*", "a*"], ["*a*", "*b"], ["ab ba bab"])  # the same number of letters: the order of the patterns decides
def test_every_word_is_in_the_list_that_the_reference_says(up: list[str], down: list[str], texts: list[str]) -> None:
    assume(not set(up) & set(down))
    lexicon, tokenizer = Lexicon({"up": up, "down": down}), Tokenizer("any")
    counts, items = count(texts, lexicon, tokenizer=tokenizer), items_of(lexicon, tokenizer)
    words = {word for text in texts for word in tokenizer(text)}
    found = dict(zip(counts.entries, counts.list_index.tolist(), strict=True))
    assert found == {word: list_ for word in words if (list_ := items.find(word)) is not None}


@given(GLOBS, GLOBS, TEXTS)
@example(["a?"], ["a*b", "*é?"], ["aé aéb ab ббé aж"])  # a letter of two bytes is one
@example(["a**b"], ["?*b", "a?*?b"], ["ab aab aaab b"])
@example(["*ab"], ["*aab*b"], ["aabaabab aab"])  # what follows a star may match only further on
def test_glob_patterns_match_as_the_reference_says(up: list[str], down: list[str], texts: list[str]) -> None:
    assume(not set(up) & set(down))
    lexicon, tokenizer = Lexicon({"up": up, "down": down}), Tokenizer("any", glob=True)
    items = items_of(lexicon, tokenizer)
    counts = count(texts, lexicon, tokenizer=tokenizer)
    words = {word for text in texts for word in tokenizer(text)}
    found = {name: at for name, at in zip(counts.entries, counts.list_index.tolist(), strict=True) if name in words}
    assert found == {word: list_ for word in words if (list_ := items.find(word)) is not None}
    columns = {name: at for at, name in enumerate([*items.names, *(one.pattern for one in items.wildcards)])}
    fast, slow = (make(texts, items, tokenizer, columns) for make in (tabulate, tabulate_slowly))
    assert np.array_equal(fast.matrix.toarray(), slow.matrix.toarray())


@given(GLOBS, TEXTS)
def test_phrases_of_glob_patterns_are_those_of_the_reference(patterns: list[str], texts: list[str]) -> None:
    lexicon = Lexicon({"up": [f"{one} {two}" for one in patterns[:4] for two in patterns], "down": ["b"]})
    tokenizer = Tokenizer("any", glob=True)
    items = items_of(lexicon, tokenizer)
    columns = {name: at for at, name in enumerate(items.names)}
    fast, slow = (make(texts, items, tokenizer, columns) for make in (tabulate, tabulate_slowly))
    assert np.array_equal(fast.matrix.toarray(), slow.matrix.toarray())


@settings(max_examples=20)
@given(GLOBS, GLOBS, TEXTS)
@example(["?a"], ["?b"], ["a"])  # no entry at all
def test_an_index_counts_glob_patterns_alike(up: list[str], down: list[str], texts: list[str]) -> None:
    assume(not set(up) & set(down) and any(text.strip() for text in texts))
    lexicon, tokenizer = Lexicon({"up": up, "down": down}), Tokenizer("any", glob=True)
    index = WordIndex.of(pa.array(texts), Lexicon({"up": ["a"], "down": ["b"]}), tokenizer)
    assert index.counts(lexicon) == count(texts, lexicon, tokenizer=tokenizer)


@given(PATTERNS, TEXTS)
def test_phrases_of_wildcards_are_those_of_the_reference(patterns: list[str], texts: list[str]) -> None:
    lexicon = Lexicon({"up": [f"{one} {two}" for one in patterns for two in patterns], "down": ["b"]})
    items, tokenizer = items_of(lexicon, Tokenizer("any")), Tokenizer("any")
    columns = {name: at for at, name in enumerate(items.names)}
    fast, slow = (make(texts, items, tokenizer, columns) for make in (tabulate, tabulate_slowly))
    assert np.array_equal(fast.matrix.toarray(), slow.matrix.toarray())
    assert fast.lengths.tolist() == slow.lengths.tolist()
