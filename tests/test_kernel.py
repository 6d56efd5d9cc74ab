"""The compiled counter against the plain one, on any text: the same counts, bit for bit."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problex import Counts, Lexicon, count
from problex._counting import FASTEST
from problex.counting import sum_table
from problex.items import items_of
from problex.kernel import Counter, document_keys, sum_counter
from problex.moments import evidence_of
from problex.tabulate import tabulate, tabulate_slowly, token_ids, token_ids_slowly
from problex.tokens import LANGUAGES, Tokenizer

LEXICON = Lexicon(
    {
        "up": ["good", "naïve", "well made", "ärger", "don't", "no good at all", "a+", ":)", "*ong", "😀", "*gerli*"],
        "down": ["bad", "no good", "l'ami", "été", "σας", "made*", "film*", "f**k", "not a* film*", "2-faced", ":))"],
        "side": ["odd", "extraordinarily long", "extra*", "b-)"],
    }
)
PAIR = Lexicon({name: LEXICON.lists[name] for name in ("up", "down")})
DIFFICULT = st.text(alphabet="ab'’ʼAZ .-éÉ\u0301\u0327ñÑ½²_7İIıΣσςßǅ日本한\u1100\u1161\U0001f600\x00“—", max_size=90)
VOCABULARY = ["good", "naïve", "well", "made", "ÄRGER", "don't", "no", "at", "all", "bad", "l'ami", "ÉTÉ", "ΣΑΣ", "odd"]
VOCABULARY += ["extraordinarily", "long", "film", "Don’T", "x", "not", "but", ",", "a+", ":)", ":))", "wrong", "FILMS"]
VOCABULARY += [
    "never,",
    "…",
    "a",
    "an",
    "F**k",
    "2-faced",
    "😀",
    "B-)",
    "madeira",
    "“good”",
    "ni",
    "nicht",
    "ÄRGERLICH",
]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=40).map(" ".join)
TEXTS = st.lists(st.one_of(st.text(), DIFFICULT, WORDS), max_size=8)


def slowly(texts: list[str], tokenizer: Tokenizer, lexicon: Lexicon = LEXICON, associations: bool = True) -> Counts:
    items = items_of(lexicon, tokenizer)
    table = tabulate_slowly(texts, items, tokenizer)
    none = Counts.none(lexicon, tokenizer, associations=associations)
    return sum_table(table, items, none, document_keys(pa.array(texts, pa.string())))


@given(TEXTS, st.sampled_from(sorted(LANGUAGES)), st.booleans(), st.sampled_from([LEXICON, PAIR]))
@example(["x" * 63 + "'s good", "y" * 64 + "'t", "a" * 130 + "é" + "b" * 70], "en", False, LEXICON)
@example(["e\u0301te\u0301 E\u0301TE\u0301", "ΣΑΣ σας ΟΔΟΣ", "İstanbul"], "en", True, LEXICON)
@example(
    [
        "not a very, very good film",
        "not a very very good film",
        "not films",
        "never “good”",
        "not :) good",
        "never: \x80 good",
    ],
    "en",
    False,
    PAIR,
)
def test_any_text_is_counted_as_the_plain_counter_counts_it(
    texts: list[str], language: str, folds: bool, lexicon: Lexicon
) -> None:
    tokenizer = Tokenizer(language, folds)
    for associations in (False, True):
        found = count(texts, lexicon, threads=1, tokenizer=tokenizer, associations=associations)
        assert found == slowly(texts, tokenizer, lexicon, associations)


@given(TEXTS)
def test_the_path_for_older_processors_counts_the_same(texts: list[str]) -> None:
    tokenizer = Tokenizer()
    items = items_of(LEXICON, tokenizer)
    found = []
    for fast in range(FASTEST + 1):
        counter = sum_counter(items, tokenizer, fast=fast)
        counter.add(pa.array(texts, pa.string()))
        found.append(counter)
    for last in found[1:]:
        assert_same(found[0], last)


def assert_same(first: Counter, last: Counter) -> None:
    assert first.totals() == last.totals()
    place = np.arange(len(first.items()[0]))
    parts = (Counter.sums, Counter.sample, lambda counter: counter.pairs(place, len(place)))
    for part in parts:
        for one, two in zip(part(first), part(last), strict=True):
            assert one.equals(two) if isinstance(one, pa.Array) else np.array_equal(one, two)


@given(TEXTS, st.booleans())
def test_rows_are_those_of_the_plain_counter(texts: list[str], closed: bool) -> None:
    tokenizer = Tokenizer()
    items = items_of(LEXICON, tokenizer)
    columns = {"good": 1, "film": 0, "well made": 2, "été": 3} if closed else None
    fast, slow = (make(texts, items, tokenizer, columns) for make in (tabulate, tabulate_slowly))
    assert fast.lengths.tolist() == slow.lengths.tolist()
    if closed:
        assert np.array_equal(fast.matrix.toarray(), slow.matrix.toarray())
        return
    for row in range(len(texts)):
        one, two = (
            {table.words[at]: x for at, x in enumerate(table.matrix[[row]].toarray()[0].tolist()) if x}
            for table in (fast, slow)
        )
        assert one == two


@given(TEXTS, st.booleans())
def test_words_in_order_are_those_of_the_plain_counter(texts: list[str], closed: bool) -> None:
    tokenizer = Tokenizer()
    items = items_of(PAIR, tokenizer)
    columns = {"good": 0, "film": 1, "well made": 2, "été": 3, "NOT good": 4, "films": 5} if closed else None
    fast, slow = (make(texts, items, tokenizer, columns) for make in (token_ids, token_ids_slowly))
    assert fast.ends.tolist() == slow.ends.tolist()
    one, two = ([found.words[at] if at >= 0 else None for at in found.ids] for found in (fast, slow))
    assert one == two


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_slices_of_arrow_arrays(kind: pa.DataType) -> None:
    texts = pa.array(["bad", "good film", "", "naïve été", "odd"], kind)
    assert count(texts[1:4], LEXICON) == count(["good film", "", "naïve été"], LEXICON)
    assert count(pa.array(["good", "bad"], pa.string_view()), LEXICON) == count(["good", "bad"], LEXICON)


def test_the_last_bytes_of_a_buffer() -> None:
    """Texts that end with the buffer, with letters beyond ASCII at the very end."""
    for text in ("é", "xé", "good é", "a" * 63 + "é", "a" * 64, "a" * 62 + "é"):
        data = text.encode()
        offsets = np.array([0, len(data)], dtype=np.int32)
        exact = pa.py_buffer(bytearray(data))
        array = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(offsets), exact])
        assert count(array, LEXICON, associations=True) == slowly([text], Tokenizer())


def test_threads_merge_exactly() -> None:
    random = np.random.default_rng(0)
    vocabulary = ["good", "bad", "odd", "naïve", *(f"w{chr(97 + at % 26)}{chr(97 + at // 26)}é" for at in range(500))]
    texts = [" ".join(random.choice(vocabulary, 300)) for _ in range(4000)]
    one, three = (count(texts, LEXICON, threads=threads, associations=True) for threads in (1, 3))
    assert one == three == slowly(texts, Tokenizer())


def test_pruning_leaves_the_lexicon_exact_and_the_concentration_close() -> None:
    random = np.random.default_rng(1)
    common = [f"c{chr(97 + at % 26)}{chr(97 + at // 26)}" for at in range(300)]
    texts = []
    for at in range(6000):
        typos = ["".join(random.choice(list("abcdefghij"), 9)) for _ in range(6)]
        topic = common[at % 30 * 10 : at % 30 * 10 + 10]
        texts.append(
            " ".join([*random.choice(common, 40), *random.choice(topic, 20), *typos, *("good" if at % 2 else "bad",)])
        )
    whole = count(texts, LEXICON, threads=1)
    small = count(texts, LEXICON, threads=1, memory=1 << 20)
    assert whole.pruned == 0
    assert small.pruned > 10_000
    assert len(small.words) < len(whole.words) / 2
    assert small.totals | {"pruned": 0} == whole.totals
    one, two = evidence_of(whole), evidence_of(small)
    assert np.array_equal(one.occurrences, two.occurrences)
    assert np.array_equal(one.cross_counts, two.cross_counts)
    assert two.concentration == pytest.approx(one.concentration, rel=0.01)


def test_an_error_inside_the_tokenizer_comes_out() -> None:
    class Broken(Tokenizer):
        def pieces(self, text: str) -> list[str]:
            raise RuntimeError("broken on purpose")

    counter = sum_counter(items_of(LEXICON, Tokenizer()), Broken())
    counter.add(pa.array(["plain text", "éa"], pa.string()))  # the table knows these letters
    with pytest.raises(RuntimeError, match="broken on purpose"):
        counter.add(pa.array(["e\u0301"], pa.string()))


def test_a_megabyte_of_one_word() -> None:
    for text in ("a" * 3_000_000, "é" * 1_000_000, "good " * 500_000):
        assert count([text], LEXICON, associations=True) == slowly([text], Tokenizer())
