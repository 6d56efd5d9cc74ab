"""What changed between two scorings: by hand, and against the labels of the scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from problex.errors import ProblexError
from problex.scoring import Scores, compare


def scores(values: list[list[float]], confidence: float | None = None, classes: str = "ab") -> Scores:
    lengths = np.full(len(values), 5)
    matches = (np.array(values).reshape(len(values), -1) != 0).sum(axis=1)
    return Scores(tuple(classes), np.array(values, dtype=float), lengths, matches, confidence=confidence)


def test_by_hand() -> None:
    before = scores([[1, 0], [1, 0], [0, 2], [0, 0], [3, 0]])
    after = scores([[0, 1], [1, 0.5], [0, 0], [0, 0], [-2, 0]])
    changes = compare(before, after)
    assert changes.labels == ("a", "b", "undecided")
    assert changes.moves.tolist() == [2, 0.5, 2, 0, 5]
    assert changes.table.tolist() == [[1, 2, 0], [0, 0, 1], [0, 0, 1]]
    assert changes.changed.tolist() == [4, 0, 2]
    assert changes.rows("a", "b").tolist() == [4, 0]
    assert changes.rows("a", "a").tolist() == [1]
    assert changes.largest(3).tolist() == [4, 0, 2]
    assert changes.largest(2).tolist() == [4, 0]
    assert changes.largest().tolist() == [4, 0, 2, 1], "documents whose score is the same are not listed"
    assert changes.largest(0).tolist() == []
    assert changes.records()[1] == {"before": "a", "after": "b", "documents": 2}
    assert repr(changes) == "Changes(5 documents, 3 changed label)"


def test_a_move_of_several_classes_is_the_largest_between_two() -> None:
    changes = compare(scores([[1, 0, 0]], classes="abc"), scores([[1.5, -1, 0]], classes="abc"))
    assert changes.moves.tolist() == [1.5]


@given(
    values=arrays(float, (2, 6, 3), elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0])),
    confidence=st.sampled_from([None, 0.6]),
)
def test_agrees_with_the_labels_of_the_scores(values: np.ndarray, confidence: float | None) -> None:
    before, after = (scores(part.tolist(), confidence, "abc") for part in values)
    changes, (old, new) = compare(before, after), (before.labels(), after.labels())
    assert [changes.labels[at] for at in changes.before] == old.tolist()
    assert [changes.labels[at] for at in changes.after] == new.tolist()
    assert sorted(changes.changed.tolist()) == np.flatnonzero(old != new).tolist()
    assert sum(row["documents"] for row in changes.records()) == 6


def test_no_documents() -> None:
    none = Scores(("a", "b"), np.zeros((0, 2)), np.zeros(0, int), np.zeros(0, int))
    assert compare(none, none).records() == []
    assert compare(none, none).largest().tolist() == []


def test_what_cannot_be_compared_is_refused() -> None:
    one = scores([[1, 0]])
    with pytest.raises(ProblexError, match="for the labels a, b and for a, c were given, expected the same labels"):
        compare(one, scores([[1, 0]], classes="ac"))
    with pytest.raises(ProblexError, match="scores of 1 document and of 2 were given, expected scores of the same doc"):
        compare(one, scores([[1, 0], [1, 0]]))
    with pytest.raises(ProblexError, match="the label 'c' was given, expected one of a, b, undecided"):
        compare(one, one).rows("a", "c")
