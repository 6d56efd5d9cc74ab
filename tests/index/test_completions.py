"""Completions of a typed prefix by the words of an indexed corpus."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon
from problex.index import WordIndex
from problex.index.word_index import Completion
from problex.matching import Tokenizer

LEXICON = Lexicon({"down": ["bad", "absent", "rip off"], "up": ["good", "a+"]})
WORDS = ["good", "goods", "goodness", "bad", "not", "a", "ab", "abc", "été", "éta", "zoo"]


@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=1, max_size=8),
    prefix=st.sampled_from(["", "g", "goo", "good", "a", "é", "z", "x"]),
    number=st.integers(0, 6),
)
def test_the_most_frequent_words_with_the_prefix(texts: list[str], prefix: str, number: int) -> None:
    corpus = WordIndex.of(pa.array(texts), LEXICON, Tokenizer(negation="en"))
    counts = Counter(word for text in texts for word in text.split() if word.startswith(prefix))
    documents = Counter(word for text in texts for word in set(text.split()))
    ordered = sorted(counts, key=lambda word: (word != prefix, -counts[word], word))
    expected = [Completion(word, counts[word], documents[word]) for word in ordered[:number]]
    assert corpus.completions(prefix, number) == expected


def test_prefixes_are_read_as_texts_are() -> None:
    corpus = WordIndex.of(pa.array(["El niño está aquí", "a rip-off, an a+"]), LEXICON, Tokenizer("es"))
    assert [found.word for found in corpus.completions(" ESTÁ*")] == ["esta"]
    assert [found.word for found in corpus.completions("rip")] == ["rip off"]
    assert [found.word for found in corpus.completions("A+")] == ["a+"]


def test_entries_that_never_occur_are_not_proposed() -> None:
    corpus = WordIndex.of(pa.array(["good"]), LEXICON)
    assert corpus.completions("abs") == []
