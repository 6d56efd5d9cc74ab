"""`TrainingTexts`: the documents that are learned from, as arrays, with the lexicon's entries in them.

Are the lists about topics or about tone? Words of topics repeat, and words of a list have similar contexts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.late import sparse
from problex.counting._counter import document_keys
from problex.counting.tables import TokenIds, tabulate
from problex.estimation._sums import column_sums, row_hashes, sums_of_rows
from problex.estimation.weight_checks import above_line, discounts, line_of, repetition
from problex.expansion.constants import TUNED
from problex.expansion.ridge import centred_basis, margins, themes_of
from problex.matching.negation import NEGATED
from problex.model._features import scale_rows
from problex.model.expansion import outside_of
from problex.model.model import Model
from problex.model.vocabulary import Vocabulary

MIXER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class LexiconColumns:
    """How often each entry occurs in each document, and the log-odds that the lexicon model gives it.

    `counts` are documents x entries; `lengths` are in tokens; `errors` are the standard errors of the log-odds;
    `concentration` is tau of the model. `word_index` has the word of each entry: a word and its negation have the same.
    Documents with the same of the `keys` are copies. `topics` is whether the lists are about topics, whose words are
    expected to repeat and are not discounted.
    """

    counts: sparse.csr_array
    lengths: FloatArray
    list_index: IntArray
    log_odds: FloatArray
    errors: FloatArray
    concentration: float
    word_index: IntArray
    lists: int
    keys: NDArray[np.uint64]
    topics: bool = False

    @classmethod
    def of(cls, model: Model, texts: pa.Array) -> LexiconColumns:
        """The entries of a model in texts, with their log-odds."""
        evidence = model.refined
        table = tabulate(texts, model.items, model.tokenizer, {entry: at for at, entry in enumerate(evidence.entries)})
        plain = [entry.removeprefix(NEGATED) for entry in evidence.entries]
        index = {word: at for at, word in enumerate(sorted(set(plain)))}
        # The expansion has its own discount for repetition, from all texts.
        discounts = np.ones(len(plain)) if evidence.discounts is None else evidence.discounts
        return cls(
            table.matrix,
            table.lengths.astype(np.float64),
            evidence.list_index,
            2.0 * np.arctanh(model.predictiveness) / discounts,
            2.0 * model.standard_errors / (1.0 - model.predictiveness**2) / discounts,
            evidence.concentration,
            np.array([index[word] for word in plain], dtype=np.int64),
            len(model.classes),
            document_keys(texts) if table.keys is None else table.keys,
        )

    @cached_property
    def logarithms(self) -> sparse.csr_array:
        """1 + log count of each entry in each document that has it."""
        values = 1.0 + np.log(self.counts.data.astype(np.float64))
        return sparse.csr_array((values, self.counts.indices, self.counts.indptr), shape=self.counts.shape)

    @cached_property
    def present(self) -> sparse.csr_array:
        """One for each entry in each document that has it."""
        ones = np.ones(len(self.counts.data))
        return sparse.csr_array((ones, self.counts.indices, self.counts.indptr), shape=self.counts.shape)

    @cached_property
    def documents(self) -> FloatArray:
        """The number of documents with each entry."""
        return np.bincount(self.counts.indices, minlength=self.counts.shape[1]).astype(np.float64)

    @property
    def matched(self) -> BoolArray:
        """Which documents have an entry."""
        return np.diff(self.counts.indptr) > 0

    @cached_property
    def signs(self) -> FloatArray:
        """1 for entries of the second of two lists, -1 for those of the first."""
        return np.where(self.list_index == 1, 1.0, -1.0)

    @cached_property
    def discounts(self) -> FloatArray:
        """The discount of each entry for its repetitions, see `discounts`."""
        if self.topics:
            return np.ones(len(self.list_index))
        occurrences = np.asarray(self.counts.sum(axis=0)).reshape(-1)
        return discounts(occurrences, self.documents, len(self.lengths), TUNED.min_entry_documents)

    @cached_property
    def root(self) -> FloatArray:
        """One over the square root of the length of each document."""
        return np.asarray(1.0 / np.sqrt(np.maximum(self.lengths, 1.0)), dtype=np.float64)

    @cached_property
    def burstiness(self) -> FloatArray:
        """(1 + tau) / (N + tau): with it, the sum of a list depends least on the length of a document."""
        tau = self.concentration
        return (1.0 + tau) / (self.lengths + tau) if np.isfinite(tau) else np.ones(len(self.lengths))

    def sums(self, weights: FloatArray, factor: FloatArray) -> FloatArray:
        """For each document and list, the sum of weight times (1 + log count) over its entries, times the factor."""
        by_list = weights[:, None] * np.eye(self.lists)[self.list_index]
        return np.asarray((self.logarithms @ by_list) * factor[:, None], dtype=np.float64)

    def scores(self, weights: FloatArray) -> FloatArray:
        """The margins of documents under these weights of entries, each for its own list: sums over root lengths."""
        return margins(self.sums(weights, self.root))


@dataclass(frozen=True, eq=False)
class TrainingTexts:
    """Documents as rows over a vocabulary, and the entries in them.

    `rows` have length one, `typical_length` is their mean length before. `outside` marks features without an entry.
    `basis` are the themes; for topics it is empty and nothing is discounted. `order` has the place of each document in
    a random order that depends on their content only; copies have the same place.
    """

    vocabulary: Vocabulary
    rows: sparse.csr_array
    typical_length: float
    outside: BoolArray
    order: IntArray
    listed: LexiconColumns
    basis: FloatArray

    @classmethod
    def of(
        cls,
        tokens: TokenIds,
        vocabulary: Vocabulary,
        listed: LexiconColumns,
        entries: Collection[str],
        topics: bool = False,
    ) -> TrainingTexts:
        """The arrays that are learned from; `entries` are the names of the lexicon's.

        With `topics` the lists are known to be about topics, else it is found out.
        """
        found = vocabulary.count(tokens)
        counts = found.matrix()
        outside, single = outside_of(vocabulary, entries), vocabulary.second < 0
        order = content_order(counts, listed.keys)
        occurrences, documents = column_sums(found.columns, found.counts, counts.shape[1])
        values, norms = vocabulary.tf_idf(found)
        rows = found.matrix(values)
        outside_words = rows[:, outside & single]
        topics = topics or listed.lists > 2 or are_topics(outside_words, listed, occurrences[single], documents[single])
        listed = replace(listed, topics=topics)
        if topics:
            basis = np.zeros((len(order), 0))
        else:
            basis = centred_basis(themes_of(outside_words, TUNED.themes))
            factors = np.ones(len(single))
            for some in (single, ~single):
                factors[some] = discounts(occurrences[some], documents[some], len(order), TUNED.min_feature_documents)
            factors = np.round(factors, 6)
            vocabulary = replace(vocabulary, discounts=factors)
            lengths = _scale_columns(rows, factors)
            norms = norms * lengths
        typical = float(norms[norms > 0].mean()) if np.any(norms > 0) else 1.0
        return cls(vocabulary, rows, typical, outside, order, listed, basis)


def _scale_columns(rows: sparse.csr_array, factors: FloatArray) -> FloatArray:
    """Multiply the columns by these factors, in place, and scale each row to length one; its length before that."""
    rows.data *= factors.astype(np.float32)[rows.indices]
    return scale_rows(rows.indptr.astype(np.int64), rows.data)


def content_order(counts: sparse.csr_array, keys: NDArray[np.uint64]) -> IntArray:
    """The place of each document in the order of a hash of its words: random, but the same however texts are ordered.

    Copies, which have the same of the `keys`, have one place. Other documents with the same counts have different
    ones, by a hash of these and of their number.

    >>> counts = sparse.csr_array(np.array([[1, 0], [0, 1], [1, 0], [1, 0]]))
    >>> order = content_order(counts, np.array([5, 6, 5, 7], np.uint64))    # the first and the third are copies
    >>> bool(order[0] == order[2]), sorted(set(order.tolist()))
    (True, [0, 1, 2])
    """
    numbers = np.random.default_rng(0).integers(1, 2**63, counts.shape[1], dtype=np.uint64)
    different, text = np.unique(keys, return_inverse=True)
    hashes = np.full(len(different), np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(hashes, text, row_hashes(*arrays_of(counts), numbers))
    order = np.argsort(hashes, kind="stable")
    # texts with the same hash are told apart by their number among them
    alike = (np.arange(len(order)) - np.searchsorted(hashes[order], hashes[order])).astype(np.uint64)
    places = np.empty(len(order), np.int64)
    places[order[np.argsort(_mix(hashes[order] + _mix(alike + np.uint64(1))), kind="stable")]] = np.arange(len(order))
    return places[text]


def arrays_of(rows: sparse.csr_array) -> tuple[IntArray, NDArray[np.int32], NDArray[np.float32]]:
    """The ends, columns and values of a sparse matrix of rows, as compiled functions take them."""
    return (
        rows.indptr.astype(np.int64),
        rows.indices.astype(np.int32, copy=False),
        rows.data.astype(np.float32, copy=False),
    )


def _mix(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look random, and differ if the keys do."""
    for shift in (np.uint64(32), np.uint64(29)):
        keys = (keys ^ (keys >> shift)) * MIXER
    return keys ^ (keys >> np.uint64(32))


