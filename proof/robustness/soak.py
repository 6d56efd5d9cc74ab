"""Load for half an hour: the page with 20 clients, and `predict` over a million documents again and again: `make soak`.

Both run at once, on this computer only. Memory must stay flat (the largest of the last third at most 10 % above that
of the second), no answer may be an error, every table of predictions must be the same, no edit that was acknowledged
may be lost, and the lexicon must be the same after the server is killed and started again. The latency of the last
third must be at most twice that of the first, in processor time per request and per run of `predict`: clock times
depend on what else the computer does. Writes proof/results/soak.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import numpy as np

if TYPE_CHECKING:
    from proof.speed.workbench import Server

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "proof" / "results" / "soak.json"
PAUSE = 1.0
"""Mean seconds between the requests of a client."""
REFUSED = ("another tab", "a sample is being labelled")
"""What is said of an edit, a label or a sample that another client was faster with."""
GROWTH, SLOWER = 1.1, 2.0


@dataclass
class Measures:
    """What was measured of the page: when, how long, and errors."""

    began: float
    times: list[tuple[float, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    refused: int = 0
    acknowledged: Counter[str] = field(default_factory=Counter)
    """How often each word was edited, with an answer that it was done."""

    def thirds(self, length: float, used: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
        """Latency of each third of the time, in milliseconds; `used` is the processor time of the server so far."""
        found = []
        for third in range(3):
            low, high = self.began + third * length / 3, self.began + (third + 1) * length / 3
            part = [took for at, took in self.times if low <= at < high] or [0.0]
            median, late = np.percentile(part, [50, 99])
            spent = [seconds for at, seconds in used if low <= at < high] or [0.0]
            processor = 1000 * (spent[-1] - spent[0]) / len(part)
            numbers = {"requests": len(part), "processor_ms_per_request": round(processor, 1)}
            found.append(numbers | {"median_ms": round(1000 * median), "p99_ms": round(1000 * late)})
        return found


def resident(process: int) -> int:
    """Bytes of memory that a process has; 0 after its end."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def is_flat(sizes: Sequence[int]) -> bool:
    """Whether memory did not grow from the second third to the last; not known, and so not, of fewer than 3 sizes.

    >>> is_flat([50, 100, 105]), is_flat([50, 100, 120]), is_flat([100, 100])
    (True, False, False)
    """
    third = len(sizes) // 3
    return third > 0 and max(sizes[-third:]) <= GROWTH * max(sizes[third : 2 * third])


def is_kept(times: Sequence[float]) -> bool:
    """Whether the last third of the runs takes at most twice as long as the first, by their medians.

    >>> is_kept([1, 5, 1.9]), is_kept([1, 1, 2.1]), is_kept([1, 1])
    (True, False, False)
    """
    third = len(times) // 3
    return third > 0 and bool(np.median(times[-third:]) <= SLOWER * np.median(times[:third]))


def ask(http: httpx.Client, draw: random.Random, tab: str, lists: Sequence[str], measures: Measures) -> httpx.Response:
    """What a person does next on the page; an edit that was done is noted."""
    kind, word = draw.random(), f"word{draw.randrange(200)}"
    if kind < 0.15:
        present = http.get("/api/word", params={"word": word}).json()["list"]
        edit = {"word": word, "old": present, "new": None if present else draw.choice(lists)}
        done = http.post("/api/edits", json={"edits": [edit], "tab": tab})
        if done.status_code == 200:
            measures.acknowledged[word] += 1
        return done
    if kind < 0.25:
        document = http.get("/api/audit/next").json()
        if document["done"]:
            return http.post("/api/audit/draw", json={"size": 300})
        return http.post("/api/audit/label", json={"row": document["row"], "label": draw.choice(lists)})
    paths = ("/api/lexicon", "/api/documents", "/api/documents/histogram", "/api/audit", "/api/history", "/api/doctor",
             "/api/state", "/api/settings", "/api/charts", "/", f"/api/documents/{draw.randrange(900)}")  # fmt: skip
    return http.get(draw.choice(paths))


