"""Commands that are killed, interrupted, starved of memory or of room on the disk, on real processes: `make torture`.

`python proof/robustness/torture.py --kills 200` kills commands at random moments and repeats each until it is done:
all files that it writes must have the same bytes as those of an undisturbed run, and no temporary file may be left.
Then come the trials of trials.py. Writes proof/results/torture.json.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from trials import LEXICON, PATIENCE, PROBLEX, ROOT, TRIALS, run

RESULTS = ROOT / "proof" / "results" / "torture.json"
WORDS = ["good", "fine", "happy", "bad", "poor", "awful", "day", "film", "not", "the", "and", "very"]


@dataclass(frozen=True)
class Job:
    """A command that writes a file, with a checkpoint if it takes one."""

    words: tuple[str, ...]
    output: str
    checkpoint: bool = False
    beside: tuple[str, ...] = ()
    """Other files that it writes."""

    def files(self, folder: Path) -> list[Path]:
        """All files that it writes."""
        return [folder / self.output, *(folder / other for other in self.beside)]

    def line(self, output: str) -> list[str]:
        """The command with the name of its output."""
        words = [word.replace("OUTPUT", output) for word in self.words]
        return [*PROBLEX, *words, *(["--checkpoint", "progress"] if self.checkpoint else [])]


JOBS = {
    "fit": Job(("fit", "texts.parquet", *LEXICON, "-o", "OUTPUT"), "model.json", True),
    "fit csv": Job(("fit", "texts.csv", *LEXICON, "-o", "OUTPUT"), "model.json", True),
    "predict": Job(("predict", "own.json", "texts.parquet", "-o", "OUTPUT"), "labels.parquet", True),
    "predict csv": Job(("predict", "own.json", "texts.csv", "--keep", "all", "-o", "OUTPUT"), "labels.csv", True),
    "predict xlsx": Job(("predict", "own.json", "few.csv", "-o", "OUTPUT"), "labels.xlsx"),
    "audit": Job(
        ("audit", "sample", "own.json", "few.csv", "-n", "40", "-o", "OUTPUT"),
        "sheet.csv",
        beside=("sheet.audit.json",),
    ),
    "convert": Job(("convert", "words.csv", "OUTPUT"), "words.dic"),
    "report": Job(("report", "own.json", "few.csv", "-o", "OUTPUT"), "report.html"),
}
TIME_OF_WRITING = "docProps/core.xml"
"""The part of a workbook that has it."""


def prepare(folder: Path, rows: int) -> None:
    """Texts, lists and a model."""
    import pandas as pd

    draw = random.Random(1)
    texts = [" ".join(draw.choices(WORDS, k=draw.randrange(5, 60))) for _ in range(rows)]
    frame = pd.DataFrame({"id": range(rows), "text": texts})
    frame.to_parquet(folder / "texts.parquet", row_group_size=max(1, rows // 50))
    frame.to_csv(folder / "texts.csv", index=False)
    frame.head(2000).to_csv(folder / "few.csv", index=False)
    (folder / "pos.txt").write_text("good\nfine\nhappy\n")
    (folder / "neg.txt").write_text("bad\npoor\nawful\n")
    (folder / "words.csv").write_text("word,label\ngood,positive\nfine,positive\nbad,negative\npoor,negative\n")
    run([*PROBLEX, "fit", "few.csv", *LEXICON, "-o", "own.json"], folder)


def content(path: Path) -> bytes | dict[str, bytes]:
    """What is compared: the bytes of a file, or the parts of a workbook but the time of writing."""
    if path.suffix != ".xlsx":
        return path.read_bytes()
    with zipfile.ZipFile(path) as book:
        return {name: book.read(name) for name in book.namelist() if name != TIME_OF_WRITING}


def compare(name: str, folder: Path, whole: list[object], kills: int) -> None:
    """Raise if a file is missing, differs from that of an undisturbed run, or if the checkpoint is left."""
    for path, expected in zip(JOBS[name].files(folder), whole, strict=True):
        if not path.exists():
            raise AssertionError(f"{name} after {kills} kills: {path.name} is missing")
        if content(path) != expected:
            raise AssertionError(f"{name} after {kills} kills: {path.name} differs from that of an undisturbed run")
    if (folder / "progress").exists():
        raise AssertionError(f"{name}: the checkpoint was left behind")


def remove(name: str, folder: Path) -> None:
    """Remove what a command writes."""
    for path in (*JOBS[name].files(folder), folder / "progress"):
        path.unlink(missing_ok=True)


def run_undisturbed(name: str, folder: Path) -> list[object]:
    """Run a command to its end; what it wrote."""
    remove(name, folder)
    ran = run(JOBS[name].line(JOBS[name].output), folder)
    assert ran.returncode == 0, f"{name}: {ran.stderr}"
    return [content(path) for path in JOBS[name].files(folder)]


def kill_and_repeat(name: str, folder: Path, whole: list[object], seconds: float, draw: random.Random) -> int:
    """Kill a command at random moments until it has ended by itself; how often it was killed. Raise if bytes differ."""
    job, kills, forced = JOBS[name], 0, False
    remove(name, folder)
    while True:
        line = [*job.line(job.output), *(["--force"] if forced else [])]
        process = subprocess.Popen(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, said = process.communicate(timeout=PATIENCE if kills > 2 or forced else draw.uniform(0.1, seconds * 1.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            if all(path.exists() for path in job.files(folder)) and not job.checkpoint:
                break  # it was complete: files appear by a rename
            continue
        exists = b"exists: choose another name" in said and kills > 0
        if exists and not all(path.exists() for path in job.files(folder)):
            forced = True  # killed between two files: it says so, and has to be asked for both
            continue
        if process.returncode != 0 and not exists:
            raise AssertionError(f"{name} after {kills} kills: status {process.returncode}, {said.decode()[-500:]}")
        break
    compare(name, folder, whole, kills)
    return kills


def killed_commands(folder: Path, number: int, draw: random.Random) -> dict[str, object]:
    """Kill commands until there were so many kills; then each runs undisturbed, and no temporary file may be left."""
    wholes, times = {}, {}
    for name in JOBS:
        began = time.monotonic()
        wholes[name] = run_undisturbed(name, folder)
        times[name] = time.monotonic() - began
    kills: dict[str, int] = dict.fromkeys(JOBS, 0)
    while sum(kills.values()) < number:
        name = min(kills, key=lambda one: kills[one])
        kills[name] += kill_and_repeat(name, folder, wholes[name], times[name], draw)
        print(f"\r{sum(kills.values())} kills", end="", flush=True)
    for name in JOBS:
        assert run_undisturbed(name, folder) == wholes[name], f"{name}: another result after all kills"
        remove(name, folder)
    left = [path.name for path in folder.iterdir() if ".tmp" in path.name or path.name.startswith(".")]
    assert not left, f"temporary files are left: {left}"
    print(f"\r{sum(kills.values())} kills, each command repeated to the same bytes; no temporary file is left")
    return {"kills": kills, "temporary files left": left}


def main() -> int:
    """Kill commands, then run the other trials."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trial", choices=list(TRIALS), action="append", help="only this trial, without kills")
    given = parser.parse_args()
    broken, record = 0, {}
    with tempfile.TemporaryDirectory(prefix="problex-torture-") as name:
        folder = Path(name)
        prepare(folder, given.rows)
        if not given.trial:
            record["killed commands"] = killed_commands(folder, given.kills, random.Random(given.seed))
        for trial in given.trial or TRIALS:
            try:
                record[trial] = TRIALS[trial](folder)
            except AssertionError as error:
                broken += 1
                record[trial] = f"BROKEN: {error}"
            print(f"{trial}: {record[trial]}")
    if not given.trial:
        with contextlib.suppress(OSError):
            RESULTS.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return broken


if __name__ == "__main__":
    sys.exit(main())
