"""`LabelledSample`: the labelled documents of an audit as estimators read them, one row for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import join_with_or, pluralize, quote_all
from problex.audit.sample import AuditSample
from problex.errors import ProblexError


@dataclass(frozen=True, eq=False)
class LabelledSample:
    """The labelled documents of a sample: row, class, group, probability and scores of each.

    `codes` are places in `classes`. `probabilities` are those of being drawn and labelled, so that 1 / probability is
    the number of documents that each represents. `groups` are the values of the column `by` ("" for all documents, if
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
        probabilities = sample.probabilities(known)
        reached = {sample.groups[at] if sample.by else sample.stratum[at] for at in np.flatnonzero(known)}
        parts = [part.group if sample.by else at for at, part in enumerate(sample.strata)]
        return cls(
            sample.classes,
            sample.by,
            sample.rows[known],
            codes[known],
            sample.groups[known],
            probabilities[known],
            sample.values[known],
            sample.group_sizes,
            sum(stratum.documents for part, stratum in zip(parts, sample.strata, strict=True) if part not in reached),
        )


def class_codes(sample: AuditSample, labels: Sequence[str | None]) -> IntArray:
    """The place of each label in the classes of the sample, -1 for None; raise if a label is unknown or none is there.

    >>> from problex.audit.sample import Stratum
    >>> rows = np.arange(3)
    >>> sample = AuditSample(("no", "yes"), (Stratum("no", 0.0, 9),), rows, rows * 0, np.zeros((3, 2)))
    >>> class_codes(sample, ["yes", None, "no"]).tolist()
    [1, -1, 0]
    """
    if len(labels) != len(sample.rows):
        raise ProblexError(f"{len(labels)} labels were given for a sample of {len(sample.rows)}, expected one for each")
    places = {name: at for at, name in enumerate(sample.classes)}
    unknown = sorted({label for label in labels if label is not None and label not in places})
    if unknown:
        raise ProblexError(
            f"the labels {quote_all(unknown[:5])} are not known, expected {join_with_or(sample.classes)}, or None"
        )
    codes = np.array([-1 if label is None else places[label] for label in labels], dtype=np.int64)
    if not np.any(codes >= 0):
        raise ProblexError(
            f"none of {pluralize(len(labels), 'document')} has a label: fill in {join_with_or(sample.classes)}"
        )
    return codes
