"""`compare`: which documents changed their label between two scorings of the same documents, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.errors import ProblexError
from problex.scoring.scores import UNDECIDED, Scores


@dataclass(frozen=True, eq=False, repr=False)
class Changes:
    """Two scorings of the same documents, compared.

    `labels` are the classes and `undecided`; `before` and `after` have the label of each document, as an index of
    them. `moves` has the largest change of the log-odds between two classes: for two classes, that of the score.
    """

    labels: tuple[str, ...]
    before: IntArray
    after: IntArray
    moves: FloatArray

    @cached_property
    def table(self) -> IntArray:
        """The number of documents by old label (row) and new label (column), in the order of `labels`.

        >>> changes = Changes(("a", "b"), np.array([0, 0, 1]), np.array([1, 0, 1]), np.array([0.2, 0.0, 0.3]))
        >>> changes.table.tolist(), changes.changed.tolist()
        ([[1, 1], [0, 1]], [0])
        """
        size = len(self.labels)
        cells = np.bincount(self.before * size + self.after, minlength=size * size)
        return np.asarray(cells, dtype=np.int64).reshape(size, size)

    @cached_property
    def changed(self) -> IntArray:
        """The documents whose label changed, the largest moves first."""
        return self._by_move(np.flatnonzero(self.before != self.after))

    def rows(self, old: str, new: str) -> IntArray:
        """The documents with one label before and another after, the largest moves first."""
        before, after = self._index(old), self._index(new)
        return self._by_move(np.flatnonzero((self.before == before) & (self.after == after)))

    def largest(self, number: int = 10) -> IntArray:
        """The documents whose scores changed most, the largest moves first; their labels may be the same.

        >>> changes = Changes(("a", "b"), np.zeros(4, int), np.zeros(4, int), np.array([0.2, 0.0, 0.3, 0.3]))
        >>> changes.largest(2).tolist(), changes.largest().tolist()    # what did not move is never among them
        ([2, 3], [2, 3, 0])
        """
        moved = np.flatnonzero(self.moves > 0)
        if len(moved) > number:  # a full sort of all documents takes longer
            least = np.partition(self.moves[moved], -number)[-number] if number > 0 else np.inf
            moved = moved[self.moves[moved] >= least]
        return self._by_move(moved)[: max(number, 0)]

    def records(self) -> list[Record]:
        """A record for each pair of labels that some document has: `before`, `after`, `documents`."""
        return [
            {"before": self.labels[old], "after": self.labels[new], "documents": int(self.table[old, new])}
            for old, new in self._pairs()
        ]

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return ((int(old), int(new)) for old, new in np.argwhere(self.table))

    def _by_move(self, rows: IntArray) -> IntArray:
        return np.asarray(rows[np.argsort(-self.moves[rows], kind="stable")], dtype=np.int64)

    def _index(self, label: str) -> int:
        if label not in self.labels:
            raise ProblexError(f"the label {label!r} was given, expected one of {', '.join(self.labels)}")
        return self.labels.index(label)

    def __repr__(self) -> str:
        return f"Changes({pluralize(len(self.before), 'document')}, {len(self.changed):,} changed label)"


def compare(before: Scores, after: Scores) -> Changes:
    """What changed between two scorings of the same documents, for example before and after an edit of the lexicon.

    >>> from problex import Lexicon, count, estimate, score
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "sunny good", "sunny"] * 20
    >>> one = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> two = Lexicon({"positive": ["good", "fine", "sunny"], "negative": ["bad", "poor"]})
    >>> changes = compare(*(score(texts, estimate(count(texts, lexicon), lexicon)) for lexicon in (one, two)))
    >>> changes
    Changes(120 documents, 20 changed label)
    >>> changes.rows("undecided", "positive")[:3].tolist()
    [5, 11, 17]
    """
    if before.classes != after.classes:
        raise ProblexError(
            f"scores for the labels {', '.join(before.classes)} and for {', '.join(after.classes)} were given, "
            "expected the same labels: compare models whose lists have the same names"
        )
    if len(before.values) != len(after.values):
        raise ProblexError(
            f"scores of {pluralize(len(before.values), 'document')} and of {len(after.values):,} were given, expected "
            "scores of the same documents: score the same texts with both models"
        )
    differences = after.values - before.values
    moves = np.ptp(differences, axis=1) if len(differences) else np.zeros(0)
    return Changes((*before.classes, UNDECIDED), _label_index(before), _label_index(after), moves)


def _label_index(scores: Scores) -> IntArray:
    """The label of each document as `Scores.labels` gives it, as an index; `undecided` is the last.

    >>> values = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 1.0]])
    >>> _label_index(Scores(("a", "b"), values, np.full(3, 4), np.array([1, 1, 0]))).tolist()    # a tie, and no match
    [1, 2, 2]
    """
    if not len(scores.values):
        return np.zeros(0, np.int64)
    index = np.where(scores.undecided, len(scores.classes), scores.values.argmax(axis=1))
    if scores.confidence is not None:
        index[scores.probabilities.max(axis=1) < scores.confidence] = len(scores.classes)
    return np.asarray(index, dtype=np.int64)
