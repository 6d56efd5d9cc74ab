"""The jobs of `bench.py` for files: `problex fit` of CSV, plain and compressed, and polars, which only reads the texts.

The file has film reviews, again and again, up to a number of gigabytes, with a column of numbers. Every job is a
process of its own, and each repeat runs every job once. Alone: `python proof/speed/text_files.py --gigabytes 1`.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

Record = dict[str, Any]
POLARS = "import sys, polars; polars.read_csv(sys.argv[1], columns=['text'])"


def write(path: Path, gigabytes: float) -> None:
    """A CSV file of film reviews, and the same compressed."""
    from problex.paper.datasets import demo_corpus

    texts, row = demo_corpus().texts, 0
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "text"])
        while file.tell() < gigabytes * 1e9:
            for text in texts[:1000] if gigabytes < 0.01 else texts:
                table.writerow([row, text])
                row += 1
    with path.open("rb") as plain, gzip.open(path.with_suffix(".csv.gz"), "wb", compresslevel=6) as packed:
        shutil.copyfileobj(plain, packed, 1 << 20)


def commands(path: Path) -> dict[str, list[str]]:
    """What is run, by name: each reading first, as it is what a fit cannot do without."""
    from problex.paper.datasets import vader_lexicon

    found: dict[str, list[str]] = {}
    words = []
    for name, listed in vader_lexicon().lists.items():
        file = path.with_name(f"{name}.txt")
        file.write_text("\n".join(listed), encoding="utf-8")
        words += ["--lexicon", f"{name}={file}"]
    fit = [
        sys.executable,
        "-m",
        "problex",
        "fit",
        "--text",
        "text",
        *words,
        "--force",
        "-o",
        str(path.with_name("m.json")),
    ]
    for file in (path, path.with_suffix(".csv.gz")):
        if find_spec("polars"):
            found[f"polars: read {file.name}"] = [sys.executable, "-c", POLARS, str(file)]
        found[f"problex fit {file.name}"] = [*fit, str(file)]
    return found


def run(words: Sequence[str]) -> tuple[float, float, float]:
    """Seconds by the clock, of the processors, and the peak memory in MiB."""
    began = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed: {said.decode()}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(gigabytes: float, repeats: int) -> list[Record]:
    """A record per job, with its ratio to the first job in the same repeat."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.csv"
        call = f"from pathlib import Path; from text_files import write; write(Path({str(path)!r}), {gigabytes})"
        subprocess.run([sys.executable, "-c", call], cwd=Path(__file__).parent, check=True)  # its memory is not kept
        jobs = commands(path)
        took = [{name: run(words) for name, words in jobs.items()} for _ in range(repeats)]
        size = path.stat().st_size
    first = next(iter(jobs))
    return [
        {
            "what": name,
            "gigabytes": size / 1e9,
            "seconds": statistics.median(each[name][0] for each in took),
            "least_seconds": min(each[name][0] for each in took),
            "processor_seconds": statistics.median(each[name][1] for each in took),
            "ratio": statistics.median(each[name][0] / each[first][0] for each in took),
            "peak_mib": max(each[name][2] for each in took),
        }
        for name in jobs
    ]


def rows(found: Sequence[Record]) -> list[list[str]]:
    """The records as cells of a table, under `HEAD`."""
    return [
        [r["what"], f"{r['seconds']:.1f} ({r['least_seconds']:.1f})", f"{r['processor_seconds']:.1f}",
         f"{r['ratio']:.1f}", f"{r['peak_mib']:.0f}"]
        for r in found
    ]  # fmt: skip


HEAD = ["", "seconds (least)", "of the processors", "times the first", "peak MiB"]


def main() -> None:
    from bench import show

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    show(f"Files of {given.gigabytes:g} GB", HEAD, rows(measure(given.gigabytes, given.repeats)))


if __name__ == "__main__":
    main()
