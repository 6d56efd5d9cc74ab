"""Before an audit: how wide its intervals will be with so many labels, from the design of the sample alone.

What the labels will be is not known. The expected widths are those if the model's probabilities are right, the largest
are those if its predictions say nothing about the labels. Both are half widths of 95 % intervals in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.audit.intervals import PRIOR_DOCUMENTS, PredictionGroup
from problex.audit.sample import AuditSample, Groups, draw
from problex.errors import ProblexError
from problex.model.model import Z_95
from problex.scoring.scores import UNDECIDED, Scores

SIZES = (20, 40, 60, 100, 200, 300, 500)
"""Numbers of labels that a plan has by default."""


HEADINGS = {
    "labels": "labels",
    "accuracy": "accuracy",
    "share": "share of_a label",
    "share_at_most": "share,_worst_case",
    "labels_per_group": "labels_per group",
    "group": "share in_widest group",
    "group_at_most": "widest_group,_worst_case",
}
"""The columns of a record as they are shown; headings of numbers are broken at underscores."""


@dataclass(frozen=True)
class Width:
    """Half widths of the intervals with this number of labels.

    `share` is that of a label among all documents, `group` that of a label in the `widest` group, from the
    `group_labels` of this group alone; both are those of the label with the widest interval. Groups that are labelled
    completely, `complete`, have no interval.
    """

    labels: int
    accuracy: float
    share: float
    largest_share: float
    group_labels: int | None = None
    group: float | None = None
    largest_group: float | None = None
    widest: str = ""
    complete: tuple[str, ...] = ()

    def record(self) -> Record:
        """The widths as a row of a table."""
        row: Record = {"labels": self.labels, "accuracy": self.accuracy, "share": self.share}
        row["share_at_most"] = self.largest_share
        if self.widest or self.complete:
            row |= {"labels_per_group": self.group_labels, "group": self.group, "group_at_most": self.largest_group}
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()}

    def as_shown(self) -> Record:
        """The widths as a row for the terminal, in percentage points."""
        record = self.record()
        return {HEADINGS[name]: _shown(cell) for name, cell in record.items()}


@dataclass(frozen=True)
class AuditPlan:
    """The widths for several numbers of labels, of documents in so many groups of a column.

    `copies` says how many documents are copies of others.
    """

    documents: int
    widths: tuple[Width, ...]
    by: str = ""
    groups: int = 0
    copies: str = ""

    def records(self) -> list[Record]:
        """A record for each number of labels."""
        return [width.record() for width in self.widths]

    def as_shown(self) -> list[Record]:
        """The records for the terminal."""
        return [width.as_shown() for width in self.widths]

    def notes(self) -> list[str]:
        """What the table says, in words, for the number of labels that is nearest to 100."""
        one = min(self.widths, key=lambda width: abs(width.labels - 100))
        notes = [
            f"{pluralize(self.documents, 'document')}; half the width of 95% intervals, in percentage points",
            f"with {pluralize(one.labels, 'label')}, the share of a label in all documents is known to "
            f"{_size(one.share)} points",
            "this assumes that the model's probabilities are right, which is optimistic",
            f"worst case ({_size(one.largest_share)} points): its predictions say nothing about the labels",
        ]
        if one.group is not None and one.group_labels is not None:
            notes.append(
                f"the share in {one.widest!r}, widest of {pluralize(self.groups, 'group')} by {self.by!r}, from "
                f"{pluralize(one.group_labels, 'label')}: {_size(one.group)} points"
            )
        if one.complete:
            names = ", ".join(map(repr, one.complete))
            notes.append(f"labelled completely, so that the share is known: {names}")
        notes += [self.copies] * bool(self.copies)
        return [*notes, "an interval half as wide needs about four times as many labels"]


def plan(scores: Scores, sizes: Sequence[int] | None = None, groups: Groups | None = None) -> AuditPlan:
    """The widths of the intervals of audits of these sizes (`SIZES` that the documents allow, without any).

    >>> values = np.stack([np.zeros(1000), np.linspace(-3, 3, 1000)], axis=1)
    >>> scores = Scores(("no", "yes"), values, np.full(1000, 9), np.ones(1000, np.int64))
    >>> [(width.labels, round(width.share, 2)) for width in plan(scores, [50, 200]).widths]
    [(50, 0.11), (200, 0.05)]
    """
    some = scores.lengths > 0
    names = np.unique(groups.names[some].astype(str)) if groups is not None else np.array([])
    least = max(len(names), 1)
    chosen = sorted(set(sizes)) if sizes else [size for size in SIZES if least <= size <= some.sum()]
    if not chosen:
        raise ProblexError(
            f"there are {pluralize(int(some.sum()), 'document')} with words, and a sample of {max(least, SIZES[0])} "
            "was planned: give more texts, or a column with fewer groups"
        )
    widths = []
    for size in chosen:
        sample = draw(scores, size, groups=groups)
        width = _width(scores, sample)
        widths.append(width if groups is None else _with_groups(width, scores, sample, groups))
    by = groups.column if groups is not None else ""
    return AuditPlan(int(some.sum()), tuple(widths), by, len(names), scores.describe_copies())


def _width(scores: Scores, sample: AuditSample) -> Width:
    """The widths from the variances of the posterior that `PredictionGroup` has for each prediction."""
    some = scores.lengths > 0
    probabilities, labels = scores.probabilities[some], scores.labels()[some]
    correct, shares, largest = 0.0, np.zeros(len(scores.classes)), 0.0
    for label in dict.fromkeys(part.label for part in sample.strata):
        group = PredictionGroup.of(sample, label, np.zeros(len(sample.rows), dtype=np.int64), sample.stratum)
        weight, left = group.observations + PRIOR_DOCUMENTS, group.unlabelled
        mean = (group.observations * probabilities[labels == label].mean(axis=0) + group.prior) / weight
        # The variance of the count of a label among those left, in closed form.
        factor = left * (left + weight) / (weight + 1.0) / sample.documents**2  # of a Dirichlet-multinomial
        variance = factor * mean * (1.0 - mean)
        shares += variance
        largest += factor / 4.0
        correct += float(variance[scores.classes.index(label)]) if label != UNDECIDED else 0.0
    accuracy, share, at_most = (float(Z_95 * np.sqrt(part)) for part in (correct, shares.max(), largest))
    return Width(len(sample.rows), accuracy, share, at_most)


def _with_groups(width: Width, scores: Scores, sample: AuditSample, groups: Groups) -> Width:
    """Add the largest width of a group: that of its mean probability plus the mean of label - probability."""
    some = scores.lengths > 0
    probabilities, names = scores.probabilities[some], groups.names[some]
    complete, widths = [], []
    for name, documents in sample.group_sizes.items():
        number = int(np.sum(sample.groups == name))
        if number == documents:
            complete.append(name)
            continue
        own = probabilities[names == name]
        factor = (1.0 - number / documents) / number
        expected = float(Z_95 * np.sqrt(factor * np.mean(own * (1.0 - own), axis=0).max()))
        widths.append((expected, float(Z_95 * np.sqrt(factor / 4.0)), number, name))
    if not widths:
        return replace(width, complete=tuple(complete))
    group, _, number, widest = max(widths)
    largest = max(one[1] for one in widths)
    return replace(
        width, group_labels=number, group=group, largest_group=largest, widest=widest, complete=tuple(complete)
    )


def _shown(cell: float | None) -> object:
    """A cell for the terminal.

    >>> _shown(40), _shown(0.1), _shown(None)
    (40, '±10.0', '-')
    """
    return "-" if cell is None else _size(cell) if isinstance(cell, float) else cell


def _size(width: float) -> str:
    """Half a width in percentage points.

    >>> _size(0.0525)
    '±5.2'
    """
    return f"±{100 * width:.1f}"
