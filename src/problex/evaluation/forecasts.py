"""The accuracy expected from a model alone, by length of the text, and effective counts of repeated words.

The paper finds that real accuracy is lower, especially for long texts, because words are not independent.
Show it with `WARNING`, and together with an estimate from a few labelled documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from problex._util.arrays import FloatArray
from problex._util.records import Record
from problex.errors import ProblexError
from problex.matching.negation import NEGATED
from problex.model.model import Model
from problex.model.rules import RULES, log_rising
from problex.scoring.scorer import make_scorer

WARNING = (
    "The forecast assumes that words are independent given the label. Real accuracy is usually lower, especially for "
    "long texts. To measure it, label a few dozen documents (problex audit)."
)
MAX_LENGTHS = 40
"""Different lengths of documents above which the forecast of a corpus is interpolated between this many."""
EXAMPLE_BASE_RATE, EXAMPLE_PREDICTIVENESS = 1e-3, 0.5
LIMIT = 9.0
"""Standard deviations of the own score that the integral covers."""
GRID = (-LIMIT, -4.0, -2.0, 0.0, 2.0, 4.0, LIMIT)
"""Limits of panels in addition to those where another label has a step, for more than two labels."""
NODES, MIN_NODES = 128, 12
"""Nodes of the own score in all, and at least in each panel."""
FACTOR_NODES = 6
"""Nodes of the factor; it has little variance, because a list covers a small share of the tokens."""
MAX_LABELS = 12
"""More labels have as many panels as this, and a series in place of the factor, so that the time grows less."""
ORDERS = ("most frequent first", "heaviest first")
WEIGHTED, COUNTING = "learned weights", "counting"
STEPS = 24


@dataclass(frozen=True)
class Forecast:
    """Expected accuracy at each length, under words drawn independently and under burstiness (the DCM)."""

    lengths: tuple[int, ...]
    multinomial: tuple[float, ...]
    dcm: tuple[float, ...]
    warning: str = WARNING

    def records(self) -> list[dict[str, float]]:
        """A record per length."""
        rows = zip(self.lengths, self.multinomial, self.dcm, strict=True)
        return [{"tokens": n, "multinomial": round(m, 4), "dcm": round(d, 4)} for n, m, d in rows]


def accuracy_bound(length: float, predictiveness: float, coverage: float, concentration: float = float("inf")) -> float:
    """The paper's bound for counting: every word with the same predictiveness, each list with the same coverage.

    .. math:: \\Phi\\left(\\gamma \\sqrt{2 N s_\\mu}\\right)

    With a concentration, the variance is that of the Dirichlet compound multinomial.

    >>> round(accuracy_bound(100, 0.3, 0.04), 4), round(accuracy_bound(100, 0.3, 0.04, concentration=50), 4)
    (0.8019, 0.6896)
    >>> accuracy_bound(100, 0.0, 0.04), accuracy_bound(0, 0.3, 0.04)
    (0.5, 0.5)
    """
    if not (length >= 0 and 0 <= predictiveness <= 1 and 0 <= coverage <= 0.5 and concentration > 0):
        raise ProblexError(
            f"length={length}, predictiveness={predictiveness}, coverage={coverage}, concentration={concentration} was "
            "given, expected a length of 0 or more, a predictiveness from 0 to 1, the coverage of one list from 0 to "
            "0.5 and a positive concentration"
        )
    return float(ndtr(predictiveness * np.sqrt(2.0 * length * coverage / _inflation(np.array(length), concentration))))


def forecast(model: Model, lengths: Iterable[int] = (10, 20, 50, 100, 200, 500, 1000)) -> Forecast:
    """Expected accuracy of a model's decisions for documents of given lengths, averaged over the labels.

    It assumes what the model was estimated under: labels as frequent as the shares of the lists, own words
    (1 + gamma (1 - pi) / pi) times as frequent as on average, others (1 - gamma) times. The scores are then about
    normal: that of list a has the mean N m_a, m_a = sum_i theta_i w_i over its entries, and the variance
    N (sum_i theta_i w_i^2 - m_a^2); those of lists a and b have the covariance -N m_a m_b. Under the DCM variances and
    covariances are multiplied by (N + tau) / (1 + tau).

    Documents without a weighted word, a share q, are undecided and count 1 / K; the others have as many weighted words
    as documents of N / (1 - q) tokens have on average.
    """
    sizes = tuple(int(length) for length in lengths)
    if any(size < 1 for size in sizes):
        raise ProblexError(f"document lengths {list(sizes)} were given, expected 1 or more each")
    if any(size >= 1 << 53 for size in sizes):
        raise ProblexError(f"a document length of {max(sizes)} was given, expected less than 2^53")
    n = np.array(sizes, dtype=np.float64)
    scorer = make_scorer(model, model.settings.rule)  # that of the lexicon, also of an expanded model
    offsets = scorer.constants(np.array(sizes)) / scorer.factors(np.array(sizes))[:, None]
    accuracies = np.zeros((2, len(n)))
    for label, share in enumerate(model.shares):
        means, squares = score_moments(model, label)
        for at, tau in enumerate((float("inf"), model.evidence.concentration)):
            undecided = _without_weighted_word(model, label, n, tau)
            size = n / np.maximum(1.0 - undecided, np.finfo(float).eps)
            centres = (size[:, None] * means + offsets) / np.sqrt(size * _inflation(n, tau))[:, None]
            right = probability_of_highest(label, centres, means, squares)
            accuracies[at] += share * (undecided / len(model.classes) + (1.0 - undecided) * right)
    return Forecast(sizes, tuple(accuracies[0].tolist()), tuple(accuracies[1].tolist()))


def corpus_forecast(model: Model, lengths: Mapping[int, int] | Iterable[int]) -> tuple[float, float]:
    """Expected accuracy over the documents of a corpus (multinomial, dcm): the average over their lengths.

    `lengths` are the lengths of all documents, or the number of documents of each length. Documents without a token
    are left out, as in an audit.
    """
    documents = {size: number for size, number in Counter(lengths).items() if size > 0}
    if not documents:
        raise ProblexError("no document has a word, expected at least one document with words")
    sizes = np.array(sorted(documents), dtype=np.int64)
    shares = np.array([documents[size] for size in sizes.tolist()]) / sum(documents.values())
    if len(sizes) <= MAX_LENGTHS:
        accuracy = forecast(model, sizes.tolist())
        return float(shares @ np.array(accuracy.multinomial)), float(shares @ np.array(accuracy.dcm))
    from scipy.interpolate import PchipInterpolator

    some = np.unique(np.geomspace(sizes[0], sizes[-1], MAX_LENGTHS).round().astype(np.int64))
    accuracy = forecast(model, some.tolist())
    curves = (PchipInterpolator(np.log(some), values) for values in (accuracy.multinomial, accuracy.dcm))
    multinomial, dcm = (float(shares @ curve(np.log(sizes))) for curve in curves)
    return multinomial, dcm


def _without_weighted_word(model: Model, label: int, length: FloatArray, tau: float) -> FloatArray:
    """The share of documents of `label` and these lengths that have no word with a weight."""
    other = max(1.0 - float(_rates(model, label)[_weights(model) != 0].sum()), 0.0)
    if not np.isfinite(tau):
        return np.asarray(other**length, dtype=np.float64)
    logarithm = log_rising(np.full(len(length), tau * other), length) - log_rising(np.full(len(length), tau), length)
    return np.exp(logarithm)


def score_moments(model: Model, label: int) -> tuple[FloatArray, FloatArray]:
    """Means and mean squares, per token, of what the words of each list add to its score, in documents of `label`."""
    rates, weights, lists = _rates(model, label), _weights(model), len(model.classes)
    index = model.evidence.list_index
    means = np.bincount(index, weights=rates * weights, minlength=lists).astype(np.float64)
    squares = np.bincount(index, weights=rates * weights**2, minlength=lists).astype(np.float64)
    return means, squares


def _rates(model: Model, label: int) -> FloatArray:
    """The share of each entry in the tokens of documents of `label`."""
    own = model.evidence.list_index == label
    share = model.shares[model.evidence.list_index]
    lift = np.where(own, 1.0 + model.predictiveness * (1.0 - share) / share, 1.0 - model.predictiveness)
    return np.asarray(lift * model.evidence.base_rates, dtype=np.float64)


def _weights(model: Model) -> FloatArray:
    """What one occurrence of each entry adds to its own label, under the model's rule."""
    rule = RULES[model.settings.rule]
    if rule.all_words:
        name = model.settings.rule
        raise ProblexError(f"the accuracy of the rule {name!r} cannot be forecast, expected a model with another rule")
    return rule.entry_weights(model.entry_weights)


