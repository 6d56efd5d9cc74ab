"""Values: a `Model` and what it consists of. How they are estimated is in `problex.estimation`."""

from problex.model.model import Model
from problex.model.rules import RULES, TEMPERS
from problex.model.settings import SOLVERS, Settings

__all__ = [
    "RULES",
    "SOLVERS",
    "TEMPERS",
    "Model",
    "Settings",
]
