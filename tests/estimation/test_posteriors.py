"""From deficits to predictiveness: balance, scale and the way back to counting."""

from __future__ import annotations

import numpy as np
import pytest

from problex import Lexicon, count, estimate
from problex.errors import EstimationWarning
from problex.estimation.moments import per_list
from problex.estimation.posteriors import PLAIN, balanced, standard_errors, weigh_by_posterior
from tests.synthetic import draw


@pytest.mark.parametrize("prior", [[0.5, 0.5], [0.2, 0.8], [0.1, 0.2, 0.3, 0.4]])
def test_the_scale_is_recovered(prior: list[float]) -> None:
    truth = draw(20_000, prior, seed=1)
    balance = {f"list{a}": share for a, share in enumerate(prior)}
    model = estimate(truth.counts, truth.lexicon, balance=balance, sample=truth.sample, max_predictiveness=0.99)
    place = {entry: at for at, entry in enumerate(model.evidence.entries)}
    found = model.predictiveness[[place[word] for word in truth.words[: len(truth.predictiveness)]]]
    slope = np.polyfit(truth.predictiveness, found, 1)[0]
    assert slope == pytest.approx(1.0, abs=0.1)
    assert np.corrcoef(found, truth.predictiveness)[0, 1] > 0.97


def test_lists_are_balanced_and_words_keep_their_proportions() -> None:
    evidence = estimate(draw(500, [0.3, 0.7], seed=2).counts, draw(500, [0.3, 0.7], seed=2).lexicon).evidence
    telling = np.linspace(0.1, 1.0, len(evidence.entries))
    shares = np.array([0.25, 0.75])
    for width in (0.05, 5.0):
        x = balanced(telling, evidence, shares, width, 0.9)
        mass = per_list(evidence, evidence.base_rates * x)
        np.testing.assert_allclose(mass / mass.sum(), shares)
        assert x.max() <= 0.9
    small = balanced(telling, evidence, shares, 0.05, 0.9)
    mine = evidence.list_index == 0
    np.testing.assert_allclose(small[mine] / small[mine][0], telling[mine] / telling[mine][0])


def test_words_that_do_not_differ_are_kept_together_and_it_is_said() -> None:
    truth = draw(300, [0.5, 0.5], seed=3, length=20, words_per_list=300, even=0.4)
    with pytest.warns(EstimationWarning, match=r"owe \d\.\d% of their weight to their own evidence"):
        model = estimate(truth.counts, truth.lexicon, sample=truth.sample)
    assert np.std(model.predictiveness) < 0.1 * np.mean(model.predictiveness)


def test_nothing_to_learn_is_counting_and_it_is_said() -> None:
    texts = ["good bad and more words", "fine poor and less words", "good poor", "nothing to see here at all"] * 10
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    with pytest.warns(
        EstimationWarning, match="as often as chance has it: every entry weighs the same, as in counting"
    ):
        model = estimate(count(texts, lexicon), lexicon)
    assert model.solution["fallback"]
    assert set(model.predictiveness.tolist()) == {PLAIN}


def test_errors_fall_with_the_evidence_and_with_shrinkage() -> None:
    small, large = (draw(size, [0.5, 0.5], seed=4) for size in (500, 8_000))
    errors = []
    for truth in (small, large):
        model = estimate(truth.counts, truth.lexicon)
        errors.append(standard_errors(model.evidence, model.predictiveness, float("nan")).mean())
    assert errors[1] < 0.6 * errors[0]
    model = estimate(small.counts, small.lexicon, shrinkage=0.0)
    by_kappa = [standard_errors(model.evidence, model.predictiveness, kappa).mean() for kappa in (0.0, 100.0)]
    assert by_kappa[1] < by_kappa[0]


def test_the_summary_says_what_was_done() -> None:
    truth = draw(2_000, [0.5, 0.5], seed=5)
    evidence = estimate(truth.counts, truth.lexicon).evidence
    _, summary = weigh_by_posterior(evidence, np.array([0.5, 0.5]), 0.9)
    assert summary["shrinkage"] == pytest.approx(summary["dispersion"] / summary["spread"])
    assert 0 < summary["own_evidence"] < 1
    assert summary["fallback"] is False