def _inflation(length: FloatArray | float, tau: float) -> FloatArray:
    """The factor (N + tau) / (1 + tau) by which burstiness multiplies the variance of a document's counts.

    >>> _inflation(np.array([1.0, 100.0]), 49.0).tolist(), _inflation(np.array([100.0]), float("inf")).tolist()
    ([1.0, 2.98], [1.0])
    """
    size = np.asarray(length, dtype=np.float64)
    return (np.maximum(size, 1.0) + tau) / (1.0 + tau) if np.isfinite(tau) else np.ones_like(size)


def effective_counts(concentrations: Iterable[float]) -> list[dict[str, float]]:
    """How many single occurrences 0 to 10 repeats of a word are worth, at each concentration: the paper's figure.

    The word has the base rate .001 and the predictiveness .5.

    >>> rows = effective_counts([1.0, float("inf")])
    >>> [round(row["effective_count"], 2) for row in rows if row["count"] == 10]
    [1.0, 10.0]
    """
    counts = np.arange(11)
    one = np.log1p(EXAMPLE_PREDICTIVENESS) - np.log1p(-EXAMPLE_PREDICTIVENESS)
    rows: list[dict[str, float]] = []
    for tau in concentrations:
        if np.isfinite(tau):
            high = np.full(len(counts), tau * EXAMPLE_BASE_RATE * (1 + EXAMPLE_PREDICTIVENESS))
            low = np.full(len(counts), tau * EXAMPLE_BASE_RATE * (1 - EXAMPLE_PREDICTIVENESS))
            effective = (log_rising(high, counts) - log_rising(low, counts)) / one
        else:
            effective = counts.astype(np.float64)
        pairs = zip(counts.tolist(), effective.tolist(), strict=True)
        rows += [{"concentration": tau, "count": x, "effective_count": value} for x, value in pairs]
    return rows


