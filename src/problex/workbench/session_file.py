"""The file of a session, NAME.problex: an SQLite database with the lexicon as loaded, every step, and all labels.

A step is on the disk before it is answered (write-ahead log, full synchronisation), so that neither a crash nor a power
cut loses what was acknowledged. One process has the file open at a time. Texts are not in it, unless asked for.

The source of a session names files of a computer, and may have a query, so it is used only if the reader has written or
confirmed it: then it is signed with the secret of the reader's data folder. A signature in the file says so wherever
the file is moved; a list of the files that are known would believe whatever somebody else puts in the place of one.
Nobody else can sign, and a source that is changed, or a session that comes from another person or computer, has no
valid signature until the reader gives its texts.
"""

from __future__ import annotations

import datetime
import hmac
import json
import os
import secrets
import sqlite3
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar

from problex._util.json_values import DamagedValueError, Fields, check_text, check_texts, parse_json
from problex._util.records import Record, to_json
from problex._version import __version__
from problex.errors import DocumentError, ProblexError
from problex.lexicon import Edit, Lexicon
from problex.lexicon.lexicon import Entry
from problex.tables.formats import FORMATS
from problex.tables.reader import ReadOptions
from problex.workbench.fields import AnyInteger, Json, JsonObject, decode, decode_row, one_of
from problex.workbench.steps import CHANGES, Log, Step

T = TypeVar("T")
SUFFIX = ".problex"
APPLICATION_ID = 0x70726C78
VERSION = 1
SQLITE = b"SQLite format 3\0"
APPLICATION_AT = 68
"""Where the header of a database has the number of its application."""
SECRET_BYTES = 32
SQLITE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError, MemoryError)
"""Of damaged files; the second is of a message about damaged bytes, the last of a row whose length is damaged."""


def now() -> str:
    """The time, as sessions store it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


# -- the rows of its tables


def _paths(name: str, value: object) -> tuple[str, ...]:
    r"""The paths in a list of JSON; SQLite, like files, has no name with a zero byte.

    >>> _paths("paths", '["a.csv", "b.csv"]')
    ('a.csv', 'b.csv')
    >>> _paths("paths", r'["a\u0000.csv"]')
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'paths' has a path that no file can have
    """
    paths = check_texts(name, parse_json(check_text(name, value)), unique=False)
    if any("\0" in path for path in paths):
        raise DamagedValueError(f"{name!r} has a path that no file can have")
    return paths


def _sheet(name: str, value: object) -> object:
    return decode(int if isinstance(value, int) else str, value, name)


def _reading(name: str, value: object) -> object:
    """The options of reading by name, and no others: they go to the readers of files.

    >>> _reading("reading", '{"sheet": 2, "header": false}')
    {'sheet': 2, 'header': False}
    >>> _reading("reading", '{"header": "yes"}')
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'reading.header' is 'yes', expected true or false
    """
    options = Fields.of(name, parse_json(check_text(name, value)), READING)
    for key, one in options.record.items():
        decode(READING[key] | None, one, options.where + key)
    try:
        ReadOptions(**{key: one for key, one in options.record.items() if one is not None})
    except DocumentError as error:
        raise DamagedValueError(f"{name!r}: {error}") from None
    return options.record


READING: dict[str, Any] = {
    "missing": str,
    "on_error": str,
    "format": Annotated[str, one_of(*FORMATS)],
    "sheet": Annotated[Any, _sheet],
    "query": str,
    "encoding": str,
    "delimiter": str,
    "header": bool,
}
"""The options of `Reading`; `ReadOptions` checks the values further."""


@dataclass(frozen=True)
class StoredSource:
    """Where the texts are, and how they are read; the reader signs all but the first value."""

    id: int
    name: str
    paths: Annotated[tuple[str, ...], _paths]
    sha256: str
    text: str | None
    ident: str | None
    group_by: str | None
    markup: int
    reading: Annotated[Record, _reading]
    rows: int
    total: int


@dataclass(frozen=True)
class StoredAudit:
    """An audit of a session: the state it was drawn in, and its design as the design file of a sheet has it."""

    id: int
    at: str
    revision: int
    state: int
    seed: AnyInteger
    size: int
    design: str
    looks: int = 0


@dataclass(frozen=True)
class LabelEvent:
    """A label that was given, a document that was skipped, or an undo; `label` is None for "cannot say"."""

    number: int
    audit: int
    row: int
    label: str | None
    at: str = field(default_factory=now)
    seconds: float | None = None
    tab: str | None = ""
    kind: Annotated[str, one_of("label", "skip", "undo")] = "label"


@dataclass(frozen=True)
class HeldText:
    """A text in the file, for somebody who does not have it: its place in the source, and its columns as JSON."""

    row: int
    place: int
    text: str
    columns: JsonObject | None


@dataclass(frozen=True)
class _Meta:
    key: str
    value: str


@dataclass(frozen=True)
class _Entry:
    list: str
    word: str
    weight: float | None


@dataclass(frozen=True)
class _Setting:
    key: str
    value: Json


@dataclass(frozen=True)
class _Note:
    id: int
    about: object
    at: object
    text: object


TABLES: dict[str, type[Any]] = {
    "meta": _Meta,
    "source": StoredSource,
    "entry": _Entry,
    "setting": _Setting,
    "step": Step,
    "audit": StoredAudit,
    "label": LabelEvent,
    "note": _Note,
    "held": HeldText,
}
"""The record of each table's rows, which has its columns; `held` is there only if the file has the texts."""
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
HELD = "create table if not exists held(row integer primary key, place integer, text text, columns text)"


