"""Options --sheet and --query, and files of different shapes, in commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runs import problex
from tests.tables.writing import write_excel


def test_a_workbook_and_a_csv_are_one_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    texts = ["good fine film", "bad poor film", "fine good day", "poor bad day"] * 5
    write_excel(tmp_path / "a.xlsx", {"x": [["text"], *([text] for text in texts)], "y": [["text"], ["good"]]})
    (tmp_path / "b.csv").write_text("review,n\n" + "".join(f"{text},1\n" for text in texts))
    (tmp_path / "lexicon.csv").write_text("word,list\ngood,up\nfine,up\nbad,down\npoor,down\n")
    files = ("a.xlsx", "b.csv", "--sheet", "x")
    fitted = problex("fit", *files, "--lexicon", "lexicon.csv", "-o", "m.json")
    assert fitted.returncode == 0, fitted.stderr
    note = "problex: note: reading texts from the columns 'text' of a.xlsx, 'review' of b.csv (guessed)"
    assert fitted.stderr.count(note) == 1
    labelled = problex("predict", "m.json", *files, "--keep", "file", "--format", "csv")
    assert labelled.stdout.count("a.xlsx") == labelled.stdout.count("b.csv") == len(texts), labelled.stderr
    refused = problex("predict", "m.json", "a.xlsx", "--sheet", "z")
    assert (refused.returncode, "there is no sheet 'z' in a.xlsx; it has 'x', 'y'." in refused.stderr) == (1, True)
    query = problex("predict", "m.json", "b.csv", "--query", "select review from texts limit 3", "--format", "csv")
    assert len(query.stdout.splitlines()) == 4, query.stderr