def probability_of_highest(own: int, centres: FloatArray, means: FloatArray, squares: FloatArray) -> FloatArray:
    """The probability that the score `own` is the highest, for each row of `centres` (documents x labels).

    The scores of a row are normal around its centres with the covariances diag(squares) - means means^T. A label
    whose list has no weight always has its centre as score; a tie is not the highest score.

    >>> two = np.array([[1.0, 0.0], [0.0, 0.0]])
    >>> probability_of_highest(0, two, np.zeros(2), np.array([1.0, 0.0])).round(4).tolist()
    [0.8413, 0.5]
    """
    others = np.arange(len(means)) != own
    variance = squares[own] - means[own] ** 2
    if variance <= 0:
        return _all_below(centres[:, [own]], centres[:, None, others], means[others], squares[others])[:, 0]
    deviation = np.sqrt(variance)
    # Integrate over the own score; the others are below it with a probability that depends on it.
    z, weights = _panels((centres[:, others] - centres[:, [own]]) / deviation)
    shift = -means[own] * means[others] / deviation
    given = centres[:, None, others] + shift * z[:, :, None]
    residual_means = means[others] * np.sqrt(squares[own] / variance)
    below = _all_below(centres[:, [own]] + deviation * z, given, residual_means, squares[others])
    density = np.exp(-0.5 * z**2) / np.sqrt(2.0 * np.pi)
    probability: FloatArray = np.clip(np.sum(weights * density * below, axis=1), 0.0, 1.0)
    return probability


