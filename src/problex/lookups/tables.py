"""`lookup`: from texts of any source to a table, what its cells are (`VALUES`), and its columns, wide or long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.arrow import number_array, string_array
from problex._util.memory import DEFAULT_MEMORY, check_memory, choose_batch_bytes
from problex.corpus import Batch, Reading, batches
from problex.errors import DocumentError, LexiconError, check_choice, opt, was_given
from problex.lookups.entries import AnyDictionary
from problex.lookups.matcher import Matches, make_matcher, match_batches
from problex.lookups.rules import DEFAULT_MATCHING
from problex.matching.tokens import Tokenizer
from problex.scoring.frames import prefix_columns

DIGITS = 4
"""Decimals of percentages, means and sums."""
ROW, WORDS, WORDS_PER_SENTENCE, IN_DICTIONARY = "row", "words", "words_per_sentence", "in_dictionary"
FIXED = (ROW, WORDS, WORDS_PER_SENTENCE, IN_DICTIONARY)
"""Columns that every wide table has; LIWC calls the last three WC, WPS and Dic."""


def counts(matches: Matches) -> IntArray:
    """How often the entries of each category occur."""
    return matches.counts


def percentages(matches: Matches) -> FloatArray:
    """Matches per hundred words; NaN in texts without words."""
    return in_percent(matches.counts, matches.lengths[:, None])


def weight_means(matches: Matches) -> FloatArray:
    """The mean of the weights of the matches; NaN where no entry with a weight occurs."""
    sums, numbers = matches.weight_sums()
    return divide(sums, numbers)


def weight_sums(matches: Matches) -> FloatArray:
    """The sum of the weights of the matches."""
    return matches.weight_sums()[0]


@dataclass(frozen=True)
class Value:
    """What a cell of the table is, in words, and the function that computes all of them."""

    description: str
    compute: Callable[[Matches], IntArray | FloatArray]
    weights: bool = False


VALUES = {
    "count": Value("how often entries occur", counts),
    "percent": Value("matches per hundred words", percentages),
    "mean": Value("the mean of the weights of what matches", weight_means, weights=True),
    "sum": Value("the sum of these weights", weight_sums, weights=True),
}
"""What a cell of the table can be, by name."""


def divide(numbers: IntArray | FloatArray, of: IntArray | FloatArray) -> FloatArray:
    """Quotients; NaN of nothing.

    >>> divide(np.array([1, 1]), np.array([4, 0])).tolist()
    [0.25, nan]
    """
    return np.asarray(np.divide(numbers, of, out=np.full(np.shape(numbers), np.nan), where=of > 0), np.float64)


def in_percent(numbers: IntArray, of: IntArray) -> FloatArray:
    """Numbers as percentages; NaN of nothing.

    >>> in_percent(np.array([1, 0]), np.array([8, 0])).tolist()
    [12.5, nan]
    """
    return 100.0 * divide(numbers, of)


@dataclass(frozen=True)
class TableLayout:
    """The form of a table: what its cells are, and whether it has a row for each category of a text (`long`)."""

    categories: tuple[str, ...]
    values: str = "count"
    long: bool = False

    @classmethod
    def of(cls, categories: Sequence[str], values: str, *, long: bool, weighted: bool) -> TableLayout:
        """The same, checked: means and sums need weights."""
        check_choice("values", values, VALUES)
        if VALUES[values].weights and not weighted:
            raise LexiconError(
                f"{was_given('values', values)}, but no entry of the dictionary has a weight, expected a "
                f"dictionary with weights such as VADER or norms of valence: choose {opt('values', 'count')} or "
                f"{opt('values', 'percent')}"
            )
        return cls(tuple(categories), values, long)

    def names(self) -> tuple[str, ...]:
        """The names of the columns except kept ones; a category that is called like another column gets a prefix.

        >>> TableLayout(("joy", "words")).names()
        ('row', 'words', 'words_per_sentence', 'in_dictionary', 'joy', 'category_words')
        >>> TableLayout(("joy", "words"), "percent", long=True).names()
        ('row', 'words', 'category', 'percent')
        """
        if self.long:
            return (ROW, WORDS, "category", self.values)
        renamed = {name: f"category_{name}" for name in FIXED}
        return (*FIXED, *(renamed.get(name, name) for name in self.categories))

    def other_types(self) -> dict[str, str]:
        """The columns that are not whole numbers, and what they are."""
        cells = (self.values,) if self.long else self.names()[len(FIXED) :]
        floats = () if self.values == "count" else cells
        types = dict.fromkeys(floats if self.long else (WORDS_PER_SENTENCE, IN_DICTIONARY, *floats), "double")
        return types | ({"category": "string"} if self.long else {})

    def table(self, batch: Batch, matches: Matches) -> pa.Table:
        """The rows of a batch: their numbers, kept columns and results."""
        cells = VALUES[self.values].compute(matches)
        rows = np.arange(batch.first_row, batch.first_row + len(cells))
        results = self._long(rows, matches.lengths, cells) if self.long else self._wide(rows, matches, cells)
        if batch.columns is None:
            return results
        renamed = prefix_columns(batch.columns.column_names, results.column_names)
        kept = batch.columns
        if self.long:
            kept = kept.take(number_array(np.repeat(np.arange(len(rows)), len(self.categories))))
        columns = {renamed.get(name, name): kept[name] for name in kept.column_names}
        if twice := sorted({*columns} & {*results.column_names}):
            raise DocumentError(
                f"the table would have two columns {twice[0]!r}, a kept one and a category: rename one, or choose "
                f"others with {opt('keep')}"
            )
        return pa.table({ROW: results[ROW], **columns, **{name: results[name] for name in results.column_names[1:]}})

    def _wide(self, rows: IntArray, matches: Matches, cells: IntArray | FloatArray) -> pa.Table:
        words = matches.lengths
        # a text without words has no sentences either
        sentences = np.where(words > 0, matches.sentences, 0)
        per_sentence = divide(words, sentences)
        in_dictionary = in_percent(matches.dictionary_words, words)
        arrays = [number_array(rows), number_array(words), _column(per_sentence), _column(in_dictionary)]
        return pa.table([*arrays, *map(_column, np.ascontiguousarray(cells.T))], names=list(self.names()))

    def _long(self, rows: IntArray, words: IntArray, cells: IntArray | FloatArray) -> pa.Table:
        width = len(self.categories)
        positions = number_array(np.tile(np.arange(width), len(rows)))
        arrays = [
            number_array(rows.repeat(width)),
            number_array(words.repeat(width)),
            string_array(self.categories).take(positions),
            _column(cells.reshape(-1)),
        ]
        return pa.table(arrays, names=list(self.names()))


def _column(numbers: IntArray | FloatArray) -> pa.Array:
    """Integers, or rounded floats whose NaN are nulls.

    >>> _column(np.array([0.33333, np.nan])).to_pylist(), _column(np.array([3])).to_pylist()
    ([0.3333, None], [3])
    """
    if numbers.dtype.kind == "i":
        return number_array(numbers)
    missing = np.isnan(numbers)
    rounded = np.round(numbers, DIGITS) + 0.0  # no negative zero
    return pa.array(rounded, mask=missing) if missing.any() else number_array(rounded)


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
    are chosen that overlap: see `problex.lookups.MATCHING`. `levels` are those of nested categories: `all`,
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
    result = match_batches(stream, matcher, layout.table, markup=markup, threads=threads, memory=limit)
    tables = [table for _, table in result]
    if not tables:
        raise DocumentError("there are no documents to look up, expected at least one text")
    return pa.concat_tables(tables).combine_chunks()
