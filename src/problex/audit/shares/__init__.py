"""Shares of labels by group, estimated from the labels of an audit, with intervals."""

from problex.audit.shares.estimators import ESTIMATORS
from problex.audit.shares.sheet_labels import SheetLabels, Sheets
from problex.audit.shares.tables import ShareTable, estimated_table, share_estimates

__all__ = ["ESTIMATORS", "ShareTable", "SheetLabels", "Sheets", "estimated_table", "share_estimates"]
