"""A workbench on a real port, with a small corpus, for tests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from problex import Lexicon
from problex.workbench.loading import Learning
from problex.workbench.server.guard import Access
from problex.workbench.server.serve import listen, make_app, make_server
from problex.workbench.texts import TextSource
from problex.workbench.wire import unpack
from problex.workbench.workbench import Workbench

LISTS = {
    "positive": ["good", "fine", "lovely", "warm", "bright", "glad", "happ*", "well made"],
    "negative": ["bad", "poor", "dull", "cold", "weak", "sad", "fail*", "rip off"],
}
FORMS = {"happ*": ("happy", "happily"), "fail*": ("failed", "failure")}
OTHERS = ["the", "a", "film", "story", "music", "scene", "actor", "plot", "ending", "voice", "day", "road", "window"]


def small_corpus(documents: int = 240, seed: int = 0) -> list[str]:
    """Texts in which the words of one list prevail."""
    random = np.random.default_rng(seed)
    texts = []
    for number in range(documents):
        own, other = ("positive", "negative") if number % 2 else ("negative", "positive")
        words = [str(word) for word in random.choice(OTHERS, 12)]
        for name, size in ((own, 4), (other, 1)):
            for entry in random.choice(LISTS[name], size):
                words.append(str(random.choice(FORMS.get(str(entry), (str(entry),)))))
        random.shuffle(words)
        if number % 7 == 0:
            words += ["not", "good"]
        texts.append(" ".join(words))
    return texts


def write_texts(folder: Path, texts: list[str] | None = None) -> Path:
    """The corpus as JSON lines with an id and a group."""
    path = folder / "reviews.jsonl"
    rows = [
        {"id": f"r{number}", "year": 2019 + number % 3, "review": text}
        for number, text in enumerate(texts or small_corpus())
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def learning(folder: Path, texts: list[str] | None = None, lists: dict[str, list[str]] | None = None) -> Learning:
    """What a session begins with."""
    source = TextSource("reviews.jsonl", (write_texts(folder, texts),), "review", "id", "year")
    return Learning(source, Lexicon(lists or LISTS), "reviews", {"language": "en"})


class Client:
    """A tab: requests as the page makes them."""

    def __init__(self, access: Access, bench: Workbench) -> None:
        self.access, self.bench = access, bench
        self.origin = f"http://127.0.0.1:{access.port}"
        self.http = httpx.Client(base_url=self.origin, headers={"origin": self.origin}, timeout=30)
        assert self.http.get("/", params={"token": access.printed}, follow_redirects=False).status_code == 303

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.http.get(path, params=query)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, path: str, status: int = 200, /, **body: Any) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.headers["content-type"] == "application/json" else unpack(answer.content)

    def table(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return unpack(self.http.get("/api/lexicon").content)

    def edit(self, word: str, old: str | None, new: str | None, status: int = 200, tab: str = "a") -> Any:
        edit = {"word": word, "old": old, "new": new}
        return self.post("/api/edits", status, edits=[edit], base=self.revision, tab=tab)

    @property
    def revision(self) -> int:
        return self.bench.session.log.revision

    def wait(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The job after it has ended."""
        job = self.bench.jobs.find(answer["job"]["id"])
        assert job.finished.wait(30)
        return job.record()

    def upload(self, name: str, content: bytes, kind: str = "texts", status: int = 200) -> Any:
        answer = self.http.post("/api/uploads", params={"name": name, "kind": kind}, content=content)
        assert answer.status_code == status, answer.text
        return answer.json()


@contextmanager
def running(
    folder: Path, given: Learning | None = None, max_upload: int = 1 << 20, port: int = 0, session: Path | None = None
) -> Iterator[Client]:
    """A server in a thread that begins or opens a session, if one is given."""
    bound = listen(port)
    access = Access(bound.getsockname()[1])
    bench = Workbench(folder / "data", max_upload=max_upload)
    bench.checkup.stop()  # tests ask for findings themselves
    server = make_server(make_app(bench, access), bench)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        job = bench.learn(given) if given is not None else bench.open(session) if session is not None else None
        if job is not None:
            assert job.finished.wait(30)
            assert bench.opened is not None, bench.jobs.last and bench.jobs.last.error
        client = Client(access, bench)
        yield client
        client.http.close()
    finally:
        server.should_exit = True
        thread.join(10)
        bench.close()
