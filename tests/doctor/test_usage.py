"""Which lists use an entry: by hand, and on a corpus of topics that share words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.special import ndtr

from problex import Lexicon, count
from problex.doctor.diagnosis import examine
from problex.doctor.findings import MIN_GAIN
from problex.doctor.usage import NO_LEAD, Usage, leading_lists
from tests.doctor.material import corpus


def usage(rows: list[list[int]], list_index: list[int], lists: int) -> Usage:
    matrix, index = np.array(rows), np.array(list_index)
    return Usage(sparse.csc_array(matrix), index, (matrix @ np.eye(lists)[index]).astype(np.float64))


def test_a_tie_and_a_document_without_entries_have_no_leading_list() -> None:
    assert leading_lists(np.array([[0.0, 0.0, 0.0], [2.0, 2.0, 1.0], [1.0, 2.0, 0.0]])).tolist() == [
        NO_LEAD,
        NO_LEAD,
        1,
    ]


def test_rates_and_certainty_by_hand() -> None:
    """Entry 0 of list 0 occurs twice in one text of list 1 and once in another, and once in one of three of list 0.

    Without it, list 0 leads in 3 texts and list 1 in 2. The variances are 1 / 9 and (4 + 1) / 4.
    """
    rows = [[2, 0, 3], [1, 0, 1], [1, 1, 0], [0, 1, 0], [0, 2, 0], [5, 0, 0]]
    use = usage(rows, [0, 0, 1], 2).of(0)
    assert use.rates.tolist() == [1 / 3, 3 / 2]
    assert (use.rival, use.is_elsewhere) == (1, True)
    assert use.certainty == pytest.approx(float(ndtr((3 / 2 - 1 / 3) / np.sqrt(1 / 9 + 5 / 4))))


def test_the_rival_is_the_other_list_with_the_highest_rate() -> None:
    rows = [[1, 0, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]
    use = usage(rows, [0, 0, 1, 2], 3).of(0)
    assert use.rates.tolist() == [0, 1 / 2, 2 / 3]
    assert use.rival == 2


def test_no_document_tells() -> None:
    use = usage([[3, 0], [0, 1]], [0, 1], 2).of(0)
    assert (use.rates.tolist(), use.certainty) == ([0, 0], 0.5)


@pytest.mark.parametrize(
    ("lists", "certainty", "expected"), [(2, 0.5, True), (2, 0.49, False), (3, 0.94, False), (3, 0.95, True)]
)
def test_more_lists_need_more_certainty(lists: int, certainty: float, expected: bool) -> None:
    use = usage([[1, 1]], [0, 1], 2).of(0)._replace(rates=np.zeros(lists), certainty=certainty)
    assert use.is_elsewhere is expected


TOPICS = {
    "sport": ["goal", "team", "match", "coach"],
    "tech": ["software", "phone", "mobile", "web"],
    "music": ["song", "album", "band", "singer"],
}


def topic_texts(extra: dict[str, list[int]], documents: int = 900) -> list[str]:
    """Texts of three topics; `extra` words occur in half of the texts of a topic, as often as given."""
    random = np.random.default_rng(3)
    texts = []
    for number in range(documents):
        topic = number % 3
        words = [*random.choice(TOPICS[list(TOPICS)[topic]], 2), *random.choice(["day", "said", "new"], 6)]
        words += [str(random.choice(TOPICS[str(random.choice(list(TOPICS)))]))]
        for word, times in extra.items():
            words += [word] * (times[topic] if random.random() < 0.5 else 0)
        texts.append(" ".join(words))
    return texts


def test_a_word_that_is_repeated_in_texts_of_its_own_list_is_no_fault() -> None:
    """Ten times in a text: much noise, but every use is that of its own list."""
    lexicon = Lexicon(TOPICS | {"tech": [*TOPICS["tech"], "console"]})
    diagnosis = examine(count(topic_texts({"console": [0, 10, 0]}), lexicon, associations=True), lexicon)
    assert diagnosis.faults == ()


def test_a_word_that_two_of_three_lists_use_alike_is_no_fault() -> None:
    lexicon = Lexicon(TOPICS | {"tech": [*TOPICS["tech"], "download"]})
    diagnosis = examine(count(topic_texts({"download": [0, 1, 1]}), lexicon, associations=True), lexicon)
    assert diagnosis.faults == ()


def test_a_word_of_another_topic_is_found_with_its_reason() -> None:
    lexicon = Lexicon(TOPICS | {"tech": [*TOPICS["tech"], "tour"]})
    diagnosis = examine(count(topic_texts({"tour": [0, 0, 1]}), lexicon, associations=True), lexicon)
    (fault,) = diagnosis.faults
    assert fault.edits[0].word == "tour"
    assert fault.edits[0].new in (None, "music")
    assert fault.cost >= MIN_GAIN
    assert fault.certainty is not None
    assert fault.certainty > 0.95
    assert "times per text in which music leads" in fault.why


def test_edits_below_the_least_gain_are_counted_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = Lexicon({"positive": ["good", "fine", "great", "like"], "negative": ["bad", "poor", "awful"]})
    counts = count(corpus({"like": (0.5, 0.6)}), lexicon, associations=True)
    diagnosis = examine(counts, lexicon)
    proposed = (*diagnosis.faults, *diagnosis.additions)
    assert "like" in {finding.words[0] for finding in proposed}
    assert all(finding.cost >= MIN_GAIN for finding in proposed)
    monkeypatch.setattr("problex.doctor.findings.MIN_GAIN", 0.4)
    strict = examine(counts, lexicon)
    assert (strict.faults, strict.additions) == ((), ())
    assert strict.left_out == diagnosis.left_out + len(proposed)
