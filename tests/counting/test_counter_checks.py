"""What the compiled counter refuses: two threads at once, plans and arrays that would make it read foreign memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from problex import Lexicon
from problex.counting._counter import Counter, RowLog
from problex.counting.counters import make_sum_plan, sum_counter
from problex.matching.characters import CharacterTable, character_table
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

LEXICON = Lexicon({"up": ["good", "fine"], "down": ["bad"]})
KANA = pa.array(["かな good"], pa.string())  # these letters are looked up when they occur
IN_USE = "this counter is in use, expected one thread at a time: make a counter for each thread"


def counter_of(tokenizer: Tokenizer, **options: bool) -> Counter:
    return sum_counter(items_of(LEXICON, Tokenizer()), tokenizer, **options)


def test_a_counter_refuses_to_be_used_while_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters are looked up in the middle of counting, when memory may be moved."""
    errors: list[str] = []
    fill = CharacterTable.fill

    def intruder(table: CharacterTable, block: int) -> None:
        if block == 0:
            return fill(table, block)
        monkeypatch.setattr(CharacterTable, "fill", fill)
        other = counter_of(Tokenizer())
        uses: list[Callable[[], object]] = [lambda: counter.add(KANA), lambda: counter.prune(1), counter.words]
        uses += [counter.flush_log, counter.sums, counter.sample, lambda: other.merge(counter)]
        for use in uses:
            with pytest.raises(RuntimeError) as error:
                use()
            errors.append(str(error.value))
        return fill(table, block)

    monkeypatch.setattr(CharacterTable, "fill", intruder)
    character_table.cache_clear()
    counter = counter_of(Tokenizer())
    counter.add(KANA)
    assert errors == [IN_USE] * 7
    counter.add(KANA)  # it is free again, and knows the letters by now
    assert counter.totals()["documents"] == 2


def test_threads_that_share_a_counter_are_refused_or_counted_exactly() -> None:
    counter = counter_of(Tokenizer())
    texts = pa.array(["good and bad film " * 400] * 100, pa.string())

    def add(_: int) -> int:
        try:
            counter.add(texts)
        except RuntimeError:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        times = sum(pool.map(add, range(32)))
    assert times >= 1
    assert counter.totals()["tokens"] == times * 100 * 1600


def test_items_with_pairs_need_a_place() -> None:
    counter = counter_of(Tokenizer())
    counter.add(pa.array(["good bad"], pa.string()))
    size = len(counter.items()[0])
    for place in (np.full(size, -1), np.append(np.arange(size - 1)[::-1], -1), np.arange(size)[::-1] - 1):
        with pytest.raises(ValueError, match="an item with pairs has place -1"):
            counter.pairs(place.astype(np.int64), size)
    for place in (np.arange(size - 1), np.arange(size) + 1, np.arange(size) - 2):
        with pytest.raises(ValueError, match="expected a place below"):
            counter.pairs(place.astype(np.int64), size)


def test_counters_with_other_sums_are_not_merged() -> None:
    with pytest.raises(ValueError, match="expected one made in the same way"):
        counter_of(Tokenizer()).merge(counter_of(Tokenizer(), associations=True))
    with pytest.raises(ValueError, match="expected numbers of the"):
        counter_of(Tokenizer(), associations=True).associations(np.array([1_000_000], np.uint32))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"negation_prefix": b"NOT AT ALL "}, "expected at most 8 bytes"),
        ({"negators": [999]}, r"names word 999, expected one of its \d+ words"),
        ({"plain": np.array([-1])}, r"names word -1, expected one of its \d+ words"),
        ({"phrases": [([0], 1)]}, "a phrase of 1 words, expected at least 2"),
        ({"opposite": [0, 1, 0]}, "3 opposite lists, expected at most 2"),
        ({"literals": [(b":)", 2, 0)]}, "is byte 2, expected one of its bytes"),
        ({"wildcards": [(b"a", 4, 0)]}, "of kind 4, expected letters and a kind from 0 to 3"),
        ({"wildcards": [(b"", 0, 0)]}, "expected letters and a kind from 0 to 3"),
        ({"items": np.zeros(1, np.int64)}, "the plan has 1 items"),
        ({"forms": np.array([1, 2, 0, 3])}, "an item and its negated form must name each other"),
        ({"forms": np.array([4, 1, 2, 3])}, "an item and its negated form must name each other"),
        ({"forms": np.array([0])}, "an item and its negated form must name each other"),
    ],
)
def test_a_plan_that_refers_to_nothing_is_refused(change: dict[str, Any], message: str) -> None:
    tokenizer = Tokenizer()
    plan = replace(make_sum_plan(items_of(LEXICON, tokenizer)), **change)
    with pytest.raises(ValueError, match=message):
        Counter(character_table("en", False), True, plan, sums=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lists": 300}, "3 columns of 300 lists"),
        ({"list_index": [1, 0, 1]}, "not in ascending order, from 0 to 1"),
        ({"list_index": [0, 1, 2]}, "not in ascending order, from 0 to 1"),
        ({"ends": [0, 2, 1, 4]}, "do not ascend from 0 to 4"),
        ({"ends": [0, 2, 9]}, "do not ascend from 0 to 4"),
        ({"counts": [1, 1, 1]}, "4 columns and 3 counts"),
        ({"columns": [0, 3, 0, 1]}, "columns beyond 0 to 2"),
        ({"columns": [0, -1, 0, 1]}, "columns beyond 0 to 2"),
        ({"columns": [2, 0, 0, 1]}, "not in ascending order: sort the indices"),
    ],
)
def test_rows_that_are_no_matrix_of_counts_are_refused(change: dict[str, Any], message: str) -> None:
    rows: dict[str, Any] = {"lists": 2, "list_index": [0, 0, 1], "ends": [0, 2, 4]}
    rows |= {"columns": [0, 2, 0, 1], "counts": [1, 2, 3, 4]} | change
    types = {"list_index": np.int64, "ends": np.int64, "columns": np.int32, "counts": np.int32}
    arrays = [np.array(rows[name], kind) for name, kind in types.items()]
    with pytest.raises(ValueError, match=message):
        RowLog(rows["lists"], *arrays)
