"""The documents to label: how they are drawn, and what they are once they have labels.

The strata are predicted labels, cut by confidence. Labels are allocated to predictions by the square root of their
frequency, so that rare predictions get more than their share, and within a prediction to its strata in proportion to
their sizes. By groups, each group gets the same number of labels, spread evenly over its scores, so that all documents
of a group have the same probability. Estimates weight each label by the number of documents that it represents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.formatting import join_with_or, pluralize, quote_all
from problex.errors import ProblexError, was_given
from problex.grouping.grouping import in_order
from problex.scoring.scores import UNDECIDED, Scores

LABELS_PER_STRATUM = 5


@dataclass(frozen=True)
class Stratum:
    """The documents of one predicted label whose confidence is `low` or more, and below the next stratum's.

    `group` is their group, if the sample was drawn by groups.
    """

    label: str
    low: float
    documents: int
    group: str = ""


@dataclass(frozen=True, eq=False)
class AuditSample:
    """Documents to label: the row, the stratum and the scores of each, in random order.

    `by` is the column of the groups, "" without groups.
    """

    classes: tuple[str, ...]
    strata: tuple[Stratum, ...]
    rows: IntArray
    stratum: IntArray
    values: FloatArray
    by: str = ""

    @property
    def documents(self) -> int:
        """The number of documents that the sample was drawn from."""
        return sum(stratum.documents for stratum in self.strata)

    @property
    def predictions(self) -> NDArray[np.object_]:
        """The predicted label of each document."""
        names = np.array([stratum.label for stratum in self.strata], dtype=object)
        return np.asarray(names[self.stratum], dtype=object)

    @property
    def groups(self) -> NDArray[np.object_]:
        """The group of each document; "" without groups."""
        names = np.array([stratum.group for stratum in self.strata], dtype=object)
        return np.asarray(names[self.stratum], dtype=object)

    @property
    def group_sizes(self) -> dict[str, int]:
        """Documents that the sample was drawn from, by group; all under "" without groups."""
        sizes: dict[str, int] = {}
        for stratum in self.strata:
            sizes[stratum.group] = sizes.get(stratum.group, 0) + stratum.documents
        return sizes

    @property
    def cells(self) -> tuple[IntArray, IntArray]:
        """For each document its cell, in which all had the same probability, and the documents of each cell.

        A cell is a stratum or, if the sample was drawn by groups, a group.
        """
        if not self.by:
            return self.stratum, np.array([stratum.documents for stratum in self.strata])
        sizes = self.group_sizes
        index = {name: at for at, name in enumerate(sizes)}
        return np.array([index[name] for name in self.groups], dtype=np.int64), np.array(list(sizes.values()))

    def probabilities(self, known: BoolArray | None = None) -> FloatArray:
        """The probability of each document of being drawn: drawn / all documents of its cell.

        With `known`, only these documents of the sample have a label, and the probability is that of having one; those
        without are assumed to be like the others of their cell. It is 0 where there is no label at all.

        >>> strata = (Stratum("no", 0.0, 90), Stratum("yes", 0.0, 10))
        >>> sample = AuditSample(("no", "yes"), strata, np.arange(4), np.array([0, 0, 0, 1]), np.zeros((4, 2)))
        >>> sample.probabilities().round(3).tolist()                      # 3 of 90, and 1 of 10
        [0.033, 0.033, 0.033, 0.1]
        >>> sample.probabilities(np.array([True, False, False, True])).round(3).tolist()
        [0.011, 0.011, 0.011, 0.1]
        """
        cell, sizes = self.cells
        drawn = np.bincount(cell[slice(None) if known is None else known], minlength=len(sizes))
        return np.asarray((drawn / sizes)[cell], dtype=np.float64)

    def __add__(self, other: AuditSample) -> AuditSample:
        """Join two samples of the same strata; drawn one after the other without repeats, they are as good as one."""
        if (self.classes, self.strata, self.by) != (other.classes, other.strata, other.by):
            raise ProblexError(
                "two samples were drawn from different strata, so their labels cannot be joined: draw the second with "
                "problex audit sample --more FIRST, with the same model and texts"
            )
        both = sorted(set(self.rows.tolist()) & set(other.rows.tolist()))
        if both:
            raise ProblexError(
                f"{pluralize(len(both), 'row is', 'rows are')} in two samples (row {both[0]}), expected each "
                "document once: draw the second with problex audit sample --more FIRST. If two coders labelled the "
                "same sample, give copies of the same sheet with its .audit.json"
            )
        return replace(
            self,
            rows=np.concatenate([self.rows, other.rows]),
            stratum=np.concatenate([self.stratum, other.stratum]),
            values=np.concatenate([self.values, other.values]),
        )


@dataclass(frozen=True, eq=False)
class LabelledSample:
    """The labelled documents of a sample: row, class, group, probability and scores of each.

    `codes` are positions in `classes`. `probabilities` are those of being drawn and labelled: 1 / probability is the
    number of documents that each represents. `groups` are the values of the column `by` ("" for all documents, if
    the sample was drawn without groups), `group_sizes` how many documents with words each group has in all.
    `unreached` counts documents of strata without a label, which no labelled document represents.
    """

    classes: tuple[str, ...]
    by: str
    rows: IntArray
    codes: IntArray
    groups: NDArray[np.object_]
    probabilities: FloatArray
    values: FloatArray
    group_sizes: Mapping[str, int]
    unreached: int

    @property
    def documents(self) -> int:
        """The number of documents that the sample was drawn from."""
        return sum(self.group_sizes.values())

    @property
    def weights(self) -> FloatArray:
        """The documents that each labelled one represents, as shares of all; they sum to one."""
        inverse = 1.0 / self.probabilities
        return np.asarray(inverse / inverse.sum(), dtype=np.float64)

    @classmethod
    def of(cls, sample: AuditSample, codes: IntArray) -> LabelledSample:
        """The documents of a sample whose class is known; -1 is a document without a label."""
        known = codes >= 0
        cell, sizes = sample.cells
        return cls(
            classes=sample.classes,
            by=sample.by,
            rows=sample.rows[known],
            codes=codes[known],
            groups=sample.groups[known],
            probabilities=sample.probabilities(known)[known],
            values=sample.values[known],
            group_sizes=sample.group_sizes,
            unreached=int(sizes[np.bincount(cell[known], minlength=len(sizes)) == 0].sum()),
        )


def class_codes(sample: AuditSample, labels: Sequence[str | None]) -> IntArray:
    """The position of each label in the classes of the sample, -1 for None; raise if one is unknown or none is there.

    >>> from problex.audit.sample import Stratum
    >>> rows = np.arange(3)
    >>> sample = AuditSample(("no", "yes"), (Stratum("no", 0.0, 9),), rows, rows * 0, np.zeros((3, 2)))
    >>> class_codes(sample, ["yes", None, "no"]).tolist()
    [1, -1, 0]
    """
    if len(labels) != len(sample.rows):
        raise ProblexError(f"{len(labels)} labels were given for a sample of {len(sample.rows)}, expected one for each")
    positions = {name: at for at, name in enumerate(sample.classes)}
    unknown = sorted({label for label in labels if label is not None and label not in positions})
    if unknown:
        raise ProblexError(
            f"the labels {quote_all(unknown[:5])} are not known, expected {join_with_or(sample.classes)}, or None"
        )
    codes = np.array([-1 if label is None else positions[label] for label in labels], dtype=np.int64)
    if not np.any(codes >= 0):
        raise ProblexError(
            f"none of {pluralize(len(labels), 'document')} has a label: fill in {join_with_or(sample.classes)}"
        )
    return codes


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of each document, by the values of a column."""

    column: str
    names: NDArray[np.object_]


