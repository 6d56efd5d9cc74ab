"""The file of a session, NAME.problex: an SQLite database with the lexicon as loaded, every step, and all labels.

A step is on the disk before it is answered (write-ahead log, full synchronisation), so that neither a crash nor a power
cut loses what was acknowledged. One process has the file open at a time. Texts are not in it, unless asked for.
"""

from __future__ import annotations

import datetime
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from problex._util.json_values import DamagedValueError
from problex._util.records import Record, to_json
from problex._version import __version__
from problex.errors import ProblexError
from problex.lexicon import Lexicon
from problex.lexicon.lexicon import Entry
from problex.workbench.steps import Log, Step
from problex.workbench.stored import check_content, check_file, explained, is_signed, no_session, sign

SUFFIX = ".problex"
APPLICATION_ID = 0x70726C78
VERSION = 1
SCHEMA = """
create table meta(key text primary key, value text);
create table source(id integer primary key, name text, paths text, sha256 text, text text, ident text, group_by text,
                    markup integer, reading text, rows integer, total integer);
create table entry(list text, word text, weight real);
create table setting(key text primary key, value text);
create table step(number integer primary key, at text, tab text, kind text, body text, state integer, before integer,
                  print text, figures text);
create table audit(id integer primary key, at text, revision integer, state integer, seed integer, size integer,
                   design text, looks integer default 0);
create table label(number integer primary key, audit integer, row integer, label text, at text, seconds real, tab text,
                   kind text);
create table note(id integer primary key, about text, at text, text text);
"""
TABLES = frozenset(("meta", "source", "entry", "setting", "step", "audit", "label", "note", "held"))
SOURCE = ("name", "paths", "sha256", "text", "ident", "group_by", "markup", "reading", "rows", "total")
"""The columns of `source` that say where the texts are; the reader signs them."""
SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError)
"""Of damaged files; the second is of a message about damaged bytes, the last of a row whose length is damaged."""
HELD = "create table if not exists held(row integer primary key, place integer, text text, columns text)"


