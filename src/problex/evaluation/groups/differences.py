"""Differences of shares between groups without labels: the direction, and at least how large they are.

Without labels the level of a share is unknown: a model may give too many documents one label, in all groups alike. Such
an error cancels in the difference of two groups, if their texts are of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from scipy.special import ndtr, ndtri

from problex._util.arrays import FloatArray
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.evaluation.groups.grid_counts import GridCounts
from problex.evaluation.groups.logit_grid import GRID_PROBABILITIES, class_means

MAX_LENGTH_RATIO = np.exp(0.3)
"""Groups whose texts differ more in length are not compared: `benchmarks/shares.py` has how often it would be wrong."""
MIN_DOCUMENTS = 20
"""Documents of a group that is compared."""
ERRORS = 2.0
"""Standard errors beyond which a difference has a direction, if it is the only one; `critical_value` for several."""
HIGHER, LOWER, UNCLEAR, OTHER_LENGTH, FEW = "higher", "lower", "unclear", "texts of another length", "too few documents"
REASONS = {
    UNCLEAR: ("differs clearly", "does not differ clearly", "do not differ clearly", ""),
    OTHER_LENGTH: ("was compared", "was not compared", "were not compared", ": the texts differ in length"),
    FEW: (
        "was compared",
        "was not compared",
        "were not compared",
        f": a group has fewer than {MIN_DOCUMENTS} documents",
    ),
}
"""Why pairs have no direction: the verb after "none", after one and after several pairs, and the reason."""
MAX_SENTENCES = 3
WITHOUT_LABELS = (
    "these are shares of predicted labels, not of true ones",
    "without labels their error is unknown, and can exceed 30 points",
    "to estimate the true shares: problex audit sample, then shares --audit SHEET",
)
SAME_KIND = (
    "the differences hold for groups whose texts are of the same kind",
    "between different kinds of text, the errors of the model may differ",
)


def share_differences(counts: GridCounts, classes: Sequence[str]) -> list[Record]:
    """A record for each label and pair of groups: whether the first has the higher share, and by how much at least.

    .. math:: \\frac{|\\bar p_g - \\bar p_h| - c\\, SE}{m_1 - m_0}

    with the mean probabilities of the groups, the standard error of their difference, the `critical_value` c of so many
    comparisons, and the mean probabilities of documents with and without the label (`class_means`). Of two labels only
    the second has records, because the differences of the first are the opposite. Groups of documents without a value
    and groups without documents are left out.
    """
    sizes = counts.documents[0].sum(axis=1)
    shown = [at for at, name in enumerate(counts.groups) if sizes[at] and not name.startswith("(")]
    pairs = [(one, other, _obstacle(counts, one, other)) for one, other in combinations(shown, 2)]
    labels = list(enumerate(classes))[1 if len(classes) == 2 else 0 :]
    critical = critical_value(len(labels) * sum(not obstacle for _, _, obstacle in pairs))
    records = []
    for at, label in labels:
        documents = counts.documents[at]
        means, variances = _means_and_variances(documents.astype(np.float64))
        low, high = class_means(documents)
        for one, other, obstacle in pairs:
            error = np.sqrt(variances[one] + variances[other])
            least = (abs(means[one] - means[other]) - critical * error) / max(high - low, 1e-9)
            direction = HIGHER if means[one] > means[other] else LOWER
            direction = obstacle or (direction if least > 0 else UNCLEAR)
            record = {
                "label": label,
                "group": counts.groups[one],
                "direction": direction,
                "other": counts.groups[other],
            }
            known = direction in (HIGHER, LOWER)
            records.append(record | {"at_least": float(min(least, 1.0)) if known else None})
    return records


def critical_value(comparisons: int) -> float:
    """Standard errors beyond which a difference has a direction, by Bonferroni's correction for several comparisons.

    With it, the probability that any of them is called clear by chance is at most that of a single comparison.

    >>> [round(critical_value(number), 2) for number in (1, 6, 30)]
    [2.0, 2.67, 3.17]
    """
    return float(-ndtri(ndtr(-ERRORS) / max(comparisons, 1)))


def _obstacle(counts: GridCounts, one: int, other: int) -> str:
    """Why two groups cannot be compared; "" if they can."""
    if counts.documents[0, [one, other]].sum(axis=1).min() < MIN_DOCUMENTS:
        return FEW
    lengths = counts.log_lengths
    return OTHER_LENGTH if abs(lengths[one] - lengths[other]) > np.log(MAX_LENGTH_RATIO) else ""


def _means_and_variances(documents: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean probability of each group, and its sampling variance."""
    sizes = np.maximum(documents.sum(axis=1), 1)
    means = documents @ GRID_PROBABILITIES / sizes
    squares = np.maximum(documents @ GRID_PROBABILITIES**2 / sizes - means**2, 0.0)
    return np.asarray(means), np.asarray(squares / np.maximum(sizes - 1, 1))


def describe_differences(records: Sequence[Record], most: int = MAX_SENTENCES) -> list[str]:
    """The largest differences in words, and how many pairs of groups differ in no label or could not be compared.

    >>> row = {"label": "good", "group": "a", "direction": "lower", "other": "b", "at_least": 0.125}
    >>> describe_differences([row])
    ['the share of good is higher in b than in a, by at least 12 points']
    >>> describe_differences([row | {"direction": "unclear", "at_least": None}])
    ['the two groups do not differ clearly']
    """
    clear = sorted((row for row in records if row["at_least"] is not None), key=lambda row: -row["at_least"])
    sentences = []
    for row in clear[:most]:
        high, low = (row["group"], row["other"])[:: 1 if row["direction"] == HIGHER else -1]
        points = pluralize(int(100 * row["at_least"]), "point")
        size = f"by at least {points}" if row["at_least"] >= 0.01 else "by how much is not known"
        sentences.append(f"the share of {row['label']} is higher in {high} than in {low}, {size}")
    if len(clear) > most:
        sentences.append(pluralize(len(clear) - most, "more difference is clear", "more differences are clear"))
    directions: dict[tuple[str, str], set[str]] = {}
    for row in records:
        directions.setdefault((row["group"], row["other"]), set()).add(row["direction"])
    numbers = {direction: sum(found == {direction} for found in directions.values()) for direction in REASONS}
    return sentences + [
        _describe_pairs(number, len(directions), *REASONS[at]) for at, number in numbers.items() if number
    ]


def _describe_pairs(number: int, total: int, after_none: str, one: str, several: str, reason: str) -> str:
    """That so many pairs have no direction, and why."""
    if number == total:
        start = f"the two groups {several}" if total == 1 else f"none of the {total:,} pairs of groups {after_none}"
    else:
        start = f"{number:,} of {total:,} pairs of groups {one if number == 1 else several}"
    return start + reason
