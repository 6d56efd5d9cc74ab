"""What documents say about learned weights of two lists: do words agree more under them, and which words repeat?

**Agreement.** If the label moves all words of the lexicon, words of one list occur in the same documents, and those of
the other list elsewhere, and weights that are right strengthen this. Where weights do not, the differences between the
words come from something else, such as subjects, and are mostly left out.

**Repetition.** Topic words repeat within documents, judgements do not. Entries are compared with entries of their
frequency, as in `problex.expansion.discount`, but as far as it is not noise. If the words of the lists repeat as much
as all other words, the lists are about topics themselves, and nothing is discounted.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse
from scipy.special import logit

from problex._util.arrays import FloatArray, IntArray
from problex.counting.counts import Counts
from problex.counting.sample import Sample
from problex.expansion.discount import MIN_EXCESS, above_line, chance_repetition, line_of, repetition

MIN_ENTRIES = 20
"""The entries that must occur for their weights to be judged."""
LEAST_KEPT = 0.25
"""The least share of the differences between words that is kept: even small ones decide between documents that tie."""
FULL_GAIN = 0.2
"""The gain in agreement, in logits per variance of the weights, from which on all differences are kept."""
STRENGTH = 1.5
"""Half of the strength that all words have in an expansion: the weights of a lexicon model are less certain."""
MIN_DOCUMENTS, MIN_OCCURRENCES = 10, 10
FULL_DISTANCE = 0.2
"""How much less than other words the lists must repeat for the whole discount, in standard deviations."""
MIN_REPEATS = 0.01
"""The least expected number of repetitions: what is rarer than that cannot be told from noise."""


def kept_differences(sample: Sample, list_index: IntArray, weights: FloatArray, rates: FloatArray) -> float:
    """The share of the differences between the weights of two lists' words that is kept, from 0.25 to 1.

    `weights` have the mean one over tokens in each list, and are zero for entries that are left out; `rates` are those
    of the entries. With r_w and r_1 the agreement of words under the weights and under equal weights, the share is
    (logit r_w - logit r_1) / (0.2 V), with V the variance of the weights over tokens; 0.25 if words do not agree at all
    (r_w is not positive), 1 if they do under the weights only.
    """
    signs = np.where(list_index == 1, 1.0, -1.0)
    values = 1.0 + np.log(sample.matrix.data)
    rows = sparse.csr_array((values, sample.matrix.indices, sample.matrix.indptr), shape=sample.matrix.shape)
    scaled = sparse.csr_array(rows.multiply(1.0 / np.sqrt(np.maximum(sample.lengths, 1.0))[:, None]))
    repeats = sample.repeats / max(int(sample.repeats.sum()), 1)
    learned, equal = (word_agreement(scaled, signs * part, repeats) for part in (weights, np.sign(rates)))
    variation = float(rates @ (weights - 1.0) ** 2) / max(float(rates.sum()), 1e-300)
    if not learned > 0:
        return LEAST_KEPT
    if not equal > 0 or not variation > 0:
        return 1.0
    return float(np.clip((logit(learned) - logit(equal)) / (FULL_GAIN * variation), LEAST_KEPT, 1.0))


def word_agreement(rows: sparse.csr_array, weights: FloatArray, shares: FloatArray) -> float:
    """The share of the variance of documents' scores that is covariance between different words; 0 without variance.

    `rows` are documents over words, `weights` those of the words, `shares` those of the documents.

    >>> alike = sparse.csr_array(np.array([[1.0, 1.0], [0.0, 0.0]]))
    >>> word_agreement(alike, np.ones(2), np.full(2, 0.5))    # two words that always meet
    0.5
    """
    sums = np.asarray(rows @ weights).reshape(-1)
    squares = np.asarray(rows.power(2) @ weights**2).reshape(-1)
    means = np.asarray(rows.T @ shares).reshape(-1) * weights
    variance = float(shares @ sums**2 - (shares @ sums) ** 2)
    alone = float(shares @ squares - np.sum(means**2))
    return (variance - alone) / variance if variance > 0 else 0.0


def entry_discounts(counts: Counts, sample: Sample) -> FloatArray | None:
    """The factor of each entry's log-odds, exp(-1.5 d max(excess, -0.3)); None if there is nothing to discount.

    d, from 0 to 1, is how clearly the lists repeat less than all words, see `less_repetition`. The excess is how much
    more an entry repeats in the sampled documents than entries of its frequency, T / (T + noise) of it: the noise is
    (m - 1) / (m n) for n documents with m occurrences each, and T is the variance of excesses beyond it.
    """
    distance = less_repetition(counts)
    present = sample.matrix.astype(bool).astype(np.int64)
    documents = np.asarray(present.T @ sample.repeats, dtype=np.float64)
    frequent = np.flatnonzero(documents >= MIN_DOCUMENTS)
    if not distance > 0 or len(frequent) < 3:
        return None
    occurrences = np.asarray(sample.matrix.T @ sample.repeats, dtype=np.float64)[frequent]
    number = documents[frequent]
    chance = chance_repetition(number, int(sample.repeats.sum()))
    values = repetition(occurrences, number) - chance
    excess = above_line(number, values, line_of(number, values))
    expected = np.exp(np.maximum(values - excess + chance, 0.0))
    noise = np.maximum(expected - 1.0, MIN_REPEATS) / (expected * number)
    true = max(float(np.mean(excess**2 - noise)), 0.0)
    factors = np.ones(len(documents))
    factors[frequent] = np.exp(-STRENGTH * distance * np.maximum(excess * true / (true + noise), MIN_EXCESS))
    return np.round(factors, 6)


def less_repetition(counts: Counts) -> float:
    """How clearly the words of the lists repeat less than all words, from 0 (they do not) to 1.

    Repetition is log((q_i + 2) / (n_i + 2)), with q_i the sum of squared counts and n_i the occurrences of word i, less
    a line on log n_i through all words; the mean over the lists is weighted by the root of n_i.
    """
    frequent = counts.occurrences >= MIN_OCCURRENCES
    listed = frequent & pc.is_in(counts.words, pa.array(counts.entries, counts.words.type)).to_numpy(
        zero_copy_only=False
    )
    if frequent.sum() < 3 or not listed.any():
        return 0.0
    number = counts.occurrences[frequent]
    values = repetition(counts.squares[frequent], number)
    excess = above_line(number, values, line_of(number, values))
    size = float(excess.std())
    own = listed[frequent]
    mean = float(np.average(excess[own], weights=np.sqrt(number[own])))
    return float(np.clip(-mean / (FULL_DISTANCE * size), 0.0, 1.0)) if size > 1e-9 else 0.0
