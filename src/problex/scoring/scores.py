"""Scores of texts: every score is a sum over words, tempered for length and set against the model's threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from problex._util.arrays import FloatArray, IntArray
from problex._util.threads import map_ordered
from problex.corpus import Batch, batches, strip_markup
from problex.counting.kernel import Pool, row_counter
from problex.counting.streams import FILE_BATCH, MEMORY_BATCH
from problex.counting.tables import Table, tabulate, tabulate_with, token_ids
from problex.errors import DocumentError, ProblexError, check_choice
from problex.estimation.model import Model
from problex.estimation.platt import Platt
from problex.estimation.rules import RULES, TEMPERS, Rule, log_rising
from problex.lexicon.lexicon import RESERVED

UNDECIDED = RESERVED

__all__ = ["RULES", "TEMPERS", "UNDECIDED", "Rule", "Scores", "columns_of", "join", "log_rising", "offsets", "rule_of"]
__all__ += ["score", "score_batches", "score_table", "tempering"]


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
    confidence: float | None = None

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

    def labels(self, undecided: str | None = UNDECIDED, confidence: float | None = None) -> NDArray[np.object_]:
        """The class with the highest score; `undecided` where there is none (None: the first of the highest).

        With a `confidence`, documents whose best class is less probable than that are undecided, too; by default it
        is that of the scores.
        """
        if confidence is not None and not (0 <= confidence <= 1 and undecided is not None):
            raise ProblexError(
                f"confidence={confidence!r} with undecided={undecided!r} was given, expected a probability from 0 to 1 "
                "and a label for what stays below it"
            )
        confidence = self.confidence if confidence is None else confidence
        names = np.array(self.classes, dtype=object)[self.values.argmax(axis=1)] if len(self.values) else np.array([])
        names = names.astype(object)
        if undecided is not None:
            names[self.undecided] = undecided
        if confidence is not None and len(self.values):
            names[self.probabilities.max(axis=1) < confidence] = undecided
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
    yield from map_ordered(one, stream, threads)


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
    """The factor of each document's log-odds, for its length and by the calibration; one if they are no log-odds."""
    name = temper or model.settings.temper
    check_choice("temper", name, TEMPERS)
    if not rule_of(model, rule).log_odds:
        name = "none"
    sharpness = model.calibration.sharpness if _as_estimated(model, rule, temper) else 1.0
    return sharpness * TEMPERS[name](lengths.astype(np.float64), model.evidence.concentration)


def offsets(model: Model, rule: str | None = None, temper: str | None = None) -> FloatArray:
    """What is added to the score of each label: the log of the prior, and the threshold unless a prior is given."""
    if not rule_of(model, rule).log_odds:
        return np.zeros(len(model.classes))
    found = np.log(model.prior)
    if model.settings.prior is None and _as_estimated(model, rule, temper):
        found = found + model.calibration.offsets(len(model.classes))
    return np.asarray(found, dtype=np.float64)


def _as_estimated(model: Model, rule: str | None, temper: str | None) -> bool:
    """Whether scores are those that the calibration was made for."""
    own = model.settings
    return rule in (None, own.rule) and temper in (None, own.temper) and rule_of(model, rule).log_odds


def score_table(table: Table, model: Model, rule: str | None = None, temper: str | None = None) -> Scores:
    """Score a table of counts whose columns are `columns_of` the model."""
    chosen = rule_of(model, rule)
    rows = np.repeat(np.arange(len(table.lengths)), np.diff(table.matrix.indptr))
    parts = chosen.contribution(model, table.matrix.indices.astype(np.int64), table.matrix.data)
    size = len(table.lengths)
    sums = np.stack([np.bincount(rows, weights=part, minlength=size) for part in parts.T], axis=1)
    values = sums * tempering(table.lengths, model, rule, temper)[:, None] + offsets(model, rule, temper)
    has_say = reduce(np.logical_or, [part != parts[:, 0] for part in parts.T[1:]])
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
