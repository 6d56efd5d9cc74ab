"""`Model`: a weighted lexicon as a frozen value. Estimation makes it, a file keeps it, scoring reads it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import zip_longest
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex._util.formatting import format_value, pluralize, template_environment
from problex._util.records import Record
from problex.counting.counts import Counts, Sample
from problex.lexicon.lexicon import RESERVED, Lexicon
from problex.matching.items import Items, given_weights, items_of
from problex.matching.tokens import Tokenizer
from problex.model.calibration import UNCALIBRATED, Calibration, Platt
from problex.model.evidence import BalanceShift, Evidence, Solution, expected_cross_counts
from problex.model.expansion import Cotrained, Expansion
from problex.model.rules import RULES, PmiTable, Weights, make_weights
from problex.model.settings import Settings, make_shares

ENTRIES_SHOWN = 10
"""Entries of each list in a notebook."""
Z_95 = 1.959964
"""The standard errors on both sides of an estimate that hold 95 % of a normal distribution."""


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A lexicon whose entries have learned weights: everything needed to score texts and to estimate again.

    `shares` are pi_a, the share of list a in the weighted coverage of all lists. `calibration` has the threshold and
    the sharpness of the scores. `sample` has the documents that it was estimated from; a model file leaves them out.
    `cotrained` says how the predictiveness was learned with the help of all words, `expansion` has weights for these.
    `counts` are there if the estimate needed less than `refined`.
    """

    lexicon: Lexicon
    tokenizer: Tokenizer
    settings: Settings
    evidence: Evidence
    predictiveness: FloatArray
    shares: FloatArray
    solution: Solution
    pmi: PmiTable | None = None
    platt: Platt | None = None
    calibration: Calibration = UNCALIBRATED
    sample: Sample | None = None
    expansion: Expansion | None = None
    cotrained: Cotrained | None = None
    counts: Counts | None = None

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
        """The prior of the decision, uniform unless it was set."""
        return make_shares(self.settings.prior, "prior", self.classes)

    @cached_property
    def entry_weights(self) -> Weights:
        """The weights of all entries, as scoring rules read them."""
        given = self.given_weights(self.evidence.entries) if RULES[self.settings.rule].given else None
        return make_weights(self.evidence, self.predictiveness, self.prior, self.pmi, given)

    def given_weights(self, entries: Iterable[str]) -> FloatArray:
        """The weights that the lexicon gives entries, wildcards and negated items; raise if it has none."""
        return given_weights(self.lexicon, self.tokenizer, entries)

    @property
    def weights(self) -> FloatArray:
        """The log-odds that one occurrence of each entry adds to its own label."""
        return self.entry_weights.log_odds

    @property
    def balance_shift(self) -> BalanceShift | None:
        """Of three lists or more, the one whose share of the texts depends much on the balance, if there is one."""
        return self.solution.balance_shift

    @property
    def threshold_source(self) -> str:
        """Where the threshold and the probabilities come from, in words."""
        if self.calibration.labels:
            return f"from {pluralize(self.calibration.labels, 'audit label')}"
        return "label-free" if self.platt is None else "label-free, probabilities from audit labels"

    @property
    def label_free(self) -> Model:
        """The model without the labels of an audit."""
        return replace(self, platt=None, calibration=self.calibration.label_free)

    @cached_property
    def refined(self) -> Evidence:
        """The evidence with weighted partners and judged weights, which the published method does without.

        Standard errors, files and estimates under other settings need it.
        """
        if self.counts is None or self.sample is None:
            return self.evidence
        from problex.estimation.fitting import refine

        return refine(self.evidence, self.counts, self.sample)

    @cached_property
    def standard_errors(self) -> FloatArray:
        """The standard error of each predictiveness."""
        if self.cotrained is not None:
            return self.cotrained.standard_errors
        from problex.estimation.shrinkage import standard_errors

        return standard_errors(self.refined, self.predictiveness, self.settings.kappa)

    @cached_property
    def cache(self) -> dict[Any, Any]:
        """Values that were made from the model once, such as scorers: neither compared, saved nor pickled."""
        return {}

    def reestimate(self, **changes: Any) -> Model:
        """The model of the same counts under other settings, without reading the texts.

        A model from a file has no sample of documents for the calibration: under another prior it keeps its
        calibration, under other settings it has none, and a warning says so. An expansion and labels of an audit are
        dropped: they belong to the scores of this model.

        >>> from problex import count, estimate
        >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
        >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
        >>> model = estimate(count(texts, lexicon), lexicon)
        >>> model.reestimate(balance="equal", shrinkage=10.0) == estimate(
        ...     count(texts, lexicon), lexicon, balance="equal", shrinkage=10.0
        ... )
        True
        """
        from problex.estimation.fitting import reestimate

        return reestimate(self, **changes)

    def predict(
        self, documents: Any, *, undecided: str | None = RESERVED, confidence: float | None = None, **options: Any
    ) -> NDArray[np.object_]:
        """The label of each text; `undecided` for a text without a weighted word (None: a list in any case).

        With a `confidence`, texts whose label is less probable than that are undecided, too. `options` are those of
        `problex.score`.
        """
        from problex.scoring import score

        return score(documents, self, **options).labels(undecided, confidence)

    def predict_proba(self, documents: Any, **options: Any) -> FloatArray:
        """The probability of each list for each text, in the order of `classes`; `options` are those of `score`."""
        from problex.scoring import score

        return score(documents, self, **options).probabilities

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {len(words):,}" for name, words in self.lexicon.lists.items())
        learned = f"; {pluralize(len(self.expansion.weights), 'learned word')}" if self.expansion is not None else ""
        return f"Model(entries of {sizes}; rule {self.settings.rule}{learned})"

    def _repr_html_(self) -> str:
        """The heaviest entries of each list, for notebooks."""
        records = [{**row, "weight": format_value(row["weight"])} for row in self.records()]
        columns = [[row for row in records if row["list"] == name][:ENTRIES_SHOWN] for name in self.classes]
        rows = list(zip_longest(*columns, fillvalue={"entry": "", "weight": ""}))
        template = template_environment("problex.model").get_template("model.html.jinja")
        return template.render(summary=repr(self), lists=self.classes, rows=rows)

    def columns(self) -> dict[str, NDArray[Any]]:
        """The values of `records` as arrays, one per column, in the order of `evidence.entries`: by list and entry.

        Learned words of an expanded model are left out.
        """
        every = np.ones(len(self.predictiveness), dtype=bool)
        margin = Z_95 * self.standard_errors
        least = np.where(self.predictiveness < 0, -1.0, 0.0)
        return {
            "entry": np.array(self.evidence.entries, dtype=object),
            "list": np.array(self.classes, dtype=object)[self.evidence.list_index],
            "count": self.evidence.occurrences,
            "expected_cross_count": expected_cross_counts(self.evidence, every),
            "cross_count": self.evidence.cross_counts,
            "discordant": self.evidence.discordant,
            "predictiveness": self.predictiveness,
            "standard_error": self.standard_errors,
            "low": np.maximum(self.predictiveness - margin, least),
            "high": np.minimum(self.predictiveness + margin, 1.0),
            "weight": self.weights,
        }

    def records(self) -> list[Record]:
        """One record per entry, largest weight first, as in `weights_`, the command line and reports.

        An expanded model also has a record per learned word and pair of neighbours, marked as `learned`.
        """
        columns = {name: values.tolist() for name, values in self.columns().items()}
        rows = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        if self.expansion is not None:
            blank = dict.fromkeys(rows[0]) | {"learned": True}
            learned = self.expansion.records(self.classes, self.evidence.entries)
            shown = [
                {"count": row["documents"]} | {key: row[key] for key in ("entry", "list", "weight")} for row in learned
            ]
            rows = [row | {"learned": False} for row in rows] + [blank | row for row in shown]
        return sorted(rows, key=lambda row: (-row["weight"], -row["count"], row["entry"]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        from problex.estimation.model_file import dumps

        return dumps(self) == dumps(other)

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        state = {field.name: getattr(self, field.name) for field in fields(self)}
        return state | {"evidence": self.refined, "counts": None}

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the model as versioned, readable JSON."""
        from problex.estimation.model_file import save_model

        save_model(self, path, force=force)
