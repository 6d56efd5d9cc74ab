"""A stratified sample of documents to label: the strata are predicted labels, cut by confidence.

Labels are allocated to predictions by the square root of their frequency, so that rare predictions get more than their
share, and within a prediction to its strata in proportion to their sizes. Estimates weight each label by the number of
documents that it represents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import pluralize
from problex.errors import ProblexError
from problex.scoring.scores import UNDECIDED, Scores

LABELS_PER_STRATUM = 5


@dataclass(frozen=True)
class Stratum:
    """The documents of one predicted label whose confidence is `low` or more, and below the next stratum's."""

    label: str
    low: float
    documents: int


@dataclass(frozen=True, eq=False)
class AuditSample:
    """Documents to label: the row, the stratum and the log-odds (`values`) of each, in random order."""

    classes: tuple[str, ...]
    strata: tuple[Stratum, ...]
    rows: IntArray
    stratum: IntArray
    values: FloatArray

    @property
    def documents(self) -> int:
        """The number of documents that the sample was drawn from."""
        return sum(stratum.documents for stratum in self.strata)

    def __add__(self, other: AuditSample) -> AuditSample:
        """Join two samples of the same strata; drawn one after the other without repeats, they are as good as one."""
        if (self.classes, self.strata) != (other.classes, other.strata):
            raise ProblexError(
                "two samples were drawn from different strata, so their labels cannot be joined: draw the second with "
                "problex audit sample --more FIRST, with the same model and texts"
            )
        both = sorted(set(self.rows.tolist()) & set(other.rows.tolist()))
        if both:
            raise ProblexError(
                f"{pluralize(len(both), 'row is', 'rows are')} in two samples (row {both[0]}), expected each "
                "document once: draw the second with problex audit sample --more FIRST"
            )
        return replace(
            self,
            rows=np.concatenate([self.rows, other.rows]),
            stratum=np.concatenate([self.stratum, other.stratum]),
            values=np.concatenate([self.values, other.values]),
        )


def draw(scores: Scores, size: int, *, seed: int = 0, earlier: AuditSample | None = None) -> AuditSample:
    """Draw documents to label; with `earlier`, more of the same strata, without those drawn before.

    Documents without a token are left out.

    >>> values = np.stack([np.zeros(100), np.linspace(-3, 3, 100)], axis=1)
    >>> scores = Scores(("no", "yes"), values, np.full(100, 9), np.ones(100, np.int64))
    >>> sample = draw(scores, 20)
    >>> [(stratum.label, stratum.documents) for stratum in sample.strata]
    [('no', 25), ('no', 25), ('yes', 25), ('yes', 25)]
    >>> np.bincount(sample.stratum).tolist(), len(draw(scores, 7, earlier=sample).rows)
    ([5, 5, 5, 5], 7)
    """
    rows = np.flatnonzero(scores.lengths > 0)
    values = scores.log_odds
    labels, margins = scores.labels()[rows], confidence(values[rows])
    strata = stratify(scores.classes, labels, margins, size) if earlier is None else earlier.strata
    stratum = assign(strata, labels, margins)
    if earlier is not None and np.bincount(stratum, minlength=len(strata)).tolist() != [s.documents for s in strata]:
        raise ProblexError(
            "the documents do not fall into the strata of the earlier sample: the texts or the model have changed "
            "since, so the labels cannot be joined. Draw a new sample without --more"
        )
    drawn = np.isin(rows, earlier.rows if earlier is not None else [])
    if not 1 <= size <= len(rows) - drawn.sum():
        left = f"{pluralize(int(len(rows) - drawn.sum()), 'document')} with words"
        left += " to draw" if earlier is None else " left to draw"
        raise ProblexError(f"a sample of {size:,} was requested, but there are only {left}: request fewer")
    random = np.random.default_rng([seed, int(drawn.sum())])
    numbers = _allocate(strata, np.bincount(stratum[drawn], minlength=len(strata)), size)
    parts = [
        random.choice(np.flatnonzero((stratum == at) & ~drawn), number, replace=False)
        for at, number in enumerate(numbers)
    ]
    sample = random.permutation(np.concatenate(parts).astype(np.int64))
    return AuditSample(scores.classes, strata, rows[sample], stratum[sample], values[rows[sample]])


