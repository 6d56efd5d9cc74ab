"""All words of texts and all pairs of neighbours, as sparse rows of tf-idf over a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex.counting.tables import TokenIds


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words and pairs of neighbours that have a column: `first` and `second` are places in `words`.

    `second` is -1 for a single word. `documents` is in how many documents each was seen, of `corpus` documents.
    `discounts` are factors of the columns, see `problex.expansion.discount`; None is no discount.
    """

    words: tuple[str, ...]
    first: IntArray
    second: IntArray
    documents: IntArray
    corpus: int
    discounts: FloatArray | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # not what was derived from them

    @property
    def names(self) -> list[str]:
        """Each feature as it is shown: a word, or two words separated by a space."""
        return [self.name(column) for column in range(len(self.first))]

    def name(self, column: int) -> str:
        """A feature as it is shown."""
        first, second = self.words[self.first[column]], self.second[column]
        return first if second < 0 else f"{first} {self.words[second]}"

    @cached_property
    def columns(self) -> dict[str, int]:
        """The place of each word that is looked up in texts."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def rarity(self) -> NDArray[np.float32]:
        """The inverse document frequency of each feature: log((1 + n) / (1 + n_i)) + 1."""
        return np.asarray(np.log((1.0 + self.corpus) / (1.0 + self.documents)) + 1.0, dtype=np.float32)

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """What 1 + log count is multiplied by: the rarity, times the discount."""
        return self.rarity if self.discounts is None else (self.rarity * self.discounts).astype(np.float32)

    @cached_property
    def _single(self) -> IntArray:
        """The column of each word, -1 for words that occur only in pairs."""
        place = np.full(len(self.words) + 1, -1, dtype=np.int64)  # the last is for unknown words, whose id is -1
        alone = np.flatnonzero(self.second < 0)
        place[self.first[alone]] = alone
        return place

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray]:
        """The codes of all pairs in order, and their columns."""
        pairs = np.flatnonzero(self.second >= 0)
        codes = self.first[pairs] * len(self.words) + self.second[pairs]
        order = np.argsort(codes)
        return codes[order], pairs[order]

    def count(self, tokens: TokenIds) -> FeatureCounts:
        """How often each feature occurs in each document."""
        tokens = tokens if tokens.words is self.words else renumber(tokens, self)
        documents, singles = _documents_of(tokens), self._single[tokens.ids]
        known = singles >= 0
        codes, of_pair = _neighbours(tokens, documents, len(self.words))
        sorted_codes, columns = self._pairs
        at = np.searchsorted(sorted_codes, codes)
        at[at == len(sorted_codes)] = 0
        has_column = sorted_codes[at] == codes if len(sorted_codes) else np.zeros(len(codes), dtype=bool)
        pair_columns = columns[at[has_column]] if len(columns) else at[has_column]
        shape = (len(tokens.ends) - 1, len(self.first))
        return _tally(
            np.concatenate([documents[known], of_pair[has_column]]),
            np.concatenate([singles[known], pair_columns]),
            shape,
        )

    def rows(self, tokens: TokenIds) -> sparse.csr_array:
        """Documents as rows of length one: (1 + log count) times rarity and discount for each feature.

        >>> ids, ends = np.array([0, 1, 2, 0, 1, 3], np.int32), np.array([0, 3, 6])
        >>> tokens = TokenIds(["a", "good", "film", "day"], ids, ends)
        >>> vocabulary = vocabulary_of(tokens, min_documents=2)
        >>> vocabulary.names, vocabulary.rows(tokens).toarray()[0].astype(float).round(2).tolist()
        (['a', 'good', 'a good'], [0.58, 0.58, 0.58])
        """
        found = self.count(tokens)
        return found.matrix(self.tf_idf(found)[0])

    def tf_idf(self, found: FeatureCounts) -> tuple[NDArray[np.float32], FloatArray]:
        """The tf-idf values of counts, those of a document scaled to length one, and the lengths before scaling."""
        values = (1.0 + np.log(found.counts)) * self.scales[found.columns]
        norms = np.sqrt(np.bincount(found.documents, weights=values * values, minlength=found.shape[0]))
        return (values / norms[found.documents]).astype(np.float32), norms


class FeatureCounts(NamedTuple):
    """How often features occur in documents: `counts` of `columns` in `documents`, in the order of both."""

    documents: IntArray
    columns: IntArray
    counts: NDArray[np.float32]
    shape: tuple[int, int]

    def matrix(self, values: NDArray[np.float32] | None = None) -> sparse.csr_array:
        """The counts, or other values in their places, as a sparse matrix with a row per document."""
        ends = np.zeros(self.shape[0] + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.documents, minlength=self.shape[0]), out=ends[1:])
        return sparse.csr_array((self.counts if values is None else values, self.columns, ends), shape=self.shape)


def vocabulary_of(tokens: TokenIds, *, min_documents: int = 4, max_features: int = 100_000) -> Vocabulary:
    """The words and pairs that occur in at least `min_documents`; the `max_features` that occur in most of them."""
    rows, size = _documents_of(tokens), max(len(tokens.words), 1)
    documents = len(tokens.ends) - 1
    known = tokens.ids >= 0
    seen = _documents_with(rows[known], tokens.ids[known].astype(np.int64), size, documents)
    frequent_words = seen >= min_documents
    codes, of_pair = _neighbours(tokens, rows, size, frequent_words)
    pairs, place = np.unique(codes, return_inverse=True)
    often = np.bincount(place, minlength=len(pairs)) >= min_documents  # a bound on its documents, and cheap
    pick = often[place]
    pair_seen = _documents_with(of_pair[pick], place[pick], len(pairs), documents)
    frequent = pair_seen >= min_documents
    first = np.concatenate([np.flatnonzero(frequent_words), pairs[frequent] // size])
    second = np.concatenate([np.full(int(frequent_words.sum()), -1), pairs[frequent] % size])
    counts = np.concatenate([seen[frequent_words], pair_seen[frequent]])
    if len(counts) > max_features:
        order = np.sort(np.argsort(-counts, kind="stable")[:max_features])
        first, second, counts = first[order], second[order], counts[order]
    return _compact(tokens.words, first, second, counts, documents)


def renumber(tokens: TokenIds, vocabulary: Vocabulary) -> TokenIds:
    """The same tokens by the places of a vocabulary's words."""
    columns = vocabulary.columns
    place = np.array([columns.get(word, -1) for word in tokens.words] + [-1], dtype=np.int32)
    return TokenIds(vocabulary.words, place[tokens.ids], tokens.ends)


