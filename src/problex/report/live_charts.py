"""Charts for a page that stays open: their data, colours and limits are parameters that the page can change."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from problex.errors import check_choice
from problex.report.chart_style import INK, Parameters, Records, Spec, for_page, import_altair, visible
from problex.report.charts import cross_count_chart, frequency_chart, scatter_words, size_chart
from problex.report.share_charts import shares_chart

LIVE_CHARTS: dict[str, Callable[[Records, Sequence[str], Parameters], Any]] = {
    "frequency": lambda records, classes, parameters: frequency_chart(scatter_words(records), classes, parameters),
    "cross counts": lambda records, classes, parameters: cross_count_chart(scatter_words(records), classes, parameters),
    "sizes": lambda records, classes, parameters: size_chart(records, parameters),
    "shares": lambda records, classes, parameters: shares_chart(records, classes, parameters=parameters),
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


class LiveParameters(Parameters):
    """The parameters that a chart has declared: its data sets, the usual colours, and the ends of its scales."""

    def __init__(self) -> None:
        self.rows: dict[str, Records] = {}
        self.colours: dict[str, str] = {}
        self.ends: dict[str, float] = {}

    def data(self, rows: Records) -> Any:
        """Rows by a name.

        >>> parameters = LiveParameters()
        >>> [parameters.data([{"count": number}]).name for number in (1, 2)], parameters.rows["rows_1"]
        (['rows_0', 'rows_1'], [{'count': 2}])
        """
        name = f"rows_{len(self.rows)}"
        self.rows[name] = visible(list(rows))
        return import_altair().NamedData(name=name)

    def colour(self, name: str, usual: str) -> Any:
        """The value of a parameter with this name."""
        self.colours[name] = usual
        return {"expr": name}

    def limits(self, low: float, high: float) -> list[Any]:
        """The values of two parameters.

        >>> parameters = LiveParameters()
        >>> parameters.limits(0, 0.5), parameters.ends
        ([{'expr': 'domain_0_low'}, {'expr': 'domain_0_high'}], {'domain_0_low': 0.0, 'domain_0_high': 0.5})
        """
        names = [f"domain_{len(self.ends) // 2}_{side}" for side in ("low", "high")]
        self.ends |= dict(zip(names, (float(low), float(high)), strict=True))
        return [{"expr": name} for name in names]

    def scheme(self, name: str) -> dict[str, str]:
        """The colours in a scheme."""
        ink, grey, white = SCHEMES[name]
        return {key: lighter(usual, white) for key, usual in self.colours.items()} | {"ink": ink, "grey": grey}


def live_chart(name: str, records: Records, classes: Sequence[str]) -> LiveChart:
    """One of `LIVE_CHARTS` for records, with the colours of the classes."""
    check_choice("the chart", name, LIVE_CHARTS)
    parameters = LiveParameters()
    chart = LIVE_CHARTS[name](records, classes, parameters)
    spec = for_page(chart, ink=parameters.colour("ink", INK))
    colours = {scheme: parameters.scheme(scheme) for scheme in SCHEMES}
    key = hashlib.sha256(json.dumps([spec, sorted(colours["light"])], sort_keys=True).encode()).hexdigest()[:16]
    values = {**colours["light"], **parameters.ends}
    spec["params"] = [*spec.get("params", []), *({"name": one, "value": value} for one, value in values.items())]
    return LiveChart(spec, parameters.rows, colours, parameters.ends, key)


def lighter(colour: str, white: float) -> str:
    """A colour mixed with white.

    >>> lighter("rgb(200,100,0)", 0.5)
    'rgb(228,178,128)'
    """
    parts = [round(int(part) + white * (255 - int(part))) for part in re.findall(r"\d+", colour)]
    return f"rgb({','.join(map(str, parts))})"
