"""Linear regression of the true labels, which only a few documents have: `regress`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from scipy.special import log_softmax

from problex._util.arrays import FloatArray, IntArray
from problex._util.formatting import join_with_or, pluralize, quote_all
from problex._util.packages import import_optional
from problex.errors import DocumentWarning, ProblexError, opt, warn_caller
from problex.shares.outcomes import PREFIX, Outcomes
from problex.shares.sheet_labels import SheetLabels, Sheets

if TYPE_CHECKING:
    import pandas as pd

MIN_PROBABILITY = 5e-5
"""Probabilities are clipped to this; predictions have four decimals."""


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
    place = {row: at for at, row in enumerate(rows.tolist())}
    present = np.array([row in place for row in sample.rows.tolist()])
    if not present.any():
        raise ProblexError("none of the labelled documents is in the frame, expected the texts that the sheets are of")
    known = values[[place[row] for row in sample.rows[present].tolist()]]
    weights = 1.0 / sample.probabilities[present]
    outcomes = Outcomes.learn(sample.rows[present], known, sample.codes[present], weights).of(
        rows, np.asarray(log_softmax(values, axis=1))
    )
    if "tokens" in table:
        outcomes[table["tokens"].to_numpy() == 0] = np.nan
    return outcomes