def confidence(values: FloatArray) -> FloatArray:
    """The highest score of each document minus the second highest."""
    ordered = np.sort(values, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2], dtype=np.float64)


def stratify(
    classes: Sequence[str], labels: NDArray[np.object_], margins: FloatArray, size: int
) -> tuple[Stratum, ...]:
    """Cut each predicted label by confidence into strata of about equal size, for about five labels each."""
    names = [name for name in (*classes, UNDECIDED) if np.any(labels == name)]
    sizes = np.array([np.sum(labels == name) for name in names])
    allocation = apportion(np.sqrt(sizes), sizes, min(size, int(sizes.sum())))
    strata: list[Stratum] = []
    for name, number in zip(names, allocation, strict=True):
        own = margins[labels == name]
        parts = max(1, int(number) // LABELS_PER_STRATUM) if name != UNDECIDED else 1
        # Each stratum begins at a confidence that occurs, so that none is empty if many are equal.
        lows = np.unique(np.quantile(own, np.arange(parts) / parts, method="higher"))
        lows[0] = 0.0
        place = np.searchsorted(lows, own, side="right") - 1
        counts = np.bincount(place, minlength=len(lows))
        strata += [Stratum(name, float(low), int(n)) for low, n in zip(lows, counts, strict=True) if n]
    return tuple(strata)


def assign(strata: Sequence[Stratum], labels: NDArray[np.object_], margins: FloatArray) -> IntArray:
    """The stratum of each document; raise if none has its label."""
    assigned = np.full(len(labels), -1, dtype=np.int64)
    for name in dict.fromkeys(stratum.label for stratum in strata):
        places = np.array([at for at, stratum in enumerate(strata) if stratum.label == name])
        lows = np.array([strata[at].low for at in places])
        own = labels == name
        assigned[own] = places[np.maximum(np.searchsorted(lows, margins[own], side="right") - 1, 0)]
    if np.any(assigned < 0):
        unknown = sorted({str(label) for label in labels[assigned < 0]})
        raise ProblexError(
            f"documents are now labelled {unknown}, which the earlier sample had none of: the texts or the model have "
            "changed since. Draw a new sample without --more"
        )
    return assigned


def _allocate(strata: Sequence[Stratum], drawn: IntArray, size: int) -> IntArray:
    """The number to draw from each stratum, given those drawn before: first by label, then within each label."""
    names = np.array([stratum.label for stratum in strata], dtype=object)
    sizes = np.array([stratum.documents for stratum in strata])
    groups = list(dict.fromkeys(names))
    whole = np.array([sizes[names == name].sum() for name in groups])
    before = np.array([drawn[names == name].sum() for name in groups])
    allocation = np.zeros_like(drawn)
    for name, number in zip(groups, apportion(np.sqrt(whole), whole, size, before), strict=True):
        own = names == name
        allocation[own] = apportion(sizes[own].astype(np.float64), sizes[own], int(number), drawn[own])
    return allocation


def apportion(weights: FloatArray, limits: IntArray, seats: int, before: IntArray | None = None) -> IntArray:
    """Allocate seats one by one to the largest weight / (seats + 1/2): the method of Sainte-Laguë, with limits.

    `before` are seats allocated earlier. Because seats are allocated one by one, a larger number takes none away.

    >>> apportion(np.array([6.0, 3.0, 1.0]), np.array([50, 2, 50]), 10).tolist()
    [7, 2, 1]
    """
    start = np.zeros(len(weights), dtype=np.int64) if before is None else before
    allocation = start.copy()
    for _ in range(seats):
        quotients = np.where(allocation < limits, weights / (allocation + 0.5), -1.0)
        allocation[int(quotients.argmax())] += 1
    return np.asarray(allocation - start, dtype=np.int64)
