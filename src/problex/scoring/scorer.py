"""`score`: every score is a sum over words, tempered for length and compared with the model's threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
import pyarrow as pa

from problex._util._rows import add_features, finish_rows
from problex._util.arrays import FloatArray, IntArray
from problex._util.memory import MAX_BATCH_BYTES
from problex._util.threads import map_ordered
from problex.corpus import Batch, Reading, batches, strip_markup
from problex.counting.counters import Pool, closed_pool
from problex.counting.streams import MEMORY_BATCH
from problex.counting.tables import CountTable, Rows, TokenIds, tabulate_slowly, token_ids_slowly
from problex.errors import ModelError, check_choice, opt
from problex.estimation.reversal import means_of_words, negated_entries, part_of_word
from problex.estimation.shrinkage import given_scales
from problex.matching.items import Items
from problex.matching.negation import NEGATED, opposite_lists
from problex.matching.tokens import Tokenizer
from problex.model.calibration import UNCALIBRATED, Calibration, Platt
from problex.model.evidence import Evidence, Reversal
from problex.model.expansion import Expansion
from problex.model.model import Model
from problex.model.rules import RULES, TEMPERS, Rule, Temper, Weights, make_weights
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
    rows: bool = False,
) -> Iterator[tuple[Batch, Scores]]:
    """Score batch by batch, in order: a corpus of any size in bounded memory. With `rows`, the scores have these."""
    scorer = make_scorer(model, rule, temper)
    return map_ordered(partial(scorer.score_batch, markup=markup, rows=rows), stream, threads)


def make_scorer(model: Model, rule: str | None = None, temper: str | None = None) -> Scorer:
    """The scorer of a model for a rule and a temper (None: its own); it is made once and kept with the model."""
    if model.expansion is None:  # with an expansion, its own rule by name is that of the lexicon alone
        rule = None if rule == model.settings.rule else rule
        temper = None if temper == model.settings.temper else temper
    scorer: Scorer | None = model.cache.get((rule, temper))
    if scorer is None:  # the first of several threads sets it for all
        scorer = model.cache.setdefault((rule, temper), _prepare(model, rule, temper))
    return scorer


def _prepare(model: Model, rule_name: str | None, temper_name: str | None) -> Scorer:
    own = model.settings
    check_choice("rule", rule_name or own.rule, RULES)
    check_choice("temper", temper_name or own.temper, TEMPERS)
    rule = RULES[rule_name or own.rule]
    if rule.all_words and model.pmi is None:
        raise ModelError(
            f"the model was not estimated with {opt('rule', 'pmi')}, so it has no weights for this rule: fit it "
            f"with {opt('rule', 'pmi')}"
        )
    evidence, predictiveness = with_unseen_items(
        model.evidence, model.predictiveness, model.items, model.evidence.reversal, model.given_weights
    )
    given = model.given_weights(evidence.entries) if rule.given else None
    words = model.pmi.words if rule.all_words and model.pmi is not None else evidence.entries
    columns = {word: at for at, word in enumerate(words)}
    expansion = model.expansion if rule_name is None and temper_name is None else None
    # The calibration, and the labels of an audit, are those of the model's own scores.
    calibrated = rule_name in (None, own.rule) and temper_name in (None, own.temper) and expansion is model.expansion
    has_calibration = rule.log_odds or expansion is not None or model.calibration.labels > 0
    calibration = model.calibration if calibrated and has_calibration else UNCALIBRATED
    vocabulary = {} if expansion is None else expansion.vocabulary.columns
    return Scorer(
        model.classes,
        rule,
        TEMPERS[(temper_name or own.temper) if rule.log_odds else "none"],
        make_weights(evidence, predictiveness, model.prior, model.pmi, given),
        calibration,
        _offsets(calibration, expansion, len(model.classes), own.prior is not None),
        np.log(model.prior) if rule.log_odds or expansion is not None else np.zeros(len(model.classes)),
        own.prior is not None,
        len(model.classes) == 2 or expansion is not None or bool(calibration.intercepts),
        model.platt if calibrated else None,
        expansion,
        model.items,
        model.tokenizer,
        columns,
        closed_pool(model.items, model.tokenizer, columns, rows=True),
        closed_pool(model.items, model.tokenizer, vocabulary, ids=True),
    )


def _offsets(calibration: Calibration, expansion: Expansion | None, lists: int, has_prior: bool) -> FloatArray:
    """What is added to the score of each label; a prior takes the place of the label-free threshold of a lexicon.

    >>> threshold = Calibration(2.0, 3.0)
    >>> [_offsets(threshold, None, 2, has_prior).tolist() for has_prior in (False, True)]
    [[3.0, -3.0], [0.0, 0.0]]
    """
    offsets = calibration.offsets(lists)
    if expansion is None:
        return np.zeros(lists) if has_prior and not calibration.labels else offsets
    return offsets + expansion.offset


class Sums(NamedTuple):
    """Sums over the words of documents: for each class, and of how much each word favours one class over the next.

    This `evidence` is infinite where the threshold is not limited by it. `matches` are the tokens that favour a class.
    """

    values: FloatArray
    evidence: FloatArray
    matches: IntArray


@dataclass(frozen=True, eq=False)
class Scorer:
    """A model prepared to score texts under a rule and a temper.

    The score of label y for a document is factor(N) * sum_i contribution_iy(x_i) + capped offset_y + log prior_y.
    `columns` are the words that are counted, and their places in a table of counts: the entries, and behind them items
    that can only occur in new texts (`with_unseen_items`). `row_counters` and `id_counters`,
    of the columns and of the words of the expansion, are used again and again, each by one thread at a time.
    """

    classes: tuple[str, ...]
    rule: Rule
    temper: Temper
    weights: Weights
    calibration: Calibration
    offsets: FloatArray
    log_prior: FloatArray
    has_prior: bool
    has_cap: bool
    platt: Platt | None
    expansion: Expansion | None
    items: Items
    tokenizer: Tokenizer
    columns: dict[str, int]
    row_counters: Pool
    id_counters: Pool

    def factors(self, lengths: IntArray) -> FloatArray:
        """What the sums of documents of these lengths are multiplied by."""
        return self.lexicon_scale * self.temper.factor(lengths, self.weights.concentration)

    @cached_property
    def lexicon_scale(self) -> float:
        """What the tempered sums of the lexicon's words are multiplied by."""
        return self.calibration.sharpness * (1.0 if self.expansion is None else self.expansion.lexicon_weight)

    def constants(self, lengths: IntArray) -> FloatArray:
        """What is added to the sums of documents of these lengths that have evidence enough for the whole threshold."""
        return self.offsets + self.log_prior / self.certainty(lengths)[:, None]

    def certainty(self, lengths: IntArray) -> FloatArray:
        """What sums and threshold are multiplied by before a prior is added, which is added to log-odds."""
        return self.calibration.length_factor(lengths) if self.has_prior else np.ones(len(lengths))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the columns, in order."""
        return tuple(self.columns)

    def count(self, texts: pa.Array) -> Rows:
        """The counts of texts over the columns; the words of a row are in no order."""
        if self.tokenizer.custom is not None:
            return tabulate_slowly(texts, self.items, self.tokenizer, self.columns).rows
        counter = self.row_counters.take()
        counter.add(texts)
        rows = Rows(*counter.rows())
        self.row_counters.free.put(counter)
        return rows

    def tokens(self, texts: pa.Array, expansion: Expansion) -> TokenIds:
        """The words of an expansion in texts, in order."""
        vocabulary = expansion.vocabulary
        if self.tokenizer.custom is not None:
            return token_ids_slowly(texts, self.items, self.tokenizer, vocabulary.columns)
        counter = self.id_counters.take()
        counter.add(texts)
        ends, ids = counter.ids()
        self.id_counters.free.put(counter)
        return TokenIds(vocabulary.words, ids, ends)

    def sums(self, rows: Rows) -> Sums:
        """The tempered sums of counts over the columns, by the lexicon alone."""
        ends, columns, counts, lengths, _ = rows
        factors = self.temper.factor(lengths, self.weights.concentration)
        sums = self.rule.sums(self.weights, self.single, ends, columns, counts, factors, self.lexicon_scale)
        if not self.has_cap:
            sums[1][:] = np.inf
        return Sums(*sums)

    @cached_property
    def single(self) -> FloatArray:
        """What one occurrence of each column adds to the label of its list; of no use to a rule of all words."""
        return self.weights.log_odds if self.rule.all_words else self.rule.entry_weights(self.weights)

    def add_features(self, texts: pa.Array, sums: Sums, lengths: IntArray) -> Sums:
        """The sums of an expanded model: those of the lexicon, and those of the learned words.

        `matches` is the sum of both, and no more than the length: a token may be an entry and part of two features.
        """
        if self.expansion is None:
            return sums
        features, numbers = self.expansion.sums(self.tokens(texts, self.expansion))
        return Sums(*add_features(*sums, features, numbers, self.calibration.sharpness, lengths))

    def finish(self, sums: Sums, rows: Rows | CountTable, missing: int = 0, invalid: int = 0) -> Scores:
        """The scores from the sums over words: with the threshold and, if there is one, the prior."""
        lengths = rows.lengths
        certainty = self.certainty(lengths) if self.has_prior else None
        values = finish_rows(sums.values, sums.evidence, self.offsets, self.log_prior, certainty)
        known = (self.platt, None, self.own_calibration, rows.keys)
        return Scores(self.classes, values, lengths, sums.matches, missing, invalid, *known)

    @cached_property
    def own_calibration(self) -> Calibration:
        """That of the scores: with a prior they are log-odds for every length."""
        return replace(self.calibration, half_length=0.0) if self.has_prior else self.calibration

    def score_table(self, table: CountTable) -> Scores:
        """Score a table of counts over the columns, by the lexicon alone."""
        return self.finish(self.sums(table.rows), table)

    @cached_property
    def word_leads(self) -> FloatArray:
        """How much one occurrence of each column favours each label over the mean of the others (columns x labels)."""
        rule, every = self.rule if self.rule.all_words else RULES["multinomial"], np.arange(len(self.columns))
        amounts = rule.contribution(self.weights, every, np.ones_like(every))
        labels = amounts.shape[1]
        return np.asarray((labels * amounts - amounts.sum(axis=1, keepdims=True)) / (labels - 1))

    def score_batch(self, batch: Batch, markup: bool = False, rows: bool = False) -> tuple[Batch, Scores]:
        """A batch and its scores, which keep the counts of the columns if these `rows` are wanted."""
        texts = strip_markup(batch.texts) if markup else batch.texts
        counted = self.count(texts)
        sums = self.sums(counted)
        if self.expansion is not None:
            sums = self.add_features(texts, sums, counted.lengths)
        scores = self.finish(sums, counted, batch.missing, batch.invalid)
        return batch, replace(scores, rows=counted) if rows else scores


def with_unseen_items(
    evidence: Evidence,
    predictiveness: FloatArray,
    items: Items,
    reversal: Reversal | None,
    given_weights: Callable[[Iterable[str]], FloatArray] | None = None,
) -> tuple[Evidence, FloatArray]:
    """The evidence with unseen items behind the entries, and the predictiveness of all.

    A wildcard stands for the words that match it and have no weight: it has the mean predictiveness of its list, and
    where estimates are shrunk to `given_weights`, as much more or less as these say. A negated item has the
    `part_of_word` of the item that is negated. Without a weight such items would be lost in new texts, where counting
    counts them.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"negative": ["bad"], "positive": ["good", "happ*"]})
    >>> texts = ["a good day, happy", "a bad day", "good and happy", "bad"] * 9
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> names = with_unseen_items(model.evidence, model.predictiveness, model.items, None)[0].entries
    >>> names[len(model.evidence.entries) :]
    ('NOT bad', 'NOT good', 'NOT happy', 'happ*', 'NOT happ*')
    """
    names, lists, values = _unseen_negated(evidence, predictiveness, items, reversal)
    opposite = opposite_lists(items.lists)
    means = _means_of_wildcards(evidence, predictiveness, items, given_weights)
    parts = [0.0 if other is None else part_of_word(reversal, own) for own, other in enumerate(opposite)]
    for wildcard, mean in zip(items.wildcards, means, strict=True):
        other = opposite[wildcard.list]
        names.append(wildcard.pattern)
        lists.append(wildcard.list)
        values.append(mean)
        if items.negation is not None and other is not None:
            names.append(NEGATED + wildcard.pattern)
            lists.append(other)
            values.append(parts[wildcard.list] * mean)
    extended = replace(
        evidence,
        entries=(*evidence.entries, *names),
        list_index=np.concatenate([evidence.list_index, np.array(lists, dtype=np.int64)]),
        occurrences=np.concatenate([evidence.occurrences, np.zeros(len(names), dtype=np.int64)]),
    )
    return extended, np.concatenate([predictiveness, np.array(values, dtype=np.float64)])


def _means_of_wildcards(
    evidence: Evidence,
    predictiveness: FloatArray,
    items: Items,
    given_weights: Callable[[Iterable[str]], FloatArray] | None,
) -> list[float]:
    """The predictiveness of each wildcard: the mean of its list, or as much more or less as the given weights say."""
    figures = (evidence.entries, evidence.list_index, evidence.occurrences)
    means = means_of_words(predictiveness, *figures, lists=len(items.lists))
    lists = np.array([wildcard.list for wildcard in items.wildcards], dtype=np.int64)
    if evidence.given is None or given_weights is None:
        return list(means[lists].tolist())
    strength = np.maximum(given_weights(wildcard.pattern for wildcard in items.wildcards), 0.0)
    factors = strength * given_scales(evidence)[lists]
    return list(np.minimum(means[lists] * factors, predictiveness.max(initial=0.0)).tolist())


def _unseen_negated(
    evidence: Evidence, predictiveness: FloatArray, items: Items, reversal: Reversal | None
) -> tuple[list[str], list[int], list[float]]:
    """The names, lists and predictiveness of negated items of known words."""
    opposite = opposite_lists(items.lists)
    if items.negation is None or None in opposite:
        return [], [], []
    parts, entries = np.array([part_of_word(reversal, own) for own in range(len(opposite))]), evidence.entries
    negated = negated_entries(entries)
    seen = set(compress(entries, negated.tolist()))
    names = {NEGATED + entries[at]: at for at in np.flatnonzero(~negated).tolist()}
    unseen = np.array([at for name, at in names.items() if name not in seen], dtype=np.int64)
    own = evidence.list_index[unseen]
    values = parts[own] * predictiveness[unseen]
    return [name for name in names if name not in seen], (1 - own).tolist(), values.tolist()
