"""Commands never overwrite what they read, nor write one file twice; one checkpoint serves one run at a time."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from problex._util.files import lock
from problex.errors import OutputError
from problex.tables.write_workbook import write_workbook
from tests.cli.conftest import LARGE
from tests.cli.runs import LEXICON, problex, run

FIT = ("fit", "texts.csv", *LEXICON)


@pytest.mark.parametrize("spelling", ["x.csv", "./x.csv", "../{folder}/x.csv", "link.csv"])
def test_the_output_cannot_be_the_checkpoint(folder: Path, model: Path, spelling: str) -> None:
    (folder / "link.csv").symlink_to(folder / "x.csv")
    other = spelling.format(folder=folder.name)
    for command in (FIT, ("predict", "m.json", "texts.csv")):
        ran = problex(*command, "-o", "x.csv", "--checkpoint", other)
        assert ran.returncode == 1
        assert (
            f"problex: error: --output and --checkpoint are the same file, {str(Path(other))!r}: choose another name"
            in ran.stderr
        )
        assert not (folder / "x.csv").exists()


@pytest.mark.parametrize(
    "words",
    [
        (*FIT, "-o", "texts.csv"),
        (*FIT, "-o", "pos.txt"),
        (*FIT, "-o", "x.json", "--checkpoint", "neg.txt"),
        ("fit", "texts.csv", "-l", "both.csv", "-o", "./both.csv"),
        ("fit", "corpus", *LEXICON, "-o", "corpus/a.txt"),
        ("predict", "m.json", "texts.csv", "-o", "texts.csv"),
        ("predict", "m.json", "texts.*", "-o", "texts.parquet"),
        ("predict", "m.json", "texts.csv", "-o", "hard.csv"),
        ("predict", "m.json", "texts.csv", "-o", "x.csv", "--checkpoint", "m.json"),
        ("audit", "sample", "m.json", "texts.csv", "-o", "texts.csv"),
        ("report", "m.html", "texts.csv", "-o", "m.html"),
        ("doctor", "texts.csv", "-l", "both.csv", "--fix", "both.csv"),
        ("convert", "both.csv", "both.csv"),
        ("classify", "x-shares.csv", "-l", "both.csv", "-o", "x.csv", "--no-report"),
        ("classify", "texts.csv", "-l", "x-words.csv", "-o", "x.csv", "--no-report"),
    ],
    ids=" ".join,
)
def test_an_output_cannot_be_an_input(folder: Path, model: Path, words: tuple[str, ...]) -> None:
    (folder / "hard.csv").hardlink_to(folder / "texts.csv")
    (folder / "m.html").write_bytes(model.read_bytes())
    (folder / "x-shares.csv").write_bytes((folder / "texts.csv").read_bytes())
    (folder / "x-words.csv").write_bytes((folder / "both.csv").read_bytes())
    (folder / "corpus").mkdir()
    (folder / "corpus" / "a.txt").write_text("good film")
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    with pytest.raises(OutputError, match="is also read by this command: choose another name"):
        run(*words, "--force")
    assert {path: path.read_bytes() for path in folder.rglob("*.*")} == before


def test_a_checkpoint_in_use_is_refused(large: Path, model: Path) -> None:
    for words in (("fit", *LARGE, *LEXICON, "-o", "x.json"), ("predict", "m.json", *LARGE, "-o", "x.csv")):
        with lock(large / "c"):
            ran = problex(*words, "--checkpoint", "c")
        assert ran.returncode == 1
        assert ran.stderr.startswith("problex: error: 'c' is in use by another run: wait until it has ended, or name")
        assert not (large / "c").exists()


SLOW = """
import os, sys, time
from problex.cli import prediction_log, predictions
from problex.cli.application import main

prediction_log.MAX_SECONDS = -1.0
predictions.choose_batch_bytes = lambda memory, threads: 2000
real = prediction_log.PredictionLog._append
def append(self, *arguments):
    real(self, *arguments)
    while not os.path.exists("go"):
        time.sleep(0.02)
prediction_log.PredictionLog._append = append
main()
"""


def test_of_two_processes_on_one_checkpoint_one_writes(large: Path, model: Path) -> None:
    words = ("predict", "m.json", *LARGE, "--checkpoint", "c", "-o")
    with subprocess.Popen([sys.executable, "-c", SLOW, *words, "first.csv"], stderr=subprocess.PIPE) as first:
        deadline = time.monotonic() + 60
        while not (large / "c").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        second = problex(*words, "second.csv")
        (large / "go").touch()
        assert first.wait(timeout=60) == 0
    assert (second.returncode, (large / "second.csv").exists()) == (1, False)
    run("predict", "m.json", *LARGE, "-o", "whole.csv")
    assert (large / "first.csv").read_bytes() == (large / "whole.csv").read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("classify", "texts.csv", "-l", "both.csv", "-o"),
        ("audit", "sample", "m.json", "texts.csv", "-o"),
        ("doctor", "texts.csv", "-l", "both.csv", "--fix"),
    ],
    ids=" ".join,
)
def test_a_folder_is_no_output(folder: Path, model: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(OutputError, match=r"'\.' is a folder, expected a file name"):
        run(*words, ".")


def test_an_output_that_is_a_loop_of_links(folder: Path, model: Path) -> None:
    (folder / "a.csv").symlink_to("b.csv")
    (folder / "b.csv").symlink_to("a.csv")
    run("predict", "m.json", "texts.csv", "-o", "a.csv")
    run("predict", "m.json", "texts.csv", "-o", "plain.csv")
    assert (folder / "a.csv").read_bytes() == (folder / "plain.csv").read_bytes()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_workbook_on_a_full_disk_is_not_written_to_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """openpyxl leaves an archive open, which Python closes, and so writes to, when it is collected."""
    with pytest.raises(OSError, match="No space left"):
        write_workbook({"a": iter([pa.table({"x": ["good"] * 100_000})])}, Path("/dev/full"))
    gc.collect()
    assert capsys.readouterr().err == ""
