"""An audit from the command line: draw, fill in, score, store, draw more."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from problex import load_model
from problex.cli.application import app
from problex.errors import ProblexError

WORDS = {"positive": ["good", "fine", "great"], "negative": ["bad", "poor", "awful"], "odd": ["weird", "strange"]}


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(params=[2, 3])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Documents of a known label, with mostly its own words, and a model that never saw the labels."""
    random = np.random.default_rng(0)
    names = list(WORDS)[: request.param]
    labels = random.choice(names, 400)
    texts = []
    for label in labels:
        own = [random.choice(WORDS[label]) for _ in range(3)]
        other = [random.choice(WORDS[str(random.choice(names))])]
        filler = [str(random.choice(["film", "day", "the", "plot"])) for _ in range(random.integers(2, 12))]
        texts.append(" ".join(random.permutation([*own, *other, *filler])))
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"text": [*texts, "", "123"], "truth": [*labels, names[0], names[0]]}).to_csv("texts.csv", index=False)
    Path("lexicon.csv").write_text(
        "word,list\n" + "".join(f"{word},{name}\n" for name in names for word in WORDS[name]), encoding="utf-8"
    )
    run("fit", "texts.csv", "-l", "lexicon.csv", "-o", "m.json")
    return tmp_path


def fill(sheet: str) -> None:
    truth = pd.read_csv("texts.csv")["truth"]
    table = pd.read_csv(sheet, dtype=str, keep_default_na=False)
    table["label"] = [truth[int(row)] for row in table["row"]]
    table.to_csv(sheet, index=False)


@pytest.mark.usefixtures("folder")
def test_draw_label_score_store() -> None:
    drawn = CliRunner().invoke(app, ["audit", "sample", "m.json", "texts.csv", "-n", "40", "-o", "to_label.csv"])
    assert "wrote 40 of 400 documents to to_label.csv; 2 documents without words left out" in drawn.output
    assert "into the column 'label'\nkeep to_label.audit.json in the same folder, and then run:" in drawn.output
    fill("to_label.csv")
    records = json.loads(run("audit", "score", "to_label.csv", "--format", "json"))
    scored = {(record["measure"], record["label"]): record for record in records}
    predicted = pd.read_csv("texts.csv").iloc[:400]
    run("predict", "m.json", "texts.csv", "-o", "before.csv")
    right = np.mean(pd.read_csv("before.csv")["label"][:400] == predicted["truth"])
    assert scored["accuracy", ""]["low"] <= right <= scored["accuracy", ""]["high"]
    assert scored["accuracy", ""]["expected"] is not None
    said = CliRunner().invoke(app, ["audit", "score", "to_label.csv", "--store", "m.json"])
    assert "improve the probabilities" not in said.output
    assert "forecast" not in said.output
    assert "stored threshold and probabilities from 40 labels in m.json" in said.output
    assert re.search(r"accuracy [01]\.\d{3} without the labels, [01]\.\d{3} with them \(cross-validated\)", said.output)
    assert re.search(r"log loss 0\.\d{3} without the labels, 0\.\d{3} with them \(cross-validated\)", said.output)
    assert load_model("m.json").calibration.labels == 40
    run("predict", "m.json", "texts.csv", "-o", "after.csv")
    before, after = pd.read_csv("before.csv"), pd.read_csv("after.csv")
    names = [str(column)[2:] for column in after.filter(regex="^p_").idxmax(axis=1)]
    assert all(label in (name, "undecided") for name, label in zip(names, after["label"], strict=True))
    assert not np.allclose(before["p_positive"], after["p_positive"])


@pytest.mark.usefixtures("folder")
def test_more_labels_can_be_added_also_after_the_calibration_was_stored() -> None:
    run("audit", "sample", "m.json", "texts.csv", "-n", "30", "-o", "one.csv")
    fill("one.csv")
    first = json.loads(run("audit", "score", "one.csv", "--store", "m.json", "--format", "json"))[0]
    run("audit", "sample", "m.json", "texts.csv", "-n", "50", "-o", "two.csv", "--more", "one.csv")
    run(
        "audit",
        "sample",
        "m.json",
        "texts.csv",
        "-n",
        "20",
        "-o",
        "three.csv",
        "--more",
        "one.csv",
        "--more",
        "two.csv",
    )
    rows = [set(pd.read_csv(name)["row"]) for name in ("one.csv", "two.csv", "three.csv")]
    assert len(set.union(*rows)) == 100
    for name in ("two.csv", "three.csv"):
        fill(name)
    whole = json.loads(run("audit", "score", "one.csv", "two.csv", "three.csv", "--format", "json"))[0]
    assert whole["high"] - whole["low"] < first["high"] - first["low"]


@pytest.mark.usefixtures("folder")
def test_a_lost_design_can_be_made_again() -> None:
    run("audit", "sample", "m.json", "texts.csv", "-n", "30", "-o", "to_label.csv")
    fill("to_label.csv")
    before = run("audit", "score", "to_label.csv", "--format", "csv")
    Path("to_label.audit.json").unlink()
    run("audit", "sample", "m.json", "texts.csv", "-n", "30", "-o", "again.csv")
    Path("again.audit.json").rename("to_label.audit.json")
    assert run("audit", "score", "to_label.csv", "--format", "csv") == before


