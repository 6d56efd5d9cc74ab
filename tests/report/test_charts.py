from __future__ import annotations

import json
from typing import Any

import pytest

from problex.report.chart_style import JAVASCRIPT_NAMES, for_file, for_page, label_colours, to_svg
from problex.report.charts import (
    MAX_LABELS,
    MAX_POINTS,
    audit_chart,
    cross_count_chart,
    forecast_chart,
    forest_chart,
    frequency_chart,
    scatter_words,
    scores_chart,
    select_words,
    size_chart,
)
from problex.report.share_charts import shares_chart

CLASSES = ("negative", "positive")


def word(at: int, **more: Any) -> dict[str, Any]:
    row = {"entry": f"w{at}", "list": CLASSES[at % 2], "count": at, "weight": at / 100, "predictiveness": at / 3000}
    return row | {"expected_cross_count": 10.0 * at, "cross_count": 8 * at, "discordant": False} | more


def values(chart: Any) -> list[dict[str, Any]]:
    """All rows of a chart, of all layers."""
    rows: list[dict[str, Any]] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            rows.extend(part["values"] if isinstance(part.get("values"), list) and "legend" not in part else [])
            for value in part.values():
                walk(value)
        elif isinstance(part, list):
            for value in part:
                walk(value)

    walk(chart.to_dict())
    return [row for row in rows if isinstance(row, dict)]


def test_a_scatter_plot_has_the_most_frequent_words_and_only_those_that_occur() -> None:
    words = scatter_words([word(at) for at in range(2000)])
    assert len(words) == MAX_POINTS
    assert words[0]["entry"] == "w1999"
    assert min(row["count"] for row in words) == 2000 - MAX_POINTS
    assert {row["ratio"] for row in words} == {0.8}
    assert scatter_words([word(0)]) == []


@pytest.mark.parametrize("draw", [frequency_chart, cross_count_chart])
def test_few_words_are_labelled_and_none_twice(draw: Any) -> None:
    words = scatter_words([word(at, cross_count=at * (at % 13)) for at in range(1, 500)])
    chart = draw(words, CLASSES)
    layers = chart.to_dict()["layer"]
    text = next(part for part in layers if part["mark"]["type"] == "text")
    labelled = text["data"]["values"] if "values" in text["data"] else chart.to_dict()["datasets"][text["data"]["name"]]
    assert 1 < len(labelled) <= MAX_LABELS
    assert len({row["entry"] for row in labelled}) == len(labelled)


@pytest.mark.parametrize(("ratios", "domain"), [((0.25, 0.38), [0.2, 1.0]), ((1.3, 1.7), [0.8, 1.8]), ((), [0.8, 1.0])])
def test_the_line_of_chance_is_inside_the_chart_of_cross_counts(ratios: tuple[float, ...], domain: list[float]) -> None:
    words = scatter_words([word(100, cross_count=1000 * ratio) for ratio in ratios])
    scales = [layer["encoding"]["y"]["scale"] for layer in cross_count_chart(words, CLASSES).to_dict()["layer"]]
    assert all(scale["domain"] == domain for scale in scales)


def test_a_forest_has_intervals_where_there_are_some() -> None:
    plain = values(forest_chart([word(at) for at in range(1, 60)], CLASSES, "positive"))
    assert all(row["from"] == 0 and row["to"] == row["predictiveness"] for row in plain)
    ranged = values(forest_chart([word(at, low=0.1, high=0.9) for at in range(1, 60)], CLASSES, "positive"))
    assert {(row["from"], row["to"]) for row in ranged} == {(0.1, 0.9)}
    assert {row["list"] for row in ranged} == {"positive"}


def share_rows(classes: tuple[str, ...], groups: tuple[str, ...]) -> list[dict[str, Any]]:
    row = {"share": 0.3, "documents": 9, "undecided": 0, "hits": 3}
    return [row | {"group": group, "label": label} for group in groups for label in (*classes, "undecided")]


