"""Scoring rules: what each word of a document adds to each label. Every score is a sum over words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, log_softmax

from problex.counting import FILE_BATCH, MEMORY_BATCH
from problex.documents import Batch, batches, strip_markup
from problex.errors import DocumentError, ModelError, check_choice
from problex.kernel import Pool, row_counter
from problex.lexicon import RESERVED
from problex.model import Model
from problex.parallel import in_order
from problex.platt import Platt
from problex.tabulate import Table, tabulate, tabulate_with, token_ids

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Contribution = Callable[[Model, IntArray, IntArray], FloatArray]
UNDECIDED = RESERVED


@dataclass(frozen=True)
class Rule:
    """How counts become evidence: `contribution(model, columns, counts)` has a row per word and a column per label.

    `log_odds` says whether the sums are log-odds, which are tempered for length and joined with the prior.
    """

    contribution: Contribution
    log_odds: bool
    all_words: bool = False


def _to_own_label(model: Model, columns: IntArray, values: FloatArray) -> FloatArray:
    table = np.zeros((len(columns), len(model.classes)))
    table[np.arange(len(columns)), model.evidence.list_index[columns]] = values
    return table


def count_rule(model: Model, columns: IntArray, counts: IntArray) -> FloatArray:
    """m_y: every occurrence counts one for its list."""
    return _to_own_label(model, columns, counts.astype(np.float64))


def presence_rule(model: Model, columns: IntArray, counts: IntArray) -> FloatArray:
    """Every word counts one for its list, however often it is said."""
    return _to_own_label(model, columns, np.ones(len(columns)))


def pmi_rule(model: Model, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i log p(i | y), with the labels that counting imputes."""
    if model.pmi is None:
        raise ModelError("this model was not estimated with rule='pmi' and knows no words outside the lexicon")
    return np.asarray(counts[:, None] * model.pmi.weights[columns], dtype=np.float64)


def multinomial_rule(model: Model, columns: IntArray, counts: IntArray) -> FloatArray:
    """x_i times the word's weight, for two lists and a uniform prior log((1 + gamma_i) / (1 - gamma_i))."""
    return _to_own_label(model, columns, counts * model.weights[columns])


def dcm_rule(model: Model, columns: IntArray, counts: IntArray) -> FloatArray:
    """The Dirichlet compound multinomial: repeats count less, the less the burstier the corpus."""
    tau = model.evidence.concentration
    if not np.isfinite(tau):
        return multinomial_rule(model, columns, counts)
    alpha = tau * model.base_rates[columns]
    inside, outside = alpha * model.lift[columns], alpha * (1.0 - model.predictiveness[columns])
    return _to_own_label(model, columns, log_rising(inside, counts) - log_rising(outside, counts))


def log_rising(start: FloatArray, counts: IntArray) -> FloatArray:
    """log Gamma(start + x) - log Gamma(start), without loss for large starts.

    >>> np.round(log_rising(np.array([0.5, 1e9]), np.array([2, 3])), 6).tolist()   # log(.5 * 1.5), 3 log(1e9)
    [-0.287682, 62.169798]
    """
    counts = np.asarray(counts, dtype=np.float64)
    plain = gammaln(start + counts) - gammaln(start)
    large = start > 1e4  # the difference of two large numbers loses digits: Stirling's series does not
    if not np.any(large):
        return np.asarray(plain, dtype=np.float64)
    a, x = start[large], counts[large]
    series = (a + x - 0.5) * np.log1p(x / a) + x * (np.log(a) - 1.0) + (1.0 / (a + x) - 1.0 / a) / 12.0
    plain[large] = series
    return np.asarray(plain, dtype=np.float64)


RULES: dict[str, Rule] = {
    "count": Rule(count_rule, log_odds=False),
    "presence": Rule(presence_rule, log_odds=False),
    "pmi": Rule(pmi_rule, log_odds=True, all_words=True),
    "multinomial": Rule(multinomial_rule, log_odds=True),
    "dcm": Rule(dcm_rule, log_odds=True),
}

TEMPERS: dict[str, Callable[[FloatArray, float], FloatArray]] = {
    # Under the DCM the variance of a margin grows like N (N + tau) / (1 + tau): beyond tau tokens, text adds little.
    "burstiness": lambda lengths, tau: (1.0 + tau) / (lengths + tau) if np.isfinite(tau) else np.ones_like(lengths),
    "root": lambda lengths, tau: 1.0 / np.sqrt(np.maximum(lengths, 1.0)),
    "tokens": lambda lengths, tau: 1.0 / (lengths + 0.1),
    "none": lambda lengths, tau: np.ones_like(lengths),
}
"""What the log-odds of a document of some length are multiplied by."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of documents: a row per document, a column per class. `matches` counts the tokens that had a say."""

    classes: tuple[str, ...]
    values: FloatArray
    lengths: IntArray
    matches: IntArray
    missing: int = 0
    invalid: int = 0
    platt: Platt | None = None

    @property
    def decision(self) -> FloatArray:
        """For two classes the score of the second over the first; else the scores themselves."""
        return self.values[:, 1] - self.values[:, 0] if len(self.classes) == 2 else self.values

    @property
    def probabilities(self) -> FloatArray:
        """The scores as probabilities: what the model believes, or what an audit's labels made of that."""
        if self.platt is not None:
            return self.platt.probabilities(self.values)
        return np.asarray(np.exp(log_softmax(self.values, axis=1)), dtype=np.float64)

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """Documents without a word that has a say, or with a tie at the top."""
        ordered = np.sort(self.values, axis=1)
        tie = ordered[:, -1] == ordered[:, -2]
        return np.asarray(tie | (self.matches == 0), dtype=bool)

    def labels(self, undecided: str | None = UNDECIDED) -> NDArray[np.object_]:
        """The class with the highest score; `undecided` where there is none (None: the first of the highest)."""
        names = np.array(self.classes, dtype=object)[self.values.argmax(axis=1)] if len(self.values) else np.array([])
        names = names.astype(object)
        if undecided is not None:
            names[self.undecided] = undecided
        return names


