"""Audits on the page: blind, one key a label, safe against undo, restart and edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from problex.audit import audit, score_sheets
from problex.workbench.loading import resume
from problex.workbench.screens.audit import next_document
from tests.workbench.running import Client


def truth(row: int) -> str:
    """The label of a text of the small corpus."""
    return "positive" if row % 2 else "negative"


def label(tab: Client, number: int) -> dict[str, Any]:
    """Label the next documents as the corpus was made."""
    answer: dict[str, Any] = {}
    for _ in range(number):
        document = tab.get("/api/audit/next")
        answer = tab.post("/api/audit/label", row=document["row"], label=truth(document["row"]), seconds=1.5, tab="a")
    return answer


def test_draw_label_and_reveal(tab: Client) -> None:
    assert tab.get("/api/audit") == {"audit": None, "suggested_size": 60}
    assert "no sample was drawn yet" in tab.get("/api/audit/next", 400)["error"]
    drawn = tab.post("/api/audit/draw", size=30, seed=1, tab="a")["audit"]
    assert (drawn["size"], drawn["left"], drawn["labelled"], drawn["width"]) == (30, 30, 0, None)
    first = tab.get("/api/audit/next")
    assert set(first) == {"done", "row", "id", "text", "position", "of"}  # no score, no label, no colour
    state = label(tab, 10)
    assert state["audit"]["labelled"] == 10
    assert 0 < state["audit"]["width"] < 0.5
    assert "value" not in state["audit"]
    assert state["next"]["position"] == 11
    label(tab, 20)
    assert tab.get("/api/audit/next") == {"done": True}
    revealed = tab.post("/api/audit/reveal", tab="a")
    labelling = tab.state.session.audits.require()
    expected = audit(labelling.design.sample, [truth(row) for row in labelling.rows], labelling.design.expected)
    accuracy = next(row for row in revealed["estimates"] if row["measure"] == "accuracy")
    assert accuracy["value"] == pytest.approx(expected["accuracy"].value, abs=1e-4)
    assert (revealed["labelled"], revealed["looks"]) == (30, 1)
    assert not any("problex audit" in note or "--" in note for note in revealed["notes"])
    assert tab.post("/api/audit/reveal", tab="a")["looks"] == 2
    assert tab.get("/api/audit")["audit"]["revealed"]


def test_documents_of_an_open_audit_have_no_score_anywhere(tab: Client) -> None:
    tab.post("/api/audit/draw", size=30, seed=1, tab="a")
    row = tab.get("/api/audit/next")["row"]
    document = tab.get(f"/api/documents/{row}")
    assert document["blind"]
    assert document["explanation"] is None
    text = document["text"]
    found = tab.get("/api/documents", by="search", text=text)["documents"][0]
    assert (found["row"], found["score"], found["label"], found["probability"]) == (row, None, None, None)
    for query in ({"by": "certain"}, {"by": "uncertain"}, {"by": "brush", "low": -99}, {"label": "positive"}):
        rows = {line["row"] for line in tab.get("/api/documents", number=500, **query)["documents"]}
        assert not rows & tab.state.session.audits.blind_rows
    lines = tab.get("/api/kwic", word="good", number=500, order="score")["lines"]
    blind = [line for line in lines if line["row"] in tab.state.session.audits.blind_rows]
    assert blind
    assert all(line["score"] is None and line["label"] is None for line in blind)
    assert lines[-len(blind) :] == blind  # their place tells nothing either
    head, _ = tab.edit("good", "positive", "negative")
    assert head["changed"]["documents"] > 0
    changed = tab.get("/api/documents", by="changed", number=500)["documents"]
    assert not {line["row"] for line in changed} & tab.state.session.audits.blind_rows
    tab.post("/api/audit/label", row=row, label="positive", tab="a")
    assert not tab.get(f"/api/documents/{row}")["blind"]


def test_undo_skip_and_cannot_say(tab: Client) -> None:
    tab.post("/api/audit/draw", size=10, seed=2, tab="a")
    order = tab.state.session.audits.require().rows
    state = tab.post("/api/audit/skip", row=order[0], tab="a")
    assert state["next"]["row"] == order[1]
    assert state["audit"]["left"] == 10
    tab.post("/api/audit/label", row=order[1], label=None, tab="a")
    tab.post("/api/audit/label", row=order[2], label="positive", tab="a")
    state = tab.post("/api/audit/undo", tab="a")
    assert state["next"]["row"] == order[2]
    assert (state["audit"]["labelled"], state["audit"]["unsure"]) == (0, 1)
    for row in order[2:]:
        tab.post("/api/audit/label", row=row, label="negative", tab="a")
    assert tab.get("/api/audit/next")["row"] == order[0]  # the skipped one comes again, last
    tab.post("/api/audit/undo", tab="a")
    tab.post("/api/audit/undo", tab="a")
    assert tab.get("/api/audit")["audit"]["labelled"] == 6
    for _ in range(8):
        tab.post("/api/audit/undo", tab="a")
    assert "there is no label to undo" in tab.post("/api/audit/undo", 400, tab="a")["error"]


def test_wrong_labels_are_refused(tab: Client) -> None:
    tab.post("/api/audit/draw", size=10, seed=2, tab="a")
    row = tab.get("/api/audit/next")["row"]
    assert "expected one of negative, positive" in tab.post("/api/audit/label", 400, row=row, label="x")["error"]
    outside = next(number for number in range(240) if number not in tab.state.session.audits.require().rows)
    assert "is not in the sample" in tab.post("/api/audit/label", 400, row=outside, label="positive")["error"]
    tab.post("/api/audit/label", row=row, label="positive", tab="a")
    again = tab.post("/api/audit/label", 400, row=row, label="negative", tab="b")
    assert "has a label already, perhaps from another tab" in again["error"]
    assert "a sample is being labelled (1 of 10" in tab.post("/api/audit/draw", 409, size=10)["error"]
    assert tab.post("/api/audit/draw", size=12, fresh=True)["audit"]["size"] == 12
    assert "expected from 1 to 10,000" in tab.post("/api/audit/draw", 400, size=0, fresh=True)["error"]
    assert "there are only" in tab.post("/api/audit/draw", 400, size=999, fresh=True)["error"]


def test_labels_survive_a_restart(tab: Client) -> None:
    tab.post("/api/audit/draw", size=20, seed=3, tab="a")
    label(tab, 8)
    opened = tab.state.session
    before, row = opened.audits.require(), tab.get("/api/audit/next")["row"]
    opened.close()
    again = resume(opened.file.path, lambda *_: None)
    after = again.audits.require()
    assert after.labels() == before.labels()
    assert after.rows == before.rows
    assert next_document(again)["row"] == row
    again.close()
    tab.state.opened = None


def test_labels_survive_an_edit(tab: Client) -> None:
    tab.post("/api/audit/draw", size=30, seed=1, tab="a")
    label(tab, 30)
    assert tab.get("/api/audit")["audit"]["note"] is None
    tab.edit("good", "positive", "negative")
    state = tab.get("/api/audit")["audit"]
    assert "Labels that were used to choose edits no longer measure them" in state["note"]
    assert (state["revision"], state["now"], state["labelled"]) == (0, 1, 30)
    revealed = tab.post("/api/audit/reveal", tab="a")
    labelling, result = tab.state.session.audits.require(), tab.state.session.result
    right = np.mean([result.labels[row] == truth(row) for row in labelling.rows])
    accuracy = next(row for row in revealed["estimates"] if row["measure"] == "accuracy")
    assert accuracy["low"] <= right <= accuracy["high"]
    assert any("drawn with another model" in note for note in revealed["notes"])


def test_labels_set_the_threshold_as_the_library_does(tab: Client) -> None:
    from problex.audit.thresholds import with_labels

    assert "no sample was drawn" in tab.post("/api/audit/use", 400, on=True, base=0)["error"]
    tab.post("/api/audit/draw", size=30, seed=1, tab="a")
    assert "no document has a label yet" in tab.post("/api/audit/use", 400, on=True, base=0)["error"]
    label(tab, 20)
    plain = tab.state.session.result.model
    head, _ = tab.post("/api/audit/use", on=True, base=0, tab="a")
    model = tab.state.session.result.model
    labels = tab.state.session.result.plan.labels
    assert labels is not None
    assert model == with_labels(plain, labels)
    assert head["figures"]["after"]["threshold_source"] == "from 20 audit labels"
    label(tab, 5)  # later labels do not move what was stored
    opened = tab.state.session
    opened.close()
    again = resume(opened.file.path, lambda *_: None)
    assert again.result.model == model
    again.take("undo", {}, None, "a")
    assert again.result.model == plain
    again.close()
    tab.state.opened = None


def test_exported_labels_are_read_by_the_command(tab: Client, tmp_path: Path) -> None:
    import io
    import zipfile

    tab.post("/api/audit/draw", size=20, seed=1, tab="a")
    label(tab, 20)
    answer = tab.http.get("/api/export/labels")
    assert answer.headers["content-disposition"].startswith("attachment")
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(tmp_path / "labels")
    found, _ = score_sheets([tmp_path / "labels" / "labels.csv"])
    labelling = tab.state.session.audits.require()
    assert found["accuracy"] == labelling.evaluate(tab.state.session.result)["accuracy"]
