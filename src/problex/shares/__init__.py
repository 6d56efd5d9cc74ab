"""Shares of labels by group or date: of the predicted labels, and of the true ones by the labels of an audit.

Modules are imported when they are used: some need SciPy's functions, which take long to import.
"""

from typing import TYPE_CHECKING

from problex._util.late import late_names

if TYPE_CHECKING:
    from problex.shares.counting import share_records, share_table
    from problex.shares.estimates import share_estimates
    from problex.shares.regression import regress

__all__ = ["regress", "share_estimates", "share_records", "share_table"]

_LATE = {
    "counting": ("share_records", "share_table"),
    "regression": ("regress",),
    "estimates": ("share_estimates",),
}
__getattr__ = late_names(__name__, _LATE)
