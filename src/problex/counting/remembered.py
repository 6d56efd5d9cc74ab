"""Counts for a changed lexicon without counting the texts again, for programs that edit lists and show weights.

`remember` keeps how often every document has every word, negated or not; `recount` selects the columns of a lexicon and
sums them. The result equals `count` with that lexicon. Single words, wildcards and negation may change; phrases and
literals change the tokens of a text, so they must be those of the lexicon that the texts were remembered with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.arrow import pc
from problex._util.late import sparse
from problex.counting._counter import document_keys
from problex.counting.copies import smallest_keys
from problex.counting.pool import row_counter
from problex.counting.sample import SAMPLE_SIZE, Sample, draw_sample
from problex.counting.tables import Table, tabulate_slowly, tabulator
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of
from problex.matching.language_guess import resolve_language
from problex.matching.negation import NEGATED
from problex.matching.preparation import prepare_texts
from problex.matching.tokens import Tokenizer

PART_BYTES = 1 << 20
"""About as many bytes of text are counted at once, so that progress can be shown and work cancelled."""


@dataclass(frozen=True, eq=False)
class Remembered:
    """A corpus as counts of all its words: `matrix` has a column per word, one per negated word, and an empty one.

    `keys` are hashes of the texts, `word_keys` those of their words, which copies have in common; `sample` are the
    documents in the sample of every `Counts` of this corpus, and `sample_columns` their counts over the same columns.
    """

    tokenizer: Tokenizer
    items: Items
    words: pa.Array
    matrix: sparse.csc_array
    lengths: IntArray
    keys: NDArray[np.uint64]
    word_keys: NDArray[np.uint64]
    sample: Sample
    sample_columns: sparse.csc_array

    @cached_property
    def place(self) -> dict[str, int]:
        """The column of each word."""
        return {word: at for at, word in enumerate(self.words.to_pylist())}

    @cached_property
    def sample_rows(self) -> IntArray:
        """The documents of the sample."""
        return np.unique(self.keys, return_index=True)[1][: self.sample.limit].astype(np.int64)

    @cached_property
    def smallest_keys(self) -> NDArray[np.uint64]:
        """The keys of every `Counts` of this corpus."""
        return smallest_keys(self.word_keys[self.lengths > 0])

    @cached_property
    def sorted_places(self) -> IntArray:
        """The columns of the words in the order of their letters."""
        return np.asarray(pc.array_sort_indices(self.words).to_numpy(), dtype=np.int64)

    @cached_property
    def sorted_words(self) -> list[str]:
        """The words in the order of their letters."""
        words: list[str] = self.words.take(pa.array(self.sorted_places)).to_pylist()
        return words

    def documents_with(self, word: str) -> IntArray:
        """The documents that have a word, negated or not, in order."""
        ends, rows = self.matrix.indptr, self.matrix.indices
        columns = [self.column(word), self.column(NEGATED + word)]
        return np.unique(np.concatenate([rows[ends[at] : ends[at + 1]] for at in columns])).astype(np.int64)

    @cached_property
    def negated_words(self) -> pa.Array:
        """The names of the negated words."""
        return pc.binary_join_element_wise(NEGATED, self.words, "")

    @cached_property
    def single(self) -> NDArray[np.bool_]:
        """Which of the words are one token: only these can match wildcards."""
        literal = pc.is_in(self.words, pa.array(self.items.literals, pa.string()))
        phrase = pc.match_substring(self.words, " ")
        return ~np.asarray(pc.or_(literal, phrase).to_numpy(zero_copy_only=False), dtype=bool)

    @cached_property
    def _selected(self) -> dict[tuple[str, ...], sparse.csr_array]:
        """The last result of `rows`."""
        return {}

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What `recount` computed for the last lexicon: after an edit, little of it changes."""
        return {}

    def column(self, name: str) -> int:
        """The column of a word, or of a negated word by its name; the empty column for a word that never occurs."""
        negated = name.startswith(NEGATED)
        at = self.place.get(name.removeprefix(NEGATED) if negated else name)
        return self.matrix.shape[1] - 1 if at is None else at + negated * len(self.words)

    def has_any(self, names: Iterable[str]) -> bool:
        """Whether any document has one of these words, by their names."""
        return not self._occurring.isdisjoint(names)

    @cached_property
    def _occurring(self) -> frozenset[str]:
        """The names of the words that occur, and of those that occur negated."""
        occurs = np.diff(self.matrix.indptr)[:-1] > 0
        plain, negated = np.split(occurs, 2)
        words = self.place  # in the order of the columns
        return frozenset((*compress(words, plain.tolist()), *map(NEGATED.__add__, compress(words, negated.tolist()))))

    def rows(self, names: tuple[str, ...], columns: IntArray | None = None) -> sparse.csr_array:
        """How often every document has each of these words, by their names; `columns` are theirs, if known.

        The last result is kept: an edit of a lexicon needs it for the counts, and again for the scores.
        """
        rows = self._selected.get(names)
        if rows is None:
            if columns is None:
                columns = np.fromiter(map(self.column, names), np.int64, len(names))
            rows = sparse.csr_array(self.matrix[:, columns])
            self._selected.clear()
            self._selected[names] = rows
        return rows

    @cached_property
    def occurrences(self) -> IntArray:
        """The sum of every column."""
        return self._column_sums(self.matrix.data)

    @cached_property
    def squares(self) -> IntArray:
        """The sum of squares of every column."""
        return self._column_sums(self.matrix.data.astype(np.int64) ** 2)

    @cached_property
    def total_squares(self) -> IntArray:
        """The sum of squares of every word that is not an item: negated and other occurrences together."""
        size = len(self.words)
        both = self.matrix[:, :size].multiply(self.matrix[:, size : 2 * size])
        products = np.asarray(both.sum(axis=0), dtype=np.int64).reshape(-1)
        return self.squares[:size] + self.squares[size : 2 * size] + 2 * products

    def _column_sums(self, values: IntArray) -> IntArray:
        """The sums over columns of values of the stored counts."""
        totals = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])[self.matrix.indptr]
        return np.diff(totals)