def are_topics(
    outside_rows: sparse.csr_array, listed: LexiconColumns, occurrences: IntArray, documents: IntArray
) -> bool:
    """Whether the lists are about topics; `occurrences` and `documents` are those of all words of the corpus.

    How much more the listed words repeat than all words, plus twice how much lists differ in their contexts, must be
    large, and the latter not small.
    """
    difference = context_difference(outside_rows, listed)
    total = list_repetition(listed, occurrences, documents) + TUNED.context_weight * difference
    return total > TUNED.topic_threshold and difference > TUNED.min_context_difference


def list_repetition(listed: LexiconColumns, occurrences: IntArray, documents: IntArray) -> float:
    """The mean excess repetition of the listed words over the line of all words, in standard deviations of the latter.

    The mean has the weights sqrt(n_i), with n_i the documents of entry i.
    """
    frequent, entries = documents >= TUNED.min_context_documents, listed.documents >= TUNED.min_context_documents
    if frequent.sum() < 3 or not entries.any():
        return 0.0
    # the line of all words, and how far they are from it
    every, seen = documents[frequent], listed.documents[entries]
    values = repetition(occurrences[frequent], every)
    line = line_of(every, values)
    size = float(above_line(every, values, line).std())
    # how far the listed words are above it
    own = repetition(np.asarray(listed.counts.sum(axis=0)).reshape(-1)[entries], seen)
    return float(np.average(above_line(seen, own, line), weights=np.sqrt(seen))) / size if size > 1e-9 else 0.0


