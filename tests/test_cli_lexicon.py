"""The commands about lexicon files, called as people call them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from problex.cli_lexicon import Readable, Writable
from problex.files import load_model
from problex.formats import READERS, WRITERS

DIC = "%\n1\tpos\n2\tneg\n%\ngood\t1\nhapp*\t1\nbad\t2\nno way\t2\n"
NRC = "good\tjoy\t1\ngood\tfear\t0\nfine\ttrust\t1\nbad\tfear\t1\npoor\tfear\t1\nso\tfear\t0\n"


def run(*words: object, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "problex", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_choices_are_the_formats() -> None:
    assert [str(one) for one in Readable] == list(READERS)
    assert [str(one) for one in Writable] == list(WRITERS)


def test_convert_there_and_back(tmp_path: Path) -> None:
    (tmp_path / "a.dic").write_text(DIC)
    first = run("convert", "a.dic", "a.yml", folder=tmp_path)
    assert (first.returncode, first.stdout) == (0, "")
    assert first.stderr == "wrote 4 entries in 2 categories to a.yml\n"
    assert run("convert", "a.yml", "b.dic", folder=tmp_path).returncode == 0
    assert (tmp_path / "b.dic").read_text() == DIC
    again = run("convert", "a.yml", "b.dic", folder=tmp_path)
    assert again.returncode == 1
    assert "exists: choose another name, or overwrite it with --force" in again.stderr


def test_convert_chooses_categories_and_says_what_was_lost(tmp_path: Path) -> None:
    (tmp_path / "nrc.txt").write_text(NRC)
    ran = run("convert", "nrc.txt", "out.csv", "--list", "up=joy,trust", "--list", "down=fear", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "out.csv").read_text() == "word,list\ngood,up\nfine,up\nbad,down\npoor,down\n"
    assert "'so' (nrc.txt): in no category, left out, as the file says" in ran.stderr
    one = run("convert", "nrc.txt", "fear.txt", "--list", "fear", folder=tmp_path)
    assert one.returncode == 0, one.stderr
    assert (tmp_path / "fear.txt").read_text() == "bad\npoor\n"
    wrong = run("convert", "nrc.txt", "x.csv", "--list", "up=happiness", folder=tmp_path)
    assert wrong.returncode == 1
    assert wrong.stderr == "problex: error: there is no category 'happiness', expected one of joy, trust, fear\n"


def test_convert_to_a_named_format_and_from_a_named_encoding(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_bytes("zły\n".encode("cp1250"))
    ran = run("convert", "p.txt", "p.out", "--encoding", "cp1250", "--to", "json-long", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert json.loads((tmp_path / "p.out").read_text()) == [{"word": "zły", "list": "p"}]


def test_categories_are_shown(tmp_path: Path) -> None:
    (tmp_path / "a.dic").write_text(DIC + "kind\t<of>1/2\n")
    ran = run("categories", "a.dic", "--format", "json", folder=tmp_path)
    assert [(row["category"], row["entries"]) for row in json.loads(ran.stdout)] == [("pos", 2), ("neg", 2)]
    assert ran.stderr == "'kind <of>1/2' (a.dic:9): conditional, not supported, left out\n"


def test_fit_chooses_categories(tmp_path: Path, texts: list[str]) -> None:
    (tmp_path / "t.txt").write_text("\n".join(texts))
    (tmp_path / "nrc.txt").write_text(NRC)
    choice = ("--list", "positive=joy,trust", "--list", "negative=fear")
    ran = run("fit", "t.txt", "--lexicon", "nrc.txt", *choice, "-o", "m.json", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert load_model(tmp_path / "m.json").lexicon.lists == {"negative": ("bad", "poor"), "positive": ("fine", "good")}
    wrong = run("fit", "t.txt", "--lexicon", "a=nrc.txt", *choice, "-o", "n.json", folder=tmp_path)
    assert "--lexicon a=nrc.txt was given with --list, which chooses from --lexicon FILE" in wrong.stderr
    whole = run("fit", "t.txt", "--lexicon", "positive=nrc.txt", "-o", "n.json", folder=tmp_path)
    assert "nrc.txt was given as list 'positive', but has 3 categories (joy, trust, fear), expected one" in whole.stderr


def test_given_weights_are_compared_with_learned_ones_and_change_nothing(tmp_path: Path, texts: list[str]) -> None:
    (tmp_path / "t.txt").write_text("\n".join(texts))
    for name, weights in {"w": ("3", "0.5"), "u": ("1", "1")}.items():
        rows = f"good\t{weights[0]}\nfine\t{weights[1]}\nbad\t-2\npoor\t-{weights[1]}\n"
        (tmp_path / f"{name}.txt").write_text(rows)
        ran = run("fit", "t.txt", "--lexicon", f"{name}.txt", "-o", f"{name}.json", folder=tmp_path)
        assert ran.returncode == 0, ran.stderr
    assert load_model(tmp_path / "w.json") == load_model(tmp_path / "u.json")
    ran = run("compare", "w.json", "w.txt", "--format", "json", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    records = {row["entry"]: row for row in json.loads(ran.stdout)}
    assert records["good"]["given"] == 3.0
    assert set(records) == {"good", "fine", "bad", "poor"}
    assert "positive: 2 entries with both, rank correlation" in ran.stderr


@pytest.mark.parametrize("text", ["", "\n\n", "; only a remark\n"])
def test_empty_files_are_errors(tmp_path: Path, text: str) -> None:
    (tmp_path / "e.txt").write_text(text)
    ran = run("convert", "e.txt", "e.csv", folder=tmp_path)
    assert ran.returncode == 1
    assert ran.stderr == "problex: error: there is no entry to write to 'e.csv', expected at least one\n"
