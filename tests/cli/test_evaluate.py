"""`problex evaluate` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.runs import problex, run


def test_evaluate_leaves_out_documents_without_a_label(folder: Path, model: Path) -> None:
    records = json.loads(run("evaluate", "m.json", "texts.csv", "--format", "json"))
    values = {record["measure"]: record["value"] for record in records}
    assert values["auc"] > 0.8
    ran = problex("evaluate", "m.json", "texts.csv")
    assert "35 labelled documents" in ran.stderr
    assert "Reliability" in ran.stdout
