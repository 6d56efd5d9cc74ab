"""Two threads against two processes, and how evenly threads share the work of reading files.

Two processes with one thread each have nothing in common but the machine, so they show how much faster two cores can
be. `bench.py` has that line in its table; this file alone also takes files, and shows the share of the processor
time of counting that the busiest thread takes: on free cores it takes at least that share by the clock.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from jobs import load, plain

from problex import Lexicon, count
from problex.matching.tokens import Tokenizer

Record = dict[str, Any]
TASKS = Path("/proc/self/task")
SECONDS_BETWEEN = 0.005


def serve(documents: int | None, copies: int = 1) -> None:
    """Count the corpus once for each line of standard input, which is a number of threads; write the seconds."""
    corpus = load(documents)
    column = pa.array(list(corpus.texts) * copies, pa.large_string())
    words, bare = plain(corpus.lexicon), Tokenizer(corpus.language, negation=None)
    for line in sys.stdin:
        clock, processor = time.perf_counter(), time.process_time()
        count(column, words, int(line), tokenizer=bare)
        print(time.perf_counter() - clock, time.process_time() - processor, flush=True)


class Server:
    """A process that counts the corpus when it is asked to."""

    def __init__(self, documents: int | None, copies: int) -> None:
        words = [sys.executable, __file__, "--serve", "--copies", str(copies)]
        words += ["--documents", str(documents)] if documents else []
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self, threads: int) -> None:
        """Count with so many threads."""
        assert self._process.stdin
        self._process.stdin.write(f"{threads}\n")
        self._process.stdin.flush()

    def seconds(self) -> tuple[float, float]:
        """How long it took, by the clock and of the processors."""
        assert self._process.stdout
        clock, processor = map(float, self._process.stdout.readline().split())
        return clock, processor

    def end(self) -> None:
        """Let the process end."""
        self._process.communicate()


def two_cores(documents: int | None, repeats: int, copies: int = 1) -> list[Record]:
    """How much faster two threads are than one, and two processes than one: each the median over repeats."""
    servers = [Server(documents, copies), Server(documents, copies)]
    found: dict[str, list[tuple[float, float]]] = {"alone": [], "both": [], "threads": []}
    for repeat in range(repeats + 1):
        for name, seconds in found.items():
            called = servers if name == "both" else servers[:1]
            for server in called:
                server.begin(2 if name == "threads" else 1)
            times = [server.seconds() for server in called]
            if repeat:  # the first is to warm up
                seconds.append((max(clock for clock, _ in times), sum(processor for _, processor in times)))
    for server in servers:
        server.end()
    alone, both, threads = (np.array(times).T for times in found.values())
    what = (("two processes at once", 2 * alone / both, both / 2), ("two threads", alone / threads, threads))
    return [
        {"what": name, "times_one": _spread(faster[0]), "processor_seconds_of_one": _spread(cost[1] / alone[1])}
        for name, faster, cost in what
    ]


def _spread(values: Any) -> dict[str, float]:
    return {"median": float(np.median(values)), "least": float(min(values)), "most": float(max(values))}


def times_of_threads() -> dict[int, float]:
    """Processor seconds of each thread of this process, as Linux tells."""
    found = {}
    for task in TASKS.iterdir():
        with contextlib.suppress(OSError):  # the thread has just ended
            found[int(task.name)] = int((task / "schedstat").read_text().split()[0]) / 1e9
    return found


def thread_seconds(call: Callable[[], Any]) -> dict[tuple[str, int], float]:
    """Processor seconds of each thread during a call, by its name and number."""
    seconds, names, ended = dict[int, float](), dict[int, str](), threading.Event()

    def look() -> None:
        while not ended.wait(SECONDS_BETWEEN):
            names.update({thread.native_id or 0: thread.name for thread in threading.enumerate()})
            seconds.update(times_of_threads())

    before, watcher = times_of_threads(), threading.Thread(target=look)
    watcher.start()
    call()
    ended.set()
    watcher.join()
    seconds |= times_of_threads()
    taken = {task: last - before.get(task, 0) for task, last in seconds.items() if task != watcher.native_id}
    return {(names.get(task, "other"), task): value for task, value in taken.items() if value > 0}


def busiest(path: Path, lexicon: Lexicon, column: str | None) -> Record:
    """The share of the thread that takes most of the processor time of counting a file with two threads."""
    taken = thread_seconds(lambda: count(path, lexicon, 2, text=column))
    most, total = max(taken, key=lambda thread: taken[thread]), sum(taken.values())
    return {"file": path.name, "seconds": total, "busiest": most[0], "share": taken[most] / total}


def main() -> None:
    """The table of both, or of some files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", type=Path, nargs="*", help="files of texts, of which the shares of threads are shown")
    parser.add_argument("--text", help="the column of the texts")
    parser.add_argument("--documents", type=int, help="only so many")
    parser.add_argument("--copies", type=int, default=1, help="how often each document is counted")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.documents, given.copies)
        return
    if given.files:
        lexicon = load(1).lexicon
        for path in given.files:
            found = busiest(path, lexicon, given.text)
            print(f"{found['file']}: {found['seconds']:.2f} s, {found['busiest']} {found['share']:.0%}")
        return
    for record in two_cores(given.documents, given.repeats, given.copies):
        print(f"{record['what']}: {record['times_one']['median']:.2f} times as fast as one")


if __name__ == "__main__":
    main()
