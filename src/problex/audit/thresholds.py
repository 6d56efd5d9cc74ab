"""Threshold and probabilities from a few labels, with the label-free ones as the prior that the labels move.

The log-odds of a document are b f(N) (sums + capped offsets): the slope b and the offsets are fitted to the labels.
With the label-free offsets o, the new ones are o + s / b. The shift s, in log-odds, has a Cauchy prior around zero, and
log b a normal one: a shift that the labels do not clearly ask for stays near zero, and one that they ask for is hardly
held back. Documents were drawn by their scores, so that labels need no weights; by groups they do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa

from problex._util._rows import winners
from problex._util.arrays import TIE, FloatArray, IntArray, log_softmax
from problex.errors import ProblexError
from problex.evaluation.metrics import correctness
from problex.model.calibration import AUDIT_LABELS, Calibration
from problex.model.model import Model
from problex.scoring.scorer import Scorer, make_scorer

SHIFT_SCALE = 0.15
"""Scale of the Cauchy prior of the shift between two labels, in log-odds. Among scales from .15 to .4, normal priors
from .3 to 1.5 and mixtures of two normal ones, on 33 corpora with real labels, it cost the least where the label-free
threshold was right (.005 at 40 labels on the worst corpus), and gained hardly less than the others elsewhere."""
SLOPE_DEVIATION = 0.4
"""Standard deviation of the normal prior of the logarithm of the slope."""
WIDE_DEVIATION = 3.0
"""That of the shift in the search for a start: nearly the one that fits the labels best."""
MAX_SHIFT, MAX_LOG_SLOPE = 20.0, 3.0
FOLDS = 10
Prior = Callable[[FloatArray], tuple[float, FloatArray]]
"""From shifts to minus the log of their prior, and its gradient."""


@dataclass(frozen=True, eq=False)
class LabelledScores:
    """Documents with a label, before threshold and prior: one row each.

    `sums` (documents x classes) are the label-free scores without offsets; `evidence` limits the offsets, whose
    span is at most half of it; `factor` is what scores are multiplied by to be log-odds; `codes` are the classes.
    `weights` have the mean one; `log_prior` is that of a given prior, else zero.
    """

    sums: FloatArray
    evidence: FloatArray
    factor: FloatArray
    codes: IntArray
    weights: FloatArray
    log_prior: FloatArray

    def part(self, rows: IntArray) -> LabelledScores:
        """Some of the documents."""
        per_document = ("sums", "evidence", "factor", "codes", "weights")
        return replace(self, **{name: getattr(self, name)[rows] for name in per_document})

    def shares(self, offsets: FloatArray) -> FloatArray:
        """The part of the offsets that the evidence of each document allows.

        >>> two = np.zeros((2, 2))
        >>> scores = LabelledScores(two, np.array([1.0, 9.0]), np.ones(2), np.zeros(2, int), np.ones(2), np.zeros(2))
        >>> scores.shares(np.array([-1.0, 1.0])).tolist()                 # 1 / (2 * 2), since the span is 2
        [0.25, 1.0]
        """
        span = float(offsets.max() - offsets.min())
        return np.minimum(1.0, self.evidence / (2.0 * span)) if span else np.ones(len(self.evidence))

    def log_odds(self, offsets: FloatArray, slope: float = 1.0) -> FloatArray:
        """The log-odds of each class, up to a constant for each document.

        >>> scores = LabelledScores.of_log_odds(np.array([[0.0, 3.0]]), np.array([1]), np.ones(1))
        >>> scores.log_odds(np.array([1.0, -1.0]), slope=2.0).tolist()      # 2 * (0 + 1) and 2 * (3 - 1)
        [[2.0, 4.0]]
        """
        values = self.sums + self.shares(offsets)[:, None] * offsets
        return np.asarray(slope * self.factor[:, None] * values + self.log_prior, dtype=np.float64)

    def correctness(self, log_odds: FloatArray) -> FloatArray:
        """How right the labels are that these log-odds give; without evidence a document is undecided.

        >>> two, ones = np.zeros((2, 2)), np.ones(2)
        >>> scores = LabelledScores(two, np.array([5.0, 0.0]), ones, np.array([1, 1]), ones, np.zeros(2))
        >>> scores.correctness(np.array([[0.0, 1.0], [0.0, 1.0]])).tolist()
        [1.0, 0.5]
        """
        predictions = winners(log_odds, (self.evidence > 0).astype(np.int64), TIE)
        return correctness(predictions, self.codes, log_odds.shape[1])

    @classmethod
    def of_log_odds(cls, values: FloatArray, codes: IntArray, weights: FloatArray) -> LabelledScores:
        """Documents of which only the label-free log-odds are known: their evidence limits nothing."""
        number, classes = values.shape
        return cls(values, np.full(number, np.inf), np.ones(number), codes, weights, np.zeros(classes))


def fit_labels(labelled: LabelledScores, offsets: FloatArray) -> tuple[float, FloatArray]:
    """The slope and the offsets that the labels suggest, given the label-free offsets and the slope 1.

    It is the maximum a posteriori. The Cauchy prior can have two maxima, near zero and near what fits the labels best:
    the search starts at both. Without labels nothing changes.

    >>> sums = np.repeat([[0.0, -1.0], [0.0, 1.0]], 20, axis=0)
    >>> codes = np.ones(40, dtype=np.int64)                             # all are of the second class
    >>> documents = LabelledScores(sums, np.full(40, 6.0), np.ones(40), codes, np.ones(40), np.zeros(2))
    >>> fit_labels(documents, np.zeros(2))[1].round(1).tolist()         # as far as evidence of 6 allows
    [-1.5, 1.5]
    """
    from scipy.optimize import minimize  # takes a fifth of a second to import

    number, classes = labelled.sums.shape
    if len(labelled.codes) != number:
        raise ProblexError(f"{len(labelled.codes)} labels were given for {number} documents, expected one for each")
    if not number:
        return 1.0, offsets
    limits = [(-MAX_LOG_SLOPE, MAX_LOG_SLOPE), *[(-MAX_SHIFT, MAX_SHIFT)] * classes]

    def search(start: FloatArray, prior: Prior) -> tuple[float, FloatArray]:
        # L-BFGS-B is as good, but takes ten times as long: it starts threads for tiny matrices
        arguments = (labelled, offsets, prior)
        result = minimize(_loss, start, arguments, method="SLSQP", jac=True, bounds=limits, tol=1e-10)
        return float(result.fun), np.asarray(result.x)

    nothing = np.zeros(1 + classes)
    wide = search(nothing, wide_prior)[1]
    _, best = min((search(start, cauchy_prior) for start in (nothing, wide)), key=lambda result: result[0])
    slope, shift = float(np.exp(best[0])), best[1:] - best[1:].mean()
    return slope, offsets + shift / slope


def cross_validated(labelled: LabelledScores, offsets: FloatArray) -> FloatArray:
    """The log-odds of each document after labels have moved them: those of the nine parts of ten that it is not in."""
    fold = np.random.default_rng(0).permutation(len(labelled.codes)) % FOLDS
    values = np.empty(labelled.sums.shape)
    for at in np.unique(fold):
        slope, moved = fit_labels(labelled.part(np.flatnonzero(fold != at)), offsets)
        values[fold == at] = labelled.part(np.flatnonzero(fold == at)).log_odds(moved, slope)
    return values


def log_losses(values: FloatArray, codes: IntArray) -> FloatArray:
    """Minus the logarithm of the probability of the true class of each document, which is at least 1e-15.

    >>> log_losses(np.array([[0.0, 0.0], [0.0, 50.0]]), np.array([0, 0])).round(3).tolist()
    [0.693, 34.539]
    """
    return np.asarray(np.minimum(-log_softmax(values)[np.arange(len(codes)), codes], -np.log(1e-15)), dtype=np.float64)


def _loss(
    parameters: FloatArray, labelled: LabelledScores, offsets: FloatArray, prior: Prior
) -> tuple[float, FloatArray]:
    """Minus the log posterior of log slope and shifts, and its gradient."""
    slope, shift = float(np.exp(parameters[0])), parameters[1:]
    moved, factor = offsets + shift / slope, labelled.factor
    logs = log_softmax(labelled.log_odds(moved, slope))
    wrong = labelled.weights[:, None] * (np.exp(logs) - np.eye(len(offsets))[labelled.codes])
    share = labelled.shares(moved)
    by_offset = slope * (factor * share) @ wrong
    if limited := float(np.sum((slope * factor * share * (wrong @ moved))[share < 1.0])):
        span = float(moved.max() - moved.min())  # the share of the offsets falls as their span grows
        by_offset[moved.argmax()] -= limited / span
        by_offset[moved.argmin()] += limited / span
    values = labelled.sums + share[:, None] * moved
    by_slope = slope * float(factor @ np.sum(wrong * values, axis=1)) - float(by_offset @ shift) / slope
    # The priors of shift and slope.
    penalty, by_shift = prior(shift)
    deviation = parameters[0] / SLOPE_DEVIATION**2
    loss = -float(labelled.weights @ logs[np.arange(len(logs)), labelled.codes])
    gradient = np.concatenate([[by_slope + deviation], by_offset / slope + by_shift])
    return loss + penalty + 0.5 * deviation * parameters[0], gradient


def _contrasts(classes: int) -> FloatArray:
    """What of the shifts has a prior: for two classes their difference, for more each less their mean.

    >>> _contrasts(2).tolist(), (_contrasts(4) @ [4.0, 0.0, 0.0, 0.0]).tolist()
    ([[-1.0, 1.0]], [3.0, -1.0, -1.0, -1.0])
    """
    return np.array([[-1.0, 1.0]]) if classes == 2 else np.eye(classes) - 1.0 / classes


def cauchy_prior(shift: FloatArray) -> tuple[float, FloatArray]:
    """Minus the log of the Cauchy prior of shifts, and its gradient.

    >>> round(cauchy_prior(np.array([0.0, SHIFT_SCALE]))[0], 4)         # log(1 + 1)
    0.6931
    """
    contrasts = _contrasts(len(shift))
    scaled = contrasts @ shift / SHIFT_SCALE
    gradient = contrasts.T @ (2.0 * scaled / (1.0 + scaled**2)) / SHIFT_SCALE
    return float(np.sum(np.log1p(scaled**2))), np.asarray(gradient)


def wide_prior(shift: FloatArray) -> tuple[float, FloatArray]:
    """Minus the log of a wide normal prior of shifts, and its gradient.

    >>> wide_prior(np.array([1.0, 1.0 + WIDE_DEVIATION]))[0], wide_prior(np.array([2.0, 2.0]))[0]
    (0.5, 0.0)
    """
    contrasts = _contrasts(len(shift))
    scaled = contrasts @ shift / WIDE_DEVIATION
    return 0.5 * float(scaled @ scaled), np.asarray(contrasts.T @ scaled / WIDE_DEVIATION)


@dataclass(frozen=True, eq=False)
class LabelledTexts:
    """Texts with the position of their label in the classes, and the number of documents that each represents.

    `by_group` is whether they were drawn by groups: then they count by these numbers in the fit, too.
    """

    texts: Sequence[str]
    codes: IntArray
    weights: FloatArray
    by_group: bool = False


def with_labels(model: Model, labelled: LabelledTexts) -> Model:
    """The model with threshold and probabilities moved by labels, as far as they carry, from the label-free ones.

    Labels that were stored before are forgotten: give all at once.
    """
    plain = model.label_free
    scorer = _scorer(plain)
    return replace(plain, calibration=_calibrate(plain.calibration, _scores(scorer, labelled), scorer.offsets))


def _calibrate(calibration: Calibration, scores: LabelledScores, offsets: FloatArray) -> Calibration:
    """The label-free calibration after the labels have moved it."""
    slope, moved = fit_labels(scores, offsets)
    centred = (moved - moved.mean()) / calibration.sharpness
    new = replace(
        calibration,
        sharpness=slope * calibration.sharpness,
        source=AUDIT_LABELS,
        labels=len(scores.codes),
        before=calibration,
    )
    if len(moved) == 2:
        return replace(new, threshold=float(centred[0] - centred[1]))
    return replace(new, intercepts=tuple(centred.tolist()))


@dataclass(frozen=True)
class LabelEffect:
    """Accuracy and log loss with the label-free threshold, and with that of the labels of other documents."""

    accuracy: tuple[float, float]
    log_loss: tuple[float, float]


def effect_of_labels(model: Model, labelled: LabelledTexts) -> LabelEffect:
    """What labels do to accuracy and log loss, by cross-validation; documents count by their weights."""
    scorer = _scorer(model.label_free)
    scores = _scores(scorer, labelled)
    both = scores.log_odds(scorer.offsets), cross_validated(scores, scorer.offsets)
    mean = partial(np.average, weights=labelled.weights)
    right = [float(mean(scores.correctness(values))) for values in both]
    losses = [float(mean(log_losses(values, scores.codes))) for values in both]
    return LabelEffect((right[0], right[1]), (losses[0], losses[1]))


def _scorer(model: Model) -> Scorer:
    """The scorer of a model, with the evidence of each document also where no threshold needs it yet."""
    return replace(make_scorer(model), has_cap=True)


def _scores(scorer: Scorer, labelled: LabelledTexts) -> LabelledScores:
    """The sums over the words of the texts, before threshold and prior."""
    texts = pa.array(list(labelled.texts), pa.string())
    rows = scorer.count(texts)
    sums = scorer.add_features(texts, scorer.sums(rows), rows.lengths)
    weights = labelled.weights / labelled.weights.mean() if labelled.by_group else np.ones(len(labelled.codes))
    prior = scorer.log_prior if scorer.has_prior else np.zeros(len(scorer.classes))
    factor = scorer.calibration.length_factor(rows.lengths)
    return LabelledScores(sums.values, sums.evidence, factor, labelled.codes, weights, prior)
