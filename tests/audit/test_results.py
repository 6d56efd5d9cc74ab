from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from problex import Lexicon, Model, count, estimate, score
from problex.audit import results
from problex.audit.design import expected_measures
from problex.audit.results import Audit, audit, estimate_measures
from problex.audit.sample import AuditSample, Stratum, draw
from problex.errors import ProblexError
from problex.evaluation.metrics import evaluate
from tests.populations import Population, populations, two_classes


def judged(population: Population, size: int, seed: int = 0, blank: float = 0.0) -> tuple[AuditSample, Audit]:
    sample = draw(population.scores, size, seed=seed)
    random = np.random.default_rng(seed)
    names = [population.scores.classes[code] for code in population.codes[sample.rows]]
    labels = [None if random.random() < blank else name for name in names]
    return sample, audit(sample, labels)


def few(population: Population, documents: int) -> Population:
    scores = population.scores
    part = replace(
        scores, values=scores.values[:documents], lengths=scores.lengths[:documents], matches=scores.matches[:documents]
    )
    return Population(population.name, part, population.codes[:documents])


@pytest.mark.parametrize("population", populations(), ids=lambda population: population.name)
def test_where_everything_is_labelled_nothing_is_left_to_guess(population: Population) -> None:
    small = few(population, 200)
    _, found = judged(small, 200)
    for (measure, label), truth in small.truth.items():
        figure = found[measure, label]
        assert figure.value == pytest.approx(truth, abs=1e-9), (measure, label)
        assert figure.low == pytest.approx(truth, abs=1e-6)
        assert figure.high == pytest.approx(truth, abs=1e-6)


def test_estimates_are_right_on_average_though_rare_predictions_are_drawn_more_often() -> None:
    rare = two_classes("rare", 0.1, 2.2, shift=-0.8)
    with patch.object(results, "_log_losses", return_value=(0.0, 0.0)):  # of no interest here, and slow
        found = [judged(rare, 80, seed)[1] for seed in range(60)]
    for name in (("accuracy", ""), ("prevalence", "b"), ("precision", "b")):
        mean = float(np.mean([one[name].value for one in found]))
        spread = float(np.std([one[name].value for one in found])) / np.sqrt(60)
        assert abs(mean - rare.truth[name]) < 4 * spread
    naive = np.mean([np.mean(rare.codes[draw(rare.scores, 80, seed=seed).rows]) for seed in range(10)])
    assert naive > rare.truth["prevalence", "b"] + 0.02  # what counting the sheet would say


def test_each_label_weighs_as_many_documents_as_it_stands_for() -> None:
    """Worked by hand: 900, 100 and 1,000 documents, five labels each."""
    strata = (Stratum("a", 0.0, 900), Stratum("a", 2.0, 100), Stratum("b", 0.0, 1000))
    values = np.stack([np.repeat([1.0, 3.0, -2.0], 5) + np.arange(15) / 100, np.zeros(15)], axis=1)
    sample = AuditSample(("a", "b"), strata, np.arange(15), np.repeat([0, 1, 2], 5), values)
    labels = ["a"] * 5 + ["b"] * 5 + ["b"] * 4 + ["a"]
    found = audit(sample, labels)
    assert found["precision", "a"].value == pytest.approx(0.9)
    assert found["accuracy"].value == pytest.approx((900 + 800) / 2000)
    assert found["prevalence", "b"].value == pytest.approx((100 + 800) / 2000)
    assert found["recall", "b"].value == pytest.approx(800 / 900)
    expected = roc_auc_score(
        [label == "b" for label in labels], values[:, 1] - values[:, 0], sample_weight=np.repeat([900, 100, 1000], 5)
    )
    assert found["auc"].value == pytest.approx(expected)


def test_the_figures_are_those_of_evaluate_when_all_weigh_the_same() -> None:
    small = few(populations()[0], 120)
    _, found = judged(small, 120)
    names = [small.scores.classes[code] for code in small.codes]
    expected = evaluate(names, small.scores, resamples=0)
    assert found["accuracy"].value == pytest.approx(expected["accuracy"])
    assert found["auc"].value == pytest.approx(expected["auc"])


def test_blank_labels_widen_the_intervals_and_are_counted() -> None:
    even = populations()[0]
    _, whole = judged(even, 100)
    _, part = judged(even, 100, blank=0.5)
    assert part.labelled + part.unlabelled == 100
    assert part["accuracy"].high - part["accuracy"].low > whole["accuracy"].high - whole["accuracy"].low
    assert f"{part.unlabelled} documents of the sample without a label" in part.notes()[1]


