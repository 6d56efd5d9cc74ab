"""The published method: it passes through nothing else, and what it leaves out is there when it is asked for."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import problex
from problex import Lexicon, LexiconClassifier, count, estimate, load_model
from problex.estimation import fitting
from problex.estimation.fitting import refine
from problex.estimation.published import evidence_of
from problex.model.evidence import Evidence
from problex.model.settings import PAPER
from tests.synthetic import draw

SOURCE = str(Path(problex.__file__).parent)
LATER = ("shrinkage", "weight_checks", "calibration", "least_squares", "reversal", "balances")
"""The stages of the default."""


def modules_of(call: Any) -> set[str]:
    """The modules of the package with a function that runs in a call."""
    seen = set()

    def note(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(SOURCE):
            seen.add(Path(frame.f_code.co_filename).relative_to(SOURCE).with_suffix("").as_posix())

    call()  # what is imported or kept at the first call does not count
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return seen


def test_the_paper_passes_through_no_later_stage() -> None:
    truth = draw(400, [0.5, 0.5], seed=3)
    options: dict[str, Any] = vars(PAPER)
    seen = modules_of(lambda: estimate(truth.counts, truth.lexicon, **options))
    assert "estimation/published" in seen
    assert not seen & {f"estimation/{name}" for name in LATER}
    default = modules_of(lambda: estimate(truth.counts, truth.lexicon))
    assert {"estimation/shrinkage", "estimation/weight_checks"} <= default


def test_partners_are_weighed_when_standard_errors_files_or_other_settings_ask_for_them(tmp_path: Path) -> None:
    truth = draw(400, [0.5, 0.5], seed=3)
    paper, default = estimate(truth.counts, truth.lexicon, **vars(PAPER)), estimate(truth.counts, truth.lexicon)
    assert paper.evidence.partner_weights.tolist() == [1.0] * len(paper.evidence.entries)
    for name in ("partner_weights", "weighted_cross_counts", "dispersion"):
        assert np.array_equal(getattr(paper.refined, name), getattr(default.evidence, name))
    assert paper.reestimate(**vars(default.settings)) == default
    assert default.reestimate(**vars(PAPER)) == paper
    assert np.array_equal(default.reestimate(**vars(PAPER)).standard_errors, paper.standard_errors)
    paper.save(tmp_path / "paper.json")
    for copy in (load_model(tmp_path / "paper.json"), pickle.loads(pickle.dumps(paper))):
        assert copy == paper
        assert copy.counts is None
        assert np.array_equal(copy.standard_errors, paper.standard_errors)


def test_predictions_of_the_paper_weigh_no_partners(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would be computed for nothing: only tables, files and other settings show what depends on them."""
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    texts = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad"] * 20
    calls: list[Any] = []

    def refine_and_note(*given: Any) -> Evidence:
        calls.append(given)
        return refine(*given)

    monkeypatch.setattr(fitting, "refine", refine_and_note)
    clf = LexiconClassifier.paper(lexicon).fit(texts)
    assert clf.predict(["a fine film", "a poor day"]).tolist() == ["positive", "negative"]
    assert clf.predict_proba(texts).shape == (100, 2)
    assert not calls
    assert clf.weights_["standard_error"].gt(0).all()
    assert len(calls) == 1


def test_the_sums_of_the_paper_by_hand() -> None:
    """Two texts of three and of two words: s = 3 * 2 + 2 * 1; `good` meets `bad` twice, which it has twice."""
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad"]})
    evidence = evidence_of(count(["good good bad", "fine day"], lexicon))
    assert (evidence.tokens, evidence.token_pairs) == (5, 8)
    assert dict(zip(evidence.entries, evidence.cross_counts.tolist(), strict=True)) == {"bad": 2, "fine": 0, "good": 2}
    assert evidence.base_rates.tolist() == [0.2, 0.2, 0.4]
