"""An index that was updated for other phrases and literals is the one that all texts give."""

from __future__ import annotations

from unittest.mock import patch

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, count
from problex.errors import ProblexError
from problex.index import WordIndex, word_index
from problex.index.word_index import words_of
from problex.matching import Tokenizer

WORDS = ["good", "bad", "not", "but", ",", "rip", "off", "deal", "ripped", "a+", "film", "A+", ":-)", "made", "well"]
ENTRIES = [
    "rip off",
    "off deal",
    "rip off deal",
    "rip* off",
    "* off",
    "well made",
    "a+",
    ":-)",
    "good film",
    "film",
    "r*",
]
CORPUS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=12)
LISTS = st.lists(st.sampled_from(ENTRIES), max_size=4, unique=True)


def lexicon_of(entries: list[str]) -> Lexicon:
    return Lexicon({"down": ["bad", *entries[::2]], "up": ["good", *entries[1::2]]})


def columns(corpus: WordIndex) -> dict[str, list[int]]:
    """The counts of every word that occurs, negated or not, by its name."""
    names = [*corpus.words.to_pylist(), *corpus.negated_words.to_pylist()]
    dense = corpus.matrix.toarray().T.tolist()
    return {name: counts for name, counts in zip(names, dense, strict=False) if any(counts)}


@settings(max_examples=30)
@given(texts=CORPUS, before=LISTS, after=LISTS, negation=st.sampled_from(["en", "none"]))
def test_equal_to_the_index_of_all_texts(texts: list[str], before: list[str], after: list[str], negation: str) -> None:
    tokenizer, column = Tokenizer("en", negation=negation), pa.array(texts)
    old, new = lexicon_of(before), lexicon_of(after)
    with patch.object(word_index, "MAX_CHANGED", 1.0):
        found = WordIndex.of(column, old, tokenizer).updated(column, new)
        again = found.updated(column, old)
    expected = WordIndex.of(column, new, tokenizer)
    assert columns(found) == columns(expected)
    assert found.lengths.tolist() == expected.lengths.tolist()
    assert found.completions("") == expected.completions("")
    assert found.counts(new, associations=True) == count(texts, new, tokenizer=tokenizer, associations=True)
    assert columns(again) == columns(WordIndex.of(column, old, tokenizer)), "and back"


def test_only_documents_with_the_words_are_counted_again() -> None:
    texts = pa.array(["good film"] * 20 + ["rip it off", "a rip-off", "off"])
    corpus = WordIndex.of(texts, lexicon_of([]))
    with patch.object(word_index, "words_of", wraps=words_of) as spy:
        corpus.updated(texts, lexicon_of(["rip off"]))
    assert spy.call_args.args[0][0].to_pylist() == ["rip it off", "a rip-off"]


def test_words_hidden_in_an_old_phrase_are_found() -> None:
    texts = pa.array(["a rip off deal", "film", "good", "bad"])
    longer = lexicon_of(["rip off", "rip off deal"])
    amended = WordIndex.of(texts, lexicon_of(["rip off"])).updated(texts, longer)
    assert columns(amended)["rip off deal"] == [1, 0, 0, 0]
    assert amended.counts(longer) == count(texts, longer)


def test_what_was_computed_is_kept_if_no_document_changes() -> None:
    texts = pa.array(["good film", "bad"] * 5)
    corpus = WordIndex.of(texts, lexicon_of([]))
    corpus.counts(lexicon_of([]))
    assert corpus.updated(texts, lexicon_of(["film"])) is corpus
    absent = lexicon_of(["rip off", ":-)", "f*"])
    amended = corpus.updated(texts, absent)
    assert amended.position is corpus.position
    assert amended.counts(absent) == count(texts, absent)


def test_other_texts_are_refused() -> None:
    corpus = WordIndex.of(pa.array(["good"]), lexicon_of([]))
    with pytest.raises(ProblexError, match="2 texts and a corpus of 1 text were given, expected the texts of the ind"):
        corpus.updated(pa.array(["a", "b"]), lexicon_of(["rip off"]))
