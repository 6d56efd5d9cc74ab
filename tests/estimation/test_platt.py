from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, Model, count, estimate, load_model, score
from problex.errors import ModelError, ProblexError
from problex.estimation.calibration import fit_platt
from problex.model.calibration import Platt


def drawn(slope: float, intercepts: list[float], documents: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Scores, and labels from the calibration that turns them into true probabilities."""
    random = np.random.default_rng(seed)
    values = random.normal(scale=3.0, size=(documents, len(intercepts)))
    truth = Platt(slope, tuple(intercepts)).probabilities(values)
    codes = (random.random((documents, 1)) > truth.cumsum(axis=1)).sum(axis=1)
    return values, codes


@pytest.mark.parametrize(("slope", "intercepts"), [(0.3, [0.5, -0.5]), (1.5, [0.0, 0.0]), (0.5, [1.0, -1.0, 0.0])])
def test_known_slope_and_intercepts_are_recovered(slope: float, intercepts: list[float]) -> None:
    found = fit_platt(*drawn(slope, intercepts, 20_000))
    assert found.slope == pytest.approx(slope, rel=0.05)
    np.testing.assert_allclose(np.array(found.intercepts) - np.mean(found.intercepts), intercepts, atol=0.08)
    assert found.labels == 20_000


def test_few_labels_already_help_an_overconfident_model() -> None:
    better = 0
    unseen, truth = drawn(0.2, [0.4, -0.4], 4000, seed=99)
    own = Platt(1.0, (0.0, 0.0))
    for seed in range(20):
        found = fit_platt(*drawn(0.2, [0.4, -0.4], 40, seed))
        losses = [-np.mean(np.log(one.probabilities(unseen)[np.arange(4000), truth])) for one in (found, own)]
        better += losses[0] < losses[1]
    assert better == 20


def test_without_labels_it_is_the_model_and_perfect_labels_do_not_make_it_certain() -> None:
    nothing = fit_platt(np.empty((0, 2)), np.empty(0, dtype=np.int64))
    assert (nothing.slope, nothing.intercepts) == (1.0, (0.0, 0.0))
    values = np.array([[0.0, -1.0], [0.0, 1.0]] * 20)
    found = fit_platt(values, np.array([0, 1] * 20))
    assert 1 < found.slope < 20
    assert found.probabilities(values).max() < 1


@given(st.floats(0.01, 20), st.lists(st.floats(-5, 5), min_size=2, max_size=4))
def test_probabilities_sum_to_one_and_the_record_goes_round(slope: float, intercepts: list[float]) -> None:
    calibration = Platt(slope, tuple(intercepts), 7)
    values = np.linspace(-1000, 1000, 5 * len(intercepts)).reshape(5, -1)
    np.testing.assert_allclose(calibration.probabilities(values).sum(axis=1), 1)
    names = tuple("abcd"[: len(intercepts)])
    assert Platt.from_record(calibration.record(names), names) == calibration


@pytest.fixture
def model(lexicon: Lexicon, texts: list[str]) -> Model:
    return estimate(count(texts, lexicon), lexicon)


def test_a_model_keeps_its_calibration_and_applies_it(model: Model, tmp_path: Path, texts: list[str]) -> None:
    calibration = Platt(0.25, (0.1, -0.1), 60)
    replace(model, platt=calibration).save(tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded.platt == calibration
    raw, calibrated = score(texts, model), score(texts, loaded)
    assert np.array_equal(raw.values, calibrated.values)
    assert raw.labels().tolist() == calibrated.labels().tolist()
    np.testing.assert_array_equal(calibrated.probabilities, calibration.probabilities(raw.values))
    for other in ({"rule": "count"}, {"temper": "none"}):  # scores that nobody audited
        expected = score(texts, model, **other).probabilities  # type: ignore[arg-type]
        assert np.array_equal(score(texts, loaded, **other).probabilities, expected)  # type: ignore[arg-type]
    assert loaded.reestimate(shrinkage=10).platt is None


def test_a_calibration_that_turns_scores_round_is_refused(model: Model, tmp_path: Path) -> None:
    replace(model, platt=Platt(-1.0, (0.0, 0.0))).save(tmp_path / "m.json")
    with pytest.raises(ModelError, match=r"'platt\.slope' is -1"):
        load_model(tmp_path / "m.json")
    with pytest.raises(ProblexError, match=r"2 labels were given for scores of shape \(3, 2\), expected one per row"):
        fit_platt(np.zeros((3, 2)), np.array([0, 1]))