def draw(
    scores: Scores, size: int, *, seed: int = 0, earlier: AuditSample | None = None, groups: Groups | None = None
) -> AuditSample:
    """Draw documents to label; with `earlier`, more of the same strata, without those drawn before.

    With `groups`, each of them gets the same number of labels. Documents without a token are left out.

    >>> values = np.stack([np.zeros(100), np.linspace(-3, 3, 100)], axis=1)
    >>> scores = Scores(("no", "yes"), values, np.full(100, 9), np.ones(100, np.int64))
    >>> sample = draw(scores, 20)
    >>> [(stratum.label, stratum.documents) for stratum in sample.strata]
    [('no', 25), ('no', 25), ('yes', 25), ('yes', 25)]
    >>> np.bincount(sample.stratum).tolist(), len(draw(scores, 7, earlier=sample).rows)
    ([5, 5, 5, 5], 7)
    """
    frame = Frame.of(scores, groups)
    drawn = np.isin(frame.rows, earlier.rows if earlier is not None else [])
    _check_size(frame, size, int(drawn.sum()), earlier)
    strata = frame.stratify(size) if earlier is None else earlier.strata
    stratum = frame.assign(strata)
    if np.bincount(stratum, minlength=len(strata)).tolist() != [part.documents for part in strata]:
        raise ProblexError(
            "the documents do not fall into the strata of the earlier sample: the texts or the model have changed "
            "since, so the labels cannot be joined. Draw a new sample without --more"
        )
    random = np.random.default_rng([seed, int(drawn.sum())])
    if frame.by:
        chosen = _choose_by_group(frame, stratum, drawn, size, random)
    else:
        chosen = _choose_by_stratum(strata, stratum, drawn, size, random)
    sample = random.permutation(chosen)
    rows = frame.rows[sample]
    return AuditSample(scores.classes, strata, rows, stratum[sample], scores.log_odds[rows], frame.by)


