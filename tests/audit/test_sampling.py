from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from problex._util.arrays import FloatArray
from problex.audit.sample import Frame, Stratum, apportion, confidence, draw
from problex.errors import ProblexError
from problex.scoring.scores import Scores


def scores_of(documents: int, classes: int = 2, seed: int = 0, coarse: bool = False) -> Scores:
    random = np.random.default_rng(seed)
    values = random.normal(size=(documents, classes))
    values = np.round(values) if coarse else values
    lengths = np.where(random.random(documents) < 0.1, 0, 20)
    return Scores(tuple("abcd"[:classes]), values, lengths, np.minimum(lengths, random.integers(0, 3, documents)))


def frame_of(labels: NDArray[np.object_], margins: FloatArray) -> Frame:
    """Documents of one group."""
    return Frame(("a", "b"), np.arange(len(labels)), labels, margins, np.full(len(labels), "", dtype=object))


@given(st.integers(2, 300), st.integers(1, 80), st.integers(2, 4), st.integers(0, 50), st.booleans(), st.data())
def test_a_sample_is_what_it_says(
    documents: int, size: int, classes: int, seed: int, coarse: bool, data: st.DataObject
) -> None:
    scores = scores_of(documents, classes, seed, coarse)
    some = int(np.sum(scores.lengths > 0))
    if size > some:
        with pytest.raises(
            ProblexError, match=f"a sample of {size:,} was requested, but there are only {some:,} document"
        ):
            draw(scores, size)
        return
    sample = draw(scores, size, seed=seed)
    assert len(set(sample.rows.tolist())) == size
    assert np.all(scores.lengths[sample.rows] > 0)
    assert sample.documents == some
    assert np.array_equal(sample.values, scores.values[sample.rows])
    labels = scores.labels()[sample.rows]
    assert [sample.strata[at].label for at in sample.stratum] == labels.tolist()
    again = draw(scores, size, seed=seed)
    assert np.array_equal(again.rows, sample.rows)
    if size < some:
        more = draw(scores, data.draw(st.integers(1, some - size)), seed=seed, earlier=sample)
        both = sample + more
        assert len(set(both.rows.tolist())) == len(both.rows)
        assert both.strata == sample.strata


def test_strata_are_ordered_by_confidence_and_cover_everything() -> None:
    scores = scores_of(2000)
    sample = draw(scores, 60)
    for label in ("a", "b"):
        lows = [stratum.low for stratum in sample.strata if stratum.label == label]
        assert lows == sorted(set(lows))
        assert len(lows) == 4
        sizes = [stratum.documents for stratum in sample.strata if stratum.label == label]
        assert max(sizes) - min(sizes) <= 2
    assert np.bincount(sample.stratum).min() >= 4


def test_every_document_of_a_stratum_is_drawn_as_often() -> None:
    scores = scores_of(60, seed=3)
    drawn = np.zeros(60)
    for seed in range(500):
        sample = draw(scores, 12, seed=seed)
        drawn[sample.rows] += 1
    whole = draw(scores, int(np.sum(scores.lengths > 0)), earlier=None)
    assert drawn[scores.lengths == 0].sum() == 0
    strata = draw(scores, 12).strata
    place = frame_of(scores.labels()[whole.rows], confidence(whole.values)).assign(strata)
    for at in range(len(strata)):
        mine = drawn[whole.rows[place == at]]
        expected = mine.mean()
        assert np.all(np.abs(mine - expected) < 5 * np.sqrt(expected))


def test_rare_predictions_get_more_than_their_share() -> None:
    values = np.stack([np.zeros(1000), np.where(np.arange(1000) < 40, 1.0, -1.0) * np.arange(1, 1001)], axis=1)
    sample = draw(Scores(("a", "b"), values, np.full(1000, 5), np.ones(1000, np.int64)), 60)
    rare = sum(sample.strata[at].label == "b" for at in sample.stratum)
    assert 8 <= rare <= 12  # 4 % of the documents, sqrt(.04) / (sqrt(.04) + sqrt(.96)) = 17 % of the sample


def test_the_order_says_nothing_about_the_score() -> None:
    scores = scores_of(3000, seed=5)
    sample = draw(scores, 400)
    order = np.corrcoef(np.arange(400), sample.values[:, 1] - sample.values[:, 0])[0, 1]
    assert abs(order) < 0.15


@given(st.lists(st.integers(0, 30), min_size=1, max_size=6), st.integers(0, 60), st.integers(0, 60))
def test_more_seats_never_take_one_away(limits: list[int], first: int, second: int) -> None:
    sizes = np.array(limits)
    first = min(first, int(sizes.sum()))
    second = min(second, int(sizes.sum()) - first)
    weights = np.sqrt(sizes)
    before = apportion(weights, sizes, first)
    after = apportion(weights, sizes, second, before)
    assert np.array_equal(before + after, apportion(weights, sizes, first + second))
    assert np.all(before + after <= sizes)


