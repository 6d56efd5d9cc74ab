"""`problex weights` and `problex forecast` as a person uses them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from tests.cli.runs import problex, run


def test_weights(folder: Path, model: Path) -> None:
    records = json.loads(run("weights", "m.json", "--format", "json"))
    assert {record["entry"] for record in records} == {"good", "fine", "well made", "bad", "poor", "rip off"}
    assert len(json.loads(run("weights", "m.json", "--top", "1", "--format", "json"))) == 2
    rows = list(csv.DictReader(io.StringIO(run("weights", "m.json", "--list", "positive", "--format", "csv"))))
    assert {row["list"] for row in rows} == {"positive"}
    assert "good" in run("weights", "m.json")


def test_forecast(folder: Path, model: Path) -> None:
    ran = problex("forecast", "m.json", "texts.csv", "--lengths", "5,50", "--format", "json")
    records = json.loads(ran.stdout)
    assert [record["tokens"] for record in records] == [5, 50, "this corpus"]
    assert "The forecast assumes" in ran.stderr


def test_an_entry_that_never_occurs_is_said_to(folder: Path) -> None:
    Path("few.txt").write_text("good fine day\nbad poor day\n" * 10)
    for name, words in {"a": "good\nfine\nabsent\n", "b": "bad\npoor\n"}.items():
        Path(f"{name}.txt").write_text(words)
    assert problex("fit", "few.txt", "-l", "a=a.txt", "-l", "b=b.txt", "-o", "few.json").returncode == 0
    (line,) = [line for line in run("weights", "few.json").splitlines() if "absent" in line]
    assert "never occurs" in line
    assert "never occurs" not in run("weights", "few.json", "--format", "csv")
