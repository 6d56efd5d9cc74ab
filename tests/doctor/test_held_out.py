"""Edits that are tried on texts labelled by the words outside the lists."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from problex.doctor.associations import OUTSIDE
from problex.doctor.usage import HeldOut, Trial
from problex.expansion.learn import OutsideView
from tests.doctor.test_lists import LISTS, diagnosis_of

WORDS = ("ant", "bat", "cat", "odd")
COUNTS = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 2], [0, 0, 1, 1]]


def held_out() -> HeldOut:
    """Four documents of the labels 0, 1, 2, 2; "odd" is in list 0, so documents 2 and 3 are wrong and tied."""
    view = OutsideView(np.array([0, 1, 2, 2]), np.ones(3), WORDS, sparse.csr_array(np.array(COUNTS)))
    return HeldOut(view, np.array([0, 1, 2, 0]), 3)


def test_a_removal_by_hand() -> None:
    """Document 2 becomes right (+1), document 3 was half right (+1/2): mean 3/8, mean square 5/16."""
    trial = held_out().attempt([("odd", 0, OUTSIDE)])
    assert trial.gain == pytest.approx(3 / 8)
    assert trial.error == pytest.approx(np.sqrt((5 / 16 - 9 / 64) / 4))
    assert trial.helps == (2 * trial.error <= 3 / 8)


def test_a_move_and_an_addition_by_hand() -> None:
    assert held_out().attempt([("odd", 0, 2)]).gain == pytest.approx(3 / 8)
    assert held_out().attempt([("odd", 0, 1)]).gain == pytest.approx(-1 / 8 + 1 / 8)
    assert held_out().attempt([("ant", 0, OUTSIDE)]).gain == pytest.approx((1 / 3 - 1) / 4)


def test_words_that_do_not_occur_change_nothing() -> None:
    trial = held_out().attempt([("unknown", OUTSIDE, 1)])
    assert (trial.gain, trial.error, trial.helps, trial.certainty) == (0.0, 0.0, False, 0.5)


@pytest.mark.parametrize(("gain", "error", "helps"), [(0.02, 0.01, True), (0.019, 0.01, False), (-0.1, 0.01, False)])
def test_an_edit_helps_from_two_standard_errors_on(gain: float, error: float, helps: bool) -> None:
    assert Trial(gain, error).helps == helps


def test_a_misplaced_word_is_found_and_a_right_one_stays() -> None:
    """ "goal" is in the list of music: it is moved, with the accuracy that this gains on texts of other words."""
    lists = {"music": [*LISTS["music"], "goal"], "sport": ["match", "team"]}
    diagnosis = diagnosis_of(**lists)
    (fault,) = diagnosis.faults
    assert fault.words == ("goal",)
    assert fault.trial is not None
    assert fault.trial.helps
    assert fault.certainty == pytest.approx(fault.trial.certainty)
    assert f"accuracy {fault.trial.gain:+.4f} (standard error" in fault.why
    assert fault.record()["accuracy_gain"] == round(fault.trial.gain, 6)
    assert diagnosis_of().faults == ()
