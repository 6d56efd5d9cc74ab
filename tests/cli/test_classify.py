"""`problex classify`: all results in one command, or a clear error before the work begins."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from problex.estimation import load_model
from tests.cli.runs import LEXICON, problex, run, said


def test_everything_in_one_go(folder: Path) -> None:
    told = said("classify", "texts.csv", *LEXICON, "-o", "out.csv", "--by", "id")
    labelled, shares = pd.read_csv("out.csv"), pd.read_csv("out-shares.csv")
    assert list(labelled)[:4] == ["row", "id", "text", "input_label"]
    assert "wrote 40 rows to out.csv" in told
    assert told.splitlines()[-1] == "wrote out-shares.csv, out-words.csv, out.html, out.model.json"
    assert shares["hits"].sum() == len(labelled)
    assert set(pd.read_csv("out-words.csv")["list"]) == {"negative", "positive"}
    assert Path("out.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    run("fit", "texts.csv", *LEXICON, "-o", "m.json")
    run("predict", "m.json", "texts.csv", "--keep", "all", "-o", "p.csv")
    assert Path("out.csv").read_text() == Path("p.csv").read_text()
    assert load_model("out.model.json") == load_model("m.json")


def test_without_a_report_and_with_chosen_columns(folder: Path) -> None:
    told = said("classify", "texts.csv", *LEXICON, "-o", "out.sqlite", "--no-report", "--keep", "none", "--by", "label")
    assert not Path("out.html").exists()
    assert told.splitlines()[-1] == "wrote out.model.json"


@pytest.mark.parametrize("exists", ["out.csv", "out-shares.csv", "out.html", "out.model.json"])
def test_nothing_is_overwritten_or_begun(folder: Path, exists: str) -> None:
    Path(exists).write_text("mine")
    ran = problex("classify", "texts.csv", *LEXICON, "-o", "out.csv")
    assert ran.returncode == 1
    assert f"'{exists}' exists: choose another name, or overwrite it with --force" in ran.stderr
    assert Path(exists).read_text() == "mine"
    assert [path.name for path in folder.glob("out*")] == [exists]


def test_standard_input_is_refused(folder: Path) -> None:
    ran = problex("classify", "-", *LEXICON, "-o", "out.csv", stdin="good\n")
    assert ran.returncode == 1
    assert "classify reads the texts more than once: save them to a file" in ran.stderr


def test_the_output_is_not_an_input(folder: Path) -> None:
    ran = problex("classify", "texts.csv", *LEXICON, "-o", "texts.csv", "--force")
    assert ran.returncode == 1
    assert "--output 'texts.csv' is also read by this command: choose another name" in ran.stderr
