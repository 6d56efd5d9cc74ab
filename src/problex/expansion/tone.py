"""Weights for all words from two lists of tone, such as positive and negative words.

Two rounds of ridge regression on soft targets of the co-trained lexicon, in which themes count as far as the words of
the lexicon vote for them; then an average with the simpler expansion of `contrast` and with the lexicon, which guards
small and uneven corpora.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.late import sparse
from problex._util.threads import call_all
from problex.expansion.contrast import Training, train
from problex.expansion.cotraining import Cotraining, list_contrasts, soft_targets
from problex.expansion.ridge import THREADS, folds_of, held_out_scores, ridge, standardize, without
from problex.expansion.texts import LexiconColumns

THEME_PART = 0.7
"""The weight of the themes that words vote for, beside the rest of a target."""
LEXICON_IN_ROUND_2 = 0.7
NOISE_SHARE, LEXICON_LIMITS = 0.255, (0.5, 4.5)
"""The weight of the lexicon's score per noise over signal of the other words, and its limits."""
GUARD, GUARD_DOCUMENTS = 0.25, 750.0
"""The weight of what guards the new scores: 0.25 + 750 / documents."""
MIN_VOTER_DOCUMENTS = 3
"""The documents that a word of the lexicon needs to vote on a theme."""
MAX_LENGTH = 1.0
"""The largest length of the loadings of the themes."""
WEAK_AGREEMENT, MOST_LEXICON = 0.2, 1.5
"""The agreement that halves the distrust in other words, and the weight of the lexicon if there is no agreement."""


@dataclass(frozen=True, eq=False)
class ToneWeights:
    """Weights of features (for rows of length one) and of entries (for their own list, with `errors`)."""

    features: FloatArray
    entries: FloatArray
    errors: FloatArray

    def plus(self, other: ToneWeights, amount: float = 1.0) -> ToneWeights:
        """The sum of both, the other times an amount."""
        return ToneWeights(
            self.features + amount * other.features,
            self.entries + amount * other.entries,
            np.hypot(self.errors, amount * other.errors),
        )


def learn_tone(
    rows: sparse.csr_array,
    outside: NDArray[np.bool_],
    listed: LexiconColumns,
    basis: FloatArray,
    share: float,
    found: Cotraining,
    order: IntArray,
) -> tuple[ToneWeights, ToneWeights]:
    """Weights of all features and entries, so that their scores add up to the margin of the second list, and a guard.

    Both are to be added. `rows` are documents over all features, discounted for repetition, `basis` are the themes,
    `found` is the co-training of the same documents.
    """
    lexicon = listed.scores(found.weights)[:, 0]
    themes = _Themes(basis, loadings(listed, found.strengths, basis), found.view[:, 0])
    targets = soft_targets(list_contrasts(listed, found.weights), share)[:, 0]

    def learn() -> FloatArray:
        scores = held_out_scores(rows, themes.retheme(targets)[:, None], folds_of(order, 2))[:, 0]
        contrast = standardize(scores + LEXICON_IN_ROUND_2 * standardize(lexicon))
        return ridge(rows, themes.retheme(soft_targets(contrast[:, None], share, sharpness=2.0)[:, 0]))

    jobs: list[Callable[[], Any]] = [learn, partial(_simple_expansion, rows, outside, listed, basis, order)]
    weights, simple = call_all(jobs, THREADS)
    features, entries = weights / _size(rows @ weights), _lexicon_part(found.agreement) / _size(lexicon)
    size = _size(rows @ features + entries * lexicon)
    features, entries = features / size, entries / size
    more_features, more_lexicon = guard(rows, listed, simple, share)
    return (
        ToneWeights(features, entries * found.weights, entries * found.errors),
        ToneWeights(more_features, more_lexicon * listed.log_odds, more_lexicon * listed.errors),
    )


