"""The workbench on 25,000 reviews: processor time of an edit, start, opening of a long session, kills.

    python proof/speed/workbench.py               # edits as a ratio to counts + estimate, start, a long session
    python proof/speed/workbench.py --kills 100   # kill -9 in the middle of edits and labels

An edit is measured from the request to the bytes of the answer, without HTTP and the page; counts and estimate of the
same lexicon are measured in the same run, in turn. Times are processor times of the process, with their medians.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from problex import estimate
from problex.paper.datasets import demo_corpus
from problex.workbench.loading import Learning, begin, resume
from problex.workbench.open_session import OpenSession
from problex.workbench.screens.lexicon import answer
from problex.workbench.session_file import SessionFile
from problex.workbench.texts import TextSource

WORDS = ("good", "like", "better", "bad", "fun", "love", "worst", "great", "best", "no", "lost", "pretty")
LISTS = {"positive": ["good", "fine", "warm", "glad", "happ*"], "negative": ["bad", "poor", "dull", "sad", "fail*"]}


def quiet(*_: Any) -> None:
    """Progress that nobody sees."""


def seconds(function: Any) -> float:
    """The processor time of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def measure_edits(folder: Path) -> dict[str, Any]:
    """Edits of frequent words, and what the library alone takes for the same lexicons."""
    learning = Learning(TextSource("demo"), demo_corpus().lexicon, "edits", {"language": "en"})
    opened = begin(learning, folder, quiet)
    edits, alone, sizes = [], [], []
    for word in WORDS:
        lists = opened.result.model.lexicon.lists
        old = next((name for name, words in lists.items() if word in words), None)
        new = None if old else "positive"
        body = {"edits": [{"word": word, "old": old, "new": new}]}
        done: list[bytes] = []
        edits.append(
            seconds(lambda body=body, done=done: done.append(answer(opened, opened.take("edit", body, None, ""))))
        )
        sizes.append(len(done[0]))
        lexicon, remembered = opened.result.model.lexicon, opened.result.index
        left_behind = dict(remembered.last)  # by the edit, of the same lexicon: nothing would be left to count
        remembered.last.clear()
        alone.append(seconds(lambda lexicon=lexicon, kept=remembered: estimate(kept.counts(lexicon), lexicon)))
        remembered.last.update(left_behind)
    opened.close()
    ratios = np.array(edits) / np.array(alone)
    return {
        "edit_ms": round(1000 * float(np.median(edits)), 1),
        "recount_and_estimate_ms": round(1000 * float(np.median(alone)), 1),
        "ratio": round(float(np.median(ratios)), 2),
        "ratio_range": [round(float(ratios.min()), 2), round(float(ratios.max()), 2)],
        "answer_bytes": int(np.median(sizes)),
        "edits": len(edits),
    }


