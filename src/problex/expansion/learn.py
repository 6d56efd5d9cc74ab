"""From texts to models: `count_and_sample` and `learn` for all who learn; `expand` learns from all words.

The classifier, the commands and Spark count, take a sample meanwhile, and learn by the same functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from problex._util._rows import capped
from problex._util.arrays import TIE, FloatArray, IntArray, leads
from problex._util.formatting import pluralize
from problex._util.late import sparse
from problex._util.records import Record
from problex._util.threads import one_blas_thread
from problex.corpus import Batch, batches, strip_markup
from problex.counting.counts import Counts, Sample, tokenizer_of
from problex.counting.streams import count
from problex.counting.tables import CountTable, TokenIds, token_ids
from problex.errors import EstimationWarning, ProblexError, check_choice, opt, warn_caller, was_given
from problex.estimation.calibration import MOST_CAPPED, calibrate, combined_share, threshold_at
from problex.estimation.fitting import estimate
from problex.expansion.constants import TUNED
from problex.expansion.cotraining import Cotraining, cotrain, themes_are_the_lists
from problex.expansion.reservoir import SAMPLE_SIZE, ReservoirSample, check_sample
from problex.expansion.ridge import margins, spread
from problex.expansion.texts import LexiconColumns, TrainingTexts
from problex.expansion.tone import learn_tone, tone_expansion
from problex.expansion.topics import NaiveBayes, topic_expansion, view_of_outside
from problex.lexicon.lexicon import Lexicon
from problex.matching.negation import NEGATED
from problex.matching.tokens import Tokenizer
from problex.model.calibration import UNCALIBRATED, Calibration
from problex.model.expansion import Cotrained, Expansion, bounded, outside_of
from problex.model.model import Model
from problex.model.rules import RULES, make_weights
from problex.model.settings import DEFAULT, Settings
from problex.model.vocabulary import Vocabulary, vocabulary_and_tokens
from problex.scoring.scorer import Sums, make_scorer

WORDS = {
    "all": "all words and pairs of neighbours get a weight",
    "lexicon": "only the words of the lexicon have weights, learned with the help of all others",
}
"""Which words have weights in a model that has learned from all words."""
LEARNED_RULE, LEARNED_TEMPER = "log", "root"
"""The rule and the temper that co-trained weights are for."""
EXPANDED = Calibration(half_length=TUNED.half_length, steepness=TUNED.steepness)
"""How scores of expanded models become log-odds."""


def sample_for(expand: bool | str, size: int | str = SAMPLE_SIZE) -> ReservoirSample | None:
    """An empty sample of so many bytes for what is to be expanded, None if nothing is; raises for other values.

    >>> sample_for(False) is None, sample_for("lexicon", "1MiB").limit
    (True, 1048576)
    """
    if isinstance(expand, str):
        check_choice("expand", expand, ["lexicon"], "or True or False")
    return ReservoirSample(check_sample(size)) if expand else None


def count_and_sample(
    documents: Any,
    lexicon: Lexicon,
    settings: Settings,
    sample: ReservoirSample | None,
    *,
    on_batch: Callable[[Batch], object] | None = None,
    **counting: Any,
) -> Counts:
    """Count texts for what the settings need, and add them to the sample, if there is one, in the same reading."""

    def add(batch: Batch) -> None:
        if on_batch is not None:
            on_batch(batch)
        if sample is not None:
            sample.add(batch.texts)

    watch = None if on_batch is None and sample is None else add
    return count(documents, lexicon, associations=RULES[settings.rule].all_words, on_batch=watch, **counting)


def learn(
    counts: Counts,
    lexicon: Lexicon,
    settings: Settings = DEFAULT,
    expand: bool | str = False,
    sample: ReservoirSample | None = None,
    *,
    tokenizer: Tokenizer | None = None,
    markup: bool = False,
) -> Model:
    """The model of counts, expanded by the sample that was taken while the texts were counted, if there is one.

    `expand` is False, True (all words get weights) or "lexicon" (only those of the lexicon, learned with the help of
    all others). A custom `tokenizer` must be given: counts have its name only.

    >>> lexicon, sample = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]}), sample_for(True)
    >>> days = ["day", "week", "film", "walk", "story", "day in town", "week in town", "film in town", "short walk"]
    >>> texts = [f"{words} {day}" for words in ("good sunny", "fine sunny", "bad rainy", "poor rainy") for day in days]
    >>> counts = count_and_sample(texts * 2, lexicon, DEFAULT, sample)
    >>> learn(counts, lexicon).expansion is None, learn(counts, lexicon, expand=True, sample=sample).expansion is None
    (True, False)
    """
    known = tokenizer_of(counts, tokenizer.custom if tokenizer else None)
    model = estimate(counts, lexicon, tokenizer=known, **vars(settings))
    if sample is None:
        return model
    return _expanded(model, sample, "all" if expand is True else str(expand), markup=markup)


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
    if isinstance(documents, ReservoirSample):
        sample = documents
    else:
        sample = ReservoirSample(check_sample(expand_sample))
        for batch in batches(documents, **reading):
            sample.add(batch.texts)
    return _expanded(model, sample, words, markup=markup)


def _expanded(model: Model, sample: ReservoirSample, words: str, *, markup: bool) -> Model:
    """The model after it has learned from a sample; as it is, with a warning, if that has too little."""
    if words == "lexicon" and not RULES[model.settings.rule].uses_weights:
        raise ProblexError(
            f"{was_given('rule', model.settings.rule)}, which uses no weights of entries, but better weights "
            f"were asked for: use {opt('rule', LEARNED_RULE)} or leave it out"
        )
    texts = strip_markup(sample.texts) if markup else sample.texts
    plain = replace(model.label_free, expansion=None)  # the labels of an audit are for the scores of this model
    try:
        with one_blas_thread:
            learned = _learned(plain, texts, words)
    except TooLittleError as reason:
        advice = "only the lexicon is used. Give more or longer texts"
        warn_caller(f"the model was not expanded: {reason}; {advice}", EstimationWarning)
        return model
    _warn_of_absent_topics(learned)
    return learned


class TooLittleError(Exception):
    """Why nothing can be learned from the words of texts, as the middle of a sentence."""


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
    try:
        words = _words_of(plain, texts)
    except TooLittleError:
        return None
    training = TrainingTexts.of(*words, plain.evidence.entries)
    if not training.listed.topics:
        return None
    _, lexicon = _lexicon_scores(plain, texts, words.listed)
    view, support = view_of_outside(NaiveBayes.of_words(training), lexicon, training)
    vocabulary, entries = words.vocabulary, plain.evidence.entries
    single = np.flatnonzero((vocabulary.second < 0) & outside_of(vocabulary, entries))
    counts = sparse.hstack([vocabulary.count(words.tokens).matrix()[:, single], words.listed.counts], format="csr")
    names = (*(vocabulary.name(column) for column in single.tolist()), *entries)
    return OutsideView(view.argmax(axis=1), support, names, counts)


class Words(NamedTuple):
    """The words of texts: in order, by the places of a vocabulary of all that are frequent, and the lexicon's."""

    tokens: TokenIds
    vocabulary: Vocabulary
    listed: LexiconColumns


