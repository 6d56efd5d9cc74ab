"""What is wrong with a lexicon on a corpus, which words to add, and edits that help.

It reads counts and texts, never labels.
"""

from problex.doctor.diagnosis import Diagnosis, diagnose, doctor, mend
from problex.doctor.findings import Edit, Finding

__all__ = ["Diagnosis", "Edit", "Finding", "diagnose", "doctor", "mend"]
