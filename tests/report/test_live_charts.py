"""Charts whose data, colours and scales a page can change."""

from __future__ import annotations

from typing import Any

import pytest

from problex import Lexicon, Model, count, estimate
from problex.errors import ProblexError
from problex.evaluation import size_forecast
from problex.report.chart_style import import_vl_convert
from problex.report.live_charts import LIVE_CHARTS, live_chart
from problex.shares import share_table

TEXTS = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", "fine poor film good"] * 20


@pytest.fixture(scope="module")
def model() -> Model:
    lexicon = Lexicon({"negative": ["bad", "poor"], "positive": ["good", "fine"]})
    return estimate(count(TEXTS, lexicon), lexicon)


def records(name: str, model: Model) -> list[dict[str, Any]]:
    if name == "sizes":
        return size_forecast(model, 10, steps=4)
    if name == "shares":
        return share_table(TEXTS, model, by=["north", "south"] * (len(TEXTS) // 2))
    return model.records()


def svg(spec: dict[str, Any], data: dict[str, Any], **parameters: Any) -> str:
    """The chart drawn with data, and with other values of some parameters."""
    params = [one | {"value": parameters.get(one["name"], one.get("value"))} for one in spec["params"]]
    return str(import_vl_convert().vegalite_to_svg(spec | {"params": params, "datasets": data, "width": 300}))


@pytest.mark.parametrize("name", LIVE_CHARTS)
def test_data_and_colours_can_be_changed(name: str, model: Model) -> None:
    chart = live_chart(name, records(name, model), model.classes)
    assert "values" not in [key for part in [chart.spec.get("data", {})] for key in part]
    drawn = svg(chart.spec, dict(chart.data))
    assert "#222222" in drawn
    assert "currentColor" not in drawn
    dark = svg(chart.spec, dict(chart.data), **chart.colours["dark"])
    assert "#222222" not in dark
    assert "#e8e8e8" in dark
    if name != "sizes":
        assert chart.colours["light"]["colour_0"] in drawn
        assert chart.colours["dark"]["colour_0"] in dark
    assert svg(chart.spec, {own: [] for own in chart.data}) != drawn


def test_charts_of_other_data_have_the_same_key(model: Model) -> None:
    rows = model.records()
    other = [row | {"weight": row["weight"] / 2, "cross_count": row["cross_count"] * 4} for row in rows]
    for name in ("frequency", "cross counts"):
        one, two = (live_chart(name, part, model.classes) for part in (rows, other))
        assert one.key == two.key
        assert one.data != two.data
    assert (
        live_chart("cross counts", other, model.classes).domains
        != live_chart("cross counts", rows, model.classes).domains
    )
    assert live_chart("frequency", rows, model.classes).key != live_chart("cross counts", rows, model.classes).key


def test_a_scale_follows_its_parameters(model: Model) -> None:
    chart = live_chart("cross counts", model.records(), model.classes)
    low, high = sorted(chart.domains, key=lambda name: chart.domains[name])
    assert (low, high) == ("domain_0_low", "domain_0_high")
    assert svg(chart.spec, dict(chart.data), domain_0_high=7.0) != svg(chart.spec, dict(chart.data))


def test_an_unknown_chart_is_refused(model: Model) -> None:
    with pytest.raises(ProblexError, match="the chart='pie' was given, expected one of frequency, cross counts, sizes"):
        live_chart("pie", [], model.classes)
