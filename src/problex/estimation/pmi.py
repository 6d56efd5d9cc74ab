"""Pointwise mutual information (Turney 2002, as in Kiritchenko et al. 2014): counting teaches all words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex.counting.counts import Counts
from problex.errors import EstimationError

SMOOTHING = 1e-3
LEAST = 5


@dataclass(frozen=True, eq=False)
class PmiTable:
    """Words seen often enough, and their occurrences in the documents that counting gives to each label."""

    words: tuple[str, ...]
    imputed: NDArray[np.int64]
    imputed_documents: NDArray[np.int64]

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """log p(word | label) up to a constant per word: their difference between labels is that of the PMI."""
        documents = np.maximum(self.imputed_documents, 1)
        return np.asarray(np.log(self.imputed + SMOOTHING) - np.log(documents), dtype=np.float64)


def pmi_table(counts: Counts) -> PmiTable:
    """The words of a corpus that were seen at least five times in documents with an imputed label."""
    if counts.imputed is None:
        raise EstimationError(
            "the rule 'pmi' needs to know how often every word meets each list, which these counts do not have: count "
            "the texts with associations=True"
        )
    often = counts.imputed.sum(axis=1) >= LEAST
    words = counts.words.filter(pa.array(often)).to_pylist()
    order = sorted(range(len(words)), key=words.__getitem__)
    return PmiTable(tuple(words[at] for at in order), counts.imputed[often][order], counts.imputed_documents)