def estimated_rows(classes: tuple[str, ...], groups: tuple[str, ...]) -> list[dict[str, Any]]:
    """The same with the estimates of an audit."""
    cells = {"estimate": 0.35, "low": 0.2, "high": 0.4, "labels": 7}
    nothing = {"estimate": None, "low": None, "high": None, "labels": 7}
    return [row | (cells if row["label"] in classes else nothing) for row in share_rows(classes, groups)]


def colour_scales(spec: dict[str, Any]) -> list[dict[str, str]]:
    """Label -> colour in each layer with colours."""
    scale = spec.get("encoding", {}).get("color", {}).get("scale")
    own = [dict(zip(scale["domain"], scale["range"], strict=True))] if scale else []
    return own + [colours for layer in spec.get("layer", ()) for colours in colour_scales(layer)]


@pytest.mark.parametrize("groups", [("x", "y"), ("2015", "2016"), ("(all)",)])
@pytest.mark.parametrize("classes", [CLASSES, ("a", "b", "c", "d", "e")])
def test_every_label_and_undecided_has_its_share_and_its_colour(
    classes: tuple[str, ...], groups: tuple[str, ...]
) -> None:
    chart = shares_chart(share_rows(classes, groups), classes)
    assert {row["label"] for row in values(chart) if "label" in row} == {*classes, "undecided"}
    colours, scales = label_colours(classes), colour_scales(chart.to_dict())
    assert len(scales) > 0
    assert all(scale == colours for scale in scales)
    assert len(set(colours.values())) == len(classes) + 1


def test_the_colours_of_the_largest_labels_are_those_of_all_charts() -> None:
    classes = tuple(f"list {at}" for at in range(9))
    rows = share_rows(classes, ("x", "y"))
    rows = [row | {"hits": 9} if row["label"] == "list 8" else row for row in rows]
    for scale in colour_scales(shares_chart(rows, classes).to_dict()):
        assert scale["list 8"] == label_colours(classes)["list 8"]


def test_charts_of_single_labels_over_time_have_the_same_scale() -> None:
    """The highest interval ends at .9; shares at the axis are 0, .5 and 1."""
    rows = estimated_rows(("a", "b", "c"), ("2015", "2016"))
    rows[0]["high"] = 0.9
    charts = [shares_chart(rows, ("a", "b", "c"), only=label) for label in ("a", "b")]
    assert [{row["label"] for row in values(chart)} for chart in charts] == [{"a"}, {"b"}]
    axes = [layer["encoding"]["y"] for chart in charts for layer in chart.to_dict()["layer"]]
    assert [axis["scale"]["domain"] for axis in axes] == [[0, 1.0]] * 4
    assert [axis["axis"]["values"] for axis in axes] == [[0.0, 0.5, 1.0]] * 4


def test_twelve_labels_have_twelve_colours() -> None:
    assert len(set(label_colours([f"list {at}" for at in range(12)]).values())) == 13


def legends(spec: dict[str, Any]) -> list[Any]:
    channel = spec.get("encoding", {}).get("color", {})
    own = [channel["legend"]] if "legend" in channel else []
    return own + [legend for layer in spec.get("layer", ()) for legend in legends(layer)]


@pytest.mark.parametrize("groups", [("x", "y"), ("2015", "2016")])
def test_a_page_with_a_legend_of_its_own_has_none_in_the_chart(groups: tuple[str, ...]) -> None:
    chart = shares_chart(estimated_rows(CLASSES, groups), CLASSES)
    assert legends(for_page(chart, legend=False)) == [None, None]
    for spec in (for_page(chart), for_file(chart)):
        assert [legend["values"] for legend in legends(spec)] == [list(CLASSES)] * 2
    plain = shares_chart(share_rows(CLASSES, groups), CLASSES)
    assert [legend["values"] for legend in legends(for_page(plain))] == [[*CLASSES, "undecided"]]


