"""Evaluation of models: measures against labels, forecasts without labels, shares of the labels by group.

Estimates from a small labelled sample are in `problex.audit`.
"""

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