@dataclass(frozen=True, eq=False)
class Frame:
    """The documents that can be drawn: the row, the predicted label, the confidence and the group of each."""

    classes: tuple[str, ...]
    rows: IntArray
    labels: NDArray[np.object_]
    margins: FloatArray
    groups: NDArray[np.object_]
    by: str = ""

    @classmethod
    def of(cls, scores: Scores, groups: Groups | None = None) -> Frame:
        """The documents with a token."""
        rows = np.flatnonzero(scores.lengths > 0)
        if groups is not None and len(groups.names) != len(scores.lengths):
            raise ProblexError(
                f"{len(groups.names):,} groups were given for {pluralize(len(scores.lengths), 'document')}, expected "
                "one for each"
            )
        names = np.full(len(rows), "", dtype=object) if groups is None else groups.names[rows]
        labels, margins = scores.labels()[rows], confidence(scores.log_odds[rows])
        return cls(scores.classes, rows, labels, margins, names, "" if groups is None else groups.column)

    def group_names(self) -> list[str]:
        """The groups, in order."""
        return in_order(self.groups.tolist())

    def group_sizes(self) -> IntArray:
        """Documents by group."""
        return np.array([np.sum(self.groups == name) for name in self.group_names()], dtype=np.int64)

    def stratify(self, size: int) -> tuple[Stratum, ...]:
        """The strata for a sample of this size."""
        if not self.by:
            return stratify(self.classes, self.labels, self.margins, size, np.sqrt)
        strata: list[Stratum] = []
        seats = group_seats(self.group_sizes(), size)
        for name, number in zip(self.group_names(), seats, strict=True):
            own = self.groups == name
            parts = stratify(self.classes, self.labels[own], self.margins[own], int(number), np.asarray)
            strata += [replace(part, group=name) for part in parts]
        return tuple(strata)

    def assign(self, strata: Sequence[Stratum]) -> IntArray:
        """The stratum of each document; raise if none has its label and group."""
        assigned = np.full(len(self.rows), -1, dtype=np.int64)
        for group, label in dict.fromkeys((stratum.group, stratum.label) for stratum in strata):
            own = (self.labels == label) & (self.groups == group)
            positions = np.array([at for at, part in enumerate(strata) if (part.group, part.label) == (group, label)])
            lows = np.array([strata[at].low for at in positions])
            assigned[own] = positions[np.maximum(np.searchsorted(lows, self.margins[own], side="right") - 1, 0)]
        if np.any(assigned < 0):
            unknown = sorted({str(label) for label in self.labels[assigned < 0]})
            where = f" in the group {self.groups[assigned < 0][0]!r}" if self.by else ""
            raise ProblexError(
                f"documents are now labelled {unknown}{where}, which the earlier sample had none of: the texts or the "
                "model have changed since. Draw a new sample without --more"
            )
        return assigned


