"""The published method, in the order of the paper: Eisenstein, "Unsupervised Learning for Lexicon-Based Classification"
(AAAI 2017).

`LexiconClassifier.paper` learns by this module alone. In its symbols, x_ti is the count of word i in document t of N_t
tokens, mu_i the base rate of a word, gamma_i its predictiveness, c_i its cross count; s = sum_t N_t (N_t - 1), and for
the list a, M_a = sum mu_i and G_a = sum mu_i gamma_i. What the paper has otherwise in print is in docs/equations.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature

import numpy as np

from problex._util.arrays import BoolArray, FloatArray, IntArray
from problex._util.arrow import numbers_of, pc, string_array
from problex.counting.counts import Counts
from problex.errors import ConvergenceWarning, EstimationError, check_choice, opt, warn_caller
from problex.model.evidence import Evidence, Solution, expected_cross_counts
from problex.model.settings import Settings

# Counting as naive Bayes: the base rates of words.


def evidence_of(counts: Counts) -> Evidence:
    """The sums over a corpus: n_i = sum_t x_ti, of which the base rate is n_i / sum_t N_t, and the cross counts c_i.

    Entries with c_i > s mu_i M_other occur together with the other list more often than by chance: they are left out.

    >>> from problex import Lexicon, count
    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad"]})
    >>> evidence = evidence_of(count(["good good bad", "fine day", "bad day"], lexicon))
    >>> evidence.entries, evidence.occurrences.tolist(), evidence.cross_counts.tolist()
    (('bad', 'fine', 'good'), [2, 1, 2], [2, 0, 2])
    """
    # Entries are looked up among the words, of which there are many more, and not the other way round.
    entry = pc.index_in(counts.words, pc.cast(string_array(counts.entries), counts.words.type))
    index = np.full(len(counts.entries), -1, dtype=np.int64)
    index[numbers_of(pc.drop_null(entry))] = numbers_of(pc.indices_nonzero(pc.is_valid(entry)))
    seen = index >= 0
    occurrences = np.where(seen, counts.occurrences[index], 0) if len(counts.words) else np.zeros(len(index), np.int64)
    every = np.ones(len(counts.entries), dtype=bool)
    crossed = cross_counts(counts, every)
    evidence = Evidence(
        lists=counts.lists,
        entries=counts.entries,
        list_index=counts.list_index,
        occurrences=occurrences.astype(np.int64),
        cross_counts=crossed,
        concordant_cross_counts=crossed,
        documents=counts.documents,
        tokens=counts.tokens,
        squared_lengths=counts.squared_lengths,
        concentration=concentration(counts, index[seen]),
        partner_weights=every.astype(np.float64),
        weighted_cross_counts=crossed.astype(np.float64),
    )
    return replace(evidence, concordant_cross_counts=cross_counts(counts, ~evidence.discordant))


# Estimating predictiveness: cross counts, whose expectation is E[c_i] = s mu_i (M_other - gamma_i G_other).


def cross_counts(counts: Counts, included: BoolArray) -> IntArray:
    """c_i: how often entry i occurs together with included entries of the other lists, in pairs of tokens.

    >>> from problex import Lexicon, count
    >>> counts = count(["good bad bad film"], Lexicon({"up": ["good"], "down": ["bad"]}))
    >>> cross_counts(counts, np.array([True, True])).tolist(), cross_counts(counts, np.array([False, True])).tolist()
    ([2, 2], [2, 0])
    """
    partners = included.astype(np.int64)
    return np.asarray(counts.pairs @ partners + counts.pairs.T @ partners, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Minimise F = 1/2 sum_i (c_i - E[c_i])^2 with G_a = pi_a W for each list a and 0 <= gamma_i <= `upper`_i.

    `residuals` are r_i = c_i - s mu_i M_other, so that c_i - E[c_i] = r_i + s mu_i gamma_i G_other. In the paper, the
    `shares` pi_a are 1/2. `scale` divides F inside ADMM, for conditioning.
    """

    residuals: FloatArray
    base_rates: FloatArray
    list_index: IntArray
    shares: FloatArray
    token_pairs: float
    upper: FloatArray
    scale: float = 1.0

    @property
    def members(self) -> list[IntArray]:
        """The rows of each list that may move: those with a positive upper bound."""
        free = self.upper > 0
        return [np.flatnonzero(free & (self.list_index == a)) for a in range(len(self.shares))]

    def weighted_coverage(self, predictiveness: FloatArray) -> FloatArray:
        """G, one value per list."""
        mass = self.base_rates * predictiveness
        return np.bincount(self.list_index, weights=mass, minlength=len(self.shares)).astype(np.float64)

    def objective(self, predictiveness: FloatArray) -> float:
        """F at any point."""
        covered = self.weighted_coverage(predictiveness)
        slope = self.token_pairs * self.base_rates * (covered.sum() - covered)[self.list_index]
        return float(0.5 * np.sum((self.residuals + slope * predictiveness) ** 2))


@dataclass(frozen=True)
class Minimum:
    """What a solver has found. `residuals` has (primal, dual) after each iteration, newest last."""

    x: FloatArray
    converged: bool
    iterations: int
    objective: float
    residuals: tuple[tuple[float, float], ...]


