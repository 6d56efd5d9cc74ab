"""A folder with texts and a lexicon, a model of them, and files that are read in many batches."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from problex.cli import prediction_log, predictions
from problex.counting import streams
from tests.cli.runs import LEXICON, run

POSITIVE, NEGATIVE = "good\nfine\nwell-made\n", "bad\npoor\nrip off\n"


@pytest.fixture
def folder(tmp_path: Path, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> Path:
    labels = ["positive", "positive", "negative", "negative", "positive", "", "positive", "negative"] * 5
    frame = pd.DataFrame({"id": [f"d{at}" for at in range(len(texts))], "text": texts, "label": labels})
    frame.to_csv(tmp_path / "texts.csv", index=False)
    frame.to_parquet(tmp_path / "texts.parquet")
    (tmp_path / "pos.txt").write_text(POSITIVE)
    (tmp_path / "neg.txt").write_text(NEGATIVE)
    rows = [
        f"{word},{name}"
        for name, text in (("positive", POSITIVE), ("negative", NEGATIVE))
        for word in text.split("\n")
        if word
    ]
    (tmp_path / "both.csv").write_text("word,list\n" + "\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def model(folder: Path) -> Path:
    run("fit", "texts.parquet", *LEXICON, "-o", "m.json")
    return folder / "m.json"


LARGE = ("large0.parquet", "large1.parquet", "large2.parquet")


@pytest.fixture
def large(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    frame = pd.concat([pd.read_csv(folder / "texts.csv")] * 10)
    for name in LARGE:
        frame.to_parquet(folder / name, row_group_size=50)
    monkeypatch.setattr(streams, "SEGMENT_BYTES", 4000)
    monkeypatch.setattr(prediction_log, "MAX_SECONDS", -1.0)
    for module in (streams, predictions):
        monkeypatch.setattr(module, "choose_batch_bytes", lambda memory, threads: 2000)
    return folder