def test_samples_that_do_not_belong_together_are_refused() -> None:
    scores, other = scores_of(300), scores_of(300, seed=1)
    sample = draw(scores, 30)
    with pytest.raises(ProblexError, match="the texts or the model have changed"):
        draw(other, 10, earlier=sample)
    with pytest.raises(ProblexError, match="drawn from different strata, so their labels cannot be joined"):
        sample + draw(other, 30)
    with pytest.raises(ProblexError, match=r"30 rows are in two samples \(row \d+\), expected each document once"):
        sample + sample
    one = Scores(("a", "b"), np.array([[0.0, 1.0]] * 300), np.full(300, 9), np.ones(300, np.int64))
    with pytest.raises(ProblexError, match=r"documents are now labelled \['a', 'undecided'\]"):
        draw(scores, 10, earlier=draw(one, 10))


def of_margins(margins: list[float], lengths: list[int] | None = None) -> Scores:
    """Documents of two classes with these decision values."""
    size = len(margins)
    values = np.stack([np.zeros(size), margins], axis=1)
    return Scores(("a", "b"), values, np.array(lengths or [1] * size), np.ones(size, np.int64))


def test_a_document_of_one_token_can_be_drawn_and_one_without_cannot() -> None:
    sample = draw(of_margins([1.0, -1.0, 2.0], [1, 1, 0]), 2)
    assert sorted(sample.rows.tolist()) == [0, 1]
    assert sample.documents == 2


def test_seats_by_hand() -> None:
    """Quotients weight / (seats + 1/2): 12, 6, 2, then 4, 6, 2, then 4, 2, 2, then 2.4, 2, 2, then 1.7, 2, 2."""
    weights, limits = np.array([6.0, 3.0, 1.0]), np.array([9, 9, 9])
    deals = [apportion(weights, limits, seats).tolist() for seats in range(6)]
    assert deals == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0], [3, 1, 0], [3, 2, 0]]
    assert apportion(weights, limits, 1, np.array([3, 2, 0])).tolist() == [0, 0, 1]
    assert apportion(weights, np.array([1, 1, 2]), 4).tolist() == [1, 1, 2]


def test_strata_by_hand() -> None:
    """Twenty documents of a with confidence 1 to 20 and ten labels: two strata, the second from 11 on."""
    scores = of_margins([-float(at) for at in range(1, 21)])
    assert draw(scores, 10).strata == (Stratum("a", 0.0, 10), Stratum("a", 11.0, 10))
    assert draw(scores, 9).strata == (Stratum("a", 0.0, 20),)
    assert len(draw(scores, 15).strata) == 3
    tied = of_margins([-1.0] * 8 + [-2.0] * 12)
    assert draw(tied, 10).strata == (Stratum("a", 0.0, 8), Stratum("a", 2.0, 12))
    assert np.bincount(draw(tied, 10).stratum).tolist() == [4, 6]
    assert draw(of_margins([-1.0] * 12 + [-2.0] * 8), 10).strata == (Stratum("a", 0.0, 20),)


def test_undecided_documents_are_one_stratum() -> None:
    size = 60
    values = np.zeros((size, 2))
    matches = np.where(np.arange(size) < 20, 1, 0)
    values[:, 1] = 1.0 + np.arange(size)  # a prior can set documents without a match apart
    sample = draw(Scores(("a", "b"), values, np.full(size, 5), matches), 30)
    assert [stratum.documents for stratum in sample.strata if stratum.label == "undecided"] == [40]
    assert [stratum.label for stratum in sample.strata][-1] == "undecided"


def test_the_limits_of_a_size() -> None:
    scores = of_margins([1.0, -1.0, 2.0])
    assert len(draw(scores, 1).rows) == 1
    assert len(draw(scores, 3).rows) == 3
    for size in (0, 4):
        with pytest.raises(ProblexError, match="but there are only 3 documents with words to draw: request fewer"):
            draw(scores, size)
    with pytest.raises(ProblexError, match="but there are only 2 documents with words left to draw"):
        draw(scores, 3, earlier=draw(scores, 1))


def test_confidence_is_the_lead_over_the_second() -> None:
    assert confidence(np.array([[1.0, 4.0, 2.5], [3.0, 3.0, 0.0]])).tolist() == [1.5, 0.0]


def test_a_document_below_the_first_limit_is_in_the_first_stratum() -> None:
    strata = (Stratum("a", 0.0, 2), Stratum("a", 2.0, 2))
    labels = np.array(["a"] * 4, dtype=object)
    assert frame_of(labels, np.array([0.0, 1.9, 2.0, 5.0])).assign(strata).tolist() == [0, 0, 1, 1]
