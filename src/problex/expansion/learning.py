"""From documents as arrays to better weights of the lexicon's entries, and to an `Expansion`."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.late import sparse
from problex.counting.tables import TokenIds
from problex.estimation._sums import column_sums
from problex.estimation.weight_checks import discounts
from problex.expansion.anchors import share_from_anchors
from problex.expansion.contrast import Training, first_round, train
from problex.expansion.cotraining import Cotraining, Variances, cotrain, same_mean
from problex.expansion.folds import content_order
from problex.expansion.gate import are_topics
from problex.expansion.listed_words import ListedWords
from problex.expansion.mixture import (
    DOUBTFUL_MIXTURE,
    DOUBTFUL_REGRESSION,
    doubt,
    learn_mixture,
    mixture_part,
    trust,
)
from problex.expansion.ridge import margins, spread
from problex.expansion.themes import centred_basis, themes_of
from problex.expansion.tone import ToneWeights, learn_tone, lexicon_of_weak_agreement
from problex.expansion.topics import LEXICON_IN_ROUNDS, NaiveBayes, learn_topics, view_of_outside
from problex.model._features import scale_rows
from problex.model.expansion import Expansion, outside_of
from problex.model.vocabulary import Vocabulary

MIN_DISCOUNT_DOCUMENTS = 5
CONTRAST_PART = 0.5
"""The weight of the contrast of two lists of topics beside their topics, both at standard deviation one."""


@dataclass(frozen=True, eq=False)
class Texts:
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
    words: ListedWords
    basis: FloatArray


def prepare(
    tokens: TokenIds, vocabulary: Vocabulary, words: ListedWords, entries: Collection[str], topics: bool | None = None
) -> Texts:
    """The arrays that are learned from; `entries` are the names of the lexicon's.

    `topics` is whether the lists are about topics; None finds out.
    """
    found = vocabulary.count(tokens)
    counts = found.matrix()
    outside, single = outside_of(vocabulary, entries), vocabulary.second < 0
    order = content_order(counts, words.keys)
    occurrences, documents = column_sums(found.columns, found.counts, counts.shape[1])
    values, norms = vocabulary.tf_idf(found)
    rows = found.matrix(values)
    outside_words = rows[:, outside & single]
    if topics is None:
        topics = words.lists > 2 or are_topics(outside_words, words, occurrences[single], documents[single])
    words = replace(words, topics=topics)
    if topics:
        basis = np.zeros((len(order), 0))
    else:
        basis = centred_basis(themes_of(outside_words))
        factors = np.ones(len(single))
        for part in (single, ~single):
            factors[part] = discounts(occurrences[part], documents[part], len(order), MIN_DISCOUNT_DOCUMENTS)
        factors = np.round(factors, 6)
        vocabulary = replace(vocabulary, discounts=factors)
        lengths = _scale_columns(rows, factors)
        norms = norms * lengths
    typical = float(norms[norms > 0].mean()) if np.any(norms > 0) else 1.0
    return Texts(vocabulary, rows, typical, outside, order, words, basis)


def _scale_columns(rows: sparse.csr_array, factors: FloatArray) -> FloatArray:
    """Multiply the columns by these factors, in place, and scale each row to length one; its length before that."""
    rows.data *= factors.astype(np.float32)[rows.indices]
    return scale_rows(rows.indptr.astype(np.int64), rows.data)


@dataclass(frozen=True, eq=False)
class EntryWeights:
    """Log-odds of the entries for their own lists, with standard errors, and the share of the second of two labels."""

    found: Cotraining
    share: float
    reliability: float


def learn_entries(texts: Texts, share: float, variances: Variances) -> EntryWeights:
    """Co-train the entries of the lexicon; `share` is that of the second of two labels by the lexicon model."""
    words, reliability = texts.words, float("nan")
    if words.lists == 2:
        share, reliability = share_from_anchors(words, words.discounts * words.log_odds, share)
    found = cotrain(texts.rows[:, texts.outside], words, texts.basis, share, texts.order, variances)
    return EntryWeights(found, share, reliability)


@dataclass(frozen=True, eq=False)
class ToneParts:
    """Weights of features and of entries for the margin of the second list; `unit` is the weight of entry scores."""

    features: FloatArray
    log_odds: FloatArray
    errors: FloatArray
    unit: float
    rounds: int


def learn_features(texts: Texts, learned: EntryWeights) -> ToneParts:
    """Weights for all features and entries from two lists of tone."""
    words = texts.words
    arguments = (texts.rows, texts.outside, words, texts.basis, learned.share, learned.found, texts.order)
    new, guard = learn_tone(*arguments)
    scores = _scores(texts, guard.plus(new))
    rarity, order = texts.vocabulary.rarity, texts.order
    mixture = learn_mixture(texts.rows, rarity, texts.typical_length, scores, texts.basis, learned.share, order)
    doubtful = doubt(learned.found.remaining, _correlation(texts.rows @ mixture, texts.rows @ new.features))
    parts = guard.plus(new, trust(doubtful, DOUBTFUL_REGRESSION))
    amount = mixture_part(learned.found.agreement, len(scores), learned.share) * trust(doubtful, DOUBTFUL_MIXTURE)
    features = parts.features + amount * float(_scores(texts, parts).std()) * mixture
    size = float(_scores(texts, replace(parts, features=features)).std())
    parts = parts.plus(lexicon_of_weak_agreement(words, learned.found.agreement), size)
    scale = same_mean(words, parts.entries)
    return ToneParts(features, scale * parts.entries, scale * parts.errors, 1.0 / scale, 2)


def _scores(texts: Texts, weights: ToneWeights) -> FloatArray:
    """The margins of the documents under weights of features and entries."""
    return np.asarray(texts.rows @ weights.features + texts.words.scores(weights.entries)[:, 0], dtype=np.float64)


def _correlation(one: FloatArray, two: FloatArray) -> float:
    return float(np.corrcoef(one, two)[0, 1]) if one.std() > 0 and two.std() > 0 else 0.0


def tone_expansion(
    texts: Texts, parts: ToneParts, learned: EntryWeights, lexicon: FloatArray, size: float, factor: FloatArray
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


def outside_scores(texts: Texts, lexicon: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Held-out scores of documents by the words outside lists of topics, and the support of each list by them.

    They are those of `topic_expansion`; None for lists of tone.
    """
    if not texts.words.topics:
        return None
    unscale = np.where(texts.vocabulary.second < 0, 1.0 / texts.vocabulary.rarity, 0.0)
    bayes = NaiveBayes(texts.rows, unscale, texts.typical_length)
    return view_of_outside(bayes, lexicon, texts.outside, texts.words.matched, texts.order)


