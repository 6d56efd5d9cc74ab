"""The peak memory of counting and labelling a DuckDB relation and a polars LazyFrame, by the size of their texts.

Run with the project's own Python: `.venv/bin/python proof/speed/relations.py`. Every run is a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from problex import Lexicon, count, estimate
from problex.corpus import batches
from problex.paper.datasets import demo_corpus
from problex.scoring import score_batches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, nargs="+", default=[4, 15, 60], help="how often 25,000 reviews are read")
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        run(given.run[0], Path(given.run[1]))
        return
    corpus = demo_corpus()
    size = sum(len(text.encode()) for text in corpus.texts) / 1e9
    for copies in given.copies:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            lists = {name: list(words) for name, words in corpus.lexicon.lists.items()}
            (folder / "lexicon.json").write_text(json.dumps(lists))
            table = pa.table({"id": range(len(corpus.texts)), "text": corpus.texts})
            pq.write_table(table, folder / "0.parquet", row_group_size=5_000)
            for copy in range(1, copies):  # links: read and decompressed anew each time, stored once
                os.link(folder / "0.parquet", folder / f"{copy}.parquet")
            for source in ("duckdb", "polars"):
                command = [sys.executable, __file__, "--run", source, name]
                ran = subprocess.run(command, capture_output=True, text=True, check=True)
                print(f"{size * copies:.1f} GB, {source}: {ran.stdout.splitlines()[-1]}", flush=True)


def run(source: str, folder: Path) -> None:
    """Count and label one relation."""
    lexicon, files = Lexicon(json.loads((folder / "lexicon.json").read_text())), str(folder / "*.parquet")
    if source == "duckdb":
        import duckdb

        relation = duckdb.read_parquet(files)
    else:
        import polars as pl

        relation = pl.scan_parquet(files)
    before = peak()
    model = estimate(count(relation, lexicon, text="text"), lexicon)
    counted = peak()
    stream = score_batches(batches(relation, text="text", keep=["id"]), model)
    texts = sum(len(scores.labels()) for _, scores in stream)
    print(f"{texts:,} texts; {before:.0f} MB before, {counted:.0f} after counting, {peak():.0f} after labelling")


def peak() -> float:
    """The most megabytes that this process has had."""
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1e3


if __name__ == "__main__":
    main()
