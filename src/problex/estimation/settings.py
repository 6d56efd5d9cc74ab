"""How a model is estimated and how it decides: every setting has its one home and default here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from problex._util.arrays import FloatArray
from problex.errors import ProblexError, check_choice
from problex.estimation.admm import AUTHOR, admm
from problex.estimation.solvers import Solution, exact

Shares = str | Mapping[str, float]
SOLVERS: dict[str, Callable[..., Solution]] = {"exact": exact, "admm": admm}
CENTRES = ("mean", "zero")
BALANCES = ("coverage", "equal")
RULE_NAMES = ("count", "presence", "pmi", "multinomial", "dcm")
TEMPER_NAMES = ("burstiness", "root", "tokens", "none")
CALIBRATIONS = ("auto", "none")


@dataclass(frozen=True)
class Settings:
    """How a model is estimated and how it decides; the defaults are the best label-free model.

    `shrinkage` is kappa: an entry that was expected to meet the other lists that often keeps half of its own
    predictiveness. "auto" learns it from the data, weighs the words that are met by their own predictiveness, shrinks
    to the mean of each list and needs no solver; `solver`, `shrink_to` and `keep_discordant` go with a number.
    `shrink_to` is where the other half comes from. `balance` sets the weighted coverage of the lists: "coverage" (as
    much as they cover), "equal" (the paper) or given priors. `prior` is that of the decision: given, it takes the place
    of the threshold that `calibration` finds. `calibration="none"` leaves scores as the rule has them, zero the
    threshold. `solver_options` go to the solver.
    """

    rule: str = "dcm"
    solver: str = "exact"
    shrinkage: float | str = "auto"
    shrink_to: str = "mean"
    max_predictiveness: float = 0.9
    keep_discordant: bool = False
    balance: Shares = "coverage"
    prior: Mapping[str, float] | None = None
    temper: str = "root"
    calibration: str = "auto"
    solver_options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_choice("rule", self.rule, RULE_NAMES)
        check_choice("temper", self.temper, TEMPER_NAMES)
        check_choice("solver", self.solver, SOLVERS)
        check_choice("shrink_to", self.shrink_to, CENTRES)
        if not isinstance(self.balance, Mapping):
            check_choice("balance", self.balance, BALANCES, "or a mapping of list names to priors")
        check_choice("calibration", self.calibration, CALIBRATIONS)
        if self.shrinkage != "auto" and not (_is_number(self.shrinkage) and 0 <= self.kappa < float("inf")):
            expected = "expected 'auto', 0 (none) or a positive number"
            raise ProblexError(f"shrinkage={self.shrinkage!r} was given, {expected}")
        if not (_is_number(self.max_predictiveness) and 0 < self.max_predictiveness < 1):
            raise ProblexError(f"max_predictiveness={self.max_predictiveness!r} was given, expected between 0 and 1")

    @property
    def kappa(self) -> float:
        """The strength of shrinkage as a number; not a number if the data decide."""
        return float("nan") if self.shrinkage == "auto" else float(self.shrinkage)

    @classmethod
    def given(cls, **settings: Any) -> Settings:
        """Settings by name, with a clear word about a name that is none."""
        names = [field.name for field in fields(cls)]
        for name in settings:
            check_choice("the setting", name, names)
        return cls(**settings)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


DEFAULT = Settings()

PAPER = Settings(
    solver="admm",
    shrinkage=0.0,
    balance="equal",
    temper="tokens",
    calibration="none",
    solver_options=AUTHOR,
)
"""The published method in its author's settings."""


def shares_of(given: Mapping[str, float] | None, what: str, classes: tuple[str, ...]) -> FloatArray:
    """One positive share per list that sum to one; None is uniform."""
    if given is None:
        return np.full(len(classes), 1.0 / len(classes))
    if set(given) != set(classes):
        raise ProblexError(f"{what} names {sorted(given)}, expected the lists {list(classes)}")
    shares = np.array([float(given[name]) for name in classes])
    if not np.all(np.isfinite(shares)) or np.any(shares <= 0):
        raise ProblexError(f"{what}={dict(given)} was given, expected a positive number for every list")
    return np.asarray(shares / shares.sum(), dtype=np.float64)
