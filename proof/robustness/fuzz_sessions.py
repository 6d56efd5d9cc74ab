"""Targets of `make fuzz` for the workbench: the bytes of a session file, and the values in its tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path

from problex import Lexicon, count, estimate, score
from problex._util.json_values import DamagedValueError
from problex.audit import draw
from problex.audit.design import Design, dump_design, expected_measures, model_fingerprint, text_fingerprint
from problex.errors import ProblexError
from problex.model import Settings
from problex.workbench.audits import Audits
from problex.workbench.loading import held_texts, source_of, tokenizer_of
from problex.workbench.open_session import estimation_settings, make_plan
from problex.workbench.session_file import (
    TABLES,
    HeldText,
    LabelEvent,
    SessionFile,
    StoredAudit,
    StoredSource,
    check_content,
)
from problex.workbench.steps import Log

CELLS = [(table, one.name) for table, kind in TABLES.items() if table not in ("note", "meta") for one in fields(kind)]
BODIES: list[tuple[str, dict[str, object]]] = [
    ("edit", {"edits": [{"word": "good", "old": "positive", "new": None}]}),
    ("settings", {"settings": {"rule": "multinomial", "shrinkage": 0.5}}),
    ("labels", {"on": True, "audit": 1, "last": 2}),
]


def read_session(session: SessionFile) -> None:
    """Read all that opening a session reads, but its texts' words."""
    log, settings = session.log(), session.settings()
    source_of(session.source())
    tokenizer_of(settings)
    if session.has_texts:
        audits = Audits.of(session, held_texts(session))
        Settings.from_options(**make_plan(log, log.state, audits).settings)
        for labelling in audits.all:
            labelling.in_order()
    Settings.from_options(**estimation_settings(log.settings_of(log.state)))
    for step in log.steps:
        str(step.text)


def make_session(path: Path, texts: list[str], lexicon: Lexicon) -> None:
    """A small session file with steps, an audit, labels and its texts."""
    path.unlink(missing_ok=True)
    source = StoredSource(0, "x.csv", ("/x.csv",), "0", "text", None, None, 0, {}, len(texts), len(texts))
    session = SessionFile.create(path, lexicon, title="x", source=source, settings={"language": "en", "rule": "dcm"})
    model = estimate(count(texts, lexicon), lexicon)
    scores = score(texts, model)
    sample = draw(scores, 6)
    prints = tuple(text_fingerprint(texts[row]) for row in sample.rows.tolist())
    design = Design(sample, model_fingerprint(model), 0, prints, expected_measures(scores))
    session.add_audit(StoredAudit(0, "2026-01-01", 0, 0, 0, 6, dump_design(design)))
    for row in sample.rows.tolist()[:2]:
        session.add_label(LabelEvent(0, 1, row, model.classes[0]))
    log = Log(lexicon, session.settings())
    for kind, body in BODIES:
        log.add(log.change(kind, body))
    log.add(log.move("undo"))
    session.append(log.steps)
    held = [HeldText(row, row, text, {"id": row}) for row, text in enumerate(texts)]
    small = path.with_suffix(".small")
    small.unlink(missing_ok=True)
    session.copy(small, held)
    session.close()
    _shrink(small)
    small.replace(path)


def _shrink(path: Path) -> None:
    """Small pages, so that fewer bytes are empty."""
    with sqlite3.connect(path) as database:
        database.execute("pragma page_size = 512")
        database.execute("vacuum")
    database.close()


def session_file(path: Path, data: bytes) -> None:
    """Open damaged bytes as a session."""
    path.write_bytes(data)
    try:
        session = SessionFile.open(path)
        try:
            read_session(session)
        finally:
            session.close()
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)


@cache
def _whole(path: Path) -> bytes:
    return path.read_bytes()


def session_values(path: Path, data: bytes) -> None:
    """Open a session in which one value is another: the first two bytes say which, and its type."""
    table, column = CELLS[data[0] % len(CELLS)] if data else CELLS[0]
    rest = data[2:]
    kinds = (lambda: rest.decode("utf-8", "replace"), lambda: rest, lambda: len(rest), lambda: None, lambda: -0.5)
    value = kinds[data[1] % len(kinds)]() if len(data) > 1 else None
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.deserialize(_whole(path))
    try:
        database.execute(f"update {table} set {column} = ? where rowid = (select max(rowid) from {table})", (value,))
        check_content(database)
        read_session(SessionFile(path, database))
    except (sqlite3.IntegrityError, DamagedValueError) as error:
        raise ProblexError(str(error)) from None
    finally:
        database.close()


def value_seeds(path: Path) -> Iterator[bytes]:
    """The values of the last row of each table."""
    database = sqlite3.connect(path)
    for number, (table, column) in enumerate(CELLS):
        row = database.execute(f"select {column} from {table} order by rowid desc limit 1").fetchone()
        yield bytes([number, 3]) if row[0] is None else bytes([number, 0]) + str(row[0]).encode()
    database.close()