def context_difference(outside_rows: sparse.csr_array, listed: LexiconColumns) -> float:
    """The mean cosine between the contexts of entries of one list, less that between entries of different lists.

    The context of an entry is the mean row of the documents that have it, less the mean of all documents.
    """
    chosen = np.concatenate([_most_frequent(listed, at) for at in range(listed.lists)])
    if len(chosen) < 2:
        return 0.0
    index = listed.list_index[chosen]
    mean = np.asarray(outside_rows.mean(axis=0), dtype=np.float32).reshape(-1)
    having = listed.present[:, chosen].tocsc()  # the documents of each entry, in ascending order
    ends, documents = having.indptr.astype(np.int64), having.indices.astype(np.int32, copy=False)
    sums = sums_of_rows(ends, documents, *arrays_of(outside_rows), outside_rows.shape[1])
    contexts = sums / listed.documents[chosen, None].astype(np.float32) - mean
    contexts /= np.maximum(np.linalg.norm(contexts, axis=1, keepdims=True), 1e-12)
    # the cosines within lists, and between them
    cosines, pairs = contexts @ contexts.T, ~np.eye(len(chosen), dtype=bool)
    same = (index[:, None] == index[None, :]) & pairs
    different = index[:, None] != index[None, :]
    if not same.any() or not different.any():
        return 0.0
    return float(cosines[same].mean() - cosines[different].mean())


def _most_frequent(listed: LexiconColumns, at: int) -> IntArray:
    own = np.flatnonzero((listed.list_index == at) & (listed.documents >= TUNED.min_context_documents))
    return own[np.argsort(-listed.documents[own], kind="stable")[: TUNED.max_context_entries]]