def problem_of(evidence: Evidence, included: BoolArray, shares: FloatArray, settings: Settings) -> Problem:
    """The problem of the included entries that occur."""
    free = included & (evidence.occurrences > 0)
    observed = evidence.cross_counts if settings.keep_discordant else evidence.concordant_cross_counts
    return Problem(
        residuals=(observed - expected_cross_counts(evidence, included))[free],
        base_rates=evidence.base_rates[free],
        list_index=evidence.list_index[free],
        shares=shares,
        token_pairs=float(evidence.token_pairs),
        upper=np.full(int(free.sum()), settings.max_predictiveness),
        scale=float(evidence.tokens),
    )


def estimate_published(
    evidence: Evidence, included: BoolArray, shares: FloatArray, settings: Settings
) -> tuple[FloatArray, Solution]:
    """The predictiveness of every entry, zero for those that are left out, and a summary of the solution."""
    check_options(settings, admm)
    minimum = admm(problem_of(evidence, included, shares, settings), **settings.solver_options)
    x = np.zeros(len(evidence.entries))
    x[included & (evidence.occurrences > 0)] = minimum.x
    return x, Solution(minimum.converged, minimum.iterations, minimum.objective, minimum.residuals[-1])


def check_options(settings: Settings, solver: Callable[..., Minimum]) -> None:
    """Raise if the solver has no such options."""
    known = [name for name in signature(solver).parameters if name != "problem"]
    for name in settings.solver_options:
        check_choice(f"the option of solver {settings.solver!r}", name, known)


# Optimisation: F is a quadratic in the list a if the other one is fixed, so the two take turns (ADMM).


def admm(
    problem: Problem,
    *,
    iterations: int = 5000,
    inner_iterations: int | None = None,
    penalty: float | None = None,
    tolerance: float = 1e-9,
) -> Minimum:
    """The published algorithm: alternate between two lists, a multiplier on :math:`G_0 = G_1`, a box inside.

    By default every box problem is solved to `tolerance`, the penalty starts at the curvature of the objective
    and then follows the two residuals (Boyd et al. 2011, pp. 19-21): grow when primal > 10 dual, shrink when
    dual > 10 primal. `AUTHOR` holds the settings of the author's program, which leaves each box problem after
    five steps from a cold start: the result is not the optimum, and rare words are shrunk as a side effect.
    """
    if len(problem.shares) != 2:
        raise EstimationError(
            f"the published solver 'admm' takes two lists and was given {len(problem.shares)}: use "
            f"{opt('solver', 'exact')}"
        )
    if iterations < 1:
        raise EstimationError(f"iterations={iterations} was given to 'admm', expected 1 or more")
    x, history, converged = _alternate(problem, iterations, inner_iterations, penalty, tolerance)
    if not converged and inner_iterations is None:
        warn_caller(
            f"admm stopped after {iterations} iterations with residuals {history[-1][0]:.1e} (primal) and "
            f"{history[-1][1]:.1e} (dual), expected below {tolerance:.0e}: raise iterations, or use "
            f"{opt('solver', 'exact')}",
            ConvergenceWarning,
        )
    # With a limit on the steps of the box problems, the iterations converge, but not to the optimum.
    optimal = converged and inner_iterations is None
    return Minimum(x, optimal, len(history), problem.objective(x), tuple(history))


def _alternate(
    problem: Problem, iterations: int, steps: int | None, penalty: float | None, tolerance: float
) -> tuple[FloatArray, list[tuple[float, float]], bool]:
    """The solution, the (primal, dual) residuals of each iteration, and whether they converged."""
    members, rates = problem.members, problem.base_rates
    directions = [rates[rows] / (2.0 * share) for rows, share in zip(members, problem.shares, strict=True)]
    # one predictiveness for all words: the root of the share of cross counts that is missing
    covered = np.bincount(problem.list_index, weights=rates)
    missing = -problem.residuals[problem.list_index == 0].sum() / (problem.token_pairs * covered[0] * covered[1])
    x = np.minimum(float(np.clip(np.sqrt(max(missing, 0.0)), 0.05, 0.9)), problem.upper)
    curvature = _curvature(problem, x)
    unit, penalty = 1e-6 * curvature, curvature if penalty is None else penalty
    tops = [float(along @ problem.upper[rows]) for along, rows in zip(directions, members, strict=True)]
    states: list[tuple[FloatArray, FloatArray] | None] = [None, None]
    levels = [float(along @ x[rows]) for along, rows in zip(directions, members, strict=True)]
    multiplier, history = 0.0, list[tuple[float, float]]()
    for step in range(iterations):
        before = levels[1]
        for a, sign in ((0, 1.0), (1, -1.0)):
            own, other = members[a], members[1 - a]
            tilt = directions[a][0] / rates[own[0]]
            pull = penalty * tilt * (sign * multiplier - levels[1 - a])
            quadratic = _quadratic(problem, own, other, x[other], penalty * tilt**2, pull)
            x[own], states[a] = _in_box(*quadratic, rates[own], problem.upper[own], states[a], steps, tolerance)
            levels[a] = float(directions[a] @ x[own])
        # the multiplier moves by the gap, and residuals are relative to the level that both lists should have
        gap, change, size = levels[0] - levels[1], abs(levels[1] - before), max(*levels, 1e-6 * max(tops))
        multiplier += gap
        primal, dual = abs(gap) / size, penalty * change / (size * max(_curvature(problem, x), unit))
        history.append((primal, dual))
        if size == 1e-6 * max(tops):  # both lists have lost all weight, and this algorithm cannot give it back
            break
        if primal < tolerance and dual < tolerance and change / size < tolerance:
            return x, history, True
        if step < iterations // 2:  # with a penalty that keeps changing, it need not converge
            factor = 2.0 if primal > 10 * dual else 0.5 if dual > 10 * primal else 1.0
            penalty, multiplier = penalty * factor, multiplier / factor
    return x, history, False


