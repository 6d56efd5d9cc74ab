"""The compiled counter against the plain one, on any text: the same counts, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from problex import Counts, Lexicon, count
from problex.corpus import batches
from problex.counting import counters
from problex.counting._counter import FASTEST, Counter, document_keys
from problex.counting.counters import Pool, row_counter, sum_counter
from problex.counting.streams import _merge_counters, count_batches
from problex.counting.tables import sum_table, tabulate, tabulate_slowly, token_ids, token_ids_slowly
from problex.errors import DocumentError, LexiconError, LexiconWarning
from problex.estimation.published import evidence_of
from problex.matching.characters import CharacterTable
from problex.matching.items import Items, items_of
from problex.matching.languages import LANGUAGES
from problex.matching.reference import prepare_texts
from problex.matching.tokens import Tokenizer
from tests.counting.test_copies import word_keys

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
    table = replace(tabulate_slowly(texts, items, tokenizer), keys=word_keys(texts, items, tokenizer))
    none = Counts.none(lexicon, tokenizer, associations=associations)
    prepared = prepare_texts(pa.array(texts, pa.string()), items, tokenizer)
    return sum_table(table, items, none, document_keys(prepared))


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
    assert first.keys().tolist() == last.keys().tolist()
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
    assert one == three
    assert count(texts[:1000], LEXICON, threads=3, associations=True) == slowly(texts[:1000], Tokenizer())


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
    small = count_batches(batches(texts, batch_bytes=1 << 20), LEXICON, threads=1, word_bytes=1 << 20)
    assert whole.pruned == 0
    assert small.pruned > 10_000
    assert len(small.words) < len(whole.words) / 2
    assert small.totals | {"pruned": 0} == whole.totals
    one, two = evidence_of(whole), evidence_of(small)
    assert np.array_equal(one.occurrences, two.occurrences)
    assert np.array_equal(one.cross_counts, two.cross_counts)
    assert two.concentration == pytest.approx(one.concentration, rel=0.01)


def test_an_error_while_characters_are_looked_up_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = CharacterTable(None, False)
    table.fill(0)
    monkeypatch.setattr(counters, "character_table", lambda language, folds: table)
    counter = sum_counter(items_of(LEXICON, Tokenizer()), Tokenizer())

    def broken(self: CharacterTable, block: int) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr(CharacterTable, "fill", broken)
    counter.add(pa.array(["plain text", "éa"], pa.string()))  # the table knows these letters
    with pytest.raises(RuntimeError, match="broken on purpose"):
        counter.add(pa.array(["日本"], pa.string()))


def test_a_megabyte_of_one_word() -> None:
    for text in ("a" * 3_000_000, "é" * 1_000_000, "good " * 200_000):
        assert count([text], LEXICON, associations=True) == slowly([text], Tokenizer())


CAUGHT = {"up": ["good", "fine"], "down": ["*less", "*ful*", "not a* bad film*"]}
"""Wildcards that catch the ends of words, so also those of the names of negated items, unless these are let alone."""


@pytest.mark.parametrize("lists", [CAUGHT, CAUGHT | {"side": ["odd"]}])
def test_merged_counters_keep_negated_items_in_their_lists(lists: dict[str, list[str]]) -> None:
    """`*less` does not match `NOT hopeless`, even if another counter sees it first."""
    lexicon, tokenizer = Lexicon(lists), Tokenizer()
    parts = [["good odd film"], ["not hopeless but awful, good", "never a useful odd"], ["hopeless, not useless"]]
    counters = Pool(lambda: sum_counter(items_of(lexicon, tokenizer), tokenizer, associations=True))
    for texts in parts:
        counters.all.append(counters.make())
        counters.all[-1].add(pa.array(texts, pa.string()))
    none = Counts.none(lexicon, tokenizer, associations=True)
    assert _merge_counters(counters, none) == slowly([one for part in parts for one in part], tokenizer, lexicon)


@pytest.mark.parametrize("column", ["NOT hopeless", "NOT good", "NOT no use"])
def test_a_negated_item_is_found_where_the_item_itself_has_no_column(column: str) -> None:
    """A word that a wildcard caught may have been met only under negation: then only its negated form has a weight."""
    tokenizer, texts = Tokenizer(), ["not hopeless", "never good, good", "hopeless", "not of no use"]
    items = items_of(Lexicon({"up": ["good"], "down": ["*less", "no use"]}), tokenizer)
    fast, slow = (make(texts, items, tokenizer, {column: 0}) for make in (tabulate, tabulate_slowly))
    assert fast.matrix.toarray().tolist() == slow.matrix.toarray().tolist()
    assert fast.matrix.sum() == 1
    one, two = (make(texts, items, tokenizer, {column: 0}) for make in (token_ids, token_ids_slowly))
    assert one.ids.tolist() == two.ids.tolist()


@pytest.mark.parametrize("waiting", [2, 9, 40])
def test_many_tokens_of_one_chunk_behind_words_that_wait(waiting: int) -> None:
    """Words that wait for their phrase need room, too, when a text without blanks brings hundreds of tokens at once."""
    phrase = ["w" + "abcdefghijklmnopqrstuvwxyz"[at % 26] * (1 + at // 26) for at in range(waiting + 1)]
    lexicon = Lexicon({"up": [" ".join(phrase), "good"], "down": ["bad"]})
    for tokens in range(245, 262):
        dense = "\u3000".join(chr(0x4E00 + at) for at in range(tokens))
        text = " ".join([*phrase[:waiting], dense])
        assert count([text, text], lexicon, threads=1, associations=True) == slowly([text] * 2, Tokenizer(), lexicon)


@pytest.mark.parametrize("first", ["", "good", "hopeless", "other other"])
def test_pruning_with_patterns_in_phrases_and_names_made_by_negation(first: str) -> None:
    """The name of a negated item may be the last word of all; it moves as others do, but no pattern belongs to it."""
    lexicon, tokenizer = Lexicon(CAUGHT), Tokenizer()
    letters = [chr(97 + at % 26) + chr(97 + at // 26) for at in range(300)]
    texts = [first, *(f"x{one}y, not an awful bad film, never x{one}less" for one in letters)]
    counters = Pool(lambda: sum_counter(items_of(lexicon, tokenizer), tokenizer))
    for text in texts:
        counter = counters.take()
        counter.add(pa.array([text], pa.string()))
        counter.prune(1)
        counters.free.put(counter)
    found = _merge_counters(counters, Counts.none(lexicon, tokenizer))
    slow = slowly(texts, tokenizer, lexicon, associations=False)
    assert found.entries == slow.entries
    assert abs(found.pairs - slow.pairs).sum() == 0
    assert found.sample == slow.sample


@pytest.mark.parametrize("fast", range(FASTEST + 1))
def test_bytes_that_are_not_utf8_are_read_as_replaced(fast: int) -> None:
    """Stray, overlong and cut-off bytes part words, as U+FFFD does in their place."""
    broken = [
        b"\xc3A",
        b"\xc0A",
        b"\xc1\x81b",
        b"\xe0\x81\x81",
        b"a\xe9t\xe9",
        b"go\xffod",
        b"\xed\xa0\x80x",
        b"\xe2\x80good",
    ]
    broken += [b"\xf0\x9f\x98", b"\xc3'a", b"\x80", b"good\xc3", b"\xe1\x80\xc3\xa9"]
    ends = np.cumsum([0, *(len(one) for one in broken)]).astype(np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(broken))]
    counter = sum_counter(items_of(LEXICON, Tokenizer()), Tokenizer(), fast=fast)
    counter.add(pa.Array.from_buffers(pa.string(), len(broken), buffers))
    replaced = slowly([one.decode("utf-8", "replace") for one in broken], Tokenizer())
    words, _, n, _ = counter.sums()
    expected = dict(zip(replaced.words.to_pylist(), replaced.occurrences.tolist(), strict=True))
    assert dict(zip(words.to_pylist(), n.tolist(), strict=True)) == expected


@pytest.mark.parametrize("make", [sum_counter, row_counter])
def test_a_text_too_long_to_count_is_said(make: Callable[[Items, Tokenizer], Counter]) -> None:
    """Places in a text are numbers of 31 bits: a longer one would be counted wrongly, so nothing of it is."""
    tokenizer = Tokenizer()
    counter = make(items_of(LEXICON, tokenizer), tokenizer)
    zeros = pa.py_buffer(np.zeros((1 << 31) + 4, np.uint8))  # never touched, so it takes no memory
    ends = pa.py_buffer(np.array([0, 4, 4 + (1 << 31)], np.int64))
    texts = pa.Array.from_buffers(pa.large_string(), 2, [None, ends, zeros])
    with pytest.raises(DocumentError, match=r"text 2 of 2 has 2,147,483,648 bytes.*at most 2,147,483,647.*cut it"):
        counter.add(texts)
    counter.add(pa.array(["good"], pa.string()))  # the counter itself is as it was
    assert counter.words().to_pylist().count("good") == 1


def test_a_sum_without_a_sample() -> None:
    counter = sum_counter(items_of(LEXICON, Tokenizer()), Tokenizer(), sample=0)
    counter.add(pa.array(["good", "bad film", "good"], pa.string()))
    assert [len(part) for part in counter.sample()] == [0, 0, 0, 0, 1, 0, 0]
    assert counter.totals()["documents"] == 3


def test_an_entry_with_a_zero_byte_is_not_taken_for_the_word_before_it() -> None:
    lexicon = Lexicon({"up": ["film\x00", "good"], "down": ["bad"]})
    with pytest.warns(LexiconWarning, match="not matchable"):
        found = count(["film good", "a film\x00 bad"], lexicon)
    assert dict(zip(found.words.to_pylist(), found.occurrences.tolist(), strict=True))["film"] == 2


def test_more_lists_than_pairs_can_name_are_refused() -> None:
    many = Lexicon({f"list {at}": [f"w{chr(97 + at % 26)}{chr(97 + at // 26)}"] for at in range(257)})
    with pytest.raises(LexiconError, match=r"257 lists.*at most 256"):
        count(["good"], many)
