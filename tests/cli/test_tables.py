"""Every table at 80 columns: no line is longer, no word is cut, none is longer than a screen."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from problex import Lexicon
from problex.cli.commands import paper
from problex.cli.text_tables import MAX_LINES, Layout, text_table
from problex.errors import OutputError
from problex.paper.datasets import DataSet
from problex.paper.reproduction import PAPER_AUC, SystemResult
from tests.cli.runs import run, said

SPORT, TECH, MUSIC = (
    words.split()
    for words in (
        "goal team match coach referee tournament championship goalkeeper midfielder quarterfinal stadium athlete",
        "software phone web console microprocessor cryptography cyberspace smartphone bandwidth download router pixel",
        "song album band singer instrumentalist orchestra choreography rehearsal soundtrack festival ballad quartet",
    )
)
TOPICS = {"sport": SPORT, "technology": TECH, "entertainment": MUSIC}


@pytest.fixture
def topics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    random = np.random.default_rng(5)
    rows = []
    for number in range(300):
        name = list(TOPICS)[number % 3]
        words = [
            *random.choice(TOPICS[name], 6),
            f"club{name}",
            *random.choice(["day", "said", "incomprehensibilities"], 4),
        ]
        words.append(str(random.choice(TOPICS[str(random.choice(list(TOPICS)))])))
        rows.append({"text": " ".join(random.permutation(words)), "label": name, "id": f"{'x' * 60}{number}"})
    pd.DataFrame(rows).to_csv(tmp_path / "texts.csv", index=False)
    entries = [f"{word},{name}" for name, words in TOPICS.items() for word in words]
    (tmp_path / "topics.csv").write_text("word,list\n" + "\n".join(entries) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    run("fit", "texts.csv", "-l", "topics.csv", "-o", "m.json", "--expand")
    return tmp_path


def check(output: str) -> None:
    assert output
    assert max(map(len, output.splitlines())) <= 80
    for table in re.split(r"\n(?=┏)", output):
        assert len(table.splitlines()) <= MAX_LINES
    cut = {word[:length] for words in TOPICS.values() for word in words for length in range(5, len(word))}
    whole = {word for words in TOPICS.values() for word in words} | {"match", "phone"}
    assert not set(re.findall(r"\w+", output)) & (cut - whole)


COMMANDS = {
    "weights": ["weights", "m.json"],
    "suggest": ["suggest", "m.json", "--top", "5"],
    "forecast": ["forecast", "m.json"],
    "evaluate": ["evaluate", "m.json", "texts.csv"],
    "explain": ["explain", "m.json", "texts.csv", "--row", "3", "--column", "text"],
    "predict": ["predict", "m.json", "texts.csv", "--text", "text", "--format", "table"],
    "categories": ["categories", "topics.csv"],
    "doctor": ["doctor", "texts.csv", "--text", "text", "-l", "topics.csv"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_table_can_be_read_at_80_columns(topics: Path, command: str) -> None:
    check(run(*COMMANDS[command]))


def test_the_tables_of_an_audit_and_of_a_comparison(topics: Path) -> None:
    run("audit", "sample", "m.json", "texts.csv", "--text", "text", "-o", "sheet.csv", "-n", "40")
    sheet = pd.read_csv("sheet.csv")
    truth = pd.read_csv("texts.csv").set_index("text")["label"]
    sheet["label"] = [truth[text] for text in sheet["text"]]
    sheet.to_csv("sheet.csv", index=False)
    check(run("audit", "score", "sheet.csv"))
    rows = [f"{word},{name},{len(word)}" for name, words in TOPICS.items() for word in words]
    Path("weights.csv").write_text("word,list,weight\n" + "\n".join(rows) + "\n")
    check(run("compare", "m.json", "weights.csv", "--min-count", "1"))


def test_what_is_not_shown_is_said_and_files_have_it(topics: Path) -> None:
    table = run("weights", "m.json")
    assert re.search(
        r"columns and [\d,]+ rows are not shown: --top N shows more, -o FILE writes all", table.replace("\n", " ")
    )
    assert "goalkeeper" in run("weights", "m.json", "--format", "csv")
    everything = json.loads(run("weights", "m.json", "--format", "json"))
    assert len(everything) > MAX_LINES
    assert {"standard_error", "cross_count"} <= set(everything[0])
    assert len(run("weights", "m.json", "--top", "60").splitlines()) > MAX_LINES


def test_no_table_is_cut_without_a_word(topics: Path) -> None:
    rows = [f"{word},{name},{len(word)}" for name, words in TOPICS.items() for word in words]
    Path("weights.csv").write_text("word,list,weight\n" + "\n".join(rows) + "\n")
    compared = ["compare", "m.json", "weights.csv", "--min-count", "1"]
    number = len(json.loads(run(*compared, "--format", "json")))
    assert number > 20
    assert f"{number - 20} rows are not shown: --top N shows more, -o FILE writes all" in run(*compared)
    for name, command in {"compared": compared, "words": ["suggest", "m.json"], "all": ["weights", "m.json"]}.items():
        whole = json.loads(run(*command, "--format", "json"))
        assert f"wrote {len(whole)} rows to {name}.csv" in said(*command, "-o", f"{name}.csv")
        assert pd.read_csv(f"{name}.csv").to_dict("list").keys() == whole[0].keys()
        assert len(pd.read_csv(f"{name}.csv")) == len(whole)
    wrong = [
        f"{word},{name}" for name, words in zip(TOPICS, ([*SPORT, *TECH[:4]], TECH[4:]), strict=False) for word in words
    ]
    Path("wrong.csv").write_text("word,list\n" + "\n".join(wrong) + "\n")
    doctor = run("doctor", "texts.csv", "--text", "text", "-l", "wrong.csv", "--top", "1")
    assert re.search(r"\d+ rows? (is|are) not shown: --top N --format csv shows more", doctor)
    with pytest.raises(OutputError, match=r"'all.csv' exists"):
        run("weights", "m.json", "-o", "all.csv")


def test_the_table_of_the_paper_is_shown_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    corpora = ("Amazon", "Cornell", "Cine", "IMDB")
    data = [DataSet(name, [], np.array([]), Lexicon({"up": ["good"], "down": ["bad"]}), "en") for name in corpora]
    monkeypatch.setattr(paper, "paper_corpora", lambda *_: data)
    monkeypatch.setattr(paper, "data_folder", lambda folder: folder)
    systems = [*PAPER_AUC, "Lexicon, raw count", "problex default", "problex listed words", "problex expanded"]

    def results(data_set: DataSet, _: object) -> list[SystemResult]:
        return [
            SystemResult(data_set.name, name, PAPER_AUC.get(name, {}).get(data_set.name), 0.5 + at / 100)
            for at, name in enumerate(systems)
        ]

    monkeypatch.setattr(paper, "run_systems", results)
    table = run("reproduce")
    check(table)
    assert "not shown" not in table
    header = next(line for line in table.splitlines() if "system" in line)
    assert [header.index(name) for name in corpora] == sorted(header.index(name) for name in corpora)
    for at, name in enumerate(systems):
        (row,) = (line for line in table.splitlines() if f" {name} " in line)
        published = [f"{value:.3f} / "[1:] for value in PAPER_AUC.get(name, {}).values()] or [""] * 4
        expected = [f"{paper}.{50 + at}0" for paper in published]
        assert re.findall(r"[.]\d+(?: / [.]\d+)?", row) == expected
    assert "wrote 40 rows to all.csv" in said("reproduce", "-o", "all.csv")


def test_the_help_of_fit_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("fit", "doctor", "weights", "predict", "explain"):
        text = run(command, "--help")
        assert max(map(len, text.splitlines())) <= 80
        assert "…" not in text


def test_lists_of_the_doctor_are_chosen_from_categories(topics: Path) -> None:
    options = ["-l", "topics.csv", "--list", "games=sport", "--list", "arts=technology,entertainment"]
    records = json.loads(run("doctor", "texts.csv", "--text", "text", *options, "--format", "json"))
    coverage = [record["why"] for record in records if record["kind"] == "coverage"]
    assert [why.split(":")[0] for why in coverage] == ["arts", "games"]
    assert "arts: 24 of 24 entries occur" in coverage[0]


def test_fit_counts_the_entries_that_were_given(folder: Path) -> None:
    text = said(
        "fit", "texts.csv", "-l", "positive=pos.txt", "-l", "negative=neg.txt", "-o", "new.json", "--text", "text"
    )
    assert re.search(r"\d of 6 entries occur(; \d of them (has|have)|, and all of them have) a weight", text)


RECORDS = [{"word": f"word{at}", "count": at, "low": 0.1, "note": "two words"} for at in range(100)]


def test_rows_beyond_a_screen_are_left_out_and_counted() -> None:
    lines = text_table(RECORDS, "Title", Layout(80, hint="--all")).splitlines()
    shown = sum("word" in line for line in lines if "│" in line)
    assert len(lines) <= MAX_LINES
    assert lines[-1] == f"{100 - shown} rows are not shown: --all"
    whole = text_table(RECORDS, "", Layout(80, whole=True)).splitlines()
    assert len(whole) == 104


def test_minor_columns_are_left_out_first_then_wide_ones_then_the_last() -> None:
    record = {"word": "good", "id": "x" * 30, "low": 0.5, "weight": 1.5, "tokens": 7}

    def columns(width: int) -> list[str]:
        lines = text_table([record], "", Layout(width, minor=("low",), hint="--all")).splitlines()
        return re.findall(r"\w+", lines[1])

    assert columns(80) == ["word", "id", "low", "weight", "tokens"]
    assert columns(62) == ["word", "id", "weight", "tokens"]  # 4 + 30 + 6 + 6, 3 for each column and 1
    assert columns(58) == ["word", "weight", "tokens"]
    assert columns(20) == ["word", "weight"]
