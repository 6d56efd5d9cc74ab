from __future__ import annotations

import json
from typing import Any

import pytest

from problex.report.charts import (
    LABELLED,
    POINTS,
    audit_chart,
    cloud_words,
    cross_chart,
    for_file,
    for_page,
    forest_chart,
    frequency_chart,
    scores_chart,
    shares_chart,
    size_chart,
)

CLASSES = ("negative", "positive")


def word(at: int, **more: Any) -> dict[str, Any]:
    row = {"entry": f"w{at}", "list": CLASSES[at % 2], "count": at, "weight": at / 100, "predictiveness": at / 3000}
    return row | {"expected_cross_count": 10.0 * at, "cross_count": 8 * at, "discordant": False} | more


def values(chart: Any) -> list[dict[str, Any]]:
    """All rows of a chart, however its layers share them."""
    found: list[dict[str, Any]] = []

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            found.extend(part["values"] if isinstance(part.get("values"), list) and "legend" not in part else [])
            for value in part.values():
                walk(value)
        elif isinstance(part, list):
            for value in part:
                walk(value)

    walk(chart.to_dict())
    return [row for row in found if isinstance(row, dict)]


def test_a_cloud_has_the_most_frequent_words_and_only_those_that_occur() -> None:
    words = cloud_words([word(at) for at in range(2000)])
    assert len(words) == POINTS
    assert words[0]["entry"] == "w1999"
    assert min(row["count"] for row in words) == 2000 - POINTS
    assert {row["ratio"] for row in words} == {0.8}
    assert cloud_words([word(0)]) == []


@pytest.mark.parametrize("draw", [frequency_chart, cross_chart])
def test_few_words_are_written_and_none_on_top_of_another(draw: Any) -> None:
    words = cloud_words([word(at, cross_count=at * (at % 13)) for at in range(1, 500)])
    chart = draw(words, CLASSES)
    layers = chart.to_dict()["layer"]
    text = next(part for part in layers if part["mark"]["type"] == "text")
    said = text["data"]["values"] if "values" in text["data"] else chart.to_dict()["datasets"][text["data"]["name"]]
    assert 1 < len(said) <= LABELLED
    assert len({row["entry"] for row in said}) == len(said)


def test_a_forest_has_intervals_where_there_are_some() -> None:
    plain = values(forest_chart([word(at) for at in range(1, 60)], CLASSES, "positive"))
    assert all(row["from"] == 0 and row["to"] == row["predictiveness"] for row in plain)
    ranged = values(forest_chart([word(at, low=0.1, high=0.9) for at in range(1, 60)], CLASSES, "positive"))
    assert {(row["from"], row["to"]) for row in ranged} == {(0.1, 0.9)}
    assert {row["list"] for row in ranged} == {"positive"}


def test_of_two_labels_one_share_says_it_all() -> None:
    rows = [
        {
            "group": group,
            "label": label,
            "share": 0.5,
            "low": 0.4,
            "high": 0.6,
            "documents": 9,
            "undecided": 0,
            "hits": 4,
        }
        for group in ("2015", "2016")
        for label in CLASSES
    ]
    assert {row["label"] for row in values(shares_chart(rows, CLASSES, time=False))} == {"positive"}
    three = shares_chart(rows, (*CLASSES, "neutral"), time=True)
    assert {row["label"] for row in values(three)} == set(CLASSES)


def charts() -> dict[str, Any]:
    words = cloud_words([word(at) for at in range(1, 30)])
    share = {"group": "a", "label": "positive", "share": 0.5, "low": 0.4, "high": 0.6}
    figure = {"measure": "accuracy", "label": "", "value": 0.8, "low": 0.7, "high": 0.9}
    size = {"entries": 3, "accuracy": 0.7}
    bar = {"low": 0.0, "high": 0.5, "documents": 3}
    return {
        "forest": forest_chart([word(at) for at in range(1, 30)], CLASSES, "negative"),
        "empty forest": forest_chart([], CLASSES, "negative"),
        "frequency": frequency_chart(words, CLASSES),
        "meetings": cross_chart(words, CLASSES),
        "no meetings": cross_chart([], CLASSES),
        "scores": scores_chart([bar | {"label": "positive"}, bar | {"label": "undecided"}], CLASSES),
        "three": scores_chart([bar | {"label": "a"}], ("a", "b", "c")),
        "size": size_chart([size | {"order": o, "rule": r} for o in "ab" for r in "xy"]),
        "groups": shares_chart([share], CLASSES, time=False),
        "audit": audit_chart([figure | {"expected": 0.95}, figure | {"measure": "auc", "expected": None}]),
    }


@pytest.mark.parametrize("name", list(charts()))
def test_charts_can_be_drawn_for_page_and_file(name: str) -> None:
    import vl_convert

    chart = charts()[name]
    page, file = for_page(chart), for_file(chart)
    assert page["background"] is None
    assert file["background"] == "white"
    assert "currentColor" not in json.dumps(file["config"])
    assert "<svg" in vl_convert.vegalite_to_svg(file)
    assert for_file(chart, page=True)["background"] is None
    assert "currentColor" in vl_convert.vegalite_to_svg(for_file(chart, page=True))
