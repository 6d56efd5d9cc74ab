"""Feed the C of the compiled counter with bytes, without Python, guided by coverage (libFuzzer): `make fuzz-kernel`.

The harnesses in proof/robustness/kernel are compiled by clang with the sanitizers of addresses and undefined behaviour;
"merging threads" with that of threads, where each part is counted by a thread of its own: it gets the inputs that
"merging" found, some times each, since counters of coverage would be races of their own. What breaks one is kept in
build/kernel/findings, what reaches new code in build/kernel/corpus. Executions are added to
proof/results/fuzz.json.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "kernel"
SOURCES = ROOT / "proof" / "robustness" / "kernel"
KERNEL = ROOT / "src" / "problex" / "counting"
MISSING = """clang with its sanitizers and libFuzzer is not installed: nothing was tried.
On Debian and Ubuntu: apt-get install clang libclang-rt-dev (before Debian 13: libclang-rt-14-dev)"""
FLAGS = ["-std=gnu11", "-O2", "-g1", "-w", "-fno-sanitize-recover=all", "-fno-sanitize-coverage=trace-cmp", "-pthread"]
SANITIZER = [
    "quarantine_size_mb=8",
    "malloc_context_size=1",
    "max_malloc_fill_size=64",
    "allocator_release_to_os_interval_ms=-1",
]
AT_ONCE, REPEATS = 100, 5
"""Inputs of one process with threads, and how often each of them is tried: threads take turns in many ways."""
WORDS = ["good", "bad", "no", "not", "but", "fine day", "happ*", "*less", "*a*", "colo?r", "gre*t", ":)", "=:(", "NOT "]
CHARACTERS = "éÉ÷×ßÿ·ﬁİıΣςσ’ʼ–…。、؟\u0301\u0323\u0307\u200d\u1112\u1161\u11ab한ñ世Пा्ًא😀𝒜\ufffd\u2126\u212b"
LEXICON = "0good\n0fine day\n0happ*\n=:)\n1bad\n1no good\n1*less\n1café\n0gre*t\n1a* b*\n!not\n!no\n#but\n\n"
TEXTS = [
    "A good, fine day :)\0not good, no good\0bad, hopeless, happy?\0Un café — bad, but good\0\0nothing",
    "GREAT! don\u2019t greatést nöt goo\u0301d \ufb01ne\0Привет 世界 مرحبا नमस्ते",
    "한국어 \u1112\u1161\u11ab ΣΑΣ İß a\u0323\u0307 a\u0307\u0323\0" + "x" * 300,
    "good bad " * 40 + "\0" + "no " * 70 + "good\0" + "fine day fine " * 30,
]


@dataclass(frozen=True)
class Target:
    """A harness, how it is compiled, and the longest input."""

    source: str
    longest: int = 320
    has_threads: bool = False

    @property
    def sanitizers(self) -> str:
        """What is checked while it runs."""
        return "thread" if self.has_threads else "address,undefined"


TARGETS = {
    "cutting": Target("cutting.c", longest=160),
    "counting": Target("counting.c"),
    "merging": Target("merging.c", longest=224),
    "pairs": Target("pairs.c", longest=128),
    "merging threads": Target("merging.c", has_threads=True),
}


def write_characters(path: Path) -> None:
    """What every character is, with and without accents, and the tables of normalisation."""
    from problex.matching.characters import BLOCK, POINTS, character_table

    fresh = path.with_suffix(f".{os.getpid()}")  # another run may be reading the last one
    with fresh.open("wb") as file:
        tables = [character_table("en", folds) for folds in (False, True)]
        for table in tables:
            for block in range(POINTS // BLOCK):
                table.fill(block)
        arrays = [*(table.values for table in tables), *tables[0].normalization()]
        for array in arrays:
            file.write(np.uint64(len(array)).tobytes() + np.ascontiguousarray(array).tobytes())
    fresh.replace(path)


def compiled(name: str) -> Path | None:
    """The program of a target; None if clang cannot make it."""
    target, program = TARGETS[name], WORK / name.replace(" ", "-")
    sources = [*SOURCES.iterdir(), *(KERNEL / "_kernel").iterdir(), Path(__file__)]
    if program.exists() and program.stat().st_mtime > max(path.stat().st_mtime for path in sources):
        return program
    sanitizers = target.sanitizers if target.has_threads else f"{target.sanitizers},fuzzer-no-link"
    options = ["-DTHREADS"] if target.has_threads else []
    makes = ["clang", *FLAGS, f"-fsanitize={sanitizers}", *options, f"-I{KERNEL}", "-c", str(SOURCES / target.source)]
    links = ["clang", "-pthread", f"-fsanitize=fuzzer,{target.sanitizers}", f"{program}.o", "-o", str(program)]
    for command in ([*makes, "-o", f"{program}.o"], links):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return None
    return program


def write_seeds(name: str) -> Path:
    """The inputs to begin with, beside those that were found to reach new code."""
    folder = WORK / "corpus" / TARGETS[name].source
    folder.mkdir(parents=True, exist_ok=True)
    options = (b"\0\x11", b"\x21\x12", b"\x14\x1f", b"\x3e\x09")
    for number, text in enumerate(TEXTS):
        (folder / f"seed-{number}").write_bytes(options[number] + (LEXICON + text).encode())
        (folder / f"seed-text-{number}").write_bytes(options[number][:1] + text.encode())
    (folder / "seed-characters").write_bytes(b"@" + "a".join(CHARACTERS).encode())
    (folder / "seed-without-lexicon").write_bytes(options[0] + b"\nno words but these")
    return folder


def run(name: str, program: Path, seconds: int) -> tuple[int, str]:
    """The executions of one target, and the end of its report if it broke."""
    findings = WORK / "findings" / name.replace(" ", "-")
    shutil.rmtree(findings, ignore_errors=True)
    findings.mkdir(parents=True)
    words = WORK / "words.txt"
    pieces = ["".join(f"\\x{byte:02X}" for byte in piece.encode()) for piece in (*WORDS, *CHARACTERS)]
    words.write_text("".join(f'"{piece}"\n' for piece in pieces), encoding="utf-8")
    flags = [f"-artifact_prefix={findings}/", "-timeout=20", "-rss_limit_mb=3000", "-verbosity=0"]
    inputs = write_seeds(name)
    executions, report, end = 0, "", time.monotonic() + seconds
    if TARGETS[name].has_threads:
        paths = sorted(map(str, inputs.iterdir()))
        while paths and not report and time.monotonic() < end:
            some, paths = paths[:AT_ONCE], paths[AT_ONCE:]
            report = start([str(program), *flags, f"-runs={REPEATS}", *some])[1]
            executions += REPEATS * len(some)
    else:
        flags += ["-entropic=0", f"-max_total_time={seconds}", f"-max_len={TARGETS[name].longest}", f"-dict={words}"]
        log, report = start([str(program), *flags, "-print_final_stats=1", str(inputs)])
        units = re.findall(r"stat::number_of_executed_units: (\d+)", log)
        executions = int(units[-1]) if units else 0
    report = report or ("" if executions else "nothing was executed")
    kept = ", ".join(str(path.relative_to(ROOT)) for path in findings.iterdir())
    return executions, f"{report}\nthe input is in {kept or 'no file'}" if report or kept else ""


def start(command: list[str]) -> tuple[str, str]:
    """What a program says, and the end of that if it failed."""
    settings = {"PROBLEX_CHARACTERS": str(WORK / "characters"), "ASAN_OPTIONS": ":".join(SANITIZER)}
    settings["TSAN_OPTIONS"] = "halt_on_error=1"
    done = subprocess.run(command, capture_output=True, env=os.environ | settings)
    log = done.stderr.decode("utf-8", "replace")
    return log, log[-4000:] if done.returncode else ""


def main() -> int:
    """Compile and run all targets, or those named."""
    from proof.robustness.fuzz import RESULTS, Outcome, record

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="names of targets; all if none is given")
    parser.add_argument("--seconds", type=int, default=20, help="for each target")
    given = parser.parse_args()
    unknown = set(given.targets) - set(TARGETS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: expected names among {', '.join(TARGETS)}")
    if not shutil.which("clang"):
        print(MISSING)
        return 1
    WORK.mkdir(parents=True, exist_ok=True)
    write_characters(WORK / "characters")
    broken = []
    for name in given.targets or TARGETS:
        program = compiled(name)
        if program is None:
            print(MISSING)
            return 1
        executions, report = run(name, program, given.seconds)
        print(f"{name:24} {executions:>10,} executions, {'broken' if report else 'no findings'}", flush=True)
        if report:
            print(report)
            broken.append(name)
        total = record(f"kernel {name}", Outcome(executions, ()), "libfuzzer")
    print(f"{total:,} executions in {RESULTS.relative_to(ROOT)}; broken: {', '.join(broken) or 'none'}")
    return bool(broken)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
