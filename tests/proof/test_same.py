"""`proof/same.py`: two runs of the same code give the same files, and what differs is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def same(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "proof"))
    yield import_module("same")
    for name in ("same", "corpora"):
        sys.modules.pop(name)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("old", "new"):
        place = tmp_path / name / "short" / "python" / "default"
        place.mkdir(parents=True)
        (place / "scores.jsonl").write_text('["good", 0.5]\n["bad", -2.0]\n')
    return tmp_path / "old", tmp_path / "new"


def test_equal_files_are_no_difference(
    same: Any, folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert same.compare(*folders, []) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("0 of 1 files of 1 corpora differ")
    assert "NOT COMPARED, for they are in neither folder: two-balanced, " in printed


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ('["good", 0.5]\n["bad", -2.25]\n', ["0.25", "line 2: '[\"bad\", -2.0]' -> '[\"bad\", -2.25]'"]),
        ('["good", 0.5]\n["poor", -2.0]\n', ["line 2: '[\"bad\", -2.0]' -> '[\"poor\", -2.0]'"]),
        ('["good", 0.5]\n', ["line 2: '[\"bad\", -2.0]' -> ''"]),
        (None, ["only in OLD"]),
    ],
)
def test_a_difference_is_named(
    same: Any, folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str], changed: str | None, named: list[str]
) -> None:
    file = folders[1] / "short" / "python" / "default" / "scores.jsonl"
    if changed is None:
        file.unlink()
    else:
        file.write_text(changed)
    assert same.compare(*folders, []) == 1
    row = capsys.readouterr().out.splitlines()[0]
    assert row.split()[:3] == ["short", "python/default", "scores.jsonl"]
    assert all(part in row for part in named)


def test_files_that_may_differ_are_left_out(same: Any, folders: tuple[Path, Path]) -> None:
    (folders[1] / "short" / "new.txt").write_text("new")
    assert same.compare(*folders, []) == 1
    assert same.compare(*folders, ["short/new*"]) == 0


def test_nothing_to_compare_is_no_success(same: Any, tmp_path: Path) -> None:
    assert same.compare(tmp_path, tmp_path, []) == 1


def test_two_runs_are_equal(same: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same, "SETTINGS", "default; rule=given; balance=by-list calibration=none")
    monkeypatch.setattr(same, "COMMANDS", "fit: fit texts.csv -l lexicon.csv -o model.json READING")
    for run in ("old", "new"):
        assert same.write_corpus("few-words", tmp_path / run).startswith("few-words: ")
    assert same.compare(tmp_path / "old", tmp_path / "new", []) == 0
    written = tmp_path / "old" / "few-words"
    assert '"entries"' in (written / "commands" / "fit" / "model.json").read_text()
    assert "the lexicon has no weights" in (written / "python" / "rule=given" / "error.jsonl").read_text()
    assert not list((written / "python" / "default").glob("error.jsonl"))


def test_every_corpus_of_invented_words_has_what_its_name_says(same: Any) -> None:
    corpora = {name: same.corpus_of(name) for name in same.CORPORA if name not in same.PAPER}
    assert len(corpora) + len(same.PAPER) >= 30
    assert {name: len(corpora[f"{name}-lists"].lists) for name in ("three", "five", "twenty")} == {
        "three": 3,
        "five": 5,
        "twenty": 20,
    }
    assert all(200 <= len(corpus.texts) == len(corpus.labels) <= 3000 for corpus in corpora.values())
    assert None in corpora["empty-and-missing"].texts
    assert any(" not " in text for text in corpora["negation"].texts)
    assert any("*" in word for word in corpora["wildcards"].lists["positive"])
