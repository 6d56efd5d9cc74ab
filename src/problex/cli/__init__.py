"""The command line: each command reads, calls the library and writes.

Every module adds its commands to `app`; no statistic is computed here.
"""

from problex.cli import audit, doctor, explain, lexicon, report, suggest  # noqa: F401  each adds its commands to `app`
from problex.cli.application import app, main

__all__ = ["app", "main"]
