"""Everything that a report shows, gathered from where it is computed; the page only writes it down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from problex.audit.results import Audit
from problex.corpus import Batch
from problex.doctor.diagnosis import Diagnosis, diagnose
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.evaluation.corpus_overview import Overview, overview
from problex.evaluation.forecasts import Forecast, corpus_forecast, forecast
from problex.evaluation.lexicon_size import size_forecast
from problex.scoring.expanded_model import suggestions
from problex.scoring.scorer import score_batches

LENGTHS = (10, 20, 50, 100, 200, 500, 1000)
FINDINGS = 12
"""Faults, and words to add, that are shown."""
LEARNED = 12
"""Words beyond the lexicon that are shown for each list."""


@dataclass(frozen=True, eq=False)
class Material:
    """What is known about a model and some texts. `lacking` says why a part is not there."""

    title: str
    model: Model
    overview: Overview
    forecast: Forecast | None = None
    believed: float | None = None
    sizes: list[dict[str, Any]] = field(default_factory=list)
    diagnosis: Diagnosis | None = None
    audit: Audit | None = None
    by: str | None = None
    lacking: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def entries(self) -> list[dict[str, Any]]:
        """The words of the lexicon, heaviest first."""
        return [row for row in self.model.records() if not row.get("learned")]

    @cached_property
    def learned(self) -> list[dict[str, Any]]:
        """The strongest words and pairs outside the lexicon, list by list, where a model has learned some."""
        return suggestions(self.model, LEARNED)

    @property
    def typical_length(self) -> int:
        """The median length of the documents, in tokens."""
        return max(1, int(np.median(self.overview.lengths)))


def gather(
    stream: Callable[[], Iterable[Batch]],
    model: Model,
    *,
    title: str = "",
    by: str | None = None,
    audit: Audit | None = None,
    markup: bool = False,
    threads: int | None = None,
) -> Material:
    """Read the texts (three times: to score, and twice for the doctor) and ask every part of problex about them."""
    scored = score_batches(iter(stream()), model, markup=markup, threads=threads)
    found = overview(scored, model, by=by, markup=markup)
    lacking: dict[str, str] = {}
    lengths = found.lengths[found.lengths > 0]
    believed, beliefs, sizes = None, None, []
    try:
        beliefs = forecast(model, LENGTHS)
        believed = corpus_forecast(model, lengths)[1] if len(lengths) else None
        sizes = size_forecast(model, max(1, int(np.median(found.lengths))))
    except ProblexError as error:
        lacking["forecast"] = str(error)
    diagnosis = None
    try:
        options: dict[str, Any] = {"tokenizer": model.tokenizer, "markup": markup, "threads": threads}
        diagnosis = diagnose(stream, model.lexicon, top=FINDINGS, **options).top(FINDINGS)
    except ProblexError as error:
        lacking["doctor"] = str(error)
    return Material(title, model, found, beliefs, believed, sizes, diagnosis, audit, by, lacking)
