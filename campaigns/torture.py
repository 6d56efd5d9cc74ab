"""Commands that are killed, interrupted, starved of memory or of room on the disk, on real processes: `make torture`.

`python campaigns/torture.py --kills 200` kills commands at random moments and repeats each until it is done: the result
must have the same bytes as that of an undisturbed run. The other trials must end with one clear line, a status other
than 0, and every file as it was. Writes benchmarks/results/torture.json.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "torture.json"
PROBLEX = [sys.executable, "-m", "problex"]
LEXICON = ["--lexicon", "positive=pos.txt", "--lexicon", "negative=neg.txt"]
WORDS = ["good", "fine", "happy", "bad", "poor", "awful", "day", "film", "not", "the", "and", "very"]
PATIENCE = 300
"""Seconds after which a command hangs."""


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


def run(line: list[str], folder: Path, **options: object) -> subprocess.CompletedProcess[str]:
    """A command to its end."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        line, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment, **options
    )


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


def refused(ran: subprocess.CompletedProcess[str], expected: str) -> None:
    """A command must end with a status other than 0 and one clear line."""
    lines = [line for line in ran.stderr.splitlines() if line.strip()]
    assert ran.returncode not in (0, -11, -6), f"status {ran.returncode}: {ran.stderr[-300:]}"
    assert "Traceback" not in ran.stderr, ran.stderr[-500:]
    assert expected in ran.stderr, f"expected {expected!r} in {lines[-3:]}"


def full_disk(folder: Path) -> str:
    """A command whose output does not fit on the disk; root only."""
    place = folder / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], check=False, capture_output=True
    )
    if mounted.returncode:
        return "not tried: mounting a small disk needs root"
    try:
        (place / "mine.csv").write_text("mine")
        ran = run([*PROBLEX, "predict", "own.json", "texts.csv", "-o", "small/labels.csv"], folder)
        refused(ran, "No space left on device")
        assert not (place / "labels.csv").exists()
        assert sorted(path.name for path in place.iterdir()) == ["mine.csv"], "a part of the output was left"
    finally:
        subprocess.run(["umount", str(place)], check=True)
    return "refused, nothing left behind"


def interrupted(sign: signal.Signals) -> Callable[[Path], str]:
    """A command that gets a signal, also while it imports."""

    def trial(folder: Path) -> str:
        slowest = 0.0
        for delay in (0.05, 0.2, 0.5, 1.0):
            line = [*PROBLEX, "fit", "texts.csv", *LEXICON, "-o", "x.json", "--force"]
            process = subprocess.Popen(line, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            time.sleep(delay)
            process.send_signal(sign)
            began = time.monotonic()
            _, said = process.communicate(timeout=PATIENCE)
            slowest = max(slowest, time.monotonic() - began)
            assert "Traceback" not in said or "problex" not in said, f"after {delay} s: {said[-400:]}"
        return f"ended without a traceback, at most {slowest:.1f} s later"

    return trial


def little_memory(folder: Path) -> str:
    """Commands with 1.5 GiB of address space, and with less than Python needs."""

    def limit(size: int) -> Callable[[], None]:
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))

    said = []
    for size in (1 << 30, 3 << 29):
        line = [*PROBLEX, "fit", "few.csv", *LEXICON, "-o", "y.json", "--force", "--threads", "1"]
        ran = run(line, folder, preexec_fn=limit(size))
        assert ran.returncode >= 0, f"ended by signal {-ran.returncode}"
        assert "Traceback" not in ran.stderr, ran.stderr[-500:]
        said.append(f"{size / 2**30:g} GiB: status {ran.returncode} {ran.stderr.strip()[-200:]}")
    return ", ".join(said)


def two_writers(folder: Path) -> str:
    """A second command on the same checkpoint is refused by name."""
    line = [*PROBLEX, "fit", "texts.csv", *LEXICON, "-o", "z.json", "--checkpoint", "both"]
    first = subprocess.Popen(line, cwd=folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while first.poll() is None and not any(path.name.startswith(("both", ".both")) for path in folder.iterdir()):
        time.sleep(0.01)
    second = run(line, folder)
    first.wait(PATIENCE)
    if second.returncode == 0:
        return "the first had ended before the second began: not tried"
    assert "both" in second.stderr or "exists" in second.stderr, second.stderr
    return "the second was refused"


def vanishing_file(folder: Path) -> str:
    """The texts are removed, or cut, while they are read."""
    for change in ("cut", "removed"):
        copy = folder / "copy.csv"
        shutil.copy(folder / "texts.csv", copy)
        line = [*PROBLEX, "fit", "copy.csv", *LEXICON, "-o", "v.json", "--force"]
        process = subprocess.Popen(line, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        time.sleep(0.6)
        if change == "cut":
            os.truncate(copy, copy.stat().st_size // 2)
        else:
            copy.unlink()
        _, said = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in said, said[-400:]
    return "no traceback"


TRIALS: dict[str, Callable[[Path], str]] = {
    "full disk": full_disk,
    "SIGINT": interrupted(signal.SIGINT),
    "SIGTERM": interrupted(signal.SIGTERM),
    "little memory": little_memory,
    "two writers": two_writers,
    "texts cut or removed while read": vanishing_file,
}
"""By name. To add a trial, add an entry."""


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
