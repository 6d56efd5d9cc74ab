"""Evaluation of models: measures against labels, and forecasts without labels.

Estimates from a small labelled sample are in `problex.audit`. Modules are imported when they are used: some
need SciPy's functions, which take long to import.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names

if TYPE_CHECKING:
    from problex.evaluation.forecasts import Forecast, accuracy_bound, effective_counts, forecast, size_forecast
    from problex.evaluation.metrics import Evaluation, evaluate

__all__ = ["Evaluation", "Forecast", "accuracy_bound", "effective_counts", "evaluate", "forecast", "size_forecast"]

_LATE = {
    "forecasts": ("Forecast", "accuracy_bound", "effective_counts", "forecast", "size_forecast"),
    "metrics": ("Evaluation", "evaluate"),
}
__getattr__ = late_names(__name__, _LATE)
