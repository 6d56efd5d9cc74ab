"""Streams, samples, and too little to learn from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from problex import LexiconClassifier, count, estimate, expand, load_model
from problex.cli.application import app
from problex.errors import EstimationWarning, ProblexError
from problex.scoring.reservoir import ReservoirSample
from tests.expansion.test_expansion import LEXICON, corpus


def test_a_sample_stays_within_its_bound_and_is_even() -> None:
    sample = ReservoirSample(limit=20_000)
    for start in range(0, 10_000, 500):
        sample.add(pa.array([f"text {number:05d}" for number in range(start, start + 500)]))
    kept = np.array([int(text.split()[1]) for text in sample.texts.to_pylist()])
    assert sample.seen == 10_000
    assert 200 < len(kept) < 10_000
    assert sample.texts.nbytes <= 40_000
    assert abs(kept.mean() - 5_000) < 4 * 2_900 / np.sqrt(len(kept))


def test_a_stream_that_can_be_read_once_gives_the_same_model() -> None:
    texts, _ = corpus(documents=300)

    def stream() -> Iterator[str]:
        yield from texts

    whole = LexiconClassifier(LEXICON, expand=True).fit(texts).model_
    assert LexiconClassifier(LEXICON, expand=True).fit(stream()).model_ == whole
    parts = LexiconClassifier(LEXICON, expand=True)
    for start in range(0, 300, 100):
        parts.partial_fit(texts[start : start + 100])
    assert parts.model_ == whole


def test_too_little_to_learn_from_is_said_and_does_no_harm() -> None:
    texts, _ = corpus(documents=300)
    model = estimate(count(texts, LEXICON), LEXICON)
    with pytest.warns(EstimationWarning, match="the model was not expanded: 5 documents are too few"):
        assert expand(model, texts[:5]) is model
    with pytest.warns(EstimationWarning, match="the model was not expanded: 19 documents are too few"):
        assert expand(model, texts[:19]) is model
    with pytest.warns(EstimationWarning, match=r"the model was not expanded: the (scores|texts)"):
        expand(model, texts[:20])
    random = np.random.default_rng(0)
    mixed = [" ".join(random.permutation(text.split()[:6])) for text in texts]
    shuffled = [" ".join([*a.split()[:3], *b.split()[3:]]) for a, b in pairwise(mixed)]
    noise = [" ".join(f"w{'abcdefgh'[random.integers(8)]}" for _ in range(20)) + " " + text for text in shuffled]
    with pytest.warns(EstimationWarning, match="hardly correlate with it"):
        assert expand(model, noise).expansion is None


def test_the_command_line_expands_and_suggests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts, _ = corpus()
    Path("texts.txt").write_text("\n".join(texts))
    files = [f"--lexicon={name}={name}.txt" for name in LEXICON.lists]
    for name, words in LEXICON.lists.items():
        Path(f"{name}.txt").write_text("\n".join(words))
    run = CliRunner().invoke
    made = run(app, ["fit", "texts.txt", *files, "--expand", "-o", "m.json"])
    assert made.exit_code == 0
    assert load_model("m.json").expansion is not None
    shown = json.loads(run(app, ["suggest", "m.json", "--top", "12", "--format", "json"]).stdout)
    assert {"strongpos", "strongneg"} <= {row["entry"] for row in shown}
    run(app, ["fit", "texts.txt", *files, "-o", "plain.json"])
    with pytest.raises(ProblexError, match="has weights only for its lexicon: make it with problex fit --expand"):
        run(app, ["suggest", "plain.json"], catch_exceptions=False)
    with pytest.raises(ProblexError, match="--expand and --checkpoint were given"):
        run(app, ["fit", "texts.txt", *files, "--expand", "--checkpoint", "c", "-o", "x.json"], catch_exceptions=False)