def _check_size(frame: Frame, size: int, drawn: int, earlier: AuditSample | None) -> None:
    """Raise if there are not that many documents, or more groups than labels, or other groups than before."""
    if earlier is not None and earlier.by != frame.by:
        before = f"by the column {earlier.by!r}" if earlier.by else "without groups"
        now = was_given("by", frame.by) if frame.by else "no column was given"
        raise ProblexError(
            f"the earlier sample was drawn {before}, but now {now}: draw more in the same way as before, or draw a new "
            "sample without --more"
        )
    if not 1 <= size <= len(frame.rows) - drawn:
        left = f"{pluralize(len(frame.rows) - drawn, 'document')} with words"
        left += " to draw" if earlier is None else " left to draw"
        raise ProblexError(f"a sample of {size:,} was requested, but there are only {left}: request fewer")
    number = len(frame.group_names())
    if frame.by and size < number and earlier is None:
        raise ProblexError(
            f"a sample of {size:,} was requested for {number:,} groups in the column {frame.by!r}, expected at least "
            "one label for each, better ten: request more, or choose a column with fewer groups"
        )


def confidence(values: FloatArray) -> FloatArray:
    """The highest score of each document minus the second highest.

    >>> confidence(np.array([[0.0, 2.0, 1.5], [1.0, 1.0, 0.0]])).tolist()
    [0.5, 0.0]
    """
    ordered = np.sort(values, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2], dtype=np.float64)