def measure_opening(folder: Path, steps: int = 1000) -> dict[str, Any]:
    """Open a session of many edits: reading the log and finding its lexicon, then all of it with the texts."""
    learning = Learning(TextSource("demo"), demo_corpus().lexicon, "long", {"language": "en"})
    opened = begin(learning, folder, quiet)
    words = list(learning.lexicon.lists["positive"])
    for number in range(steps):
        word, off = words[number // 2 % len(words)], number % 2 == 0
        edit = {"word": word, "old": "positive" if off else None, "new": None if off else "positive"}
        opened.log.add(opened.log.change("edit", {"edits": [edit]}))
    opened.file.append(opened.log.steps)
    path = opened.file.path
    opened.close()
    logs = []
    for _ in range(5):
        logs.append(seconds(lambda: open_log(path)))
    again: list[OpenSession] = []
    whole = seconds(lambda: again.append(resume(path, quiet)))
    again[0].close()
    return {"steps": steps, "log_s": round(float(np.median(logs)), 3), "with_25000_texts_s": round(whole, 2)}


def open_log(path: Path) -> None:
    """Open the file, check it, and go to its last state."""
    session = SessionFile.open(path)
    log = session.log()
    log.lexicon(log.state)
    session.close()


class Server:
    """`problex workbench` as a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = os.environ | {"PROBLEX_WORKBENCH": str(folder / "data"), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "problex", "workbench", "--no-open", *arguments]
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", line)
        if not found:
            raise RuntimeError(f"the server said: {line}{self.process.stdout.read()}")
        self.origin, token = found.groups()
        self.http = httpx.Client(base_url=self.origin, headers={"origin": self.origin}, timeout=60)
        self._sign_in(token)

    def _sign_in(self, token: str) -> None:
        while True:
            try:
                self.http.get("/", params={"token": token})
                self.first_answer = time.monotonic() - self.started
                return
            except httpx.TransportError:
                time.sleep(0.01)

    def wait(self) -> dict[str, Any]:
        """The state once the texts are loaded."""
        while True:
            state: dict[str, Any] = self.http.get("/api/state").json()
            if state["ready"]:
                return state
            if state["job"] and state["job"]["state"] == "failed":
                raise RuntimeError(state["job"]["error"])
            time.sleep(0.02)

    def processor_time(self) -> float:
        """Of the process so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.http.close()


def measure_start(folder: Path) -> dict[str, Any]:
    """From the command to the first answer, and until the 25,000 reviews are there; first and again."""
    found: dict[str, Any] = {}
    for name in ("first", "again"):
        server = Server(folder)
        found[f"{name}_answer_s"] = round(server.first_answer, 2)
        found[f"{name}_answer_processor_s"] = round(server.processor_time(), 2)
        server.wait()
        found[f"{name}_demo_s"] = round(time.monotonic() - server.started, 1)
        found[f"{name}_demo_processor_s"] = round(server.processor_time(), 2)
        server.kill()
    return found


def small_texts(folder: Path, documents: int = 1000) -> None:
    """A corpus that loads at once, and its lexicon."""
    chance = random.Random(1)
    words = [word.strip("*") for listed in LISTS.values() for word in listed] + ["film", "plot", "music"]
    lines = [" ".join(chance.choices(words, k=15)) for _ in range(documents)]
    (folder / "texts.txt").write_text("\n".join(lines))
    (folder / "words.json").write_text(json.dumps(LISTS))


def kill_often(folder: Path, kills: int, seed: int = 0) -> dict[str, Any]:
    """Kill the server at random moments while edits and labels come in; nothing that was answered may be lost."""
    small_texts(folder)
    chance = random.Random(seed)
    acknowledged: dict[int, str] = {}
    labelled: dict[int, str] = {}
    lost, before_answer = 0, 0
    for _ in range(kills):
        server = Server(folder, "texts.txt", "--lexicon", "words.json")
        server.wait()
        lost += check(server, acknowledged, labelled)
        try:
            work(server, chance, acknowledged, labelled)
        except httpx.TransportError:
            before_answer += 1
        server.kill()
    server = Server(folder, "texts.txt", "--lexicon", "words.json")
    server.wait()
    lost += check(server, acknowledged, labelled)
    server.kill()
    numbers = {"steps": len(acknowledged), "labels": len(labelled), "lost": lost}
    return {"kills": kills, **numbers, "killed_before_an_answer": before_answer}


def work(server: Server, chance: random.Random, acknowledged: dict[int, str], labelled: dict[int, str]) -> None:
    """Edit and label; after a few answers the server is killed at a random moment of what follows."""
    if not server.http.get("/api/audit").json()["audit"]:
        server.http.post("/api/audit/draw", json={"size": 500})
    left = chance.randint(1, 8)
    while True:
        left -= 1
        if left == 0:
            threading.Timer(chance.uniform(0.0, 0.15), server.process.send_signal, [signal.SIGKILL]).start()
        word = f"word{chance.randrange(40)}"
        present = server.http.get("/api/word", params={"word": word}).json()["list"]
        edit = {"word": word, "old": present, "new": None if present else chance.choice(sorted(LISTS))}
        done = server.http.post("/api/edits", json={"edits": [edit], "tab": "k"})
        if done.status_code == 200:
            head = json.loads(done.content[: done.content.index(b"\n")])
            acknowledged[head["revision"]] = word
        document = server.http.get("/api/audit/next").json()
        body = {"row": document["row"], "label": chance.choice(sorted(LISTS))}
        if server.http.post("/api/audit/label", json=body).status_code == 200:
            labelled[document["row"]] = body["label"]


def check(server: Server, acknowledged: dict[int, str], labelled: dict[int, str]) -> int:
    """How many steps and labels that were answered are not there."""
    steps = {step["number"]: step["text"] for step in server.http.get("/api/history").json()["steps"]}
    lost = sum(repr(word) not in steps.get(number, "") for number, word in acknowledged.items())
    audit = server.http.get("/api/audit").json()["audit"]
    return lost + max(0, len(labelled) - (audit["labelled"] if audit else 0))


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="kill the server N times, and nothing else")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to this file")
    options = parser.parse_args()
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.kills:
            results["kills"] = kill_often(folder, options.kills)
        else:
            results["edits"] = measure_edits(folder)
            results["opening"] = measure_opening(folder)
            results["start"] = measure_start(folder)
    text = json.dumps(results, indent=2)
    print(text)
    if options.json:
        options.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