def client(server: Server, number: int, measures: Measures, end: float, lists: Sequence[str]) -> None:
    """One person at the page until the end."""
    draw, shared = random.Random(number), server.http
    with httpx.Client(base_url=shared.base_url, headers=shared.headers, cookies=shared.cookies, timeout=120) as http:
        while time.monotonic() < end:
            began = time.monotonic()
            try:
                answer = ask(http, draw, f"t{number}", lists, measures)
                if answer.status_code != 200 and any(reason in answer.text for reason in REFUSED):
                    measures.refused += 1
                elif answer.status_code != 200:
                    measures.errors.append(f"{answer.request.url.path} {answer.status_code} {answer.text[:200]}")
            except Exception as error:  # of any kind: without it the client would be gone, and nothing would say so
                measures.errors.append(f"{type(error).__name__}: {error}")
            measures.times.append((began, time.monotonic() - began))
            time.sleep(draw.expovariate(1 / PAUSE))


def lost_edits(server: Server, acknowledged: Counter[str]) -> int:
    """How many edits that were acknowledged are not in the history, and how many others are, also of no word."""
    texts = [step["text"] for step in server.http.get("/api/history").json()["steps"] if step["kind"] == "edit"]
    found = Counter(text.partition("'")[2].partition("'")[0] for text in texts)
    return (acknowledged - found).total() + (found - acknowledged).total()


def lexicon_of(server: Server) -> tuple[object, dict[tuple[str, str], bytes]]:
    """The figures of the lexicon and the columns of its rows, in any order."""
    head, _, rest = server.http.get("/api/lexicon").content.partition(b"\n")
    said = json.loads(head)
    columns = np.frombuffer(rest, "<f4").reshape(len(said["columns"]), said["rows"])
    rows = zip(said["words"], said["kinds"], strict=True)
    return said["figures"], {row: column.tobytes() for row, column in zip(rows, columns.T, strict=True)}


def soak_page(folder: Path, seconds: float, clients: int) -> dict[str, object]:
    """Clients at one server; latency, memory and errors."""
    from proof.speed.workbench import LISTS, Server, small_texts

    small_texts(folder)
    line = folder, "texts.txt", "--lexicon", "words.json"
    server = Server(*line)
    server.wait()
    server.http.post("/api/audit/draw", json={"size": 300})
    measures, end = Measures(time.monotonic()), time.monotonic() + seconds
    sizes, used = list[int](), list[tuple[float, float]]()
    arguments = [(server, number, measures, end, sorted(LISTS)) for number in range(clients)]
    threads = [threading.Thread(target=client, args=each) for each in arguments]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        sizes.append(resident(server.process.pid))
        used.append((time.monotonic(), server.processor_time()))
        time.sleep(min(5, seconds / 30))
    for thread in threads:
        thread.join()
    steps = len(server.http.get("/api/history").json()["steps"])
    lost, lexicon = lost_edits(server, measures.acknowledged), lexicon_of(server)
    server.kill()
    server = Server(*line)
    server.wait()
    lost += lost_edits(server, measures.acknowledged)
    is_same = lexicon_of(server) == lexicon
    server.kill()
    thirds = measures.thirds(seconds, used)
    first, last = (thirds[at]["processor_ms_per_request"] for at in (0, 2))
    return {
        "clients": clients,
        "requests": len(measures.times),
        "steps": steps,
        "acknowledged_edits": measures.acknowledged.total(),
        "lost_edits": lost,
        "same_lexicon_when_opened_again": is_same,
        "refused_as_another_client_was_faster": measures.refused,
        "errors": len(measures.errors),
        "kinds_of_errors": dict(Counter(error[:60] for error in measures.errors).most_common(5)),
        "latency": thirds,
        "latency_kept": last <= SLOWER * max(first, 1.0),
        "memory_mb": [round(size / 1e6) for size in np.array(sizes)[np.linspace(0, len(sizes) - 1, 7).astype(int)]],
        "memory_flat": is_flat(sizes),
    }