def guard(rows: sparse.csr_array, listed: LexiconColumns, simple: Training, share: float) -> tuple[FloatArray, float]:
    """The weights of features, and of the lexicon's log-odds, that are added to guard the new scores.

    With n documents and evenness e = 4 share (1 - share): (0.25 + 750 / n) times (e times the simple expansion plus
    (1 - e) times the lexicon), each at standard deviation one.
    """
    lexicon = listed.scores(listed.log_odds)[:, 0]
    unit, even = _size(lexicon), 4.0 * share * (1.0 - share)
    size = _size((rows @ simple.weights)[:, 0] + simple.lexicon_share * lexicon / unit)
    amount = GUARD + GUARD_DOCUMENTS / len(lexicon)
    features = amount * even * simple.weights[:, 0] / size
    return features, amount * (even * simple.lexicon_share / size + 1.0 - even) / unit


@dataclass(frozen=True, eq=False)
class _Themes:
    """The themes of a corpus, how far each is about the label, and the view of words outside the lexicon."""

    basis: FloatArray
    loadings: FloatArray
    view: FloatArray

    def retheme(self, target: FloatArray) -> FloatArray:
        """A target with the themes that words vote for in place of its own part along the themes."""
        rest = without(target, self.basis)
        strength = THEME_PART * float(np.mean(rest * self.view)) * np.sqrt(len(rest))
        return np.asarray(rest + strength * (self.basis @ self.loadings), dtype=np.float64)


def loadings(listed: LexiconColumns, strengths: FloatArray, basis: FloatArray) -> FloatArray:
    """How far each theme is about the label, by the votes of the words of two lists.

    If a theme is about the label, the documents of strong words lean to it in proportion to their strength. With A_ik
    the mean of theme k (at standard deviation one) over the documents with entry i, this is the coefficient of the
    signed strength of i in a regression of A_ik on it, a constant and log n_i, with the weight n_i. The constant and
    log n_i take up the length of documents and how many entries they have. The loadings have length one at most.
    """
    voters = np.flatnonzero(listed.documents >= MIN_VOTER_DOCUMENTS)
    if len(voters) < 3 or not basis.shape[1]:
        return np.zeros(basis.shape[1])
    seen = listed.documents[voters]
    leanings = np.sqrt(len(basis)) * (listed.present.T @ basis)[voters] / seen[:, None]
    signed = (listed.signs * strengths)[voters]
    design = np.column_stack([signed, np.ones(len(voters)), np.log(seen)]) * np.sqrt(seen)[:, None]
    found = np.linalg.lstsq(design, leanings * np.sqrt(seen)[:, None], rcond=None)[0][0]
    return np.asarray(found * min(1.0, MAX_LENGTH / max(float(np.linalg.norm(found)), 1e-12)), dtype=np.float64)


def _simple_expansion(
    rows: sparse.csr_array, outside: NDArray[np.bool_], listed: LexiconColumns, basis: FloatArray, order: IntArray
) -> Training:
    evidence = listed.sums(listed.log_odds, listed.burstiness)
    return train(rows, evidence, listed.scores(listed.log_odds), outside, basis, order)


def _lexicon_part(agreement: float) -> float:
    """The weight of the lexicon's score beside that of all features, both at standard deviation one.

    >>> round(_lexicon_part(0.5), 3), _lexicon_part(0.9), _lexicon_part(0.1)
    (0.765, 0.5, 4.5)
    """
    signal = max(agreement, 0.05) ** 2
    return float(np.clip(NOISE_SHARE * (1.0 - signal) / signal, *LEXICON_LIMITS))


def lexicon_of_weak_agreement(listed: LexiconColumns, agreement: float) -> ToneWeights:
    """The lexicon model once more, for scores of standard deviation one, where other words hardly agree with it.

    With r the agreement, its weight is 1.5 (0.04 / (r^2 + 0.04))^3: 0.77 at 0.1, 0.19 at 0.2, and 0.04 at 0.3.
    """
    distrust = WEAK_AGREEMENT**2 / (max(agreement, 0.0) ** 2 + WEAK_AGREEMENT**2)
    amount = MOST_LEXICON * distrust**3 / _size(listed.scores(listed.log_odds)[:, 0])
    return ToneWeights(np.zeros(1), amount * listed.log_odds, amount * listed.errors)


def _size(values: FloatArray) -> float:
    deviation = float(values.std())
    return deviation if deviation > 0 else 1.0
