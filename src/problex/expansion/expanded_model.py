"""`expand`: from a lexicon model and unlabelled texts to a model that has learned from all words of the texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from problex._util._rows import capped
from problex._util.arrays import TIE, FloatArray, IntArray, leads
from problex._util.formatting import pluralize
from problex._util.late import sparse
from problex._util.records import Record
from problex._util.threads import one_blas_thread
from problex.corpus import batches, strip_markup
from problex.counting._counter import document_keys
from problex.counting.sample import Sample
from problex.counting.tables import Table, tabulate, token_ids
from problex.errors import EstimationWarning, ProblexError, check_choice, opt, warn_caller, was_given
from problex.estimation.calibration import MOST_CAPPED, calibrate, threshold_at
from problex.estimation.prevalence import combined_share
from problex.estimation.shrinkage import variances
from problex.expansion.gate import themes_are_the_lists
from problex.expansion.learning import (
    EntryWeights,
    Texts,
    contrast_expansion,
    learn_entries,
    learn_features,
    outside_scores,
    prepare,
    tone_expansion,
    topic_expansion,
)
from problex.expansion.listed_words import ListedWords
from problex.expansion.reservoir import SAMPLE_SIZE, ReservoirSample, check_sample
from problex.expansion.ridge import margins
from problex.expansion.topics import MIN_SUPPORT
from problex.matching.negation import NEGATED
from problex.model.calibration import UNCALIBRATED, Calibration
from problex.model.expansion import Cotrained, Expansion, bounded, outside_of
from problex.model.model import Model
from problex.model.rules import RULES, make_weights
from problex.model.vocabulary import vocabulary_and_tokens
from problex.scoring.scorer import Sums, make_scorer

WORDS = {
    "all": "all words and pairs of neighbours get a weight",
    "lexicon": "only the words of the lexicon have weights, learned with the help of all others",
}
"""Which words have weights in a model that has learned from all words."""
LEARNED_RULE, LEARNED_TEMPER = "log", "root"
"""The rule and the temper that co-trained weights are for."""
MIN_DOCUMENTS = 20
MIN_STANDARD_ERRORS = 3.0
"""How many standard errors the agreement of held-out words with the lexicon must be above zero."""
MIN_RARER = 25
"""The least number of texts of the rarer of two labels, by the share that was estimated."""
MIN_RELIABILITY = 0.0
"""The least split-half reliability of two lists: below it they do not oppose each other in the texts."""
EXPANDED = Calibration(half_length=3.0, steepness=2.0)
"""How scores of expanded models become log-odds. All words say more per token than those of the lists, so that texts of
ten words are long; but rows have length one, so that those of one or two words overstate what they say."""
MIN_SUGGESTION_DOCUMENTS = 5
SUGGESTION_DOCUMENTS = 500
"""A suggested word must occur in at least one of this many documents."""


def expand(
    model: Model,
    documents: Any,
    *,
    words: str = "all",
    expand_sample: int | str = SAMPLE_SIZE,
    markup: bool = False,
    threads: int | None = None,
    **reading: Any,
) -> Model:
    """The model after it has learned from all words of unlabelled texts.

    With `words="all"` it has an expansion: weights for all words and pairs of neighbours. With `words="lexicon"` only
    the entries of the lexicon have weights, one each, but better ones. `documents` are texts of any source, or a
    `ReservoirSample` that was filled while they were counted; of more than `expand_sample` bytes of text, a random
    sample of so many is used. `reading` are options of `batches`. Where there is too little to learn from, the model
    is returned unchanged, with a warning.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> days = ["day", "week", "film", "walk", "story", "day in town", "week in town", "film in town", "short walk"]
    >>> seen = ["good sunny", "fine sunny", "good fine sunny", "bad rainy", "poor rainy", "bad poor rainy"]
    >>> texts = [f"{words} {day}" for words in seen for day in days] * 2
    >>> model = expand(estimate(count(texts, lexicon), lexicon), texts)
    >>> from problex import score
    >>> score(["a sunny place", "a rainy place"], model).labels().tolist()
    ['positive', 'negative']
    """
    check_choice("words", words, WORDS)
    if words == "lexicon" and not RULES[model.settings.rule].uses_weights:
        raise ProblexError(
            f"{was_given('rule', model.settings.rule)}, which uses no weights of entries, but better weights "
            f"were asked for: use {opt('rule', LEARNED_RULE)} or leave it out"
        )
    if isinstance(documents, ReservoirSample):
        sample = documents
    else:
        sample = ReservoirSample(check_sample(expand_sample))
        for batch in batches(documents, **reading):
            sample.add(batch.texts)
    texts = strip_markup(sample.texts) if markup else sample.texts
    if len(texts) < MIN_DOCUMENTS:
        return _unchanged(model, f"{pluralize(len(texts), 'document is', 'documents are')} too few to learn from")
    plain = replace(model.label_free, expansion=None)  # the labels of an audit are for the scores of this model
    with one_blas_thread:
        prepared = _prepared(plain, texts)
        if prepared is None:
            return _unchanged(model, "the texts have too few words in common, or too few words of the lists")
        learned = _learn(plain, *prepared, words)
    if learned.cotrained is None and learned.expansion is None:
        return _unchanged(model, f"fewer than {MIN_RARER} texts seem to have the rarer label")
    agreement, different = _agreement(learned), len(np.unique(prepared[0].args[2].keys))
    if agreement < MIN_STANDARD_ERRORS / np.sqrt(different):
        reason = f"the scores of the words outside the lexicon hardly correlate with it ({agreement:.2f})"
        return _unchanged(model, f"{reason} on held-out texts")
    if learned.cotrained is not None and learned.cotrained.reliability < MIN_RELIABILITY:
        reliability = learned.cotrained.reliability
        return _unchanged(model, f"halves of the lexicon contradict each other in these texts ({reliability:.2f})")
    _warn_of_absent_topics(learned)
    return learned


class OutsideView(NamedTuple):
    """What the words outside lists of topics say: a label of each document, and the support of each list.

    `words` are all words of the texts, entries included, and `counts` (documents x words) how often they occur. A label
    is an index of the model's classes; the words of a document did not teach it.
    """

    labels: IntArray
    support: FloatArray
    words: tuple[str, ...]
    counts: sparse.csr_array


def outside_view(model: Model, texts: pa.Array) -> OutsideView | None:
    """The labels of texts by the words outside the lists of a model; None for two lists of tone.

    None, too, if there is too little to learn from. The support is that of an expansion of the model.
    """
    plain = replace(model.label_free, expansion=None)
    prepared = _prepared(plain, texts) if len(texts) >= MIN_DOCUMENTS else None
    if prepared is None:
        return None
    make_texts, sums = prepared
    found = outside_scores(make_texts(), _lexicon_scores(plain, sums))
    if found is None:
        return None
    tokens, vocabulary, listed, entries = make_texts.args
    single = np.flatnonzero((vocabulary.second < 0) & outside_of(vocabulary, entries))
    counts = sparse.hstack([vocabulary.count(tokens).matrix()[:, single], listed.counts], format="csr")
    words = (*(vocabulary.name(column) for column in single.tolist()), *entries)
    return OutsideView(found[0].argmax(axis=1), found[1], words, counts)


def _prepared(model: Model, texts: pa.Array) -> tuple[partial[Texts], Sums] | None:
    """A function that makes the arrays to learn from, and the sums of the lexicon's words in each text.

    None if the texts or the lists have too few words.
    """
    listed, scorer = _listed_words(model, texts), make_scorer(model)
    vocabulary, tokens = vocabulary_and_tokens(token_ids(texts, model.items, model.tokenizer))
    if len(vocabulary.first) < 2 or not np.all(listed.sums(listed.log_odds, listed.burstiness).std(axis=0) > 0):
        return None
    sums = scorer.sums(scorer.count(texts) if scorer.rule.all_words else _table(model, listed).rows)
    return partial(prepare, tokens, vocabulary, listed, model.evidence.entries), sums


def _lexicon_scores(model: Model, sums: Sums) -> FloatArray:
    """The scores of the lexicon alone, with its threshold and without the slope of its probabilities."""
    scores = (sums.values + capped(make_scorer(model).offsets, sums.evidence)) / model.calibration.sharpness
    return np.asarray(scores, dtype=np.float64)


def _learn(model: Model, prepared: Callable[..., Texts], sums: Sums, words: str) -> Model:
    """The model after it has learned from the texts whose words it gave these sums; as it is if one label is rare."""
    texts, lexicon = prepared(), _lexicon_scores(model, sums)
    decided = lexicon[(sums.matches > 0) & (leads(lexicon) > TIE)]
    share = float(np.mean(decided.argmax(axis=1) == 1)) if len(decided) else 0.5
    shares = model.calibration.prevalence
    if shares is not None and model.settings.prior is None:  # without the weights: the anchors are found by them
        share = combined_share(shares.counted, shares.counted, shares.skewed, shares.coherence)
    if words == "all" and not RULES[model.settings.rule].uses_weights:
        return _with_expansion(model, texts, contrast_expansion(texts, lexicon, share), sums)
    if words == "all" and texts.words.topics:
        return _with_expansion(model, texts, topic_expansion(texts, lexicon), sums)
    learned = learn_entries(texts, share, variances)
    found = learned.found
    if not texts.words.topics and themes_are_the_lists(found.agreement, found.remaining, len(lexicon)):
        return _learn(model, partial(prepared, topics=True), sums, words)
    if texts.words.lists == 2 and len(lexicon) * min(learned.share, 1.0 - learned.share) < MIN_RARER:
        return model
    if words == "lexicon":
        return _with_weights(model, texts, learned, learned.found.weights, learned.found.errors)
    parts = learn_features(texts, learned)
    model = _with_weights(model, texts, learned, parts.log_odds, parts.errors)
    scorer, table = make_scorer(model), _table(model, texts.words)
    sums, scores = scorer.sums(table.rows), scorer.score_table(table)
    size = float(np.std(margins(scores.log_odds)[sums.matches > 0]))  # of the log-odds of texts with an entry
    lexicon, factor = sums.values / model.calibration.sharpness, EXPANDED.length_factor(table.lengths)
    return _with_expansion(model, texts, tone_expansion(texts, parts, learned, lexicon, size, factor), sums)


def _with_expansion(model: Model, texts: Texts, expansion: Expansion, sums: Sums) -> Model:
    """The model with an expansion that was learned from texts with these sums of the lexicon.

    The offset of the expansion becomes the threshold of the model: with the same share of the texts above it, as far as
    this is possible, now that it is capped by the evidence. What was learned of listed words is bounded, so that none
    favours another list.
    """
    words = expansion.vocabulary.words
    found = [
        None if word.startswith(NEGATED) else own for word, own in zip(words, model.items.find_all(words), strict=True)
    ]
    expansion = bounded(expansion, found)
    sharpness, share = model.calibration.sharpness, expansion.lexicon_weight
    values = share / sharpness * sums.values + texts.rows @ expansion.weights
    evidence = share / sharpness * sums.evidence + texts.rows @ expansion.leads
    calibration = replace(EXPANDED, intercepts=tuple(expansion.offset.tolist()))
    if len(model.classes) == 2:
        margin, some = margins(values)[:, 0], evidence > 0
        above = float(np.mean((margin + np.diff(expansion.offset))[some] > 0)) if some.any() else 0.5
        at = threshold_at(margin[some], np.ones(int(some.sum())), above, evidence[some], MOST_CAPPED)
        calibration = replace(EXPANDED, threshold=at, prevalence=model.calibration.prevalence)
    plain = replace(expansion, offset=np.zeros(len(model.classes)))
    return replace(model, expansion=plain, calibration=calibration)


def _listed_words(model: Model, texts: pa.Array) -> ListedWords:
    """The entries of the model in the texts, with their log-odds; a word and its negation have the same number."""
    evidence = model.evidence
    table = tabulate(texts, model.items, model.tokenizer, {entry: at for at, entry in enumerate(evidence.entries)})
    plain = [entry.removeprefix(NEGATED) for entry in evidence.entries]
    number = {word: at for at, word in enumerate(sorted(set(plain)))}
    # The expansion has its own discount for repetition, from all texts.
    discounts = np.ones(len(plain)) if evidence.discounts is None else evidence.discounts
    return ListedWords(
        table.matrix,
        table.lengths.astype(np.float64),
        evidence.list_index,
        2.0 * np.arctanh(model.predictiveness) / discounts,
        2.0 * model.standard_errors / (1.0 - model.predictiveness**2) / discounts,
        evidence.concentration,
        np.array([number[word] for word in plain], dtype=np.int64),
        len(model.classes),
        document_keys(texts) if table.keys is None else table.keys,
    )


def _with_weights(model: Model, texts: Texts, learned: EntryWeights, log_odds: FloatArray, errors: FloatArray) -> Model:
    """The model with these log-odds of its entries, and the threshold at the learned share."""
    predictiveness = np.tanh(log_odds / 2.0)
    settings = replace(model.settings, rule=LEARNED_RULE, temper=LEARNED_TEMPER)
    calibration = UNCALIBRATED
    if settings.calibration != "none":
        weights = make_weights(model.evidence, predictiveness, model.prior)
        calibration = calibrate(weights, _sample(texts.words), LEARNED_RULE, LEARNED_TEMPER, share=learned.share)
    found = learned.found
    figures = (len(texts.words.lengths), found.agreement, learned.reliability)
    cotrained = Cotrained((1.0 - predictiveness**2) / 2.0 * errors, *figures)
    return replace(
        model, predictiveness=predictiveness, settings=settings, calibration=calibration, cotrained=cotrained
    )


def _sample(words: ListedWords) -> Sample:
    """All documents, as calibration reads them."""
    number = len(words.lengths)
    ones, lengths = np.ones(number, np.int64), words.lengths.astype(np.int64)
    keys = np.arange(number, dtype=np.uint64)
    return Sample(keys, keys, ones, lengths, words.counts, number)


def _table(model: Model, words: ListedWords) -> Table:
    return Table(model.evidence.entries, words.counts, words.lengths.astype(np.int64))


def _agreement(model: Model) -> float:
    learned = model.expansion or model.cotrained
    return learned.agreement if learned is not None else 0.0


def _warn_of_absent_topics(model: Model) -> None:
    if model.expansion is None or model.expansion.support is None:
        return
    absent = [name for name, value in zip(model.classes, model.expansion.support, strict=True) if value < MIN_SUPPORT]
    if absent:
        warn_caller(
            f"the other words of the texts hardly support {', '.join(absent)}: texts on "
            f"{'its topic' if len(absent) == 1 else 'their topics'} may be missing; compare the lists with the texts",
            EstimationWarning,
        )


def _unchanged(model: Model, reason: str) -> Model:
    advice = "only the lexicon is used. Give more or longer texts"
    warn_caller(f"the model was not expanded: {reason}; {advice}", EstimationWarning)
    return model


def suggestions(model: Model, top: int = 20) -> list[Record]:
    """Words and pairs outside the lexicon with the largest weights for each list: candidates for adding to it.

    The largest weights come first; a word must occur in at least one of 500 documents, and in five.
    """
    if model.expansion is None:
        return []
    least = max(MIN_SUGGESTION_DOCUMENTS, model.expansion.documents / SUGGESTION_DOCUMENTS)
    features = model.expansion.records(model.classes, model.evidence.entries)
    candidates = [row for row in features if not row["in_lexicon"] and row["documents"] >= least]
    candidates.sort(key=lambda row: (-row["weight"], row["entry"]))
    by_list: dict[str, list[Record]] = {name: [] for name in model.classes}
    for row in candidates:
        own = by_list[row["list"]]
        if len(own) < top:
            own.append({key: row[key] for key in ("list", "entry", "documents", "weight")})
    return [row for own in by_list.values() for row in own]
