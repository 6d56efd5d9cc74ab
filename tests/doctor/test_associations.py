"""The company of words: known truth is recovered, errors are honest, forecasts follow the equations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from problex import Counts, Lexicon, count
from problex.doctor.associations import OUTSIDE, Change, Company, company_of
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
    company = company_of(truth.counts)
    np.testing.assert_allclose(company.share.sum(axis=1), 1.0)
    np.testing.assert_allclose(company.chance.sum(axis=1), 1.0)


def test_leaning_follows_the_known_predictiveness(truth: Truth) -> None:
    company = company_of(truth.counts)
    at = [company.place[word] for word in truth.words[: len(truth.list_index)]]
    leaning = company.leaning[at, truth.list_index]
    for label in np.unique(truth.list_index):
        mine = truth.list_index == label
        assert np.corrcoef(leaning[mine], truth.predictiveness[mine])[0, 1] > 0.8


def test_words_in_the_wrong_list_lean_to_their_own(truth: Truth) -> None:
    wrong, moved = swapped(truth, 3)
    company = company_of(wrong.counts)
    for word in moved:
        at = company.place[word]
        assert company.leaning[at, company.list_index[at]] < 0
        right = int(truth.list_index[truth.words.index(word)])
        assert company.earns_a_place(at, right)
        assert not company.earns_a_place(at, 1 - right)


@pytest.mark.parametrize("concentration", [None, 100.0])
def test_standard_errors_are_those_of_words_that_mean_nothing(concentration: float | None) -> None:
    company = company_of(draw(3000, [0.5, 0.5], seed=2, concentration=concentration).counts)
    outside = (company.list_index == OUTSIDE) & (company.occurrences > 200)
    scores = ((company.share - company.chance) / company.errors)[outside, 0]
    assert 0.75 < scores.std() < 1.25
    assert abs(scores.mean()) < 0.3


def test_the_forecast_is_near_the_truth_where_the_assumptions_hold() -> None:
    truth = draw(4000, [0.5, 0.5], seed=3, length=40)
    forecast = company_of(truth.counts).forecast()
    sign = np.where(truth.list_index == 1, 1.0, -1.0)
    margin = truth.table.matrix[:, : len(sign)] @ sign
    ranks, one = rankdata(margin), truth.labels == 1
    auc = (ranks[one].sum() - one.sum() * (one.sum() + 1) / 2) / (one.sum() * (~one).sum())
    assert abs(forecast - auc) < 0.02


def test_the_forecast_of_edits() -> None:
    wrong, moved = swapped(draw(3000, [0.5, 0.5], seed=4), 1)
    company = company_of(wrong.counts)
    word = company.place[moved[0]]
    label = int(company.list_index[word])
    before = company.forecast()
    removed, turned = (company.forecast([Change(word, label, new)]) for new in (OUTSIDE, 1 - label))
    assert before < removed < turned
    plain = int(np.argmax(np.where(company.list_index == OUTSIDE, company.occurrences, 0)))
    assert company.forecast([Change(plain, OUTSIDE, 0)]) < before
    assert company.forecast([]) == before


def test_the_bar_is_where_removing_neither_helps_nor_hurts() -> None:
    company = company_of(draw(3000, [0.5, 0.5], seed=5).counts)
    before = company.forecast()
    for word in company.entries.tolist():
        label = int(company.list_index[word])
        helps = company.forecast([Change(word, label, OUTSIDE)]) > before
        gap = company.leaning[word, label] / company.bar(word)
        assert helps == (gap < 1) or 0.9 < gap < 1.1


def test_rare_words_are_taken_for_the_average() -> None:
    truth = draw(2000, [0.5, 0.5], seed=6)
    company = company_of(truth.counts)
    seldom = replace(company, errors=np.full_like(company.errors, np.inf))
    assert seldom.as_entry(0, 1) == (company.average[1], np.sqrt(company.variance))
    sure = replace(company, errors=np.full_like(company.errors, 1e-12))
    assert sure.as_entry(0, 1)[0] == pytest.approx(company.share[0, 1] - company.chance[0, 1])


@pytest.mark.parametrize("texts", [["good day", "fine day"], ["a day", "no day"], ["good bad"]])
def test_little_evidence_gives_numbers(texts: list[str], lexicon: Lexicon) -> None:
    company: Company = company_of(count(texts, lexicon, associations=True))
    assert np.all(np.isfinite(company.leaning))
    assert np.all(np.isfinite(company.doubt))
    assert 0.5 <= company.forecast() <= 1.0


def test_counts_of_parts_give_the_same(lexicon: Lexicon, texts: list[str]) -> None:
    whole = company_of(count(texts, lexicon, associations=True))
    parts: Counts = count(texts[:7], lexicon, associations=True) + count(texts[7:], lexicon, associations=True)
    np.testing.assert_array_equal(whole.leaning, company_of(parts).leaning)
