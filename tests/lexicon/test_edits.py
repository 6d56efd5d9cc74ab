"""Edits of a lexicon: what they change, and what is refused. Edits as CSV: what is written is read."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from problex import Lexicon
from problex._util.records import to_csv
from problex.doctor import Finding, apply_edits
from problex.doctor.diagnosis import LOG_COLUMNS
from problex.errors import DocumentError, LexiconError
from problex.lexicon import Edit
from problex.lexicon.edits import Edit as DoctorEdit
from problex.lexicon.edits import edits_csv, read_edits
from problex.lexicon.lexicon import Entry
from tests.tables.writing import FILES

LEXICON = Lexicon({"down": ["bad", "dull"], "up": ["fine", "good", "hero"]})


def fitting_edits(data: st.DataObject, lexicon: Lexicon) -> tuple[list[Edit], list[Lexicon]]:
    """Edits that fit, drawn one by one, and the lexicon after each as made from the lists by hand."""
    edits, steps = [], [lexicon]
    for _ in range(data.draw(st.integers(0, 6))):
        lists = {name: set(words) for name, words in steps[-1].lists.items()}
        word = data.draw(st.sampled_from(["bad", "dull", "fine", "good", "hero", "odd", "well made"]))
        old = next((name for name, words in lists.items() if word in words), None)
        new = data.draw(st.sampled_from([name for name in ("down", "up", None) if name != old]))
        if old is not None and lists[old] == {word}:
            continue
        edits.append(Edit(word, old, new))
        changed = {name: words - {word} | ({word} if name == new else set()) for name, words in lists.items()}
        steps.append(Lexicon(changed))
    return edits, steps


@given(data=st.data())
def test_edits_are_applied_one_by_one_and_undone_by_their_inverses(data: st.DataObject) -> None:
    edits, steps = fitting_edits(data, LEXICON)
    assert LEXICON.edited(edits) == steps[-1]
    assert LEXICON.edited(edits).fingerprint == steps[-1].fingerprint
    undone = steps[-1].edited(edit.inverse for edit in reversed(edits)) if edits else LEXICON
    assert undone == LEXICON


def test_entries_are_cleaned_as_those_of_files() -> None:
    edited = LEXICON.edited([Edit("  Well   Made ", None, "up"), Edit("GOOD", "up", None)])
    assert edited.lists["up"] == ("fine", "hero", "well made")
    assert LEXICON.lists["up"] == ("fine", "good", "hero")


def test_weights_of_other_entries_are_kept() -> None:
    entries = [Entry("bad", "down", "", -2.0), Entry("dull", "down", "", -1.0), Entry("good", "up", "", 3.0)]
    edited = Lexicon.from_entries(entries).edited([Edit("dull", "down", "up")])
    assert dict(edited.weights) == {"bad": -2.0, "good": 3.0}


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (Edit(" ", None, "up"), "an edit of the entry ' ' was given, expected a word"),
        (Edit("good", "good", None), r"names the list 'good', expected one of down, up: name one of these"),
        (Edit("good", "up", "up"), "the edit of 'good' changes nothing, because both lists are 'up'"),
        (Edit("good", "down", None), r"'good' is in 'up', but the edit .* expects it in 'down': look at the lexicon"),
        (Edit("good", None, "down"), r"'good' is in 'up', but the edit 'add 'good' to down' expects it in no list"),
        (Edit("odd", "up", None), r"'odd' is in no list, but the edit .* expects it in 'up'"),
    ],
)
def test_edits_that_do_not_fit_are_refused(edit: Edit, message: str) -> None:
    with pytest.raises(LexiconError, match=message):
        LEXICON.edited([edit])


def test_a_list_is_never_left_empty() -> None:
    edits = [Edit("bad", "down", None), Edit("dull", "down", "up"), Edit("odd", None, "down")]
    with pytest.raises(LexiconError, match="'dull' is the last entry of 'down', and a list cannot be empty: add ano"):
        LEXICON.edited(edits)


def test_the_doctor_proposes_the_same_kind_of_edit() -> None:
    assert DoctorEdit is Edit


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
    with pytest.raises(DocumentError, match=r"there is no file or folder '.*none.csv'. Check the folder"):
        read_edits(tmp_path / "none.csv")
    path = tmp_path / "a.csv"
    path.write_text("word,list\ngood,up\n")
    with pytest.raises(
        LexiconError, match=r"a.csv has the columns word, list, expected word, from, to: the entry, the"
    ):
        read_edits(path)


@pytest.mark.parametrize("format", ["xlsx", "xls", "ods", "feather", "tsv in UTF-16"])
def test_edits_in_any_format_of_tables(tmp_path: Path, format: str) -> None:
    """A person may have written them in a spreadsheet program."""
    table = {"word": ["café", "dull"], "from": ["", "down"], "to": ["up", ""]}
    path = tmp_path / f"edits.{format[:7].split(maxsplit=1)[0]}"
    if f"x.{format}" in FILES:
        FILES[f"x.{format}"](path, table)
    else:
        path.write_text("\n".join(map("\t".join, [table, *zip(*table.values(), strict=True)])), encoding="utf-16")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert read_edits(path) == [Edit("café", None, "up"), Edit("dull", "down", None)]
