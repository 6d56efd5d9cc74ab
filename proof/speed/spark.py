"""Counting on Spark, or with --expand learning an expanded model: one executor and two, on a corpus of film reviews.

Run with the project's own Python: `.venv/bin/python proof/speed/spark.py`. Every run is a cluster of its own
(`local-cluster`: executors are processes with one core each); runs with one and with two alternate. An executor is
pinned to one processor, because Spark's process and its Python worker would otherwise use two. With --expand the texts
of each copy end with the name of its file: a sample has all copies of a text or none, so that they must differ.

The driver is a third process, which is free to use both processors even while one executor runs. With --whole it is
pinned, too: in runs with one executor to the same processor, so that the ratio is that of one core to two.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import problex
from problex import Lexicon, spark
from problex.expansion.reservoir import SAMPLE_SIZE
from problex.paper.datasets import demo_corpus
from problex.spark import jobs

MEGABYTE = 1e6
TICKS = os.sysconf("SC_CLK_TCK")


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
    pins = parser.add_mutually_exclusive_group()
    pins.add_argument("--free", action="store_true", help="do not pin executors to processors")
    pins.add_argument("--whole", action="store_true", help="pin the driver, too: one core against two")
    parser.add_argument("--json", type=Path, help="write the records here")
    parser.add_argument("--executors", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    return parser.parse_args()


def apart(folder: str, executors: int, given: argparse.Namespace) -> dict[str, Any]:
    """One run in a process of its own."""
    import pyspark

    where = {"SPARK_HOME": str(Path(pyspark.__file__).parent), "PYSPARK_PYTHON": sys.executable}
    where["PYTHONPATH"] = str(Path(problex.__file__).parents[1])  # executors start elsewhere, and need the same version
    command = [sys.executable, __file__, f"--executors={executors}", f"--folder={folder}", f"--batch={given.batch}"]
    command += [f"--sample={given.sample}"]
    command += [f"--{name}" for name in ("free", "whole", "expand") if getattr(given, name)]
    ran = subprocess.run(command, env=os.environ | where, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(ran.stderr)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


def run(given: argparse.Namespace) -> dict[str, Any]:
    from pyspark.sql import SparkSession

    corpus = demo_corpus()
    builder = SparkSession.builder.master(f"local-cluster[{given.executors},1,1024]").config("spark.ui.enabled", False)
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", given.batch)
    session = builder.getOrCreate()
    try:
        first = session.read.parquet(f"{given.folder}/part-0.parquet").repartition(4 * given.executors)
        spark.count(first, "text", corpus.lexicon)  # executors, workers and compilers are up
        executors = executors_of(os.getpid())
        assert len(executors) == given.executors
        if given.whole:
            pin({os.getpid(): drivers_of(os.getpid(), executors)}, set(range(given.executors)))
        if not given.free:
            pin(executors)
        for _ in range(3):
            spark.count(first, "text", corpus.lexicon)
        return measure(session, given, corpus.lexicon)
    finally:
        session.stop()


def measure(session: Any, given: argparse.Namespace, lexicon: Lexicon) -> dict[str, Any]:
    """The time of one job, the processor time of all its processes, and that of learning on the driver."""
    from pyspark.sql.functions import concat_ws

    df, executors, learning = session.read.parquet(given.folder), executors_of(os.getpid()), Learning()
    drivers = drivers_of(os.getpid(), executors)
    start, before, alone = time.perf_counter(), processor_seconds(executors), seconds_of(drivers)
    if given.expand:
        df = df.select(concat_ws(" ", "text", "_metadata.file_name").alias("text"))
        with learning.watched():
            found: Any = spark.fit(df, "text", lexicon, expand=True, expand_sample=given.sample).evidence
    else:
        found = spark.count(df, "text", lexicon)
    seconds, executors = time.perf_counter() - start, executors_of(os.getpid())  # workers may have been replaced
    after = processor_seconds(executors)
    used = {what: after[what] - before[what] for what in after}
    used |= {f"driver_{what}": now - alone[what] for what, now in seconds_of(drivers).items()}
    used |= {"learning": learning.processor, "learning_seconds": learning.seconds}
    return {
        "executors": given.executors, "seconds": seconds, **used, **peak_memory(executors), "documents": found.documents
    }  # fmt: skip


class Learning:
    """What the driver takes to learn an expansion from the sample: seconds, and those of its processors."""

    seconds = processor = 0.0

    @contextmanager
    def watched(self) -> Iterator[None]:
        learn = jobs.expand_model

        def watched(*arguments: Any, **options: Any) -> Any:
            began, used = time.perf_counter(), time.process_time()
            result = learn(*arguments, **options)
            self.seconds, self.processor = time.perf_counter() - began, time.process_time() - used
            return result

        jobs.expand_model = watched
        try:
            yield
        finally:
            jobs.expand_model = learn


def executors_of(root: int) -> dict[int, list[int]]:
    """The executors that descend from a process, each with its own processes: itself and its Python workers."""
    parents = {int(path.name): parent(path) for path in Path("/proc").glob("[0-9]*")}
    ours = [pid for pid in parents if root in ancestors(pid, parents)]
    found = [pid for pid in ours if b"CoarseGrainedExecutorBackend" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    return {top: [pid for pid in ours if top in {pid, *ancestors(pid, parents)}] for top in sorted(found)}


def drivers_of(root: int, executors: dict[int, list[int]]) -> list[int]:
    """The process of the driver and its Spark, with all else that started the executors."""
    parents = {int(path.name): parent(path) for path in Path("/proc").glob("[0-9]*")}
    theirs = {pid for pids in executors.values() for pid in pids}
    return [root, *(pid for pid in parents if root in ancestors(pid, parents) and pid not in theirs)]


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


def pin(processes: dict[int, list[int]], processors: set[int] | None = None) -> None:
    """Give each executor, with its Python workers, one processor; or all processes the same ones."""
    for processor, pids in enumerate(processes.values()):
        for pid in pids:
            for thread in Path(f"/proc/{pid}/task").iterdir():
                with suppress(ProcessLookupError):  # the thread has just ended
                    os.sched_setaffinity(int(thread.name), processors or {processor})


def processor_seconds(executors: dict[int, list[int]]) -> dict[str, float]:
    """What Spark's own processes and the Python workers have used so far, those that have ended included."""
    used = {"java": 0.0, "python": 0.0}
    for top, pids in executors.items():
        for pid in pids:
            used["java" if pid == top else "python"] += sum(ticks_of(pid)) / TICKS
    return used


