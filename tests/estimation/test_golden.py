"""Models that an earlier version wrote load, and score texts as that version did."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from problex import load_model, score
from problex.estimation.model_file import dumps

FOLDER = Path(__file__).parent / "golden"
NAMES = ["cotrained", "default", "expanded", "multinomial", "paper", "pmi", "three", "tone", "topics"]


@pytest.mark.parametrize("name", NAMES)
def test_a_model_of_an_earlier_version_scores_the_same(name: str) -> None:
    expected = json.loads((FOLDER / f"{name}.scores.json").read_text(encoding="utf-8"))
    scores = score(expected["texts"], load_model(FOLDER / f"{name}.json"))
    np.testing.assert_allclose(scores.probabilities, expected["probabilities"], rtol=0, atol=1e-12)
    assert scores.labels().tolist() == expected["labels"]
    if "matches" in expected:
        assert scores.matches.tolist() == expected["matches"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_written_again_as_it_was(name: str) -> None:
    record = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    record.pop("digest", None)  # which `dumps` leaves to `save`
    assert json.loads(dumps(load_model(FOLDER / f"{name}.json"))) == record


def test_the_models_are_of_every_kind() -> None:
    models = {name: load_model(FOLDER / f"{name}.json") for name in NAMES}
    assert models["expanded"].expansion is not None
    assert models["cotrained"].cotrained is not None
    assert models["tone"].expansion is not None
    assert (models["tone"].expansion.kind, models["tone"].expansion.vocabulary.discounts is None) == ("tone", False)
    assert models["topics"].expansion is not None
    assert models["topics"].expansion.support is not None
    assert models["pmi"].pmi is not None
    assert models["default"].calibration.threshold != 0
    assert models["multinomial"].settings.prior is not None
    assert len(models["three"].classes) == 3
    assert models["paper"].settings.solver == "admm"
