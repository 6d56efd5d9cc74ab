from __future__ import annotations

import numpy as np
import pytest

from problex.corpus import batches
from problex.evaluation.forecasts import corpus_forecast
from problex.report.material import FINDINGS, LEARNED, gather
from problex.scoring.scorer import score
from tests.reports import TEXTS, expanded, material, small_model


def test_the_figures_are_those_of_the_parts() -> None:
    model = small_model()
    given = material(model, by="party")
    lengths = score(TEXTS, model).lengths
    assert given.believed == pytest.approx(corpus_forecast(model, lengths)[1], abs=0.01)
    assert given.typical_length == int(np.median(lengths))
    assert given.diagnosis is not None
    assert len(given.diagnosis.faults) <= FINDINGS
    assert {row["group"] for row in given.overview.groups} == {"left", "right", "<b>green</b>", "(none)"}
    assert given.lacking == {}


def test_words_beyond_the_lexicon_are_kept_apart() -> None:
    model, texts = expanded()
    given = gather(lambda: batches(texts), model)
    assert given.learned
    assert {row["entry"] for row in given.entries} == set(model.evidence.entries)
    known = set(model.evidence.entries)
    assert not any(word in known for row in given.learned for word in row["entry"].split())
    assert len(given.learned) <= 2 * LEARNED
    assert material().learned == []


def test_what_cannot_be_had_is_said() -> None:
    given = gather(lambda: batches(["good", "bad"]), small_model())
    assert given.diagnosis is None
    assert "no document of 2 has two words" in given.lacking["doctor"]
