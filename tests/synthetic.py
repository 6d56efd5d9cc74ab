"""Corpora draw_sample from the model itself, whose predictiveness is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from problex import Lexicon
from problex.counting.counts import Counts, Sample, draw_sample
from problex.counting.tables import CountTable, sum_table
from problex.matching.items import items_of
from problex.matching.tokens import Tokenizer


@dataclass(frozen=True, eq=False)
class Truth:
    lexicon: Lexicon
    words: list[str]
    list_index: NDArray[np.int64]
    predictiveness: NDArray[np.float64]
    prior: NDArray[np.float64]
    table: CountTable
    labels: NDArray[np.int64]

    @property
    def counts(self) -> Counts:
        items = items_of(self.lexicon, Tokenizer())
        return sum_table(self.table, items, Counts.none(self.lexicon, associations=True))

    @property
    def entries(self) -> CountTable:
        """The documents over the entries of the lexicon, in the order of the counts."""
        return self.table.project({entry: at for at, entry in enumerate(self.counts.entries)})

    @property
    def sample(self) -> Sample:
        rows = self.entries
        return draw_sample(np.arange(len(rows.lengths), dtype=np.uint64), rows.lengths, rows.matrix, 4_000)


def name(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}")


def draw(
    documents: int,
    prior: list[float],
    *,
    words_per_list: int = 30,
    length: int = 200,
    seed: int = 0,
    concentration: float | None = None,
    silent: float = 0.0,
    even: float | None = None,
) -> Truth:
    """Documents of the mixture of method section 9, with G_a = pi_a W so that the distributions sum to one.

    A share of `silent` words says next to nothing; `even` is the predictiveness of every word.
    """
    random = np.random.default_rng(seed)
    shares = np.array(prior)
    lists = len(shares)
    list_index = np.repeat(np.arange(lists), words_per_list)
    rates = random.uniform(0.5, 1.5, lists * words_per_list)
    predictiveness = random.uniform(0.05, 0.85, lists * words_per_list)
    predictiveness[random.random(len(predictiveness)) < silent] = 0.01
    if even is not None:
        predictiveness[:] = even
    for a in range(lists):  # scale base rates so that G_a is proportional to the prior
        mine = list_index == a
        rates[mine] *= shares[a] / np.sum(rates[mine] * predictiveness[mine])
    rates *= 0.4 / rates.sum()
    outside = random.dirichlet(np.full(200, 1.0)) * 0.6
    labels = random.choice(lists, documents, p=shares)
    rows = []
    for a in range(lists):
        own = list_index == a
        factor = np.where(own, 1 + predictiveness * (1 - shares[a]) / shares[a], 1 - predictiveness)
        theta = np.concatenate([rates * factor, outside])
        assert abs(theta.sum() - 1) < 1e-9
        rows.append(theta / theta.sum())
    lengths = random.integers(length // 2, length * 2, documents)
    theta = np.array(rows)[labels]
    if concentration is not None:
        gamma = random.gamma(np.maximum(theta * concentration, 1e-12))
        theta = gamma / gamma.sum(axis=1, keepdims=True)
    matrix = random.multinomial(lengths, theta)
    words = [name(at) for at in range(matrix.shape[1])]
    lexicon = Lexicon({f"list{a}": [words[at] for at in np.flatnonzero(list_index == a)] for a in range(lists)})
    table = CountTable(words, sparse.csr_array(matrix.astype(np.int64)), lengths)
    return Truth(lexicon, words, list_index, predictiveness, shares, table, labels)