def _words_of(model: Model, texts: pa.Array) -> Words:
    """The words of texts; raises if there are too few texts, words in common or words of the lists."""
    if len(texts) < TUNED.min_documents:
        raise TooLittleError(f"{pluralize(len(texts), 'document is', 'documents are')} too few to learn from")
    listed = LexiconColumns.of(model, texts)
    vocabulary, tokens = vocabulary_and_tokens(token_ids(texts, model.items, model.tokenizer))
    if len(vocabulary.first) < 2 or not np.all(listed.sums(listed.log_odds, listed.burstiness).std(axis=0) > 0):
        raise TooLittleError("the texts have too few words in common, or too few words of the lists")
    return Words(tokens, vocabulary, listed)


def _lexicon_scores(model: Model, texts: pa.Array, listed: LexiconColumns) -> tuple[Sums, FloatArray]:
    """The sums of the lexicon's words in each text, and its scores without the slope of its probabilities."""
    scorer = make_scorer(model)
    sums = scorer.sums(scorer.count(texts) if scorer.rule.all_words else _table(model, listed).rows)
    return sums, (sums.values + capped(scorer.offsets, sums.evidence)) / model.calibration.sharpness


def _share(model: Model, sums: Sums, lexicon: FloatArray) -> float:
    """The share of the second of two labels by the lexicon, before anything was learned."""
    shares = model.calibration.prevalence
    if shares is not None and model.settings.prior is None:  # without the weights: the anchors are found by them
        return combined_share(shares.counted, shares.counted, shares.skewed, shares.coherence)
    decided = lexicon[(sums.matches > 0) & (leads(lexicon) > TIE)]
    return float(np.mean(decided.argmax(axis=1) == 1)) if len(decided) else 0.5


def _learned(model: Model, texts: pa.Array, words: str) -> Model:
    """The model after it has learned from texts; raises if they have too little to learn from."""
    found, names = _words_of(model, texts), model.evidence.entries
    training, entries = TrainingTexts.of(*found, names), None
    sums, lexicon = _lexicon_scores(model, texts, found.listed)
    share = _share(model, sums, lexicon)
    if not training.listed.topics:
        entries = cotrain(training, share)
        if themes_are_the_lists(entries):
            training, entries = TrainingTexts.of(*found, names, topics=True), None
    if words == "all" and training.listed.topics:
        expansion = topic_expansion(training, lexicon)
        agreement, learned = expansion.agreement, _with_expansion(model, training, expansion, sums)
    else:
        entries = entries or cotrain(training, share)
        agreement = entries.agreement
        if words == "lexicon":
            learned = _with_weights(model, training, entries, entries.weights, entries.errors)
        else:
            learned = _with_tone(model, training, entries, sums, lexicon)
    if agreement < TUNED.min_standard_errors / np.sqrt(len(np.unique(found.listed.keys))):
        reason = f"the scores of the words outside the lexicon hardly correlate with it ({agreement:.2f})"
        raise TooLittleError(f"{reason} on held-out texts")
    return learned


