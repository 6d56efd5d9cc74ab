"""Feed every reader and the compiled counter with damaged bytes, guided by coverage: `make fuzz`.

`python proof/robustness/fuzz.py --seconds 20` gives each target 20 seconds, each in a process of its own, and adds its
executions to proof/results/fuzz.json. Bytes that break a target are kept in build/fuzz/findings, those that reach
new code in build/fuzz/corpus, from which the next run goes on. atheris (libFuzzer) guides the choice of bytes. With
`--engine random` they are changed at random, in the same way for the same `--seed`: continuous integration does that
for a number of executions. It is many times as fast. With a seed it goes on from the corpus, and its executions are
recorded, too.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "fuzz"
RESULTS = ROOT / "proof" / "results" / "fuzz.json"
MEMORY = Path("/dev/shm")
FILES = Path(tempfile.mkdtemp(prefix="problex-fuzz-", dir=MEMORY if MEMORY.is_dir() else None))
"""The files that targets read: in memory, where there is such a folder."""
ADDRESSES = 16 << 30
"""Bytes of memory that a target may reserve, so that it cannot stop the computer."""
CURRENT = "current"
MOST_FINDINGS = 20
"""Inputs that are kept of one target."""
SHARE_UTF8 = 0.75
"""Of changed texts that stay UTF-8, so that not all of them end in guesses of the encoding."""
SHOWN = 25
"""Lines of the report of a finding."""


@dataclass(frozen=True)
class Outcome:
    """What came of one target."""

    executions: int
    findings: tuple[str, ...]
    report: str = ""

    @property
    def is_broken(self) -> bool:
        """Whether something was found, or the process of the target failed."""
        return bool(self.findings or self.report)


@dataclass
class Trial:
    """A target that keeps the bytes that break it, and goes on."""

    name: str
    target: Callable[[bytes], object]
    executions: int = 0
    found: int = 0

    def __call__(self, data: bytes) -> None:
        """One execution."""
        self.executions += 1
        try:
            self.target(data)
        except Exception:
            self.found += 1
            if self.found > MOST_FINDINGS:
                return
            path = findings(self.name) / f"crash-{self.executions}"
            path.write_bytes(data)
            traceback.print_exc()
            print(f"{self.name}: the input {data[:200]!r}, kept in {path.relative_to(ROOT)}", file=sys.stderr)


def run_atheris(name: str, seconds: float, runs: int, _: int) -> None:
    """Run one target in this process; libFuzzer ends it."""
    import atheris
    from proof.robustness.fuzz_targets import TARGETS

    target = TARGETS[name]
    corpus, trial = write_seeds(name, target.whole()), Trial(name, target)
    flags = [f"-max_total_time={int(seconds)}", f"-max_len={target.longest}", "-print_final_stats=1", "-timeout=60"]
    flags += ["-rss_limit_mb=3000", f"-artifact_prefix={findings(name)}/", "-verbosity=0"]
    flags += [f"-runs={runs}"] if runs else []
    atheris.Setup([sys.argv[0], *flags, str(corpus)], lambda data: trial(bytes(data)))
    atheris.Fuzz()


def is_utf8(data: bytes) -> bool:
    """Whether bytes are a text in UTF-8.

    >>> is_utf8("café".encode()), is_utf8("café".encode("cp1252"))
    (True, False)
    """
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def run_random(name: str, seconds: float, runs: int, seed: int) -> None:
    """Change inputs at random, the same way in every run with the same seed and inputs."""
    from proof.robustness.fuzz_targets import TARGETS
    from tests.mutations import mutate

    target, draw, end = TARGETS[name], random.Random(f"{name} {seed}" if seed else name), time.monotonic() + seconds
    wholes, trial = target.whole(), Trial(name, target)
    if seed:
        wholes += [path.read_bytes() for path in sorted(folder("corpus", name).iterdir())]
    while trial.executions < runs if runs else time.monotonic() < end:
        whole = draw.choice(wholes)
        data = mutate(whole, draw)[: target.longest]
        if draw.random() < SHARE_UTF8 and is_utf8(whole):
            data = data.decode("utf-8", "ignore").encode()
        (place(name) / CURRENT).write_bytes(data)  # in case that the process ends
        trial(data)
    print(f"stat::number_of_executed_units: {trial.executions}", file=sys.stderr)


Engine = Callable[[str, float, int, int], None]
"""Runs a target, by its name, for a time or a number of executions, with a seed."""
ENGINES: dict[str, Engine] = {"atheris": run_atheris, "random": run_random}


def folder(*parts: str) -> Path:
    """A folder below build/fuzz."""
    path = WORK.joinpath(*(part.replace(" ", "-") for part in parts))
    path.mkdir(parents=True, exist_ok=True)
    return path


def place(name: str) -> Path:
    """Where a target writes the files that it reads."""
    path = FILES / name.replace(" ", "-")
    path.mkdir(exist_ok=True)
    return path


def findings(name: str) -> Path:
    """Where bytes that break a target are kept."""
    return folder("findings", name)


def write_seeds(name: str, data: Iterable[bytes]) -> Path:
    """The inputs to begin with, and those that were found to reach new code."""
    path = folder("corpus", name)
    for number, seed in enumerate(data):
        (path / f"seed-{number}").write_bytes(seed)
    return path


def start(name: str, run: Engine, seconds: float, runs: int, seed: int) -> int:
    """Begin a target in a copy of this process, which has the modules already; the number of the process."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        log = os.open(folder("logs") / f"{name}.txt".replace(" ", "-"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        from proof.robustness.fuzz_base import FOLDER

        FOLDER[0] = place(name)
        run(name, seconds, runs, seed)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def outcome(name: str, status: int) -> Outcome:
    """What a process that has ended says of its target."""
    log = (folder("logs") / f"{name}.txt".replace(" ", "-")).read_text(encoding="utf-8", errors="replace")
    units = re.findall(r"stat::number_of_executed_units: (\d+)", log)
    if os.WIFSIGNALED(status) and (place(name) / CURRENT).exists():
        shutil.copy(place(name) / CURRENT, findings(name) / "crash-of-the-process")
    found = tuple(sorted(path.name for path in findings(name).iterdir()))
    failed = bool(found) or os.waitstatus_to_exitcode(status) != 0 or not units or int(units[-1]) == 0
    report = "\n".join(log.splitlines()[-SHOWN:]) or f"status {status}"
    return Outcome(int(units[-1]) if units else 0, found, report if failed else "")


