"""Commands that are killed, interrupted, starved of memory or of room on the disk, on real processes: `make torture`.

`python campaigns/torture.py --kills 200` kills commands at random moments and repeats each until it is done: the result
must have the same bytes as that of an undisturbed run. Then come the trials of trials.py. Writes
benchmarks/results/torture.json.
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
from dataclasses import dataclass
from pathlib import Path

from trials import LEXICON, PATIENCE, PROBLEX, ROOT, TRIALS, run

RESULTS = ROOT / "benchmarks" / "results" / "torture.json"
WORDS = ["good", "fine", "happy", "bad", "poor", "awful", "day", "film", "not", "the", "and", "very"]


@dataclass(frozen=True)
class Job:
    """A command that writes a file, with a checkpoint if it takes one."""

    words: tuple[str, ...]
    output: str
    checkpoint: bool = False
    beside: tuple[str, ...] = ()
    """Other files that it writes."""

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
UNSTABLE = {"predict xlsx", "report"}
"""Files with the time of writing in them: they are compared by size."""


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


def content(path: Path, by_size: bool) -> object:
    """What is compared."""
    return path.stat().st_size // 1000 if by_size else path.read_bytes()


def kill_and_repeat(name: str, folder: Path, whole: object, seconds: float, draw: random.Random) -> int:
    """Kill a command at random moments until it has ended by itself; how often it was killed. Raise if bytes differ."""
    job, kills = JOBS[name], 0
    files = [folder / job.output, *(folder / other for other in job.beside)]
    for file in (*files, folder / "progress"):
        file.unlink(missing_ok=True)
    while True:
        process = subprocess.Popen(job.line(job.output), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, said = process.communicate(timeout=draw.uniform(0.1, seconds * 1.1) if kills < 3 else PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            if (folder / job.output).exists() and not job.checkpoint:
                break  # it was complete: files appear by a rename
            continue
        exists = b"exists: choose another name" in said and kills > 0
        if process.returncode != 0 and not exists:
            raise AssertionError(f"{name} after {kills} kills: status {process.returncode}, {said.decode()[-500:]}")
        break
    if content(folder / job.output, name in UNSTABLE) != whole:
        raise AssertionError(f"{name} after {kills} kills: the result differs from that of an undisturbed run")
    if (folder / "progress").exists():
        raise AssertionError(f"{name}: the checkpoint was left behind")
    return kills


def killed_commands(folder: Path, number: int, draw: random.Random) -> dict[str, object]:
    """Kill commands until there were so many kills."""
    wholes, times = {}, {}
    for name, job in JOBS.items():
        began = time.monotonic()
        ran = run(job.line(job.output), folder)
        assert ran.returncode == 0, ran.stderr
        times[name] = time.monotonic() - began
        wholes[name] = content(folder / job.output, name in UNSTABLE)
        (folder / job.output).unlink()
    kills: dict[str, int] = dict.fromkeys(JOBS, 0)
    while sum(kills.values()) < number:
        name = min(kills, key=lambda one: kills[one])
        kills[name] += kill_and_repeat(name, folder, wholes[name], times[name], draw)
        print(f"\r{sum(kills.values())} kills", end="", flush=True)
    left = [path.name for path in folder.iterdir() if ".tmp" in path.name or path.name.startswith(".")]
    print(f"\r{sum(kills.values())} kills, each command repeated to the same bytes; temporary files left: {len(left)}")
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