def _with_tone(model: Model, texts: TrainingTexts, entries: Cotraining, sums: Sums, lexicon: FloatArray) -> Model:
    """The model with co-trained weights of its entries and an expansion by them.

    Rules without weights of entries, such as counting, keep their scores: these have as much weight as those of the
    entries would have.
    """
    listed, weights = texts.listed, learn_tone(texts, entries)
    table = _table(model, listed)
    if RULES[model.settings.rule].uses_weights:
        model = _with_weights(model, texts, entries, weights.log_odds, weights.errors)
        sums = make_scorer(model).sums(table.rows)
        lexicon = sums.values / model.calibration.sharpness
    else:
        unit = weights.unit * spread(listed.scores(weights.log_odds))[0] / spread(margins(lexicon))[0]
        weights = replace(weights, unit=unit)
    scores = make_scorer(model).finish(sums, table)
    size = float(np.std(margins(scores.log_odds)[sums.matches > 0]))  # of the log-odds of texts with an entry
    factor = EXPANDED.length_factor(table.lengths)
    return _with_expansion(model, texts, tone_expansion(texts, weights, entries, lexicon, size, factor), sums)


def _with_expansion(model: Model, texts: TrainingTexts, expansion: Expansion, sums: Sums) -> Model:
    """The model with an expansion that was learned from texts with these sums of the lexicon.

    The offset of the expansion becomes the threshold of the model: with the same share of the texts above it, as far as
    this is possible, now that it is capped by the evidence. What was learned of listed words is bounded, so that none
    favours another list.
    """
    words = expansion.vocabulary.words
    found = [None if word.startswith(NEGATED) else model.items.find(word) for word in words]
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


def _with_weights(
    model: Model, texts: TrainingTexts, learned: Cotraining, log_odds: FloatArray, errors: FloatArray
) -> Model:
    """The model with these log-odds of its entries, and the threshold at the learned share."""
    predictiveness = np.tanh(log_odds / 2.0)
    settings = replace(model.settings, rule=LEARNED_RULE, temper=LEARNED_TEMPER)
    calibration = UNCALIBRATED
    if settings.calibration != "none":
        weights = make_weights(model.evidence, predictiveness, model.prior)
        calibration = calibrate(weights, _sample(texts.listed), LEARNED_RULE, LEARNED_TEMPER, share=learned.share)
    figures = (len(texts.listed.lengths), learned.agreement, learned.reliability)
    cotrained = Cotrained((1.0 - predictiveness**2) / 2.0 * errors, *figures)
    return replace(
        model, predictiveness=predictiveness, settings=settings, calibration=calibration, cotrained=cotrained
    )


def _sample(listed: LexiconColumns) -> Sample:
    """All documents, as calibration reads them."""
    number = len(listed.lengths)
    ones, lengths = np.ones(number, np.int64), listed.lengths.astype(np.int64)
    keys = np.arange(number, dtype=np.uint64)
    return Sample(keys, keys, ones, lengths, listed.counts, number)


def _table(model: Model, listed: LexiconColumns) -> CountTable:
    return CountTable(model.evidence.entries, listed.counts, listed.lengths.astype(np.int64))


def _warn_of_absent_topics(model: Model) -> None:
    if model.expansion is None or model.expansion.support is None:
        return
    absent = [
        name for name, value in zip(model.classes, model.expansion.support, strict=True) if value < TUNED.min_support
    ]
    if absent:
        warn_caller(
            f"the other words of the texts hardly support {', '.join(absent)}: texts on "
            f"{'its topic' if len(absent) == 1 else 'their topics'} may be missing; compare the lists with the texts",
            EstimationWarning,
        )


def suggestions(model: Model, top: int = 20) -> list[Record]:
    """Words and pairs outside the lexicon with the largest weights for each list: candidates for adding to it.

    The largest weights come first; a word must occur in at least one of 500 documents, and in five.
    """
    if model.expansion is None:
        return []
    least = max(TUNED.min_suggestion_documents, model.expansion.documents / TUNED.suggestion_documents)
    features = model.expansion.records(model.classes, model.evidence.entries)
    candidates = [row for row in features if not row["in_lexicon"] and row["documents"] >= least]
    candidates.sort(key=lambda row: (-row["weight"], row["entry"]))
    by_list: dict[str, list[Record]] = {name: [] for name in model.classes}
    for row in candidates:
        own = by_list[row["list"]]
        if len(own) < top:
            own.append({key: row[key] for key in ("list", "entry", "documents", "weight")})
    return [row for own in by_list.values() for row in own]