def seconds_of(drivers: list[int]) -> dict[str, float]:
    """What the driver has used so far, and its Spark; without processes that have ended, which are the executors'."""
    root, *others = drivers
    return {"python": sum(ticks_of(root)[:2]) / TICKS, "java": sum(sum(ticks_of(pid)[:2]) for pid in others) / TICKS}


def ticks_of(pid: int) -> list[int]:
    """In the program and in the system: of a process, and of its children that have ended."""
    return [int(ticks) for ticks in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]]


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
    used = (
        f"processor {row['java']:.1f} s in Spark, {row['python']:.1f} s in Python; driver {row['driver_java']:.1f} s "
    )
    used += (
        f"and {row['driver_python']:.1f} s, {row['learning']:.1f} of it to learn, in {row['learning_seconds']:.1f} s"
    )
    peak = f"peak memory {row['java_mb']:.0f} and {row['python_mb']:.0f} MB"
    return f"{row['executors']} executor(s): {row['seconds']:.1f} s, {speed:.0f} MB/s; {used}; {peak}"


def report(records: list[dict[str, Any]], given: argparse.Namespace) -> None:
    """Ratios of neighbouring runs; and what follows from processor time, which other work disturbs less."""
    times = {number: [row["seconds"] for row in records if row["executors"] == number] for number in (1, 2)}
    ratios = [one / two for one, two in zip(times[1], times[2], strict=True)]
    best = min(times[1]) / min(times[2])
    print(f"speed-up from one core to two: {best:.2f} ({min(times[1]):.1f} s and {min(times[2]):.1f} s at best)")
    print("ratios of neighbouring runs: " + ", ".join(f"{ratio:.2f}" for ratio in ratios))
    used = {n: min(row["java"] + row["python"] for row in records if row["executors"] == n) for n in (1, 2)}
    alone = min(row["driver_python"] + row["driver_java"] for row in records)
    threads = max(row["learning"] / row["learning_seconds"] if row["learning_seconds"] else 1.0 for row in records)
    share, most = alone / (alone + used[1]), (used[1] + alone) / (used[2] / 2 + alone)
    print(
        f"processor time of the executors: one {used[1]:.1f} s, two {used[2]:.1f} s; of the driver {alone:.1f} s, "
        f"{share:.0%} of all; if none of the driver's can be divided, the speed-up on free cores is {most:.2f}; "
        f"learning used {threads:.2f} processors at once"
    )
    if given.json:
        found = {"ratio": best, "ratios": ratios, "processor_seconds": used, "driver_seconds": alone}
        found |= {"serial_share": share, "speed_up_by_processor_time": most, "processors_of_learning": threads}
        given.json.write_text(json.dumps(found | {"whole": given.whole, "runs": records}, indent=2) + "\n")


if __name__ == "__main__":
    main()
