"""The doctor: faults of a lexicon on a corpus, words to add, and edits that help.

It reads counts and texts, never labels. Estimation and scoring are in packages of their own.
"""

from problex.doctor.diagnosis import Diagnosis, diagnose, doctor, examine, forecast_auc
from problex.doctor.edits import apply_edits, write_edits
from problex.doctor.findings import Finding
from problex.lexicon.edits import Edit

__all__ = [
    "Diagnosis",
    "Edit",
    "Finding",
    "apply_edits",
    "diagnose",
    "doctor",
    "examine",
    "forecast_auc",
    "write_edits",
]
