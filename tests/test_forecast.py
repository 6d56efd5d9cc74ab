from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from problex import Lexicon, count, estimate
from problex.errors import ProblexError
from problex.forecast import WARNING, accuracy_bound, corpus_forecast, effective_counts, forecast, margin_moments
from problex.model import Model
from synthetic import draw


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
    theta = np.where(own, model.lift, 1 - model.predictiveness) * model.evidence.base_rates
    drawn = random.multinomial(100, [*theta, 1 - theta.sum()], size=40_000)[:, :-1]
    margins = drawn @ np.where(own, model.weights, -model.weights)
    mean, variance = margin_moments(model, 1, 0)
    assert margins.mean() == pytest.approx(100 * mean, rel=0.02)
    assert margins.var() == pytest.approx(100 * variance, rel=0.04)


def test_under_the_dcm_the_variance_grows_by_length(model: Model) -> None:
    random = np.random.default_rng(1)
    tau, length = model.evidence.concentration, 200
    own = model.evidence.list_index == 1
    theta = np.where(own, model.lift, 1 - model.predictiveness) * model.evidence.base_rates
    gamma = random.gamma(tau * np.array([*theta, 1 - theta.sum()]), size=(20_000, len(theta) + 1))
    drawn = random.multinomial(length, gamma / gamma.sum(axis=1, keepdims=True))[:, :-1]
    margins = drawn @ np.where(own, model.weights, -model.weights)
    _, variance = margin_moments(model, 1, 0)
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
    assert "believes" in found.warning
    assert found.warning == WARNING


def test_more_lists_add_up_their_errors() -> None:
    truth = draw(3000, [0.25] * 4, seed=9)
    found = forecast(estimate(truth.counts, truth.lexicon), [5, 50, 500])
    assert 0 <= found.multinomial[0] < found.multinomial[1] < found.multinomial[2] <= 1


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
    with pytest.raises(ProblexError, match="no document lengths"):
        corpus_forecast(model, [])
