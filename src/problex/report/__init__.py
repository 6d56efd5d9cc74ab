"""One self-contained HTML page about a model and a corpus: sections as values, charts, Jinja templates.

All figures are computed in other packages; nothing is estimated here. `make_script` writes the work as a script.
"""

from problex.report.live_charts import LIVE_CHARTS, LiveChart, live_chart
from problex.report.material import Material, gather
from problex.report.page import Page, build, check_packages, save_charts
from problex.report.scripts import Script, Work, make_script

__all__ = [
    "LIVE_CHARTS",
    "LiveChart",
    "Material",
    "Page",
    "Script",
    "Work",
    "build",
    "check_packages",
    "gather",
    "live_chart",
    "make_script",
    "save_charts",
]