def test_no_mistake_in_forty_labels_is_not_certainty() -> None:
    sample = draw(populations()[1].scores, 40)
    right = [sample.strata[at].label for at in sample.stratum]
    found = audit(sample, right)
    assert found["accuracy"].value == 1
    assert 0.85 < found["accuracy"].low < 0.97
    assert found["auc"].low < 0.95
    assert 1 < found.platt.slope < 2.5


def test_what_labels_cannot_tell_is_left_out() -> None:
    sample = draw(populations()[0].scores, 30)
    found = audit(sample, ["a"] * 30)
    measures = {(figure.measure, figure.label) for figure in found.estimates}
    assert ("auc", "") not in measures
    assert ("recall", "b") not in measures
    assert found["prevalence", "b"].high > 0
    only = [
        label if sample.strata[at].label == "a" else None for at, label in zip(sample.stratum, "a" * 30, strict=True)
    ]
    assert ("precision", "b") not in {(figure.measure, figure.label) for figure in audit(sample, only).estimates}


def test_calibration_repairs_an_overconfident_model() -> None:
    sure = two_classes("sure", 0.5, 0.8, scale=8)
    _, found = judged(sure, 100)
    assert found.platt.slope < 0.3
    own, calibrated = found.log_loss
    assert calibrated < own
    assert found.notes()[-1] == "to let them set threshold and probabilities: problex audit score SHEETS --store MODEL"


@pytest.fixture
def model(lexicon: Lexicon, texts: list[str]) -> Model:
    return estimate(count(texts, lexicon), lexicon)


def test_what_the_probabilities_say_is_beside_the_estimates(model: Model, texts: list[str]) -> None:
    scores = score(texts, model)
    expected = expected_measures(scores)
    sample = draw(scores, 20)
    found = audit(sample, ["negative"] * 20, expected)
    best = np.where(scores.undecided, 0.5, scores.probabilities.max(axis=1))  # no forecast: it contradicted precisions
    assert found["accuracy"].expected == pytest.approx(best.mean())
    assert found["prevalence", "positive"].expected == pytest.approx(scores.probabilities[:, 1].mean())
    assert found["accuracy"].value < 0.6
    assert "forecast" not in " ".join(found.notes())
    records = found.records()
    assert {"measure", "label", "value", "low", "high", "expected"} == set(records[0])


def test_expected_shares_sum_to_one_and_precision_is_high(model: Model, texts: list[str]) -> None:
    expected = expected_measures(score([*texts, ""], model))
    assert expected["prevalence", "negative"] + expected["prevalence", "positive"] == pytest.approx(1)
    assert 0.5 < expected["precision", "positive"] <= 1


def test_errors() -> None:
    sample = draw(populations()[0].scores, 10)
    with pytest.raises(ProblexError, match=r"the labels 'c' are not known, expected a or b, or None"):
        audit(sample, ["a"] * 9 + ["c"])
    with pytest.raises(ProblexError, match="none of 10 documents has a label: fill in a or b"):
        audit(sample, [None] * 10)
    with pytest.raises(ProblexError, match="3 labels were given for a sample of 10, expected one for each"):
        audit(sample, ["a"] * 3)


@pytest.mark.parametrize("population", populations()[:1] + populations()[-1:], ids=lambda population: population.name)
def test_another_model_is_judged_by_the_same_labels(population: Population) -> None:
    """The sample was drawn by scores that are those of the model plus noise; intervals cover the truth of the model."""
    random, scores = np.random.default_rng(8), population.scores
    noisy = replace(scores, values=scores.values + random.normal(0, 1.5, scores.values.shape))
    truth, hits, times = population.truth, dict.fromkeys(population.truth, 0), 120
    for seed in range(times):
        sample = draw(noisy, 60, seed=seed)
        rows = sample.rows
        mine = scores.take(rows)
        for one in estimate_measures(sample, population.codes[rows], mine):
            hits[one.measure, one.label] += one.low - 1e-9 <= truth[one.measure, one.label] <= one.high + 1e-9
    assert min(hits.values()) >= 0.88 * times
    assert np.mean(list(hits.values())) >= 0.94 * times
    labels = [scores.classes[code] for code in population.codes[sample.rows]]
    found = audit(sample, labels, scores=mine).estimates
    assert [one.value for one in found] == [
        one.value for one in estimate_measures(sample, population.codes[rows], mine)
    ]
    assert all(one.expected is None for one in found)
