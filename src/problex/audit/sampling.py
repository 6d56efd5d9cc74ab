"""Which documents to label: drawn by predicted label and confidence, so that each stands for a known number of others.

Rare predictions get more than their share (by the square root of their number), so that something can be said of them
too; within a prediction, strata of rising confidence get what they are worth. What is drawn weighs accordingly.
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

PER_STRATUM = 5


@dataclass(frozen=True)
class Stratum:
    """The documents of one predicted label whose confidence is `low` or more, and below the next stratum's."""

    label: str
    low: float
    documents: int


@dataclass(frozen=True, eq=False)
class AuditSample:
    """Documents to label: the row, the stratum and the scores of each, in an order that says nothing."""

    classes: tuple[str, ...]
    strata: tuple[Stratum, ...]
    rows: IntArray
    stratum: IntArray
    values: FloatArray

    @property
    def documents(self) -> int:
        """How many documents were there to draw from."""
        return sum(stratum.documents for stratum in self.strata)

    def __add__(self, other: AuditSample) -> AuditSample:
        """Two samples of the same strata as one: drawn in turn without repeats, it is as if drawn at once."""
        if (self.classes, self.strata) != (other.classes, other.strata):
            raise ProblexError(
                "two samples were drawn from different strata, so their labels cannot be joined: draw the second with "
                "problex audit sample --more FIRST, with the same model and texts"
            )
        both = sorted(set(self.rows.tolist()) & set(other.rows.tolist()))
        if both:
            raise ProblexError(
                f"{pluralize(len(both), 'row stands', 'rows stand')} in two samples (row {both[0]}), expected each "
                "document once: draw the second with problex audit sample --more FIRST"
            )
        return replace(
            self,
            rows=np.concatenate([self.rows, other.rows]),
            stratum=np.concatenate([self.stratum, other.stratum]),
            values=np.concatenate([self.values, other.values]),
        )


def draw(scores: Scores, size: int, *, seed: int = 0, earlier: AuditSample | None = None) -> AuditSample:
    """Draw documents to label; with `earlier`, more of the same strata, none of them again.

    Documents without a token are left out: there is nothing to label.

    >>> values = np.stack([np.zeros(100), np.linspace(-3, 3, 100)], axis=1)
    >>> scores = Scores(("no", "yes"), values, np.full(100, 9), np.ones(100, np.int64))
    >>> sample = draw(scores, 20)
    >>> [(stratum.label, stratum.documents) for stratum in sample.strata]
    [('no', 25), ('no', 25), ('yes', 25), ('yes', 25)]
    >>> np.bincount(sample.stratum).tolist(), len(draw(scores, 7, earlier=sample).rows)
    ([5, 5, 5, 5], 7)
    """
    rows = np.flatnonzero(scores.lengths > 0)
    labels, margins = scores.labels()[rows], confidence(scores.values[rows])
    strata = stratify(scores.classes, labels, margins, size) if earlier is None else earlier.strata
    stratum = assign(strata, labels, margins)
    if earlier is not None and np.bincount(stratum, minlength=len(strata)).tolist() != [s.documents for s in strata]:
        raise ProblexError(
            "the documents do not fall into the strata of the earlier sample: the texts or the model have changed "
            "since, so that labels cannot be joined. Draw a new sample without --more"
        )
    seen = np.isin(rows, earlier.rows if earlier is not None else [])
    if not 1 <= size <= len(rows) - seen.sum():
        left = f"{pluralize(int(len(rows) - seen.sum()), 'document')} with words"
        left += " to draw" if earlier is None else " more to draw"
        raise ProblexError(f"a sample of {size:,} was asked for, but there are {left}: expected 1 to that many")
    taken = np.bincount(stratum[seen], minlength=len(strata))
    random = np.random.default_rng([seed, int(seen.sum())])
    free = [np.flatnonzero((stratum == at) & ~seen) for at in range(len(strata))]
    picks = [random.choice(free[at], more, replace=False) for at, more in enumerate(_shares(strata, taken, size))]
    picked = random.permutation(np.concatenate(picks).astype(np.int64))
    return AuditSample(scores.classes, strata, rows[picked], stratum[picked], scores.values[rows[picked]])


