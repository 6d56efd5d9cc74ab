"""Counting on Spark, or with --expand learning an expanded model: one executor and two, on a corpus of film reviews.

Run with the project's own Python: `.venv/bin/python benchmarks/spark.py`. Every run is a cluster of its own
(`local-cluster`: executors are processes with one core each); runs with one and with two alternate. An executor is
pinned to one processor, because Spark's process and its Python worker would otherwise use two. With --expand the texts
of each copy end with the name of its file: a sample has all copies of a text or none, so that they must differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from problex import spark
from problex.paper.datasets import demo_corpus
from problex.scoring.reservoir import SAMPLE_SIZE

MEGABYTE = 1e6


def main() -> None:
    given = options()
    if given.executors:
        print(json.dumps(run(given)))
        return
    corpus = demo_corpus()
    table = pa.table({"text": corpus.texts})
    size = sum(len(text.encode()) for text in corpus.texts) / MEGABYTE
    print(f"{len(corpus.texts):,} reviews, {given.copies} times: {size * given.copies / 1e3:.1f} GB of text")
    records: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(table, Path(folder) / "part-0.parquet", row_group_size=5_000)
        for copy in range(1, given.copies):  # links: read and decompressed anew each time, stored once
            os.link(Path(folder) / "part-0.parquet", Path(folder) / f"part-{copy}.parquet")
        for repeat in range(given.repeats):
            for executors in (1, 2) if repeat % 2 == 0 else (2, 1):
                records.append(apart(folder, executors, given) | {"repeat": repeat})
                speed = size * given.copies / records[-1]["seconds"]
                print(shown(records[-1], speed), flush=True)
    report(records, given)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=180, help="how often the 25,000 reviews are read")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--batch", type=int, default=10_000, help="spark.sql.execution.arrow.maxRecordsPerBatch")
    parser.add_argument("--expand", action="store_true", help="fit(expand=True) instead of count")
    parser.add_argument("--sample", default=SAMPLE_SIZE, help="the bytes of text that an expansion learns from")
    parser.add_argument("--free", action="store_true", help="do not pin executors to processors")
    parser.add_argument("--json", type=Path, help="write the records here")
    parser.add_argument("--executors", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    return parser.parse_args()


def apart(folder: str, executors: int, given: argparse.Namespace) -> dict[str, Any]:
    """One run in a process of its own."""
    import pyspark

    where = {"SPARK_HOME": str(Path(pyspark.__file__).parent), "PYSPARK_PYTHON": sys.executable}
    command = [sys.executable, __file__, f"--executors={executors}", f"--folder={folder}", f"--batch={given.batch}"]
    command += [f"--sample={given.sample}"]
    command += [f"--{name}" for name in ("free", "expand") if getattr(given, name)]
    ran = subprocess.run(command, env=os.environ | where, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(ran.stderr)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def run(given: argparse.Namespace) -> dict[str, Any]:
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import concat_ws

    corpus = demo_corpus()
    builder = SparkSession.builder.master(f"local-cluster[{given.executors},1,1024]").config("spark.ui.enabled", False)
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", given.batch)
    session = builder.getOrCreate()
    try:
        first = session.read.parquet(f"{given.folder}/part-0.parquet").repartition(4 * given.executors)
        spark.count(first, "text", corpus.lexicon)  # executors, workers and compilers are up
        executors = executors_of(os.getpid())
        assert len(executors) == given.executors
        if not given.free:
            pin(executors)
        for _ in range(3):
            spark.count(first, "text", corpus.lexicon)
        df, driver = session.read.parquet(given.folder), time.process_time()
        start, before = time.perf_counter(), processor_seconds(executors)
        if given.expand:
            df = df.select(concat_ws(" ", "text", "_metadata.file_name").alias("text"))
            found: Any = spark.fit(df, "text", corpus.lexicon, expand=True, expand_sample=given.sample).evidence
        else:
            found = spark.count(df, "text", corpus.lexicon)
        seconds, executors = time.perf_counter() - start, executors_of(os.getpid())  # workers may have been replaced
        after = processor_seconds(executors)
        driver = time.process_time() - driver
        peak = peak_memory(executors)
    finally:
        session.stop()
    used = {what: after[what] - before[what] for what in after}
    used["driver"] = driver
    return {"executors": given.executors, "seconds": seconds, **used, **peak, "documents": found.documents}


def executors_of(root: int) -> dict[int, list[int]]:
    """The executors that descend from a process, each with its own processes: itself and its Python workers."""
    parents = {int(path.name): parent(path) for path in Path("/proc").glob("[0-9]*")}
    ours = [pid for pid in parents if root in ancestors(pid, parents)]
    found = [pid for pid in ours if b"CoarseGrainedExecutorBackend" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return {top: [pid for pid in ours if top in {pid, *ancestors(pid, parents)}] for top in sorted(found)}


def parent(process: Path) -> int:
    try:
        return int((process / "status").read_text().split("PPid:")[1].split()[0])
    except OSError:  # it has ended
        return 0


def ancestors(pid: int, parents: dict[int, int]) -> set[int]:
    found: set[int] = set()
    while (pid := parents.get(pid, 0)) and pid not in found:
        found.add(pid)
    return found


def pin(executors: dict[int, list[int]]) -> None:
    """Give each executor, with its Python workers, one processor."""
    for processor, pids in enumerate(executors.values()):
        for pid in pids:
            for thread in Path(f"/proc/{pid}/task").iterdir():
                os.sched_setaffinity(int(thread.name), {processor})


def processor_seconds(executors: dict[int, list[int]]) -> dict[str, float]:
    """What Spark's own processes and the Python workers have used so far, those that have ended included."""
    used = {"java": 0.0, "python": 0.0}
    for top, pids in executors.items():
        for pid in pids:
            ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
            used["java" if pid == top else "python"] += sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    return used


