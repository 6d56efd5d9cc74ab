"""Feed every reader and the compiled counter with damaged bytes, guided by coverage: `make fuzz`.

`python campaigns/fuzz.py --seconds 20` gives each target 20 seconds, each in a process of its own, and writes
benchmarks/results/fuzz.json. Bytes that break a target are kept in build/fuzz/findings. atheris (libFuzzer) guides the
choice of bytes; with `--engine random` they are changed at random, which works without it.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "fuzz"
RESULTS = ROOT / "benchmarks" / "results" / "fuzz.json"
LONGEST = 4096
"""Bytes of an input."""


def run_atheris(name: str, seconds: float) -> None:
    """Run one target in this process; libFuzzer ends it."""
    import atheris

    with atheris.instrument_imports(include=["problex"]):
        from campaigns.fuzz_targets import FOLDER, TARGETS

    target = TARGETS[name]
    corpus = seeds(name, target.seeds())
    atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
    flags = [f"-max_total_time={int(seconds)}", f"-max_len={LONGEST}", "-print_final_stats=1", "-timeout=20"]
    flags += ["-rss_limit_mb=2000", f"-artifact_prefix={findings(name)}/", "-verbosity=0"]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], lambda data: target(bytes(data)) and None)
    atheris.Fuzz()


def run_random(name: str, seconds: float) -> None:
    """Change the seeds at random, for a time."""
    from campaigns.fuzz_targets import FOLDER, TARGETS
    from tests.mutations import mutate

    target, draw, end, number = TARGETS[name], random.Random(name), time.monotonic() + seconds, 0
    wholes = list(target.seeds())
    while time.monotonic() < end:
        data = mutate(draw.choice(wholes), draw)[:LONGEST]
        try:
            target(data)
        except Exception as error:
            (findings(name) / f"crash-{number}").write_bytes(data)
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        number += 1
    shutil.rmtree(FOLDER, ignore_errors=True)
    print(f"stat::number_of_executed_units: {number}", file=sys.stderr)


def folder(*parts: str) -> Path:
    """A folder below build/fuzz."""
    path = WORK.joinpath(*(part.replace(" ", "-") for part in parts))
    path.mkdir(parents=True, exist_ok=True)
    return path


def findings(name: str) -> Path:
    """Where bytes that break a target are kept."""
    return folder("findings", name)


def seeds(name: str, data: object) -> Path:
    """The inputs to begin with, and those that were found to reach new code."""
    path = folder("corpus", name)
    for number, seed in enumerate(data):  # type: ignore[arg-type,var-annotated]
        (path / f"seed-{number}").write_bytes(seed)
    return path


def campaign(name: str, seconds: float, engine: str) -> dict[str, object]:
    """One target in a process of its own: executions, and the files of findings."""
    line = [sys.executable, __file__, "--one", name, "--seconds", str(seconds), "--engine", engine]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    began = time.monotonic()
    ran = subprocess.run(line, capture_output=True, text=True, errors="replace", env=environment, check=False)
    found = sorted(path.name for path in findings(name).iterdir())
    units = re.findall(r"stat::number_of_executed_units: (\d+)", ran.stderr)
    broken = ran.returncode != 0 or bool(found)
    result: dict[str, object] = {"target": name, "executions": int(units[-1]) if units else 0, "findings": len(found)}
    print(f"{name:24} {result['executions']:>10,} executions, {len(found)} findings, {time.monotonic() - began:.0f} s")
    if broken:
        print("\n".join(ran.stderr.splitlines()[-25:]))
        result["error"] = ran.stderr.splitlines()[-1] if ran.stderr else f"exit {ran.returncode}"
    return result | {"broken": broken}


def main() -> int:
    """Run all targets, or those named, two at a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="names of targets; all if none is given")
    parser.add_argument("--seconds", type=float, default=20, help="for each target")
    parser.add_argument("--engine", choices=["atheris", "random"], default="atheris")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(sys.stderr):
            (run_atheris if given.engine == "atheris" else run_random)(given.one, given.seconds)
        return 0
    from campaigns.fuzz_targets import TARGETS

    shutil.rmtree(WORK / "findings", ignore_errors=True)
    unknown = set(given.targets) - set(TARGETS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: expected names among {', '.join(TARGETS)}")
    names = given.targets or list(TARGETS)
    with ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(lambda name: campaign(name, given.seconds, given.engine), names))
    total = sum(int(str(result["executions"])) for result in results)
    broken = [result["target"] for result in results if result["broken"]]
    print(f"{total:,} executions of {len(results)} targets; broken: {', '.join(map(str, broken)) or 'none'}")
    record = {"engine": given.engine, "seconds": given.seconds, "executions": total, "targets": results}
    if not given.targets:
        RESULTS.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return bool(broken)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
