"""Audits: draw a sample to label, and estimate accuracy, prevalence and calibration from its labels, with intervals.

Measures of corpora that are labelled throughout are in `problex.evaluation`.
"""

from problex.audit.results import Audit, audit
from problex.audit.sample import AuditSample, Groups, draw
from problex.audit.workflow import draw_sheet, score_sheets, store_calibration

__all__ = ["Audit", "AuditSample", "Groups", "audit", "draw", "draw_sheet", "score_sheets", "store_calibration"]
