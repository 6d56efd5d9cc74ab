"""Commands with a checkpoint continue after they were interrupted or killed, to the same result."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from problex.cli import prediction_log
from problex.errors import ProblexError
from tests.cli.conftest import LARGE
from tests.cli.runs import LEXICON, run, said
from tests.commands import run_command

KILLED = """
import os, signal, sys
from problex.counting import checkpoints, streams
from problex.cli import prediction_log, predictions
from problex.cli.application import main

streams.SEGMENT_BYTES, prediction_log.MAX_SECONDS = 4000, -1.0
streams.choose_batch_bytes = predictions.choose_batch_bytes = lambda memory, threads: 2000
for owner, name in ((checkpoints.Checkpoint, "save"), (prediction_log.PredictionLog, "_append")):
    def killed(self, *given, real=getattr(owner, name), left=[2]):
        real(self, *given)
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGN)
    setattr(owner, name, killed)
main()
"""


def killed(sign: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The command, sent a signal after it has saved twice."""
    return run_command(*words, code=KILLED.replace("SIGN", sign))


@pytest.mark.parametrize("sign", ["SIGKILL", "SIGINT"])
def test_an_interrupted_fit_goes_on_to_the_same_model(large: Path, sign: str) -> None:
    words = ("fit", *LARGE, *LEXICON, "--checkpoint", "c", "-o", "again.json")
    ran = killed(sign, *words)
    assert ran.returncode == (-9 if sign == "SIGKILL" else 1), ran.stderr
    assert (sign == "SIGINT") == ("interrupted: the same command continues from the checkpoint c" in ran.stderr)
    assert (large / "c").exists()
    assert not (large / "again.json").exists()
    assert "1,200 documents" in said(*words)
    run("fit", *LARGE, *LEXICON, "-o", "whole.json")
    assert (large / "again.json").read_bytes() == (large / "whole.json").read_bytes()
    assert not (large / "c").exists()


def test_a_killed_predict_goes_on(large: Path, model: Path) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", "again.parquet")
    assert killed("SIGKILL", *words).returncode == -9
    assert not (large / "again.parquet").exists()
    assert "wrote 1,200 rows to again.parquet" in said(*words)
    run("predict", "m.json", *LARGE, "-o", "whole.parquet")
    assert (large / "again.parquet").read_bytes() == (large / "whole.parquet").read_bytes()


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_an_interrupted_predict_goes_on_to_the_same_file(
    large: Path, model: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", f"again.{suffix}", "--keep", "label")
    real, left = prediction_log.PredictionLog._append, [3]

    def interrupt(*given: Any) -> None:
        real(*given)
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(prediction_log.PredictionLog, "_append", interrupt)
        with pytest.raises(ProblexError, match="interrupted: the same command continues from the checkpoint c"):
            run(*words)
    with (large / "c").open("ab") as log:
        log.write(b"torn")
    assert f"wrote 1,200 rows to again.{suffix}" in said(*words)
    run("predict", "m.json", *LARGE, "-o", f"whole.{suffix}", "--keep", "label")
    assert (large / f"again.{suffix}").read_bytes() == (large / f"whole.{suffix}").read_bytes()
    assert not (large / "c").exists()


def test_a_checkpoint_of_another_model_is_refused(large: Path, model: Path) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", "p.csv")
    assert killed("SIGKILL", *words).returncode == -9
    run("fit", "texts.csv", *LEXICON, "-o", "m.json", "--force", "--shrinkage", "0")
    with pytest.raises(ProblexError, match="the checkpoint 'c' belongs to a different run: model was "):
        run(*words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("fit", "texts.csv", *LEXICON, "-o", "x.json", "--memory", "much"), "'much' was given as a size, expected"),
        (("fit", "texts.csv", *LEXICON, "-o", "x.json", "--memory", "1MB"), "expected at least 64MiB"),
        (("predict", "m.json", "texts.csv", "--checkpoint", "c"), "--checkpoint was given without --output"),
        (("fit", "-", *LEXICON, "-o", "x.json", "--checkpoint", "c"), "can be read only once, but a checkpoint needs"),
        (("fit", "texts.csv", *LEXICON, "-o", "x.json", "--checkpoint", "no/c"), "there is no folder 'no'"),
    ],
)
def test_large_corpora_asked_for_wrongly(folder: Path, model: Path, words: tuple[str, ...], expected: str) -> None:
    with pytest.raises(ProblexError) as caught:
        run(*words)
    assert expected in str(caught.value)


