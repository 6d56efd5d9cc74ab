"""`lookup`: from texts of any source and a dictionary to a table, on every core and within bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar, Unpack

import pyarrow as pa

from problex._util.memory import DEFAULT_MEMORY, check_memory, choose_batch_bytes
from problex._util.threads import map_ordered, resolve_threads
from problex.categories.entries import AnyDictionary, compile_entries, warn_of_lost_entries
from problex.categories.matcher import Found, Matcher
from problex.categories.rules import DEFAULT_MATCHING, MATCHING
from problex.categories.tables import TableLayout
from problex.corpus import Batch, Reading, batches, strip_markup
from problex.counting.streams import guess_stream_language
from problex.errors import DocumentError, check_choice
from problex.matching.tokens import Tokenizer

T = TypeVar("T")
CELL_BYTES = 24
"""Memory that a cell of the table takes at most while it is computed."""
MIN_CELLS = 1 << 16


def lookup(
    documents: Any,
    dictionary: AnyDictionary,
    *,
    values: str = "count",
    matching: str = DEFAULT_MATCHING,
    levels: str | int = "all",
    glob: bool = False,
    long: bool = False,
    text: str | None = None,
    keep: Sequence[str] | None = (),
    tokenizer: Tokenizer | None = None,
    keep_links: bool = False,
    markup: bool = False,
    threads: int | None = None,
    memory: int | None = None,
    **reading: Unpack[Reading],
) -> pa.Table:
    """How much of each text falls into each category of a dictionary, as a table of Arrow.

    Documents are any collection of texts, a frame with `text` naming its column, or paths of files. The dictionary is a
    file, a `Dictionary`, a `Lexicon`, or a mapping of categories to words or to words with weights; categories may
    overlap. `values` are counts, `percent` of the words, or the `mean` or `sum` of weights. `matching` is how matches
    are chosen that overlap: see `problex.categories.MATCHING`. `levels` are those of nested categories: `all`,
    `lowest`, or how many names of a path a column has. With `glob`, entries may have `?` for one letter and `*` inside
    words, as in quanteda; otherwise `sh*t` is matched as it is written. With `keep_links`, links, addresses and handles
    are words, too. With `long`, each text has a row for each category. `keep` are columns to keep (None: all).
    `reading` are options of `problex.corpus.ReadOptions`.

    >>> dictionary = {"joy": ["happ*"], "social": ["people", "happy people"]}
    >>> table = lookup(["Happy people, not sad.", "A happy end"], dictionary)
    >>> table.select(["words", "joy", "social"]).to_pylist()
    [{'words': 4, 'joy': 1, 'social': 1}, {'words': 3, 'joy': 1, 'social': 0}]
    """
    limit = DEFAULT_MEMORY if memory is None else check_memory(memory)
    size = choose_batch_bytes(limit, threads)
    stream = batches(documents, text=text, keep=keep, batch_bytes=size, memory=limit, hint_markup=not markup, **reading)
    if keep_links:
        tokenizer = replace(tokenizer or Tokenizer(), keep_links=True)
    matcher, stream = make_matcher(stream, dictionary, tokenizer, matching=matching, levels=levels, glob=glob)
    layout = TableLayout.of(matcher.entries.categories, values, long=long, weighted=matcher.entries.weighted)
    found = match_batches(stream, matcher, layout.table, markup=markup, threads=threads, memory=limit)
    tables = [table for _, table in found]
    if not tables:
        raise DocumentError("there are no documents to look up, expected at least one text")
    return pa.concat_tables(tables).combine_chunks()


def make_matcher(
    stream: Iterable[Batch],
    dictionary: AnyDictionary,
    tokenizer: Tokenizer | None = None,
    *,
    matching: str = DEFAULT_MATCHING,
    levels: str | int = "all",
    glob: bool = False,
) -> tuple[Matcher, Iterator[Batch]]:
    """The matcher of a dictionary for the language of the texts, and the stream of all batches.

    Negation is not used: a dictionary counts words.
    """
    check_choice("matching", matching, MATCHING)
    tokenizer = replace(tokenizer or Tokenizer(), negation="none")
    if tokenizer.language == "auto":
        tokenizer, stream = guess_stream_language(tokenizer, stream)
    entries = compile_entries(dictionary, tokenizer, levels, glob=glob)
    warn_of_lost_entries(entries)
    return Matcher(entries, tokenizer, matching).prepare(), iter(stream)


def match_batches(
    stream: Iterable[Batch],
    matcher: Matcher,
    compute: Callable[[Batch, Found], T],
    *,
    markup: bool = False,
    threads: int | None = None,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[tuple[Batch, T]]:
    """Match batch by batch, in order, and compute a result of each; `compute` is called by several threads.

    Batches of many short texts are divided, so that the cells of their tables fit into memory.
    """
    rows = cells_at_once(memory, threads) // max(len(matcher.entries.categories), 1)

    def work(batch: Batch) -> tuple[Batch, T]:
        texts = strip_markup(batch.texts) if markup else batch.texts
        return batch, compute(batch, matcher.match(texts))

    return map_ordered(work, divide_batches(stream, max(rows, 1)), threads)


def cells_at_once(memory: int, threads: int | None) -> int:
    """How many cells a part of the table has: all parts that wait may take a quarter of the memory."""
    return max(memory // 4 // (2 * resolve_threads(threads) + 1) // CELL_BYTES, MIN_CELLS)


def divide_batches(stream: Iterable[Batch], rows: int) -> Iterator[Batch]:
    """The same documents in batches of at most so many; what is lost, and the position, is said of the last."""
    for batch in stream:
        starts = range(0, len(batch.texts), rows)
        for start in starts[:-1]:
            columns = None if batch.columns is None else batch.columns.slice(start, rows)
            part = replace(batch, texts=batch.texts.slice(start, rows), columns=columns)
            yield replace(part, first_row=batch.first_row + start, missing=0, invalid=0, position=())
        last = starts[-1] if starts else 0
        columns = None if batch.columns is None else batch.columns.slice(last)
        yield replace(batch, texts=batch.texts.slice(last), columns=columns, first_row=batch.first_row + last)
