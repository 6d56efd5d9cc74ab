"""One self-contained HTML page about a model and a corpus: sections as values, charts, Jinja templates.

All figures are computed in other packages; nothing is estimated here.
"""

from problex.report.material import Material, gather
from problex.report.page import Page, build, check_packages, save_charts

__all__ = ["Material", "Page", "build", "check_packages", "gather", "save_charts"]
