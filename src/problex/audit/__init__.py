"""Audits: draw a sample to label, and estimate accuracy, prevalence and calibration from its labels, with intervals.

Measures of corpora that are labelled throughout are in `problex.evaluation`.
"""

from problex.audit.expectations import Expected, expected_measures
from problex.audit.intervals import Estimate
from problex.audit.labelled import LabelledSample
from problex.audit.regression import regress
from problex.audit.results import Audit, audit
from problex.audit.sample import AuditSample, Stratum
from problex.audit.sampling import Groups, draw
from problex.audit.shares import share_estimates
from problex.audit.sheets import Design, model_fingerprint, read_design, read_sheet, write_sheet
from problex.audit.workflow import draw_sheet, read_labels, score_sheets, store_calibration

__all__ = [
    "Audit",
    "AuditSample",
    "Design",
    "Estimate",
    "Expected",
    "Groups",
    "LabelledSample",
    "Stratum",
    "audit",
    "draw",
    "draw_sheet",
    "expected_measures",
    "model_fingerprint",
    "read_design",
    "read_labels",
    "read_sheet",
    "regress",
    "score_sheets",
    "share_estimates",
    "store_calibration",
    "write_sheet",
]