KILLED_AFTER_WRITING = """
import os, signal
from pathlib import Path
from problex.cli import prediction_log
from problex.cli.application import main
from problex.cli import predictions
from problex.counting import streams

streams.SEGMENT_BYTES, prediction_log.MAX_SECONDS = 4000, -1.0
streams.choose_batch_bytes = predictions.choose_batch_bytes = lambda memory, threads: 2000

def unlink(self, real=Path.unlink, **options):
    if self.name == "c":
        os.kill(os.getpid(), signal.SIGKILL)
    real(self, **options)

Path.unlink = unlink
main()
"""


def test_a_command_killed_before_it_removed_its_checkpoint_is_finished_by_the_next(large: Path, model: Path) -> None:
    commands = [
        ("fit", *LARGE, *LEXICON, "--checkpoint", "c", "-o", "again.json"),
        *(("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", f"again.{kind}") for kind in ("csv", "parquet")),
    ]
    for words in commands:
        output = large / words[-1]
        assert run_command(*words, code=KILLED_AFTER_WRITING).returncode == -9
        before = output.read_bytes()
        assert (large / "c").exists()
        assert words[-1] in said(*words)
        assert output.read_bytes() == before
        assert not (large / "c").exists()


def test_another_file_in_the_place_of_the_output_is_not_overwritten(large: Path, model: Path) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o", "again.csv")
    assert killed("SIGKILL", *words).returncode == -9
    (large / "again.csv").write_text("mine")
    with pytest.raises(ProblexError, match=r"^'again.csv' exists: choose another name"):
        run(*words)
    assert (large / "again.csv").read_text() == "mine"
    assert (large / "c").exists()


KILLED_LATER = """
import os, random, signal, sys, threading
from problex.counting import checkpoints, streams
from problex.cli import prediction_log, predictions
from problex.cli.application import main

streams.SEGMENT_BYTES, prediction_log.MAX_SECONDS = 4000, -1.0
streams.choose_batch_bytes = predictions.choose_batch_bytes = lambda memory, threads: 2000
delay = random.Random(sys.argv.pop(1)).uniform(0, 0.05)
for owner, name in ((checkpoints.Checkpoint, "save"), (prediction_log.PredictionLog, "_append")):
    def save(self, *given, real=getattr(owner, name), timers=[]):
        real(self, *given)
        if not timers:
            timers.append(threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)))
            timers[0].start()
    setattr(owner, name, save)
main()
"""


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("command", ["fit", "predict"])
def test_commands_killed_at_random_moments_go_on_to_the_same_bytes(
    large: Path, model: Path, command: str, suffix: str
) -> None:
    frame = pd.concat([pd.read_parquet(name) for name in LARGE])
    texts = f"all.{suffix}"
    if suffix == "parquet":
        frame.to_parquet(texts, row_group_size=50)
    elif suffix == "csv":
        frame.to_csv(texts, index=False)
    else:
        frame.to_json(texts, orient="records", lines=True)
    start = ("fit", texts, *LEXICON) if command == "fit" else ("predict", "m.json", texts, "--keep", "label")
    output = "again.json" if command == "fit" else f"again.{suffix}"
    words = (*start, "--checkpoint", "c", "-o", output)
    statuses = []
    for seed in range(3):
        statuses.append(run_command(f"{command} {suffix} {seed}", *words, code=KILLED_LATER).returncode)
        if not (large / "c").exists():  # done, even if it was killed then
            break
    assert set(statuses) <= {-9, 0}
    assert -9 in statuses
    if (large / "c").exists():
        run(*words)
    whole = f"whole{Path(output).suffix}"
    run(*start, "-o", whole)
    assert (large / output).read_bytes() == (large / whole).read_bytes()
    assert not (large / "c").exists()
