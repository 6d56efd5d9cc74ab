"""What all charts share: the import of Altair, colours, and the forms for a page and for a file.

Text and lines have the colour `currentColor`, so that one chart suits light and dark screens and paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from problex._util.formatting import visible_text
from problex._util.packages import import_optional
from problex._util.records import Record
from problex.explanation.views import COLOURS
from problex.scoring.scores import UNDECIDED

Records = Sequence[Record]
Spec = dict[str, Any]
"""A chart in the JSON of Vega-Lite."""
BLUE, PINK, GREY = "rgb(0,114,178)", "rgb(204,121,167)", "#8c8c8c"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
FILE_WIDTH = 560


def import_altair() -> Any:
    """The package altair; raise an error that says how to install it."""
    return import_optional("altair", "a chart")


def import_vl_convert() -> Any:
    """The package vl_convert, which draws charts; raise an error that says how to install it or altair."""
    import_optional("altair", "a report")
    return import_optional("vl_convert", "a report")


def for_page(chart: Any) -> Spec:
    """The chart for a page: as wide as its container, in the colour of the text, without its title."""
    spec = _make_spec(chart, "container")
    spec.pop("title", None)
    return spec | {
        "background": None,
        "config": _config("currentColor"),
        "autosize": {"type": "fit-x", "contains": "padding"},
    }


def to_svg(chart: Any, width: int) -> str:
    """The drawn chart for a page without scripts: transparent, in the colour of the text, without its title."""
    spec = _make_spec(chart, width)
    spec.pop("title", None)
    svg = import_vl_convert().vegalite_to_svg(spec | {"background": None, "config": _config("currentColor")})
    return str(svg)


def for_file(chart: Any) -> Spec:
    """The chart for a separate file: black on white, with its title."""
    spec = _make_spec(chart, FILE_WIDTH)
    return spec | {"background": "white", "config": _config("#222222")}


def _make_spec(chart: Any, width: int | str) -> Spec:
    """The chart in JSON; its strings have no control characters, at which the renderer would end the process."""
    spec: Spec = _visible(chart.properties(width=width).to_dict())
    return spec


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible_text(value)
    if isinstance(value, list):
        return [_visible(part) for part in value]
    return {visible_text(name): _visible(part) for name, part in value.items()} if isinstance(value, dict) else value


def _config(colour: str) -> Spec:
    """The look of all charts, with text and lines in one colour."""
    lines = {"domainColor": colour, "tickColor": colour, "gridColor": colour}
    opacity = {"domainOpacity": 0.35, "tickOpacity": 0.35, "gridOpacity": 0.12}
    text = {
        "labelColor": colour,
        "titleColor": colour,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
    }
    legend = {
        "orient": "top",
        "title": None,
        "symbolOpacity": 1,
        "symbolStrokeWidth": 2,
        "labelLimit": 200,
        "columns": 3,
    }
    return {
        "font": FONT,
        "aria": False,  # the figure has a label; a label on each of a thousand dots would not help
        "view": {"stroke": None},
        "axis": lines | opacity | text | {"titlePadding": 10, "labelLimit": 150},
        "axisX": {"grid": False},
        "legend": text | legend,
        "title": {"color": colour, "subtitleColor": colour, "anchor": "start", "fontSize": 13},
        "text": {"color": colour, "fontSize": 11},
        "rule": {"color": colour},
    }


def class_colours(classes: Sequence[str]) -> Any:
    """A scale with the colours that mark words in texts; undecided is grey."""
    shades = [f"rgb({COLOURS[at % len(COLOURS)].replace(' ', ',')})" for at in range(len(classes))]
    return import_altair().Scale(domain=[*classes, UNDECIDED], range=[*shades, GREY])


def round_fields(row: Mapping[str, Any], names: Iterable[str]) -> Record:
    """Some fields, rounded to four digits to keep the page small."""
    return {name: float(f"{row[name]:.4g}") if isinstance(row[name], float) else row[name] for name in names}