def confidence(values: FloatArray) -> FloatArray:
    """How far the highest score is above the second."""
    ordered = np.sort(values, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2], dtype=np.float64)


def stratify(
    classes: Sequence[str], labels: NDArray[np.object_], margins: FloatArray, size: int
) -> tuple[Stratum, ...]:
    """Cut each predicted label by confidence into strata of about equal size, for five documents to label each."""
    names = [name for name in (*classes, UNDECIDED) if np.any(labels == name)]
    sizes = np.array([np.sum(labels == name) for name in names])
    wanted = apportion(np.sqrt(sizes), sizes, min(size, int(sizes.sum())))
    strata: list[Stratum] = []
    for name, number in zip(names, wanted, strict=True):
        mine = margins[labels == name]
        parts = max(1, int(number) // PER_STRATUM) if name != UNDECIDED else 1
        # Each stratum begins at a confidence that occurs, so that none is empty where many tie.
        lows = np.unique(np.quantile(mine, np.arange(parts) / parts, method="higher"))
        lows[0] = 0.0
        place = np.searchsorted(lows, mine, side="right") - 1
        counts = np.bincount(place, minlength=len(lows))
        strata += [Stratum(name, float(low), int(n)) for low, n in zip(lows, counts, strict=True) if n]
    return tuple(strata)


def assign(strata: Sequence[Stratum], labels: NDArray[np.object_], margins: FloatArray) -> IntArray:
    """The stratum of each document; -1 where none has its label."""
    found = np.full(len(labels), -1, dtype=np.int64)
    for name in dict.fromkeys(stratum.label for stratum in strata):
        places = np.array([at for at, stratum in enumerate(strata) if stratum.label == name])
        lows = np.array([strata[at].low for at in places])
        mine = labels == name
        found[mine] = places[np.maximum(np.searchsorted(lows, margins[mine], side="right") - 1, 0)]
    if np.any(found < 0):
        unknown = sorted({str(label) for label in labels[found < 0]})
        raise ProblexError(
            f"documents are now labelled {unknown}, which the earlier sample had none of: the texts or the model have "
            "changed since. Draw a new sample without --more"
        )
    return found


def _shares(strata: Sequence[Stratum], taken: IntArray, size: int) -> IntArray:
    """How many to draw of each stratum, given those already drawn: first among labels, then within each."""
    names = np.array([stratum.label for stratum in strata], dtype=object)
    sizes = np.array([stratum.documents for stratum in strata])
    groups = list(dict.fromkeys(names))
    whole = np.array([sizes[names == name].sum() for name in groups])
    before = np.array([taken[names == name].sum() for name in groups])
    found = np.zeros_like(taken)
    for name, number in zip(groups, apportion(np.sqrt(whole), whole, size, before), strict=True):
        mine = names == name
        found[mine] = apportion(sizes[mine].astype(np.float64), sizes[mine], int(number), taken[mine])
    return found


def apportion(weights: FloatArray, limits: IntArray, seats: int, taken: IntArray | None = None) -> IntArray:
    """Deal out seats one by one by weight / (seats so far + 1/2), as parliaments do: more seats never take one away.

    >>> apportion(np.array([6.0, 3.0, 1.0]), np.array([50, 2, 50]), 10).tolist()
    [7, 2, 1]
    """
    before = np.zeros(len(weights), dtype=np.int64) if taken is None else taken
    held = before.copy()
    for _ in range(seats):
        claims = np.where(held < limits, weights / (held + 0.5), -1.0)
        held[int(claims.argmax())] += 1
    return np.asarray(held - before, dtype=np.int64)
