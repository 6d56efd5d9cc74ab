"""Texts to a sparse table of counts: one row per document, one column per word or phrase, and the sums over its rows.

The sums, in numpy, are for custom tokenizers, and to test the compiled counter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.counting._counter import Counter, document_keys
from problex.counting.copies import smallest_keys
from problex.counting.counters import id_counter, row_counter
from problex.counting.counts import Counts, draw_sample, entry_order
from problex.matching.items import Items
from problex.matching.reference import find_matches
from problex.matching.tokens import Tokenizer


class Rows(NamedTuple):
    """Counts in documents: document t has `columns[ends[t]:ends[t + 1]]`, and `lengths[t]` tokens in all.

    Documents with the same of the `keys` are copies, where these are known.
    """

    ends: NDArray[Any]
    columns: NDArray[Any]
    counts: NDArray[Any]
    lengths: IntArray
    keys: NDArray[np.uint64] | None = None


@dataclass(frozen=True, eq=False)
class CountTable:
    """Counts of `words` in documents; `lengths` counts every token, also of words that have no column.

    Documents with the same of the `keys` are copies, where these are known.
    """

    words: Sequence[str]
    matrix: sparse.csr_array
    lengths: IntArray
    keys: NDArray[np.uint64] | None = None

    @property
    def rows(self) -> Rows:
        """The arrays of the matrix."""
        return Rows(self.matrix.indptr, self.matrix.indices, self.matrix.data, self.lengths, self.keys)

    def project(self, columns: Mapping[str, int]) -> CountTable:
        """The same documents over other columns; words without a column are counted in the length only.

        >>> table = CountTable(["good", "film"], sparse.csr_array(np.array([[2, 3]])), np.array([5]))
        >>> other = table.project({"bad": 0, "good": 1})
        >>> other.matrix.toarray().tolist(), other.lengths.tolist()
        ([[0, 2]], [5])
        """
        place = {word: at for at, word in enumerate(self.words)}
        moves = [(place[word], at) for word, at in columns.items() if word in place]
        old, new = (np.array([move[side] for move in moves], dtype=np.int64) for side in (0, 1))
        shape = (len(self.words), len(columns))
        matrix = self.matrix @ sparse.csr_array((np.ones(len(moves), np.int64), (old, new)), shape=shape)
        matrix.sort_indices()
        return CountTable(list(columns), matrix, self.lengths, self.keys)


def tabulate(
    texts: Iterable[str] | pa.Array, items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None
) -> CountTable:
    """Count the words of each text: phrases are one word, negated items another; with `columns`, only these.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"a": ["not good"], "b": ["good"]}), Tokenizer())
    >>> table = tabulate(["good, not good, good"], items, Tokenizer())
    >>> counts = table.matrix.toarray()[0].tolist()
    >>> {word: x for word, x in zip(table.words, counts) if x}, table.lengths.tolist()
    ({'not good': 1, 'good': 2}, [3])
    """
    if tokenizer.custom is not None:
        return tabulate_slowly(texts, items, tokenizer, columns)
    table = tabulate_with(row_counter(items, tokenizer, columns), texts, columns)
    table.matrix.sort_indices()
    return table


def tabulator(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int]) -> Callable[[pa.Array], CountTable]:
    """A function that counts the columns in texts, for many calls: compiled, unless there is a custom tokenizer.

    The words of a row are in no order.
    """
    if tokenizer.custom is not None:
        return lambda texts: tabulate_slowly(texts, items, tokenizer, columns)
    counter = row_counter(items, tokenizer, columns)
    return lambda texts: tabulate_with(counter, texts, columns)


def tabulate_with(counter: Counter, texts: Iterable[str] | pa.Array, columns: Mapping[str, int] | None) -> CountTable:
    """The same with an existing counter of rows; the words of a row are in no order."""
    counter.add(texts if isinstance(texts, pa.Array) else pa.array(list(texts), pa.large_string()))
    ends, indices, counts, lengths, keys = counter.rows()
    words = list(columns) if columns is not None else counter.words().to_pylist()
    matrix = sparse.csr_array((counts.astype(np.int64), indices, ends), shape=(len(lengths), len(words)))
    return CountTable(words, matrix, lengths, keys)


def tabulate_slowly(
    texts: Iterable[str] | pa.Array, items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None
) -> CountTable:
    """The same by the reference implementation: for custom tokenizers, and to test the compiled counter."""
    texts = texts if isinstance(texts, pa.Array) else pa.array(list(texts), pa.large_string())
    tokens = token_ids_slowly(texts, items, tokenizer, columns)
    kept = tokens.ids >= 0
    ends = np.concatenate([[0], np.cumsum(kept)])[tokens.ends]
    counts, shape = np.ones(ends[-1], np.int64), (len(texts), len(tokens.words))
    matrix = sparse.csr_array((counts, tokens.ids[kept].astype(np.int64), ends), shape=shape)
    matrix.sum_duplicates()
    return CountTable(tokens.words, matrix, np.diff(tokens.ends), document_keys(texts))


@dataclass(frozen=True, eq=False)
class TokenIds:
    """The words of texts in order, as numbers: text t has `ids[ends[t]:ends[t + 1]]`; -1 is a word without a number."""

    words: Sequence[str]
    ids: NDArray[np.int32]
    ends: IntArray


def token_ids(
    texts: Iterable[str] | pa.Array, items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None
) -> TokenIds:
    """The words of each text in order, phrases and negated items as one word; with `columns`, only those have numbers.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"a": ["not good"], "b": ["good"]}), Tokenizer())
    >>> tokens = token_ids(["good, not good, film"], items, Tokenizer())
    >>> [tokens.words[at] for at in tokens.ids]
    ['good', 'not good', 'film']
    """
    if tokenizer.custom is not None:
        return token_ids_slowly(texts, items, tokenizer, columns)
    counter = id_counter(items, tokenizer, columns)
    counter.add(texts if isinstance(texts, pa.Array) else pa.array(list(texts), pa.large_string()))
    ends, ids = counter.ids()
    return TokenIds(list(columns) if columns is not None else counter.words().to_pylist(), ids, ends)


def token_ids_slowly(
    texts: Iterable[str] | pa.Array, items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None
) -> TokenIds:
    """The same by the reference implementation.

    >>> from problex.lexicon.lexicon import Lexicon
    >>> from problex.matching.items import items_of
    >>> items = items_of(Lexicon({"a": ["rip off"], "b": ["good"]}), Tokenizer())
    >>> token_ids_slowly(["a rip off, a"], items, Tokenizer()).words
    ['a', 'rip off']
    >>> token_ids_slowly(["a rip off, a"], items, Tokenizer(), {"rip off": 7}).ids.tolist()
    [-1, 7, -1]
    """
    numbers = dict(columns or {})
    ids: list[int] = []
    ends = [0]
    for text in texts.to_pylist() if isinstance(texts, pa.Array) else texts:
        for match in find_matches(text, items, tokenizer):
            if columns is None:
                ids.append(numbers.setdefault(match.name, len(numbers)))
            else:
                ids.append(columns.get(items.known_name(match.name, columns), -1))
        ends.append(len(ids))
    return TokenIds(list(numbers), np.array(ids, dtype=np.int32), np.array(ends, dtype=np.int64))


def sum_table(table: CountTable, items: Items, none: Counts, keys: NDArray[np.uint64] | None = None) -> Counts:
    """The sums over the rows of a table of counts; with the keys of the documents, also their sample."""
    seen = np.flatnonzero(_column_sums(table.matrix) > 0)
    matrix = table.matrix[:, seen]
    words = [table.words[int(at)] for at in seen]
    listed = {word: of for word in words if (of := items.find(word)) is not None} | dict(items.list_of)
    # the entries in their order, with those that never occur
    names, lists = list(listed), np.array(list(listed.values()), dtype=np.int64)
    order = entry_order(names, lists)
    entries, list_index = tuple(names[at] for at in order), lists[order]
    column_of = {word: at for at, word in enumerate(words)}
    present = [(number, column_of[name]) for number, name in enumerate(entries) if name in column_of]
    number, column = (np.array([pair[side] for pair in present], dtype=np.int64) for side in (0, 1))
    spread = sparse.csr_array((np.ones(len(number), np.int64), (column, number)), shape=(len(words), len(entries)))
    lexical = sparse.csr_array(matrix @ spread)
    # how often words occur together with each list, if that is counted
    list_products, imputed, imputed_documents = none.list_products, none.imputed, none.imputed_documents
    if imputed is not None:
        list_products, imputed, imputed_documents = list_associations(matrix, lexical, list_index, len(items.lists))
    return replace(
        none,
        entries=entries,
        list_index=list_index,
        words=pa.array(words, pa.string()),
        occurrences=_column_sums(matrix),
        squares=_column_sums(matrix.power(2)),
        pairs=_cross_pairs(lexical, list_index),
        sample=none.sample.with_columns(order, len(entries))
        if keys is None
        else draw_sample(keys, table.lengths, lexical, none.sample.limit, table.keys),
        keys=none.keys if table.keys is None else smallest_keys(table.keys[table.lengths > 0]),
        documents=len(table.lengths),
        tokens=int(table.lengths.sum()),
        squared_lengths=int((table.lengths**2).sum()),
        empty=int(np.sum(table.lengths == 0)),
        list_products=list_products,
        imputed=imputed,
        imputed_documents=imputed_documents,
    )


def list_associations(
    matrix: sparse.csr_array | sparse.csc_array, lexical: sparse.csr_array, list_index: IntArray, lists: int
) -> tuple[IntArray, IntArray, IntArray]:
    """For every word its products with each list and its occurrences by imputed label; documents by imputed label.

    >>> matrix = sparse.csr_array(np.array([[1, 1], [0, 2]]))    # two words, each a list: the first document is a tie
    >>> [part.tolist() for part in list_associations(matrix, matrix, np.array([0, 1]), 2)]
    [[[1, 1], [1, 5]], [[0, 0], [0, 2]], [0, 1]]
    """
    list_totals = (lexical @ sparse.csr_array(np.eye(lists, dtype=np.int64)[list_index])).toarray()
    label = _imputed_label(list_totals)
    chosen = np.eye(lists + 1, dtype=np.int64)[label][:, :-1]  # the last column is a tie: no label
    list_products = np.asarray(matrix.T @ list_totals, dtype=np.int64)
    return list_products, np.asarray(matrix.T @ chosen, dtype=np.int64), chosen.sum(axis=0)


def _imputed_label(list_totals: IntArray) -> IntArray:
    """The list with the most tokens in each document; the number of lists where there is a tie.

    >>> _imputed_label(np.array([[2, 1], [1, 1], [0, 3]])).tolist()
    [0, 2, 1]
    """
    best = list_totals.max(axis=1, keepdims=True)
    tie = (list_totals == best).sum(axis=1) > 1
    return np.asarray(np.where(tie, list_totals.shape[1], list_totals.argmax(axis=1)), dtype=np.int64)


def _cross_pairs(lexical: sparse.csr_array, list_index: IntArray) -> sparse.csr_array:
    """Sums of the products of each entry (row) with the entries of later lists (column).

    >>> lexical = sparse.csr_array(np.array([[2, 3, 1], [0, 1, 1]]))    # the second and the third are of one list
    >>> _cross_pairs(lexical, np.array([0, 1, 1])).toarray().tolist()
    [[0, 6, 2], [0, 0, 0], [0, 0, 0]]
    """
    product = (lexical.T @ lexical).tocoo()
    row, column = product.coords
    cross = list_index[row] < list_index[column]
    return sparse.csr_array((product.data[cross].astype(np.int64), (row[cross], column[cross])), shape=product.shape)


def _column_sums(matrix: sparse.csr_array) -> IntArray:
    return np.asarray(matrix.sum(axis=0), dtype=np.int64).reshape(-1)
