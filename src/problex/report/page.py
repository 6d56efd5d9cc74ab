"""One self-contained page about a model and some texts: it opens anywhere, without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from problex._util.formatting import format_percent, pluralize
from problex._version import __version__
from problex.errors import OutputError, ProblexError
from problex.report import model_sections as report_parts
from problex.report import text_sections as report_texts
from problex.report.charts import for_file, for_page
from problex.report.markup import Section, text
from problex.report.material import Material, gather
from problex.report.style import CSS, POLICY, SCRIPT

__all__ = ["Page", "build", "check_packages", "gather", "save_charts"]

SECTIONS: dict[str, Callable[[Material], Section | None]] = {
    "method": report_parts.what_was_done,
    "coverage": report_parts.covered,
    "words": report_parts.weights,
    "meetings": report_parts.meetings,
    "labels": report_texts.scores,
    "groups": report_texts.groups,
    "accuracy": report_parts.beliefs,
    "audit": report_texts.audit,
    "size": report_parts.sizes,
    "documents": report_texts.documents,
    "doctor": report_texts.findings,
}
"""The parts of a report, in order; one that has nothing to show gives None."""


@dataclass(frozen=True, eq=False)
class Page:
    """A report: the page, and its charts by name."""

    html: str
    charts: Mapping[str, Any]


def build(given: Material) -> Page:
    """The page of a material."""
    drawing = check_packages()
    made = {name: part(given) for name, part in SECTIONS.items()}
    parts = {name: section for name, section in made.items() if section is not None}
    charts = {name: chart for section in parts.values() for name, chart in section.charts.items()}
    body = "\n".join(
        f'<section id="{name}"><h2>{text(section.title)}</h2>\n{section.html}</section>'
        for name, section in parts.items()
    )
    body = re.sub("<!--still:(.*?)-->", lambda found: _still(found[1], charts[found[1]], drawing), body)
    contents = "".join(f'<li><a href="#{name}">{text(section.title)}</a></li>' for name, section in parts.items())
    opening = f'{_opening(given)}\n<nav aria-label="Contents"><ol>{contents}</ol></nav>'
    specs = {name: for_page(chart) for name, chart in charts.items()}
    return Page(_page(text(given.title or "Report"), opening, body, script_json(specs), _library(drawing)), charts)


def _page(title: str, opening: str, body: str, specs: str, library: str) -> str:
    """The frame of the page around its parts, all of which are HTML."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="problex {__version__}">
<title>{title}</title>
<style>{CSS}</style>
</head>
<body>
<div class="page">
<header><h1>{title}</h1>
{opening}</header>
<main>
{body}
</main>
</div>
<script type="application/json" id="charts">{specs}</script>
<script>(() => {{ {library} }})();</script>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _opening(given: Material) -> str:
    """One sentence and the figures that matter most."""
    seen, model = given.overview, given.model
    said = (
        f"{pluralize(seen.documents, 'document')}, {' or '.join(model.classes)} by "
        f"{pluralize(len(model.lexicon), 'entry', 'entries')} whose weights were learned without labels"
    )
    last = seen.labels[-1]
    share = format_percent(last["share"])
    figures = {
        f"{pluralize(seen.documents, 'document')[len(f'{seen.documents:,}') + 1 :]}": f"{seen.documents:,}",
        f"of the decided are {last['label']}": share,
        "have a word with a weight": format_percent(1 - seen.unmatched / seen.documents),
    }
    if given.audit is not None:
        figures["right, by the labels of the audit"] = f"{given.audit['accuracy'].value:.1%}"
    elif given.believed is not None:
        figures["right, as the model believes: real accuracy is usually lower"] = f"{given.believed:.1%}"
    shown = "".join(f"<div><dt>{text(what)}</dt><dd>{text(value)}</dd></div>" for what, value in figures.items())
    return f'<p class="by">{text(said)}.</p>\n<dl class="figures">{shown}</dl>'


def script_json(value: Any) -> str:
    """JSON that may stand inside a script element: nothing in it can end that element.

    >>> script_json({"word": "</script><b>"})
    '{"word":"\\\\u003c/script>\\\\u003cb>"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def check_packages() -> Any:
    """The package that draws, or a word about the one that is missing."""
    try:
        import altair  # noqa: F401
        import vl_convert
    except ImportError as error:
        raise ProblexError(
            f"a report needs the package {error.name!r}, which is not installed: pip install 'problex[report]'"
        ) from None
    return vl_convert


def _library(drawing: Any) -> str:
    """Vega, Vega-Lite and vega-embed in one script."""
    return str(drawing.javascript_bundle()).replace("</script", "<\\/script")


def _still(name: str, chart: Any, drawing: Any) -> str:
    """The chart as a picture, for readers without scripts; those of weights stand two in a row."""
    svg = drawing.vegalite_to_svg(for_file(chart, 220 if name.startswith("weights") else 560, page=True))
    return f'<noscript><div class="still">{svg}</div></noscript>'


def save_charts(charts: Mapping[str, Any], folder: Path) -> Iterable[Path]:
    """Every chart as PNG and SVG, black on white; says where each is."""
    drawing = check_packages()
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{str(folder)!r} is a file, expected a folder for the charts: choose another name")
    folder.mkdir(parents=True, exist_ok=True)
    for name, chart in charts.items():
        spec = for_file(chart)
        svg, png = folder / f"{name}.svg", folder / f"{name}.png"
        svg.write_text(drawing.vegalite_to_svg(spec), encoding="utf-8")
        png.write_bytes(drawing.vegalite_to_png(spec, scale=2.0))
        yield from (svg, png)
