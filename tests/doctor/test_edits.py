"""Edits of a lexicon, their log, and the files."""

from __future__ import annotations

from pathlib import Path

from problex import Lexicon, read_lexicon
from problex.doctor import Finding, apply_edits, write_edits
from problex.lexicon.edits import Edit


def test_a_list_is_never_emptied_and_a_word_never_edited_twice() -> None:
    lexicon = Lexicon({"a": ["x"], "b": ["y", "z"]})
    fixes = [
        Finding("wrong side", "a", ("x",), "", (Edit("x", "a", None),)),
        Finding("candidate", "a", ("new",), "", (Edit("new", None, "a"),)),
        Finding("candidate", "b", ("new",), "", (Edit("new", None, "b"),)),
    ]
    edited, log = apply_edits(lexicon, fixes)
    assert dict(edited.lists) == {"a": ("new", "x"), "b": ("y", "z")}
    assert log[0]["done"] == "nothing: it is the last entry of its list"
    assert log[2]["done"] == "nothing: fix 2 changed it already"


def test_the_edited_lexicon_and_the_log_are_written(tmp_path: Path) -> None:
    lexicon = Lexicon({"a": ["x", "w"], "b": ["y"]})
    fix = Finding("wrong side", "a", ("x",), "a, b", (Edit("x", "a", "b"),), before=0.7, after=0.8)
    edited, log = apply_edits(lexicon, [fix])
    assert write_edits(edited, log, tmp_path / "new.csv", tmp_path / "log.csv") == []
    assert read_lexicon(tmp_path / "new.csv").lists == {"a": ("w",), "b": ("x", "y")}
    assert (tmp_path / "log.csv").read_text(encoding="utf-8") == (
        "fix,word,from,to,done,kind,why,forecast_before,forecast_after\n"
        "1,x,a,b,move 'x' from a to b,wrong side,\"a, b\",0.7,0.8\n"
    )


def test_a_log_without_changes_has_its_header(tmp_path: Path) -> None:
    lexicon = Lexicon({"a": ["x"], "b": ["y"]})
    write_edits(*apply_edits(lexicon, []), tmp_path / "new.csv", tmp_path / "log.csv")
    assert (tmp_path / "log.csv").read_text(encoding="utf-8").startswith("fix,word,from,to,done,")
