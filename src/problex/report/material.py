"""Everything that a report shows, collected from the packages that compute it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from problex._util.records import Record
from problex.audit.results import Audit
from problex.corpus import Batch
from problex.doctor.diagnosis import Diagnosis, doctor
from problex.errors import ProblexError
from problex.evaluation.entry_counts import EntryCounts, entry_counts
from problex.evaluation.forecasts import Forecast, forecast, size_forecast
from problex.expansion.learn import suggestions
from problex.model.model import Model
from problex.report.overview import Overview, overview
from problex.scoring.scorer import make_scorer, score_batches
from problex.shares.counting import ALL_DOCUMENTS
from problex.shares.differences import share_differences
from problex.shares.estimates import ShareTable, SheetLabels, add_estimates

LENGTHS = (10, 20, 50, 100, 200, 500, 1000)
"""Lengths of documents, in tokens, with a forecast."""
MAX_FINDINGS = 12
"""Faults, and words to add, of the doctor."""
MAX_SUGGESTIONS = 12
"""Words of each list that were learned beyond the lexicon."""


@dataclass(frozen=True, eq=False)
class Material:
    """The content of a report. `unavailable` has the reason for each part that could not be computed.

    `shares` and `group_shares` have the shares of the true labels, if there are labels; without labels, `differences`
    has the comparison of the groups.
    """

    title: str
    model: Model
    overview: Overview
    forecast: Forecast | None = None
    sizes: list[Record] = field(default_factory=list)
    diagnosis: Diagnosis | None = None
    audit: Audit | None = None
    by: str | None = None
    shares: ShareTable | None = None
    group_shares: ShareTable | None = None
    differences: list[Record] = field(default_factory=list)
    unavailable: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def entries(self) -> list[Record]:
        """The words of the lexicon, heaviest first."""
        return [row for row in self.model.records() if not row.get("learned")]

    @cached_property
    def learned(self) -> list[Record]:
        """The strongest words and pairs outside the lexicon, by list, if the model has learned some."""
        return suggestions(self.model, MAX_SUGGESTIONS)

    @cached_property
    def entry_counts(self) -> list[EntryCounts]:
        """How many entries of each list occur and have a weight."""
        return entry_counts(self.model)

    @property
    def typical_length(self) -> int:
        """The median length of the documents, in tokens."""
        sizes, documents = list(self.overview.lengths), np.cumsum(list(self.overview.lengths.values()))
        middle = np.array([(documents[-1] + 1) // 2, documents[-1] // 2 + 1])  # the same one if the number is odd
        return max(1, int(np.mean([sizes[at] for at in np.searchsorted(documents, middle)])))


def gather(
    stream: Callable[[], Iterable[Batch]],
    model: Model,
    *,
    title: str = "",
    by: str | None = None,
    every: str | None = None,
    date_order: str | None = None,
    audit: Audit | None = None,
    labels: SheetLabels | None = None,
    markup: bool = False,
    threads: int | None = None,
    on_step: Callable[[str], None] = lambda step: None,
) -> Material:
    """Compute everything that a report shows; the texts are read three times, once for scores, twice for the doctor.

    `labels` are those of an audit, from which the shares of the true labels are estimated. `on_step` is called with the
    name of each step when it begins.
    """
    on_step("scoring the texts")
    scored = score_batches(iter(stream()), model, markup=markup, threads=threads, rows=bool(by) and labels is None)
    labelled = labels.labelled if labels else None
    summary = overview(scored, model, by=by, every=every, date_order=date_order, markup=markup, labelled=labelled)
    material = _with_shares(Material(title, model, summary, audit=audit, by=by), labels)
    unavailable: dict[str, str] = {}
    accuracy_forecast, sizes = None, []
    on_step("computing the forecast")
    try:
        accuracy_forecast = forecast(model, LENGTHS)
        sizes = size_forecast(model, material.typical_length)
    except ProblexError as error:
        unavailable["forecast"] = str(error)
    diagnosis = None
    on_step("checking the lexicon")
    try:
        diagnosis = doctor(
            stream, model.lexicon, top=MAX_FINDINGS, tokenizer=model.tokenizer, markup=markup, threads=threads
        ).top(MAX_FINDINGS)
    except ProblexError as error:
        unavailable["doctor"] = str(error)
    return replace(
        material,
        forecast=accuracy_forecast,
        sizes=sizes,
        diagnosis=diagnosis,
        unavailable=unavailable,
    )


def _with_shares(material: Material, labels: SheetLabels | None) -> Material:
    """The material with the estimates of the shares, or without labels with the differences between groups."""
    overview, classes = material.overview, material.model.classes
    if overview.grid is None:
        return material
    if labels is None:
        return replace(
            material, differences=share_differences(overview.grid, classes, make_scorer(material.model).word_leads)
        )
    labels.check_found()
    whole = overview.grid.joined(dict.fromkeys(overview.grid.groups, ALL_DOCUMENTS), [ALL_DOCUMENTS])
    shares = add_estimates(overview.labels, whole, labels, classes)
    groups = add_estimates(overview.groups, overview.grid, labels, classes) if overview.groups else None
    return replace(material, shares=shares, group_shares=groups)
