"""Edits of a lexicon: what they change, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon
from problex.errors import LexiconError
from problex.lexicon import Edit, Entry
from problex.lexicon.edits import Edit as DoctorEdit

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
