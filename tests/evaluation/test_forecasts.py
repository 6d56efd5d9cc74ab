from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import trapezoid
from scipy.stats import multivariate_normal, norm

from problex import Lexicon, count, estimate
from problex.errors import ProblexError
from problex.evaluation.forecasts import (
    WARNING,
    accuracy_bound,
    corpus_forecast,
    effective_counts,
    forecast,
    probability_of_highest,
    score_moments,
)
from problex.model.model import Model
from problex.model.rules import RULES
from problex.scoring.scorer import make_scorer
from tests.synthetic import draw


def margin_moments(model: Model, label: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means and covariances, per token, of the score of `label` minus that of each other label, entry by entry."""
    index = model.evidence.list_index
    share = model.shares[index]
    own = index == label
    lift = np.where(own, 1 + model.predictiveness * (1 - share) / share, 1 - model.predictiveness)
    rates = lift * model.evidence.base_rates
    weights = RULES[model.settings.rule].entry_weights(model.entry_weights)
    others = [other for other in range(len(model.classes)) if other != label]
    signed = np.stack([np.where(own, weights, np.where(index == other, -weights, 0.0)) for other in others])
    mean = signed @ rates
    return mean, (signed * rates) @ signed.T - np.outer(mean, mean)


def simple_forecast(model: Model, length: int, tau: float) -> float:
    """The forecast from the margins of each label by the multivariate normal distribution of scipy.

    A document without a weighted word is right in one of K cases; q is the probability of drawing none, token by token.
    """
    scorer = make_scorer(model)
    factor = float(scorer.factors(np.array([length]))[0])
    inflation = (length + tau) / (1 + tau) if np.isfinite(tau) else 1.0
    accuracy = 0.0
    for label, share in enumerate(model.shares):
        mean, covariance = margin_moments(model, label)
        own = model.evidence.list_index == label
        other = model.shares[model.evidence.list_index]
        lift = np.where(own, 1 + model.predictiveness * (1 - other) / other, 1 - model.predictiveness)
        outside = 1 - np.sum(lift * model.evidence.base_rates * (model.predictiveness != 0))
        drawn = np.arange(length)
        q = np.prod((tau * outside + drawn) / (tau + drawn)) if np.isfinite(tau) else outside**length
        size = length / (1 - q)
        margin = size * mean + np.delete(scorer.offsets[label] - scorer.offsets, label) / factor
        normal = multivariate_normal(cov=size * inflation * covariance, allow_singular=True, seed=0)
        accuracy += share * (q / len(model.classes) + (1 - q) * float(normal.cdf(margin)))
    return accuracy


@pytest.fixture(scope="module")
def model() -> Model:
    truth = draw(4000, [0.5, 0.5], seed=7, concentration=300.0)
    return estimate(truth.counts, truth.lexicon)


def test_the_bound_of_the_paper() -> None:
    assert accuracy_bound(0, 0.5, 0.05) == 0.5
    assert accuracy_bound(200, 0.2, 0.04) == pytest.approx(norm.cdf(0.2 * np.sqrt(2 * 200 * 0.04)))
    assert accuracy_bound(400, 0.2, 0.04) > accuracy_bound(200, 0.2, 0.04)
    with pytest.raises(ProblexError, match="expected a length of 0 or more"):
        accuracy_bound(-1, 0.5, 0.1)


def test_the_margin_has_the_mean_and_variance_that_simulation_shows(model: Model) -> None:
    random = np.random.default_rng(0)
    own = model.evidence.list_index == 1
    share = model.shares[model.evidence.list_index]
    lift = np.where(own, 1 + model.predictiveness * (1 - share) / share, 1 - model.predictiveness)
    theta = lift * model.evidence.base_rates
    drawn = random.multinomial(100, [*theta, 1 - theta.sum()], size=40_000)[:, :-1]
    margins = drawn @ np.where(own, model.weights, -model.weights)
    (mean,), ((variance,),) = margin_moments(model, 1)
    assert margins.mean() == pytest.approx(100 * mean, rel=0.02)
    assert margins.var() == pytest.approx(100 * variance, rel=0.04)


def test_under_the_dcm_the_variance_grows_by_length(model: Model) -> None:
    random = np.random.default_rng(1)
    tau, length = model.evidence.concentration, 200
    own = model.evidence.list_index == 1
    share = model.shares[model.evidence.list_index]
    lift = np.where(own, 1 + model.predictiveness * (1 - share) / share, 1 - model.predictiveness)
    theta = lift * model.evidence.base_rates
    gamma = random.gamma(tau * np.array([*theta, 1 - theta.sum()]), size=(20_000, len(theta) + 1))
    drawn = random.multinomial(length, gamma / gamma.sum(axis=1, keepdims=True))[:, :-1]
    margins = drawn @ np.where(own, model.weights, -model.weights)
    _, ((variance,),) = margin_moments(model, 1)
    assert margins.var() == pytest.approx(length * variance * (length + tau) / (1 + tau), rel=0.05)


def test_accuracy_on_texts_of_the_model_is_what_it_expects() -> None:
    """Where the assumptions hold the forecast holds: words drawn independently, multinomial rule."""
    truth = draw(12_000, [0.5, 0.5], seed=8, words_per_list=60, length=12)
    model = estimate(truth.counts, truth.lexicon, shrinkage=0, keep_discordant=True, balance="equal")
    place = {entry: at for at, entry in enumerate(model.evidence.entries)}
    weights = np.array([model.weights[place[w]] if w in place else 0.0 for w in truth.words])
    sign = np.array([2 * model.evidence.list_index[place[w]] - 1 if w in place else 0 for w in truth.words])
    decision = truth.table.matrix @ (weights * sign)
    right = np.mean((decision > 0) == (truth.labels == 1)) + 0.5 * np.mean(decision == 0)
    expected, _ = corpus_forecast(model, truth.table.lengths)
    assert right == pytest.approx(expected, abs=0.04)


def test_forecasts_rise_with_length_and_burstiness_lowers_them(model: Model) -> None:
    found = forecast(model, [1, 10, 100, 1000])
    assert list(found.multinomial) == sorted(found.multinomial)
    assert list(found.dcm) == sorted(found.dcm)
    assert all(bursty <= plain for bursty, plain in zip(found.dcm[1:], found.multinomial[1:], strict=True))
    assert found.records()[0]["tokens"] == 1
    assert "independent given the label" in found.warning
    assert found.warning == WARNING


@pytest.mark.parametrize("prior", [[0.25] * 4, [0.7, 0.1, 0.1, 0.1], [0.9, 0.1]])
def test_forecasts_hold_for_more_lists_and_unequal_priors(prior: list[float]) -> None:
    """On texts of the model, with the balance and the prior given, the forecast is what is measured."""
    truth = draw(8_000, prior, seed=9, words_per_list=40, length=16)
    given = {f"list{a}": share for a, share in enumerate(prior)}
    model = estimate(
        truth.counts, truth.lexicon, shrinkage=0, keep_discordant=True, balance=given, prior=given, rule="multinomial"
    )
    scores = make_scorer(model, temper="none").score_table(truth.table.project(make_scorer(model).columns))
    right = float(np.mean(scores.values.argmax(axis=1) == truth.labels))
    expected, _ = corpus_forecast(model.reestimate(temper="none"), truth.table.lengths)
    assert right == pytest.approx(expected, abs=0.05)


def test_a_lopsided_corpus_is_not_forecast_to_fail() -> None:
    truth = draw(4_000, [0.9, 0.1], seed=10, length=60)
    model = estimate(truth.counts, truth.lexicon)
    scores = make_scorer(model).score_table(truth.table.project(make_scorer(model).columns))
    right = float(np.mean(scores.values.argmax(axis=1) == truth.labels))
    expected, _ = corpus_forecast(model, truth.table.lengths)
    assert abs(right - expected) < 0.12


def test_counting_is_forecast_by_counting() -> None:
    truth = draw(8_000, [0.5, 0.5], seed=11, length=20)
    model = estimate(truth.counts, truth.lexicon, rule="count", balance="equal", shrinkage=0, keep_discordant=True)
    decision = make_scorer(model).score_table(truth.table.project(make_scorer(model).columns)).decision
    right = (
        np.mean((decision > 0) == (truth.labels == 1))
        - 0.5 * np.mean(decision == 0)
        + np.mean((decision == 0) & (truth.labels == 1))
    )
    expected, _ = corpus_forecast(model, truth.table.lengths)
    assert right == pytest.approx(expected, abs=0.05)
    with pytest.raises(ProblexError, match="rule 'pmi' cannot be forecast"):
        forecast(estimate(truth.counts, truth.lexicon, rule="pmi"))


def test_burstiness_lowers_the_bound() -> None:
    assert accuracy_bound(200, 0.3, 0.04, concentration=100) < accuracy_bound(200, 0.3, 0.04)
    with pytest.raises(ProblexError, match="expected 1 or more each"):
        forecast(estimate(draw(300, [0.5, 0.5]).counts, draw(300, [0.5, 0.5]).lexicon), [10, -5])


def test_the_figure_of_the_paper() -> None:
    rows = effective_counts([1.0, 300.0, 1000.0, 1e6, float("inf")])
    by_tau = {tau: [row["effective_count"] for row in rows if row["concentration"] == tau] for tau in (1.0, 300.0, 1e6)}
    for values in by_tau.values():
        assert values[0] == 0
        assert values[1] == pytest.approx(1)
        assert np.all(np.diff(values) >= 0)
        assert np.all(np.diff(values, 2) <= 1e-9)
    assert by_tau[1.0][10] < by_tau[300.0][10] < by_tau[1e6][10] < 10
    assert by_tau[1e6][10] > 9.9


def test_a_model_without_weights_forecasts_chance() -> None:
    lexicon = Lexicon({"a": ["p"], "b": ["z"]})
    model = estimate(count(["p x x x", "z x x x"] * 9, lexicon), lexicon)
    flat = Model(**{**vars(model), "predictiveness": np.zeros(2)})
    assert forecast(flat, [100]).multinomial == pytest.approx((0.5,))
    with pytest.raises(ProblexError, match="no document has a word, expected at least one"):
        corpus_forecast(model, [])


def test_the_limits_of_the_bound() -> None:
    assert accuracy_bound(10, 0.0, 0.5) == 0.5
    assert accuracy_bound(8, 1.0, 0.25) == pytest.approx(norm.cdf(2.0))  # 2 * 8 * .25 = 4
    assert accuracy_bound(10, 0.5, 0.0) == 0.5
    assert accuracy_bound(8, 1.0, 0.25, concentration=2.0) == pytest.approx(norm.cdf(np.sqrt(4 / ((8 + 2) / (1 + 2)))))
    assert accuracy_bound(0.5, 1.0, 0.25, concentration=2.0) == pytest.approx(norm.cdf(0.5))  # one token at least
    assert 0.5 < accuracy_bound(9, 0.5, 0.1, concentration=0.01) < accuracy_bound(9, 0.5, 0.1, concentration=1.0)
    for wrong in ((-1, 0.5, 0.1), (9, -0.1, 0.1), (9, 1.1, 0.1), (9, 0.5, -0.1), (9, 0.5, 0.6), (9, 0.5, 0.1, 0.0)):
        with pytest.raises(ProblexError, match="expected a length of 0 or more, a predictiveness from 0 to 1"):
            accuracy_bound(*wrong)


def test_a_forecast_by_hand() -> None:
    """One word per list, equally frequent, gamma .5: in a document of its label a word is 1.5 times as frequent.

    With weights +w and -w and rates 1.5 r and .5 r the margin has mean r w and second moment 2 r w^2 per token.
    """
    lexicon = Lexicon({"a": ["p"], "b": ["z"]})
    model = estimate(
        count(["p x x x", "z x x x"] * 9, lexicon), lexicon, rule="multinomial", prior={"a": 0.5, "b": 0.5}
    )
    model = replace(model, predictiveness=np.array([0.5, 0.5]))
    rate, weight = 1 / 8, float(model.weights[0])
    (mean,), ((variance,),) = margin_moments(model, 0)
    assert mean == pytest.approx(rate * weight)
    assert variance == pytest.approx(2 * rate * weight**2 - (rate * weight) ** 2)
    tau = model.evidence.concentration
    found = forecast(model, [50])
    assert found.multinomial[0] == pytest.approx(norm.cdf(50 * mean / np.sqrt(50 * variance)))
    inflation = (50 + tau) / (1 + tau) if np.isfinite(tau) else 1.0
    assert found.dcm[0] == pytest.approx(norm.cdf(50 * mean / np.sqrt(50 * variance * inflation)))


def test_the_usual_lengths_and_four_digits(model: Model) -> None:
    found = forecast(model)
    assert found.lengths == (10, 20, 50, 100, 200, 500, 1000)
    row = found.records()[2]
    assert row == {"tokens": 50, "multinomial": round(found.multinomial[2], 4), "dcm": round(found.dcm[2], 4)}
    assert forecast(model, [1]).lengths == (1,)
    with pytest.raises(ProblexError, match="expected 1 or more each"):
        forecast(model, [0])


def test_documents_without_a_token_are_left_out(model: Model) -> None:
    whole = np.array(corpus_forecast(model, [50, 50, 200]))
    assert np.array(corpus_forecast(model, [50, 0, 50, 200, 0, 0])) == pytest.approx(whole)
    assert np.array(corpus_forecast(model, {50: 2, 200: 1, 0: 7})) == pytest.approx(whole)
    each = forecast(model, [50, 200])
    assert whole[1] == pytest.approx((2 * each.dcm[0] + each.dcm[1]) / 3)
    with pytest.raises(ProblexError, match="no document has a word"):
        corpus_forecast(model, [0, 0])


def test_effective_counts_by_hand() -> None:
    """tau = 1000, so that the word has 1.5 and .5 pseudo-counts: log(1.5 * 2.5 / (.5 * 1.5)) / log 3 for two."""
    rows = {row["count"]: row["effective_count"] for row in effective_counts([1000.0])}
    assert list(rows) == list(range(11))
    assert rows[2] == pytest.approx(np.log(1.5 * 2.5 / (0.5 * 1.5)) / np.log(3))
    assert rows[3] == pytest.approx(np.log(1.5 * 2.5 * 3.5 / (0.5 * 1.5 * 2.5)) / np.log(3))


def test_the_margins_of_three_lists_by_hand() -> None:
    """One word per list at a rate of 1/24, gamma .5, shares of a third: in a document of a, the word of a is 1 + .5 * 2
    = 2 times as frequent, the others half; for a over b the word of c counts nothing."""
    lexicon = Lexicon({"a": ["p"], "b": ["z"], "c": ["k"]})
    even = dict.fromkeys("abc", 1 / 3)
    texts = ["p x x x x x x x", "z x x x x x x x", "k x x x x x x x"] * 9
    model = estimate(count(texts, lexicon), lexicon, rule="count", balance=even, prior=even)
    model = replace(model, predictiveness=np.full(3, 0.5))
    rate = 1 / 24
    mean, covariance = margin_moments(model, 0)
    assert mean == pytest.approx([(2 - 0.5) * rate] * 2)
    own, squares = 2 * rate, (2 + 0.5) * rate
    assert covariance == pytest.approx(np.array([[squares, own], [own, squares]]) - np.outer(mean, mean))
    expected = multivariate_normal(cov=50 * covariance).cdf(50 * mean)  # the same for each label
    assert forecast(model, [50]).multinomial[0] == pytest.approx(expected, abs=1e-3)
    # of two tokens, none is in a list with q = (1 - 3/24)^2 = .766: such a document is undecided, a third of them right
    q = (1 - 3 * rate) ** 2
    size = 2 / (1 - q)
    some = multivariate_normal(cov=size * covariance).cdf(size * mean)
    assert forecast(model, [2]).multinomial[0] == pytest.approx(q / 3 + (1 - q) * some, abs=1e-3)


@pytest.mark.parametrize("prior", [(0.5, 0.3, 0.2), (0.4, 0.4, 0.2), (1 / 3,) * 3])
def test_without_weights_every_document_is_undecided(prior: tuple[float, ...]) -> None:
    lexicon = Lexicon({"a": ["p"], "b": ["z"], "c": ["k"]})
    balance = dict.fromkeys("abc", 1 / 3)
    texts = ["p x x x", "z x x x", "k x x x"] * 9
    model = estimate(count(texts, lexicon), lexicon, balance=balance, prior=dict(zip("abc", prior, strict=True)))
    flat = replace(model, predictiveness=np.zeros(3))
    assert forecast(flat, [50]).multinomial[0] == pytest.approx(1 / 3)


@pytest.mark.parametrize(("lists", "length"), [(2, 80), (3, 10), (5, 5), (5, 40)])
def test_the_forecast_is_that_of_the_simple_version(lists: int, length: int) -> None:
    """In these corpora the lists cover two fifths of the tokens, so that their scores are clearly correlated."""
    truth = draw(1500, [1 / lists] * lists, seed=lists, words_per_list=12, concentration=200.0)
    found = estimate(truth.counts, truth.lexicon)
    accuracy, tau = forecast(found, [length]), found.evidence.concentration
    assert accuracy.multinomial[0] == pytest.approx(simple_forecast(found, length, float("inf")), abs=5e-4)
    assert accuracy.dcm[0] == pytest.approx(simple_forecast(found, length, tau), abs=5e-4)


def test_the_moments_of_the_scores_give_those_of_the_margins(model: Model) -> None:
    means, squares = score_moments(model, 1)
    (mean,), ((variance,),) = margin_moments(model, 1)
    covariance = np.diag(squares) - np.outer(means, means)
    assert means[1] - means[0] == pytest.approx(mean)
    assert np.array([-1, 1]) @ covariance @ np.array([-1, 1]) == pytest.approx(variance)


def test_lists_without_weight_are_forecast() -> None:
    """The words of b and c say nothing, as in a part of a lexicon with one entry per list: this was not a number."""
    lexicon = Lexicon({"a": ["p"], "b": ["z"], "c": ["k"]})
    even = dict.fromkeys("abc", 1 / 3)
    model = estimate(count(["p x x", "z x x", "k x x"] * 9, lexicon), lexicon, balance=even, prior=even)
    found = forecast(replace(model, predictiveness=np.array([0.5, 0.0, 0.0])), [50])
    # "p" is 2/9 of the tokens of a and 1/18 of those of b and c. Without it a document is undecided, and a third are
    # right; with it those of a are right
    without = [(1 - 2 / 9) ** 50, (1 - 1 / 18) ** 50]
    certain = (1 - without[0]) / 3 + sum(without[:1] + 2 * without[1:]) / 9
    assert found.multinomial[0] == pytest.approx(certain, abs=0.01)
    offsets = dict(zip("abc", (0.3, 0.3, 0.4), strict=True))
    found = forecast(replace(model.reestimate(prior=offsets), predictiveness=np.array([0.5, 0.0, 0.0])), [50])
    assert 1 / 3 < found.multinomial[0] < 2 / 3


def test_the_highest_of_normal_scores_by_hand() -> None:
    """Independent standard normal scores: each of K is the highest in 1 / K of all cases."""
    for lists in (2, 3, 6):
        even = probability_of_highest(1, np.zeros((1, lists)), np.zeros(lists), np.ones(lists))
        assert even == pytest.approx([1 / lists], abs=1e-9)
    silent = probability_of_highest(0, np.array([[0.0, 1.0, -2.0]]), np.zeros(3), np.array([1.0, 0.0, 0.0]))
    assert silent == pytest.approx([norm.sf(1.0)])
    own = probability_of_highest(0, np.array([[0.5, 0.0, 1.0]]), np.zeros(3), np.array([0.0, 1.0, 4.0]))
    assert own == pytest.approx([norm.cdf(0.5) * norm.cdf(-0.25)])
    step = probability_of_highest(0, np.array([[0.0, 0.3, 0.0]]), np.zeros(3), np.array([1.0, 1e-10, 1.0]))
    z = np.linspace(0.3, 9, 200_001)
    assert step == pytest.approx([trapezoid(norm.pdf(z) * norm.cdf(z), z)], abs=1e-4)


def test_negative_correlation_of_the_scores_is_included() -> None:
    """Two lists that cover all tokens: the scores are x and N - x, and the margin has the variance 4 N p (1 - p)."""
    means = squares = np.array([0.6, 0.4 - 1e-12])
    found = probability_of_highest(0, np.sqrt(10) * means[None], means, squares)
    assert found == pytest.approx([norm.cdf(10 * 0.2 / np.sqrt(4 * 10 * 0.6 * 0.4))], abs=1e-4)


def test_many_lengths_are_interpolated() -> None:
    truth = draw(1500, [0.4, 0.3, 0.3], seed=5, words_per_list=12)
    found = estimate(truth.counts, truth.lexicon)
    lengths = np.concatenate([np.arange(1, 400), [900, 5000]])
    exact = forecast(found, lengths.tolist())
    interpolated = corpus_forecast(found, lengths.tolist())
    assert interpolated == pytest.approx((np.mean(exact.multinomial), np.mean(exact.dcm)), abs=1e-4)
