"""One self-contained HTML page about a model and a corpus: sections as values, charts, Jinja templates.

All figures are computed in other packages; nothing is estimated here. `make_script` writes the work as a script.
"""

from problex.report.material import gather
from problex.report.page import build, check_packages
from problex.report.scripts import Script, Work, make_script

__all__ = [
    "Script",
    "Work",
    "build",
    "check_packages",
    "gather",
    "make_script",
]
