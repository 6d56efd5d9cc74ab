"""Documents counted by group or date and by the log-odds of each class, batch by batch.

Which groups or dates a column has is decided at its end, so documents are counted under names such as `1/48` (class and
place on the grid) until then. Memory is bounded by groups and places, not by documents.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util.arrays import FloatArray, IntArray
from problex.evaluation.grouping import Grouping, as_array
from problex.evaluation.groups.logit_grid import GRID, STEPS, grid_places
from problex.scoring.scores import Scores

LENGTH, LABELLED, EMPTY = "length", "labelled", "empty"
"""Kinds of names besides the classes: the logarithm of the length, a labelled document, one without words."""


@dataclass(frozen=True, eq=False)
class GridCounts:
    """Documents with words by class, group and place of the grid (classes x groups x places).

    `log_lengths` are the means of the logarithms of the lengths. `labelled_groups` and `labelled_places` (classes x
    labelled) are those of the labelled documents, in the order of their numbers; -1 is one without words.
    """

    groups: tuple[str, ...]
    documents: IntArray
    log_lengths: FloatArray
    labelled_groups: IntArray
    labelled_places: IntArray

    def joined(self, names: Mapping[str, str], order: Sequence[str]) -> GridCounts:
        """The same documents by other groups: `names` has the new name of each group, `order` their order."""
        places = {name: at for at, name in enumerate(order)}
        target = np.array([places[names.get(group, group)] for group in self.groups], dtype=np.int64)
        documents = np.zeros((len(self.documents), len(order), len(GRID)), dtype=np.int64)
        for at, place in enumerate(target):
            documents[:, place] += self.documents[:, at]
        sizes = self.documents[0].sum(axis=1)
        sums = np.bincount(target, np.nan_to_num(self.log_lengths) * sizes, minlength=len(order))
        lengths = sums / np.maximum(np.bincount(target, sizes, minlength=len(order)), 1)
        groups = np.where(self.labelled_groups >= 0, target[self.labelled_groups], -1)
        return GridCounts(tuple(order), documents, lengths, groups, self.labelled_places)


@dataclass
class GridCounter:
    """Counts scored batches by group and place; `labelled` is the number of labelled documents there will be."""

    classes: int
    grouping: Grouping | None
    whole: str
    labelled: int = 0
    names: Counter[str] = field(init=False, default_factory=Counter)
    places: IntArray = field(init=False)

    def __post_init__(self) -> None:
        self.places = np.full((self.classes, self.labelled), -1, dtype=np.int64)

    def add(self, scores: Scores, values: object, labelled: IntArray | None = None) -> None:
        """Count documents by their values; `labelled` has the number of each labelled document, -1 for the others."""
        some = scores.lengths > 0
        probabilities = scores.probabilities
        blocks: list[tuple[NDArray[np.object_], NDArray[np.bool_] | None]] = []
        for at in self._counted():
            places = grid_places(probabilities[:, at])
            blocks.append((np.where(some, _names(str(at), places, len(GRID)), EMPTY), None))
        steps = np.rint(np.log(np.maximum(scores.lengths, 1)) * STEPS).astype(np.int64)
        blocks.append((np.where(some, _names(LENGTH, steps, int(steps.max(initial=0)) + 1), EMPTY), None))
        if labelled is not None and np.any(labelled >= 0):
            own = (labelled >= 0) & some
            for at in range(self.classes):
                self.places[at, labelled[own]] = grid_places(probabilities[own, at])
            names = np.array([f"{LABELLED}/{number}" for number in labelled[own]], dtype=object)
            blocks.append((names, own))
        self._add(values, blocks)

    def _counted(self) -> range:
        """The classes that are counted: of two, the second says what the first is."""
        return range(1, 2) if self.classes == 2 else range(self.classes)

    def _add(self, values: object, blocks: list[tuple[NDArray[np.object_], NDArray[np.bool_] | None]]) -> None:
        for names, own in blocks:
            if self.grouping is None:
                self.names.update(names.tolist())
            else:
                column = as_array(values)
                self.grouping.add(column if own is None else column.filter(pa.array(own)), names.tolist())

    def counts(self) -> GridCounts:
        """The counts by group; notes about dates are left to the grouping that counts the labels."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tally = self.grouping.tally() if self.grouping else {(self.whole, k): n for k, n in self.names.items()}
        groups = tuple(dict.fromkeys(group for group, _ in tally))
        at = {group: place for place, group in enumerate(groups)}
        documents = np.zeros((self.classes, len(groups), len(GRID)), dtype=np.int64)
        lengths, sizes = np.zeros(len(groups)), np.zeros(len(groups))
        labelled = np.full(self.labelled, -1, dtype=np.int64)
        for (group, name), number in tally.items():
            kind, _, place = name.partition("/")
            if kind == LENGTH:
                lengths[at[group]] += number * int(place) / STEPS
                sizes[at[group]] += number
            elif kind == LABELLED:
                labelled[int(place)] = at[group]
            elif place:
                documents[int(kind), at[group], int(place)] = number
        if self.classes == 2:
            documents[0] = documents[1, :, ::-1]
        return GridCounts(groups, documents, lengths / np.maximum(sizes, 1), labelled, self.places)


def _names(kind: str, places: IntArray, number: int) -> NDArray[np.object_]:
    """A name for each document: the kind and its place."""
    names = np.array([f"{kind}/{at}" for at in range(number)], dtype=object)
    return np.asarray(names[places], dtype=object)
