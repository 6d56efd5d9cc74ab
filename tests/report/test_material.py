from __future__ import annotations

from dataclasses import replace

import numpy as np

from problex.corpus import batches
from problex.report import build
from problex.report.material import MAX_FINDINGS, MAX_SUGGESTIONS, gather
from problex.scoring.scorer import score
from tests.reports import TEXTS, expanded, material, small_model


def test_the_figures_are_those_of_the_parts() -> None:
    model = small_model()
    report_material = material(model, by="party")
    lengths = score(TEXTS, model).lengths
    assert report_material.typical_length == int(np.median(lengths)) == 6
    odd = replace(report_material.overview, lengths={0: 1, 3: 1, 9: 1})
    assert replace(report_material, overview=odd).typical_length == 3
    assert report_material.diagnosis is not None
    assert len(report_material.diagnosis.faults) <= MAX_FINDINGS
    assert {row["group"] for row in report_material.overview.groups} == {"left", "right", "<b>green</b>", "(none)"}
    assert report_material.unavailable == {}


def test_words_beyond_the_lexicon_are_kept_apart() -> None:
    model, texts = expanded()
    report_material = gather(lambda: batches(texts), model)
    assert report_material.learned
    assert {row["entry"] for row in report_material.entries} == set(model.evidence.entries)
    known = set(model.evidence.entries)
    assert not any(word in known for row in report_material.learned for word in row["entry"].split())
    assert len(report_material.learned) <= 2 * MAX_SUGGESTIONS
    assert material().learned == []


def test_the_reason_for_a_part_that_is_unavailable_is_kept() -> None:
    report_material = gather(lambda: batches(["good", "bad"]), small_model())
    assert report_material.diagnosis is None
    assert "none of 2 documents has two words" in report_material.unavailable["doctor"]


def test_the_steps_are_told_in_order() -> None:
    steps: list[str] = []
    build(gather(lambda: batches(TEXTS), small_model(), on_step=steps.append), steps.append)
    assert steps == ["scoring the texts", "computing the forecast", "checking the lexicon", "drawing the charts"]
