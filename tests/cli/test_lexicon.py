"""The commands about lexicon files, called as people call them."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from problex.cli.application import main
from problex.estimation.model_file import load_model
from problex.lexicon.formats import READERS, WRITERS

DIC = "%\n1\tpos\n2\tneg\n%\ngood\t1\nhapp*\t1\nbad\t2\nno way\t2\n"
NRC = "good\tjoy\t1\ngood\tfear\t0\nfine\ttrust\t1\nbad\tfear\t1\npoor\tfear\t1\nso\tfear\t0\n"


class Ran(NamedTuple):
    """What a call of the command line did."""

    code: object
    out: str
    err: str


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Call `problex` in the test's folder, within this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)

    def call(*words: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["problex", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        return Ran(ended.value.code, shown.out, shown.err)

    return call


def test_choices_are_the_formats(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "a.dic").write_text(DIC)
    for option, formats in (("--from", READERS), ("--to", WRITERS)):
        wrong = run("convert", "a.dic", "b.csv", option, "word")
        assert wrong.code == 2
        named = re.findall(r"'([a-z0-9][a-z0-9-]*)'", " ".join(wrong.err.replace("│", " ").split()))
        assert [name for name in named if name != "word"] == list(formats)


def test_convert_there_and_back(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "a.dic").write_text(DIC)
    first = run("convert", "a.dic", "a.yml")
    assert (first.code, first.out) == (0, "")
    assert first.err == "wrote 4 entries in 2 categories to a.yml\n"
    assert run("convert", "a.yml", "b.dic").code == 0
    assert (tmp_path / "b.dic").read_text() == DIC
    again = run("convert", "a.yml", "b.dic")
    assert again.code == 1
    assert "exists: choose another name, or overwrite it with --force" in again.err


def test_convert_chooses_categories_and_says_what_was_lost(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "nrc.txt").write_text(NRC)
    ran = run("convert", "nrc.txt", "out.csv", "--list", "up=joy,trust", "--list", "down=fear")
    assert ran.code == 0, ran.err
    assert (tmp_path / "out.csv").read_text() == "word,list\ngood,up\nfine,up\nbad,down\npoor,down\n"
    assert "'so' (nrc.txt): in no category, left out, as the file says" in ran.err
    one = run("convert", "nrc.txt", "fear.txt", "--list", "fear")
    assert one.code == 0, one.err
    assert (tmp_path / "fear.txt").read_text() == "bad\npoor\n"
    wrong = run("convert", "nrc.txt", "x.csv", "--list", "up=happiness")
    assert wrong.code == 1
    assert wrong.err == "problex: error: there is no category 'happiness', expected one of joy, trust, fear\n"


def test_convert_to_a_named_format_and_from_a_named_encoding(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_bytes("zły\n".encode("cp1250"))
    ran = run("convert", "p.txt", "p.out", "--encoding", "cp1250", "--to", "json-long")
    assert ran.code == 0, ran.err
    assert json.loads((tmp_path / "p.out").read_text()) == [{"word": "zły", "list": "p"}]


def test_categories_are_shown(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "a.dic").write_text(DIC + "kind\t<of>1/2\n")
    ran = run("categories", "a.dic", "--format", "json")
    assert [(row["category"], row["entries"]) for row in json.loads(ran.out)] == [("pos", 2), ("neg", 2)]
    assert ran.err == "'kind <of>1/2' (a.dic:9): conditional, not supported, left out\n"


def test_fit_chooses_categories(run: Callable[..., Ran], tmp_path: Path, texts: list[str]) -> None:
    (tmp_path / "t.txt").write_text("\n".join(texts))
    (tmp_path / "nrc.txt").write_text(NRC)
    choice = ("--list", "positive=joy,trust", "--list", "negative=fear")
    ran = run("fit", "t.txt", "--lexicon", "nrc.txt", *choice, "-o", "m.json")
    assert ran.code == 0, ran.err
    assert load_model(tmp_path / "m.json").lexicon.lists == {"negative": ("bad", "poor"), "positive": ("fine", "good")}
    wrong = run("fit", "t.txt", "--lexicon", "a=nrc.txt", *choice, "-o", "n.json")
    assert "--lexicon a=nrc.txt was given with --list, expected --lexicon FILE" in wrong.err
    whole = run("fit", "t.txt", "--lexicon", "positive=nrc.txt", "-o", "n.json")
    assert "nrc.txt was given as list 'positive', but has 3 categories (joy, trust, fear), expected one" in whole.err


def test_given_weights_are_compared_with_learned_ones_and_change_nothing(
    run: Callable[..., Ran], tmp_path: Path, texts: list[str]
) -> None:
    (tmp_path / "t.txt").write_text("\n".join(texts))
    for name, weights in {"w": ("3", "0.5"), "u": ("1", "1")}.items():
        rows = f"good\t{weights[0]}\nfine\t{weights[1]}\nbad\t-2\npoor\t-{weights[1]}\n"
        (tmp_path / f"{name}.txt").write_text(rows)
        ran = run("fit", "t.txt", "--lexicon", f"{name}.txt", "-o", f"{name}.json")
        assert ran.code == 0, ran.err
    assert load_model(tmp_path / "w.json") == load_model(tmp_path / "u.json")
    ran = run("compare", "w.json", "w.txt", "--min-count", "1", "--format", "json")
    assert ran.code == 0, ran.err
    records = {row["entry"]: row for row in json.loads(ran.out)}
    assert records["good"]["given"] == 3.0
    assert set(records) == {"good", "fine", "bad", "poor"}
    assert "positive: 2 entries compared, rank correlation" in ran.err


@pytest.mark.parametrize("text", ["", "\n\n", "; only a remark\n"])
def test_empty_files_are_errors(run: Callable[..., Ran], tmp_path: Path, text: str) -> None:
    (tmp_path / "e.txt").write_text(text)
    ran = run("convert", "e.txt", "e.csv")
    assert ran.code == 1
    assert ran.err == "problex: error: e.txt has no entry that can be read, expected words and their lists\n"
