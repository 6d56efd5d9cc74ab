"""`score`: every score is a sum over words, tempered for length and compared with the model's threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.memory import MAX_BATCH_BYTES
from problex._util.threads import map_ordered
from problex.corpus import Batch, Reading, batches, strip_markup
from problex.counting.pool import Pool, closed_pool
from problex.counting.streams import MEMORY_BATCH
from problex.counting.tables import Rows, Table, TokenIds, tabulate_slowly, token_ids_slowly
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
    if scorer is None:  # the first of several threads sets it for all
        scorer = model.cache.setdefault((rule, temper), _prepare(model, rule, temper))
    return scorer


def _prepare(model: Model, rule_name: str | None, temper_name: str | None) -> Scorer:
    own, lists = model.settings, len(model.classes)
    check_choice("rule", rule_name or own.rule, RULES)
    check_choice("temper", temper_name or own.temper, TEMPERS)
    rule = RULES[rule_name or own.rule]
    if rule.all_words and model.pmi is None:
        raise ModelError(
            "the model was not estimated with rule='pmi', so it has no weights for this rule: fit it with rule='pmi'"
        )
    words = model.pmi.words if rule.all_words and model.pmi is not None else model.evidence.entries
    columns = {word: at for at, word in enumerate(words)}
    # The calibration, and the labels of an audit, are those of the model's own rule and temper.
    calibrated = rule_name in (None, own.rule) and temper_name in (None, own.temper)
    calibration = model.calibration if calibrated and rule.log_odds else UNCALIBRATED
    offsets = np.log(model.prior) if rule.log_odds else np.zeros(lists)
    if own.prior is None:
        offsets = offsets + calibration.offsets(lists)
    expansion = model.expansion if rule_name is None and temper_name is None else None
    vocabulary = {} if expansion is None else expansion.vocabulary.columns
    return Scorer(
        model.classes,
        rule,
        TEMPERS[(temper_name or own.temper) if rule.log_odds else "none"],
        model.entry_weights,
        calibration.sharpness,
        offsets,
        np.log(model.prior),
        model.platt if calibrated else None,
        expansion,
        model.items,
        model.tokenizer,
        columns,
        closed_pool(model.items, model.tokenizer, columns, rows=True),
        closed_pool(model.items, model.tokenizer, vocabulary, ids=True),
    )


@dataclass(frozen=True, eq=False)
class Scorer:
    """A model prepared to score texts under a rule and a temper.

    The score of label y for a document is factor(N) * sum_i contribution_iy(x_i) + offset_y. `columns` are the words
    that are counted, and their places in a table of counts. `row_counters` and `id_counters`, of the columns and of
    the words of the expansion, are used again and again, each by one thread at a time.
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
    row_counters: Pool
    id_counters: Pool

    def factors(self, lengths: IntArray) -> FloatArray:
        """What the sums of documents of these lengths are multiplied by."""
        return self.sharpness * self.temper.factor(lengths.astype(np.float64), self.weights.concentration)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the columns, in order."""
        return tuple(self.columns)

    def count(self, texts: pa.Array) -> Rows:
        """The counts of texts over the columns; the words of a row are in no order."""
        if self.tokenizer.custom is not None:
            return tabulate_slowly(texts, self.items, self.tokenizer, self.columns).rows
        with self.row_counters.take() as counter:
            counter.add(texts)
            return Rows(*counter.rows())

    def tokens(self, texts: pa.Array, expansion: Expansion) -> TokenIds:
        """The words of an expansion in texts, in order."""
        vocabulary = expansion.vocabulary
        if self.tokenizer.custom is not None:
            return token_ids_slowly(texts, self.items, self.tokenizer, vocabulary.columns)
        with self.id_counters.take() as counter:
            counter.add(texts)
            ends, ids = counter.ids()
        return TokenIds(vocabulary.words, ids, ends)

    def score_rows(self, rows: Rows, missing: int = 0, invalid: int = 0) -> Scores:
        """Score counts over the columns, by the lexicon alone."""
        size, lengths = len(rows.lengths), rows.lengths
        documents = np.arange(size).repeat(rows.ends[1:] - rows.ends[:-1])
        sums, favours = self.rule.sums(self.weights, documents, rows.columns, rows.counts, size)
        values = sums * self.factors(lengths)[:, None] + self.offsets
        matches = np.bincount(documents, weights=rows.counts * favours, minlength=size).astype(np.int64)
        return Scores(self.classes, values, lengths, matches, missing, invalid, self.platt)

    def score_table(self, table: Table) -> Scores:
        """Score a table of counts over the columns, by the lexicon alone."""
        return self.score_rows(table.rows)

    def add_expansion(self, texts: pa.Array, scores: Scores) -> Scores:
        """Combine the scores of the lexicon with those of the learned words, for an expanded model.

        `matches` is the sum of both, and no more than the length: a token may be an entry and part of two features.
        """
        if self.expansion is None:
            return scores
        tokens = self.tokens(texts, self.expansion)
        values, features = self.expansion.add(scores.values - self.log_prior, tokens)
        matches = np.minimum(scores.matches + features, scores.lengths)
        return Scores(
            self.classes, values + self.log_prior, scores.lengths, matches, scores.missing, scores.invalid, self.platt
        )

    def score_batch(self, batch: Batch, markup: bool = False) -> tuple[Batch, Scores]:
        """A batch and its scores."""
        texts = strip_markup(batch.texts) if markup else batch.texts
        scores = self.score_rows(self.count(texts), batch.missing, batch.invalid)
        return batch, scores if self.expansion is None else self.add_expansion(texts, scores)
