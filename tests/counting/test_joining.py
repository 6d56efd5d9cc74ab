"""What several counters have counted becomes one: pairs in parts, memory that is used again, threads, processes."""

from __future__ import annotations

import multiprocessing
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse

from problex import Counts, Lexicon, count
from problex.counting._counter import PairsPart, release
from problex.counting.counters import Pool, make_sum_plan, sum_counter
from problex.counting.counts import draw_sample
from problex.counting.streams import _merge_counters
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer
from tests.counting.test_counter import LEXICON, slowly
from tests.work import made_up_words

FOUR = {"a": ["ant", "ape", "asp"], "b": ["bat", "bee"], "c": ["cat", "cow", "crab"], "d": ["dog"]}
ANIMALS = st.lists(st.sampled_from([word for words in FOUR.values() for word in words] + ["yak", "not"]), max_size=12)


@given(
    st.lists(st.lists(ANIMALS, max_size=6), min_size=1, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.integers(2, 4),
)
@example([[["ant", "dog"]], []], [True] * 4, 4)
@example([[["ant", "bat", "cat", "dog"]], [["bat", "cat", "cat"]]], [True, False] * 2, 4)
def test_pairs_in_parts_are_those_of_one_counter(parts: list[list[list[str]]], flushed: list[bool], lists: int) -> None:
    """Logs that wait and sums that were made of earlier ones, over any number of counters."""
    lexicon, tokenizer = Lexicon({name: FOUR[name] for name in sorted(FOUR)[:lists]}), Tokenizer()
    pool = Pool(lambda: sum_counter(items_of(lexicon, tokenizer), tokenizer))
    for documents, first in zip(parts, flushed, strict=False):
        counter = pool.make()
        pool.all.append(counter)
        for at, words in enumerate(documents):
            counter.add(pa.array([" ".join(words)], pa.string()))
            if first and at == len(documents) // 2:
                counter.flush_log()
    texts = [" ".join(words) for documents in parts for words in documents]
    none = Counts.none(lexicon, tokenizer)
    assert _merge_counters(pool, none) == slowly(texts, tokenizer, lexicon, associations=False)
    one, other, more = pool.all[0], pool.make(), "ant bat cat dog"
    other.add(pa.array([more], pa.string()))
    one.merge(other)  # which needs all parts as one
    pool.all = [one]
    assert _merge_counters(pool, none) == slowly([*texts, more], tokenizer, lexicon, associations=False)


@pytest.mark.parametrize("lists", [2, 3, 4])
@pytest.mark.parametrize("caught", [False, True])
def test_pairs_of_many_documents(lists: int, caught: bool) -> None:
    """Frequent items are summed in another way than rare ones; one of the counters may have caught words of its own."""
    given = {name: FOUR[name] for name in sorted(FOUR)[:lists]}
    lexicon, tokenizer = Lexicon(given | {"a": [*FOUR["a"], "anti*"]}), Tokenizer()
    pool = Pool(lambda: sum_counter(items_of(lexicon, tokenizer), tokenizer))
    words = [word for part in given.values() for word in part] + ["yak"]
    random = np.random.default_rng(lists)
    chance = np.arange(1, len(words) + 1) / sum(range(1, len(words) + 1))
    texts = [" ".join(random.choice(words, random.integers(0, 8), p=chance)) for _ in range(4000)]
    texts[-1] += " antibat anticat bat" if caught else ""
    for part in range(3):
        pool.all.append(pool.make())
        pool.all[-1].add(pa.array(texts[part::3], pa.string()))
    found = _merge_counters(pool, Counts.none(lexicon, tokenizer))
    assert found == slowly(texts, tokenizer, lexicon, associations=False)
    assert found.pairs.max() > 512


@pytest.mark.parametrize("wildcard", [False, True])
def test_sums_of_pairs_of_every_size(wildcard: bool) -> None:
    """Sums are kept as bytes: of one byte or several, at columns far apart or next to each other, in several logs."""
    random = np.random.default_rng(0)
    words = [f"{first}{second}x" for first in "abcdefghijklmnopqrst" for second in "abcdefghijklmnopqrst"]
    lists = {name: words[at::3] for at, name in enumerate("xyz")}
    lexicon, tokenizer = Lexicon(lists | {"x": [*lists["x"], "zz*"]} if wildcard else lists), Tokenizer(negation=None)
    texts = [" ".join(np.repeat(random.choice(words, 6), random.choice([1, 2, 40, 3000], 6))) for _ in range(60)]
    texts += [f"{words[0]} zz{words[at]} {words[-at - 1]}" for at in range(1, 30)]
    pool = Pool(lambda: sum_counter(items_of(lexicon, tokenizer), tokenizer))
    pool.all = [pool.make(), pool.make()]
    for at in range(len(texts)):
        pool.all[at % 2].add(pa.array(texts[at : at + 1], pa.string()))
        if at % 20 < 2:
            pool.all[at % 2].flush_log()
    found = _merge_counters(pool, Counts.none(lexicon, tokenizer))
    assert found == slowly(texts, tokenizer, lexicon, associations=False)
    assert found.pairs.max() > 1 << 21
    assert found.pairs.data.min() == 1


@pytest.mark.parametrize(("lists", "wildcard"), [(2, False), (3, False), (3, True)])
def test_pairs_of_a_large_lexicon(lists: int, wildcard: bool) -> None:
    """Of tens of thousands of items, the few of a row are found by marks of two levels, in all parts of a lexicon."""
    words, random = made_up_words(34_000), np.random.default_rng(4)
    entries = {f"list{at}": words[at::lists] for at in range(lists)}
    if wildcard:
        entries["list0"] = [*entries["list0"], "goo*"]
    texts = [" ".join([words[at] for at in random.integers(0, len(words), 30)]) + " good not" for _ in range(60)]
    texts += [" ".join([words[at], words[-1 - at], words[at]]) for at in (0, 63, 64, 4095, 4096, 8191, 8192, 16_999)]
    lexicon, tokenizer = Lexicon(entries), Tokenizer()
    expected = slowly(texts, tokenizer, lexicon, associations=False)
    assert expected.pairs.nnz > 10_000
    assert count(texts, lexicon, 1) == expected
    counters = Pool(lambda: sum_counter(items_of(lexicon, tokenizer), tokenizer))
    for part in (texts[:20], texts[20:]):
        counters.free.put(counters.make())
        counters.all.append(counter := counters.take())
        counter.add(pa.array(part, pa.string()))
    assert _merge_counters(counters, Counts.none(lexicon, tokenizer)) == expected


def test_entries_are_the_names_of_the_lexicon_where_no_negated_form_occurred() -> None:
    """A large lexicon is not copied: its entries are the tuple of its names."""
    lexicon = Lexicon({"negative": ["bad", "poor"], "positive": ["good"]})
    names = items_of(lexicon, Tokenizer()).names
    assert count(["good and bad"], lexicon).entries is names
    assert count(["good and not bad"], lexicon).entries == (*names[:2], "NOT bad", "good")


def test_a_log_that_was_summed_on_the_way() -> None:
    """After a million entries the log becomes sums; what comes later stays in it until the end."""
    lexicon, tokenizer = Lexicon(FOUR), Tokenizer()
    pool = Pool(lambda: sum_counter(items_of(lexicon, tokenizer), tokenizer, sample=0))
    text = "ant ant ape bat bee cat cow dog"
    for documents in (150_000, 7):
        pool.all.append(pool.make())
        pool.all[-1].add(pa.array([text] * documents, pa.string()))
    none = replace(
        Counts.none(lexicon, tokenizer),
        sample=draw_sample(np.zeros(0, np.uint64), np.zeros(0, np.int64), sparse.csr_array((0, 9)), 0),
    )
    once = slowly([text], tokenizer, lexicon, associations=False)
    assert abs(_merge_counters(pool, none).pairs - once.pairs * 150_007).sum() == 0


def test_parts_of_pairs_are_refused_where_they_would_be_wrong() -> None:
    lexicon, tokenizer = Lexicon({"up": ["good*"], "down": ["bad"]}), Tokenizer()
    one, other = (sum_counter(items_of(lexicon, tokenizer), tokenizer) for _ in range(2))
    for counters, part in (([one], 0), ([], 0), ([one, other], 2)):
        with pytest.raises(ValueError, match="counters of one plan"):
            PairsPart(counters, part, 2)
    one.add(pa.array(["goods and bad"], pa.string()))
    with pytest.raises(ValueError, match="items of its own"):
        one.order_log()
    with pytest.raises(ValueError, match="all the parts"):
        PairsPart.join([other], [])


def test_counters_of_equal_plans_join_and_of_others_do_not() -> None:
    """A plan that has fallen out of the cache while a corpus is counted is made again: equal, but not the same."""
    tokenizer, texts = Tokenizer(), ["ant bat", "ape bee dog"]
    pools = {name: Pool(lambda: None) for name in ("equal", "other")}  # type: ignore[arg-type, return-value]
    for name, pool in pools.items():
        for at, text in enumerate(texts):
            make_sum_plan.cache_clear()
            lexicon = Lexicon(FOUR | {"d": ["dog", "deer"]} if name == "other" and at else FOUR)
            pool.all.append(sum_counter(items_of(lexicon, tokenizer), tokenizer))
            pool.all[-1].add(pa.array([text], pa.string()))
    found = _merge_counters(pools["equal"], Counts.none(Lexicon(FOUR), tokenizer))
    assert found == slowly(texts, tokenizer, Lexicon(FOUR), associations=False)
    with pytest.raises(ValueError, match="counters of one plan"):
        pools["other"].merge(lambda _: None)


def test_memory_that_is_kept_is_bounded_and_given_back() -> None:
    """Large blocks are used again: many counters one after the other keep no more than one does."""
    texts = pa.array(["good and bad"] * 300, pa.string())
    count(texts, LEXICON)
    assert release() > 0
    assert release() == 0
    count(texts, LEXICON)
    once = release()
    for _ in range(10):
        count(texts, LEXICON)
    assert release() == once
    counters = [sum_counter(items_of(LEXICON, Tokenizer()), Tokenizer()) for _ in range(30)]
    del counters
    assert 0 < release() <= 64 << 20


def test_a_forked_process_counts_as_its_parent_does() -> None:
    texts, expected = ["good and bad", "not good"], count(["good and bad", "not good"], LEXICON, 1).tokens
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not fork")
    with multiprocessing.get_context("fork").Pool(1) as processes:
        found = processes.apply_async(_tokens, (texts,)).get(timeout=60)
    assert found == expected


def _tokens(texts: list[str]) -> int:
    return count(texts, LEXICON, 1).tokens


def test_texts_of_a_database_are_read_by_the_thread_that_opened_it() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("create table reviews (body text)")
        database.executemany("insert into reviews values (?)", [("good and bad",)] * 500)
        rows = (body for (body,) in database.execute("select body from reviews"))
        assert count(rows, LEXICON, threads=3).documents == 500


WAITING = """
from pathlib import Path
from problex import Lexicon, count
print("ready", flush=True)
count(Path("-"), Lexicon({"up": ["good"], "down": ["bad"]}), threads=2)
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system has no SIGINT for one process")
def test_an_interrupt_ends_a_count_that_waits_for_its_input() -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", WAITING], **pipes) as process:  # type: ignore[call-overload]
        try:
            assert process.stdout.readline() == b"ready\n"
            time.sleep(0.5)  # until it waits
            process.send_signal(signal.SIGINT)
            process.wait(timeout=10)  # its input stays open
            assert b"KeyboardInterrupt" in process.stderr.read()
        finally:
            process.kill()


def test_counters_that_were_merged_are_dropped_and_the_one_that_remains_goes_on() -> None:
    items, texts = items_of(LEXICON, Tokenizer()), pa.array(["good film", "bad day"])
    pool = Pool(lambda: sum_counter(items, Tokenizer()))
    for counter in [pool.take(), pool.take()]:
        counter.add(texts)
        pool.free.put(counter)
    merged, _ = pool.merge(lambda counter: None)
    assert (len(pool.all), pool.free.qsize()) == (1, 1)
    again = [pool.take(), pool.take()]
    for counter in again:
        counter.add(texts)
        pool.free.put(counter)
    assert merged is again[0]
    assert pool.merge(lambda counter: counter.totals()["documents"])[1] == 8