@pytest.mark.parametrize("groups", [("x", "y"), ("2015", "2016"), ("(all)",)])
def test_only_estimates_have_intervals(groups: tuple[str, ...]) -> None:
    """Shares of predicted labels have none; a chart of estimates shows them in place of the predicted shares."""
    plain, estimated = (values(shares_chart(rows(CLASSES, groups), CLASSES)) for rows in (share_rows, estimated_rows))
    assert {row["share"] for row in plain if "label" in row} == {0.3}
    assert {row["share"] for row in estimated if "label" in row} == {0.35}
    drawn = [
        json.dumps(shares_chart(rows(CLASSES, groups), CLASSES).to_dict()) for rows in (share_rows, estimated_rows)
    ]
    assert ["95% interval" in text for text in drawn] == [False, True]
    assert ["rule" in text or "area" in text for text in drawn] == [False, True]
    titled = " ".join(
        shares_chart(estimated_rows(CLASSES, groups), CLASSES, title="Shares").to_dict()["title"]["subtitle"]
    )
    assert "intervals of the shares of the true labels, estimated from" in titled
    assert "largest of" not in titled


def charts() -> dict[str, Any]:
    words = scatter_words([word(at) for at in range(1, 30)])
    shares = share_rows(CLASSES, ("2015", "2016"))
    figure = {"measure": "accuracy", "label": "", "value": 0.8, "low": 0.7, "high": 0.9}
    size = {"entries": 3, "accuracy": 0.7}
    bar = {"low": 0.0, "high": 0.5, "documents": 3}
    return {
        "forest": forest_chart([word(at) for at in range(1, 30)], CLASSES, "negative"),
        "empty forest": forest_chart([], CLASSES, "negative"),
        "frequency": frequency_chart(words, CLASSES),
        "cross counts": cross_count_chart(words, CLASSES),
        "no cross counts": cross_count_chart([], CLASSES),
        "scores": scores_chart([bar | {"label": "positive"}, bar | {"label": "undecided"}], CLASSES),
        "three": scores_chart([bar | {"label": "a"}], ("a", "b", "c")),
        "size": size_chart([size | {"order": o, "rule": r} for o in "ab" for r in "xy"]),
        "a label over time": shares_chart(shares, CLASSES, only="positive"),
        "audit": audit_chart([figure | {"expected": 0.95}, figure | {"measure": "auc", "expected": None}]),
    }


@pytest.mark.parametrize("name", list(charts()))
def test_charts_can_be_drawn_for_page_and_file(name: str) -> None:
    import vl_convert

    chart = charts()[name]
    chart.to_dict()  # validates it, which the page does not
    page, file = for_page(chart), for_file(chart)
    assert page["background"] is None
    assert file["background"] == "white"
    assert "currentColor" not in json.dumps(file["config"])
    assert "<svg" in vl_convert.vegalite_to_svg(file)
    assert "currentColor" in to_svg(chart, 300)


def test_a_forecast_keeps_its_warning_only_in_a_file() -> None:
    rows: list[dict[str, Any]] = [
        {"tokens": 10, "multinomial": 0.8, "dcm": 0.7},
        {"tokens": "all", "multinomial": 0.9, "dcm": 0.8},
    ]
    chart = forecast_chart(rows, "Real accuracy is usually lower than this forecast, especially for long texts")
    assert for_file(chart)["title"]["subtitle"] == [
        "Real accuracy is usually lower than this forecast, especially for long texts"
    ]
    assert "title" not in for_page(chart)
    assert {row["tokens"] for row in values(chart)} == {10}


def test_the_heaviest_and_the_most_frequent_words_without_weight_are_selected() -> None:
    """Of 200 words only the 100 most frequent count; weights below 0.05 are none."""
    rows = [word(at, weight=0.05 if at == 150 else 0.049 if at in (151, 152) else 0.5) for at in range(1, 201)]
    rows += [word(300, weight=0.9), word(50, entry="rare", weight=2.0), word(0, weight=3.0)]
    assert [row["entry"] for row in select_words(rows, heaviest=1, weightless=4)] == ["w300", "w152", "w151"]


@pytest.mark.parametrize("name", sorted(JAVASCRIPT_NAMES))
def test_names_that_every_object_of_javascript_has_are_names_like_others(name: str) -> None:
    row = {"documents": 30, "undecided": 0, "hits": 15, "share": 0.5, "share_decided": 0.5}
    rows = [{"group": group, "label": label, **row} for group in (name, "x") for label in (name, "y")]
    drawn = to_svg(shares_chart(rows, (name, "y")), 300)
    assert f">{name}\u2060<" in drawn
