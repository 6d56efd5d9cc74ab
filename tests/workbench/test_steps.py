"""The log: edits, undo, redo and branches, and that its file leads to the same lexicon."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from problex import Lexicon
from problex.errors import ProblexError
from problex.lexicon import Edit
from problex.workbench.open_session import OpenSession
from problex.workbench.session_file import SessionFile
from problex.workbench.steps import ConflictError, Log, check_conflict, describe
from tests.workbench.running import LISTS, Client, learning

WORDS = [*(word for words in LISTS.values() for word in words), "film", "music", "plot"]
LOADED = Lexicon({"up": ["good", "fine"], "down": ["bad", "poor"]})


def edit(log: Log, word: str, old: str | None, new: str | None) -> None:
    log.add(log.change("edit", {"edits": [{"word": word, "old": old, "new": new}]}))


def test_undo_and_redo_are_steps_and_nothing_is_deleted() -> None:
    log = Log(LOADED)
    edit(log, "fine", "up", None)
    edit(log, "dull", None, "down")
    log.add(log.move("undo"))
    assert log.lexicon(log.state).lists["down"] == ("bad", "poor")
    log.add(log.move("undo"))
    assert log.lexicon(log.state) == LOADED
    log.add(log.move("redo"))
    log.add(log.move("redo"))
    assert log.lexicon(log.state).lists == {"down": ("bad", "dull", "poor"), "up": ("good",)}
    assert [step.kind for step in log.steps] == ["edit", "edit", "undo", "undo", "redo", "redo"]
    assert log.revision == 6
    assert log.state == 2
    with pytest.raises(ProblexError, match="nothing to redo"):
        log.move("redo")


def test_an_edit_after_an_undo_begins_a_branch_and_the_old_one_can_be_gone_to() -> None:
    log = Log(LOADED)
    edit(log, "fine", "up", None)
    log.add(log.move("undo"))
    edit(log, "warm", None, "up")
    assert not log.can_redo
    assert log.lexicon(log.state).lists["up"] == ("fine", "good", "warm")
    log.add(log.move("goto", 1))
    assert log.lexicon(log.state).lists["up"] == ("good",)
    log.add(log.move("goto", 3))
    assert log.lexicon(log.state).lists["up"] == ("fine", "good", "warm")
    log.add(log.move("goto", 0))
    assert log.lexicon(log.state) == LOADED
    with pytest.raises(ProblexError, match="there is no state 2 in this session"):
        log.move("goto", 2)
    with pytest.raises(ProblexError, match="nothing to undo: this is the lexicon as it was loaded"):
        log.move("undo")


def test_settings_follow_the_path() -> None:
    log = Log(LOADED, {"language": "en", "rule": "dcm"})
    log.add(log.change("settings", {"settings": {"rule": "count"}}))
    edit(log, "fine", "up", None)
    assert log.settings_of(log.state) == {"language": "en", "rule": "count"}
    assert log.settings_of(0)["rule"] == "dcm"
    log.add(log.change("labels", {"on": True, "audit": 1, "last": 7}))
    assert log.labels_of(log.state) == {"on": True, "audit": 1, "last": 7}
    assert log.labels_of(1) is None


def test_a_conflict_says_what_is_there_now() -> None:
    with pytest.raises(ConflictError, match=r"'good' is now in 'up', not in no list, because it was changed elsewhere"):
        check_conflict(LOADED, [Edit("good", None, "down")])
    with pytest.raises(ConflictError, match=r"'warm' is now in no list, not in 'up'"):
        check_conflict(LOADED, [Edit("warm", "up", None)])
    check_conflict(LOADED, [Edit("good", "up", None)])


def test_steps_in_words() -> None:
    edits = [Edit(word, "up", None) for word in ("a", "b", "c", "d")]
    assert describe(edits).endswith("remove 'c' from up; and 1 more edit")


def random_step(opened: OpenSession, choice: tuple[int, int, int]) -> tuple[str, dict[str, Any]]:
    """A step that a person could take."""
    kind, first, second = choice
    if kind == 0:
        return "undo", {}
    if kind == 1:
        return "redo", {}
    if kind == 2:
        return "goto", {"state": first % (opened.log.revision + 1)}
    word = WORDS[first % len(WORDS)]
    lists = opened.result.model.lexicon.lists
    old = next((name for name, words in lists.items() if word in words), None)
    new = [None, "positive", "negative"][second % 3]
    return "edit", {"edits": [{"word": word, "old": old, "new": new}]}


choices = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 40), st.integers(0, 2)), min_size=1, max_size=8)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(choices)
def test_any_steps_give_what_counting_again_gives_and_the_file_gives_the_same(
    steps: list[tuple[int, int, int]],
) -> None:
    """Scores of the last state are those of `score` with a model from the texts; the file replays to it."""
    from problex import count, estimate, score
    from problex.workbench.loading import begin, resume
    from tests.workbench.running import small_corpus

    texts = small_corpus(60)
    with tempfile.TemporaryDirectory() as name:
        opened = begin(learning(Path(name), texts), Path(name) / "data", lambda *_: None)
        for choice in steps:
            kind, body = random_step(opened, choice)
            revision = opened.log.revision
            try:
                opened.take(kind, body, revision, "a")
            except ProblexError:
                assert opened.log.revision == revision  # what is refused leaves no trace
        lexicon = opened.result.model.lexicon
        model = estimate(count(texts, lexicon), lexicon)
        assert np.allclose(opened.result.scores.values, score(texts, model).values)
        assert np.array_equal(opened.result.labels, score(texts, model).labels())
        opened.close()
        again = resume(opened.file.path, lambda *_: None)
        assert again.result.model == opened.result.model
        assert (again.log.state, again.log.revision) == (opened.log.state, opened.log.revision)
        assert (again.log.can_undo, again.log.can_redo) == (opened.log.can_undo, opened.log.can_redo)
        assert [step.text for step in again.log.steps] == [step.text for step in opened.log.steps]
        again.close()


def test_two_tabs_do_not_lose_each_others_edits(tab: Client) -> None:
    first = {"edits": [{"word": "good", "old": "positive", "new": None}], "base": 0, "tab": "a"}
    second = {"edits": [{"word": "bad", "old": "negative", "new": None}], "base": 0, "tab": "b"}
    assert tab.post("/api/edits", **first)[0]["revision"] == 1
    assert tab.post("/api/edits", **second)[0]["revision"] == 2  # behind, but it still fits
    lists = tab.state.session.result.model.lexicon.lists
    assert "good" not in lists["positive"]
    assert "bad" not in lists["negative"]
    again = tab.post("/api/edits", 409, **first)
    assert again["revision"] == 2
    assert again["error"].startswith("'good' is now in no list, not in 'positive', because it was changed elsewhere")
    refused = tab.post("/api/undo", 409, base=1, tab="a")
    assert "revision 2, expected 1" in refused["error"]
    assert tab.post("/api/undo", base=2, tab="a")[0]["state"] == 1
    assert tab.get("/api/history")["steps"][-1]["kind"] == "undo"


def test_words_of_another_lexicon_are_one_step(tab: Client) -> None:
    text = b"word,list\nGOOD,positive\nfilm,positive\nbad,positive\ndull,negative\n"
    sent = {"upload": tab.upload("own.csv", text, "lexicon")["upload"]}
    head, _ = tab.post("/api/lexicon/import", lexicon=sent, name="own.csv", base=0, tab="a")
    assert head["text"].startswith("import own.csv (1 entry added, 1 moved): ")
    lists = tab.state.session.result.model.lexicon.lists
    assert sorted(lists["positive"]) == sorted([*LISTS["positive"], "film", "bad"])
    assert sorted(lists["negative"]) == sorted(word for word in LISTS["negative"] if word != "bad")
    head, _ = tab.post("/api/lexicon/import", lexicon=sent, name="own.csv", replace=True, base=1, tab="a")
    lists = tab.state.session.result.model.lexicon.lists
    assert lists == {"negative": ("dull",), "positive": ("bad", "film", "good")}
    again = tab.post("/api/lexicon/import", 400, lexicon=sent, replace=True, base=2, tab="a")
    assert again["error"] == "the lexicon has all these words already, so that nothing would change"
    other = {"lists": {"up": "fine", "down": "bad"}}
    refused = tab.post("/api/lexicon/import", 400, lexicon=other, base=2, tab="a")
    assert "its lists are down, up, expected negative, positive: rename them" in refused["error"]
    assert tab.post("/api/undo", base=2, tab="a")[0]["state"] == 1


def test_edits_that_wait_are_computed_together_and_logged_singly(tab: Client) -> None:
    import threading

    opened = tab.state.session
    computed = []
    original = opened.results._compute
    opened.results._compute = lambda plan: computed.append(plan) or original(plan)  # type: ignore[func-returns-value, method-assign]
    words = ["good", "fine", "lovely", "warm"]
    answers: dict[str, Any] = {}

    def ask(word: str) -> None:
        answers[word] = opened.take("edit", {"edits": [{"word": word, "old": "positive", "new": None}]}, 0, word)

    with opened.lock:  # as if an edit were being computed
        threads = [threading.Thread(target=ask, args=(word,)) for word in words]
        for thread in threads:
            thread.start()
        while len(opened.waiting) < len(words):
            pass
    for thread in threads:
        thread.join()
    assert len(computed) == 1
    assert [step.number for step in opened.log.steps] == [1, 2, 3, 4]
    assert sorted(step.edits[0].word for step in opened.file.steps()) == sorted(words)
    assert {answers[word].step.edits[0].word for word in words} == set(words)
    assert not set(words) & set(opened.result.model.lexicon.lists["positive"])


def test_of_edits_that_wait_only_the_wrong_ones_are_refused(tab: Client) -> None:
    opened = tab.state.session
    from problex.workbench.open_session import Request

    right = Request("edit", {"edits": [{"word": "good", "old": "positive", "new": None}]}, 0, "a")
    wrong = Request("edit", {"edits": [{"word": "good", "old": "positive", "new": "negative"}]}, 0, "b")
    other = Request("edit", {"edits": [{"word": "fine", "old": "positive", "new": None}]}, 0, "c")
    with opened.lock:
        opened._take_all([right, wrong, other])
    assert right.answer.result().step.number == 1
    assert other.answer.result().step.number == 2
    with pytest.raises(ConflictError):
        wrong.answer.result()
    assert [step.tab for step in opened.file.steps()] == ["a", "c"]


def test_a_list_cannot_be_emptied(tmp_path: Path) -> None:
    from tests.workbench.running import running

    with running(tmp_path, learning(tmp_path, lists={"positive": ["good"], "negative": ["bad", "poor"]})) as tab:
        answer = tab.edit("good", "positive", None, 400)
        assert "is the last entry of 'positive'" in answer["error"]
        assert tab.revision == 0
        assert "expected at least one" in tab.post("/api/edits", 400, edits=[], base=0)["error"]
        assert "'edits.0.old' is missing" in tab.post("/api/edits", 400, edits=[{"word": "x"}], base=0)["error"]


def test_phrases_can_be_edited(tab: Client) -> None:
    from problex import count, estimate, score
    from tests.workbench.running import small_corpus

    tab.edit("rip off", "negative", None)
    tab.edit("film story", None, "positive")
    lexicon, texts = tab.state.session.result.model.lexicon, small_corpus()
    assert np.allclose(
        tab.state.session.result.scores.values, score(texts, estimate(count(texts, lexicon), lexicon)).values
    )


def test_a_long_session_opens_without_computing_every_state(tmp_path: Path) -> None:
    from problex.workbench.loading import begin, resume

    opened = begin(learning(tmp_path), tmp_path / "data", lambda *_: None)
    log = opened.log
    for number in range(1000):
        old, new = ("positive", None) if number % 2 == 0 else (None, "positive")
        step = log.change("edit", {"edits": [{"word": "good", "old": old, "new": new}]})
        log.add(step)
    opened.file.append(log.steps)
    opened.close()
    again = resume(opened.file.path, lambda *_: None)
    assert again.log.revision == 1000
    assert again.result.model.lexicon == again.log.loaded
    assert len(again.results.kept) == 1  # the last state
    assert again.previous is not None
    assert "good" not in again.previous.model.lexicon.lists["positive"]
    assert len(again.results.kept) == 2  # and the one before it, now that it was used
    again.close()


def test_a_session_says_what_is_wrong_with_its_file(tmp_path: Path) -> None:
    from problex.workbench.loading import begin

    opened = begin(learning(tmp_path), tmp_path / "data", lambda *_: None)
    path = opened.file.path
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ProblexError, match=r"reviews.problex is open in another workbench: use that one, or stop it"):
        SessionFile.open(path)
    opened.close()
    session = SessionFile.open(path)
    session.database.execute("pragma user_version = 9")
    session.close()
    with pytest.raises(ProblexError, match=r"was written by a newer problex \(its format is 9, expected 1\): upgrade"):
        SessionFile.open(path)
    other = tmp_path / "other.problex"
    other.write_text("not a database, " * 100)
    with pytest.raises(ProblexError, match=r"other.problex is not a session of the workbench"):
        SessionFile.open(other)
    with pytest.raises(ProblexError, match=r"the session file .* does not exist"):
        SessionFile.open(tmp_path / "none.problex")


def test_a_file_of_another_program_is_not_changed(tmp_path: Path) -> None:
    """SQLite would fill an empty one, and change the mode of a database."""
    (tmp_path / "empty.csv").touch()
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("create table a (b)")
    database.close()
    for path in [*tmp_path.iterdir()]:
        before = path.read_bytes()
        with pytest.raises(ProblexError, match=rf"^{path.name} is not a session of the workbench: choose a file"):
            SessionFile.open(path)
        assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["empty.csv", "other.sqlite"]


def test_a_session_whose_steps_were_changed_is_refused(tab: Client) -> None:
    tab.edit("good", "positive", None)
    session = tab.state.session.file
    body = '{"edits": [{"word": "fine", "old": "positive", "new": null}]}'
    session.database.execute("update step set body = ?", (body,))
    with pytest.raises(ProblexError, match="is damaged: its steps do not lead to the lexicon that was stored"):
        session.log()


def test_changed_texts_make_a_session_read_only(tmp_path: Path) -> None:
    from problex.workbench.loading import begin, resume
    from tests.workbench.running import small_corpus, write_texts

    opened = begin(learning(tmp_path), tmp_path / "data", lambda *_: None)
    path = opened.file.path
    opened.close()
    write_texts(tmp_path, [*small_corpus(), "one more"])
    changed = resume(path, lambda *_: None)
    with pytest.raises(ProblexError, match="The texts have changed since this session was begun"):
        changed.take("edit", {"edits": [{"word": "good", "old": "positive", "new": None}]}, 0, "a")
    changed.close()
    (tmp_path / "reviews.jsonl").unlink()
    with pytest.raises(ProblexError, match=r"the texts of this session, reviews.jsonl, are not where they were"):
        resume(path, lambda *_: None)


def test_a_step_without_edits_is_refused(tab: Client) -> None:
    assert tab.post("/api/edits", 400, edits=[])["error"] == "the request has no edits, expected at least one"