@pytest.mark.usefixtures("folder")
def test_errors() -> None:
    def fails(*words: str) -> str:
        with pytest.raises(ProblexError) as found:
            CliRunner().invoke(app, ["audit", *words], catch_exceptions=False)
        return str(found.value)

    run("audit", "sample", "m.json", "texts.csv", "-n", "30", "-o", "one.csv")
    assert "none of 30 documents in one.csv has a label" in fails("score", "one.csv")
    fill("one.csv")
    run("fit", "texts.csv", "-l", "lexicon.csv", "-o", "other.json", "--shrinkage", "5")
    run("audit", "score", "one.csv", "--store", "other.json")  # labels survive a change of settings
    more = ("sample", "other.json", "texts.csv", "-n", "9", "-o", "two.csv", "--more", "one.csv")
    assert "one.csv was drawn with another model than the one given" in fails(*more)
    pd.read_csv("texts.csv").iloc[:300].to_csv("fewer.csv", index=False)
    more = ("sample", "m.json", "fewer.csv", "-n", "9", "-o", "two.csv", "--more", "one.csv")
    assert "the texts or the model have changed since" in fails(*more)
    run("audit", "sample", "m.json", "texts.csv", "-n", "30", "-o", "two.csv", "--seed", "8")
    fill("two.csv")
    assert "in two samples" in fails("score", "one.csv", "two.csv")
    assert "a sample reads the texts twice: save them to a file" in fails("sample", "m.json", "-", "-o", "x.csv")
    assert "but there are only 400 documents with words to draw" in fails(
        "sample", "m.json", "texts.csv", "-n", "401", "-o", "x.csv"
    )
    assert not Path("x.csv").exists()


@pytest.mark.usefixtures("folder")
def test_several_coders() -> None:
    drawn = CliRunner().invoke(
        app, ["audit", "sample", "m.json", "texts.csv", "-n", "30", "-o", "s.csv", "--coders", "anna, ben"]
    )
    assert "wrote 30 of 400 documents to s.anna.csv and to s.ben.csv" in drawn.output
    assert "problex audit agree s.anna.csv s.ben.csv" in drawn.output
    for name in ("s.anna.csv", "s.ben.csv"):
        fill(name)
    agreed = CliRunner().invoke(app, ["audit", "agree", "s.anna.csv", "s.ben.csv", "-o", "d.csv"])
    assert "the coders agree on all documents: d.csv was not written" in agreed.output
    table = pd.read_csv("s.ben.csv", dtype=str)
    other = {"positive": "negative", "negative": "positive", "odd": "positive"}
    table["label"] = [other[label] if at < 3 else label for at, label in enumerate(table["label"])]
    table.to_csv("s.ben.csv", index=False)
    agreed = CliRunner().invoke(app, ["audit", "agree", "s.anna.csv", "s.ben.csv", "-o", "d.csv"])
    assert "3 disagreements, 0 adjudicated" in agreed.output
    assert "wrote 3 documents to d.csv; fill in the column 'adjudicated' and run:" in agreed.output
    assert "problex audit score s.anna.csv s.ben.csv d.csv" in agreed.output
    assert max(map(len, agreed.stdout.splitlines())) <= 80
    with pytest.raises(ProblexError, match="the coders disagree on 3 documents"):
        run("audit", "score", "s.anna.csv", "s.ben.csv")
    settled = pd.read_csv("d.csv", dtype=str)
    settled.assign(adjudicated=settled["anna"]).to_csv("d.csv", index=False)
    one = run("audit", "score", "s.anna.csv", "--format", "csv")
    assert run("audit", "score", "s.anna.csv", "s.ben.csv", "d.csv", "--format", "csv") == one


@pytest.mark.usefixtures("folder")
def test_a_sample_by_groups() -> None:
    table = pd.read_csv("texts.csv")
    table["party"] = ["left"] * 300 + ["right"] * 102
    table.to_csv("texts.csv", index=False)
    run("audit", "sample", "m.json", "texts.csv", "-n", "40", "-o", "s.csv", "--by", "party")
    rows = pd.read_csv("s.csv")["row"]
    assert (rows < 300).sum() == 20
    fill("s.csv")
    assert json.loads(run("audit", "score", "s.csv", "--format", "json"))[0]["measure"] == "accuracy"
    with pytest.raises(ProblexError, match="was drawn by the column 'party', but now no column was given"):
        run("audit", "sample", "m.json", "texts.csv", "-n", "4", "-o", "t.csv", "--more", "s.csv")
    with pytest.raises(ProblexError, match="there is no column 'region'"):
        run("audit", "sample", "m.json", "texts.csv", "-n", "4", "-o", "t.csv", "--by", "region")


@pytest.mark.usefixtures("folder")
def test_a_plan_before_one_starts() -> None:
    table = pd.read_csv("texts.csv")
    table["party"] = ["left"] * 300 + ["right"] * 102
    table.to_csv("texts.csv", index=False)
    planned = CliRunner().invoke(app, ["audit", "plan", "m.json", "texts.csv", "--by", "party"])
    assert planned.exit_code == 0, planned.output
    assert max(map(len, planned.stdout.splitlines())) <= 80
    assert "400 documents; half the width of 95% intervals, in percentage points" in planned.output
    assert "the share in 'left', widest of 2 groups by 'party', from 50 labels: ±" in planned.output
    assert max(map(len, planned.output.splitlines())) <= 80
    assert "widest" in planned.stdout
    records = json.loads(run("audit", "plan", "m.json", "texts.csv", "-n", "30", "-n", "60", "--format", "json"))
    assert [record["labels"] for record in records] == [30, 60]
    run("audit", "sample", "m.json", "texts.csv", "-n", "60", "-o", "s.csv")
    fill("s.csv")
    scored = json.loads(run("audit", "score", "s.csv", "--format", "json"))[0]
    assert (scored["high"] - scored["low"]) / 2 < 2 * max(records[1]["accuracy"], 0.02)
