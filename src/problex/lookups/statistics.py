"""`LookupStatistics` of the categories of a dictionary in a corpus, and the sums over documents that they follow from.

Cronbach's alpha and KR-20 treat the entries of a category as the items of a questionnaire: alpha by the percentage of
each in the words of a document, KR-20 by whether it occurs. Entries that never occur are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Unpack

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.records import Record
from problex.corpus import Reading, batches
from problex.errors import DocumentError, opt
from problex.grouping.dates import as_texts
from problex.grouping.grouping import as_array, groups_of, in_order
from problex.lookups.entries import AnyDictionary, CategoryEntries
from problex.lookups.matcher import Matches, make_matcher, match_batches
from problex.lookups.rules import DEFAULT_MATCHING
from problex.lookups.tables import divide
from problex.matching.tokens import Tokenizer

MAX_CELLS = 1 << 23
"""Sums of values and categories that are kept; more values are no groups."""


@dataclass(eq=False)
class LookupSums:
    """Sums over documents with words; those of categories have a position for each, and so have those of pairs.

    `matches` are occurrences of categories, `present` the documents that have one, `percents` sums of percentages and
    `products` of the products of two. `kinds` are sums of the number of different entries that a document has of a
    category. Of pairs, entries in categories: occurrences, documents, percentages and their squares.
    """

    documents: int
    empty: int
    words: int
    sentences: int
    in_dictionary: int
    matches: IntArray
    present: IntArray
    percents: FloatArray
    products: FloatArray
    kinds: IntArray
    kind_squares: IntArray
    pair_matches: IntArray
    pair_present: IntArray
    pair_percents: FloatArray
    pair_squares: FloatArray

    @classmethod
    def of(cls, matches: Matches) -> LookupSums:
        """The sums over the documents of a batch."""
        lengths, entries = matches.lengths, matches.entries
        has_words = lengths > 0
        counts, size = matches.counts, len(entries.pair_entries)
        percents = 100.0 * counts / np.maximum(lengths, 1)[:, None]
        # How many different entries of a category a document has.
        pairs = matches.pair_counts()
        rows = np.repeat(np.arange(len(lengths)), np.diff(pairs.indptr))
        pair_percents = 100.0 * pairs.data / lengths[rows]
        kinds = np.zeros(counts.shape, np.int64)
        np.add.at(kinds, (rows, entries.pair_categories[pairs.indices]), 1)
        return cls(
            documents=int(has_words.sum()),
            empty=int((~has_words).sum()),
            words=int(lengths.sum()),
            sentences=int(matches.sentences[has_words].sum()),
            in_dictionary=int(matches.dictionary_words.sum()),
            matches=counts.sum(axis=0),
            present=(counts > 0).sum(axis=0),
            percents=percents.sum(axis=0),
            products=percents.T @ percents,
            kinds=kinds.sum(axis=0),
            kind_squares=(kinds**2).sum(axis=0),
            pair_matches=np.bincount(pairs.indices, pairs.data, minlength=size).astype(np.int64),
            pair_present=np.bincount(pairs.indices, minlength=size),
            pair_percents=np.bincount(pairs.indices, pair_percents, minlength=size).astype(np.float64),
            pair_squares=np.bincount(pairs.indices, pair_percents**2, minlength=size).astype(np.float64),
        )

    def __add__(self, other: LookupSums) -> LookupSums:
        names = [field.name for field in fields(self)]
        return LookupSums(*(getattr(self, name) + getattr(other, name) for name in names))


@dataclass(frozen=True, eq=False)
class LookupStatistics:
    """Statistics of the categories of a dictionary in a corpus."""

    entries: CategoryEntries
    sums: LookupSums

    @property
    def means(self) -> FloatArray:
        """The mean percentage of each category."""
        return divide(self.sums.percents, np.full(len(self.sums.percents), self.sums.documents))

    def _covariances(self) -> FloatArray:
        number = max(self.sums.documents, 1)
        covariances = self.sums.products / number - np.outer(self.sums.percents, self.sums.percents) / number**2
        # differences of large numbers: what is below their precision is zero
        limit = 1e-12 * np.sqrt(np.outer(np.diag(self.sums.products), np.diag(self.sums.products))) / number
        return np.where(np.abs(covariances) <= limit, 0.0, covariances)

    @property
    def deviations(self) -> FloatArray:
        """The standard deviation of the percentages of each category."""
        return np.sqrt(np.maximum(np.diag(self._covariances()), 0.0))

    def correlations(self) -> FloatArray:
        """The correlation of the percentages of two categories; NaN where one does not vary.

        >>> result = lookup_statistics(["good day", "bad film"], {"up": ["good"], "down": ["bad"], "never": ["fine"]})
        >>> result.correlations().round(2).tolist()[0]    # with "up" itself, "down" and "never"
        [1.0, -1.0, nan]
        """
        deviations = self.deviations
        return divide(self._covariances(), np.outer(deviations, deviations))

    def alphas(self) -> FloatArray:
        """Cronbach's alpha of each category; NaN with fewer than two entries that occur.

        >>> result = lookup_statistics(["good fine", "bad film"], {"up": ["good", "fine"], "down": ["bad"]})
        >>> result.alphas().round(2).tolist()    # 2 (1 - (625 + 625) / 2500): two words that always meet
        [1.0, nan]
        """
        number = max(self.sums.documents, 1)
        variances = self.sums.pair_squares / number - (self.sums.pair_percents / number) ** 2
        return self._reliability(variances, self.deviations**2)

    def kr20(self) -> FloatArray:
        """KR-20 of each category: alpha by whether entries occur; NaN with fewer than two entries that occur.

        >>> texts = ["good fine", "good film", "good day fine", "film"]    # entries: 2, 1, 2 and 0
        >>> result = lookup_statistics(texts, {"up": ["good", "fine"]})
        >>> result.kr20().round(2).tolist()    # 2 (1 - (3/16 + 4/16) / (11/16))
        [0.73]
        """
        number = max(self.sums.documents, 1)
        shares = self.sums.pair_present / number
        total = self.sums.kind_squares / number - (self.sums.kinds / number) ** 2
        return self._reliability(shares * (1 - shares), total)

    def _reliability(self, item_variances: FloatArray, variances: FloatArray) -> FloatArray:
        """k / (k - 1) * (1 - sum of the variances of k items / variance of their sum), for each category."""
        size = len(self.entries.categories)
        occurs = self.sums.pair_present > 0
        items = np.bincount(self.entries.pair_categories[occurs], minlength=size)
        sums = np.bincount(self.entries.pair_categories, np.where(occurs, item_variances, 0.0), minlength=size)
        usable = np.where(items > 1, variances, 0.0)
        return divide(items, items - 1) * (1 - divide(sums, usable))

    def records(self) -> list[Record]:
        """One record per category, those that vary most first."""
        sizes = np.bincount(self.entries.pair_categories, minlength=len(self.entries.categories))
        met = np.bincount(self.entries.pair_categories[self.sums.pair_present > 0], minlength=len(sizes))
        alphas, kr20, deviations, means = self.alphas(), self.kr20(), self.deviations, self.means
        order = np.argsort(-deviations, kind="stable")
        return [
            {
                "category": self.entries.categories[at],
                "entries": int(sizes[at]),
                "met": int(met[at]),
                "matches": int(self.sums.matches[at]),
                "documents": float(self.sums.present[at] / max(self.sums.documents, 1)),
                "mean": _number(means[at]),
                "deviation": _number(deviations[at]),
                "alpha": _number(alphas[at]),
                "kr20": _number(kr20[at]),
            }
            for at in order.tolist()
        ]

    def carriers(self, most: int = 10) -> dict[str, list[Record]]:
        """For each category the entries with the most matches: text, matches and share of its matches."""
        result: dict[str, list[Record]] = {name: [] for name in self.entries.categories}
        order = np.lexsort((self.entries.pair_entries, -self.sums.pair_matches))
        for pair in order[self.sums.pair_matches[order] > 0].tolist():
            name, category = (
                self.entries.categories[self.entries.pair_categories[pair]],
                self.entries.pair_categories[pair],
            )
            if len(result[name]) < most:
                matches = int(self.sums.pair_matches[pair])
                share = matches / int(self.sums.matches[category])
                item = self.entries.items[self.entries.pair_entries[pair]]
                result[name].append({"entry": item, "matches": matches, "share": share})
        return result

    def never_met(self) -> dict[str, list[str]]:
        """For each category its entries that no text has."""
        result: dict[str, list[str]] = {name: [] for name in self.entries.categories}
        for pair in np.flatnonzero(self.sums.pair_present == 0).tolist():
            name = self.entries.categories[self.entries.pair_categories[pair]]
            result[name].append(self.entries.items[self.entries.pair_entries[pair]])
        return {name: sorted(items) for name, items in result.items()}

    def correlated_pairs(self, most: int = 20) -> list[Record]:
        """Pairs of categories with the largest correlations, whatever their sign; not a category and one below it."""
        values, names = self.correlations(), self.entries.categories
        first, second = np.triu_indices(len(names), 1)
        found = values[first, second]
        order = [at for at in np.argsort(-np.abs(found), kind="stable").tolist() if np.isfinite(found[at])]
        pairs = [(names[first[at]], names[second[at]], float(found[at])) for at in order]
        return [
            {"category": one, "other": other, "correlation": value}
            for one, other, value in pairs
            if not (other.startswith(f"{one}/") or one.startswith(f"{other}/"))
        ][:most]


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def lookup_statistics(
    documents: Any,
    dictionary: AnyDictionary,
    *,
    matching: str = DEFAULT_MATCHING,
    levels: str | int = "all",
    glob: bool = False,
    text: str | None = None,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
    threads: int | None = None,
    **reading: Unpack[Reading],
) -> LookupStatistics:
    """The statistics of the categories of a dictionary in texts; the arguments are those of `lookup`.

    >>> found = lookup_statistics(["good film", "bad film", "good day"], {"tone": ["good", "bad"], "day": ["day"]})
    >>> found.means.round(1).tolist(), found.never_met()["tone"]
    ([50.0, 16.7], [])
    """
    stream = batches(documents, text=text, hint_markup=not markup, **reading)
    matcher, stream = make_matcher(stream, dictionary, tokenizer, matching=matching, levels=levels, glob=glob)
    parts = match_batches(stream, matcher, lambda _, matches: LookupSums.of(matches), markup=markup, threads=threads)
    sums: LookupSums | None = None
    for _, part in parts:
        sums = part if sums is None else sums + part
    if sums is None:
        raise DocumentError("there are no documents to look up, expected at least one text")
    return LookupStatistics(matcher.entries, sums)


@dataclass(eq=False)
class GroupSums:
    """Documents with words and sums of percentages, for each value of a column; periods are found at the end."""

    column: str
    categories: tuple[str, ...]
    every: str | None = None
    date_order: str | None = None
    positions: dict[str, int] = field(default_factory=dict)
    documents: list[int] = field(default_factory=list)
    percents: list[FloatArray] = field(default_factory=list)

    def add(self, part: tuple[list[str], IntArray, FloatArray]) -> None:
        """Add the sums of a batch, from `sum_by_value`."""
        for value, number, percents in zip(*part, strict=True):
            at = self.positions.setdefault(value, len(self.positions))
            if at == len(self.documents):
                self.documents.append(0)
                self.percents.append(np.zeros(len(self.categories)))
            self.documents[at] += int(number)
            self.percents[at] += percents
        if len(self.positions) * len(self.categories) > MAX_CELLS:
            raise DocumentError(
                f"column {self.column!r} has more than {MAX_CELLS // len(self.categories):,} different values, "
                "expected groups (a party, a product) or dates such as 2016-11-08: choose another column with "
                f"{opt('by')}"
            )

    def records(self) -> list[Record]:
        """One record per group: its name, documents, and the mean percentage of each category; dates in order."""
        values = list(self.positions)
        groups = groups_of([values], self.column, self.every, self.date_order)
        names = in_order(map(str, groups))
        position = {name: at for at, name in enumerate(names)}
        rows = np.array([position[str(group)] for group in groups], np.int64)
        documents = np.bincount(rows, np.array(self.documents, np.float64), minlength=len(names))
        sums = np.zeros((len(names), len(self.categories)))
        np.add.at(sums, rows, np.array(self.percents))
        means = divide(sums, documents[:, None] + np.zeros_like(sums))
        return [
            {"group": name, "documents": int(documents[at])}
            | dict(zip(self.categories, means[at].tolist(), strict=True))
            for at, name in enumerate(names)
            if documents[at]
        ]


def sum_by_value(values: object, matches: Matches) -> tuple[list[str], IntArray, FloatArray]:
    """The different values of documents with words, how many have each, and their sums of percentages."""
    lengths = matches.lengths
    texts = as_texts(as_array(values)).dictionary_encode()
    codes = np.asarray(texts.indices)[lengths > 0]
    size = len(texts.dictionary)
    percents = 100.0 * matches.counts[lengths > 0] / lengths[lengths > 0][:, None]
    sums = np.zeros((size, matches.counts.shape[1]))
    np.add.at(sums, codes, percents)
    return texts.dictionary.to_pylist(), np.bincount(codes, minlength=size), sums
