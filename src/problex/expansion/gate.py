"""Are two lists about topics or about tone? Words of topics repeat, and words of a list have similar contexts."""

from __future__ import annotations

import numpy as np

from problex._util.arrays import IntArray
from problex._util.late import sparse
from problex.estimation._sums import sums_of_rows
from problex.estimation.weight_checks import above_line, line_of, repetition
from problex.expansion.folds import arrays_of
from problex.expansion.listed_words import ListedWords

TOPIC_THRESHOLD = 0.2
"""From this sum on the lists are topics: 61 pairs of lists of tone had -.01 at most, 40 of topics .47 at least."""
CONTEXT_WEIGHT = 2.0
MIN_REPETITION, MIN_DIFFERENCE = 0.05, 0.04
"""What both parts of the sum must reach: pairs of topics had .11 and .056 at least; in tweets words of tone repeat."""
MIN_REMAINING = 0.4
"""If less of the agreement with the lexicon remains without themes, the themes are what the lists are about.

Lists of tone kept .62 to 1 on 49 corpora.
"""
MIN_DOCUMENTS = 5
MAX_ENTRIES = 100
"""The most frequent entries of a list whose contexts are compared."""


def are_topics(outside_rows: sparse.csr_array, words: ListedWords, occurrences: IntArray, documents: IntArray) -> bool:
    """Whether the lists are about topics; `occurrences` and `documents` are those of all words of the corpus.

    How much more the listed words repeat than all words, plus twice how much lists differ in their contexts, must be
    large, and neither of the two small.
    """
    repeats, difference = list_repetition(words, occurrences, documents), context_difference(outside_rows, words)
    enough = repeats + CONTEXT_WEIGHT * difference > TOPIC_THRESHOLD
    return enough and repeats > MIN_REPETITION and difference > MIN_DIFFERENCE


def themes_are_the_lists(agreement: float, remaining: float, documents: int) -> bool:
    """Whether, without the themes, less than 40 % of the agreement with the lexicon remains, by two standard errors.

    >>> themes_are_the_lists(0.6, 0.3, 10_000), themes_are_the_lists(0.2, 0.3, 400)
    (True, False)
    """
    if not agreement > 0:
        return False
    return remaining + 2.0 / (float(np.sqrt(documents)) * agreement) < MIN_REMAINING


def list_repetition(words: ListedWords, occurrences: IntArray, documents: IntArray) -> float:
    """The mean excess repetition of the listed words over the line of all words, in standard deviations of the latter.

    The mean has the weights sqrt(n_i), with n_i the documents of entry i.
    """
    frequent, listed = documents >= MIN_DOCUMENTS, words.documents >= MIN_DOCUMENTS
    if frequent.sum() < 3 or not listed.any():
        return 0.0
    every, seen = documents[frequent], words.documents[listed]
    values = repetition(occurrences[frequent], every)
    line = line_of(every, values)
    size = float(above_line(every, values, line).std())
    own = repetition(np.asarray(words.counts.sum(axis=0)).reshape(-1)[listed], seen)
    return float(np.average(above_line(seen, own, line), weights=np.sqrt(seen))) / size if size > 1e-9 else 0.0


def context_difference(outside_rows: sparse.csr_array, words: ListedWords) -> float:
    """The mean cosine between the contexts of entries of one list, less that between entries of different lists.

    The context of an entry is the mean row of the documents that have it, less the mean of all documents.
    """
    chosen = np.concatenate([_most_frequent(words, at) for at in range(words.lists)])
    if len(chosen) < 2:
        return 0.0
    index = words.list_index[chosen]
    mean = np.asarray(outside_rows.mean(axis=0), dtype=np.float32).reshape(-1)
    having = words.present[:, chosen].tocsc()  # the documents of each entry, in ascending order
    ends, documents = having.indptr.astype(np.int64), having.indices.astype(np.int32, copy=False)
    sums = sums_of_rows(ends, documents, *arrays_of(outside_rows), outside_rows.shape[1])
    contexts = sums / words.documents[chosen, None].astype(np.float32) - mean
    contexts /= np.maximum(np.linalg.norm(contexts, axis=1, keepdims=True), 1e-12)
    cosines, pairs = contexts @ contexts.T, ~np.eye(len(chosen), dtype=bool)
    same = (index[:, None] == index[None, :]) & pairs
    different = index[:, None] != index[None, :]
    if not same.any() or not different.any():
        return 0.0
    return float(cosines[same].mean() - cosines[different].mean())


def _most_frequent(words: ListedWords, at: int) -> IntArray:
    own = np.flatnonzero((words.list_index == at) & (words.documents >= MIN_DOCUMENTS))
    return own[np.argsort(-words.documents[own], kind="stable")[:MAX_ENTRIES]]
