from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.audit.sampling import apportion, draw
from problex.errors import ProblexError
from problex.scoring.scores import Scores


def scores_of(documents: int, classes: int = 2, seed: int = 0, coarse: bool = False) -> Scores:
    random = np.random.default_rng(seed)
    values = random.normal(size=(documents, classes))
    values = np.round(values) if coarse else values
    lengths = np.where(random.random(documents) < 0.1, 0, 20)
    return Scores(tuple("abcd"[:classes]), values, lengths, np.minimum(lengths, random.integers(0, 3, documents)))


@given(st.integers(2, 300), st.integers(1, 80), st.integers(2, 4), st.integers(0, 50), st.booleans(), st.data())
def test_a_sample_is_what_it_says(
    documents: int, size: int, classes: int, seed: int, coarse: bool, data: st.DataObject
) -> None:
    scores = scores_of(documents, classes, seed, coarse)
    some = int(np.sum(scores.lengths > 0))
    if size > some:
        with pytest.raises(ProblexError, match=f"a sample of {size:,} was asked for, but there are {some:,} document"):
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
    from problex.audit.sampling import assign, confidence

    place = assign(strata, scores.labels()[whole.rows], confidence(whole.values))
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
    with pytest.raises(ProblexError, match=r"30 rows stand in two samples \(row \d+\), expected each document once"):
        sample + sample
    one = Scores(("a", "b"), np.array([[0.0, 1.0]] * 300), np.full(300, 9), np.ones(300, np.int64))
    with pytest.raises(ProblexError, match=r"documents are now labelled \['a', 'undecided'\]"):
        draw(scores, 10, earlier=draw(one, 10))
