"""The charts of the page: specs without data, data by name, a sentence and a table."""

from __future__ import annotations

import pytest

from tests.workbench.running import Client
from tests.workbench.test_audits import label


def test_every_chart_has_data_a_sentence_and_a_table(tab: Client) -> None:
    listed = tab.get("/api/charts")
    assert [one["id"] for one in listed["charts"]] == ["weight", "observed", "size", "shares"]
    assert listed["by"] == "year"
    for one in listed["charts"]:
        chart = tab.get(f"/api/charts/{one['id']}")
        assert chart["title"] == one["title"]
        assert chart["sentence"].endswith(".")
        assert chart["data"]
        assert all(rows for rows in chart["data"].values())
        assert set(chart["colours"]) == {"light", "dark"}
        names = [column["name"] for column in chart["table"]["columns"]]
        assert all(list(row) == names for row in chart["table"]["rows"])
    words = tab.get("/api/charts/weight")["table"]["rows"]
    weights = {record["entry"]: record["weight"] for record in tab.state.session.result.model.records()}
    assert all(row["weight"] == pytest.approx(weights[row["entry"]]) for row in words)
    assert "expected one of weight, observed" in tab.get("/api/charts/pie", 400)["error"]


def test_shares_by_a_column_and_with_the_labels_of_an_audit(tab: Client) -> None:
    result = tab.state.session.result
    rows = tab.get("/api/charts/shares", by="year")["table"]["rows"]
    assert {row["group"] for row in rows} == {"2019", "2020", "2021"}
    assert sum(row["hits"] for row in rows if row["label"] == "positive") == int((result.labels == "positive").sum())
    assert "by='colour'" in tab.get("/api/charts/shares", 400, by="colour")["error"]
    tab.post("/api/audit/draw", size=40, seed=1)
    label(tab, 40)
    assert "estimate" not in tab.get("/api/charts/shares")["table"]["rows"][0]  # blind until it is looked at
    tab.post("/api/audit/reveal")
    chart = tab.get("/api/charts/shares")
    assert "estimated from the audit, with 95% intervals" in chart["sentence"]
    row = chart["table"]["rows"][0]
    assert row["low"] <= row["estimate"] <= row["high"]


def test_a_chart_as_a_picture(tab: Client) -> None:
    answer = tab.http.get("/api/charts/weight/file", params={"format": "svg"})
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.text.startswith("<svg")
    assert "expected one of svg, png" in tab.get("/api/charts/weight/file", 400, format="gif")["error"]
