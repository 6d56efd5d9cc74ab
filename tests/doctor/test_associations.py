"""Associations of words with lists: known truth is recovered, errors are right, forecasts follow the formula."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from problex import Counts, Lexicon, count
from problex.doctor.associations import (
    OUTSIDE,
    Associations,
    Change,
    _variance_between,
    measure_associations,
)
from tests.synthetic import Truth, draw


@pytest.fixture(scope="module", params=[[0.5, 0.5], [0.7, 0.3], [0.4, 0.35, 0.25]], ids=["even", "uneven", "three"])
def truth(request: pytest.FixtureRequest) -> Truth:
    return draw(3000, request.param, seed=1)


def swapped(truth: Truth, number: int) -> tuple[Truth, list[str]]:
    """The same texts with the most predictive words of two lists, which follow each other, in the wrong one."""
    lists = {name: list(words) for name, words in truth.lexicon.lists.items()}
    names = list(lists)
    moved = []
    for label in (0, 1):
        mine = np.flatnonzero(truth.list_index == label)
        best = mine[np.argsort(-truth.predictiveness[mine])[:number]]
        moved += [truth.words[at] for at in best]
        for at in best:
            lists[names[label]].remove(truth.words[at])
            lists[names[1 - label]].append(truth.words[at])
    return replace(truth, lexicon=Lexicon(lists)), moved


def test_shares_and_chances_are_shares(truth: Truth) -> None:
    associations = measure_associations(truth.counts)
    np.testing.assert_allclose(associations.share.sum(axis=1), 1.0)
    np.testing.assert_allclose(associations.expected_share.sum(axis=1), 1.0)


def test_the_estimate_follows_the_known_predictiveness(truth: Truth) -> None:
    associations = measure_associations(truth.counts)
    at = [associations.index[word] for word in truth.words[: len(truth.list_index)]]
    estimate = associations.estimate[at, truth.list_index]
    for label in np.unique(truth.list_index):
        mine = truth.list_index == label
        assert np.corrcoef(estimate[mine], truth.predictiveness[mine])[0, 1] > 0.8


def test_words_in_the_wrong_list_are_associated_with_their_own(truth: Truth) -> None:
    wrong, moved = swapped(truth, 3)
    associations = measure_associations(wrong.counts)
    for word in moved:
        at = associations.index[word]
        assert associations.estimate[at, associations.list_index[at]] < 0
        right = int(truth.list_index[truth.words.index(word)])
        assert associations.qualifies(at, right)
        assert not associations.qualifies(at, 1 - right)


@pytest.mark.parametrize("concentration", [None, 100.0])
def test_standard_errors_are_right_for_words_without_association(concentration: float | None) -> None:
    associations = measure_associations(draw(3000, [0.5, 0.5], seed=2, concentration=concentration).counts)
    outside = (associations.list_index == OUTSIDE) & (associations.occurrences > 200)
    scores = ((associations.share - associations.expected_share) / associations.share_error)[outside, 0]
    assert 0.75 < scores.std() < 1.25
    assert abs(scores.mean()) < 0.3


def test_the_forecast_is_near_the_truth_where_the_assumptions_hold() -> None:
    truth = draw(4000, [0.5, 0.5], seed=3, length=40)
    forecast = measure_associations(truth.counts).forecast()
    sign = np.where(truth.list_index == 1, 1.0, -1.0)
    margin = truth.table.matrix[:, : len(sign)] @ sign
    ranks, one = rankdata(margin), truth.labels == 1
    auc = (ranks[one].sum() - one.sum() * (one.sum() + 1) / 2) / (one.sum() * (~one).sum())
    assert abs(forecast - auc) < 0.02


def test_the_forecast_of_edits() -> None:
    wrong, moved = swapped(draw(3000, [0.5, 0.5], seed=4), 1)
    associations = measure_associations(wrong.counts)
    word = associations.index[moved[0]]
    label = int(associations.list_index[word])
    before = associations.forecast()
    removed, turned = (associations.forecast([Change(word, label, new)]) for new in (OUTSIDE, 1 - label))
    assert before < removed < turned
    plain = int(np.argmax(np.where(associations.list_index == OUTSIDE, associations.occurrences, 0)))
    assert associations.forecast([Change(plain, OUTSIDE, 0)]) < before
    assert associations.forecast([]) == before


def test_break_even_is_where_removing_neither_helps_nor_hurts() -> None:
    associations = measure_associations(draw(3000, [0.5, 0.5], seed=5).counts)
    before = associations.forecast()
    for word in associations.entries.tolist():
        label = int(associations.list_index[word])
        helps = associations.forecast([Change(word, label, OUTSIDE)]) > before
        gap = associations.estimate[word, label] / associations.break_even(word)
        assert helps == (gap < 1) or 0.9 < gap < 1.1


def test_rare_words_have_the_mean_of_the_list() -> None:
    truth = draw(2000, [0.5, 0.5], seed=6)
    associations = measure_associations(truth.counts)
    seldom = replace(associations, share_error=np.full_like(associations.share_error, np.inf))
    assert seldom.entry_estimate(0, 1) == (associations.list_mean[1], np.sqrt(associations.prior_variance))
    sure = replace(associations, share_error=np.full_like(associations.share_error, 1e-12))
    assert sure.entry_estimate(0, 1)[0] == pytest.approx(associations.share[0, 1] - associations.expected_share[0, 1])


@pytest.mark.parametrize("texts", [["good day", "fine day"], ["a day", "no day"], ["good bad"]])
def test_little_evidence_gives_numbers(texts: list[str], lexicon: Lexicon) -> None:
    associations: Associations = measure_associations(count(texts, lexicon, associations=True))
    assert np.all(np.isfinite(associations.estimate))
    assert np.all(np.isfinite(associations.std_error))
    assert 0.5 <= associations.forecast() <= 1.0


def test_counts_of_parts_give_the_same(lexicon: Lexicon, texts: list[str]) -> None:
    whole = measure_associations(count(texts, lexicon, associations=True))
    parts: Counts = count(texts[:7], lexicon, associations=True) + count(texts[7:], lexicon, associations=True)
    np.testing.assert_array_equal(whole.estimate, measure_associations(parts).estimate)


@pytest.mark.parametrize(("names", "scale"), [(["a", "b"], 20.0), (["a", "b", "c"], 22.5)], ids=["two", "three"])
def test_the_scale_by_hand(names: list[str], scale: float) -> None:
    """L^2 / (L - 1) sum_t N_t m_t, with texts of 2 and 3 tokens and one list word in each."""
    lexicon = Lexicon({name: [f"word{name}"] for name in names})
    counts = count(["worda day", "wordb film day"], lexicon, associations=True)
    assert measure_associations(counts).scale == scale


def test_the_variance_between_two_values_by_hand() -> None:
    """Values 0 and 2 with errors 1: Q - (n - 1) = 2 - 1, divided by the precision 2 - 2 / 2."""
    values, errors, group = np.array([0.0, 2.0, 9.0]), np.ones(3), np.array([True, True, False])
    assert _variance_between(values, errors, [group]) == 1.0
    assert _variance_between(values, errors, [~group]) == 1e-12  # one value has no variance


def test_entries_vary_by_at_least_half_of_their_mean() -> None:
    """Entries that are all alike have no variance between them."""
    lexicon = Lexicon({"a": ["good", "fine"], "b": ["bad", "poor"]})
    counts = count(["good fine day", "bad poor day", "good bad day", "fine poor day"], lexicon, associations=True)
    associations = measure_associations(counts)
    np.testing.assert_allclose(associations.list_mean, associations.list_mean[0])
    assert associations.list_mean[0] != 0
    assert associations.prior_variance == pytest.approx((associations.list_mean[0] / 2) ** 2)
