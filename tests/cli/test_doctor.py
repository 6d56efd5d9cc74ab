"""`problex doctor` as a person uses it: tables, JSON, CSV, standard input, an edited lexicon with its log."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from problex import read_lexicon
from tests.cli.runs import problex
from tests.doctor.material import BAD, GOOD, corpus

LISTS = ("-l", "positive=pos.txt", "-l", "negative=neg.txt")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = corpus({"hero": (0.05, 0.6), "like": (0.5, 0.5), "superb": (0.6, 0.02)}, 800)
    (tmp_path / "texts.txt").write_text("\n".join(texts) + "\n")
    (tmp_path / "pos.txt").write_text("\n".join([*GOOD, "hero", "Like", "envy", "absent"]))
    (tmp_path / "neg.txt").write_text("\n".join([*BAD, "envy"]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_table_has_faults_words_to_add_lines_and_notes(folder: Path) -> None:
    ran = problex("doctor", "texts.txt", *LISTS)
    assert ran.returncode == 0, ran.stderr
    parts = [
        "Faults that cost 0.0001 of AUC or more",
        "hero",
        "Words to add",
        "superb",
        "Reasons",
        "In context",
        "[hero]",
        "Notes",
    ]
    places = [ran.stdout.index(part) for part in parts]
    assert places == sorted(places)
    assert "move from positive to negative" in " ".join(ran.stdout.split())
    assert "800 documents, " in ran.stderr
    assert re.search(r"Counting words: AUC of at most 0\.\d{3}, forecast without labels\.", ran.stderr)


def test_json_is_one_array_of_findings(folder: Path) -> None:
    found = json.loads(problex("doctor", "texts.txt", *LISTS, "--format", "json", "--top", "1").stdout)
    assert found[0]["kind"] == "wrong side"
    assert found[0]["words"] == ["hero"]
    assert found[0]["cost"] == pytest.approx(found[0]["forecast_after"] - found[0]["forecast_before"], abs=2e-6)
    assert len(found[0]["contexts"]) == 3
    assert [one["kind"] for one in found[1:4]] == ["candidate", "in both lists", "never seen"]


def test_csv_has_a_row_for_each_finding(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(problex("doctor", "texts.txt", *LISTS, "--format", "csv").stdout)))
    assert rows[0]["words"] == "hero"
    assert rows[0]["contexts"].count(" | ") == 2


def test_standard_input_gives_the_same(folder: Path) -> None:
    piped = problex("doctor", "-", *LISTS, "--format", "json", stdin=Path("texts.txt").read_text())
    assert piped.stdout == problex("doctor", "texts.txt", *LISTS, "--format", "json").stdout


def test_kinds_can_be_chosen(folder: Path) -> None:
    found = json.loads(problex("doctor", "texts.txt", *LISTS, "--format", "json", "--kind", "candidate").stdout)
    assert [one["words"] for one in found] == [["superb"]]
    wrong = problex("doctor", "texts.txt", *LISTS, "--kind", "odd")
    assert wrong.returncode == 1
    assert wrong.stderr.splitlines()[-1].startswith(
        "problex: error: --kind odd was given, expected one of wrong side, "
    )


def test_fix_writes_an_edited_lexicon_and_a_log(folder: Path) -> None:
    ran = problex("doctor", "texts.txt", *LISTS, "--fix", "better.csv", "--fixes", "1", "--add", "1")
    assert ran.returncode == 0, ran.stderr
    edited = read_lexicon("better.csv")
    assert set(edited.lists["negative"]) == {*BAD, "hero"}
    assert set(edited.lists["positive"]) == {*GOOD, "like", "absent", "superb"}
    log = list(csv.DictReader(io.StringIO(Path("better.changes.csv").read_text())))
    assert [(line["word"], line["done"]) for line in log] == [
        ("hero", "move 'hero' from positive to negative"),
        ("superb", "add 'superb' to positive"),
        ("envy", "left out of both, as before"),
    ]
    assert "wrote 14 entries to better.csv and 3 changes to better.changes.csv" in ran.stderr
    assert re.search(r"AUC of at most 0\.\d{3} before and 0\.\d{3} after the edits$", ran.stderr.strip())


def test_fix_leaves_faults_that_are_doubtful(folder: Path) -> None:
    texts = corpus({"hero": (0.05, 0.6), "like": (0.5, 0.55), "superb": (0.6, 0.02)}, 800)
    Path("texts.txt").write_text("\n".join(texts) + "\n")
    found = json.loads(problex("doctor", "texts.txt", *LISTS, "--format", "json").stdout)
    sure = {one["words"][0]: one["certainty"] for one in found if one["kind"] in ("wrong side", "ambiguous")}
    assert sure["hero"] > 0.9 > sure["like"]
    ran = problex("doctor", "texts.txt", *LISTS, "--fix", "better.csv")
    assert "1 fault is not corrected, because the doctor is less than 90% sure" in ran.stderr
    edited = read_lexicon("better.csv")
    assert "hero" in edited.lists["negative"]
    assert "like" in edited.lists["positive"]
    assert "at least 90% sure" in " ".join(problex("doctor", "--help").stdout.replace("│", " ").split())


def test_nothing_is_overwritten_and_bad_names_are_refused_before_the_work(folder: Path) -> None:
    Path("better.changes.csv").write_text("mine")
    ran = problex("doctor", "texts.txt", *LISTS, "--fix", "better.csv")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "'better.changes.csv' exists: choose another name, or overwrite it with --force" in ran.stderr
    ran = problex("doctor", "texts.txt", *LISTS, "--fix", "better.doc")
    assert "--fix 'better.doc' was given, expected a file name that ends in one of" in ran.stderr
    assert not Path("better.csv").exists()


def test_missing_files_are_named(folder: Path) -> None:
    ran = problex("doctor", "nowhere.csv", *LISTS)
    assert ran.returncode == 1
    assert "nowhere.csv" in ran.stderr


def test_the_language_can_be_guessed(folder: Path) -> None:
    guessed = problex(
        "doctor", "-", *LISTS, "--language", "auto", stdin="\n".join(["das ist gut und nicht schlecht"] * 9)
    )
    assert guessed.returncode == 0, guessed.stderr
    assert "the texts look German" in guessed.stderr
