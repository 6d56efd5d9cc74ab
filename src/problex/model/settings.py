"""`Settings`: how a model is estimated and how it decides, with all defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Real
from typing import Any

import numpy as np

from problex._util.arrays import FloatArray
from problex._util.json_values import MAX_NUMBER, shorten
from problex.errors import ProblexError, check_choice, opt, was_given
from problex.model.rules import RULES, TEMPERS

MIN_POSITIVE = 1e-100
"""The smallest number that must be positive: products of a few stay positive."""
Shares = str | Mapping[str, float]


SOLVERS = {"exact": "an exact solver", "admm": "the published ADMM"}
"""The solvers of the paper's least squares, and their descriptions for a report."""
AUTHOR = {"iterations": 200, "inner_iterations": 5, "penalty": 1.0}
"""The author's settings of ADMM, stopped early."""
BALANCES = {
    "coverage": "the lists were assumed to be equally predictive on average",
    "equal": "all lists were given the same total weight, as published",
}
"""The named balances, and their descriptions for a report."""
OTHER_BALANCE = {"coverage": "equal", "equal": "coverage"}
"""The balance that each is compared with."""
CHOICES: dict[str, Mapping[str, Any] | tuple[str, ...]] = {
    "rule": RULES,
    "temper": TEMPERS,
    "solver": SOLVERS,
    "shrink_to": ("mean", "zero", "given"),
    "calibration": ("auto", "none"),
}
"""The values of the settings that are chosen by name."""


@dataclass(frozen=True)
class Settings:
    """How a model is estimated and how it decides; the defaults are the most accurate without labels.

    `shrinkage` is kappa: an entry with the expected cross count e_i has e_i / (e_i + kappa) of its own estimate, and
    the rest from the mean of its list or from zero (`shrink_to`). "auto" estimates kappa, weights the partners of an
    entry by their predictiveness, shrinks to the mean of each list and needs no solver; `solver`, `solver_options`,
    "zero" and `keep_discordant` apply to a number only. With `shrink_to="given"`, which needs "auto", the mean of the
    list is multiplied by the weight in the lexicon over the mean of these weights. `balance` sets the shares pi_a of
    the lists: "coverage" (in proportion to their coverage), "equal" (the paper) or a mapping of list names to shares.
    `prior` is that of the decision and replaces the threshold that `calibration` finds; it is added whole, also to a
    text without a weighted word. With `calibration="none"` scores are those of the rule, and the threshold is zero.
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
        for name, choices in CHOICES.items():
            check_choice(name, getattr(self, name), choices)
        if not isinstance(self.balance, Mapping):
            check_choice("balance", self.balance, BALANCES, "or a mapping of list names to priors")
        kappa = float("nan") if isinstance(self.shrinkage, bool | str) else self.shrinkage
        if self.shrinkage != "auto" and not (isinstance(kappa, Real) and 0 <= kappa <= MAX_NUMBER):
            expected = f"expected 'auto', 0 (none) or a positive number up to {MAX_NUMBER:g}"
            raise ProblexError(f"{was_given('shrinkage', self.shrinkage)}, {expected}")
        if self.shrink_to == "given" and self.shrinkage != "auto":
            raise ProblexError(
                f"{opt('shrinkage', self.shrinkage)} cannot be used with {opt('shrink_to', 'given')}, expected "
                "'auto', which is the default: leave shrinkage out"
            )
        if not (isinstance(self.max_predictiveness, Real) and 0 < self.max_predictiveness < 1):
            shown = shorten(self.max_predictiveness)
            raise ProblexError(f"max_predictiveness={shown} was given, expected between 0 and 1")
        for name, value in self.solver_options.items():
            if isinstance(value, Real) and not abs(value) <= MAX_NUMBER:
                raise ProblexError(f"{name}={shorten(value)} was given, expected at most {MAX_NUMBER:g}")

    @property
    def kappa(self) -> float:
        """The strength of shrinkage as a number; NaN for "auto"."""
        return float("nan") if self.shrinkage == "auto" else float(self.shrinkage)

    @classmethod
    def from_options(cls, **options: Any) -> Settings:
        """Settings by name; raise with the list of names if one is not a setting."""
        names = [field.name for field in fields(cls)]
        for name in options:
            check_choice("the setting", name, names)
        return cls(**options)


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


def make_shares(values: Mapping[str, float] | None, what: str, classes: tuple[str, ...]) -> FloatArray:
    """One positive share per list, in the order of `classes`, that sum to one; None is uniform.

    >>> make_shares({"up": 3, "down": 1}, "prior", ("down", "up")).tolist()
    [0.25, 0.75]
    """
    if values is None:
        return np.full(len(classes), 1.0 / len(classes))
    if set(values) != set(classes):
        raise ProblexError(f"{what} names {sorted(values)}, expected the lists {list(classes)}")
    for name in classes:
        if not (isinstance(values[name], Real) and MIN_POSITIVE <= values[name] <= MAX_NUMBER):
            raise ProblexError(
                f"{what} of list {name!r} is {shorten(values[name])}, expected a positive number from "
                f"{MIN_POSITIVE:g} to {MAX_NUMBER:g}"
            )
    given = np.array([float(values[name]) for name in classes])
    shares = np.asarray(given / given.sum(), dtype=np.float64)
    if len(classes) > 1 and shares.max() == 1:
        name = classes[int(shares.argmax())]
        raise ProblexError(
            f"{what} of list {name!r} is more than 10^15 times that of the others, expected less: "
            "give shares that are closer together"
        )
    return shares