def score(
    documents: Any,
    model: Model,
    *,
    rule: str | None = None,
    temper: str | None = None,
    text: str | None = None,
    missing: str = "error",
    on_error: str = "stop",
    markup: bool = False,
    threads: int | None = None,
) -> Scores:
    """Score texts of any source with a model; rule and temper are the model's own unless given.

    An expanded model scores by all its words; with a rule or a temper that is given, by its lexicon alone.
    """
    pieces = FILE_BATCH if isinstance(documents, Path) else MEMORY_BATCH
    stream = batches(documents, text=text, missing=missing, on_error=on_error, batch_bytes=pieces)
    scored = score_batches(stream, model, rule=rule, temper=temper, markup=markup, threads=threads)
    return join([scores for _, scores in scored], model.classes)


def score_batches(
    stream: Iterator[Batch],
    model: Model,
    *,
    rule: str | None = None,
    temper: str | None = None,
    markup: bool = False,
    threads: int | None = None,
) -> Iterator[tuple[Batch, Scores]]:
    """Score batch by batch, in order: a corpus of any size in bounded memory."""
    columns = columns_of(model, rule)
    pool = Pool(partial(row_counter, model.items, model.tokenizer, columns))
    one = partial(_score_batch, pool=pool, model=model, columns=columns, rule=rule, temper=temper, markup=markup)
    yield from in_order(one, stream, threads)


def _score_batch(
    batch: Batch,
    pool: Pool,
    model: Model,
    columns: Mapping[str, int],
    rule: str | None,
    temper: str | None,
    markup: bool,
) -> tuple[Batch, Scores]:
    texts = strip_markup(batch.texts) if markup else batch.texts
    if model.tokenizer.custom is None:
        with pool.take() as counter:
            table = tabulate_with(counter, texts, columns)
    else:
        table = tabulate(texts, model.items, model.tokenizer, columns)
    scores = score_table(table, model, rule, temper)
    if rule is None and temper is None:
        scores = expanded(texts, scores, model)
    return batch, Scores(**{**vars(scores), "missing": batch.missing, "invalid": batch.invalid})


def columns_of(model: Model, rule: str | None = None) -> dict[str, int]:
    """The words that have a say under a rule, and their places in a table of counts."""
    if rule_of(model, rule).all_words:
        return {word: at for at, word in enumerate(model.pmi.words if model.pmi else ())}
    return {entry: at for at, entry in enumerate(model.evidence.entries)}


def rule_of(model: Model, rule: str | None) -> Rule:
    """A rule by name; the model's own by default."""
    name = rule or model.settings.rule
    check_choice("rule", name, RULES)
    return RULES[name]


def tempering(lengths: IntArray, model: Model, rule: str | None = None, temper: str | None = None) -> FloatArray:
    """The factor of each document's log-odds; one for rules that are not log-odds."""
    name = temper or model.settings.temper
    check_choice("temper", name, TEMPERS)
    if not rule_of(model, rule).log_odds:
        name = "none"
    return TEMPERS[name](lengths.astype(np.float64), model.evidence.concentration)


def score_table(table: Table, model: Model, rule: str | None = None, temper: str | None = None) -> Scores:
    """Score a table of counts whose columns are `columns_of` the model."""
    chosen = rule_of(model, rule)
    rows = np.repeat(np.arange(len(table.lengths)), np.diff(table.matrix.indptr))
    parts = chosen.contribution(model, table.matrix.indices.astype(np.int64), table.matrix.data)
    size = len(table.lengths)
    sums = np.stack([np.bincount(rows, weights=part, minlength=size) for part in parts.T], axis=1)
    values = sums * tempering(table.lengths, model, rule, temper)[:, None]
    if chosen.log_odds:
        values = values + np.log(model.prior)
    has_say = parts.max(axis=1) > parts.min(axis=1)
    matches = np.bincount(rows, weights=table.matrix.data * has_say, minlength=size).astype(np.int64)
    # Labels calibrate the scores that were audited: those of the model's own rule and tempering.
    own = rule in (None, model.settings.rule) and temper in (None, model.settings.temper)
    return Scores(model.classes, values, table.lengths, matches, platt=model.platt if own else None)


def expanded(texts: Any, scores: Scores, model: Model) -> Scores:
    """The scores of a lexicon joined with those of all other words, for a model that has learned them."""
    if model.expansion is None:
        return scores
    prior = np.log(model.prior)
    tokens = token_ids(texts, model.items, model.tokenizer, model.expansion.vocabulary.columns)
    values, found = model.expansion.add(scores.values - prior, tokens)
    matches = np.minimum(scores.matches + found, scores.lengths)
    return Scores(scores.classes, values + prior, scores.lengths, matches, platt=scores.platt)


def join(parts: list[Scores], classes: tuple[str, ...]) -> Scores:
    """The scores of batches as one."""
    if not parts:
        raise DocumentError("there are no documents to score, expected at least one text")
    return Scores(
        classes,
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.matches for part in parts]),
        sum(part.missing for part in parts),
        sum(part.invalid for part in parts),
        parts[0].platt,
    )
