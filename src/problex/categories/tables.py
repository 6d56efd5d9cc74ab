"""The table of a lookup: what each cell is (`VALUES`), and its columns, wide or long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.arrow import number_array, string_array
from problex.categories.matcher import Found
from problex.corpus import Batch
from problex.errors import DocumentError, LexiconError, check_choice, opt, was_given
from problex.scoring.frames import prefix_columns

DIGITS = 4
"""Decimals of percentages, means and sums."""
ROW, WORDS, WORDS_PER_SENTENCE, IN_DICTIONARY = "row", "words", "words_per_sentence", "in_dictionary"
FIXED = (ROW, WORDS, WORDS_PER_SENTENCE, IN_DICTIONARY)
"""Columns that every wide table has; LIWC calls the last three WC, WPS and Dic."""


def counts(found: Found) -> IntArray:
    """How often the entries of each category occur."""
    return found.counts


def percentages(found: Found) -> FloatArray:
    """Matches per hundred words; NaN in texts without words."""
    return in_percent(found.counts, found.lengths[:, None])


def weight_means(found: Found) -> FloatArray:
    """The mean of the weights of the matches; NaN where no entry with a weight occurs."""
    sums, numbers = found.weight_sums()
    return divide(sums, numbers)


def weight_sums(found: Found) -> FloatArray:
    """The sum of the weights of the matches."""
    return found.weight_sums()[0]


@dataclass(frozen=True)
class Value:
    """What a cell of the table is, in words, and the function that computes all of them."""

    description: str
    compute: Callable[[Found], IntArray | FloatArray]
    weights: bool = False


VALUES = {
    "count": Value("how often entries occur", counts),
    "percent": Value("matches per hundred words", percentages),
    "mean": Value("the mean of the weights of what matches", weight_means, weights=True),
    "sum": Value("the sum of these weights", weight_sums, weights=True),
}
"""What a cell of the table can be, by name."""


def divide(numbers: IntArray | FloatArray, of: IntArray | FloatArray) -> FloatArray:
    """Quotients; NaN of nothing."""
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
        """The names of the columns except kept ones; a category that is called like another column gets a prefix."""
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

    def table(self, batch: Batch, found: Found) -> pa.Table:
        """The rows of a batch: their numbers, kept columns and results."""
        cells = VALUES[self.values].compute(found)
        rows = np.arange(batch.first_row, batch.first_row + len(cells))
        results = self._long(rows, found.lengths, cells) if self.long else self._wide(rows, found, cells)
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

    def _wide(self, rows: IntArray, found: Found, cells: IntArray | FloatArray) -> pa.Table:
        words = found.lengths
        # a text without words has no sentences either
        sentences = np.where(words > 0, found.sentences, 0)
        per_sentence = divide(words, sentences)
        in_dictionary = in_percent(found.dictionary_words, words)
        arrays = [number_array(rows), number_array(words), _column(per_sentence), _column(in_dictionary)]
        return pa.table([*arrays, *map(_column, np.ascontiguousarray(cells.T))], names=list(self.names()))

    def _long(self, rows: IntArray, words: IntArray, cells: IntArray | FloatArray) -> pa.Table:
        width = len(self.categories)
        places = number_array(np.tile(np.arange(width), len(rows)))
        arrays = [
            number_array(rows.repeat(width)),
            number_array(words.repeat(width)),
            string_array(self.categories).take(places),
            _column(cells.reshape(-1)),
        ]
        return pa.table(arrays, names=list(self.names()))


def _column(numbers: IntArray | FloatArray) -> pa.Array:
    """Integers, or rounded floats whose NaN are nulls."""
    if numbers.dtype.kind == "i":
        return number_array(numbers)
    missing = np.isnan(numbers)
    rounded = np.round(numbers, DIGITS) + 0.0  # no negative zero
    return pa.array(rounded, mask=missing) if missing.any() else number_array(rounded)
