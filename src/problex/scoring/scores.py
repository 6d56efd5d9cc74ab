"""`Scores`: the scores of documents for each label, and the resulting labels and probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from problex._util._rows import winners
from problex._util.arrays import TIE, BoolArray, FloatArray, IntArray, softmax
from problex._util.arrow import number_array, string_array
from problex._util.formatting import pluralize
from problex.counting.copies import describe_copies, smallest_keys
from problex.counting.tables import Rows
from problex.errors import DocumentError, ProblexError, opt
from problex.lexicon.lexicon import RESERVED
from problex.model.calibration import UNCALIBRATED, Calibration, Platt

UNDECIDED = RESERVED


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Scores of documents: a row per document, a column per class.

    `matches` is the number of tokens of each document that favour a class, `confidence` the probability below which
    `labels` leaves a document undecided, `calibration` that of the model, which says what scores of short documents are
    worth. Documents with the same of the `keys` are copies: they have the same words in the same order. `rows` are the
    counts of the scorer's columns, of a batch that was scored with them.
    """

    classes: tuple[str, ...]
    values: FloatArray
    lengths: IntArray
    matches: IntArray
    missing: int = 0
    invalid: int = 0
    platt: Platt | None = None
    confidence: float | None = None
    calibration: Calibration = UNCALIBRATED
    keys: NDArray[np.uint64] | None = None
    rows: Rows | None = None

    @property
    def decision(self) -> FloatArray:
        """For two classes the score of the second minus that of the first; else the scores themselves."""
        return self.values[:, 1] - self.values[:, 0] if len(self.classes) == 2 else self.values

    @property
    def text_keys(self) -> NDArray[np.uint64] | None:
        """The keys of the documents that are not empty."""
        return None if self.keys is None else self.keys[self.lengths > 0]

    def describe_copies(self) -> str:
        """How many documents are copies of others, in words; "" where none are."""
        keys = self.text_keys
        return "" if keys is None else describe_copies(smallest_keys(keys), len(keys))

    @property
    def log_odds(self) -> FloatArray:
        """The scores, of short documents less: in the same order within a document, so that labels are the same."""
        return self.values * self.calibration.length_factor(self.lengths)[:, None]

    @property
    def probabilities(self) -> FloatArray:
        """The softmax of the log-odds, after Platt scaling where labels of an audit were stored."""
        if self.platt is not None:
            return self.platt.probabilities(self.log_odds)
        return softmax(self.values, self.calibration.length_factor(self.lengths))

    @property
    def undecided(self) -> BoolArray:
        """Documents without a token that favours a class, or with a tie for the highest score."""
        return np.asarray(winners(self.values, self.matches, TIE) < 0, dtype=bool)

    def labels(self, undecided: str | None = UNDECIDED, confidence: float | None = None) -> NDArray[np.object_]:
        """The class with the highest score; `undecided` where there is none (None: the first of the highest).

        With a `confidence`, documents whose best class is less probable than that are undecided, too; by default it
        is that of the scores.

        >>> values = np.log([[0.5, 0.5], [0.4, 0.6], [0.1, 0.9]])
        >>> scores = Scores(("down", "up"), values, np.full(3, 4), np.full(3, 1))
        >>> scores.labels().tolist(), scores.labels(confidence=0.8).tolist()
        (['undecided', 'up', 'up'], ['undecided', 'undecided', 'up'])
        >>> scores.labels(undecided=None).tolist()
        ['down', 'up', 'up']
        """
        if confidence is not None and not (0 <= confidence <= 1 and undecided is not None):
            raise ProblexError(
                f"{opt('confidence', confidence)} with undecided={undecided!r} was given, expected a "
                "probability from 0 to 1 and a label for what stays below it"
            )
        confidence = self.confidence if confidence is None else confidence
        best = self.values.argmax(axis=1) if undecided is None else winners(self.values, self.matches, TIE)
        names = _names(self.classes, undecided).take(best)  # the last is for those without a winner
        if confidence is not None and len(self.values):
            names[self.probabilities.max(axis=1) < confidence] = undecided
        return names

    def take(self, rows: IntArray) -> Scores:
        """The scores of some documents, for example of an audit's sample."""
        own = (self.values[rows], self.lengths[rows], self.matches[rows])
        keys = None if self.keys is None else self.keys[rows]
        return replace(self, values=own[0], lengths=own[1], matches=own[2], missing=0, invalid=0, keys=keys, rows=None)

    def table(self, digits: int | None = None) -> pa.Table:
        """The labels, scores, probabilities, tokens and matches as columns; `digits` rounds to so many decimals."""
        columns: dict[str, pa.Array] = {"label": string_array(self.labels().tolist())}
        floats = {"score": self.decision} if len(self.classes) == 2 else {}
        by_class = np.ascontiguousarray(self.probabilities.T)
        floats |= {f"p_{name}": values for name, values in zip(self.classes, by_class, strict=True)}
        for name, values in floats.items():
            columns[name] = number_array(values if digits is None else values.round(digits))
        return pa.table(columns | {"tokens": number_array(self.lengths), "matches": number_array(self.matches)})

    def __repr__(self) -> str:
        decided = int((~self.undecided).sum()) if len(self.values) else 0
        return f"Scores({pluralize(len(self.values), 'document')}, {decided:,} decided; {', '.join(self.classes)})"


@lru_cache(maxsize=64)
def _names(classes: tuple[str, ...], undecided: str | None) -> NDArray[np.object_]:
    return np.array((*classes, undecided), dtype=object)


def join(parts: list[Scores]) -> Scores:
    """The scores of several batches as one."""
    if not parts:
        raise DocumentError("there are no documents to score, expected at least one text")
    if len(parts) == 1:
        return parts[0]
    keys = [part.keys for part in parts if part.keys is not None]
    return Scores(
        parts[0].classes,
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.lengths for part in parts]),
        np.concatenate([part.matches for part in parts]),
        sum(part.missing for part in parts),
        sum(part.invalid for part in parts),
        parts[0].platt,
        calibration=parts[0].calibration,
        keys=np.concatenate(keys) if len(keys) == len(parts) else None,
    )
