"""`proof/accuracy/accuracy.py --folder`: cases of one's own are read, measured, and what is below its limit is said."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from problex.errors import ProblexError

FOLDER = Path(__file__).parents[2] / "proof" / "accuracy"
PRAISE, BLAME = ("gut schön", "schön toll Sonne", "gut Sonne"), ("schlecht mies", "mies öde Regen", "schlecht Regen")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(FOLDER))
    yield import_module("folder")
    sys.modules.pop("folder")


@pytest.fixture
def case(tmp_path: Path) -> Path:
    path = tmp_path / "cases" / "films"
    path.mkdir(parents=True)
    rows = [f'"{text} Tag {at}",{label}' for at in range(20) for label, texts in _sides() for text in texts]
    (path / "texts.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    words = ["gut,lob", "schön,lob", "toll,lob", "schlecht,tadel", "mies,tadel", "öde,tadel"]
    (path / "lexicon.csv").write_text("\n".join(["entry,label", *words]), encoding="utf-8")
    (path / "settings.json").write_text(json.dumps({"language": "de"}), encoding="utf-8")
    return path


def _sides() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("lob", PRAISE), ("tadel", BLAME)


def test_a_folder_is_read_as_it_was_written(folder: Any, case: Path) -> None:
    found = folder.folder_cases(case.parent)
    assert list(found) == ["films"]
    data = found["films"]()
    assert (len(data.texts), data.texts[0], data.labels[0]) == (120, "gut schön Tag 0", "lob")
    assert data.language == "de"
    assert data.lexicon.lists == {"lob": ("gut", "schön", "toll"), "tadel": ("mies", "schlecht", "öde")}
    (case / "settings.json").unlink()
    assert folder.read_case(case).language == "en"


def test_what_a_case_lacks_is_said(folder: Any, case: Path) -> None:
    with pytest.raises(ProblexError, match="has no subfolder, expected one for each case"):
        folder.folder_cases(case)
    (case / "texts.csv").write_text("text,label\ngut,neutral\n", encoding="utf-8")
    with pytest.raises(ProblexError, match="the label 'neutral', expected the names of the lists: lob, tadel"):
        folder.read_case(case)
    (case / "texts.csv").write_text("text,lable\ngut,lob\n", encoding="utf-8")
    with pytest.raises(ProblexError, match="has no column 'label', expected text and label"):
        folder.read_case(case)
    (case / "texts.csv").write_text("text,label\ngut,lob\n", encoding="utf-8")
    (case / "lexicon.txt").write_text("gut\n", encoding="utf-8")
    with pytest.raises(ProblexError, match=r"has 2 files lexicon\.\*, expected one"):
        folder.read_case(case)


def test_all_methods_are_measured_in_sample_and_on_the_unseen_half(
    folder: Any, case: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("vaderSentiment")
    accuracy = import_module("accuracy")
    monkeypatch.setattr(sys, "argv", ["accuracy.py", "--folder", str(case.parent), "--halves"])
    accuracy.main()
    head, _, row, mean, _, *rest = capsys.readouterr().out.splitlines()
    assert head == "| case | texts | counting | default | lexicon | expanded |"
    assert row == "| films | 120 | 1.000 (1.000) | 1.000 (1.000) | 1.000 (1.000) | 1.000 (1.000) |"
    assert mean == row.replace("films | 120", "mean |")
    assert rest == ["Nothing is below its limit."]


def test_what_is_below_its_limit_is_listed(folder: Any) -> None:
    inside = {"counting": 0.8, "default": 0.7949, "lexicon": 0.7919, "expanded": 0.7920}
    unseen = {"counting": 0.8, "default": 0.7951, "lexicon": 0.7922, "expanded": 0.7920}
    found = folder.Figures("films", 1200, inside, unseen)
    assert found.below() == [
        "films, in sample: default 0.7949, counting 0.8000",
        "films, unseen half: expanded 0.7920, default 0.7951",
    ]
    lines = folder.report([found, folder.Figures("books", 10, dict.fromkeys(inside, 0.9), {})]).splitlines()
    assert lines[2:5] == [
        "| films | 1,200 | .800 (.800) | .795 (.795) | .792 (.792) | .792 (.792) |",
        "| books | 10 | .900 | .900 | .900 | .900 |",
        "| mean | | .850 (.800) | .847 (.795) | .846 (.792) | .846 (.792) |",
    ]
    assert lines[-2:] == found.below()