@dataclass(frozen=True)
class _Edits:
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class _Import:
    name: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class _Settings:
    settings: dict[str, object]


@dataclass(frozen=True)
class _NoLabels:
    on: bool


@dataclass(frozen=True)
class _Labels:
    on: bool
    audit: int
    last: int


BODIES = {"edit": _Edits, "accept": _Edits, "import": _Import, "settings": _Settings, "labels": _Labels}
"""What the body of each kind of step has."""


@dataclass(eq=False)
class SessionFile:
    """An open session file. Every method that writes has committed when it returns."""

    path: Path
    database: sqlite3.Connection
    lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def create(
        cls, path: Path, lexicon: Lexicon, *, title: str, source: StoredSource, settings: Mapping[str, Any]
    ) -> SessionFile:
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
                _insert(database, "meta", [_Meta(*pair) for pair in meta.items()])
                _insert(database, "setting", [_Setting(key, to_json(value)[0]) for key, value in settings.items()])
                pairs = ((name, word) for name, words in lexicon.lists.items() for word in words)
                _insert(database, "entry", [_Entry(name, word, lexicon.weights.get(word)) for name, word in pairs])
                _write_source(database, source)
            failed.pop_all()
        return session

    @classmethod
    def open(cls, path: Path) -> SessionFile:
        """A session file that exists; raise if it is none, damaged, of a newer problex, or open elsewhere."""
        _check_head(path)
        database = _connect(path)
        try:
            _check(database, path)
            with cls(path, database).transaction() as checked:  # takes the lock, which is kept
                checked.execute("insert or replace into meta values ('opened', ?)", (now(),))
        except SQLITE_ERRORS as error:
            database.close()
            raise _explained(error, path) from None
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

    def _rows(self, table: str) -> list[Any]:
        with self.lock:
            return _read(self.database, table)

    def meta(self) -> dict[str, str]:
        """Title, time of creation, version and the like."""
        return {row.key: row.value for row in self._rows("meta")}

    def settings(self) -> dict[str, Any]:
        """The settings as loaded: of the tokenizer and of the estimate."""
        return {row.key: row.value for row in self._rows("setting")}

    def source(self) -> StoredSource:
        """Where the texts are."""
        source: StoredSource = self._rows("source")[0]
        return source

    @property
    def is_own(self) -> bool:
        """Whether the reader has written or confirmed where the texts are and how they are read."""
        with self.lock:
            values = self.database.execute("select * from source").fetchone()[1:]
        return hmac.compare_digest(sign(values).encode(), self.meta().get("signature", "").encode())

    def relink(self, source: StoredSource) -> None:
        """Texts at another place, or other texts."""
        with self.transaction() as database:
            database.execute("delete from source")
            _write_source(database, source)

    def loaded(self) -> Lexicon:
        """The lexicon as it was loaded."""
        rows: list[_Entry] = self._rows("entry")
        if any(row.weight is not None for row in rows):
            return Lexicon.from_entries(Entry(row.word, row.list, row.list, row.weight) for row in rows)
        lists: dict[str, list[str]] = {}
        for row in rows:
            lists.setdefault(row.list, []).append(row.word)
        return Lexicon(lists)

    # -- steps

    def append(self, steps: Iterable[Step]) -> None:
        """Add steps, all or none."""
        with self.transaction() as database:
            _insert(database, "step", steps)

    def steps(self) -> list[Step]:
        """All steps, in order."""
        return self._rows("step")

    def log(self) -> Log:
        """The log of all steps; raise if the lexicon that it leads to is not the one that was stored."""
        steps = self.steps()
        log = Log.replay(self.loaded(), self.settings(), steps)
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
            return _insert(database, "audit", [audit], first=1)

    def audits(self) -> list[StoredAudit]:
        """All audits, in order."""
        return self._rows("audit")

    def add_look(self, audit: int) -> None:
        """Log that the results of an audit were looked at."""
        with self.transaction() as database:
            database.execute("update audit set looks = looks + 1 where id = ?", (audit,))

    def add_label(self, event: LabelEvent) -> None:
        """Add a label, a skip or an undo; its number is chosen here."""
        with self.transaction() as database:
            _insert(database, "label", [event], first=1)

    def label_events(self, audit: int) -> list[LabelEvent]:
        """All labels, skips and undos of an audit, in order."""
        return [event for event in self._rows("label") if event.audit == audit]

    # -- texts in the file

    @property
    def has_texts(self) -> bool:
        """Whether the texts are in the file, for somebody who does not have them."""
        with self.lock:
            return "held" in _tables(self.database)

    def texts(self) -> list[HeldText]:
        """The texts in the file."""
        return self._rows("held")

    def copy(self, path: Path, texts: Sequence[HeldText] | None = None) -> None:
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
                _insert(copy, "held", texts)
            copy.execute("delete from meta where key = 'signature'")
            copy.execute("update source set paths = '[]'")  # the folders of this computer concern nobody else
            copy.commit()
        finally:
            copy.close()


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
        raise _explained(error, path) from None
    return database


