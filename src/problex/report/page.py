"""The page: sections rendered into one self-contained HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from problex._util.formatting import join_with_or, pluralize, template_environment
from problex._version import __version__
from problex.errors import OutputError
from problex.report import model_sections, share_sections, text_sections
from problex.report.blocks import Figure, Section
from problex.report.chart_style import has_title, import_vl_convert, with_title, write_chart
from problex.report.material import Material

SAVED_FORMATS = (".svg", ".png")
"""Suffixes of the files of each chart."""
SECTIONS: dict[str, Callable[[Material], Section | None]] = {
    "labels": share_sections.labels_section,
    "groups": share_sections.groups_section,
    "audit": model_sections.audit_section,
    "accuracy": model_sections.forecast_section,
    "scores": model_sections.certainty_section,
    "coverage": model_sections.coverage_section,
    "words": model_sections.weights_section,
    "documents": text_sections.documents_section,
    "doctor": text_sections.findings_section,
    "size": model_sections.sizes_section,
    "cross-counts": model_sections.cross_counts_section,
    "method": model_sections.method_section,
}
"""The sections of a report in order, by their ids; a section without content is None."""


@dataclass(frozen=True, eq=False)
class Page:
    """A report: the HTML, and the Altair charts by name."""

    html: str
    charts: Mapping[str, Any]


def build(material: Material, on_step: Callable[[str], None] = lambda step: None) -> Page:
    """Render a report; `on_step` is called with the name of each step when it begins."""
    check_packages()
    on_step("drawing the charts")
    made = {name: make(material) for name, make in SECTIONS.items()}
    sections = {name: section for name, section in made.items() if section is not None}
    number = pluralize(material.overview.documents, "document")
    return render_page(
        material.title or "Report", _subtitle(material), share_sections.key_figures(material), sections, number
    )


def render_page(
    title: str, subtitle: str, key_figures: Sequence[object], sections: Mapping[str, Section], number: str
) -> Page:
    """A page of sections by their ids; `number` says how many documents there are, below each chart in a file."""
    figures = [figure for section in sections.values() for figure in section.figures]
    template = template_environment("problex.report", "problex.explanation").get_template("page.html.jinja")
    html = template.render(
        title=title,
        subtitle=subtitle,
        key_figures=key_figures,
        sections=sections,
        specs={figure.name: figure.spec for figure in figures},
        vega=_vega_script(),
        version=__version__,
    )
    charts = [_titled(figure, section, number) for section in sections.values() for figure in section.figures]
    return Page(html, dict(charts))


def _titled(figure: Figure, section: Section, number: str) -> tuple[str, Any]:
    """Name and chart for a file of its own, where the chart needs what the page says around it."""
    if has_title(figure.chart):
        return figure.name, figure.chart
    return figure.name, with_title(figure.chart, section.title, f"{figure.caption} {number} in all.")


def check_packages() -> None:
    """Raise if a package that a report needs is not installed."""
    import_vl_convert()


def _subtitle(material: Material) -> str:
    model = material.model
    return (
        f"{pluralize(material.overview.documents, 'document')}, classified as {join_with_or(model.classes)} by "
        f"{pluralize(len(model.lexicon), 'entry', 'entries')} with weights learned without labels."
    )


def _vega_script() -> str:
    """Vega, Vega-Lite and vega-embed in one script, which cannot end its script element."""
    return str(import_vl_convert().javascript_bundle()).replace("</script", "<\\/script")


def check_charts_folder(folder: Path, *, force: bool = True) -> None:
    """Raise if charts cannot be saved in a folder, which is made if there is none; without `force`, if it has some."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{str(folder)!r} is a file, expected a folder for the charts: choose another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"the folder {str(folder)!r} cannot be made: {error.strerror or error}") from error
    found = sorted(path.name for path in folder.iterdir() if path.suffix in SAVED_FORMATS)
    if found and not force:
        raise OutputError(
            f"the folder {str(folder)!r} has charts already ({found[0]}): choose another folder, or add --force to "
            "replace those of the same name"
        )


def save_charts(charts: Mapping[str, Any], folder: Path, *, force: bool = True) -> Iterable[Path]:
    """Save every chart as SVG and PNG, black on white; yield the paths. Without `force`, raise if a file exists."""
    check_charts_folder(folder, force=force)
    for name, chart in charts.items():
        for suffix in SAVED_FORMATS:
            write_chart(chart, folder / f"{name}{suffix}", force=force)
            yield folder / f"{name}{suffix}"