def topic_expansion(texts: Texts, lexicon: FloatArray) -> Expansion:
    """The expansion from lists of topics and the scores of the lexicon (documents x lists)."""
    vocabulary, words = texts.vocabulary, texts.words
    single, matched = vocabulary.second < 0, words.matched
    found = learn_topics(
        *(texts.rows, vocabulary.rarity, single, texts.outside, lexicon, matched, texts.order, texts.typical_length)
    )
    features, weight, offset = found.features, found.lexicon, found.offset
    if words.lists == 2:
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
    texts: Texts, lexicon: FloatArray, features: FloatArray, weight: float, offset: FloatArray, simple: Training
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


def contrast_expansion(texts: Texts, lexicon: FloatArray, share: float) -> Expansion:
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


def _contrast(texts: Texts, lexicon: FloatArray) -> Training:
    return train(*_contrast_arguments(texts, lexicon))


def _contrast_arguments(
    texts: Texts, lexicon: FloatArray
) -> tuple[sparse.csr_array, FloatArray, FloatArray, BoolArray, FloatArray, IntArray]:
    evidence = texts.words.sums(texts.words.log_odds, texts.words.burstiness)
    return texts.rows, evidence, margins(lexicon), texts.outside, texts.basis, texts.order


def offsets_at(scores: FloatArray, share: float) -> FloatArray:
    """Offsets with which the second of two classes gets that share of the documents.

    >>> offsets_at(np.array([5.0, 4.0, 3.0]), share=2 / 3)
    array([ 1.75, -1.75])
    """
    at = float(np.quantile(scores, 1.0 - share, method="midpoint"))
    return np.array([at / 2, -at / 2])
