"""Charts for a page that stays open: named data, and colours and scales as parameters that the page can change."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from problex.errors import check_choice
from problex.report.chart_style import GREY, INK, Records, Spec, for_page, label_colours
from problex.report.document_charts import size_chart
from problex.report.share_charts import shares_chart
from problex.report.word_charts import cross_count_chart, frequency_chart, scatter_words

LIVE_CHARTS: dict[str, Callable[[Records, Sequence[str]], Any]] = {
    "frequency": lambda records, classes: frequency_chart(scatter_words(records), classes),
    "cross counts": lambda records, classes: cross_count_chart(scatter_words(records), classes),
    "sizes": lambda records, classes: size_chart(records),
    "shares": lambda records, classes: shares_chart(records, classes),
}
"""The charts by name: weight against frequency and observed against expected cross counts, both from `Model.records`;
lexicon size against forecast, from `size_forecast`; shares by group or date, from `share_records`."""
SCHEMES = {"light": ("#222222", "#767676", 0.0), "dark": ("#e8e8e8", "#9a9a9a", 0.25)}
"""For each scheme the colour of text and lines, that of undecided documents, and how much white labels have more."""


@dataclass(frozen=True)
class LiveChart:
    """A chart in Vega-Lite without its data: `data` has the rows of each of its data sets, by name.

    `colours` has, for the schemes "light" and "dark", the values of its parameters of colour; `domains` those of its
    parameters of scales. The spec has those of the light scheme. Two charts with the same `key` differ in data and
    parameters only, so that a page can change these (`view.data`, `view.signal`) instead of drawing anew.
    """

    spec: Spec
    data: Mapping[str, Records]
    colours: Mapping[str, Mapping[str, str]]
    domains: Mapping[str, float]
    key: str


def live_chart(name: str, records: Records, classes: Sequence[str]) -> LiveChart:
    """One of `LIVE_CHARTS` for records, with the colours of the classes."""
    check_choice("the chart", name, LIVE_CHARTS)
    spec = for_page(LIVE_CHARTS[name](records, classes))
    data: dict[str, Records] = {}
    for part in _parts(spec):
        if isinstance(part.get("data"), dict) and isinstance(part["data"].get("values"), list):
            own = f"rows_{len(data)}"
            data[own], part["data"] = part["data"]["values"], {"name": own}
    domains = _parametrize_domains(spec)
    colours = {scheme: _colours(classes, scheme) for scheme in SCHEMES}
    names = {shade: own for own, shade in _spec_colours(classes).items()}
    spec = _replace_colours(spec, names)
    key = hashlib.sha256(json.dumps([spec, sorted(colours["light"])], sort_keys=True).encode()).hexdigest()[:16]
    values = {**colours["light"], **domains}
    spec["params"] = [*spec.get("params", []), *({"name": own, "value": value} for own, value in values.items())]
    return LiveChart(spec, data, colours, domains, key)


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a spec."""
    if isinstance(value, dict):
        yield value
        for part in list(value.values()):
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)


def _parametrize_domains(spec: Spec) -> dict[str, float]:
    """Make a parameter of each end of a scale from one number to another; return their values."""
    values: dict[str, float] = {}
    names: dict[tuple[float, float], list[dict[str, str]]] = {}
    for part in _parts(spec):
        domain = part.get("domain")
        if isinstance(domain, list) and len(domain) == 2 and all(type(end) in (int, float) for end in domain):
            ends = float(domain[0]), float(domain[1])
            if ends not in names:
                own = [f"domain_{len(names)}_{side}" for side in ("low", "high")]
                names[ends] = [{"expr": name} for name in own]
                values |= dict(zip(own, ends, strict=True))
            part["domain"] = names[ends]
    return values


def _spec_colours(classes: Sequence[str]) -> dict[str, str]:
    """The parameters of colours, and the colours that stand for them in charts of the report."""
    shades = dict.fromkeys(shade for shade in label_colours(classes).values() if shade != GREY)
    return {"ink": INK, "grey": GREY} | {f"colour_{at}": shade for at, shade in enumerate(shades)}


def _colours(classes: Sequence[str], scheme: str) -> dict[str, str]:
    """The values of the parameters of colours."""
    ink, grey, white = SCHEMES[scheme]
    labels = {name: shade for name, shade in _spec_colours(classes).items() if name not in ("ink", "grey")}
    return {"ink": ink, "grey": grey} | {name: _lighter(shade, white) for name, shade in labels.items()}


def _lighter(colour: str, white: float) -> str:
    """A colour mixed with white.

    >>> _lighter("rgb(200,100,0)", 0.5)
    'rgb(228,178,128)'
    """
    parts = [round(int(part) + white * (255 - int(part))) for part in re.findall(r"\d+", colour)]
    return f"rgb({','.join(map(str, parts))})"


def _replace_colours(value: Any, names: Mapping[str, str]) -> Any:
    """The spec with expressions for the colours that are parameters."""
    if isinstance(value, str):
        return {"expr": names[value]} if value in names else value
    if isinstance(value, list):
        return [_replace_colours(part, names) for part in value]
    return {key: _replace_colours(part, names) for key, part in value.items()} if isinstance(value, dict) else value
