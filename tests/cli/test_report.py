"""`problex report` as a person uses it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from problex.cli.application import app
from problex.errors import DocumentError, OutputError
from tests.cli.runs import problex
from tests.reports import FRAME, TOPICS, topic_frame


def run(*words: str, stdin: str | None = None) -> str:
    result = CliRunner().invoke(app, list(words), input=stdin, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stderr


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("texts.csv", index=False)
    Path("lexicon.csv").write_text("word,list\ngood,positive\nfine,positive\nbad,negative\npoor,negative\n")
    run("fit", "texts.csv", "-l", "lexicon.csv", "-o", "m.json")
    return "m.json"


def test_a_page_and_its_charts(model: str) -> None:
    said = run("report", model, "texts.csv", "-o", "r.html", "--by", "party", "--charts", "pictures")
    assert "wrote r.html" in said
    page = Path("r.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<title>Report on texts</title>" in page
    assert "Shares by party" in page
    pictures = {path.name for path in Path("pictures").iterdir()}
    assert {"scores.png", "scores.svg", "groups.svg", "size.png", "cross-counts.svg", "weights-0.svg"} <= pictures
    assert f"wrote {len(pictures)} files to pictures" in said


def test_an_audit_goes_into_the_page(model: str) -> None:
    run("audit", "sample", model, "texts.csv", "-n", "12", "-o", "sheet.csv")
    sheet = pd.read_csv("sheet.csv", dtype=str, keep_default_na=False)
    sheet["label"] = ["positive" if "good" in text else "negative" for text in sheet["text"]]
    sheet.to_csv("sheet.csv", index=False)
    run("report", model, "texts.csv", "-o", "r.html", "--audit", "sheet.csv", "--title", "Ours")
    page = Path("r.html").read_text(encoding="utf-8")
    assert "12 labels for 40 documents" in page
    assert "correct, measured with labels (audit)" in page
    run("fit", "texts.csv", "-l", "lexicon.csv", "-o", "other.json", "--rule", "count")
    run("report", "other.json", "texts.csv", "-o", "r2.html", "--audit", "sheet.csv")
    assert "The documents were drawn with another model" in Path("r2.html").read_text(encoding="utf-8")


def test_no_forecast_is_among_the_figures_of_the_page(model: str) -> None:
    run("report", model, "texts.csv", "-o", "r.html")
    page = Path("r.html").read_text(encoding="utf-8")
    assert "correct, as forecast" not in page
    assert "% correct labels" not in page
    assert "There are no labels, so the true accuracy is unknown" in page


def test_five_lists_of_twelve_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page with five shares; it ended with a traceback where one entry per list has no weight."""
    monkeypatch.chdir(tmp_path)
    topic_frame().to_csv("news.csv", index=False)
    rows = [f"{word},{name}" for name, words in TOPICS.items() for word in words]
    Path("topics.csv").write_text("word,list\n" + "\n".join(rows) + "\n")
    said = run("fit", "news.csv", "-l", "topics.csv", "--text", "text", "-o", "m.json")
    assert "50 of 50 entries occur, and all of them have a weight" in said
    assert "negated" not in said
    run("report", "m.json", "news.csv", "--text", "text", "-o", "r.html", "--by", "date")
    page = Path("r.html").read_text(encoding="utf-8")
    assert all(f"Words for {name}." in page for name in TOPICS)
    assert page.index("Shares of the labels") < page.index("Shares by date") < page.index("Expected accuracy")


def test_standard_input_is_read_once_and_used_thrice(model: str) -> None:
    run("report", model, "-", "-o", "r.html", stdin="a good day\na bad, poor film\ngood and fine\n")
    page = Path("r.html").read_text(encoding="utf-8")
    assert "<title>Report on standard input</title>" in page
    assert "We classified 3 documents" in page


def test_what_is_wrong_is_said_before_the_work(model: str) -> None:
    with pytest.raises(OutputError, match=r"'r.pdf' was given as the output, expected a name that ends in .html"):
        run("report", model, "texts.csv", "-o", "r.pdf")
    Path("r.html").write_text("mine")
    with pytest.raises(OutputError, match=r"'r.html' exists: choose another name, or overwrite it with force=True"):
        run("report", model, "texts.csv", "-o", "r.html")
    assert Path("r.html").read_text() == "mine"
    with pytest.raises(DocumentError, match=r"there is no column 'parti'; the columns are"):
        run("report", model, "texts.csv", "-o", "new.html", "--by", "parti")


def test_control_characters_do_not_end_the_process(folder: Path, model: Path) -> None:
    groups = ["a\x01b", "c\x1b[31m", "d\x00e", "f\ufffeg", "<script>", "h\x0bi\x7f\x9b"]
    rows = [{"text": "good film" if at % 3 else "bad \x02 film", "group\x03": groups[at % 6]} for at in range(60)]
    (folder / "odd.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("report", "m.json", "odd.jsonl", "--text", "text", "--by", "group\x03", "--title", "x\x04y")
    ran = problex(*words, "-o", "odd.html", "--charts", "charts")
    assert ran.returncode == 0, ran.stderr
    page = (folder / "odd.html").read_text(encoding="utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe]", page.partition("<script>(() =>")[0])
    assert "a\u2401b" in page


def test_every_note_is_said_once(model: str) -> None:
    """The texts are read several times; a semicolon is reported."""
    pd.read_csv("texts.csv").to_csv("semicolons.csv", sep=";", index=False)
    ran = problex("report", model, "semicolons.csv", "-o", "r.html")
    lines = ran.stderr.splitlines()
    assert "problex: note: semicolons.csv: read as semicolon-separated" in ran.stderr
    assert len(set(lines)) == len(lines)
