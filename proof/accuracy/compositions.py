"""Corpora of known truth with groups: random compositions of real corpora, and synthetic ones.

The documents of a composition are scored by one model, which was fitted without labels on one corpus. In compositions
of the same kind all groups are parts of that corpus; in others each group is of one kind of text (products, whole
reviews, first sentences, films). The share of a label is drawn at random for each group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow.parquet as pq
from cases import CASES, FOUR
from scipy.special import expit, logit

from problex import LexiconClassifier
from problex._util.arrays import FloatArray, IntArray
from problex.paper.datasets import DataSet, data_folder
from problex.scoring.scores import Scores

MOST = 6_000
"""Documents of a corpus that are used."""
SAME = (
    "amazon",
    "cornell",
    "cine",
    "imdb, 2,000",
    "rotten",
    "amazon, a sentence",
    "imdb, a sentence",
    "amazon, VADER",
    "amazon, swapped",
)
DIFFERENT = ("amazon, 60 words", "amazon, a sentence", "imdb, a sentence", "rotten", "imdb, 2,000")
"""Kinds of text to which the model of Amazon's reviews is applied, besides its four kinds of products."""
SIZES = (100, 1_000)
"""Documents of a group."""
GROUPS = (3, 15)


@dataclass(frozen=True, eq=False)
class Pool:
    """Documents of one kind under one model, with their true classes."""

    name: str
    scores: Scores
    codes: IntArray


@dataclass(frozen=True, eq=False)
class Composition:
    """Scored documents with groups and true classes."""

    name: str
    scores: Scores
    group: IntArray
    codes: IntArray

    def truth(self, label: int = 1) -> FloatArray:
        """The true share of a class in each group."""
        return np.bincount(self.group, self.codes == label) / np.bincount(self.group)


def fitted(data: DataSet) -> LexiconClassifier:
    return LexiconClassifier(data.lexicon, language=data.language).fit(list(data.texts))


def pool(name: str, classifier: LexiconClassifier, data: DataSet, rows: IntArray | None = None) -> Pool:
    """The scores of at most `MOST` documents that have words."""
    chosen = np.arange(len(data.texts)) if rows is None else rows
    chosen = np.random.default_rng(0).permutation(chosen)[:MOST]
    scores = classifier._score([data.texts[row] for row in chosen])
    some = np.flatnonzero(scores.lengths > 0)
    classes = list(scores.classes)
    codes = np.array([classes.index(label) for label in data.labels[chosen]])
    return Pool(name, part(scores, some), codes[some])


def part(scores: Scores, rows: IntArray) -> Scores:
    return replace(scores, values=scores.values[rows], lengths=scores.lengths[rows], matches=scores.matches[rows])


def pools(most: int | None = None) -> tuple[list[list[Pool]], list[list[Pool]]]:
    """Pools of the same kind, each alone, and those of different kinds under one model together."""
    same = []
    for name in SAME[:most]:
        data = CASES[name]()
        same.append([pool(name, fitted(data), data)])
    amazon = CASES["amazon"]()
    model = fitted(amazon)
    domains = np.array(pq.read_table(data_folder() / "amazon.parquet", columns=["domain"])["domain"].to_pylist())
    kinds = [pool(name, model, amazon, np.flatnonzero(domains == name)) for name in FOUR]
    kinds += [pool(name, model, CASES[name]()) for name in DIFFERENT[:most]]
    return same, [kinds]


def topic_pool() -> list[Pool]:
    """Four topics, for shares of more than two labels."""
    data = CASES["four topics"]()
    return [pool("four topics", fitted(data), data)]


def compose(kinds: Sequence[Pool], random: np.random.Generator) -> Composition:
    """Groups of random sizes and shares, each of one of the kinds."""
    base, parts, codes, groups = logit(random.uniform(0.15, 0.85)), [], [], []
    for group in range(random.integers(GROUPS[0], GROUPS[1] + 1)):
        kind = kinds[random.integers(len(kinds))]
        size = random.integers(SIZES[0], SIZES[1] + 1)
        share = expit(base + random.normal(0.0, 0.8))
        sides = [np.flatnonzero(kind.codes == code) for code in range(2)]
        size = int(min(size, len(sides[1]) / share, len(sides[0]) / (1 - share)))
        hits = int(random.binomial(size, share))
        counts = (size - hits, hits)
        rows = np.concatenate(
            [random.choice(side, min(n, len(side)), replace=False) for side, n in zip(sides, counts, strict=True)]
        )
        parts.append(part(kind.scores, rows))
        codes.append(kind.codes[rows])
        groups.append(np.full(len(rows), group))
    name = kinds[0].name if len(kinds) == 1 else "different kinds"
    return Composition(name, joined(parts), np.concatenate(groups), np.concatenate(codes))


def compose_topics(kinds: Sequence[Pool], random: np.random.Generator) -> Composition:
    """Groups of random sizes and shares of more than two classes."""
    kind, parts, codes, groups = kinds[0], [], [], []
    classes = len(kind.scores.classes)
    for group in range(random.integers(GROUPS[0], 9)):
        shares = random.dirichlet(np.full(classes, 1.5))
        size = int(min(random.integers(*SIZES), *(np.bincount(kind.codes) / shares)))
        numbers = random.multinomial(size, shares)
        sides = [np.flatnonzero(kind.codes == code) for code in range(classes)]
        rows = np.concatenate(
            [random.choice(side, min(n, len(side)), replace=False) for side, n in zip(sides, numbers, strict=True)]
        )
        parts.append(part(kind.scores, rows))
        codes.append(kind.codes[rows])
        groups.append(np.full(len(rows), group))
    return Composition(kind.name, joined(parts), np.concatenate(groups), np.concatenate(codes))


def synthetic(random: np.random.Generator) -> Composition:
    """Normal scores: classes a random distance apart, with errors of level and slope in all groups and in each."""
    parts, codes, groups = [], [], []
    base, distance, shift, scale = logit(random.uniform(0.1, 0.9)), random.uniform(1, 3), random.normal(0, 0.7), 1.3
    for group in range(random.integers(GROUPS[0], GROUPS[1] + 1)):
        size = random.integers(SIZES[0], SIZES[1] + 1)
        code = (random.random(size) < expit(base + random.normal(0, 0.8))).astype(np.int64)
        level, slope = random.normal(shift, 0.5), scale * np.exp(random.normal(0, 0.15))
        decision = slope * (random.standard_normal(size) + (code - 0.5) * distance) + level
        values = np.stack([np.zeros(size), decision], axis=1)
        parts.append(Scores(("no", "yes"), values, np.full(size, 50), np.ones(size, np.int64)))
        codes.append(code)
        groups.append(np.full(size, group))
    return Composition("synthetic", joined(parts), np.concatenate(groups), np.concatenate(codes))


def joined(parts: list[Scores]) -> Scores:
    arrays = {name: np.concatenate([getattr(one, name) for one in parts]) for name in ("values", "lengths", "matches")}
    return replace(parts[0], **arrays)


def compositions(times: int, most: int | None = None, seed: int = 1) -> Iterator[tuple[str, Composition]]:
    """As many compositions of the same kind, of different kinds, and synthetic ones."""
    random = np.random.default_rng(seed)
    same, different = pools(most)
    for at in range(times):
        yield "same kind", compose(same[at % len(same)], random)
        yield "different kinds", compose(different[0], random)
        yield "synthetic", synthetic(random)
