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
from numpy.typing import NDArray

from problex import Lexicon
from problex.workbench.guard import Access
from problex.workbench.loading import Learning
from problex.workbench.serve import listen, make_app, make_server
from problex.workbench.server_state import ServerState
from problex.workbench.texts import TextSource

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


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """The head and the columns of `pack`."""
    at = data.index(b"\n") + 1
    head = json.loads(data[:at])
    values = np.frombuffer(data, dtype="<f4", offset=at).reshape(len(head["columns"]), head["rows"])
    return head, dict(zip(head["columns"], values, strict=True))


class Client:
    """A tab: requests as the page makes them."""

    def __init__(self, access: Access, state: ServerState) -> None:
        self.access, self.state = access, state
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
        return self.state.session.log.revision

    def wait(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The job after it has ended."""
        job = self.state.jobs.find(answer["job"]["id"])
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
    state = ServerState(folder / "data", max_upload=max_upload)
    state.checkup.stop()  # tests ask for findings themselves
    server = make_server(make_app(state, access), state)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        job = state.learn(given) if given is not None else state.open(session) if session is not None else None
        if job is not None:
            assert job.finished.wait(30)
            assert state.opened is not None, state.jobs.last and state.jobs.last.error
        client = Client(access, state)
        yield client
        client.http.close()
    finally:
        server.should_exit = True
        thread.join(10)
        state.close()
