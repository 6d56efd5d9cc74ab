"""`Counts` to a `Model`: moments, solvers, shrinkage, calibration and the model file.

No texts are read here. The values are in `problex.model`, scores of texts in `problex.scoring`.
"""

from problex.estimation.fitting import estimate
from problex.estimation.model_file import load_model

__all__ = ["estimate", "load_model"]
