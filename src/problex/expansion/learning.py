"""From documents as arrays to better weights of the lexicon's entries, and to an `Expansion`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.late import sparse
from problex.expansion.contrast import Training, first_round, train
from problex.expansion.cotraining import Cotraining, cotrain, same_mean, share_from_anchors
from problex.expansion.mixture import (
    DOUBTFUL_MIXTURE,
    DOUBTFUL_REGRESSION,
    doubt,
    learn_mixture,
    mixture_part,
    trust,
)
from problex.expansion.ridge import margins, spread
from problex.expansion.texts import TrainingTexts
from problex.expansion.tone import ToneWeights, learn_tone, lexicon_of_weak_agreement
from problex.expansion.topics import LEXICON_IN_ROUNDS, learn_topics
from problex.model.expansion import Expansion

CONTRAST_PART = 0.5
"""The weight of the contrast of two lists of topics beside their topics, both at standard deviation one."""


@dataclass(frozen=True, eq=False)
class EntryWeights:
    """Log-odds of the entries for their own lists, with standard errors, and the share of the second of two labels."""

    found: Cotraining
    share: float
    reliability: float


def learn_entries(texts: TrainingTexts, share: float) -> EntryWeights:
    """Co-train the entries of the lexicon; `share` is that of the second of two labels by the lexicon model."""
    listed, reliability = texts.listed, float("nan")
    if listed.lists == 2:
        share, reliability = share_from_anchors(listed, listed.discounts * listed.log_odds, share)
    found = cotrain(texts.rows[:, texts.outside], listed, texts.basis, share, texts.order)
    return EntryWeights(found, share, reliability)


@dataclass(frozen=True, eq=False)
class ToneParts:
    """Weights of features and of entries for the margin of the second list; `unit` is the weight of entry scores."""

    features: FloatArray
    log_odds: FloatArray
    errors: FloatArray
    unit: float
    rounds: int


def learn_features(texts: TrainingTexts, learned: EntryWeights) -> ToneParts:
    """Weights for all features and entries from two lists of tone."""
    listed = texts.listed
    arguments = (texts.rows, texts.outside, listed, texts.basis, learned.share, learned.found, texts.order)
    new, guard = learn_tone(*arguments)
    scores = _scores(texts, guard.plus(new))
    rarity, order = texts.vocabulary.rarity, texts.order
    mixture = learn_mixture(texts.rows, rarity, texts.typical_length, scores, texts.basis, learned.share, order)
    doubtful = doubt(learned.found.remaining, _correlation(texts.rows @ mixture, texts.rows @ new.features))
    parts = guard.plus(new, trust(doubtful, DOUBTFUL_REGRESSION))
    amount = mixture_part(learned.found.agreement, len(scores), learned.share) * trust(doubtful, DOUBTFUL_MIXTURE)
    features = parts.features + amount * float(_scores(texts, parts).std()) * mixture
    size = float(_scores(texts, replace(parts, features=features)).std())
    parts = parts.plus(lexicon_of_weak_agreement(listed, learned.found.agreement), size)
    scale = same_mean(listed, parts.entries)
    return ToneParts(features, scale * parts.entries, scale * parts.errors, 1.0 / scale, 2)


def _scores(texts: TrainingTexts, weights: ToneWeights) -> FloatArray:
    """The margins of the documents under weights of features and entries."""
    return np.asarray(texts.rows @ weights.features + texts.listed.scores(weights.entries)[:, 0], dtype=np.float64)


def _correlation(one: FloatArray, two: FloatArray) -> float:
    return float(np.corrcoef(one, two)[0, 1]) if one.std() > 0 and two.std() > 0 else 0.0


def tone_expansion(
    texts: TrainingTexts, parts: ToneParts, learned: EntryWeights, lexicon: FloatArray, size: float, factor: FloatArray
) -> Expansion:
    """The expansion for tempered sums of the lexicon (documents x 2) under the log-odds of `parts`.

    Its scores times the `factor` of each document have the standard deviation `size`.
    """
    own = texts.rows @ parts.features
    total = own + parts.unit * margins(lexicon)[:, 0]
    scale = size / spread((factor * total)[:, None])[0]
    weights = np.round(scale * parts.features[:, None] @ np.array([[-0.5, 0.5]]), 6)
    offset = offsets_at(scale * total, learned.share)
    figures = (len(own), learned.found.agreement, parts.rounds, texts.typical_length)
    return Expansion(texts.vocabulary, weights, float(scale * parts.unit), offset, *figures, kind="tone")


def topic_expansion(texts: TrainingTexts, lexicon: FloatArray) -> Expansion:
    """The expansion from lists of topics and the scores of the lexicon (documents x lists)."""
    vocabulary, found = texts.vocabulary, learn_topics(texts, lexicon)
    features, weight, offset = found.features, found.lexicon, found.offset
    if texts.listed.lists == 2:
        simple = _contrast(texts, lexicon)
        agreement = simple.agreement
        features, weight, offset = _with_contrast(texts, lexicon, features, weight, offset, simple)
    else:
        _, agreement = first_round(*_contrast_arguments(texts, lexicon))
    return Expansion(
        vocabulary,
        np.round(features, 6),
        weight,
        offset,
        len(lexicon),
        agreement,
        len(LEXICON_IN_ROUNDS),
        texts.typical_length,
        kind="topics",
        support=found.support,
    )


def _with_contrast(
    texts: TrainingTexts, lexicon: FloatArray, features: FloatArray, weight: float, offset: FloatArray, simple: Training
) -> tuple[FloatArray, float, FloatArray]:
    """Topics plus half of the contrast of two lists; the share of each label stays that of the topics."""
    margin, halves = margins(lexicon)[:, 0], np.array([[-0.5, 0.5]])
    topics = margins(texts.rows @ features + weight * lexicon + offset)[:, 0]
    unit = spread(margin[:, None])[0]
    contrast = (texts.rows @ simple.weights)[:, 0] + simple.lexicon_share * margin / unit
    amount = CONTRAST_PART * spread(topics[:, None])[0] / spread(contrast[:, None])[0]
    features = features + amount * simple.weights @ halves
    weight = weight + amount * simple.lexicon_share / unit
    total = margins(texts.rows @ features + weight * lexicon)[:, 0]
    return features, weight, offsets_at(total, float(np.mean(topics > 0)))


def contrast_expansion(texts: TrainingTexts, lexicon: FloatArray, share: float) -> Expansion:
    """The expansion from the contrast of the lists alone, for rules without weights of entries, such as counting."""
    two = lexicon.shape[1] == 2
    simple, decision = _contrast(texts, lexicon), margins(lexicon)
    size = spread(decision).mean()
    lexicon_part, own = simple.lexicon_share / size * decision, texts.rows @ simple.weights
    scale = size / spread(own + lexicon_part).mean()
    signs = np.array([[-0.5, 0.5]]) if two else np.eye(lexicon.shape[1])
    return Expansion(
        texts.vocabulary,
        np.round(scale * simple.weights @ signs, 6),
        float(scale * simple.lexicon_share / size),
        offsets_at(scale * (own + lexicon_part)[:, 0], share) if two else np.zeros(lexicon.shape[1]),
        len(own),
        simple.agreement,
        simple.rounds,
        texts.typical_length,
    )


def _contrast(texts: TrainingTexts, lexicon: FloatArray) -> Training:
    return train(*_contrast_arguments(texts, lexicon))


def _contrast_arguments(
    texts: TrainingTexts, lexicon: FloatArray
) -> tuple[sparse.csr_array, FloatArray, FloatArray, BoolArray, FloatArray, IntArray]:
    evidence = texts.listed.sums(texts.listed.log_odds, texts.listed.burstiness)
    return texts.rows, evidence, margins(lexicon), texts.outside, texts.basis, texts.order


def offsets_at(scores: FloatArray, share: float) -> FloatArray:
    """Offsets with which the second of two classes gets that share of the documents.

    >>> offsets_at(np.array([5.0, 4.0, 3.0]), share=2 / 3)
    array([ 1.75, -1.75])
    """
    at = float(np.quantile(scores, 1.0 - share, method="midpoint"))
    return np.array([at / 2, -at / 2])
