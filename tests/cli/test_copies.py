"""Copies of texts are said wherever a corpus is described."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.runs import run, said

OTHERS = ["the", "film", "plot", "actor", "music", "scene", "story", "day"]


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The texts of 120 documents, of which 24 are copies and 3 empty, with a group and a lexicon."""
    monkeypatch.chdir(tmp_path)
    words = ["good", "fine", "bad", "poor"]
    texts = [
        f"{words[at % 4]} {words[at % 3 % 2 + at % 2 * 2]} {' '.join(OTHERS[int(digit)] for digit in f'{at:03o}')}"
        for at in range(93)
    ]
    rows = [*texts, *(text.upper() + "!" for text in texts[:24]), "", "", ""]
    with open("texts.csv", "w", newline="") as file:
        csv.writer(file).writerows([["text", "place"], *([text, f"p{at % 2}"] for at, text in enumerate(rows))])
    Path("words.csv").write_text("positive,negative\ngood,bad\nfine,poor\n")
    run("fit", "texts.csv", "-l", "words.csv", "-o", "m.json")
    return tmp_path


COMMANDS = {
    "fit": "fit texts.csv -l words.csv -o x.json",
    "classify": "classify texts.csv -l words.csv -o x.csv --no-report",
    "shares": "shares m.json texts.csv",
    "shares by group": "shares m.json texts.csv --by place",
    "audit plan": "audit plan m.json texts.csv",
    "audit sample": "audit sample m.json texts.csv -o sheet.csv -n 20",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.usefixtures("copied")
def test_every_command_says_how_many_texts_are_copies(command: str) -> None:
    assert "24 of 117 texts are copies of others" in said(*command.split())


@pytest.mark.usefixtures("copied")
def test_the_report_says_how_many_texts_are_copies() -> None:
    run("report", "m.json", "texts.csv", "-o", "r.html")
    assert "24 of 117 texts are copies of others." in Path("r.html").read_text()


def test_nothing_is_said_where_no_text_is_a_copy(copied: Path) -> None:
    rows = Path("texts.csv").read_text().splitlines()
    Path("texts.csv").write_text("\n".join(rows[:94]))
    for command in COMMANDS.values():
        assert "copies" not in said(*command.split()).replace("a text and its copies count as one observation", "")