def now() -> str:
    """The time, as sessions store it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class LabelEvent:
    """A label that was given, a document that was skipped, or an undo; `label` is None for "cannot say"."""

    number: int
    row: int
    label: str | None
    kind: str = "label"
    seconds: float | None = None
    tab: str = ""
    at: str = ""


@dataclass(frozen=True)
class StoredAudit:
    """An audit of a session: the state it was drawn in, and its design as the design file of a sheet has it."""

    id: int
    at: str
    revision: int
    state: int
    seed: int
    size: int
    design: str
    looks: int = 0


@dataclass(eq=False)
class Session:
    """An open session file. Every method that writes has committed when it returns."""

    path: Path
    database: sqlite3.Connection
    lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def create(
        cls, path: Path, lexicon: Lexicon, *, title: str, source: Mapping[str, Any], settings: Mapping[str, Any]
    ) -> Session:
        """A new session file; a file that exists is refused."""
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise ProblexError(f"{str(path)!r} exists, expected a new name for the session: open it instead") from None
        with ExitStack() as failed:  # nothing stays of a file that could not be filled
            failed.callback(path.unlink)
            session = cls(path, _connect(path))
            failed.callback(session.close)
            with session.transaction() as database:
                for statement in SCHEMA.split(";"):
                    database.execute(statement)
                database.execute(f"pragma application_id = {APPLICATION_ID}")
                database.execute(f"pragma user_version = {VERSION}")
                meta = {"problex": __version__, "title": title, "created": now(), "lists": json.dumps(lexicon.names)}
                database.executemany("insert into meta values (?, ?)", meta.items())
                database.executemany(
                    "insert into setting values (?, ?)", [(key, to_json(value)[0]) for key, value in settings.items()]
                )
                entries = [
                    (name, word, lexicon.weights.get(word)) for name, words in lexicon.lists.items() for word in words
                ]
                database.executemany("insert into entry values (?, ?, ?)", entries)
                _write_source(database, source)
            failed.pop_all()
        return session

    @classmethod
    def open(cls, path: Path) -> Session:
        """A session file that exists; raise if it is none, damaged, of a newer problex, or open elsewhere."""
        check_file(path, APPLICATION_ID)
        database = _connect(path)
        try:
            _check(database, path)
            with cls(path, database).transaction() as checked:  # takes the lock, which is kept
                checked.execute("insert or replace into meta values ('opened', ?)", (now(),))
        except SQLITE_ERRORS as error:
            database.close()
            raise explained(error, path) from None
        except BaseException:
            database.close()
            raise
        return cls(path, database)

    def close(self) -> None:
        """Close the file, so that another process can open it."""
        with self.lock:
            self.database.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Statements that are written together, and are on the disk afterwards."""
        with self.lock:
            self.database.execute("begin immediate")
            try:
                yield self.database
            except BaseException:
                self.database.execute("rollback")
                raise
            self.database.execute("commit")

    def meta(self) -> dict[str, str]:
        """Title, time of creation, version and the like."""
        with self.lock:
            return dict(self.database.execute("select key, value from meta"))

    def settings(self) -> dict[str, Any]:
        """The settings as loaded: of the tokenizer and of the estimate."""
        with self.lock:
            return {key: json.loads(value) for key, value in self.database.execute("select key, value from setting")}

    def source(self) -> Record:
        """Where the texts are."""
        with self.lock:
            row = self.database.execute("select * from source").fetchone()
            names = [column[1] for column in self.database.execute("pragma table_info(source)")]
        record = dict(zip(names, row, strict=True))
        return record | {"paths": json.loads(record["paths"]), "reading": json.loads(record["reading"])}

    @property
    def is_own(self) -> bool:
        """Whether the reader has written or confirmed where the texts are and how they are read."""
        with self.lock:
            values = self.database.execute(f"select {', '.join(SOURCE)} from source").fetchone()  # noqa: S608
        return is_signed(values, self.meta().get("signature", ""))

    def relink(self, source: Mapping[str, Any]) -> None:
        """Texts at another place, or other texts."""
        with self.transaction() as database:
            database.execute("delete from source")
            _write_source(database, source)

    def loaded(self) -> Lexicon:
        """The lexicon as it was loaded."""
        with self.lock:
            rows = self.database.execute("select word, list, weight from entry").fetchall()
        lists: dict[str, list[str]] = {}
        for word, name, _ in rows:
            lists.setdefault(name, []).append(word)
        if any(weight is not None for *_, weight in rows):
            return Lexicon.from_entries(Entry(word, name, name, weight) for word, name, weight in rows)
        return Lexicon(lists)

    # -- steps

    def append(self, steps: Iterable[Step]) -> None:
        """Add steps, all or none."""
        rows = [(*_values(step), step.state, step.before, step.print, to_json(step.figures)[0]) for step in steps]
        with self.transaction() as database:
            database.executemany("insert into step values (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def steps(self) -> list[Step]:
        """All steps, in order."""
        with self.lock:
            rows = self.database.execute("select * from step order by number").fetchall()
        return [
            Step(number, at, tab, kind, json.loads(body), state, before, print, json.loads(figures))
            for number, at, tab, kind, body, state, before, print, figures in rows
        ]

    def log(self) -> Log:
        """The log of all steps; raise if the lexicon that it leads to is not the one that was stored."""
        steps, loaded = self.steps(), self.loaded()
        log = Log.replay(loaded, self.settings(), steps)
        if steps and steps[-1].print and log.lexicon(log.state).fingerprint != steps[-1].print:
            raise ProblexError(
                f"{self.path.name} is damaged: its steps do not lead to the lexicon that was stored. Restore a copy of "
                "the file"
            )
        return log

    # -- audits

    def add_audit(self, audit: StoredAudit) -> int:
        """Add an audit; its number is chosen here."""
        with self.transaction() as database:
            cursor = database.execute(
                "insert into audit(at, revision, state, seed, size, design) values (?, ?, ?, ?, ?, ?)",
                (audit.at, audit.revision, audit.state, audit.seed, audit.size, audit.design),
            )
            return int(cursor.lastrowid or 0)

    def audits(self) -> list[StoredAudit]:
        """All audits, in order."""
        with self.lock:
            rows = self.database.execute(
                "select id, at, revision, state, seed, size, design, looks from audit order by id"
            ).fetchall()
        return [StoredAudit(*row) for row in rows]

    def add_look(self, audit: int) -> None:
        """Log that the results of an audit were looked at."""
        with self.transaction() as database:
            database.execute("update audit set looks = looks + 1 where id = ?", (audit,))

    def add_label(self, audit: int, event: LabelEvent) -> None:
        """Add a label, a skip or an undo."""
        row = (audit, event.row, event.label, event.at or now(), event.seconds, event.tab, event.kind)
        with self.transaction() as database:
            database.execute(
                "insert into label(audit, row, label, at, seconds, tab, kind) values (?, ?, ?, ?, ?, ?, ?)", row
            )

    def label_events(self, audit: int) -> list[LabelEvent]:
        """All labels, skips and undos of an audit, in order."""
        query = "select number, row, label, kind, seconds, tab, at from label where audit = ? order by number"
        with self.lock:
            return [LabelEvent(*row) for row in self.database.execute(query, (audit,))]

    # -- texts in the file

    @property
    def has_texts(self) -> bool:
        """Whether the texts are in the file, for somebody who does not have them."""
        with self.lock:
            return bool(self.database.execute("select count(*) from sqlite_master where name = 'held'").fetchone()[0])

    def texts(self) -> list[tuple[int, str, str | None]]:
        """The texts in the file: the number in the source, the text, its columns as JSON."""
        with self.lock:
            return self.database.execute("select place, text, columns from held order by row").fetchall()

    def copy(self, path: Path, texts: Sequence[tuple[int, str, str | None]] | None = None) -> None:
        """Write a copy to another file, with texts if they are given."""
        with self.lock:
            self.database.execute("vacuum into ?", (str(path),))
        copy = sqlite3.connect(path)
        try:
            copy.execute(f"pragma application_id = {APPLICATION_ID}")
            if texts is None:
                copy.execute("drop table if exists held")
            elif not self.has_texts:
                copy.execute(HELD)
                rows = ((row, *values) for row, values in enumerate(texts))
                copy.executemany("insert into held values (?, ?, ?, ?)", rows)
            copy.execute("delete from meta where key = 'signature'")
            copy.execute("update source set paths = '[]'")  # the folders of this computer concern nobody else
            copy.commit()
        finally:
            copy.close()


def _values(step: Step) -> tuple[Any, ...]:
    return step.number, step.at, step.tab, step.kind, to_json(step.body)[0]


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that has the file to itself from its first statement on."""
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.5)
    try:
        database.execute("pragma trusted_schema = off")
        database.execute("pragma locking_mode = exclusive")
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = full")
    except SQLITE_ERRORS as error:
        database.close()
        raise explained(error, path) from None
    return database


def _check(database: sqlite3.Connection, path: Path) -> None:
    kind, version = (database.execute(f"pragma {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if kind != APPLICATION_ID:
        raise no_session(path)
    if version > VERSION:
        raise ProblexError(
            f"{path.name} was written by a newer problex (its format is {version}, expected {VERSION}): upgrade problex"
        )
    others = [
        name
        for kind_of_part, name in database.execute("select type, name from sqlite_master")
        if not (kind_of_part == "table" and name in TABLES) and not name.startswith("sqlite_autoindex_")
    ]
    if others:
        raise ProblexError(f"{path.name} is not a session of the workbench: it has other parts ({others[0][:40]!r})")
    found = database.execute("pragma quick_check").fetchone()[0]
    if found != "ok":
        raise ProblexError(f"{path.name} is damaged ({found}): restore a copy of the file")
    try:
        check_content(database)
    except DamagedValueError as error:
        raise ProblexError(f"{path.name} is damaged ({error}): restore a copy of the file") from None


def _write_source(database: sqlite3.Connection, source: Mapping[str, Any]) -> None:
    record = dict(source) | {"paths": to_json(source["paths"])[0], "reading": to_json(source["reading"])[0]}
    values = [record.get(name) for name in SOURCE]
    places = ", ".join("?" * len(SOURCE))
    database.execute(f"insert into source({', '.join(SOURCE)}) values ({places})", values)  # noqa: S608
    database.execute("insert or replace into meta values ('signature', ?)", (sign(values),))