def write_documents(folder: Path, rows: int) -> None:
    """Documents, lists and a model."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    draw = random.Random(2)
    words = ["good", "fine", "happy", "bad", "poor", "awful", "day", "film", "not", "the", "and", "very"]
    pieces = [" ".join(draw.choices(words, k=draw.randrange(5, 60))) for _ in range(10_000)]
    texts = [pieces[number % len(pieces)] + f" n{number % 977}" for number in range(rows)]
    pq.write_table(pa.table({"id": range(rows), "text": texts}), folder / "texts.parquet", row_group_size=50_000)
    (folder / "pos.txt").write_text("good\nfine\nhappy\n")
    (folder / "neg.txt").write_text("bad\npoor\nawful\n")
    lists = ["--lexicon", "positive=pos.txt", "--lexicon", "negative=neg.txt"]
    line = [sys.executable, "-m", "problex", "fit", "texts.parquet", *lists, "-o", "model.json"]
    subprocess.run(line, cwd=folder, check=True, capture_output=True)


def soak_predict(folder: Path, seconds: float, rows: int) -> dict[str, object]:
    """`predict` again and again; memory at its largest, errors, and whether the tables are the same."""
    write_documents(folder, rows)
    line = [
        sys.executable,
        "-m",
        "problex",
        "predict",
        "model.json",
        "texts.parquet",
        "-o",
        "labels.parquet",
        "--force",
    ]
    end, peaks, times, digests, errors = time.monotonic() + seconds, list[int](), list[float](), set[str](), list[str]()
    said = folder / "said"
    while time.monotonic() < end:
        with said.open("w") as stream:
            process = subprocess.Popen(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=stream)
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.append(said.read_text()[-200:])
            continue
        peaks.append(1024 * used.ru_maxrss)
        times.append(used.ru_utime + used.ru_stime)
        digests.add(hashlib.sha256((folder / "labels.parquet").read_bytes()).hexdigest())
    thirds = [part for part in np.array_split(times, 3) if len(part)]
    return {
        "documents_each": rows,
        "runs": len(peaks),
        "documents": rows * len(peaks),
        "errors": len(errors),
        "first_errors": errors[:3],
        "different_tables": len(digests),
        "processor_s_per_run": [round(float(np.median(part)), 2) for part in thirds],
        "latency_kept": is_kept(times),
        "peak_memory_mb": [round(min(peaks, default=0) / 1e6), round(max(peaks, default=0) / 1e6)],
        "memory_flat": is_flat(peaks),
    }


def faults(found: dict[str, dict[str, object]]) -> list[str]:
    """What was not as it must be."""
    said = [f"{part} has no result" for part in ("page", "predict") if part not in found]
    for part, numbers in found.items():
        said += [f"{part}: {numbers['errors']} errors"] if numbers["errors"] else []
        said += [f"{part}: {name} is false" for name, value in numbers.items() if value is False]
        said += [f"{part}: {numbers['lost_edits']} edits lost"] if numbers.get("lost_edits") else []
        said += [f"{part}: tables differ"] if numbers.get("different_tables", 1) != 1 else []
    return said


def main() -> int:
    """Both loads at once; print and store what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--documents", type=int, default=1_000_000)
    given = parser.parse_args()
    found: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory(prefix="problex-soak-") as name:
        places = {part: Path(name) / part for part in ("page", "predict")}
        for place in places.values():
            place.mkdir()
        seconds = 60 * given.minutes

        def page() -> None:
            found["page"] = soak_page(places["page"], seconds, given.clients)

        def predict() -> None:
            found["predict"] = soak_predict(places["predict"], seconds, given.documents)

        loads = [threading.Thread(target=load) for load in (page, predict)]
        for load in loads:
            load.start()
        for load in loads:
            load.join()
    record = {"minutes": given.minutes, **found}
    print(json.dumps(record, indent=1))
    if given.minutes >= 30:
        RESULTS.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    wrong = faults(found)
    print("\n".join(wrong) or "no fault")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
