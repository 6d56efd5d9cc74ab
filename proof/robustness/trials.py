"""The trials of `make torture` other than kills: signals, full and read-only disks, little memory, texts that change.

Each must end with one clear line, a status other than 0, and every file as it was; or as if nothing had happened.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROBLEX = [sys.executable, "-m", "problex"]
LEXICON = ["--lexicon", "positive=pos.txt", "--lexicon", "negative=neg.txt"]
PATIENCE = 300
"""Seconds after which a command hangs."""
PROMPT = 10
"""Seconds after which a command that was interrupted must have ended, also on a busy computer."""
WRITERS = {
    "fit": ("fit", "few.csv", *LEXICON, "-o", "DISK/m.json"),
    "predict csv": ("predict", "own.json", "few.csv", "-o", "DISK/p.csv"),
    "predict jsonl": ("predict", "own.json", "few.csv", "-o", "DISK/p.jsonl"),
    "predict parquet": ("predict", "own.json", "few.csv", "-o", "DISK/p.parquet"),
    "predict xlsx": ("predict", "own.json", "few.csv", "-o", "DISK/p.xlsx"),
    "predict sqlite": ("predict", "own.json", "few.csv", "-o", "DISK/p.sqlite"),
    "predict duckdb": ("predict", "own.json", "few.csv", "-o", "DISK/p.duckdb"),
    "lookup": ("lookup", "words.csv", "few.csv", "-o", "DISK/l.csv"),
    "shares": ("shares", "own.json", "few.csv", "-o", "DISK/s.csv"),
    "chart": ("shares", "own.json", "few.csv", "--chart", "DISK/s.svg"),
    "audit sample": ("audit", "sample", "own.json", "few.csv", "-n", "40", "-o", "DISK/sheet.csv"),
    "convert": ("convert", "words.csv", "DISK/words.dic"),
    "doctor": ("doctor", "few.csv", "-l", "words.csv", "--fix", "DISK/fixed.csv"),
    "report": ("report", "own.json", "few.csv", "-o", "DISK/r.html"),
    "classify": ("classify", "few.csv", "-l", "words.csv", "-o", "DISK/c.csv", "--no-report"),
}
"""A command for every writer of files; DISK is a folder."""
CHANGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda path: os.truncate(path, path.stat().st_size // 2),
    "continued": lambda path: path.write_bytes(path.read_bytes() + b"9,good fine happy\n" * 1000),
    "replaced": lambda path: path.write_text("id,text\n1,good day\n2,bad day\n"),
    "removed": lambda path: path.unlink(),
}


def run(line: list[str], folder: Path, **options: object) -> subprocess.CompletedProcess[str]:
    """A command to its end."""
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        line, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment, **options
    )


def refused(ran: subprocess.CompletedProcess[str], *reasons: str, trial: str = "") -> None:
    """A command must end with a status above 0 and without a traceback, and name one of the reasons."""
    lines = [line for line in ran.stderr.splitlines() if line.strip()]
    assert ran.returncode > 0, f"{trial}: status {ran.returncode}: {ran.stderr[-300:]}"
    assert "Traceback" not in ran.stderr, f"{trial}: {ran.stderr[-500:]}"
    assert any(reason in ran.stderr for reason in reasons), f"{trial}: expected {reasons[0]!r} in {lines[-3:]}"


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A disk of 64 kilobytes with a file; None without the right to mount one."""
    place = folder / "disk"
    place.mkdir(exist_ok=True)
    line = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(line, check=False, capture_output=True).returncode:
        yield None
        return
    try:
        (place / "mine.csv").write_text("mine")
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def full_disk(folder: Path) -> str:
    """Every writer, on a disk without room."""
    with small_disk(folder) as place:
        if place is None:
            return "not tried: mounting a small disk needs root"
        with (place / "filler").open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(b"x" * 512)
        return _refused_writers(folder, place, ["filler", "mine.csv"], ("No space left on device", "is full"))


def read_only_disk(folder: Path) -> str:
    """Every writer, in a folder that cannot be written to."""
    with small_disk(folder) as place:
        if place is None:
            return "not tried: mounting a small disk needs root"
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        return _refused_writers(folder, place, ["mine.csv"], ("Read-only file system", "readonly", "read-only"))


def _refused_writers(folder: Path, place: Path, files: list[str], reasons: tuple[str, ...]) -> str:
    """Run all writers; what they did wrong is collected, so that one does not hide the others."""
    faults = []
    for name, words in WRITERS.items():
        ran = run([*PROBLEX, *(word.replace("DISK", str(place)) for word in words)], folder)
        try:
            refused(ran, *reasons, trial=name)
            left = sorted(path.name for path in place.iterdir())
            assert left == files, f"{name}: {left} on the disk, expected {files}"
        except AssertionError as fault:
            faults.append(str(fault))
    assert not faults, "; ".join(faults)
    return f"{len(WRITERS)} commands refused, nothing left behind"


