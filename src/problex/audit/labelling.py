"""Labels one by one: an order in which one may stop anywhere, and how wide the interval of the accuracy is so far."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from problex._util.arrays import IntArray
from problex.audit.intervals import joint_estimates, share_estimates
from problex.audit.labelled import LabelledSample, class_codes
from problex.audit.results import prediction_groups, sample_weights
from problex.audit.sample import AuditSample
from problex.audit.thresholds import LabelledTexts
from problex.errors import ProblexError
from problex.scoring.scores import Scores


def labelling_order(sample: AuditSample, seed: int = 0) -> IntArray:
    """An order of the documents of a sample in which the first k are a fair sample themselves, for every k.

    The i-th of n documents of a stratum, in random order, has its place at (i + U) / n of the way, with U uniform
    between 0 and 1. So each stratum has the same share of every beginning as of the whole, up to one or two documents,
    and where the next document comes from cannot be foreseen, as it could if the strata took strict turns.

    >>> from problex.audit.sample import Stratum
    >>> strata = (Stratum("no", 0.0, 90), Stratum("yes", 0.0, 30))
    >>> sample = AuditSample(("no", "yes"), strata, np.arange(40), np.arange(40) % 4 // 3, np.zeros((40, 2)))
    >>> order = labelling_order(sample)
    >>> [np.bincount(sample.stratum[order][:number], minlength=2).tolist() for number in (8, 20, 40)]
    [[6, 2], [15, 5], [30, 10]]
    """
    random = np.random.default_rng([seed, len(sample.rows)])
    places = np.empty(len(sample.rows))
    for stratum in np.unique(sample.stratum):
        own = random.permutation(np.flatnonzero(sample.stratum == stratum))
        places[own] = (np.arange(len(own)) + random.random(len(own))) / len(own)
    return np.asarray(np.argsort(places, kind="stable"), dtype=np.int64)


def running_width(sample: AuditSample, labels: Sequence[str | None], scores: Scores | None = None) -> float | None:
    """Half the width of the 95% interval of the accuracy by the labels so far; None without a label.

    The accuracy itself is left out: who looks at it and stops when it pleases has an interval that covers the truth
    less often. `labels` are in the order of the sample, None for a document without one. `scores` are those of the
    documents of the sample by another model than the one that they were drawn with, for example after an edit.
    """
    if all(label is None for label in labels):
        return None
    codes = class_codes(sample, labels)
    known = codes >= 0
    truth, stratum = codes[known], sample.stratum[known]
    if scores is None:
        estimates = share_estimates(sample.classes, prediction_groups(sample, truth, stratum))
    else:
        weights = sample_weights(sample, stratum)
        estimates = joint_estimates(sample.classes, scores.labels()[known], truth, weights)
    accuracy = next(one for one in estimates if one.measure == "accuracy")
    return (accuracy.high - accuracy.low) / 2


def labelled_texts(sample: AuditSample, labels: Sequence[str | None], texts: Sequence[str]) -> LabelledTexts:
    """The labelled texts of a sample, for `with_labels`; texts and labels are in the order of the sample."""
    if len(texts) != len(sample.rows):
        raise ProblexError(f"{len(texts)} texts were given for a sample of {len(sample.rows)}, expected one for each")
    labelled = LabelledSample.of(sample, class_codes(sample, labels))
    known = [text for text, label in zip(texts, labels, strict=True) if label is not None]
    return LabelledTexts(known, labelled.codes, 1.0 / labelled.probabilities, bool(labelled.by))
