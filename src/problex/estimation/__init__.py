"""`Counts` to a `Model`: moments, solvers, shrinkage, calibration, scoring rules and the model file.

No texts are read here. Scores of texts are in `problex.scoring`.
"""

from problex.estimation.calibration import Calibration
from problex.estimation.model import Model, estimate
from problex.estimation.model_file import load_model
from problex.estimation.moments import Evidence
from problex.estimation.rules import RULES, TEMPERS, Rule, Temper, Weights
from problex.estimation.settings import SOLVERS, Settings, Solver

__all__ = [
    "RULES",
    "SOLVERS",
    "TEMPERS",
    "Calibration",
    "Evidence",
    "Model",
    "Rule",
    "Settings",
    "Solver",
    "Temper",
    "Weights",
    "estimate",
    "load_model",
]