# -- rows


def _tables(database: sqlite3.Connection) -> set[str]:
    return {name for (name,) in database.execute("select name from sqlite_master where type = 'table'")}


def _read(database: sqlite3.Connection, table: str) -> list[Any]:
    """The records of a table, in order."""
    rows = database.execute(f"select * from {table} order by rowid")  # noqa: S608  # nosec B608  # a name of TABLES
    return [decode_row(TABLES[table], table, row) for row in rows]


def _cells(record: Any) -> list[Any]:
    """The values of a record as SQLite stores them."""
    values = (getattr(record, one.name) for one in fields(record))
    return [to_json(value)[0] if isinstance(value, dict | list | tuple) else value for value in values]


def _insert(database: sqlite3.Connection, table: str, records: Iterable[Any], first: int = 0) -> int:
    """Add rows, from their column `first` on: SQLite chooses the keys that are left out, and the last is returned."""
    names = [one.name for one in fields(TABLES[table])][first:]
    marks = ", ".join("?" * len(names))
    statement = f"insert into {table}({', '.join(names)}) values ({marks})"  # noqa: S608  # nosec B608
    database.executemany(statement, [_cells(record)[first:] for record in records])
    return int(database.execute("select last_insert_rowid()").fetchone()[0])


def _write_source(database: sqlite3.Connection, source: StoredSource) -> None:
    _insert(database, "source", [source], first=1)
    database.execute("insert or replace into meta values ('signature', ?)", (sign(_cells(source)[1:]),))


# -- whether a file is a session


def _check_head(path: Path) -> None:
    """Raise if there is no file, or an empty one, or a database of another application: those stay as they are."""
    if not path.is_file():
        raise ProblexError(f"the session file {str(path)!r} does not exist: check its name and folder")
    if path.with_name(f"{path.name}-wal").exists():
        return  # a new session may have everything there
    with suppress(OSError), path.open("rb") as file:  # which SQLite explains
        head = file.read(APPLICATION_AT + 4)
        other = head.startswith(SQLITE) and int.from_bytes(head[APPLICATION_AT:], "big") != APPLICATION_ID
        if other or not head:
            raise _no_session(path)


def _no_session(path: Path) -> ProblexError:
    """The error of a file that is something else."""
    return ProblexError(f"{path.name} is not a session of the workbench: choose a file that it saved")


