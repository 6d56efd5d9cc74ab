"""`AuditSample`: the documents to label, the strata that they were drawn from, and the probability of each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.formatting import pluralize
from problex.errors import ProblexError


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

    def probabilities(self, known: BoolArray | None = None) -> FloatArray:
        """The probability of each document of being drawn: drawn / all documents of its stratum, or of its group.

        With `known`, only these documents of the sample have a label, and the probability is that of having one; those
        without are assumed to be like the others of their stratum or group. It is 0 where there is no label at all.
        """
        cells = list(self.group_sizes) if self.by else list(range(len(self.strata)))
        sizes = list(self.group_sizes.values()) if self.by else [stratum.documents for stratum in self.strata]
        places = {cell: at for at, cell in enumerate(cells)}
        cell = np.array([places[name] for name in self.groups]) if self.by else self.stratum
        drawn = np.bincount(cell[slice(None) if known is None else known], minlength=len(cells))
        return np.asarray((drawn / np.array(sizes))[cell], dtype=np.float64)

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
