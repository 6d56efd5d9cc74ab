"""`Model`: a weighted lexicon as a frozen value, and `estimate`, which learns it from counts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex._util.formatting import pluralize
from problex.counting.counts import Counts, settings_of, tokenizer_of
from problex.counting.sample import Sample
from problex.errors import EstimationError, EstimationWarning
from problex.estimation.calibration import NONE, Calibration, calibrate
from problex.estimation.least_squares import kept_entries, weigh_by_solver
from problex.estimation.moments import Evidence, coverage, evidence_of, expected_cross_counts
from problex.estimation.platt import Platt
from problex.estimation.pmi import PmiTable, pmi_table
from problex.estimation.posteriors import standard_errors, weigh_by_posterior
from problex.estimation.settings import Settings, Shares, shares_of
from problex.estimation.shrinkage import weigh_partners
from problex.expansion.expansion import Expansion
from problex.lexicon.lexicon import Lexicon
from problex.matching.items import Items, items_of
from problex.matching.tokens import Tokenizer

LITTLE = 0.05
"""Own evidence below which the user is told that this is nearly counting."""
SHOWN = ("entry", "list", "weight")


@dataclass(frozen=True, eq=False)
class Model:
    """A lexicon whose entries have learned weights: everything needed to score texts and to estimate again.

    `shares` are the pi_a of the estimation: weighted coverage of list a over that of all lists. `calibration` has the
    threshold and the sharpness of the scores. `sample` are the documents that it was found from: a model file leaves
    them out.
    """

    lexicon: Lexicon
    tokenizer: Tokenizer
    settings: Settings
    evidence: Evidence
    predictiveness: FloatArray
    shares: FloatArray
    solution: Mapping[str, Any]
    pmi: PmiTable | None = None
    platt: Platt | None = None
    calibration: Calibration = NONE
    sample: Sample | None = None
    expansion: Expansion | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels: the names of the lists, sorted."""
        return self.lexicon.names

    @cached_property
    def items(self) -> Items:
        """The entries as they are matched in texts."""
        return items_of(self.lexicon, self.tokenizer)

    @cached_property
    def prior(self) -> FloatArray:
        """The prior of the decision, uniform unless given."""
        return shares_of(self.settings.prior, "prior", self.classes)

    @cached_property
    def base_rates(self) -> FloatArray:
        """mu_i for scoring: an entry that was never seen is taken to be seen half a time."""
        return np.maximum(self.evidence.occurrences, 0.5) / max(self.evidence.tokens, 1)

    @cached_property
    def lift(self) -> FloatArray:
        """How much more frequent an entry is under its own label: 1 + gamma (1 - pi) / pi, with pi the prior."""
        own = self.prior[self.evidence.list_index]
        return 1.0 + self.predictiveness * (1.0 - own) / own

    @cached_property
    def weights(self) -> FloatArray:
        """The log-odds that one occurrence adds to its own label: log lift - log(1 - gamma)."""
        return np.asarray(np.log(self.lift) - np.log1p(-self.predictiveness), dtype=np.float64)

    @cached_property
    def standard_errors(self) -> FloatArray:
        """How far each predictiveness may be off, as far as the counts can tell."""
        return standard_errors(self.evidence, self.predictiveness, self.settings.kappa)

    def reestimate(self, **changes: Any) -> Model:
        """The same evidence under other settings.

        A model from a file has no documents left to calibrate by: under another prior it keeps its calibration, under
        other settings it has none.
        """
        settings = replace(self.settings, **changes)
        again = _fit(self.evidence, self.lexicon, self.tokenizer, settings, self.pmi, self.sample)
        if self.sample is not None or self.calibration == NONE:
            return again
        if set(changes) <= {"prior"}:
            return replace(again, calibration=self.calibration)
        warnings.warn(
            "a model file keeps no documents to find the threshold and the sharpness of the scores by, so both are "
            "left out: estimate from counts to have them",
            EstimationWarning,
            stacklevel=2,
        )
        return again

    def records(self) -> list[dict[str, Any]]:
        """One record per entry, heaviest first: what `weights_`, the command line and reports show.

        An expanded model also has a record per learned word and pair of neighbours, marked as `learned`.
        """
        every = np.ones(len(self.predictiveness), dtype=bool)
        expected = expected_cross_counts(self.evidence, every)
        discordant = self.evidence.discordant
        margin = 1.959964 * self.standard_errors
        low, high = np.maximum(self.predictiveness - margin, 0.0), np.minimum(self.predictiveness + margin, 1.0)
        rows = [
            {
                "entry": entry,
                "list": self.classes[self.evidence.list_index[at]],
                "count": int(self.evidence.occurrences[at]),
                "expected_cross_count": float(expected[at]),
                "cross_count": int(self.evidence.cross_counts[at]),
                "discordant": bool(discordant[at]),
                "predictiveness": float(self.predictiveness[at]),
                "standard_error": float(self.standard_errors[at]),
                "low": float(low[at]),
                "high": float(high[at]),
                "weight": float(self.weights[at]),
            }
            for at, entry in enumerate(self.evidence.entries)
        ]
        if self.expansion is not None:
            blank = dict.fromkeys(rows[0]) | {"learned": True}
            learned = self.expansion.records(self.classes, self.evidence.entries)
            found = [blank | {"count": row["documents"]} | {key: row[key] for key in SHOWN} for row in learned]
            rows = [row | {"learned": False} for row in rows] + found
        return sorted(rows, key=lambda row: (-row["weight"], -row["count"], row["entry"]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        from problex.estimation.model_file import dumps

        return dumps(self) == dumps(other)

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: Any, *, force: bool = False) -> None:
        """Write versioned, readable JSON."""
        from problex.estimation.model_file import save_model

        save_model(self, path, force=force)


def estimate(
    counts: Counts,
    lexicon: Lexicon,
    *,
    tokenizer: Tokenizer | None = None,
    sample: Sample | None = None,
    **settings: Any,
) -> Model:
    """Learn a predictiveness for every entry from counts alone: no labels, no texts.

    `sample` are documents as rows of entries, for the threshold; by default those that the counts have kept.

    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> from problex import count
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> [row["entry"] for row in model.records()]
    ['fine', 'poor', 'bad', 'good']
    """
    if not isinstance(counts, Counts) or not isinstance(lexicon, Lexicon):
        given = f"{type(counts).__name__} and {type(lexicon).__name__}"
        raise EstimationError(f"estimate was given {given}, expected Counts, as count makes them, and a Lexicon")
    tokenizer = tokenizer or tokenizer_of(counts)
    expected = settings_of(lexicon, tokenizer)
    if counts.settings != expected:
        raise EstimationError(
            f"the counts were made with {dict(counts.settings)}, but the lexicon and tokenizer given are {expected}: "
            "count the texts again with this lexicon"
        )
    chosen = Settings.given(**settings)
    _check_corpus(counts)
    table = pmi_table(counts) if chosen.rule == "pmi" else None
    sample = sample if sample is not None else counts.sample
    evidence = weigh_partners(evidence_of(counts), counts.pairs, sample)
    return _fit(evidence, lexicon, tokenizer, chosen, table, sample)


def _fit(
    evidence: Evidence,
    lexicon: Lexicon,
    tokenizer: Tokenizer,
    settings: Settings,
    pmi: PmiTable | None,
    sample: Sample | None,
) -> Model:
    if settings.rule == "pmi" and pmi is None:
        raise EstimationError("the rule 'pmi' needs counts of all words: estimate from counts with rule='pmi'")
    shares_of(settings.prior, "prior", lexicon.names)  # so that a wrong prior is refused now, not when scoring
    if not np.isfinite(evidence.concentration):
        warnings.warn(
            "no burstiness was seen outside the lexicon, so repeated words count in full (the multinomial rule)",
            EstimationWarning,
            stacklevel=4,
        )
    if settings.shrinkage == "auto":
        _check_lists(evidence, np.ones(len(evidence.entries), dtype=bool))
        shares = _balance(evidence, np.ones(len(evidence.entries), dtype=bool), settings.balance)
        x, summary = weigh_by_posterior(evidence, shares, settings.max_predictiveness)
    else:
        kept = kept_entries(evidence, settings)
        _check_lists(evidence, kept)
        shares = _balance(evidence, kept, settings.balance)
        x, summary = weigh_by_solver(evidence, kept, shares, settings)
    for message in _worries(x, summary):
        warnings.warn(message, EstimationWarning, stacklevel=4)
    model = Model(lexicon, tokenizer, settings, evidence, x, shares, summary, pmi, sample=sample)
    if settings.calibration == "none" or sample is None:
        return model
    found = calibrate(model, sample, settings.rule, settings.temper, decides=not summary.get("fallback"))
    return replace(model, calibration=found)


def _worries(x: FloatArray, summary: Mapping[str, Any]) -> list[str]:
    """What the user should know about the estimate."""
    if summary.get("fallback"):
        return [
            "the lists meet each other as often as chance has it: every entry weighs the same, as in counting. "
            "Give more or longer texts, or other lists"
        ]
    if summary.get("own_evidence", 1.0) < LITTLE:
        return [
            f"words could hardly be told apart: they owe {summary['own_evidence']:.1%} of their weight to their own "
            "evidence, the rest to their list, so decisions are near those of counting. Give more or longer texts"
        ]
    if not np.any(x > 0):
        return [
            "no entry got a weight: the lists meet each other as often as chance has it, so every text is undecided. "
            "Give more texts, other lists, or rule='count'"
        ]
    return []


def _balance(evidence: Evidence, kept: NDArray[np.bool_], balance: Shares) -> FloatArray:
    if isinstance(balance, Mapping):
        return shares_of(balance, "balance", evidence.lists)
    if balance == "equal":
        return shares_of(None, "balance", evidence.lists)
    covered = coverage(evidence, kept)
    return np.asarray(covered / covered.sum(), dtype=np.float64)


def _check_corpus(counts: Counts) -> None:
    if counts.documents == 0:
        raise EstimationError("the corpus has no documents, expected texts to learn from")
    if counts.tokens == 0:
        raise EstimationError(
            f"none of {pluralize(counts.documents, 'document')} has a word in it: check the text column"
        )
    if counts.token_pairs == 0:
        raise EstimationError(
            f"no document of {counts.documents:,} has two words, and words are weighed by which others they meet: give "
            "longer texts, or join them"
        )


def _check_lists(evidence: Evidence, kept: NDArray[np.bool_]) -> None:
    for index, name in enumerate(evidence.lists):
        mine = evidence.list_index == index
        seen = mine & (evidence.occurrences > 0)
        if not seen.any():
            examples = ", ".join(entry for entry, own in zip(evidence.entries, mine, strict=True) if own)[:60]
            raise EstimationError(
                f"no entry of list {name!r} ({examples}) was found in {pluralize(evidence.documents, 'document')}: "
                "check the language, the text column, or the list"
            )
        if not (seen & kept).any():
            raise EstimationError(
                f"all {int(seen.sum())} entries of list {name!r} that were found meet the other lists more often than "
                f"chance in {pluralize(evidence.documents, 'document')}, so there is nothing to learn from: give more "
                "or longer texts, or keep them with keep_discordant=True"
            )
