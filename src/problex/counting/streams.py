"""`count`: from texts of any source to `Counts`, on every core and within bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from problex._util.arrays import IntArray
from problex._util.formatting import pluralize
from problex._util.json_values import MAX_INTEGER
from problex._util.late import sparse
from problex._util.memory import (
    BASE_MEMORY,
    DEFAULT_MEMORY,
    RESULT_SHARE,
    check_memory,
    choose_batch_bytes,
    resident_memory,
    vocabulary_memory,
)
from problex._util.threads import map_ordered, map_round_robin, map_unordered, resolve_threads
from problex.corpus import Batch, Reading, ReadOptions, batches, strip_markup
from problex.corpus.documents import is_paths
from problex.counting._counter import Counter, document_keys, release
from problex.counting.checkpoints import Checkpoint, corpus_key, cut_segments
from problex.counting.counters import Pool, read_entries, sum_counter
from problex.counting.counts import Counts, Sample
from problex.counting.pruning import drop_rare_words, prune_counts
from problex.counting.serialization import TOO_LARGE
from problex.counting.tables import sum_table, tabulate
from problex.errors import ProblexError, ProblexWarning, opt, warn_caller
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.language_guess import TEXTS_TO_GUESS, resolve_language
from problex.matching.tokens import Tokenizer

MEMORY_BATCH = 1 << 20
"""Bytes of text in a batch from memory."""
LAST_PARTS = 8
"""Into so many parts the last batch is cut if several threads count."""
DEFAULT_WORD_BYTES = vocabulary_memory(DEFAULT_MEMORY)
"""Bytes of words in all counters."""
PAIR_BYTES = 17
"""Bytes of a pair of entries: 12 in the counts, for its column and its sum, and 5 meanwhile; 14 to 15 were measured."""
SUM_BYTES = 24
"""Bytes of a pair in two counts that are added up: 12 in the counts that have it, and 12 in the sum."""
SEGMENT_BYTES = 4 << 30
"""Bytes of text between two checkpoints: adding up two vocabularies of a million words takes a second."""


def count(
    documents: Any,
    lexicon: Lexicon,
    threads: int | None = None,
    *,
    text: str | None = None,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    memory: int | None = None,
    associations: bool = False,
    checkpoint: str | PathLike[str] | None = None,
    on_batch: Callable[[Batch], object] | None = None,
    **reading: Unpack[Reading],
) -> Counts:
    """Count texts for a lexicon: any collection of texts, a frame with `text` naming its column, or paths of files.

    `threads=None` uses every core; the result does not depend on it. `Tokenizer("auto")` guesses the language from the
    first texts, and `tokenizer_of(counts)` is the one that was used. `markup` turns tags into blanks. `memory` is about
    how many bytes counting may take (None: 1 GiB): beyond it rare words outside the lexicon are dropped, and their
    tokens are counted in `pruned`. `associations` also counts how often every word occurs together with each list:
    rule="pmi" and suggestions need it. With a `checkpoint`, the name of a file, the counting of files continues where
    an interrupted call with the same arguments stopped; delete it when the counts are no longer needed. `on_batch` is
    called with each batch before it is counted, in the thread of the caller. `reading` are options of
    `problex.corpus.ReadOptions`, such as `missing`, `on_error` and `format`.

    >>> lexicon = Lexicon({"positive": ["good"], "negative": ["bad"]})
    >>> counts = count(["good film", "bad film, good cast"], lexicon)
    >>> counts.documents, counts.tokens, counts.entries, counts.pairs.toarray().tolist()
    (2, 6, ('bad', 'good'), [[0, 1], [0, 0]])
    """
    allowed = DEFAULT_MEMORY if memory is None else check_memory(memory)
    of_files, word_bytes = is_paths(documents), DEFAULT_WORD_BYTES if memory is None else vocabulary_memory(allowed)
    job = CountJob(
        lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon),
        tokenizer or Tokenizer(),
        threads,
        markup=markup,
        associations=associations,
        word_bytes=word_bytes,
        room=int(RESULT_SHARE * word_bytes),
        of_files=of_files,
    )
    size = choose_batch_bytes(allowed, threads) if of_files else MEMORY_BATCH
    read = partial(batches, documents, text=text, batch_bytes=size, memory=allowed, hint_markup=not markup, **reading)
    if checkpoint is None:
        return job.count(read() if on_batch is None else _notify(read(), on_batch))
    key = corpus_key(documents) | {"text": text} | ReadOptions(**reading).key()
    if job.tokenizer.language == "auto":
        job = replace(job, tokenizer=guess_stream_language(job.tokenizer, read())[0])
    # each thread gets the same batches in every run, and adding up segments needs a fourth of the memory
    job = replace(job, threads=resolve_threads(threads), in_turn=True, word_bytes=3 * word_bytes // 4)
    key |= {"markup": markup, "memory": allowed, "threads": job.threads, "segment": SEGMENT_BYTES}
    key |= {"associations": associations, **Counts.none(job.lexicon, job.tokenizer).settings}
    saved = Checkpoint(Path(checkpoint), key)
    with saved.lock():
        return _count_segments(read, job, saved, allowed // 12, on_batch)


def _count_segments(
    read: Callable[..., Iterator[Batch]],
    job: CountJob,
    checkpoint: Checkpoint,
    max_bytes: int,
    on_batch: Callable[[Batch], object] | None,
) -> Counts:
    """Count one segment of the texts after the other; the sum and the position are saved after each.

    Words may take `max_bytes`; a warning says if the pairs of entries need more than the room of the job.
    """
    counts, position = checkpoint.load() or (None, ())
    stream = read(start=position) if on_batch is None else _notify(read(start=position), on_batch)
    for segment in cut_segments(stream, SEGMENT_BYTES):
        part = job.count(segment)
        release()  # adding up takes memory, too
        if counts is not None and (pairs := counts.pairs.nnz + part.pairs.nnz) * SUM_BYTES > job.room:
            _warn_of_many_pairs(pairs, max(BASE_MEMORY + pairs * SUM_BYTES, resident_memory() + pairs * SUM_BYTES // 2))
        counts = prune_counts(part if counts is None else counts + part, max_bytes=max_bytes)
        if segment.position:
            checkpoint.save(counts, segment.position)
    return job.count([]) if counts is None else counts


def _notify(stream: Iterable[Batch], on_batch: Callable[[Batch], object]) -> Iterator[Batch]:
    for batch in stream:
        on_batch(batch)
        yield batch


@dataclass(frozen=True)
class CountJob:
    """How batches of documents are counted. All counting goes through here.

    Words may take about `word_bytes`. A warning says if the pairs of entries will need more than `room` bytes; for
    texts `of_files` the limit is for the whole process, so the memory in use is included. With `in_turn` each thread
    gets the same batches in every run, so that which rare words are dropped does not depend on how fast threads are.
    """

    lexicon: Lexicon
    tokenizer: Tokenizer
    threads: int | None = None
    markup: bool = False
    associations: bool = False
    word_bytes: int = DEFAULT_WORD_BYTES
    room: int = int(RESULT_SHARE * DEFAULT_WORD_BYTES)
    of_files: bool = False
    in_turn: bool = False

    def count(self, stream: Iterable[Batch]) -> Counts:
        """The counts of batches as they come."""
        if self.tokenizer.language == "auto":
            tokenizer, stream = guess_stream_language(self.tokenizer, stream)
            return replace(self, tokenizer=tokenizer).count(stream)
        items = items_of(self.lexicon, self.tokenizer)
        none = Counts.none(self.lexicon, self.tokenizer, associations=self.associations)
        if items.problems:
            warn_of_problems(items)
        if self.tokenizer.custom is not None:
            by_reference = partial(_count_by_reference, self, items, none)
            return reduce(Counts.__add__, map_ordered(by_reference, stream, self.threads), none)
        pool = Pool(partial(sum_counter, items, self.tokenizer, associations=self.associations))
        count_some = partial(_count_some, self, pool)
        if self.threads == 1:
            losses = [count_some(stream)]
        elif self.in_turn:
            losses = map_round_robin(count_some, stream, resolve_threads(self.threads))
        else:
            losses = map_unordered(count_some, zip(cut_last(stream), strict=True), self.threads)
        missing, invalid = np.array([(0, 0), *chain.from_iterable(losses)]).sum(axis=0).tolist()
        counts = _merge_counters(pool, none, self.room, whole=self.of_files)
        return replace(counts, missing=missing, invalid=invalid)


def count_batches(
    stream: Iterable[Batch],
    lexicon: Lexicon,
    threads: int | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    associations: bool = False,
    word_bytes: int = DEFAULT_WORD_BYTES,
) -> Counts:
    """Count batches of documents as they come; see `CountJob`."""
    room = int(RESULT_SHARE * word_bytes)
    job = CountJob(lexicon, tokenizer or Tokenizer(), threads, markup, associations, word_bytes, room)
    return job.count(stream)


def guess_stream_language(tokenizer: Tokenizer, stream: Iterable[Batch]) -> tuple[Tokenizer, Iterator[Batch]]:
    """The tokenizer of the language of the first texts, and the whole stream."""
    rest, first = iter(stream), list[Batch]()
    while sum(len(batch.texts) for batch in first) < TEXTS_TO_GUESS and (batch := next(rest, None)):
        first.append(batch)
    texts = [text for batch in first for text in batch.texts[:TEXTS_TO_GUESS].to_pylist()]
    return resolve_language(tokenizer, texts), chain(first, rest)


def cut_last(stream: Iterable[Batch]) -> Iterator[Batch]:
    """Batches, the last of them in parts, so that at the end no thread waits long for another; one alone stays whole.

    >>> import pyarrow as pa
    >>> [batch.texts.to_pylist() for batch in cut_last([Batch(pa.array(["a"]), 0), Batch(pa.array(["b", "c"]), 1)])]
    [['a'], ['b'], ['c']]
    """
    rest = iter(stream)
    last, following = next(rest, None), next(rest, None)
    if last is None or following is None:
        yield from () if last is None else (last,)
        return
    while following is not None:
        yield last
        last, following = following, next(rest, None)
    size = max(1, -(-len(last.texts) // LAST_PARTS))
    for start in range(0, max(1, len(last.texts)), size):
        columns = None if last.columns is None else last.columns.slice(start, size)
        part = replace(last, texts=last.texts[start : start + size], first_row=last.first_row + start, columns=columns)
        if start:
            part = replace(part, missing=0, invalid=0)
        yield part if start + size >= len(last.texts) else replace(part, position=())


def _count_some(job: CountJob, pool: Pool, some: Iterable[Batch]) -> list[tuple[int, int]]:
    """Count batches with one counter of the pool; the numbers of missing and of invalid documents of each."""
    losses, counter = [], pool.take()
    limit = job.word_bytes if job.threads == 1 else job.word_bytes // resolve_threads(job.threads)
    for batch in some:
        counter.add(strip_markup(batch.texts) if job.markup else batch.texts)
        check_squared_lengths([counter.totals()["squared_lengths"]])
        if counter.fullness(limit) > 1:
            drop_rare_words(partial(counter.fullness, limit), counter.prune)
        losses.append((batch.missing, batch.invalid))
    pool.free.put(counter)
    return losses


def check_squared_lengths(parts: Iterable[int]) -> None:
    """Raise if one of the sums of squared lengths of some counters has passed 2^63, or all together would.

    It is the largest of the sums over documents: no other passes 2^63 before. A single document adds at most 2^62, so
    that a sum of 64-bit integers is negative first.

    >>> check_squared_lengths([2**62, 2**62 - 1])
    >>> check_squared_lengths([2**62, 2**62])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: the counts are too large: ...
    """
    sums = list(parts)
    if sum(sums) > MAX_INTEGER or any(part < 0 for part in sums):
        raise ProblexError(TOO_LARGE)


def _count_by_reference(job: CountJob, items: Items, none: Counts, batch: Batch) -> Counts:
    """Count a batch in Python, for custom tokenizers."""
    texts = strip_markup(batch.texts) if job.markup else batch.texts
    counts = sum_table(tabulate(texts, items, job.tokenizer), items, none, document_keys(texts))
    return replace(counts, missing=batch.missing, invalid=batch.invalid)


def _merge_counters(pool: Pool, none: Counts, room: int = MAX_INTEGER, *, whole: bool = False) -> Counts:
    """The sums of all counters of a pool; a warning if their pairs need more than `room` bytes."""
    check_squared_lengths(counter.totals()["squared_lengths"] for counter in pool.all)
    threads = len(pool.all)
    counter, (counts, place) = pool.merge(partial(_read_all_but_pairs, none=none))
    size = len(counts.entries)
    number, bytes_here = counter.count_pairs()
    if number * PAIR_BYTES > room // 4:
        release()
        needed = max(BASE_MEMORY, resident_memory() - bytes_here if whole else 0) + number * PAIR_BYTES
        if needed > BASE_MEMORY + room:
            _warn_of_many_pairs(number, needed)
    ends, columns, values = counter.pairs(place, size, threads)
    pairs = sparse.csr_array((values, columns, ends), shape=(size, size))
    pairs.sort_indices()  # matches of wildcards come in any order; sums of floats over a row must not depend on it
    return replace(counts, pairs=pairs)


def _warn_of_many_pairs(pairs: int, needed: int) -> None:
    """Warn before they become a matrix, several times as large as in the counters: the process then takes `needed`."""
    warn_caller(
        f"{pluralize(pairs, 'pair')} of entries occur together: with them the process takes about {needed >> 20:,} "
        f"MiB, more than {opt('memory')} allows. The result is exact all the same; without its most frequent "
        "words a lexicon needs less",
        ProblexWarning,
    )


def _read_all_but_pairs(counter: Counter, none: Counts) -> tuple[Counts, IntArray]:
    """The sums of a counter except pairs, and the place of each of its items among the entries."""
    words, numbers, occurrences, squares = counter.sums()
    entries, list_index, place = read_entries(counter)
    keys, word_keys, repeats, lengths, ends, items, counts = counter.sample()
    rows = sparse.csr_array((counts, place[items], ends), shape=(len(keys), len(entries)))
    rows.sort_indices()  # sums of floats over a row must not depend on the order in which its words came
    list_products, imputed = counter.associations(numbers) if none.imputed is not None else (None, None)
    totals = counter.totals()
    sums = replace(
        none,
        entries=entries,
        list_index=list_index,
        words=words,
        occurrences=occurrences,
        squares=squares,
        imputed_documents=counter.imputed_documents(),
        sample=Sample(keys, word_keys, repeats, lengths, rows, none.sample.limit),
        keys=counter.keys(),
        list_products=list_products,
        imputed=imputed,
        documents=totals["documents"],
        tokens=totals["tokens"],
        squared_lengths=totals["squared_lengths"],
        empty=totals["empty"],
        pruned=totals["pruned"],
    )
    return sums, place
