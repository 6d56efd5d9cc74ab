"""The doctor: faults of a lexicon on a corpus, words to add, and edits that help.

It reads counts and texts, never labels. Estimation and scoring are in packages of their own.
"""

from problex.doctor.diagnosis import Diagnosis, apply_edits, doctor, write_edits
from problex.doctor.findings import Finding

__all__ = ["Diagnosis", "Finding", "apply_edits", "doctor", "write_edits"]
