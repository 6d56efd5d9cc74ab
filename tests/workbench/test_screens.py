"""Every screen's answers, as the page asks for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from problex import count, estimate, explain, score
from tests.estimation.test_balances import PULLED, pulled
from tests.workbench.running import LISTS, Client, learning, running, small_corpus


def test_the_table_has_the_figures_of_the_model(tab: Client) -> None:
    head, columns = tab.table()
    lexicon = tab.state.session.log.loaded
    model = estimate(count(small_corpus(), lexicon), lexicon)
    assert head["lists"] == ["negative", "positive"]
    rows = {word: at for at, word in enumerate(head["words"])}
    for record in model.records():
        row = rows[record["entry"]]
        assert columns["predictiveness"][row] == pytest.approx(record["predictiveness"], rel=1e-5)
        assert columns["weight"][row] == pytest.approx(record["weight"], rel=1e-5)
        assert columns["count"][row] == record["count"]
        assert head["lists"][int(columns["list"][row])] == record["list"]
    assert head["kinds"][rows["happ*"]] == "w"
    assert head["kinds"][rows["happy"]] == "m"
    assert head["from"][str(rows["happy"])] == "happ*"
    assert head["kinds"][rows["well made"]] == "p"
    assert head["kinds"][rows["NOT good"]] == "n"
    assert head["kinds"][rows["good"]] == "e"
    assert columns["count"][rows["happ*"]] == columns["count"][rows["happy"]] + columns["count"][rows["happily"]]
    assert columns["loaded"][rows["happy"]] == -1
    assert columns["loaded"][rows["good"]] == 1


def test_an_edit_gives_what_counting_again_gives(tab: Client) -> None:
    head, columns = tab.edit("good", "positive", None)
    lexicon = tab.state.session.result.model.lexicon
    assert "good" not in lexicon.lists["positive"]
    texts = small_corpus()
    model = estimate(count(texts, lexicon), lexicon)
    scores = score(texts, model)
    assert np.allclose(tab.state.session.result.scores.values, scores.values)
    assert head["revision"] == 1
    assert head["undo"]
    assert not head["redo"]
    changed = np.sum(
        score(texts, estimate(count(texts, tab.state.session.log.loaded), tab.state.session.log.loaded)).labels()
        != scores.labels()
    )
    assert head["changed"]["documents"] == changed
    assert head["text"] == f"remove 'good' from positive: {changed} of 240 documents changed label"
    rows = {word: at for at, word in enumerate(tab.table()[0]["words"])}
    assert columns["list"][rows["good"]] == -1
    assert np.isnan(columns["predictiveness"][rows["good"]])
    assert columns["count"][rows["good"]] > 0  # a word that is off keeps its place and its count


def test_new_words_are_appended(tab: Client) -> None:
    size = tab.table()[0]["rows"]
    head, columns = tab.edit("Music", None, "positive")
    assert head["first"] == size
    assert head["words"] == ["music"]
    assert columns["list"][size] == 1
    assert len(head["kinds"]) == size + 1


def test_completions_and_the_word(tab: Client) -> None:
    found = tab.get("/api/completions", prefix="ha")["completions"]
    assert {one["word"] for one in found} == {"happy", "happily"}
    assert found[0]["list"] == "positive"
    word = tab.get("/api/word", word="good")
    assert word["list"] == "positive"
    assert word["negated"]["word"] == "NOT good"
    assert word["low"] <= word["predictiveness"] <= word["high"]
    observed = {row["list"]: row["observed"] for row in word["meets"]}
    assert observed["negative"] == word["observed"]
    expected = {row["list"]: row["expected"] for row in word["meets"]}
    assert expected["negative"] == pytest.approx(word["expected"], rel=1e-4)
    assert tab.get("/api/word", word="happ*")["forms"][0]["word"] in ("happy", "happily")
    outside = tab.get("/api/word", word="windo")
    assert outside["count"] == 0
    assert outside["nearest"] == ["window"]
    assert "no word was given" in tab.get("/api/word", 400, word=" ")["error"]


def test_all_places_of_a_word(tab: Client) -> None:
    texts = small_corpus()
    places = sum(text.split().count("good") for text in texts)
    page = tab.get("/api/kwic", word="good", number=500)
    assert page["total"] == len(page["lines"]) == places
    for order in ("left", "right", "score"):
        again = tab.get("/api/kwic", word="good", order=order, number=500)
        assert sorted((line["row"], line["left"]) for line in again["lines"]) == sorted(
            (line["row"], line["left"]) for line in page["lines"]
        )
    scores = [line["score"] for line in tab.get("/api/kwic", word="good", order="score", number=500)["lines"]]
    assert scores == sorted(scores)
    assert tab.get("/api/kwic", word="good", first=10, number=5)["lines"] == page["lines"][10:15]


def test_lists_of_documents(tab: Client) -> None:
    result = tab.state.session.result
    certain = tab.get("/api/documents", by="certain", number=240)
    assert certain["total"] == 240
    assert certain["documents"][0]["row"] == int(np.abs(result.decision).argmax())
    least = tab.get("/api/documents", by="uncertain", number=1)["documents"][0]
    assert abs(least["score"]) == pytest.approx(np.abs(result.decision[result.labels != "undecided"]).min())
    found = tab.get("/api/documents", by="search", text="WINDOW", number=500)
    assert found["total"] == sum("window" in text for text in small_corpus())
    brushed = tab.get("/api/documents", by="brush", low=0.5, high=1.5)
    assert brushed["total"] == int(((result.decision >= 0.5) & (result.decision < 1.5)).sum())
    assert all(line["label"] == "negative" for line in tab.get("/api/documents", label="negative")["documents"])
    assert tab.get("/api/documents", by="search", text="windo w")["nearest"] == ["window"]
    assert "by='best'" in tab.get("/api/documents", 400, by="best")["error"]
    bars = tab.get("/api/documents/histogram")
    assert sum(map(sum, bars["counts"].values())) == 240
    assert len(bars["edges"]) == len(bars["counts"]["positive"]) + 1


def test_documents_that_changed(tab: Client) -> None:
    before = tab.state.session.result.labels
    head, _ = tab.edit("good", "positive", "negative")
    after = tab.state.session.result.labels
    changed = tab.get("/api/documents", by="changed", number=500)
    assert {line["row"] for line in changed["documents"]} == set(np.flatnonzero(before != after).tolist())
    assert changed["total"] == head["changed"]["documents"] > 0
    line = changed["documents"][0]
    assert line["old"]["label"] == before[line["row"]]
    assert line["label"] == after[line["row"]]
    tab.edit("fine", "positive", None)
    since = tab.get("/api/documents", by="changed", since=0, number=500)["documents"]
    assert {line["row"] for line in since} == set(np.flatnonzero(before != tab.state.session.result.labels).tolist())


def test_a_document_has_the_exact_sum(tab: Client) -> None:
    document = tab.get("/api/documents/3")
    assert document["id"] == "r3"
    assert document["columns"] == {"id": "r3", "year": "2019"}
    why = document["explanation"]
    assert why["decision"] == pytest.approx(float(tab.state.session.result.scores.decision[3]))
    parts = [row["decision"] for row in why["sums"] if row["part"] != "score"]
    assert sum(parts) == pytest.approx(why["decision"])
    assert "".join(piece["text"] for piece in why["pieces"]) == document["text"]
    assert why == explain(document["text"], tab.state.session.result.model).record()
    assert "expected one from 1 to 240" in tab.get("/api/documents/999", 400)["error"]


def test_compare_two_sides(tab: Client) -> None:
    tab.edit("good", "positive", None)
    found = tab.post("/api/compare", a={"state": 0}, b={"state": 1})
    assert found["a"]["name"] == "the lexicon as loaded"
    assert sum(row["documents"] for row in found["table"]) == 240
    same = sum(row["documents"] for row in found["table"] if row["a"] == row["b"])
    assert found["agree"] == pytest.approx(same / 240)
    assert found["words"][0]["word"] == "good"
    assert found["words"][0]["list_b"] is None
    lists = {name: "\n".join(words[:5]) for name, words in LISTS.items()}
    other = tab.post("/api/compare", a={"state": 1}, b={"lexicon": {"lists": lists}, "name": "short"})
    assert other["b"]["name"] == "short"
    assert other["b"]["figures"]["entries"] == 10
    assert "forecast" not in other["b"]["figures"]
    settings = tab.post("/api/compare", a={"state": 1}, b={"state": 1, "settings": {"rule": "count"}})
    assert settings["b"]["name"] == "state 1 with rule count"
    assert "one side" in tab.post("/api/compare", 400, a={"state": 0})["error"]
    names = {"up": "good", "down": "bad"}
    assert (
        "expected the same names"
        in tab.post("/api/compare", 400, a={"state": 0}, b={"lexicon": {"lists": names}})["error"]
    )


def test_settings_are_steps(tab: Client) -> None:
    assert tab.get("/api/settings")["settings"]["rule"] == "dcm"
    head, _ = tab.post("/api/settings", settings={"rule": "count"}, base=0, tab="a")
    assert head["revision"] == 1
    assert tab.get("/api/settings")["settings"]["rule"] == "count"
    tab.post("/api/undo", base=1, tab="a")
    assert tab.get("/api/settings")["settings"]["rule"] == "dcm"
    assert "expected one of" in tab.post("/api/settings", 400, settings={"rule": "best"}, base=2)["error"]
    assert "expected one of" in tab.post("/api/settings", 400, settings={"colour": "red"}, base=2)["error"]


def test_without_texts_the_page_says_so(empty_tab: Client) -> None:
    state = empty_tab.get("/api/state")
    assert not state["ready"]
    assert state["session"] is None
    for path in ("/api/lexicon", "/api/history", "/api/documents", "/api/audit", "/api/export", "/api/doctor"):
        answer = empty_tab.get(path, 404)
        assert answer == {
            "error": "no texts are loaded yet: choose texts and a lexicon, or open the demo",
            "empty": True,
        }


def test_the_page_says_what_depends_on_the_balance_of_the_lists(tmp_path: Path, tab: Client) -> None:
    assert tab.get("/api/state")["figures"]["balance"] is None
    lists = {name: list(words) for name, words in PULLED.lists.items()}
    (tmp_path / "five").mkdir()
    with running(tmp_path / "five", learning(tmp_path / "five", pulled(), lists)) as other:
        sentence = other.get("/api/state")["figures"]["balance"]
    assert "of the texts are lista, but" in sentence
    assert "compare with the balance 'equal' on the screen Compare, or label 40 texts on the screen Audit." in sentence


def test_the_page_says_how_many_texts_are_copies(tmp_path: Path) -> None:
    texts = small_corpus()
    with running(tmp_path, learning(tmp_path, [*texts, *(text.upper() for text in texts[:9]), "", ""])) as tab:
        assert "9 of 249 texts are copies of others." in tab.get("/api/state")["notes"]
