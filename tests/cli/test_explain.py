"""`problex explain` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from problex import load_model, score
from problex.cli.application import app
from problex.errors import DocumentError, ProblexError


def run(*words: str, stdin: str | None = None) -> str:
    result = CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def model(tmp_path: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"text": texts, "other": "x"}).to_csv("texts.csv", index=False)
    Path("lexicon.csv").write_text("word,list\ngood,positive\nfine,positive\nbad,negative\nrip off,negative\n")
    run("fit", "texts.csv", "-l", "lexicon.csv", "-o", "m.json")
    return "m.json"


def test_a_text_in_every_form(model: str) -> None:
    text = "a good, fine film; but <a> rip-off"
    record = json.loads(run("explain", model, "--text", text, "--format", "json"))
    decision = score([text], load_model(model)).decision[0]
    assert record["decision"] == pytest.approx(decision)
    total = sum(part["contribution"] for part in record["contributions"])
    assert total + record["prior"]["positive"] - record["prior"]["negative"] == pytest.approx(decision, abs=1e-9)
    assert "".join(piece["text"] for piece in record["pieces"]) == text
    shown = run("explain", model, "--text", text)
    assert text in shown
    assert record["label"] in shown
    assert "The sum" in shown
    page = run("explain", model, "--text", text, "--format", "html")
    assert page.startswith("<!doctype html>")
    assert "&lt;a&gt;" in page
    table = run("explain", model, "--text", text, "--format", "csv")
    assert table.splitlines()[0].startswith("entry,list,source,count,effective_count,weight,towards,contribution")
    assert len(table.splitlines()) == 4


def test_a_row_of_a_file_is_the_row_that_predict_names(model: str, texts: list[str]) -> None:
    for row in (0, 3, 39):
        record = json.loads(run("explain", model, "texts.csv", "--row", str(row), "--format", "json"))
        assert record["text"] == texts[row]
    record = json.loads(run("explain", model, "texts.csv", "--row", "1", "--column", "other", "--format", "json"))
    assert record["text"] == "x"


def test_standard_input_and_markup(model: str) -> None:
    record = json.loads(run("explain", model, "--text", "-", "--markup", "--format", "json", stdin="good<br />film"))
    assert record["text"] == "good film"


def test_what_is_wrong_is_said(model: str) -> None:
    for words in ((), ("texts.csv",), ("--row", "1"), ("texts.csv", "--text", "x"), ("--text", "x", "--row", "1")):
        with pytest.raises(ProblexError, match=r"explain takes either --text \"...\" or a file of texts and --row N"):
            run("explain", model, *words)
    with pytest.raises(DocumentError, match=r"row 40 was requested, but texts.csv has 40 documents: expected 0 to 39"):
        run("explain", model, "texts.csv", "--row", "40")
