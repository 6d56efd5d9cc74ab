"""Values: a `Model` and what it consists of. How they are estimated is in `problex.estimation`."""

from problex.model.calibration import Calibration
from problex.model.evidence import Evidence
from problex.model.expansion import Expansion
from problex.model.model import Model
from problex.model.rules import RULES, TEMPERS, Rule, Temper, Weights
from problex.model.settings import SOLVERS, Settings
from problex.model.vocabulary import Vocabulary

__all__ = [
    "RULES",
    "SOLVERS",
    "TEMPERS",
    "Calibration",
    "Evidence",
    "Expansion",
    "Model",
    "Rule",
    "Settings",
    "Temper",
    "Vocabulary",
    "Weights",
]
