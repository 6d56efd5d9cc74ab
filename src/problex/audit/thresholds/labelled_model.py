"""From the labels of an audit to a model whose labels and probabilities follow them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex.audit.thresholds.label_fit import LabelledScores, cross_validated, fit_labels, log_losses
from problex.errors import ModelError
from problex.model.calibration import AUDIT_LABELS, Calibration
from problex.model.model import Model
from problex.scoring.scorer import Scorer, make_scorer


@dataclass(frozen=True, eq=False)
class LabelledTexts:
    """Texts with the place of their label in the classes, and the number of documents that each represents.

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
    plain = _label_free(model)
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
    scorer = _scorer(_label_free(model))
    scores = _scores(scorer, labelled)
    both = scores.log_odds(scorer.offsets), cross_validated(scores, scorer.offsets)
    mean = partial(np.average, weights=labelled.weights)
    right = [float(mean(scores.correctness(values))) for values in both]
    losses = [float(mean(log_losses(values, scores.codes))) for values in both]
    return LabelEffect((right[0], right[1]), (losses[0], losses[1]))


def _label_free(model: Model) -> Model:
    """The model without labels, and with a threshold that is capped by the evidence; raise if it cannot have one."""
    plain = model.label_free
    if plain.calibration.whole and plain.expansion is not None:
        raise ModelError(
            "the model was expanded by an earlier version of problex, whose threshold labels cannot move: fit it "
            "again, and give the same labelled sheets with the new model"
        )
    return replace(plain, calibration=replace(plain.calibration, whole=False))


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
