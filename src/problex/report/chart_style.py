"""What all charts share: the import of Altair, colours, and the forms for a page and for a file: PNG, SVG or HTML.

Text and lines have the colour `currentColor`, so that one chart suits light and dark screens and paper.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import visible_text
from problex._util.late import import_optional
from problex._util.records import Record
from problex.errors import OutputError
from problex.explanation.views import COLOURS
from problex.scoring.scores import UNDECIDED

Records = Sequence[Record]
Spec = dict[str, Any]
"""A chart in the JSON of Vega-Lite."""
INK, GREY = "currentColor", "#8c8c8c"
"""Colours of what is no label: the colour of the text, and that of undecided documents."""
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
FILE_WIDTH, PNG_SCALE = 560, 2.0
JAVASCRIPT_NAMES = frozenset(
    f"__{name}__" for name in ("defineGetter", "defineSetter", "lookupGetter", "lookupSetter", "proto")
) | {"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"}
TITLE_WIDTH, SUBTITLE_WIDTH = 76, 110
"""Characters in a line of a title, and of the smaller line below it."""


def import_altair() -> Any:
    """The package altair; raise an error that says how to install it."""
    return import_optional("altair", "a chart")


def import_vl_convert() -> Any:
    """The package vl_convert, which draws charts; raise an error that says how to install it or altair."""
    import_optional("altair", "a report")
    return import_optional("vl_convert", "a report")


class Parameters:
    """What a page can change in a chart: nothing, in a report. Charts declare their data, colours and limits by it."""

    def data(self, rows: Records) -> Any:
        """The rows of a chart or a layer."""
        return import_altair().Data(values=list(rows))

    def colour(self, name: str, usual: str) -> Any:
        """A colour, by its name and as it usually is."""
        return usual

    def limits(self, low: float, high: float) -> list[Any]:
        """The ends of a scale."""
        return [low, high]


FIXED = Parameters()


def for_page(chart: Any, *, legend: bool = True, ink: Any = INK) -> Spec:
    """The chart for a page: as wide as its container, with text and lines in `ink`, without its title.

    Without its `legend`, if the page has one beside it.
    """
    return _for_html(chart, "container", legend=legend) | {
        "background": None,
        "config": _config(ink),
        "autosize": {"type": "fit-x", "contains": "padding"},
    }


def to_svg(chart: Any, width: int, *, legend: bool = True) -> str:
    """The drawn chart for a page without scripts: transparent, in the colour of the text, without its title."""
    spec = _for_html(chart, width, legend=legend)
    svg = import_vl_convert().vegalite_to_svg(spec | {"background": None, "config": _config(INK)})
    return str(svg)


def _for_html(chart: Any, width: int | str, *, legend: bool) -> Spec:
    spec = _make_spec(chart, width)
    spec.pop("title", None)
    if not legend:
        _remove_legends(spec)
    return spec


def _remove_legends(spec: Spec) -> None:
    """Remove the legends of a chart and of its layers.

    >>> spec = {"encoding": {"x": {}}, "layer": [{"encoding": {"color": {"legend": {"columns": 2}}}}]}
    >>> _remove_legends(spec)
    >>> spec
    {'encoding': {'x': {}}, 'layer': [{'encoding': {'color': {'legend': None}}}]}
    """
    for channel in spec.get("encoding", {}).values():
        if "legend" in channel:
            channel["legend"] = None
    for layer in spec.get("layer", ()):
        _remove_legends(layer)


def for_file(chart: Any) -> Spec:
    """The chart for a separate file: black on white, with its title."""
    spec = _make_spec(chart, FILE_WIDTH)
    return spec | {"background": "white", "config": _config("#222222")}


def with_title(chart: Any, title: str, subtitle: str) -> Any:
    """A chart with a title and a smaller text below it, both wrapped."""
    lines, small = textwrap.wrap(title, TITLE_WIDTH), textwrap.wrap(subtitle, SUBTITLE_WIDTH)
    heading = import_altair().Title(lines, subtitle=small, fontSize=15, subtitlePadding=4, offset=12)
    return chart.properties(title=heading)


def has_title(chart: Any) -> bool:
    """Whether a chart has a title of its own."""
    return chart.title is not import_altair().Undefined


def _make_spec(chart: Any, width: int | str) -> Spec:
    """The chart in JSON; its strings have no control characters, at which the renderer would end the process."""
    # Altair's validation would take half of the time of a page; the tests validate every kind of chart.
    spec: Spec = visible(chart.properties(width=width).to_dict(validate=False))
    return spec


def visible(value: Any) -> Any:
    r"""The same value with safe texts.

    >>> visible({"title": "a\x00b", "values": [1.5, "toString"]})
    {'title': 'a␀b', 'values': [1.5, 'toString\u2060']}
    """
    if isinstance(value, str):
        return _safe_text(value)
    if isinstance(value, list):
        return [visible(part) for part in value]
    return {_safe_text(name): visible(part) for name, part in value.items()} if isinstance(value, dict) else value


def _safe_text(text: str) -> str:
    """A text for a chart; a name that every object of JavaScript has gets an invisible character, U+2060, at its end.

    Vega looks values up by their names, and takes a group called "constructor" for a function.
    """
    return visible_text(text) + "\u2060" * (text in JAVASCRIPT_NAMES)


def _config(colour: Any) -> Spec:
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
        "axisX": {"grid": False, "labelOverlap": "greedy", "labelSeparation": 6},
        "legend": text | legend,
        "title": {"color": colour, "subtitleColor": colour, "anchor": "start", "fontSize": 13},
        "text": {"color": colour, "fontSize": 11},
        "rule": {"color": colour},
    }


def label_colours(classes: Sequence[str]) -> dict[str, str]:
    """The colours of the labels, which also mark words in texts; undecided is grey.

    >>> label_colours(["bad", "good"])
    {'bad': 'rgb(213,94,0)', 'good': 'rgb(0,158,115)', 'undecided': '#8c8c8c'}
    """
    shades = [f"rgb({COLOURS[at % len(COLOURS)].replace(' ', ',')})" for at in range(len(classes))]
    return dict(zip(classes, shades, strict=True)) | {UNDECIDED: GREY}


def class_colours(classes: Sequence[str], parameters: Parameters = FIXED) -> Any:
    """A scale with the colours of the labels."""
    colours = label_colours(classes)
    names = [*(f"colour_{at % len(COLOURS)}" for at in range(len(classes))), "grey"]
    shades = [parameters.colour(*pair) for pair in zip(names, colours.values(), strict=True)]
    return import_altair().Scale(domain=list(colours), range=shades)


def round_fields(row: Mapping[str, Any], names: Iterable[str]) -> Record:
    """Some fields, rounded to four digits to keep the page small.

    >>> round_fields({"entry": "good", "weight": 0.123456, "count": 12345}, ["entry", "weight"])
    {'entry': 'good', 'weight': 0.1235}
    """
    return {name: float(f"{row[name]:.4g}") if isinstance(row[name], float) else row[name] for name in names}


# -- files


def _png(spec: Spec) -> bytes:
    return bytes(import_vl_convert().vegalite_to_png(spec, scale=PNG_SCALE))


def _svg(spec: Spec) -> bytes:
    return str(import_vl_convert().vegalite_to_svg(spec)).encode()


def _html(spec: Spec) -> bytes:
    return str(import_vl_convert().vegalite_to_html(spec, bundle=True)).encode()


CHART_FORMATS: dict[str, Callable[[Spec], bytes]] = {".png": _png, ".svg": _svg, ".html": _html}
"""Suffix -> how a chart is drawn."""


def check_chart_file(path: Path, *, force: bool = False) -> None:
    """Raise if a chart cannot be written to a file, before the work begins.

    >>> check_chart_file(Path("shares.gif"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.OutputError: 'shares.gif' has no known suffix for a chart, expected one of ...
    """
    if path.suffix.lower() not in CHART_FORMATS:
        raise OutputError(f"{path.name!r} has no known suffix for a chart, expected one of {', '.join(CHART_FORMATS)}")
    check_writable(path, force=force)
    import_vl_convert()


def write_chart(chart: Any, path: Path, *, force: bool = False) -> None:
    """Write a chart with its title, black on white."""
    check_chart_file(path, force=force)
    content = CHART_FORMATS[path.suffix.lower()](for_file(chart))
    write_atomically(path, lambda part: part.write_bytes(content), force=force)