def stratify(
    classes: Sequence[str],
    labels: NDArray[np.object_],
    margins: FloatArray,
    size: int,
    weight: Callable[[IntArray], FloatArray],
) -> tuple[Stratum, ...]:
    """Cut each predicted label by confidence into strata of about equal size, for about five labels each.

    `weight` is by how much of the labels a prediction gets, from the numbers of documents.

    >>> labels = np.array(["no"] * 30 + ["yes"] * 10, dtype=object)           # 15 and 5 of the 20 labels
    >>> strata = stratify(("no", "yes"), labels, np.arange(40.0), 20, np.asarray)
    >>> [(stratum.label, stratum.low, stratum.documents) for stratum in strata]
    [('no', 0.0, 10), ('no', 10.0, 10), ('no', 20.0, 10), ('yes', 0.0, 10)]
    """
    names = [name for name in (*classes, UNDECIDED) if np.any(labels == name)]
    sizes = np.array([np.sum(labels == name) for name in names])
    allocation = apportion(weight(sizes), sizes, min(size, int(sizes.sum())))
    strata: list[Stratum] = []
    for name, number in zip(names, allocation, strict=True):
        own = margins[labels == name]
        parts = max(1, int(number) // LABELS_PER_STRATUM) if name != UNDECIDED else 1
        # Each stratum begins at a confidence that occurs, so that none is empty if many are equal.
        lows = np.unique(np.quantile(own, np.arange(parts) / parts, method="higher"))
        lows[0] = 0.0
        position = np.searchsorted(lows, own, side="right") - 1
        counts = np.bincount(position, minlength=len(lows))
        strata += [Stratum(name, float(low), int(n)) for low, n in zip(lows, counts, strict=True) if n]
    return tuple(strata)


def group_seats(sizes: IntArray, size: int, before: IntArray | None = None) -> IntArray:
    """The number of labels of each group: the same for all, unless a group has fewer documents.

    >>> group_seats(np.array([500, 4, 90]), 24).tolist()
    [10, 4, 10]
    """
    return apportion(np.ones(len(sizes)), sizes, size, before)


def _choose_by_group(
    frame: Frame, stratum: IntArray, drawn: BoolArray, size: int, random: np.random.Generator
) -> IntArray:
    """A systematic sample of each group: ordered by score, every k-th document from a random start.

    Each document of a group has the same probability, and the sample has all parts of the scores in proportion.
    """
    order = np.lexsort((random.random(len(frame.rows)), frame.margins, stratum))
    names = frame.group_names()
    before = np.array([np.sum(drawn & (frame.groups == name)) for name in names])
    chosen = []
    for name, number in zip(names, group_seats(frame.group_sizes(), size, before), strict=True):
        left = order[(frame.groups[order] == name) & ~drawn[order]]
        positions = (np.arange(number) + random.random()) * len(left) / max(number, 1)
        chosen.append(left[np.minimum(positions.astype(np.int64), len(left) - 1)])
    return np.concatenate(chosen)


def _choose_by_stratum(
    strata: Sequence[Stratum], stratum: IntArray, drawn: BoolArray, size: int, random: np.random.Generator
) -> IntArray:
    """A random sample of each stratum."""
    numbers = _allocate(strata, np.bincount(stratum[drawn], minlength=len(strata)), size)
    parts = [
        random.choice(np.flatnonzero((stratum == at) & ~drawn), number, replace=False)
        for at, number in enumerate(numbers)
    ]
    return np.concatenate(parts).astype(np.int64)


def _allocate(strata: Sequence[Stratum], drawn: IntArray, size: int) -> IntArray:
    """The number to draw from each stratum, given those drawn before: first by label, then within each label.

    >>> strata = (Stratum("no", 0.0, 90), Stratum("no", 1.0, 10), Stratum("yes", 0.0, 25))
    >>> _allocate(strata, np.zeros(3, np.int64), 6).tolist()            # 10 to 5 between labels, then 90 to 10
    [4, 0, 2]
    """
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
    >>> apportion(np.array([6.0, 3.0, 1.0]), np.array([50, 2, 50]), 3, before=np.array([4, 2, 1])).tolist()
    [3, 0, 0]
    """
    start = np.zeros(len(weights), dtype=np.int64) if before is None else before
    allocation = start.copy()
    for _ in range(seats):
        quotients = np.where(allocation < limits, weights / (allocation + 0.5), -1.0)
        allocation[int(quotients.argmax())] += 1
    return np.asarray(allocation - start, dtype=np.int64)


def labelling_order(sample: AuditSample, seed: int = 0) -> IntArray:
    """An order of the documents of a sample in which the first k are a fair sample themselves, for every k.

    The i-th of n documents of a stratum, in random order, has its position at (i + U) / n of the way, with U uniform
    between 0 and 1. So each stratum has the same share of every beginning as of the whole, up to one or two documents,
    and where the next document comes from cannot be foreseen, as it could if the strata took strict turns.

    >>> strata = (Stratum("no", 0.0, 90), Stratum("yes", 0.0, 30))
    >>> sample = AuditSample(("no", "yes"), strata, np.arange(40), np.arange(40) % 4 // 3, np.zeros((40, 2)))
    >>> order = labelling_order(sample)
    >>> [np.bincount(sample.stratum[order][:number], minlength=2).tolist() for number in (8, 20, 40)]
    [[6, 2], [15, 5], [30, 10]]
    """
    random = np.random.default_rng([seed, len(sample.rows)])
    positions = np.empty(len(sample.rows))
    for stratum in np.unique(sample.stratum):
        own = random.permutation(np.flatnonzero(sample.stratum == stratum))
        positions[own] = (np.arange(len(own)) + random.random(len(own))) / len(own)
    return np.asarray(np.argsort(positions, kind="stable"), dtype=np.int64)