def remember(
    texts: pa.Array,
    lexicon: Lexicon,
    tokenizer: Tokenizer | None = None,
    *,
    progress: Callable[[float], None] | None = None,
) -> Remembered:
    """Count every word of every text, with the phrases and literals of a lexicon; `recount` then needs no texts.

    `progress` is called now and then with the share of the work that is done, from 0 to 1. To cancel, raise an
    exception in it: `remember` ends with that.

    >>> first = Lexicon({"positive": ["good"], "negative": ["bad", "rip off"]})
    >>> texts = pa.array(["good film", "not good, a rip-off", "bad dull film"])
    >>> corpus = remember(texts, first)
    >>> second = Lexicon({"positive": ["good", "fi*"], "negative": ["dull", "rip off"]})
    >>> from problex.counting import count, recount
    >>> recount(corpus, second) == count(texts, second)
    True
    """
    tokenizer = resolve_language(tokenizer or Tokenizer(), texts)
    items = items_of(lexicon, tokenizer)
    texts = prepare_texts(texts, items, tokenizer)
    parts, report = _parts(texts), progress or (lambda share: None)
    words = words_of(
        parts, items, tokenizer, lambda share: report(share / 3)
    )  # the second time takes about twice as long
    count_words, tables = word_counter(items, tokenizer, words), []
    for at, part in enumerate(parts):
        tables.append(count_words(part))
        report((1 + 2 * (at + 1) / len(parts)) / 3)
    lengths = np.concatenate([table.lengths for table in tables])
    rows = sparse.vstack([table.matrix for table in tables], format="csr")
    rows = sparse.csr_array((rows.data, rows.indices, rows.indptr), shape=(len(lengths), 2 * len(words) + 1))
    keys, matrix = document_keys(texts), sparse.csc_array(rows)
    word_keys = np.concatenate([table.keys for table in tables if table.keys is not None])
    matrix = matrix.astype(narrow_type(matrix))
    sample = draw_sample(keys, lengths, rows, SAMPLE_SIZE, word_keys)
    sample_columns = sparse.csc_array(sample.matrix)
    sample = replace(sample, matrix=sparse.csr_array((len(sample), 0), dtype=np.int64))
    per_text = (lengths, keys, word_keys)
    return Remembered(tokenizer, items, pa.array(words, pa.string()), matrix, *per_text, sample, sample_columns)


def _parts(texts: pa.Array) -> list[pa.Array]:
    """Consecutive texts of about `PART_BYTES` bytes."""
    rows = max(len(texts) * PART_BYTES // max(texts.nbytes, 1), 1)
    return [texts.slice(start, rows) for start in range(0, len(texts), rows)] or [texts]


def words_of(
    parts: Sequence[pa.Array], items: Items, tokenizer: Tokenizer, report: Callable[[float], None] | None = None
) -> list[str]:
    """The items and the words of texts, without negated ones."""
    counter = None if tokenizer.custom is not None else row_counter(items, tokenizer)
    words: dict[str, None] = {}
    for at, part in enumerate(parts):
        if counter is None:
            words |= dict.fromkeys([*items.names, *tabulate_slowly(part, items, tokenizer).words])
        else:
            counter.add(part)
            counter.rows()
        if report is not None:
            report((at + 1) / len(parts))
    names = words if counter is None else dict.fromkeys(counter.words().to_pylist())
    return [name for name in names if not name.startswith(NEGATED)]


def word_counter(items: Items, tokenizer: Tokenizer, words: Sequence[str]) -> Callable[[pa.Array], Table]:
    """A function that counts each word in texts, and each negated word, in the columns after those."""
    # every word is an item here, so that its negated occurrences have a column of their own
    all_items = replace(items, names=tuple(words), list_index=np.zeros(len(words), np.int64), wildcards=())
    columns = {name: at for at, name in enumerate([*words, *(NEGATED + word for word in words)])}
    return tabulator(all_items, tokenizer, columns)


def narrow_type(matrix: sparse.csc_array) -> type[np.int32] | type[np.int64]:
    """32-bit integers, if no sum of products of two columns can exceed them, else 64-bit ones."""
    wide = sparse.csc_array((matrix.data.astype(np.int64) ** 2, matrix.indices, matrix.indptr), shape=matrix.shape)
    largest = int(wide.sum(axis=0).max()) if wide.nnz else 0
    # the sum of products of two columns is at most the larger of their sums of squares (Cauchy-Schwarz)
    return np.int32 if largest < 2**31 else np.int64
