"""One self-contained HTML page about a model and a corpus: sections, charts, styles.

All figures come from other packages; nothing is estimated here.
"""

from problex.report.material import Material, gather
from problex.report.page import Page, build, save_charts

__all__ = ["Material", "Page", "build", "gather", "save_charts"]