@lru_cache
def _gauss(number: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Legendre on [-1, 1]: an eigenvalue problem, solved once for each number.

    >>> [part.round(4).tolist() for part in _gauss(2)]                  # the roots of 1/3
    [[-0.5774, 0.5774], [1.0, 1.0]]
    """
    nodes, weights = np.polynomial.legendre.leggauss(number)
    return nodes, weights


@lru_cache
def _hermite(number: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Hermite for a standard normal variable, solved once for each number."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(number)
    return nodes, weights


def _panels(breaks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Legendre between the breaks of each row: a rare list has a step there."""
    edges = np.sort(np.clip(breaks, -LIMIT, LIMIT), axis=1)
    if edges.shape[1] > MAX_LABELS:
        edges = edges[:, np.linspace(0, edges.shape[1] - 1, MAX_LABELS).round().astype(np.int64)]
    ends = np.array([-LIMIT, LIMIT] if edges.shape[1] == 1 else GRID)
    edges = np.sort(np.concatenate([edges, np.tile(ends, (len(edges), 1))], axis=1), axis=1)
    nodes, weights = _gauss(max(MIN_NODES, NODES // (edges.shape[1] - 1)))
    half = np.diff(edges, axis=1)[:, :, None] / 2.0
    centre = (edges[:, 1:, None] + edges[:, :-1, None]) / 2.0
    return (centre + half * nodes).reshape(len(edges), -1), (half * weights).reshape(len(edges), -1)


def _all_below(limits: FloatArray, centres: FloatArray, means: FloatArray, squares: FloatArray) -> FloatArray:
    """The probability that the other scores are below each limit (rows x nodes), by the factor with weight -means.

    >>> _all_below(np.zeros((1, 1)), np.zeros((1, 1, 2)), np.zeros(2), np.ones(2)).round(4).tolist()    # 1/2 of 1/2
    [[0.25]]
    """
    distance = limits[:, :, None] - centres
    weighted = squares > 0
    spread = np.sqrt(squares[weighted])
    arguments, loadings = distance[:, :, weighted] / spread, means[weighted] / spread
    above_silent = np.all(distance[:, :, ~weighted] > 0, axis=2)
    if len(means) > MAX_LABELS:
        return np.asarray(_by_series(arguments, loadings) * above_silent, dtype=np.float64)
    nodes, weights = _hermite(FACTOR_NODES)
    below = np.zeros(limits.shape)
    for node, weight in zip(nodes, weights, strict=True):
        if node > 0:  # the nodes below zero have the conjugate values
            below += 2.0 * weight * np.prod(ndtr(arguments + 1j * node * loadings), axis=2).real
    return np.asarray(below / weights.sum() * above_silent, dtype=np.float64)


def _by_series(arguments: FloatArray, loadings: FloatArray) -> FloatArray:
    """The mean of the product of Phi(x_j + i l_j X) over a standard normal X, to the second order in l.

    With F the product at X = 0, it is F - F'' / 2, where F'' / F = (sum l r)^2 - sum l^2 r (x + r) and
    r = phi(x) / Phi(x).
    """
    logarithms = log_ndtr(arguments)
    ratios = np.exp(-0.5 * arguments**2 - logarithms) / np.sqrt(2.0 * np.pi)
    curvature = (ratios @ loadings) ** 2 - (ratios * (arguments + ratios)) @ loadings**2
    return np.asarray(np.exp(logarithms.sum(axis=2) - curvature / 2.0), dtype=np.float64)


def size_forecast(model: Model, length: int, *, steps: int = STEPS) -> list[Record]:
    """Expected accuracy with only the most frequent entries of every list, or those with the largest weights.

    There is a record per size: `entries` is the number of entries in use, the same share of each list; their negated
    forms are used, but not counted. Documents have `length` tokens; the variance is that of the DCM.

    >>> from problex import Lexicon, count, estimate
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> rows = size_forecast(estimate(count(texts, lexicon), lexicon), 20)
    >>> sorted({(row["entries"], row["rule"]) for row in rows})
    [(2, 'counting'), (2, 'learned weights'), (4, 'counting'), (4, 'learned weights')]
    """
    weighted = model.settings.rule if RULES[model.settings.rule].uses_weights else "dcm"
    rules = {WEIGHTED: weighted, COUNTING: "count"}
    orders = dict(zip(ORDERS, (model.evidence.occurrences, model.weights), strict=True))
    negated = np.array([entry.startswith(NEGATED) for entry in model.evidence.entries])
    records: list[Record] = []
    for order, values in orders.items():
        ranks = _relative_ranks(model, values)
        for share in np.geomspace(ranks[ranks > 0].min(), 1.0, steps):
            selection = (ranks > 0) & (ranks <= share * (1 + 1e-9))
            part, entries = restrict(model, selection), int((selection & ~negated).sum())
            for name, rule in rules.items() if entries else ():
                accuracy = forecast(replace(part, settings=replace(part.settings, rule=rule)), [length]).dcm[0]
                records.append({"entries": entries, "order": order, "rule": name, "accuracy": accuracy})
    return list({(record["entries"], record["order"], record["rule"]): record for record in records}.values())


def restrict(model: Model, selection: NDArray[np.bool_]) -> Model:
    """The model as if only the selected entries occurred.

    It keeps the prior of the whole model, because the threshold of the whole lexicon does not fit a part of it.
    """
    occurrences = np.where(selection, model.evidence.occurrences, 0)
    prior = dict(zip(model.classes, model.prior.tolist(), strict=True))
    evidence, settings = replace(model.evidence, occurrences=occurrences), replace(model.settings, prior=prior)
    return replace(model, evidence=evidence, settings=settings)


def _relative_ranks(model: Model, values: NDArray[Any]) -> FloatArray:
    """The rank of each entry in its list, the largest value first, divided by the length of the list; 0 if unseen.

    Relative ranks, so that a part has the same share of a long list as of a short one, and the lists stay in balance.
    """
    occurrences = model.evidence.occurrences
    ranks = np.zeros(len(occurrences))
    for label in range(len(model.classes)):
        entries = np.flatnonzero((occurrences > 0) & (model.evidence.list_index == label))
        ordered = entries[np.lexsort((-occurrences[entries], -values[entries].astype(np.float64)))]
        ranks[ordered] = np.arange(1, len(ordered) + 1) / max(len(ordered), 1)
    return ranks