def _curvature(problem: Problem, x: FloatArray) -> float:
    """The curvature of the objective along the constraint: the unit of the penalty."""
    bends = (problem.token_pairs * problem.base_rates * x) ** 2
    return max(sum(float(np.sum(bends[rows])) / problem.scale for rows in problem.members), 1e-300)


def _quadratic(
    problem: Problem, own: IntArray, other: IntArray, x: FloatArray, bend: float, pull: float
) -> tuple[FloatArray, float, FloatArray]:
    """The objective of one list, with the other at x, as 1/2 y' (D + b mu mu') y + q' y: D, b and q.

    `bend` and `pull` are what the constraint adds to b and, times mu, to q. Both terms of rank one point along the base
    rates: the residuals of the other list, and the constraint.
    """
    s, rates, of_other = problem.token_pairs, problem.base_rates[own], problem.base_rates[other]
    mass = float(of_other @ x)
    diagonal = (s * mass * rates) ** 2 / problem.scale
    bend = s**2 * float(np.sum((of_other * x) ** 2)) / problem.scale + bend
    linear = s * mass * problem.residuals[own] * rates / problem.scale
    linear = linear + rates * (s * float(np.sum(problem.residuals[other] * of_other * x)) / problem.scale + pull)
    return diagonal, bend, linear


def _in_box(
    diagonal: FloatArray,
    bend: float,
    linear: FloatArray,
    rates: FloatArray,
    upper: FloatArray,
    state: tuple[FloatArray, FloatArray] | None,
    steps: int | None,
    tolerance: float,
) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """The minimum of a quadratic from 0 to `upper`, by an ADMM of its own: with `steps` from zero, or settled."""
    # Where the other list carries nothing the diagonal vanishes: the term of rank one then sets the scale.
    floor = 1e-9 * max(float(diagonal.max()), bend * float(np.max(rates**2)), 1e-300)
    weights = np.ones_like(diagonal) if steps is not None else np.maximum(diagonal, floor)
    boxed, dual = (np.zeros_like(linear), np.zeros_like(linear)) if steps is not None or state is None else state
    base = diagonal + weights
    towards = rates / base
    shrink = bend / (1.0 + bend * float(rates @ towards))  # the Woodbury identity
    # in turns: the minimum without limits, and the nearest point within them
    x = boxed
    for _ in range(500 if steps is None else steps):
        x = -(linear + weights * (dual - boxed)) / base
        x = x - shrink * towards * float(rates @ x)
        previous, boxed = boxed, np.clip(x + dual, 0.0, upper)
        dual = dual + x - boxed
        settled = max(float(np.abs(x - boxed).max()), float(np.abs(boxed - previous).max()))
        if steps is None and settled < tolerance / 10:
            break
    return np.clip(x, 0.0, upper), (boxed, dual)


# The Dirichlet compound multinomial: repeated words.


def concentration(counts: Counts, lexical: IntArray) -> float:
    """tau of the Dirichlet compound multinomial, from the words outside the lexicon; infinite without burstiness.

    .. math:: \\tau = \\frac{\\sum_i w_i (\\mu_i B - q_i)}{\\sum_i w_i (q_i - \\mu_i^2 (B - A) - \\mu_i A)},
        \\quad w_i = \\mu_i (1 - \\mu_i)

    with A = sum_t N_t, B = sum_t N_t^2, q_i = sum_t x_ti^2. `lexical` are the positions of entries among the words.
    """
    tokens, squared_lengths = counts.tokens, counts.squared_lengths
    if tokens == 0:
        return float("inf")
    outside = np.ones(len(counts.words), dtype=bool)
    outside[lexical] = False
    rates, squares = counts.occurrences[outside] / tokens, counts.squares[outside]
    weights = rates * (1.0 - rates)
    missing = weights * (rates * squared_lengths - squares)
    excess = weights * (squares - rates**2 * (squared_lengths - tokens) - rates * tokens)
    # Sorted, so that the sums do not depend on the order of the words, to the last bit.
    numerator, denominator = (float(np.sum(np.sort(terms))) for terms in (missing, excess))
    tau = numerator / denominator if denominator > 0 else float("inf")
    return tau if tau > 0 else float("inf")
