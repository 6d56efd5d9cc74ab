"""Evaluation of models: measures against labels, forecasts without labels, shares of the labels by group.

Estimates from a small labelled sample are in `problex.audit`. Modules are imported when they are used: some
need SciPy's functions, which take long to import.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names

if TYPE_CHECKING:
    from problex.evaluation.comparison import compare_weights
    from problex.evaluation.corpus_overview import Overview, overview
    from problex.evaluation.forecasts import Forecast, accuracy_bound, effective_counts, forecast
    from problex.evaluation.lexicon_size import size_forecast
    from problex.evaluation.metrics import Evaluation, evaluate, supervised_bound
    from problex.evaluation.shares import share_records, share_table

__all__ = [
    "Evaluation",
    "Forecast",
    "Overview",
    "accuracy_bound",
    "compare_weights",
    "effective_counts",
    "evaluate",
    "forecast",
    "overview",
    "share_records",
    "share_table",
    "size_forecast",
    "supervised_bound",
]

_LATE = {
    "comparison": ("compare_weights",),
    "corpus_overview": ("Overview", "overview"),
    "forecasts": ("Forecast", "accuracy_bound", "effective_counts", "forecast"),
    "lexicon_size": ("size_forecast",),
    "metrics": ("Evaluation", "evaluate", "supervised_bound"),
    "shares": ("share_records", "share_table"),
}
__getattr__ = late_names(__name__, _LATE)
