"""The paper's equations: from integer sums to base rates, expected cross counts and the concentration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from problex._util.arrays import BoolArray, IntArray
from problex._util.arrow import numbers_of, pc, string_array
from problex._util.late import sparse
from problex.counting.counts import Counts
from problex.estimation._sums import weigh_pairs
from problex.model.evidence import Evidence


def evidence_of(counts: Counts) -> Evidence:
    """Reduce the counts of a corpus to what estimation needs.

    >>> from problex import Lexicon, count
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad"]})
    >>> evidence = evidence_of(count(["good good bad", "fine day", "bad day"], lexicon))
    >>> evidence.entries, evidence.occurrences.tolist(), evidence.cross_counts.tolist()
    (('bad', 'fine', 'good'), [2, 1, 2], [2, 0, 2])
    """
    # Entries are looked up among the words, of which there are many more, and not the other way round.
    entry = pc.index_in(counts.words, pc.cast(string_array(counts.entries), counts.words.type))
    place = np.full(len(counts.entries), -1, dtype=np.int64)
    place[numbers_of(pc.drop_null(entry))] = numbers_of(pc.indices_nonzero(pc.is_valid(entry)))
    seen = place >= 0
    occurrences = np.where(seen, counts.occurrences[place], 0) if len(counts.words) else np.zeros(len(place), np.int64)
    every = np.ones(len(counts.entries), dtype=bool)
    crossed = cross_counts(counts, every)
    evidence = Evidence(
        counts.lists,
        counts.entries,
        counts.list_index,
        occurrences.astype(np.int64),
        crossed,
        crossed,
        counts.documents,
        counts.tokens,
        counts.squared_lengths,
        concentration(counts, place[seen]),
        every.astype(np.float64),
        crossed.astype(np.float64),
    )
    return replace(evidence, concordant_cross_counts=cross_counts(counts, ~evidence.discordant))


def leave_out(evidence: Evidence, entries: BoolArray, pairs: sparse.csr_array) -> Evidence:
    """The evidence without these entries: they are no partners of others, and get no estimate."""
    weights = np.where(entries, 0.0, evidence.partner_weights)
    return replace(evidence, partner_weights=weights, weighted_cross_counts=weigh_pairs(pairs, weights))


def cross_counts(counts: Counts, included: BoolArray) -> IntArray:
    """c_i: how often entry i occurs together with included entries of the other lists, in pairs of tokens."""
    partners = included.astype(np.int64)
    return np.asarray(counts.pairs @ partners + counts.pairs.T @ partners, dtype=np.int64)


def concentration(counts: Counts, lexical: IntArray) -> float:
    """tau of the Dirichlet compound multinomial, from the words outside the lexicon; infinite without burstiness.

    .. math:: \\tau = \\frac{\\sum_i w_i (\\mu_i B - q_i)}{\\sum_i w_i (q_i - \\mu_i^2 (B - A) - \\mu_i A)},
        \\quad w_i = \\mu_i (1 - \\mu_i)

    with A = sum_t N_t, B = sum_t N_t^2, q_i = sum_t x_ti^2. `lexical` are the positions of entries among the words.
    """
    if counts.tokens == 0:
        return float("inf")
    outside = np.ones(len(counts.words), dtype=bool)
    outside[lexical] = False
    rates = counts.occurrences[outside] / counts.tokens
    squares = counts.squares[outside]
    weights = rates * (1.0 - rates)
    missing = weights * (rates * counts.squared_lengths - squares)
    excess = weights * (squares - rates**2 * counts.token_pairs - rates * counts.tokens)
    # Sorted, so that the sums do not depend on the order of the words, to the last bit.
    numerator, denominator = (float(np.sum(np.sort(terms))) for terms in (missing, excess))
    tau = numerator / denominator if denominator > 0 else float("inf")
    return tau if tau > 0 else float("inf")
