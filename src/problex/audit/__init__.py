"""Audits: draw a sample to label, and estimate accuracy, prevalence and calibration from its labels, with intervals.

Measures of corpora that are labelled throughout are in `problex.evaluation`.
"""

from problex.audit.agreement import Agreement, cohen_kappa, krippendorff_alpha
from problex.audit.coders import Coding, read_coding, write_disagreements
from problex.audit.expectations import Expected, expected_measures
from problex.audit.intervals import Estimate
from problex.audit.labelled import LabelledSample
from problex.audit.labelling import labelled_texts, labelling_order, running_width
from problex.audit.planning import Plan, plan
from problex.audit.results import Audit, audit
from problex.audit.sample import AuditSample, Stratum
from problex.audit.sampling import Groups, draw
from problex.audit.sheet_reading import read_sheet
from problex.audit.sheets import Design, model_fingerprint, read_design, write_sheet
from problex.audit.thresholds import LabelledTexts, with_labels
from problex.audit.workflow import draw_sheet, read_labels, score_sheets, store_calibration

__all__ = [
    "Agreement",
    "Audit",
    "AuditSample",
    "Coding",
    "Design",
    "Estimate",
    "Expected",
    "Groups",
    "LabelledSample",
    "LabelledTexts",
    "Plan",
    "Stratum",
    "audit",
    "cohen_kappa",
    "draw",
    "draw_sheet",
    "expected_measures",
    "krippendorff_alpha",
    "labelled_texts",
    "labelling_order",
    "model_fingerprint",
    "plan",
    "read_coding",
    "read_design",
    "read_labels",
    "read_sheet",
    "running_width",
    "score_sheets",
    "store_calibration",
    "with_labels",
    "write_disagreements",
    "write_sheet",
]
