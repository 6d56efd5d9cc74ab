"""Rare words are dropped by one rule, and only they: hand-worked at its limits."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from problex import Counts, Lexicon, count
from problex._util.memory import RESULT_SHARE
from problex.corpus import batches
from problex.counting import streams
from problex.counting.counters import sum_counter
from problex.counting.pruning import drop_rare_words, prune_counts, sum_counts
from problex.counting.streams import CountJob, count_batches
from problex.errors import ProblexWarning
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer

LEXICON = Lexicon({"negative": ["bad"], "positive": ["good"]})
TEXT = "good bad once twice twice four four four four five five five five five"


def words_of(counts: Counts) -> dict[str, int]:
    return dict(zip(counts.words.to_pylist(), counts.occurrences.tolist(), strict=True))


@pytest.mark.parametrize(
    ("limit", "words", "tokens"),
    [
        (4, {"once", "twice", "four", "five"}, 0),  # exactly at the limit nothing is dropped
        (3, {"five"}, 7),  # 4 > 3: once goes, 3 > 1.5; twice goes, 2 > 1.5; four goes
        (2, {"five"}, 7),
        (1, set(), 12),  # 1 > 0.5: all go
    ],
)
def test_words_go_by_occurrences_until_half_the_limit(limit: int, words: set[str], tokens: int) -> None:
    """1 goes first, then 2, then 4, then 8: a word that occurred exactly so often goes with them."""
    pruned = prune_counts(count([TEXT], LEXICON), max_words=limit)
    assert set(words_of(pruned)) == words | {"good", "bad"}
    assert pruned.pruned == tokens


def test_a_word_at_the_threshold_is_forgotten_and_one_above_is_kept() -> None:
    remaining = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "eight": 8, "nine": 9}
    sizes = iter([1.01, 1.01, 0.6, 0.51, 0.5])  # over the limit; after 1; after 2; after 4: half of it is enough
    asked: list[int] = []

    def drop(occurrences: int) -> None:
        asked.append(occurrences)
        for word in [word for word, number in remaining.items() if number <= occurrences]:
            del remaining[word]

    drop_rare_words(lambda: next(sizes), drop)
    assert asked == [1, 2, 4]
    assert list(remaining) == ["five", "eight", "nine"]


def test_counters_and_counts_forget_the_same_words() -> None:
    tokenizer = Tokenizer(negation=None)
    counter = sum_counter(items_of(LEXICON, tokenizer), tokenizer)
    counter.add(pa.array([TEXT]))
    counter.prune(4)
    words, _, occurrences, _ = counter.sums()
    kept = {word: n for word, n in zip(words.to_pylist(), occurrences.tolist(), strict=True) if n}
    assert kept == {"good": 1, "bad": 1, "five": 5}
    assert counter.totals()["pruned"] == 7  # tokens, not words
    assert counter.totals()["tokens"] == 14


def test_pruning_by_bytes_keeps_every_sum_of_the_lexicon() -> None:
    texts = [f"good bad good film {'x' * (at % 9 + 1)} {'y' * (at % 50 + 1)}" for at in range(300)]
    whole = count(texts, LEXICON, associations=True)
    size = whole.words.nbytes + sum(getattr(whole, name).nbytes for name in whole.per_word)
    assert prune_counts(whole, max_bytes=size) is whole
    pruned = prune_counts(whole, max_bytes=size - len(whole.words))
    assert 0 < len(pruned.words) < len(whole.words)
    assert pruned.pruned == whole.occurrences.sum() - pruned.occurrences.sum() > 0
    assert pruned.totals | {"pruned": 0} == whole.totals
    place = [whole.words.to_pylist().index(word) for word in pruned.words.to_pylist()]
    for name in whole.per_word:
        assert np.array_equal(getattr(pruned, name), getattr(whole, name)[place])
    entries_only = prune_counts(whole, max_bytes=1)
    assert set(entries_only.words.to_pylist()) == {"good", "bad"}
    assert abs(whole.pairs - entries_only.pairs).sum() == 0


def test_counting_with_little_memory_forgets_by_the_same_rule() -> None:
    with pytest.warns(ProblexWarning, match="1 pair of entries"):
        counts = count_batches(batches([TEXT]), LEXICON, 1, word_bytes=1)
    assert words_of(counts) == {"good": 1, "bad": 1}
    assert counts.pruned == 12
    assert counts.tokens == 14


@pytest.mark.parametrize("threads", [1, 2])
def test_pairs_that_need_more_memory_than_is_allowed_are_a_warning(threads: int) -> None:
    """Three pairs need 51 bytes, and two fifths of what is left for the result are for words."""
    lexicon = Lexicon({"negative": ["bad", "poor", "sad"], "positive": ["good"]})
    texts = ["good bad", "good poor", "good sad, bad"]
    expected = count(texts, lexicon, threads)
    message = (
        "3 pairs of entries occur together: with them the process takes about 256 MiB, more than memory=... allows. "
        "The result is exact all the same; without its most frequent words a lexicon needs less"
    )
    with pytest.warns(ProblexWarning, match=re.escape(message)):
        counts = count_batches(batches(texts), lexicon, threads, word_bytes=20)
    assert abs(counts.pairs - expected.pairs).sum() == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        count_batches(batches(texts), lexicon, threads, word_bytes=21)


def test_what_the_process_has_already_is_part_of_the_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairs need 51 bytes; the limit leaves 200 beside the 256 MiB of the program."""
    (tmp_path / "texts.txt").write_text("good bad\ngood poor\ngood sad, bad\n")
    lexicon = Lexicon({"negative": ["bad", "poor", "sad"], "positive": ["good"]})
    of_caller = CountJob(lexicon, Tokenizer(), 1, word_bytes=80, room=int(RESULT_SHARE * 80))
    of_files = replace(of_caller, of_files=True)
    read = partial(batches, tmp_path / "texts.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for has in (0, (256 << 20) + 100):
            monkeypatch.setattr(streams, "resident_memory", lambda has=has: has)
            of_files.count(read())
        monkeypatch.setattr(streams, "resident_memory", lambda: (400 << 20) + 999)
        of_caller.count(read())  # the texts of a caller are not part of the limit
    with pytest.warns(
        ProblexWarning, match="3 pairs of entries occur together: with them the process takes about 400 MiB"
    ):
        of_files.count(read())


@pytest.mark.parametrize("size", [0, 1, 2, 3, 8, 13])
def test_sums_of_parts(size: int, texts: list[str]) -> None:
    parts = [count(texts[at::size], LEXICON, 1) for at in range(size)]
    total = sum_counts(iter(parts))
    assert total == (count(texts, LEXICON) if size else None)
    if total is not None:
        pruned = sum_counts(parts, max_words=3)
        assert pruned is not None
        assert len(set(pruned.words.to_pylist()) - set(pruned.entries)) <= 3
        assert pruned.totals | {"pruned": 0} == total.totals
        assert pruned.pruned == total.occurrences.sum() - pruned.occurrences.sum()


def test_counts_without_words() -> None:
    none = Counts.none(LEXICON)
    assert prune_counts(none, max_words=1, max_bytes=1) is none
