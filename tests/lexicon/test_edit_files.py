"""Edits as CSV: what is written is read, also from the doctor's log."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon
from problex._util.records import to_csv
from problex.doctor import Finding, apply_edits
from problex.doctor.diagnosis import LOG_COLUMNS
from problex.errors import LexiconError
from problex.lexicon import Edit, edits_csv, read_edits

NAMES = st.sampled_from([None, "up", "=down", "a,b", 'quo"te', "two\nlines"])
WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).map(lambda text: Edit(text, None, None).entry)


@settings(max_examples=25)
@given(st.lists(st.builds(Edit, WORDS.filter(bool), NAMES, NAMES).filter(lambda edit: edit.old != edit.new)))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, edits: list[Edit]) -> None:
    path = tmp_path_factory.getbasetemp() / "edits.csv"
    path.write_bytes(edits_csv(edits).encode())
    assert read_edits(path) == edits


def test_the_log_of_the_doctor(tmp_path: Path) -> None:
    lexicon = Lexicon({"down": ["bad"], "up": ["good", "hero", "odd"]})
    findings = [
        Finding("wrong side", "up", ("hero",), "", (Edit("hero", "up", "down"),)),
        Finding("ambiguous", "up", ("odd",), "", (Edit("odd", "up", None), Edit("hero", "up", None))),
    ]
    edited, log = apply_edits(lexicon, findings)
    path = tmp_path / "log.csv"
    path.write_text(to_csv(log, LOG_COLUMNS), encoding="utf-8")
    assert read_edits(path) == [Edit("hero", "up", "down"), Edit("odd", "up", None)]
    assert lexicon.edited(read_edits(path)) == edited


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"none.csv cannot be read: No such file or directory. Check its name"):
        read_edits(tmp_path / "none.csv")
    path = tmp_path / "a.csv"
    path.write_text("word,list\ngood,up\n")
    with pytest.raises(
        LexiconError, match=r"a.csv has the columns word, list, expected word, from, to: the entry, the"
    ):
        read_edits(path)
    path.write_bytes("word,from,to\ncafé,,up\n".encode("latin-1"))
    with pytest.raises(LexiconError, match=r"a.csv is not UTF-8, expected CSV in UTF-8: save it with this encoding"):
        read_edits(path)
