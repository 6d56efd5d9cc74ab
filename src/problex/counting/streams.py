"""`count`: from texts of any source to `Counts`, on every core and within bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial, reduce
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from problex._util.arrays import IntArray
from problex._util.memory import DEFAULT_MEMORY, check_memory, choose_batch_bytes, vocabulary_memory
from problex._util.threads import map_ordered, map_round_robin, map_unordered, resolve_threads
from problex.corpus import Batch, batches, is_paths, strip_markup
from problex.counting._counter import Counter, document_keys, release
from problex.counting.checkpoints import Checkpoint, corpus_key, cut_segments, prune_counts
from problex.counting.counts import Counts, no_counts, settings_of
from problex.counting.pool import Pool, sum_counter
from problex.counting.sample import Sample
from problex.counting.table_sums import sum_table
from problex.counting.tables import tabulate
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of, warn_of_problems
from problex.matching.language_guess import TEXTS_TO_GUESS, resolve_language
from problex.matching.tokens import Tokenizer

FILE_BATCH, MEMORY_BATCH = 8 << 20, 1 << 20
"""Bytes of text in a batch from files and from memory, at most."""
SEGMENT_BYTES = 4 << 30
"""Bytes of text between two checkpoints: adding up two vocabularies of a million words takes a second."""


def count(
    documents: Any,
    lexicon: Lexicon,
    threads: int | None = None,
    *,
    text: str | None = None,
    tokenizer: Tokenizer | None = None,
    missing: str = "error",
    on_error: str = "stop",
    format: str | None = None,
    markup: bool = False,
    memory: int = DEFAULT_MEMORY,
    associations: bool = False,
    checkpoint: str | PathLike[str] | None = None,
    on_batch: Callable[[Batch], object] | None = None,
) -> Counts:
    """Count texts for a lexicon: any collection of texts, a frame with `text` naming its column, or paths of files.

    `threads=None` uses every core; the result does not depend on it. `Tokenizer("auto")` guesses the language from the
    first texts, and `tokenizer_of(counts)` is the one that was used. `markup` turns tags into blanks. `memory` is about
    how many bytes counting may take: beyond it rare words outside the lexicon are forgotten, and their tokens are
    counted in `pruned`. `associations` also counts how often every word occurs together with each list: rule="pmi" and
    suggestions need it. With a `checkpoint`, the name of a file, the counting of files continues where an interrupted
    call with the same arguments stopped; delete it when the counts are no longer needed. `on_batch` is called with
    each batch before it is counted, in the thread of the caller.

    >>> lexicon = Lexicon({"positive": ["good"], "negative": ["bad"]})
    >>> counts = count(["good film", "bad film, good cast"], lexicon)
    >>> counts.documents, counts.tokens, counts.entries, counts.pairs.toarray().tolist()
    (2, 6, ('bad', 'good'), [[0, 1], [0, 0]])
    """
    tokenizer = tokenizer or Tokenizer()
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    size = min(FILE_BATCH if is_paths(documents) else MEMORY_BATCH, choose_batch_bytes(check_memory(memory), threads))
    read = partial(batches, documents, text=text, missing=missing, on_error=on_error, format=format, batch_bytes=size)
    counting = partial(count_batches, lexicon=lexicon, markup=markup, associations=associations)
    if checkpoint is None:
        stream = read() if on_batch is None else _notify(read(), on_batch)
        return counting(stream, threads=threads, tokenizer=tokenizer, word_bytes=vocabulary_memory(memory))
    key = corpus_key(documents) | {"text": text, "missing": missing, "on_error": on_error, "format": format}
    tokenizer, _ = _known_language(tokenizer, read())
    lanes = resolve_threads(threads)
    key |= {"markup": markup, "memory": memory, "threads": lanes, "segment": SEGMENT_BYTES}
    key |= {"associations": associations, **settings_of(lexicon, tokenizer)}
    counting = partial(counting, tokenizer=tokenizer)
    return _count_segments(read, counting, Checkpoint(Path(checkpoint), key), memory, lanes, on_batch)


def _count_segments(
    read: Callable[..., Iterator[Batch]],
    counting: Callable[..., Counts],
    checkpoint: Checkpoint,
    memory: int,
    lanes: int,
    on_batch: Callable[[Batch], object] | None,
) -> Counts:
    """Count a segment of the texts after the other; after each the sum and the position are saved."""
    counts, position = checkpoint.load() or (counting([]), ())
    stream = read(start=position) if on_batch is None else _notify(read(start=position), on_batch)
    lane = partial(counting, threads=1, word_bytes=3 * vocabulary_memory(memory) // 4 // lanes)
    for segment in cut_segments(stream, SEGMENT_BYTES):
        parts = map_round_robin(lane, segment, lanes)
        release()  # adding up takes memory, too
        counts = prune_counts(reduce(Counts.__add__, parts, counts), memory // 12)
        if segment.position:
            checkpoint.save(counts, segment.position)
    return counts


def _notify(stream: Iterable[Batch], on_batch: Callable[[Batch], object]) -> Iterator[Batch]:
    for batch in stream:
        on_batch(batch)
        yield batch


def count_batches(
    stream: Iterable[Batch],
    lexicon: Lexicon,
    threads: int | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    word_bytes: int = DEFAULT_MEMORY,
    associations: bool = False,
) -> Counts:
    """Count batches of documents as they come; words may take about `word_bytes`. All counting goes through here."""
    tokenizer, stream = _known_language(tokenizer or Tokenizer(), stream)
    lexicon = lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)
    items, settings = items_of(lexicon, tokenizer), settings_of(lexicon, tokenizer)
    warn_of_problems(items)
    none = no_counts(items, settings, associations=associations)
    if tokenizer.custom is not None:
        one = partial(_count_slowly, items=items, tokenizer=tokenizer, none=none, markup=markup)
        return reduce(Counts.__add__, map_ordered(one, stream, threads), none)
    pool = Pool(partial(sum_counter, items, tokenizer, associations=associations))
    room = word_bytes // resolve_threads(threads)
    losses = map_unordered(partial(_count_into, pool, room=room, markup=markup), stream, threads)
    missing, invalid = np.array([(0, 0), *losses]).sum(axis=0).tolist()
    return replace(_counted(pool, none), missing=missing, invalid=invalid)


def _known_language(tokenizer: Tokenizer, stream: Iterable[Batch]) -> tuple[Tokenizer, Iterable[Batch]]:
    """The tokenizer of the language that "auto" stands for, by the first texts, and the whole stream."""
    if tokenizer.language != "auto":
        return tokenizer, stream
    batches_left, first = iter(stream), list[Batch]()
    while sum(len(batch.texts) for batch in first) < TEXTS_TO_GUESS and (batch := next(batches_left, None)):
        first.append(batch)
    texts = [text for batch in first for text in batch.texts[:TEXTS_TO_GUESS].to_pylist()]
    return resolve_language(tokenizer, texts[:TEXTS_TO_GUESS]), chain(first, batches_left)


def _count_into(pool: Pool, batch: Batch, room: int, markup: bool) -> tuple[int, int]:
    """Count a batch with a counter of the pool; what was missing and what unreadable."""
    with pool.take() as counter:
        counter.add(strip_markup(batch.texts) if markup else batch.texts)
        prune(counter, room)
    return batch.missing, batch.invalid


def prune(counter: Counter, room: int) -> None:
    """Keep a counter within its room: words outside the lexicon that were seen least go first, down to half of it.

    Their tokens stay in all other sums, so every sum of the lexicon is exact; only the concentration sees less of the
    rarest words, which have next to no weight in it.
    """
    least = 1
    while counter.fullness(room) > (1.0 if least == 1 else 0.5) and counter.prune(least):
        least *= 2
        if least > 1 << 20:
            break


def _count_slowly(batch: Batch, items: Items, tokenizer: Tokenizer, none: Counts, markup: bool) -> Counts:
    texts = strip_markup(batch.texts) if markup else batch.texts
    found = sum_table(tabulate(texts, items, tokenizer), items, none, document_keys(texts))
    return replace(found, missing=batch.missing, invalid=batch.invalid)


def _counted(pool: Pool, none: Counts) -> Counts:
    """What the counters of a pool have counted, as a value."""
    counter, (found, place) = pool.merge(partial(_all_but_pairs, none=none))
    size = len(found.entries)
    ends, columns, values = counter.pairs(place, size)
    return replace(found, pairs=sparse.csr_array((values, columns, ends), shape=(size, size)))


def _all_but_pairs(counter: Counter, none: Counts) -> tuple[Counts, IntArray]:
    """What a counter has counted but for the pairs, and the place of each of its items among the entries."""
    words, numbers, occurrences, squares = counter.sums()
    entries, list_index, place = _entries(counter)
    keys, repeats, lengths, ends, items, counts = counter.sample()
    rows = sparse.csr_array((counts, place[items], ends), shape=(len(keys), len(entries)))
    rows.sort_indices()  # sums of floats over a row must not depend on the order in which its words came
    changes: dict[str, Any] = dict(counter.totals())
    if none.imputed is not None:
        changes["list_products"], changes["imputed"] = counter.associations(numbers)
    found = replace(
        none,
        entries=entries,
        list_index=list_index,
        words=words,
        occurrences=occurrences,
        squares=squares,
        imputed_documents=counter.imputed_documents(),
        sample=Sample(keys, repeats, lengths, rows, none.sample.most),
        **changes,
    )
    return found, place


def _entries(counter: Counter) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """The entries to keep in their order, their lists, and the place of each item: negated and caught ones if met."""
    kept = np.flatnonzero(counter.seen_items() | counter.written_items())
    if counter.numbered_alike:
        names, lists = counter.known_items()
        entries = tuple(names[kept].tolist())
    else:  # those that wildcards caught come last, and have to go to their places
        found, lists = counter.items()
        table = pa.table({"list": lists[kept], "name": found.take(pa.array(kept))})
        order = pc.sort_indices(table, [("list", "ascending"), ("name", "ascending")])
        kept, entries = kept[order.to_numpy()], tuple(table["name"].take(order).to_pylist())
    place = np.full(len(lists), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return entries, lists[kept], place
