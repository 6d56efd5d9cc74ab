"""`problex predict` as a person uses it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from problex.cli import predictions
from problex.cli.commands import predict
from problex.cli.inputs import TextFiles
from problex.errors import ProblexError
from problex.estimation import load_model
from problex.tables.write import TableFile
from tests.cli.runs import LEXICON, problex, run, said


def test_predict_to_every_format(folder: Path, model: Path) -> None:
    frames = []
    for name, read in (("p.csv", pd.read_csv), ("p.parquet", pd.read_parquet)):
        run("predict", "m.json", "texts.csv", "-o", name)
        frames.append(read(name))
    run("predict", "m.json", "texts.csv", "-o", "p.jsonl")
    frames.append(pd.read_json("p.jsonl", lines=True))
    for frame in frames:
        assert list(frame) == ["row", "id", "label", "score", "p_negative", "p_positive", "tokens", "matches"]
        assert len(frame) == 40
        assert frame["label"].tolist() == frames[0]["label"].tolist()
        assert frame["id"][3] == "d3"
        assert frame["label"][5] == "undecided"


def test_predict_prints_and_reads_standard_input(folder: Path, model: Path) -> None:
    ran = problex("predict", "m.json", "-", stdin="a good film\na poor film\n\nnothing\n")
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert [row["label"] for row in rows] == ["positive", "negative", "undecided", "undecided"]
    as_json = json.loads(problex("predict", "m.json", "-", "--format", "json", stdin="good\n").stdout)
    assert as_json[0]["label"] == "positive"
    from_csv = problex("predict", "m.json", "-", "--input-format", "csv", "--text", "t", stdin="n,t\n1,good\n2,bad\n")
    assert [row["label"] for row in csv.DictReader(io.StringIO(from_csv.stdout))] == ["positive", "negative"]


def test_kept_columns(folder: Path, model: Path) -> None:
    run("predict", "m.json", "texts.csv", "--keep", "id", "-o", "p.csv")
    assert list(pd.read_csv("p.csv"))[:3] == ["row", "id", "label"]


def test_kept_columns_never_replace_results(folder: Path, model: Path) -> None:
    run("predict", "m.json", "texts.csv", "--keep", "label", "-o", "p.csv")
    frame = pd.read_csv("p.csv")
    assert frame["input_label"][0] == "positive"
    assert frame["label"][5] == "undecided"


def test_a_large_corpus_prints_one_json_array(folder: Path, model: Path) -> None:
    pd.DataFrame({"text": ["a good film " * 40, "a bad day " * 50] * 12_000}).to_csv("large.csv", index=False)
    ran = problex("predict", "m.json", "large.csv", "--format", "json")
    assert len(json.loads(ran.stdout)) == 24_000
    assert problex("predict", "m.json", "large.csv", "--format", "csv").stdout.count("\n") == 24_001


def test_skipped_rows_are_said(folder: Path, model: Path) -> None:
    (folder / "ragged.csv").write_text("id,text\n1,good\n2,bad,too,many\n3,poor\n")
    ran = problex("predict", "m.json", "ragged.csv", "--on-error", "skip", "-o", "r.csv")
    assert "wrote 2 rows to r.csv; 1 text unreadable" in ran.stderr


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet", "txt"])
def test_unreadable_rows_are_named_or_counted(folder: Path, model: Path, suffix: str) -> None:
    rows = [b"good film", b"bad \xff", "poor été".encode()] * 3 + [b"good film"] * 31
    if suffix == "parquet":
        pq.write_table(pa.table({"text": pa.array(rows, pa.binary())}), "x.parquet")
    elif suffix == "jsonl":
        (folder / "x.jsonl").write_bytes(b"".join(b'{"text": "%b"}\n' % row for row in rows))
    else:
        (folder / f"x.{suffix}").write_bytes(b"text\n" * (suffix == "csv") + b"".join(row + b"\n" for row in rows))
    with pytest.raises(ProblexError) as caught:
        run("fit", f"x.{suffix}", *LEXICON, "-o", "x.json")
    assert f"document 1 of x.{suffix} is not valid UTF-8 at byte 4." in str(caught.value)
    for action in ("skip", "replace"):
        options = ("--force", "--on-error", action)
        assert "wrote 40 rows to p.csv; 3 texts unreadable" in said(
            "predict", "m.json", f"x.{suffix}", "-o", "p.csv", *options
        )
        assert "3 texts unreadable" in said("fit", f"x.{suffix}", *LEXICON, "-o", "x.json", *options)


def test_ids_that_look_like_markup_are_shown_as_they_are(folder: Path, model: Path) -> None:
    (folder / "odd.csv").write_text("id,text\n[/x],good\n")
    assert "[/x]" in problex("predict", "m.json", "odd.csv", "--format", "table").stdout


def test_force_overwrites(folder: Path, model: Path) -> None:
    run("fit", "texts.csv", *LEXICON, "-o", "m.json", "--force")
    (folder / "p.csv").write_text("old")
    run("predict", "m.json", "texts.csv", "-o", "p.csv", "--force")
    assert len((folder / "p.csv").read_text().splitlines()) == 41


@pytest.mark.parametrize("name", ["p.csv", "p.parquet", "p.jsonl"])
def test_a_file_that_cannot_grow_leaves_nothing_behind(folder: Path, model: Path, name: str) -> None:
    """A limit on file size stands for a full disk."""
    code = (
        "import resource, signal, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600));"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"sys.argv = ['problex', 'predict', 'm.json', 'texts.csv', '-o', {name!r}];"
        "from problex.cli.application import main; main()"
    )
    before = sorted(path.name for path in folder.iterdir())
    ran = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "could not be written: " in ran.stderr
    assert "File too large; nothing was changed" in ran.stderr
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_full_disk_leaves_nothing_behind(folder: Path, model: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    full = os.open("/dev/full", os.O_WRONLY)
    ran = subprocess.run(
        [sys.executable, "-m", "problex", "predict", "m.json", "texts.csv"],
        stdout=full,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(full)
    assert ran.returncode == 1
    assert "No space left" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_an_interrupted_write_keeps_the_old_file(folder: Path, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "p.csv").write_text("old")
    loaded = load_model(Path("m.json"))
    scored = predictions.score_files(loaded, TextFiles([Path("texts.csv")]), predictions.ScoringOptions())

    def interrupted() -> Any:
        yield next(scored)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        predict.write_predictions(interrupted(), TableFile(Path("p.csv"), force=True), loaded)
    assert (folder / "p.csv").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []
