"""The index of a corpus gives the counts of any lexicon, exactly as the texts would."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon, count, estimate
from problex.counting.tables import tabulate
from problex.errors import LexiconError
from problex.index.word_index import WordIndex, narrow_type
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

FIRST = Lexicon({"down": ["bad", "rip off"], "up": ["good", "a+"]})
WORDS = ["good", "goodness", "bad", "badly", "not", "but", ",", "rip", "off", "a+", "film", "never", "é", "Good", ":"]
CORPUS = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=12)
LEXICONS = [
    FIRST,
    Lexicon({"down": ["good", "a+"], "up": ["bad", "rip off"]}),
    Lexicon({"down": ["bad*", "rip off", "badly"], "up": ["film", "a+", "never"]}),
    Lexicon({"down": ["*d", "rip off"], "up": ["goo*", "a+", "absent", "abs*"]}),
    Lexicon({"one": ["good", "rip off"], "two": ["bad", "a+"], "three": ["film", "*ly"]}),
]


@given(texts=CORPUS, lexicon=st.sampled_from(LEXICONS), language=st.sampled_from(["en", "es", "any"]))
def test_equals_counting_the_texts(texts: list[str], lexicon: Lexicon, language: str) -> None:
    tokenizer = Tokenizer(language)
    corpus = WordIndex.of(pa.array(texts), FIRST, tokenizer)
    assert corpus.counts(lexicon) == count(texts, lexicon, tokenizer=tokenizer)
    expected = count(texts, lexicon, tokenizer=tokenizer, associations=True)
    assert corpus.counts(lexicon, associations=True) == expected


@settings(max_examples=30)
@given(texts=CORPUS, data=st.data())
def test_edits_of_one_corpus(texts: list[str], data: st.DataObject) -> None:
    """Counts follow from those of the lexicon before, whatever was added, removed or moved."""
    corpus = WordIndex.of(pa.array(texts), FIRST)
    words = ["good", "goodness", "bad*", "badly", "film", "never", "but", "absent", "é"]
    for _ in range(3):
        lists = data.draw(st.lists(st.sampled_from([None, "down", "up"]), min_size=len(words), max_size=len(words)))
        chosen = {
            name: [word for word, own in zip(words, lists, strict=True) if own == name] for name in ("down", "up")
        }
        lexicon = Lexicon({"down": ["bad", "rip off", *chosen["down"]], "up": ["a+", *chosen["up"]]})
        assert corpus.counts(lexicon) == count(texts, lexicon)


def test_many_new_entries_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("problex.index.word_index.MAX_NEW_ENTRIES", 0)
    test_any_number_of_threads()


def test_gives_the_same_model() -> None:
    texts = pa.array(
        ["good film", "not good, a rip-off", "bad badly made film", "good good day", "bad day but good"] * 30
    )
    corpus = WordIndex.of(texts, FIRST)
    for lexicon in (FIRST, LEXICONS[1], LEXICONS[3]):
        assert estimate(corpus.counts(lexicon), lexicon) == estimate(count(texts, lexicon), lexicon)


def test_any_number_of_threads() -> None:
    texts = pa.array(["good film bad", "bad badly good", "film good never good"] * 5)
    corpus = WordIndex.of(texts, FIRST)
    assert corpus.counts(LEXICONS[2], threads=1) == corpus.counts(LEXICONS[2], threads=3)


def test_parts_give_the_same_and_report_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = pa.array(["good film bad", "bad badly good", "film good never good, a rip-off", "a+ ok"] * 5)
    whole, shares = WordIndex.of(texts, FIRST), list[float]()
    monkeypatch.setattr("problex.index.word_index.CHUNK_BYTES", 64)
    parts = WordIndex.of(texts, FIRST, progress=shares.append)
    assert parts.counts(LEXICONS[3]) == whole.counts(LEXICONS[3])
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_an_exception_in_progress_cancels() -> None:
    class CancelledError(Exception): ...

    def cancel(share: float) -> None:
        raise CancelledError

    with pytest.raises(CancelledError):
        WordIndex.of(pa.array(["good", "bad"]), FIRST, progress=cancel)


def test_custom_tokenizers() -> None:
    tokenizer = Tokenizer("en", custom=str.split)
    texts = ["good film", "bad film , rip off", "not good bad"]
    corpus = WordIndex.of(pa.array(texts), FIRST, tokenizer)
    for lexicon in LEXICONS[:4]:
        assert corpus.counts(lexicon) == count(texts, lexicon, tokenizer=tokenizer)


def test_other_phrases_are_refused() -> None:
    corpus = WordIndex.of(pa.array(["good and bad"]), FIRST)
    with pytest.raises(
        LexiconError, match=r"the phrases .* differ from .* \('rip off', 'well made'\), expected the same: count the"
    ):
        corpus.counts(Lexicon({"down": ["bad"], "up": ["well made", "a+"]}))
    with pytest.raises(LexiconError, match=r"the literals .* differ from .*'a\+'"):
        corpus.counts(Lexicon({"down": ["rip off"], "up": ["good"]}))


def test_large_counts_do_not_overflow() -> None:
    table = tabulate(["good bad"], items_of(FIRST, Tokenizer()), Tokenizer())
    matrix = table.matrix.tocsc()
    assert narrow_type(matrix) is np.int32
    assert narrow_type(matrix * 50_000) is np.int64


def test_whether_any_document_has_one_of_some_words() -> None:
    corpus = WordIndex.of(pa.array(["good film", "not bad"]), Lexicon({"up": ["good"], "down": ["bad", "poor"]}))
    assert corpus.has_any(["poor", "film"])
    assert corpus.has_any(["NOT bad"])
    assert not corpus.has_any(["poor", "bad", "NOT good", "goo*"])
    assert not corpus.has_any([])
