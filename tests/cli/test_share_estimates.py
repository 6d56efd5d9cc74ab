"""`problex shares --audit` and `--differences`: from the sheet to the share with its interval."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from problex.errors import ProblexError
from tests.cli.runs import LEXICON, run, said
from tests.simulated import in_letters

GROUPS = {"left": 0.8, "right": 0.3, "centre": 0.5}
POSITIVE = ["good", "fine", "great", "lovely", "superb"]
NEGATIVE = ["bad", "poor", "awful", "dull", "boring"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """600 texts of three groups with known shares; positive words are common in all texts."""
    random = np.random.default_rng(5)
    rows = []
    for group, share in GROUPS.items():
        for positive in random.random(200) < share:
            own = POSITIVE if positive else NEGATIVE
            words = [*random.choice(own, 2), random.choice([*POSITIVE, *NEGATIVE[:2], "film"]), "the", "a", "film"]
            rows.append((" ".join(map(str, random.permutation(words))), group, "positive" if positive else "negative"))
    frame = pd.DataFrame(rows, columns=["text", "party", "truth"])
    frame["text"] += [f" {in_letters(at)}" for at in range(len(frame))]
    frame = frame.sample(frac=1, random_state=1).reset_index(drop=True)
    monkeypatch.chdir(tmp_path)
    frame.to_csv("texts.csv", index=False)
    Path("pos.txt").write_text("\n".join(POSITIVE))
    Path("neg.txt").write_text("\n".join(NEGATIVE))
    run("fit", "texts.csv", *LEXICON, "-o", "m.json")
    return frame


def draw(frame: pd.DataFrame, *options: str, sheet: str = "s.csv", drop: str = "") -> None:
    """Draw a sheet and fill it in, but for the documents of one group."""
    run("audit", "sample", "m.json", "texts.csv", "-o", sheet, *options)
    table = pd.read_csv(sheet, dtype=str, keep_default_na=False)
    rows = frame.iloc[table["row"].astype(int)]
    table["label"] = np.where(rows["party"] == drop, "", rows["truth"])
    table.to_csv(sheet, index=False)


def records(*options: str) -> dict[tuple[str, str], dict[str, float]]:
    rows = json.loads(run("shares", "m.json", "texts.csv", "--format", "json", *options))
    return {(row["group"], row["label"]): row for row in rows}


def test_estimates_by_group_contain_the_truth(folder: pd.DataFrame) -> None:
    draw(folder, "--by", "party", "-n", "90")
    truth = (folder["truth"] == "positive").groupby(folder["party"]).mean()
    for options in ((), ("--estimator", "difference")):
        found = records("--by", "party", "--audit", "s.csv", *options)
        for group, share in truth.items():
            row, other = found[str(group), "positive"], found[str(group), "negative"]
            assert row["low"] <= share <= row["high"]
            assert row["high"] - row["low"] < 0.35
            assert row["labels"] == 30
            assert row["estimate"] + other["estimate"] == pytest.approx(1, abs=1e-5)
        assert found["left", "undecided"]["estimate"] is None
    table = run("shares", "m.json", "texts.csv", "--by", "party", "--audit", "s.csv")
    assert "% (" in table
    assert " to " in table
    told = said("shares", "m.json", "texts.csv", "--by", "party", "--audit", "s.csv", "-o", "o.csv", "--chart", "o.svg")
    assert told.splitlines() == [
        "wrote 9 rows to o.csv",
        "true shares, estimated from 90 labels (hierarchical estimator); 95% intervals",
        "wrote o.svg",
    ]
    assert "estimated from 90 labels" in Path("o.svg").read_text(encoding="utf-8")
    assert list(pd.read_csv("o.csv").columns)[-4:] == ["estimate", "low", "high", "labels"]


def test_a_sheet_drawn_without_groups_serves_for_any_column(folder: pd.DataFrame) -> None:
    """The groups of the labelled documents come from the texts, so old sheets can be used."""
    draw(folder, "-n", "80")
    found = records("--by", "party", "--audit", "s.csv")
    assert sum(found[group, "positive"]["labels"] for group in GROUPS) == 80
    whole = records("--audit", "s.csv")["(all)", "positive"]
    assert whole["low"] <= (folder["truth"] == "positive").mean() <= whole["high"]
    assert "(difference estimator)" in said("shares", "m.json", "texts.csv", "--audit", "s.csv")


def test_groups_without_labels_are_named(folder: pd.DataFrame) -> None:
    draw(folder, "--by", "party", "-n", "30", drop="left")
    told = said("shares", "m.json", "texts.csv", "--by", "party", "--audit", "s.csv")
    assert "1 group without a label ('left') rests on the labels of the other groups" in told
    assert "10 documents of the sheets without a label; assumed to be like the others" in told
    told = said("shares", "m.json", "texts.csv", "--by", "party", "--audit", "s.csv", "--estimator", "difference")
    assert "1 group without a label ('left') has no estimate" in told
    assert "2 groups have fewer than 20 labels (" in told
    found = records("--by", "party", "--audit", "s.csv", "--estimator", "difference")
    assert found["left", "positive"]["estimate"] is None
    assert found["right", "positive"]["estimate"] is not None


def test_what_is_refused(folder: pd.DataFrame) -> None:
    draw(folder, "-n", "30")
    folder.iloc[::-1].to_csv("other.csv", index=False)
    with pytest.raises(ProblexError, match=r"row \d+ of the texts is not the text that was drawn for the sheet \('"):
        run("shares", "m.json", "other.csv", "--audit", "s.csv")
    folder.head(20).to_csv("short.csv", index=False)
    with pytest.raises(ProblexError, match=r"\d+ labelled documents of the sheets, such as row \d+, are not among"):
        run("shares", "m.json", "short.csv", "--audit", "s.csv")
    run("fit", "texts.csv", *LEXICON, "-o", "n.json", "--rule", "count")
    run("shares", "n.json", "texts.csv", "--audit", "s.csv")  # labels survive a change of the model
    with pytest.raises(ProblexError, match="--estimator was given without --audit: give the labelled sheet"):
        run("shares", "m.json", "texts.csv", "--estimator", "difference")
    with pytest.raises(ProblexError, match="--differences was given without --by"):
        run("shares", "m.json", "texts.csv", "--differences")
    with pytest.raises(ProblexError, match="--differences was given with --audit: it compares groups without labels"):
        run("shares", "m.json", "texts.csv", "--by", "party", "--audit", "s.csv", "--differences")
    table = pd.read_csv("s.csv")
    table["label"] = "maybe"
    table.to_csv("s.csv", index=False)
    with pytest.raises(ProblexError, match="has 30 labels that the model does not have: 'maybe'"):
        run("shares", "m.json", "texts.csv", "--audit", "s.csv")


@pytest.mark.usefixtures("folder")
def test_without_labels_there_are_directions_and_no_intervals() -> None:
    told = said("shares", "m.json", "texts.csv", "--by", "party")
    assert "shares of predicted labels, not of true ones" in told
    assert "the share of positive is higher in left than in right, by at least" in told
    assert "holds if the model errs equally often in both groups" in told
    assert all(len(line) <= 80 for line in told.splitlines())
    table = run("shares", "m.json", "texts.csv", "--by", "party", "--differences")
    assert "other group" in table
    assert " points" in table
    pairs = json.loads(run("shares", "m.json", "texts.csv", "--by", "party", "--differences", "--format", "json"))
    assert len(pairs) == 3
    assert {row["label"] for row in pairs} == {"positive"}
    run("shares", "m.json", "texts.csv", "--by", "party", "--differences", "-o", "d.csv")
    assert list(pd.read_csv("d.csv").columns) == ["label", "group", "direction", "other", "at_least"]
    assert not {"low", "high"} & set(records("--by", "party")["left", "positive"])


def test_a_report_shows_the_estimates_and_cites_them(folder: pd.DataFrame) -> None:
    draw(folder, "--by", "party", "-n", "60")
    run("report", "m.json", "texts.csv", "--by", "party", "--audit", "s.csv", "-o", "r.html")
    page = Path("r.html").read_text(encoding="utf-8")
    for text in ("an estimated", "hierarchical logistic regression", "Gelman and Hill (2007)", "sarndal1992model"):
        assert text in page
    run("report", "m.json", "texts.csv", "--by", "party", "-o", "plain.html")
    page = Path("plain.html").read_text(encoding="utf-8")
    assert "the model labels" in page
    assert "higher in left than in right, by at least" in page
    assert "Their distance from the shares of the true labels is not known" in page


def test_a_group_that_is_labelled_completely_says_so(folder: pd.DataFrame) -> None:
    """It said "55.0 to 55.0" before."""
    small = folder.groupby("party").head(20)
    small.to_csv("texts.csv", index=False)
    draw(small, "--by", "party", "-n", "60")
    for options in ((), ("--estimator", "difference")):
        shown = run("shares", "m.json", "texts.csv", "--by", "party", "--audit", "s.csv", *options)
        assert shown.count("(all labelled)") == 6
