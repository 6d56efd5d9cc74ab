"""kill -9 in the middle of edits and labels: nothing that was acknowledged is lost.

`proof/speed/workbench.py --kills 100` does the same to the whole server.
"""

from __future__ import annotations

import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

from problex.workbench.loading import begin
from problex.workbench.session_file import SessionFile
from tests.workbench.running import learning

CHILD = """
import sys
from pathlib import Path
from problex.workbench.session_file import LabelEvent, SessionFile
session = SessionFile.open(Path(sys.argv[1]))
log = session.log()
number = len(session.label_events(1))
while True:
    fine = "fine" in log.lexicon(log.state).lists["positive"]
    edit = {"word": "fine", "old": "positive" if fine else None, "new": None if fine else "positive"}
    step = log.change("edit", {"edits": [edit]})
    log.add(step)
    session.append([step])
    print("step", step.number, flush=True)
    session.add_label(LabelEvent(0, 1, number, "positive"))
    number += 1
    print("label", number, flush=True)
"""


def test_ten_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    opened = begin(learning(tmp_path), tmp_path / "data", lambda *_: None)
    path = opened.file.path
    opened.audits.draw(opened.result, 6, 0, 3, 1)
    opened.close()
    chance = random.Random(1)
    seen = {"step": 0, "label": 0}
    for _ in range(10):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(chance.uniform(0, 0.03))
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read()
        child.wait()
        child.stdout.close()
        for line in (first + rest).splitlines():
            kind, _, number = line.partition(" ")
            if number:
                seen[kind] = int(number)
        session = SessionFile.open(path)
        log = session.log()  # raises if the steps do not lead to the stored lexicon
        stored = {"step": log.revision, "label": len(session.label_events(1))}
        assert all(seen[kind] <= stored[kind] <= seen[kind] + 1 for kind in seen)  # one may be stored, not yet answered
        seen = stored
        session.close()
    assert seen["step"] > 10


def test_the_command_is_killed_and_continues(tmp_path: Path) -> None:
    """The whole way: the command, an edit by HTTP, kill -9, the same command again."""
    start = learning(tmp_path)
    (tmp_path / "words.csv").write_text(
        "word,list\n" + "".join(f"{word},{name}\n" for name, words in start.lexicon.lists.items() for word in words)
    )
    for expected in (0, 1):
        server, http = command(tmp_path, "reviews.jsonl", "--lexicon", "words.csv", "--text", "review", "--id", "id")
        try:
            state = ready(http)
            assert state["revision"] == expected
            assert state["texts"]["documents"] == 240
            edit = {"word": ["good", "bad"][expected], "old": ["positive", "negative"][expected], "new": None}
            answer = http.post("/api/edits", json={"edits": [edit], "base": expected, "tab": "a"})
            assert answer.status_code == 200, answer.text
        finally:
            server.kill()
            server.wait()
            assert server.stdout is not None
            server.stdout.close()
            http.close()
    session = SessionFile.open(tmp_path / "reviews.problex")
    assert [step.text for step in session.steps()] == ["remove 'good' from positive", "remove 'bad' from negative"]
    session.close()


def command(folder: Path, *arguments: str) -> tuple[subprocess.Popen[str], httpx.Client]:
    """`problex workbench`, and a tab of it."""
    environment = os.environ | {"PROBLEX_WORKBENCH": str(folder / "data")}
    line = [sys.executable, "-m", "problex", "workbench", *arguments, "--no-open"]
    server = subprocess.Popen(
        line, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert server.stdout is not None
    assert select.select([server.stdout], [], [], 60)[0]
    said = server.stdout.readline()
    found = re.search(r"The workbench is at (http://127\.0\.0\.1:\d+)/\?token=(\S+)", said)
    assert found, said + server.stdout.read()
    http = httpx.Client(base_url=found[1], headers={"origin": found[1]}, timeout=60)
    for _ in range(600):
        try:
            assert http.get("/", params={"token": found[2]}).status_code == 303
            break
        except httpx.TransportError:
            time.sleep(0.05)
    return server, http


def ready(http: httpx.Client) -> dict[str, Any]:
    """The state once the texts are loaded."""
    for _ in range(1200):
        state: dict[str, Any] = http.get("/api/state").json()
        if state["ready"]:
            return state
        assert state["job"]["state"] == "running", state["job"]["error"]
        time.sleep(0.05)
    raise AssertionError