def interrupted(sign: signal.Signals) -> Callable[[Path], str]:
    """A command that gets a signal, while it imports and while it reads the texts."""

    def trial(folder: Path) -> str:
        line, result, ends = [*PROBLEX, "fit", "texts.csv", *LEXICON, "-o", "x.json"], folder / "x.json", []
        for delay, is_reading in ((0.5, False), (1.0, False), (0.0, True), (0.1, True)):
            result.unlink(missing_ok=True)
            process = subprocess.Popen(line, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            if is_reading:
                _wait_until_open(process, folder / "texts.csv")
            time.sleep(delay)
            process.send_signal(sign)
            began = time.monotonic()
            _, said = process.communicate(timeout=PATIENCE)
            ends.append(time.monotonic() - began)
            moment = f"{delay} s after {'the texts were opened' if is_reading else 'its start'}"
            assert "Traceback" not in said, f"{moment}: {said[-400:]}"
            assert "Exception ignored" not in said, f"{moment}: {said[-400:]}"
            assert result.exists() == (process.returncode == 0), f"{moment}: status {process.returncode}: {said[-200:]}"
            left = [path.name for path in folder.glob(".x.json.*")]
            assert not left or process.returncode < 0, f"{moment}: {left} left behind"
        assert max(ends) <= PROMPT, f"ended only {max(ends):.1f} s later"
        result.unlink(missing_ok=True)
        return f"ended without a traceback, at most {max(ends):.1f} s later"

    return trial


def little_memory(folder: Path) -> str:
    """Commands with some address space: refused where that is too little, otherwise the same model as without limit."""

    def limit(size: int) -> Callable[[], None]:
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))

    said = []
    line = [*PROBLEX, "fit", "few.csv", *LEXICON, "-o", "y.json", "--force", "--threads", "1"]
    assert run(line, folder).returncode == 0
    whole = (folder / "y.json").read_bytes()
    for size in (1 << 28, 1 << 30, 3 << 29):
        ran = run(line, folder, preexec_fn=limit(size))
        if ran.returncode or size < 1 << 30:
            refused(ran, "out of memory", trial=f"{size / 2**30:g} GiB")
        assert (folder / "y.json").read_bytes() == whole, f"{size / 2**30:g} GiB: another model"
        said.append(f"{size / 2**30:g} GiB: {'refused' if ran.returncode else 'done'}")
    return ", ".join(said)


def two_writers(folder: Path) -> str:
    """A second command on the same checkpoint is refused by name, and the first, which is held, is not disturbed."""
    line, result = [*PROBLEX, "fit", "texts.csv", *LEXICON, "-o", "z.json"], folder / "z.json"
    assert run(line, folder).returncode == 0
    whole = result.read_bytes()
    result.unlink()
    line += ["--checkpoint", "both"]
    first = subprocess.Popen(line, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    while first.poll() is None and not (folder / ".both.lock").exists():
        time.sleep(0.001)
    first.send_signal(signal.SIGSTOP)
    try:
        second = run(line, folder)
    finally:
        first.send_signal(signal.SIGCONT)
        _, said = first.communicate(timeout=PATIENCE)
    refused(second, "'both' is in use by another run")
    assert first.returncode == 0, f"the first ended with status {first.returncode}: {said[-300:]}"
    assert result.read_bytes() == whole, "another model than without a second run"
    assert not (folder / "both").exists(), "the checkpoint was left behind"
    return "the second was refused, and the first had the model that it has alone"


def changing_file(folder: Path) -> str:
    """The texts change while they are read: refused, or the model of the texts before or after the change."""
    line = [*PROBLEX, "fit", "copy.csv", *LEXICON, "-o", "v.json", "--force"]
    copy, result, seen = folder / "copy.csv", folder / "v.json", Counter[str]()
    for name, change in CHANGES.items():
        shutil.copy(folder / "texts.csv", copy)
        assert run(line, folder).returncode == 0
        sound = [result.read_bytes()]
        change(copy)
        if copy.exists() and run(line, folder).returncode == 0:
            sound.append(result.read_bytes())
        for delay in (0.0, 0.03, 0.1, 0.2):
            shutil.copy(folder / "texts.csv", copy)
            result.unlink()
            process = subprocess.Popen(line, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            _wait_until_open(process, copy)
            time.sleep(delay)
            change(copy)
            _, said = process.communicate(timeout=PATIENCE)
            assert "Traceback" not in said, said[-400:]
            assert result.exists() == (process.returncode == 0), f"{name} after {delay} s: {said[-200:]}"
            if process.returncode:
                result.write_bytes(sound[0])
            assert result.read_bytes() in sound, f"{name} after {delay} s: a model of some of the texts, without a word"
            seen[f"{name}: {'refused' if process.returncode else 'done'}"] += 1
    return ", ".join(f"{what} {number} times" for what, number in sorted(seen.items()))


def _wait_until_open(process: subprocess.Popen[str], path: Path) -> None:
    """Wait until a process has opened a file, or has ended."""
    while process.poll() is None:
        with suppress(OSError):
            if any(os.readlink(link) == str(path) for link in Path(f"/proc/{process.pid}/fd").iterdir()):
                return
        time.sleep(0.001)


def other_command(*words: str) -> Callable[[Path], str]:
    """A campaign or a test of its own, from the folder of the project."""

    def trial(folder: Path) -> str:
        ran = subprocess.run(
            [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=2 * PATIENCE, check=False
        )
        said = [line for line in ran.stdout.splitlines() if line.strip()]
        assert ran.returncode == 0, "\n".join([*said[-10:], ran.stderr[-300:]])
        assert any("passed" in line for line in said[-1:]), f"nothing was tried: {said[-1:]}"
        return said[-1]

    return trial


SPARK = ("-m", "pytest", "tests/spark/test_counting.py", "-k", "killed")
PAGE = ("-m", "pytest", "tests/workbench/test_kills.py")
TRIALS: dict[str, Callable[[Path], str]] = {
    "full disk": full_disk,
    "read-only disk": read_only_disk,
    "SIGINT": interrupted(signal.SIGINT),
    "SIGTERM": interrupted(signal.SIGTERM),
    "little memory": little_memory,
    "two writers": two_writers,
    "texts that change while they are read": changing_file,
    "edits of the page": other_command(*PAGE),
    "a killed Spark executor and worker": other_command(*SPARK),
}
"""By name. To add a trial, add an entry."""
