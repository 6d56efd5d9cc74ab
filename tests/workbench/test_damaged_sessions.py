"""Damaged session files end in one clear line, and nothing is read from them: found by `make fuzz`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from problex.errors import ProblexError
from problex.workbench.loading import begin, resume
from problex.workbench.session_file import HeldText, SessionFile
from tests.workbench.running import learning


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session with two edits, a setting, an audit and a label."""
    given = learning(tmp_path)
    opened = begin(given, tmp_path / "data", lambda *_: None)
    opened.take("edit", {"edits": [{"word": "fine", "old": "positive", "new": None}]}, None, "a")
    opened.take("edit", {"edits": [{"word": "good", "old": "positive", "new": None}]}, None, "a")
    opened.take("undo", {}, None, "a")
    audit = opened.audits.draw(opened.result, 6, 0, 3, 1)
    opened.audits.add("label", audit.rows[0], "positive", None, "a")
    path = opened.file.path
    opened.close()
    return path


def damage(path: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement, values)
    database.close()


def said(path: Path) -> str:
    with pytest.raises(ProblexError) as caught:
        resume(path, lambda *_: None)
    return str(caught.value)


DAMAGES = {
    "update step set body = '{' where number = 1": "line 1: Expecting property name",
    "update step set body = '[]' where number = 1": "'step.body' is a list, expected an object",
    "update step set body = '{\"edits\": [3]}' where number = 1": "'step 1.edits.0' is 3, expected an object",
    "update step set kind = 'leap' where number = 1": "'step.kind' is 'leap', expected one of edit, accept, import",
    "update step set kind = 'import' where number = 1": "'step 1.name' is missing",
    "update step set before = 2 where number = 2": "step 2 does not follow the one before it",
    "update step set state = 7 where number = 3": "step 3 does not follow the one before it",
    "delete from step where number = 1": "step 2 is there, expected step 1",
    "update step set number = -4 where number = 3": "'step.number' is -4, expected an integer from 0 on",
    "update setting set value = 'NaN,'": "line 1: Extra data",
    "update setting set value = '3' where key = 'language'": "'setting.language' is 3, expected a text",
    "update source set paths = '{}'": "'source.paths' is an object, expected a list",
    "update source set paths = '[\"a\\u0000\"]'": "'source.paths' has a path that no file can have",
    "delete from source": "the table 'source' has 0 rows, expected 1",
    "update entry set word = x'ff'": "'entry.word' is bytes, expected a text",
    "update entry set weight = 1e999": "'entry.weight' is inf, expected a finite number",
    "update label set audit = 9": "there are labels of audit 9, which is missing",
    "update label set kind = null": "'label.kind' is None, expected one of label, skip, undo",
    "update audit set design = '{}'": "audit 1: 'format' is missing",
    "drop table label": "the table 'label' is missing",
    "alter table label add column more": "the table 'label' has other columns than number, audit, row, label",
    "alter table entry add column more as (word)": "the table 'entry' has other columns than list, word, weight",
}


@pytest.mark.parametrize("statement", DAMAGES)
def test_a_value_that_cannot_be(session: Path, statement: str) -> None:
    damage(session, statement)
    message = said(session)
    assert message.startswith(f"{session.name} is damaged ({DAMAGES[statement]}")
    assert message.endswith("): restore a copy of the file")


def test_a_step_that_leads_to_itself_does_not_hang(session: Path) -> None:
    damage(session, "update step set before = 1 where number = 1")
    assert "step 1 does not follow the one before it" in said(session)


def test_texts_in_the_file_are_checked(session: Path, tmp_path: Path) -> None:
    opened = SessionFile.open(session)
    copy = tmp_path / "copy.problex"
    opened.copy(copy, [HeldText(0, 0, "good", {"id": 1})])
    opened.close()
    damage(copy, "update held set columns = 'x'")
    assert "line 1: Expecting value" in said(copy)


def test_bytes_that_make_even_the_message_of_the_database_unreadable(session: Path) -> None:
    data = session.read_bytes()
    broken = data.replace(b"CREATE TABLE note", b"CREATF TABLE note").replace(b"notenote", b"\xc5ote\xc5ote")
    assert broken != data
    session.write_bytes(broken)
    assert "is not a session of the workbench, or it is damaged" in said(session)


def test_a_row_of_more_bytes_than_there_is_memory(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite 3.40 says that memory is used up, whatever there is, when it checks a row whose length is damaged."""

    def check(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("problex.workbench.session_file._check", check)
    assert said(session).endswith("or it is damaged (a part of it is larger than the memory): restore a copy")


def test_a_whole_session_opens(session: Path) -> None:
    opened = resume(session, lambda *_: None)
    assert opened.log.revision == 3
    opened.close()