def _explained(error: Exception, path: Path) -> ProblexError:
    """An error of the database in words.

    >>> print(_explained(ValueError("database is locked"), Path("films.problex")))
    films.problex is open in another workbench: use that one, or stop it first (Ctrl+C in its terminal)
    """
    if "locked" in str(error):
        return ProblexError(
            f"{path.name} is open in another workbench: use that one, or stop it first (Ctrl+C in its terminal)"
        )
    cause = str(error) or "a part of it is larger than the memory"
    return ProblexError(f"{path.name} is not a session of the workbench, or it is damaged ({cause}): restore a copy")


def _check(database: sqlite3.Connection, path: Path) -> None:
    kind, version = (database.execute(f"pragma {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if kind != APPLICATION_ID:
        raise _no_session(path)
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


def check_content(database: sqlite3.Connection) -> None:
    """Raise if a table or a column is missing, or a value cannot be of a session: SQLite stores any in any column."""
    present = _tables(database)
    rows: dict[str, list[Any]] = {}
    for table, kind in TABLES.items():
        if table not in present:
            if table == "held":
                continue
            raise DamagedValueError(f"the table {table!r} is missing")
        columns = [row[1] for row in database.execute(f"pragma table_xinfo({table})")]  # generated ones, too
        known = [one.name for one in fields(kind)]
        if columns != known:
            raise DamagedValueError(f"the table {table!r} has other columns than {', '.join(known)}")
        rows[table] = _read(database, table)
    if len(rows["source"]) != 1:
        raise DamagedValueError(f"the table 'source' has {len(rows['source'])} rows, expected 1")
    for setting in rows["setting"]:
        if setting.key in ("language", "negation") and setting.value is not None:
            check_text(f"setting.{setting.key}", setting.value)
    _check_steps(rows["step"])
    # Labels are of an audit that exists, and so are those that move a threshold.
    used = {event.audit for event in rows["label"]}
    used |= {step.body["audit"] for step in rows["step"] if step.kind == "labels" and step.body["on"]}
    missing = used - {audit.id for audit in rows["audit"]}
    if missing:
        raise DamagedValueError(f"there are labels of audit {min(missing)}, which is missing")


def _check_steps(steps: Iterable[Step]) -> None:
    """Steps have the numbers 1, 2, ...; a change makes the state of its number, a move leads to one that exists.

    >>> edit, undo = Step(1, "", "", "edit", {"edits": []}, 1, 0), Step(2, "", "", "undo", {}, 0, 1)
    >>> _check_steps([edit, undo])
    >>> _check_steps([edit, Step(2, "", "", "goto", {}, 5, 1)])
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: step 2 does not follow the one before it
    """
    states, present = {0}, 0
    for expected, step in enumerate(steps, start=1):
        if step.number != expected:
            raise DamagedValueError(f"step {step.number} is there, expected step {expected}")
        if step.kind in BODIES:
            is_off = step.kind == "labels" and step.body.get("on") is False
            decode(_NoLabels if is_off else BODIES[step.kind], step.body, f"step {step.number}")
        leads = step.state == step.number if step.kind in CHANGES else step.state in states
        if step.before != present or not leads:
            raise DamagedValueError(f"step {step.number} does not follow the one before it")
        states.add(step.state)
        present = step.state


# -- whose it is


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of sessions: PROBLEX_WORKBENCH, or that of the user's data.

    >>> data_folder({"PROBLEX_WORKBENCH": "/tmp/bench"}).name
    'bench'
    """
    if environment.get("PROBLEX_WORKBENCH"):
        return Path(environment["PROBLEX_WORKBENCH"])
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA", Path.home())) / "problex"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "problex"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "problex"


def sign(values: Sequence[object]) -> str:
    """The reader's signature of the values of a source."""
    return hmac.digest(_secret(), json.dumps(values).encode(), "sha256").hex()


def _secret() -> bytes:
    """The secret of the data folder, made when it is first needed; only the reader can read it."""
    path = data_folder() / "secret"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (
        suppress(FileExistsError),
        os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file,
    ):
        file.write(secrets.token_bytes(SECRET_BYTES))
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise ProblexError(
            f"{str(path)!r} has {len(secret)} bytes, expected {SECRET_BYTES}: delete it, and give the texts of "
            "your sessions again"
        )
    return secret
