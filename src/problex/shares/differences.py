"""Differences of shares between groups without labels: the direction, and at least how large they are.

Without labels the level of a share is unknown: a model may give too many documents one label, in all groups alike. If
it errs equally often in two groups, the shares of the true labels differ in the same direction as those of the
predicted ones, and by no less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import floor, sqrt

import numpy as np
from scipy.special import ndtr, ndtri, stdtr

from problex._util.arrays import FloatArray
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.errors import ProblexError
from problex.shares.grid import ClusterSums, GridCounts, counted_labels

MAX_LENGTH_RATIO = np.exp(0.3)
"""Groups whose texts differ more in length are not compared: the model may err differently in them."""
MIN_DOCUMENTS = 20
"""Documents of a group that is compared."""
ERRORS = 2.0
"""Standard errors beyond which a difference has a direction, if it is the only one; `critical_value` for several."""
HIGHER, LOWER, UNCLEAR = "higher", "lower", "unclear"
OTHER_LENGTH, FEW, FEW_WORDS = "texts of another length", "too few documents", "too few words"
REASONS = {
    UNCLEAR: ("differs clearly", "does not differ clearly", "do not differ clearly", ""),
    OTHER_LENGTH: ("was compared", "was not compared", "were not compared", ": the texts differ in length"),
    FEW: (
        "was compared",
        "was not compared",
        "were not compared",
        f": a group has fewer than {MIN_DOCUMENTS} documents",
    ),
    FEW_WORDS: (
        "was compared",
        "was not compared",
        "were not compared",
        ": too few words of the lists occur to tell a difference from chance",
    ),
}
"""Why pairs have no direction: the verb after "none", after one and after several pairs, and the reason."""
MAX_SENTENCES = 3
WITHOUT_LABELS = (
    "these are shares of predicted labels, not of true ones",
    "without labels their error is unknown, and can exceed 30 points",
    "to estimate the true shares: problex audit sample, then shares --audit SHEET",
)
INDEPENDENCE = (
    "a text and its copies count as one observation",
    "texts of one author are taken to be independent, which they may not be",
)


def share_differences(counts: GridCounts, classes: Sequence[str], leads: FloatArray) -> list[Record]:
    """A record for each label and pair of groups: whether the first has the higher share, and by how much at least.

    A difference is clear if the mean probabilities of the documents differ (`ClusteredMeans`), and the words too
    (`word_excess`), by the `critical_value` c of so many comparisons. Its least size is, with the shares s of predicted
    labels, an undecided one counting 1/K, and the standard error of their difference,

    .. math:: |s_g - s_h| - c\\, SE

    in whole hundredths, rounded down. `leads` are the weights of the words (`Scorer.word_leads`). Of two labels only
    the second has records, because the differences of the first are the opposite. Leftover groups and groups without
    documents are left out.
    """
    if counts.clusters is None:
        raise ProblexError(
            "the documents were counted without what differences need, expected GridCounter(compared=True)"
        )
    sizes = counts.documents[0].sum(axis=1)
    shown = [at for at, name in enumerate(counts.groups) if sizes[at] and name not in counts.leftover]
    pairs = [(one, other, _obstacle(counts, one, other)) for one, other in combinations(shown, 2)]
    labels = counted_labels(len(classes))
    critical = critical_value(len(labels) * sum(not obstacle for _, _, obstacle in pairs))
    words = counts.clusters.words / np.maximum(sizes, 1)[:, None]
    records = []
    for position, at in enumerate(labels):
        test = _Test(*ClusteredMeans.of_label(counts.clusters, position), words, leads[: words.shape[1], at], critical)
        for one, other, obstacle in pairs:
            direction, least = (obstacle, None) if obstacle else test.compare(one, other)
            names: Record = {"label": classes[at], "group": counts.groups[one], "direction": direction}
            records.append(names | {"other": counts.groups[other], "at_least": least})
    return records


@dataclass(frozen=True, eq=False)
class ClusteredMeans:
    """The mean of a number f of documents in each group, where documents of a cluster are not independent.

    With n documents and the sum S of f in cluster c of group g, and n_g documents of the group, `parts` (groups x
    clusters) are

    .. math:: a_c = (S - \\bar f_g n) / n_g

    and their sum of squares times G / (G - 1), with the effective number of clusters G = n_g^2 / sum n^2, is the
    variance of the mean.
    """

    means: FloatArray
    parts: FloatArray
    clusters: FloatArray

    @classmethod
    def of(cls, documents: FloatArray, sums: FloatArray) -> ClusteredMeans:
        """From the numbers of documents and the sums of f (groups x clusters).

        >>> documents = np.array([[1.0, 1.0, 2.0], [2.0, 2.0, 0.0]])
        >>> result = ClusteredMeans.of(documents, np.array([[1.0, 0.0, 2.0], [1.0, 0.0, 0.0]]))
        >>> result.means.tolist(), result.parts[1].tolist(), result.clusters.round(3).tolist()
        ([0.75, 0.25], [0.125, -0.125, 0.0], [2.667, 2.0])
        """
        sizes = np.maximum(documents.sum(axis=1, keepdims=True), 1.0)
        means = sums.sum(axis=1, keepdims=True) / sizes
        squares = np.maximum((documents**2).sum(axis=1), 1.0)
        return cls(means[:, 0], (sums - means * documents) / sizes, sizes[:, 0] ** 2 / squares)

    @classmethod
    def of_label(cls, sums: ClusterSums, label: int) -> tuple[ClusteredMeans, ClusteredMeans]:
        """Of the probability of a counted label, and of the predicted label."""
        documents = sums.documents
        return cls.of(documents, sums.probabilities(label)), cls.of(documents, sums.predictions(label))

    def difference(self, one: int, other: int) -> tuple[float, float, float]:
        """The difference of two means, its standard error, and the degrees of freedom by Welch and Satterthwaite.

        Few heavy clusters leave fewer degrees, by the kurtosis of the parts.

        >>> documents = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
        >>> result = ClusteredMeans.of(documents, np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]))
        >>> result.difference(0, 1)                                         # the root of (.25^2 + .25^2) * 2 / (2 - 1)
        (-0.5, 0.5, 1.0)
        """
        # Clusters that are in both groups make their means vary together.
        a, b = self.parts[one], self.parts[other]
        free = np.maximum(self.clusters[[one, other]] - 1.0, 0.5)
        variances = np.array([a @ a, b @ b]) * self.clusters[[one, other]] / free
        total = float(variances.sum() - 2 * a @ b)
        squares = (a - b) ** 2
        if total <= 0 or not squares.any():
            return float(self.means[one] - self.means[other]), 0.0, 1.0
        # Degrees of freedom: by Welch and Satterthwaite, and no more than the kurtosis of the parts allows.
        degrees = variances.sum() ** 2 / (variances**2 / free).sum()
        degrees = min(degrees, 3 * squares.sum() ** 2 / (squares @ squares) - 2)
        return float(self.means[one] - self.means[other]), sqrt(total), max(1.0, float(degrees))


def word_excess(words: FloatArray, other: FloatArray, leads: FloatArray) -> tuple[float, int]:
    """By how many standard errors words favour the one group over the other, and how many words are in use.

    With the shares r of documents that have a word, and its weight s, d = s (r_g - r_h): the sum of d over the root of
    the sum of squares. A share moves all words of a list, a topic only some.

    >>> word_excess(np.array([0.5, 0.25, 0.5, 0.25]), np.array([0.25, 0.5, 0.25, 0.0]), np.array([1.0, -1.0, 1.0, 1.0]))
    (2.0, 4)
    """
    moves = leads * (words - other)
    in_use = int(np.count_nonzero(leads * (words + other)))
    size = sqrt(moves @ moves)
    return (float(moves.sum()) / size if size else 0.0), in_use


@dataclass(frozen=True, eq=False)
class _Test:
    """The comparison of two groups by one label: documents and words must both differ, in the same direction."""

    probabilities: ClusteredMeans
    predictions: ClusteredMeans
    words: FloatArray
    leads: FloatArray
    critical: float

    def compare(self, one: int, other: int) -> tuple[str, float | None]:
        """The direction, and the least size if there is one."""
        excess, in_use = word_excess(self.words[one], self.words[other], self.leads)
        if in_use <= self.critical**2:  # the sum of n numbers is at most the root of n times that of their squares
            return FEW_WORDS, None
        difference, error, degrees = self.probabilities.difference(one, other)
        sign = 1.0 if difference > 0 else -1.0
        chance = 2 * stdtr(degrees, -abs(difference) / error) if error else 1.0  # as from a single cluster
        if chance >= 2 * ndtr(-self.critical) or sign * excess <= self.critical:
            return UNCLEAR, None
        size, error, _ = self.predictions.difference(one, other)
        least = floor(100 * (sign * size - self.critical * error) + 1e-9)
        return HIGHER if sign > 0 else LOWER, max(least, 0) / 100


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


def describe_differences(records: Sequence[Record], most: int = MAX_SENTENCES) -> list[str]:
    """The largest differences in words, and how many pairs of groups differ in no label or could not be compared.

    >>> row = {"label": "good", "group": "a", "direction": "lower", "other": "b", "at_least": 0.12}
    >>> for sentence in describe_differences([row]):
    ...     print(sentence)
    the share of good is higher in b than in a, by at least 12 points
    this holds if the model errs equally often in both groups
    error rates that differ by 12 points would explain it
    a text and its copies count as one observation
    texts of one author are taken to be independent, which they may not be
    >>> describe_differences([row | {"direction": "unclear", "at_least": None}])
    ['the two groups do not differ clearly']
    """
    clear = sorted((row for row in records if row["at_least"] is not None), key=lambda row: -row["at_least"])
    sentences = []
    for row in clear[:most]:
        high, low = (row["group"], row["other"])[:: 1 if row["direction"] == HIGHER else -1]
        sentences.append(f"the share of {row['label']} is higher in {high} than in {low}, {_size(row['at_least'])}")
    if len(clear) > most:
        sentences.append(pluralize(len(clear) - most, "more difference is clear", "more differences are clear"))
    if clear:
        sentences += [*_conditions([row["at_least"] for row in clear[:most]]), *INDEPENDENCE]
    directions: dict[tuple[str, str], set[str]] = {}
    for row in records:
        directions.setdefault((row["group"], row["other"]), set()).add(row["direction"])
    numbers = {direction: sum(result == {direction} for result in directions.values()) for direction in REASONS}
    return sentences + [
        _describe_pairs(number, len(directions), *REASONS[at]) for at, number in numbers.items() if number
    ]


def _size(least: float) -> str:
    """The least size of a difference, in words.

    >>> _size(0.12), _size(0.01), _size(0.0)
    ('by at least 12 points', 'by at least 1 point', 'by how much is not known')
    """
    return f"by at least {pluralize(round(100 * least), 'point')}" if least else "by how much is not known"


def _conditions(sizes: Sequence[float]) -> list[str]:
    """Under which condition differences of these least sizes hold.

    >>> _conditions([0.12])[1], len(_conditions([0.0]))                 # without a size, only the first sentence
    ('error rates that differ by 12 points would explain it', 1)
    """
    one = len(sizes) == 1
    sentences = [f"{'this holds' if one else 'each holds'} if the model errs equally often in both groups"]
    if any(sizes):
        points = pluralize(round(100 * sizes[0]), "point") if one else "as many points"
        sentences.append(f"error rates that differ by {points} would explain it")
    return sentences


def _describe_pairs(number: int, total: int, after_none: str, one: str, several: str, reason: str) -> str:
    """That so many pairs have no direction, and why.

    >>> _describe_pairs(3, 3, *REASONS[OTHER_LENGTH])
    'none of the 3 pairs of groups was compared: the texts differ in length'
    >>> _describe_pairs(1, 3, *REASONS[UNCLEAR]), _describe_pairs(1, 1, *REASONS[UNCLEAR])
    ('1 of 3 pairs of groups does not differ clearly', 'the two groups do not differ clearly')
    """
    if number == total:
        start = f"the two groups {several}" if total == 1 else f"none of the {total:,} pairs of groups {after_none}"
    else:
        start = f"{number:,} of {total:,} pairs of groups {one if number == 1 else several}"
    return start + reason
