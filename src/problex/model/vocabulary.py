"""All words of texts and all pairs of neighbours, as sparse rows of tf-idf over a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex.counting.tables import TokenIds
from problex.model._features import FeatureCounter, document_counts, frequent_pairs, hash_pairs, scale_rows


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words and pairs of neighbours that have a column: `first` and `second` are places in `words`.

    `second` is -1 for a single word. `documents` is in how many documents each was seen, of `corpus` documents.
    `discounts` are factors of the columns, see `problex.estimation.weight_checks`; None is no discount.
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
    def _counters(self) -> local:
        """A counter for each thread."""
        return local()

    @cached_property
    def _places(self) -> tuple[NDArray[np.int32], IntArray]:
        """The column of each word, -1 for words that occur only in pairs, and the hash table of the pairs."""
        alone, pairs = np.flatnonzero(self.second < 0), np.flatnonzero(self.second >= 0)
        single = np.full(len(self.words), -1, dtype=np.int32)
        single[self.first[alone]] = alone
        codes = self.first[pairs].astype(np.int64) * len(self.words) + self.second[pairs]
        return single, hash_pairs(codes, pairs.astype(np.int32), len(self.first).bit_length())

    @property
    def counter(self) -> FeatureCounter:
        """The compiled counter of this thread."""
        own = self._counters
        if not hasattr(own, "counter"):
            own.counter = FeatureCounter(*self._places, len(self.first))
        return own.counter  # type: ignore[no-any-return]

    def count(self, tokens: TokenIds) -> FeatureCounts:
        """How often each feature occurs in each document."""
        tokens = renumber(tokens, self)
        return FeatureCounts(*self.counter.count(tokens.ids, tokens.ends), (len(tokens.ends) - 1, len(self.first)))

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
        values = np.asarray((1.0 + np.log(found.counts)) * self.scales[found.columns], dtype=np.float32)
        return values, scale_rows(found.ends, values)


class FeatureCounts(NamedTuple):
    """How often features occur: document t has `columns[ends[t]:ends[t + 1]]`, in ascending order, and their counts."""

    ends: IntArray
    columns: NDArray[np.int32]
    counts: NDArray[np.float32]
    shape: tuple[int, int]

    def matrix(self, values: NDArray[np.float32] | None = None) -> sparse.csr_array:
        """The counts, or other values in their places, as a sparse matrix with a row per document."""
        data = self.counts if values is None else values
        return sparse.csr_array((data, self.columns, self.ends), shape=self.shape)


def logarithms(longest: int) -> NDArray[np.float32]:
    """1 + log count for all counts up to this one; that of zero is not used."""
    return np.asarray(1.0 + np.log(np.maximum(np.arange(longest + 1), 1).astype(np.float32)), dtype=np.float32)


def vocabulary_of(tokens: TokenIds, *, min_documents: int = 4, max_features: int = 100_000) -> Vocabulary:
    """The words and pairs that occur in at least `min_documents`; the `max_features` that occur in most of them."""
    return vocabulary_and_tokens(tokens, min_documents, max_features)[0]


def vocabulary_and_tokens(
    tokens: TokenIds, min_documents: int = 4, max_features: int = 100_000
) -> tuple[Vocabulary, TokenIds]:
    """The vocabulary of tokens, and the same tokens by the places of its words, as `renumber` finds them.

    >>> tokens = TokenIds(["b", "a", "c"], np.array([0, 1, 2, 0, 1], np.int32), np.array([0, 3, 5]))    # "b a c", "b a"
    >>> vocabulary, known = vocabulary_and_tokens(tokens, min_documents=2)
    >>> vocabulary.names, known.ids.tolist()
    (['a', 'b', 'b a'], [1, 0, -1, 1, 0])
    """
    size = max(len(tokens.words), 1)
    seen = document_counts(tokens.ids, tokens.ends, size)
    frequent = np.flatnonzero(seen >= min_documents)
    codes, pair_seen = frequent_pairs(tokens.ids, tokens.ends, (seen >= min_documents).view(np.uint8), min_documents)
    order = np.argsort(codes)
    first = np.concatenate([frequent, codes[order] // size])
    second = np.concatenate([np.full(len(frequent), -1), codes[order] % size])
    counts = np.concatenate([seen[frequent], pair_seen[order]])
    if len(counts) > max_features:
        order = np.sort(np.argsort(-counts, kind="stable")[:max_features])
        first, second, counts = first[order], second[order], counts[order]
    vocabulary, place = _compact(tokens.words, first, second, counts, len(tokens.ends) - 1)
    return vocabulary, TokenIds(vocabulary.words, place.astype(np.int32)[tokens.ids], tokens.ends)


def renumber(tokens: TokenIds, vocabulary: Vocabulary) -> TokenIds:
    """The same tokens by the places of a vocabulary's words.

    >>> vocabulary = Vocabulary(("film", "good"), np.array([0, 1]), np.array([-1, -1]), np.ones(2, int), 1)
    >>> renumber(TokenIds(["good", "new"], np.array([0, 1, -1], np.int32), np.array([0, 3])), vocabulary).ids.tolist()
    [1, -1, -1]
    """
    if tokens.words is vocabulary.words:
        return tokens
    columns = vocabulary.columns
    place = np.array([columns.get(word, -1) for word in tokens.words] + [-1], dtype=np.int32)
    return TokenIds(vocabulary.words, place[tokens.ids], tokens.ends)


def _compact(
    words: Sequence[str], first: IntArray, second: IntArray, seen: IntArray, documents: int
) -> tuple[Vocabulary, IntArray]:
    """Only the words that are used, in the order of the alphabet, so that equal corpora give equal vocabularies.

    With the place of each of all words among them, -1 for words that are not used; the last is for no word.
    """
    used = np.unique(np.concatenate([first, second[second >= 0]]))
    used = np.array(sorted(used.tolist(), key=words.__getitem__), dtype=np.int64)
    place = np.full(len(words) + 1, -1, dtype=np.int64)
    place[used] = np.arange(len(used))
    a, b = place[first], place[second]
    order = np.lexsort((b, a, b >= 0))
    return Vocabulary(tuple(words[at] for at in used), a[order], b[order], seen[order], documents), place