def run_all(
    names: Sequence[str], run: Callable[[str], int], jobs: int, keep: Callable[[str, Outcome], object]
) -> dict[str, Outcome]:
    """Run targets, so many at a time; what came of each is kept when it ends, since the whole may be stopped."""
    waiting, running, done = list(names), dict[int, tuple[str, float]](), dict[str, Outcome]()
    while waiting or running:
        while waiting and len(running) < jobs:
            name = waiting.pop(0)
            running[run(name)] = name, time.monotonic()
        process, status = os.wait()
        name, began = running.pop(process)
        result = done[name] = outcome(name, status)
        keep(name, result)
        took = time.monotonic() - began
        print(
            f"{name:24} {result.executions:>10,} executions, {len(result.findings)} findings, {took:.0f} s", flush=True
        )
        if result.is_broken:
            print(result.report, flush=True)
    return done


def record(name: str, result: Outcome, engine: str) -> int:
    """Add the executions of a target to the file of results; the number of all so far."""
    with RESULTS.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another campaign may run beside this one
        engines: dict[str, dict[str, int]] = json.load(file)
        targets = engines.setdefault(engine, {})
        targets[name] = targets.get(name, 0) + result.executions
        file.seek(0)
        file.write(json.dumps(engines, indent=1) + "\n")
        file.truncate()
    return sum(sum(numbers.values()) for numbers in engines.values())


def main() -> int:
    """Run all targets, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="names of targets; all if none is given")
    parser.add_argument("--seconds", type=float, default=20, help="for each target")
    parser.add_argument("--engine", choices=list(ENGINES), default="atheris")
    parser.add_argument("--executions", type=int, default=0, help="of all targets, instead of a time")
    parser.add_argument("--seed", type=int, default=0, help="of --engine random; from 1 on, they are recorded")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.engine == "atheris":
        import atheris

        with atheris.instrument_imports(include=["problex"]):
            from proof.robustness.fuzz_targets import TARGETS
    else:
        from proof.robustness.fuzz_targets import TARGETS
    unknown = set(given.targets) - set(TARGETS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: expected names among {', '.join(TARGETS)}")
    same = given.engine == "random" and given.executions and not given.seed  # every run does the same
    names = given.targets or [name for name, target in TARGETS.items() if not (same and target.timed)]
    for name in names:  # and not those of others, which may run at the same time
        shutil.rmtree(findings(name), ignore_errors=True)
    run = ENGINES[given.engine]
    share = given.executions / sum(TARGETS[name].speed for name in names)
    runs = {name: int(share * TARGETS[name].speed) for name in names}
    is_recorded = given.engine == "atheris" or given.seed

    def keep(name: str, result: Outcome) -> None:
        if is_recorded:
            record(name, result, given.engine)

    done = run_all(names, lambda name: start(name, run, given.seconds, runs[name], given.seed), given.jobs, keep)
    shutil.rmtree(FILES, ignore_errors=True)
    broken = [name for name, result in done.items() if result.is_broken]
    total = sum(result.executions for result in done.values())
    print(f"{total:,} executions of {len(done)} targets; broken: {', '.join(broken) or 'none'}")
    return bool(broken)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
