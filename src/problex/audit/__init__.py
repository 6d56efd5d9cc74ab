"""A sample to label, and what its labels say: accuracy, prevalence and calibration with intervals.

Metrics for corpora that are labelled throughout are in `problex.evaluation`.
"""

from problex.audit.results import Audit, audit
from problex.audit.sampling import AuditSample, draw
from problex.audit.sheets import read_design, read_sheet, write_sheet

__all__ = ["Audit", "AuditSample", "audit", "draw", "read_design", "read_sheet", "write_sheet"]
