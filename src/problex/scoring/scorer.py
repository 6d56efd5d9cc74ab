"""`score`: every score is a sum over words, tempered for length and compared with the model's threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.memory import MAX_BATCH_BYTES
from problex._util.threads import map_ordered
from problex.corpus import Batch, Reading, batches, strip_markup
from problex.counting.pool import Pool, row_counter
from problex.counting.streams import MEMORY_BATCH
from problex.counting.tables import Table, tabulate, tabulate_with, token_ids
from problex.errors import ModelError, check_choice
from problex.estimation.calibration import UNCALIBRATED
from problex.estimation.model import Model
from problex.estimation.platt import Platt
from problex.estimation.rules import RULES, TEMPERS, Rule, Temper, Weights
from problex.expansion.expansion import Expansion
from problex.matching.items import Items
from problex.matching.tokens import Tokenizer
from problex.scoring.scores import Scores, join


def score(
    documents: Any,
    model: Model,
    *,
    rule: str | None = None,
    temper: str | None = None,
    text: str | None = None,
    markup: bool = False,
    threads: int | None = None,
    **reading: Unpack[Reading],
) -> Scores:
    """Score texts of any source with a model; rule and temper are the model's own by default.

    An expanded model scores by all its words; with another rule or temper, by its lexicon alone. `reading` are options
    of `problex.corpus.ReadOptions`, such as `missing`, `on_error` and `format`.
    """
    size = MAX_BATCH_BYTES if isinstance(documents, Path) else MEMORY_BATCH
    stream = batches(documents, text=text, batch_bytes=size, hint_markup=not markup, **reading)
    scored = score_batches(stream, model, rule=rule, temper=temper, markup=markup, threads=threads)
    return join([scores for _, scores in scored])


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
    scorer = make_scorer(model, rule, temper)
    return map_ordered(partial(scorer.score_batch, markup=markup), stream, threads)


def make_scorer(model: Model, rule: str | None = None, temper: str | None = None) -> Scorer:
    """The scorer of a model for a rule and a temper (None: its own); it is made once and kept with the model."""
    scorer: Scorer | None = model.cache.get((rule, temper))
    if scorer is None:
        model.cache[rule, temper] = scorer = _prepare(model, rule, temper)
    return scorer


def _prepare(model: Model, rule_name: str | None, temper_name: str | None) -> Scorer:
    own, lists = model.settings, len(model.classes)
    check_choice("rule", rule_name or own.rule, RULES)
    check_choice("temper", temper_name or own.temper, TEMPERS)
    rule = RULES[rule_name or own.rule]
    if rule.all_words and model.pmi is None:
        raise ModelError("the model was not estimated with rule='pmi' and has no weights for words outside the lexicon")
    words = model.pmi.words if rule.all_words and model.pmi is not None else model.evidence.entries
    columns = {word: at for at, word in enumerate(words)}
    # The calibration, and the labels of an audit, are those of the model's own rule and temper.
    calibrated = rule_name in (None, own.rule) and temper_name in (None, own.temper)
    calibration = model.calibration if calibrated and rule.log_odds else UNCALIBRATED
    offsets = np.log(model.prior) if rule.log_odds else np.zeros(lists)
    if own.prior is None:
        offsets = offsets + calibration.offsets(lists)
    return Scorer(
        model.classes,
        rule,
        TEMPERS[(temper_name or own.temper) if rule.log_odds else "none"],
        model.entry_weights,
        calibration.sharpness,
        offsets,
        np.log(model.prior),
        model.platt if calibrated else None,
        model.expansion if rule_name is None and temper_name is None else None,
        model.items,
        model.tokenizer,
        columns,
        Pool(partial(row_counter, model.items, model.tokenizer, columns)),
    )


@dataclass(frozen=True, eq=False)
class Scorer:
    """A model prepared to score texts under a rule and a temper.

    The score of label y for a document is factor(N) * sum_i contribution_iy(x_i) + offset_y. `columns` are the words
    that are counted, and their places in a table of counts. `counters` are for threads, and used again.
    """

    classes: tuple[str, ...]
    rule: Rule
    temper: Temper
    weights: Weights
    sharpness: float
    offsets: FloatArray
    log_prior: FloatArray
    platt: Platt | None
    expansion: Expansion | None
    items: Items
    tokenizer: Tokenizer
    columns: dict[str, int]
    counters: Pool

    def factors(self, lengths: IntArray) -> FloatArray:
        """What the sums of documents of these lengths are multiplied by."""
        return self.sharpness * self.temper.factor(lengths.astype(np.float64), self.weights.concentration)

    def tabulate(self, texts: pa.Array) -> Table:
        """The counts of texts over the columns; the words of a row are in no order."""
        if self.tokenizer.custom is not None:
            return tabulate(texts, self.items, self.tokenizer, self.columns)
        with self.counters.take() as counter:
            return tabulate_with(counter, texts, self.columns)

    def score_table(self, table: Table) -> Scores:
        """Score a table of counts over the columns, by the lexicon alone."""
        size, counts = len(table.lengths), table.matrix.data
        rows = np.repeat(np.arange(size), np.diff(table.matrix.indptr))
        parts = self.rule.contribution(self.weights, table.matrix.indices.astype(np.int64), counts)
        sums = np.stack([np.bincount(rows, weights=part, minlength=size) for part in parts.T], axis=1)
        values = sums * self.factors(table.lengths)[:, None] + self.offsets
        favours = reduce(np.logical_or, [part != parts[:, 0] for part in parts.T[1:]])
        matches = np.bincount(rows, weights=counts * favours, minlength=size).astype(np.int64)
        return Scores(self.classes, values, table.lengths, matches, platt=self.platt)

    def add_expansion(self, texts: pa.Array, scores: Scores) -> Scores:
        """Combine the scores of the lexicon with those of the learned words, for an expanded model.

        `matches` is the sum of both, and no more than the length: a token may be an entry and part of two features.
        """
        if self.expansion is None:
            return scores
        tokens = token_ids(texts, self.items, self.tokenizer, self.expansion.vocabulary.columns)
        values, features = self.expansion.add(scores.values - self.log_prior, tokens)
        matches = np.minimum(scores.matches + features, scores.lengths)
        return replace(scores, values=values + self.log_prior, matches=matches)

    def score_batch(self, batch: Batch, markup: bool = False) -> tuple[Batch, Scores]:
        """A batch and its scores."""
        texts = strip_markup(batch.texts) if markup else batch.texts
        scores = self.score_table(self.tabulate(texts))
        if self.expansion is not None:
            scores = self.add_expansion(texts, scores)
        return batch, replace(scores, missing=batch.missing, invalid=batch.invalid)
