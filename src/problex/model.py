"""`Model`: a weighted lexicon as a frozen value, and `estimate`, which learns it from counts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex.admm import admm, shrink_afterwards
from problex.counts import Counts, settings_of, tokenizer_of
from problex.errors import EstimationError, EstimationWarning, check_choice, counted
from problex.expansion import Expansion
from problex.items import Items, items_of
from problex.lexicon import Lexicon
from problex.moments import Evidence, coverage, evidence_of, expected_cross_counts
from problex.platt import Platt
from problex.pmi import PmiTable, pmi_table
from problex.settings import SOLVERS, Settings, Shares, shares_of
from problex.solvers import Problem, Solution
from problex.tokens import Tokenizer

FloatArray = NDArray[np.float64]
SHOWN = ("entry", "list", "weight")


@dataclass(frozen=True, eq=False)
class Model:
    """A lexicon whose entries have learned weights: everything needed to score texts and to estimate again.

    `shares` are the pi_a of the estimation: weighted coverage of list a over that of all lists.
    """

    lexicon: Lexicon
    tokenizer: Tokenizer
    settings: Settings
    evidence: Evidence
    predictiveness: FloatArray
    shares: FloatArray
    solution: Mapping[str, Any]
    pmi: PmiTable | None = None
    platt: Platt | None = None
    expansion: Expansion | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels: the names of the lists, sorted."""
        return self.lexicon.names

    @cached_property
    def items(self) -> Items:
        """The entries as they are matched in texts."""
        return items_of(self.lexicon, self.tokenizer)

    @cached_property
    def prior(self) -> FloatArray:
        """The prior of the decision, uniform unless given."""
        return shares_of(self.settings.prior, "prior", self.classes)

    @cached_property
    def base_rates(self) -> FloatArray:
        """mu_i for scoring: an entry that was never seen is taken to be seen half a time."""
        return np.maximum(self.evidence.occurrences, 0.5) / max(self.evidence.tokens, 1)

    @cached_property
    def lift(self) -> FloatArray:
        """How much more frequent an entry is under its own label: 1 + gamma (1 - pi) / pi, with pi the prior."""
        own = self.prior[self.evidence.list_index]
        return 1.0 + self.predictiveness * (1.0 - own) / own

    @cached_property
    def weights(self) -> FloatArray:
        """The log-odds that one occurrence adds to its own label: log lift - log(1 - gamma)."""
        return np.asarray(np.log(self.lift) - np.log1p(-self.predictiveness), dtype=np.float64)

    def reestimate(self, **changes: Any) -> Model:
        """The same evidence under other settings."""
        return _fit(self.evidence, self.lexicon, self.tokenizer, replace(self.settings, **changes), self.pmi)

    def records(self) -> list[dict[str, Any]]:
        """One record per entry, heaviest first: what `weights_`, the command line and reports show.

        An expanded model also has a record per learned word and pair of neighbours, marked as `learned`.
        """
        every = np.ones(len(self.predictiveness), dtype=bool)
        expected = expected_cross_counts(self.evidence, every)
        discordant = self.evidence.discordant
        rows = [
            {
                "entry": entry,
                "list": self.classes[self.evidence.list_index[at]],
                "count": int(self.evidence.occurrences[at]),
                "expected_cross_count": float(expected[at]),
                "cross_count": int(self.evidence.cross_counts[at]),
                "discordant": bool(discordant[at]),
                "predictiveness": float(self.predictiveness[at]),
                "weight": float(self.weights[at]),
            }
            for at, entry in enumerate(self.evidence.entries)
        ]
        if self.expansion is not None:
            blank = dict.fromkeys(rows[0]) | {"learned": True}
            learned = self.expansion.records(self.classes, self.evidence.entries)
            found = [blank | {"count": row["documents"]} | {key: row[key] for key in SHOWN} for row in learned]
            rows = [row | {"learned": False} for row in rows] + found
        return sorted(rows, key=lambda row: (-row["weight"], -row["count"], row["entry"]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        from problex.files import dumps

        return dumps(self) == dumps(other)

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: Any, *, force: bool = False) -> None:
        """Write versioned, readable JSON."""
        from problex.files import save_model

        save_model(self, path, force=force)


def estimate(counts: Counts, lexicon: Lexicon, *, tokenizer: Tokenizer | None = None, **settings: Any) -> Model:
    """Learn a predictiveness for every entry from counts alone: no labels, no texts.

    >>> lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    >>> from problex import count
    >>> texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    >>> model = estimate(count(texts, lexicon), lexicon)
    >>> [row["entry"] for row in model.records()]
    ['fine', 'poor', 'bad', 'good']
    """
    if not isinstance(counts, Counts) or not isinstance(lexicon, Lexicon):
        given = f"{type(counts).__name__} and {type(lexicon).__name__}"
        raise EstimationError(f"estimate was given {given}, expected Counts, as count makes them, and a Lexicon")
    tokenizer = tokenizer or tokenizer_of(counts)
    expected = settings_of(lexicon, tokenizer)
    if counts.settings != expected:
        raise EstimationError(
            f"the counts were made with {dict(counts.settings)}, but the lexicon and tokenizer given are {expected}: "
            "count the texts again with this lexicon"
        )
    chosen = Settings.given(**settings)
    _check_corpus(counts)
    table = pmi_table(counts) if chosen.rule == "pmi" else None
    return _fit(evidence_of(counts), lexicon, tokenizer, chosen, table)


def _fit(evidence: Evidence, lexicon: Lexicon, tokenizer: Tokenizer, settings: Settings, pmi: PmiTable | None) -> Model:
    if settings.rule == "pmi" and pmi is None:
        raise EstimationError("the rule 'pmi' needs counts of all words: estimate from counts with rule='pmi'")
    shares_of(settings.prior, "prior", lexicon.names)  # so that a wrong prior is refused now, not when scoring
    kept = _kept(evidence, settings)
    _check_lists(evidence, kept)
    shares = _balance(evidence, kept, settings.balance)
    if not np.isfinite(evidence.concentration):
        warnings.warn(
            "no burstiness was seen outside the lexicon, so repeated words count in full (the multinomial rule)",
            EstimationWarning,
            stacklevel=4,
        )
    x, solution = _solve(evidence, kept, shares, settings)
    if not np.any(x > 0):
        warnings.warn(
            "no entry got a weight: the lists meet each other as often as chance has it, so every text is undecided. "
            "Give more texts, other lists, or rule='count'",
            EstimationWarning,
            stacklevel=4,
        )
    summary = {
        "converged": solution.converged,
        "iterations": solution.iterations,
        "objective": solution.objective,
        "residuals": list(solution.residuals[-1]),
    }
    return Model(lexicon, tokenizer, settings, evidence, x, shares, summary, pmi)


def _solve(
    evidence: Evidence, kept: NDArray[np.bool_], shares: FloatArray, settings: Settings
) -> tuple[FloatArray, Solution]:
    """Solve for the entries that were seen and kept; the others get what shrinkage alone would give them."""
    free = kept & (evidence.occurrences > 0)
    expected = expected_cross_counts(evidence, kept)[free]
    ridge = settings.shrinkage / expected
    towards_mean = settings.shrink_to == "mean"
    problem = Problem(
        residuals=_cross_counts(evidence, settings)[free] - expected,
        base_rates=evidence.base_rates[free],
        list_index=evidence.list_index[free],
        shares=shares,
        token_pairs=float(evidence.token_pairs),
        upper=np.full(int(free.sum()), settings.max_predictiveness),
        ridge=ridge,
        towards_mean=towards_mean,
        scale=float(evidence.tokens),
    )
    if settings.solver == "admm":
        plain = replace(problem, ridge=np.zeros_like(ridge))
        solution = _call(admm, plain, settings.solver_options)
        solution = shrink_afterwards(plain, solution, ridge, towards_mean=towards_mean)
    else:
        solution = _call(SOLVERS[settings.solver], problem, settings.solver_options)
    x = np.zeros(len(evidence.entries))
    x[free] = solution.x
    if towards_mean and settings.shrinkage > 0:
        mean = problem.weighted_coverage(solution.x) / coverage(evidence, kept)
        unseen = kept & (evidence.occurrences == 0)
        x[unseen] = mean[evidence.list_index[unseen]]
    return x, solution


def _call(solver: Callable[..., Solution], problem: Problem, options: Mapping[str, Any]) -> Solution:
    known = [name for name in signature(solver).parameters if name != "problem"]
    for name in options:
        check_choice(f"the option of solver {solver.__name__!r}", name, known)
    return solver(problem, **options)


def _balance(evidence: Evidence, kept: NDArray[np.bool_], balance: Shares) -> FloatArray:
    if isinstance(balance, Mapping):
        return shares_of(balance, "balance", evidence.lists)
    if balance == "equal":
        return shares_of(None, "balance", evidence.lists)
    covered = coverage(evidence, kept)
    return np.asarray(covered / covered.sum(), dtype=np.float64)


def _kept(evidence: Evidence, settings: Settings) -> NDArray[np.bool_]:
    discordant = evidence.discordant
    return np.ones_like(discordant) if settings.keep_discordant else ~discordant


def _cross_counts(evidence: Evidence, settings: Settings) -> NDArray[np.int64]:
    return evidence.cross_counts if settings.keep_discordant else evidence.concordant_cross_counts


def _check_corpus(counts: Counts) -> None:
    if counts.documents == 0:
        raise EstimationError("the corpus has no documents, expected texts to learn from")
    if counts.tokens == 0:
        raise EstimationError(
            f"none of {counted(counts.documents, 'document')} has a word in it: check the text column"
        )
    if counts.token_pairs == 0:
        raise EstimationError(
            f"no document of {counts.documents:,} has two words, and words are weighed by which others they meet: give "
            "longer texts, or join them"
        )


def _check_lists(evidence: Evidence, kept: NDArray[np.bool_]) -> None:
    for index, name in enumerate(evidence.lists):
        mine = evidence.list_index == index
        seen = mine & (evidence.occurrences > 0)
        if not seen.any():
            examples = ", ".join(entry for entry, own in zip(evidence.entries, mine, strict=True) if own)[:60]
            raise EstimationError(
                f"no entry of list {name!r} ({examples}) was found in {counted(evidence.documents, 'document')}: "
                "check the language, the text column, or the list"
            )
        if not (seen & kept).any():
            raise EstimationError(
                f"all {int(seen.sum())} entries of list {name!r} that were found meet the other lists more often than "
                f"chance in {counted(evidence.documents, 'document')}, so there is nothing to learn from: give more or "
                "longer texts, or keep them with keep_discordant=True"
            )
