"""Outcomes for regressions: each document's probabilities, corrected by the labels of an audit.

.. math:: \\tilde y_i = f_i + \\frac{I_i}{\\pi_i} (y_i - f_i)

with the calibrated probability f, the label y, whether there is one I, and the probability pi of being drawn.
Over the draw of the sample the mean of the outcome is the true label, whatever f is, so a linear regression of it
estimates what a regression of the true labels would (Egami et al. 2023; Angelopoulos et al. 2023).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from scipy.special import log_softmax

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import join_with_or, pluralize, quote_all
from problex._util.late import import_optional
from problex.corpus import Batch
from problex.errors import DocumentWarning, ProblexError, opt, warn_caller
from problex.estimation.calibration import fit_platt
from problex.model.calibration import Platt
from problex.model.model import Model
from problex.scoring.scores import Scores
from problex.shares.estimates import SheetLabels, Sheets

if TYPE_CHECKING:
    import pandas as pd


FOLDS = 5
PREFIX = "outcome_"
"""Columns with outcomes are this and the label."""
LINEAR = (
    "use least squares with robust standard errors (HC1), not logit or probit:",
    "an outcome is right on average, but can lie far outside 0 and 1",
)
MIN_PROBABILITY = 5e-5
"""Probabilities are clipped to this; predictions have four decimals."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The labels of an audit, and the calibrations without each of five parts of them.

    `rows` are those of the labelled documents, in order, `codes` their classes, `weights` one over their probabilities
    of being drawn. A labelled document is calibrated without its own label.
    """

    rows: IntArray
    codes: IntArray
    weights: FloatArray
    calibrations: tuple[Platt, ...]

    @classmethod
    def learn(cls, rows: IntArray, values: FloatArray, codes: IntArray, weights: FloatArray) -> Outcomes:
        """Calibrate the scores of the labelled documents; the order of the documents does not matter."""
        order = np.argsort(rows, kind="stable")
        values, codes = values[order], codes[order]
        fold = np.arange(len(rows)) % FOLDS
        calibrations = tuple(fit_platt(values[fold != at], codes[fold != at]) for at in range(FOLDS))
        return cls(rows[order], codes, weights[order], calibrations)

    def of(self, rows: IntArray, values: FloatArray) -> FloatArray:
        """The outcome of each document for each class, from its row and its scores.

        The outcomes of a document add up to one. Those of labelled documents may lie far outside 0 and 1.

        >>> rows, values = np.arange(40), np.tile([[0.0, -1.0], [0.0, 1.0]], (20, 1))
        >>> outcomes = Outcomes.learn(rows, values, np.tile([0, 1], 20), np.full(40, 2.0))
        >>> unlabelled = outcomes.of(np.array([99]), values[:1])
        >>> bool(unlabelled[0, 0] > 0.9), round(float(unlabelled.sum()), 9)
        (True, 1.0)
        """
        positions = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        labelled = self.rows[positions] == rows
        fold = np.where(labelled, positions, rows) % FOLDS
        outcomes = np.empty_like(values, dtype=np.float64)
        for at, calibration in enumerate(self.calibrations):
            outcomes[fold == at] = calibration.probabilities(values[fold == at])
        known = positions[labelled]
        truth = np.eye(values.shape[1])[self.codes[known]]
        outcomes[labelled] += self.weights[known, None] * (truth - outcomes[labelled])
        return outcomes


@dataclass(eq=False)
class SheetOutcomes:
    """The outcomes of the texts that sheets were drawn from, batch by batch."""

    labels: SheetLabels
    outcomes: Outcomes
    empty: int = 0

    @classmethod
    def read(cls, sheets: Sheets, model: Model, *, markup: bool = False) -> SheetOutcomes:
        """The labels of filled sheets; raise if they were drawn with another model."""
        labels = SheetLabels.read(sheets, model, markup=markup)
        sample = labels.sample
        return cls(labels, Outcomes.learn(sample.rows, sample.values, sample.codes, 1.0 / sample.probabilities))

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [f"{PREFIX}{name}" for name in self.labels.sample.classes]

    def of_batch(self, batch: Batch, scores: Scores) -> FloatArray:
        """The outcomes of a batch, a column for each class; NaN for texts without words, which could not be drawn."""
        self.labels.find(batch)
        rows = np.arange(batch.first_row, batch.first_row + len(scores.lengths))
        found = self.outcomes.of(rows, scores.values)
        found[scores.lengths == 0] = np.nan
        self.empty += int((scores.lengths == 0).sum())
        return found

    def notes(self) -> list[str]:
        """Sentences on the columns and on what is missing."""
        sample = self.labels.sample
        notes = [f"{', '.join(self.names)}: from {pluralize(len(sample.rows), 'label')}", *LINEAR]
        if self.empty:
            notes.append(f"no outcome for {pluralize(self.empty, 'text')} without words")
        if sample.unreached:
            notes.append(
                f"{pluralize(sample.unreached, 'document')} could not have been labelled, because the part of the "
                "sample that they belong to has no label: their outcome is the probability of the model"
            )
        return notes


def regress(formula: str, frame: Any, sheets: Sheets, *, text: str = "text", markup: bool = False) -> Any:
    """Regress a label on other columns by least squares with HC1 errors; returns the results of statsmodels.

    `formula` is one of statsmodels whose left side is a label, such as `positive ~ month + C(party)`. `frame` has the
    predictions for all texts that the labelled `sheets` were drawn from (`predict_frame`, or the file of problex
    predict --keep), with the texts in the column `text`, or with the numbers of the documents in the column `row`.

    The outcome of each document is its probability, corrected by its label if it has one (`Outcomes`). Its mean is that
    of the true label, which is what a linear regression needs. Logistic regression is not offered: the outcome can lie
    outside 0 and 1, and corrected logistic regressions diverge if a group has few labels.
    """
    statsmodels = import_optional("statsmodels.formula.api", "regress")
    label, _, right = formula.partition("~")
    table = _pandas(frame).reset_index(drop=True)
    labels = SheetLabels.read(sheets, None, markup=markup)
    classes = labels.sample.classes
    label = label.strip().removeprefix(PREFIX)
    if label not in classes or not right.strip():
        raise ProblexError(
            f"the formula {formula!r} was given, expected a label on the left, such as '{classes[-1]} ~ x': "
            f"{join_with_or(classes)}"
        )
    rows = _rows(table, labels, text)
    outcomes = _outcomes(table, labels, rows)
    name = "outcome" if "outcome" not in table else "_outcome"
    data = table.assign(**{name: outcomes[:, classes.index(label)]})
    result = statsmodels.ols(f"{name} ~ {right}", data=data).fit(cov_type="HC1")
    dropped = len(table) - int(result.nobs)
    if dropped:
        warn_caller(f"{pluralize(dropped, 'document')} left out, because a value is missing", DocumentWarning)
    return result


def _pandas(frame: Any) -> pd.DataFrame:
    """A frame of any library as one of pandas."""
    native = nw.from_native(frame, pass_through=True)
    if not isinstance(native, nw.DataFrame):
        raise ProblexError(
            f"{type(frame).__name__} was given as the frame, expected one of pandas, polars or Arrow with predictions"
        )
    return native.to_pandas()


def _rows(table: pd.DataFrame, labels: SheetLabels, text: str) -> IntArray:
    """The number of each document; raise if the labelled ones cannot be found, or have other texts."""
    if "row" in table:
        rows = table["row"].to_numpy()
    elif text in table:
        rows = np.arange(len(table))
        labels.check_length(len(table))
    else:
        raise ProblexError(
            f"the frame has the columns {quote_all(list(table.columns))}, expected {text!r} with the texts, or 'row' "
            "with the numbers of the documents, to find the labelled ones: add one, or name the texts with "
            f"{opt('text')}"
        )
    if text in table:
        drawn = set(labels.sample.rows.tolist())
        for row, one in zip(rows.tolist(), table[text], strict=True):
            if row in drawn:
                labels.check_text(int(row), str(one))
    return np.asarray(rows, dtype=np.int64)


def _outcomes(table: pd.DataFrame, labels: SheetLabels, rows: IntArray) -> FloatArray:
    """The outcomes of the documents, from the columns of their probabilities; NaN for texts without words."""
    sample = labels.sample
    names = [f"p_{name}" for name in sample.classes]
    missing = [name for name in names if name not in table]
    if missing:
        raise ProblexError(
            f"the frame has no column {missing[0]!r}, expected the predictions of the model that the sheets were drawn "
            "with: make it with predict_frame or problex predict"
        )
    if len(np.unique(rows)) < len(rows):
        raise ProblexError("the column 'row' has a number twice, expected each document once")
    values = np.log(np.maximum(table[names].to_numpy(dtype=np.float64), MIN_PROBABILITY))
    position = {row: at for at, row in enumerate(rows.tolist())}
    present = np.array([row in position for row in sample.rows.tolist()])
    if not present.any():
        raise ProblexError("none of the labelled documents is in the frame, expected the texts that the sheets are of")
    known = values[[position[row] for row in sample.rows[present].tolist()]]
    weights = 1.0 / sample.probabilities[present]
    outcomes = Outcomes.learn(sample.rows[present], known, sample.codes[present], weights).of(
        rows, np.asarray(log_softmax(values, axis=1))
    )
    if "tokens" in table:
        outcomes[table["tokens"].to_numpy() == 0] = np.nan
    return outcomes
