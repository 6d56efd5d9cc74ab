"""Does `problex fit --memory` hold if most words of the texts are entries of the lexicon, with millions of pairs?

The texts are film reviews (or those of --texts), ten times; with --swapped a share of their words changes places with
words of other reviews, which makes many more pairs. The lexicon has the most frequent words, in two lists. Each command
is a process of its own; what it says about memory is shown with the peak before that and the peak at the end.

Run with the project's own Python: `.venv/bin/python proof/speed/pairs.py --memory 640MiB 1GiB 2GiB`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def write(folder: Path, texts: Path | None, copies: int, entries: int, swapped: float) -> None:
    """Write the texts and the two lists."""
    from problex.paper.datasets import demo_corpus

    given = pq.read_table(texts, columns=["text"])["text"].to_pylist() if texts else demo_corpus().texts
    split = [text.split() for text in given]
    ends = np.cumsum([0, *map(len, split)])
    words = np.array([word for text in split for word in text], dtype=object)
    seen: Counter[str] = Counter()
    for word, number in Counter(words.tolist()).items():
        for part in re.findall(r"[a-z]+", word.lower()):
            seen[part] += number
    listed = [word for word, _ in seen.most_common(entries)]
    for at, name in enumerate(("one", "two")):
        (folder / f"{name}.txt").write_text("\n".join(listed[at::2]))
    random = np.random.default_rng(0)
    with pq.ParquetWriter(folder / "texts.parquet", pa.schema({"text": pa.string()}), compression="zstd") as writer:
        for _ in range(copies):
            mixed, moved = words.copy(), np.flatnonzero(random.random(len(words)) < swapped)
            mixed[moved] = words[random.permutation(moved)]
            new = [" ".join(mixed[a:b]) for a, b in pairwise(ends.tolist())]
            writer.write_table(pa.table({"text": new}))


def peak_of(process: int) -> float | None:
    """The peak memory of a process in MiB, unless it has just ended."""
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{process}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
    return None


def run(folder: Path, memory: str, threads: int, *, checkpoint: bool) -> dict[str, Any]:
    """A command: its peak memory in MiB, and whether a warning came, with the peak up to then."""
    lists = [word for name in ("one", "two") for word in ("--lexicon", f"{name}={folder / name}.txt")]
    command = [sys.executable, "-m", "problex", "fit", folder / "texts.parquet", "--text", "text", *lists]
    command += ["-o", folder / "model.json", "--force", "--memory", memory, "--threads", str(threads)]
    command += ["--checkpoint", folder / "counts"] if checkpoint else []
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    warned: list[tuple[float | None, str]] = []

    def listen() -> None:
        for line in process.stderr or []:
            if "pairs" in line and not warned:
                warned.append((peak_of(process.pid), line.strip()))

    listener = threading.Thread(target=listen)
    listener.start()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    listener.join()
    if process.returncode:
        raise SystemExit(f"problex fit --memory {memory} failed")
    record: dict[str, Any] = {"memory": memory, "checkpoint": checkpoint, "peak_mib": round(used.ru_maxrss / 1024)}
    before, said = warned[0] if warned else (None, None)
    return record | {"cpu_seconds": used.ru_utime + used.ru_stime, "mib_at_the_warning": before, "warning": said}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--memory", nargs="+", default=["640MiB", "1GiB", "2GiB"])
    parser.add_argument("--entries", type=int, default=61_000, help="of the lexicon: the most frequent words")
    parser.add_argument("--copies", type=int, default=10, help="how often the texts are written")
    parser.add_argument("--swapped", type=float, default=0.0, help="the share of words that change places")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--texts", type=Path, help="a Parquet file with a column text, in place of film reviews")
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)  # write the texts, in a process of its own
    given = parser.parse_args()
    if given.folder:
        write(given.folder, given.texts, given.copies, given.entries, given.swapped)
        return
    records = []
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--folder", name], check=True)
        for memory in given.memory:
            for checkpoint in (False, True):
                records.append(run(Path(name), memory, given.threads, checkpoint=checkpoint))
                print("  ".join(f"{key} {value}" for key, value in records[-1].items()), flush=True)
    if given.json:
        given.json.write_text(json.dumps(records, indent=2) + "\n")


if __name__ == "__main__":
    main()