def peak_memory(executors: dict[int, list[int]]) -> dict[str, float]:
    """The most megabytes that one Spark process, and one Python worker, has had."""
    peak = {"java_mb": 0.0, "python_mb": 0.0}
    for top, pids in executors.items():
        for pid in pids:
            kilobytes = int(Path(f"/proc/{pid}/status").read_text().split("VmHWM:")[1].split()[0])
            what = "java_mb" if pid == top else "python_mb"
            peak[what] = max(peak[what], kilobytes / 1e3)
    return peak


def shown(row: dict[str, Any], speed: float) -> str:
    used = f"processor {row['java']:.1f} s in Spark, {row['python']:.1f} s in Python, {row['driver']:.1f} s in driver"
    peak = f"peak memory {row['java_mb']:.0f} and {row['python_mb']:.0f} MB"
    return f"{row['executors']} executor(s): {row['seconds']:.1f} s, {speed:.0f} MB/s; {used}; {peak}"


def report(records: list[dict[str, Any]], given: argparse.Namespace) -> None:
    """Ratios of neighbouring runs; and of processor time, which other work on the machine disturbs less."""
    times = {number: [row["seconds"] for row in records if row["executors"] == number] for number in (1, 2)}
    used = {n: min(row["java"] + row["python"] for row in records if row["executors"] == n) for n in (1, 2)}
    alone = min(row["driver"] for row in records)
    ratios = [one / two for one, two in zip(times[1], times[2], strict=True)]
    print(f"one executor {min(times[1]):.1f} s at best, two {min(times[2]):.1f} s: {min(times[1]) / min(times[2]):.2f}")
    print("ratios of neighbouring runs: " + ", ".join(f"{ratio:.2f}" for ratio in ratios) + f"; best {max(ratios):.2f}")
    most = (used[1] + alone) / (used[2] / 2 + alone)  # the driver's part cannot be divided
    print(
        f"processor time: one {used[1]:.1f} s, two {used[2]:.1f} s, the driver {alone:.1f} s: at most {most:.2f} on "
        "free cores"
    )
    if given.json:
        result = {"runs": records, "ratios": ratios, "processor_seconds": used, "driver_seconds": alone, "most": most}
        given.json.write_text(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