def _compact(words: Sequence[str], first: IntArray, second: IntArray, seen: IntArray, documents: int) -> Vocabulary:
    """Only the words that are used, in the order of the alphabet, so that equal corpora give equal vocabularies."""
    used = np.unique(np.concatenate([first, second[second >= 0]]))
    used = np.array(sorted(used.tolist(), key=words.__getitem__), dtype=np.int64)
    place = np.full(len(words) + 1, -1, dtype=np.int64)
    place[used] = np.arange(len(used))
    a, b = place[first], place[second]
    order = np.lexsort((b, a, b >= 0))
    return Vocabulary(tuple(words[at] for at in used), a[order], b[order], seen[order], documents)


def _documents_of(tokens: TokenIds) -> IntArray:
    """The document of each token."""
    return np.arange(len(tokens.ends) - 1).repeat(tokens.ends[1:] - tokens.ends[:-1])


def _neighbours(
    tokens: TokenIds, rows: IntArray, size: int, included: NDArray[np.bool_] | None = None
) -> tuple[IntArray, IntArray]:
    """The code of each pair of known neighbours in a document, and its document."""
    left, right = tokens.ids[:-1], tokens.ids[1:]
    together = (rows[:-1] == rows[1:]) & (left >= 0) & (right >= 0)
    if included is not None:
        together &= included[left] & included[right]
    return left[together].astype(np.int64) * size + right[together], rows[1:][together]


def _documents_with(rows: IntArray, columns: IntArray, size: int, documents: int) -> IntArray:
    """The number of documents with each column."""
    return np.bincount(_tally(rows, columns, (documents, size)).columns, minlength=size)


def _tally(documents: IntArray, columns: IntArray, shape: tuple[int, int]) -> FeatureCounts:
    """How often each pair of a document and a column occurs."""
    codes = np.sort(documents * shape[1] + columns)
    ends = np.append((codes[1:] != codes[:-1]).nonzero()[0] + 1, len(codes)) if len(codes) else codes
    codes, counts = codes[ends - 1], ends.astype(np.float32)
    counts[1:] = ends[1:] - ends[:-1]
    return FeatureCounts(codes // shape[1], codes % shape[1], counts, shape)
