"""Texts to a sparse table of counts: one row per document, one column per word or phrase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.counting._counter import Counter, document_keys
from problex.counting.pool import id_counter, row_counter
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
class Table:
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

    def project(self, columns: Mapping[str, int]) -> Table:
        """The same documents over other columns; words without a column are counted in the length only."""
        place = {word: at for at, word in enumerate(self.words)}
        moves = [(place[word], at) for word, at in columns.items() if word in place]
        old, new = (np.array([move[side] for move in moves], dtype=np.int64) for side in (0, 1))
        shape = (len(self.words), len(columns))
        matrix = self.matrix @ sparse.csr_array((np.ones(len(moves), np.int64), (old, new)), shape=shape)
        matrix.sort_indices()
        return Table(list(columns), matrix, self.lengths, self.keys)


def tabulate(
    texts: Iterable[str] | pa.Array, items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None
) -> Table:
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


def tabulator(items: Items, tokenizer: Tokenizer, columns: Mapping[str, int]) -> Callable[[pa.Array], Table]:
    """A function that counts the columns in texts, for many calls: compiled, unless there is a custom tokenizer.

    The words of a row are in no order.
    """
    if tokenizer.custom is not None:
        return lambda texts: tabulate_slowly(texts, items, tokenizer, columns)
    counter = row_counter(items, tokenizer, columns)
    return lambda texts: tabulate_with(counter, texts, columns)


def tabulate_with(counter: Counter, texts: Iterable[str] | pa.Array, columns: Mapping[str, int] | None) -> Table:
    """The same with an existing counter of rows; the words of a row are in no order."""
    counter.add(texts if isinstance(texts, pa.Array) else pa.array(list(texts), pa.large_string()))
    ends, indices, counts, lengths, keys = counter.rows()
    words = list(columns) if columns is not None else counter.words().to_pylist()
    matrix = sparse.csr_array((counts.astype(np.int64), indices, ends), shape=(len(lengths), len(words)))
    return Table(words, matrix, lengths, keys)


def tabulate_slowly(
    texts: Iterable[str] | pa.Array, items: Items, tokenizer: Tokenizer, columns: Mapping[str, int] | None = None
) -> Table:
    """The same by the reference implementation: for custom tokenizers, and to test the compiled counter."""
    numbers: dict[str, int] = {}
    flat: list[int] = []
    ends = [0]
    lengths: list[int] = []
    texts = texts if isinstance(texts, pa.Array) else pa.array(list(texts), pa.large_string())
    for text in texts.to_pylist():
        tokens = [match.name for match in find_matches(text, items, tokenizer)]
        if columns is None:
            flat.extend([numbers.setdefault(token, len(numbers)) for token in tokens])
        else:
            flat.extend([columns[name] for token in tokens if (name := items.known_name(token, columns)) in columns])
        lengths.append(len(tokens))
        ends.append(len(flat))
    words = list(columns if columns is not None else numbers)
    shape = (len(lengths), len(words))
    indices = np.array(flat, dtype=np.int64)
    matrix = sparse.csr_array((np.ones(len(flat), np.int64), indices, np.array(ends, np.int64)), shape=shape)
    matrix.sum_duplicates()
    return Table(words, matrix, np.array(lengths, dtype=np.int64), document_keys(texts))


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
    """The same by the reference implementation."""
    known = dict(columns or {})
    ids: list[int] = []
    ends = [0]
    for text in texts.to_pylist() if isinstance(texts, pa.Array) else texts:
        for match in find_matches(text, items, tokenizer):
            ids.append(known.get(match.name, -1) if columns is not None else known.setdefault(match.name, len(known)))
        ends.append(len(ids))
    return TokenIds(list(known), np.array(ids, dtype=np.int32), np.array(ends, dtype=np.int64))
