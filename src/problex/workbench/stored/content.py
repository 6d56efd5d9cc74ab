"""The content of a session file, checked value by value when it is opened: SQLite stores any value in any column.

Every error is a `DamagedValueError` with a short reason; the session puts the name of its file in front.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from problex._util.json_values import (
    MAX_INTEGER,
    DamagedValueError,
    Fields,
    check_integer,
    check_list,
    check_number,
    check_text,
    check_texts,
    parse_json,
    wrong,
)
from problex.errors import DocumentError
from problex.tables.formats import FORMATS
from problex.tables.reader import ReadOptions
from problex.workbench.steps import CHANGES, MOVES

EVENTS = ("label", "skip", "undo")
Check = Callable[[str, object], object]


def _any_integer(name: str, value: object) -> int:
    return check_integer(name, value, -MAX_INTEGER)


def _object(name: str, value: object) -> Mapping[str, Any]:
    return Fields.of(name, parse_json(check_text(name, value), constants=True)).record


def _paths(name: str, value: object) -> tuple[str, ...]:
    paths = check_texts(name, parse_json(check_text(name, value)), unique=False)
    if any("\0" in path for path in paths):
        raise DamagedValueError(f"{name!r} has a path that no file can have")
    return paths


def _reading(name: str, value: object) -> object:
    """The options of reading by name, and no others: they go to the readers of files."""
    fields = Fields.of(name, parse_json(check_text(name, value)), READING)
    for key, one in fields.record.items():
        _or_none(READING[key])(fields.where + key, one)
    try:
        ReadOptions(**{key: one for key, one in fields.record.items() if one is not None})
    except DocumentError as error:
        raise DamagedValueError(f"{name!r}: {error}") from None
    return fields.record


def _flag(name: str, value: object) -> object:
    if not isinstance(value, bool):
        raise wrong(name, value, "true or false")
    return value


def _sheet(name: str, value: object) -> object:
    return check_integer(name, value) if isinstance(value, int) else check_text(name, value)


def _json(name: str, value: object) -> object:
    return parse_json(check_text(name, value), constants=True)


def _anything(name: str, value: object) -> object:
    return value


def _or_none(check: Check) -> Check:
    return lambda name, value: None if value is None else check(name, value)


def _one_of(choices: tuple[str, ...]) -> Check:
    def check(name: str, value: object) -> object:
        if value not in choices:
            raise wrong(name, value, f"one of {', '.join(choices)}")
        return value

    return check


READING: dict[str, Check] = {
    "missing": check_text,
    "on_error": check_text,
    "format": _one_of(tuple(FORMATS)),
    "sheet": _sheet,
    "query": check_text,
    "encoding": check_text,
    "delimiter": check_text,
    "header": _flag,
}
"""The options of `Reading`; `ReadOptions` checks the values further."""
COLUMNS: dict[str, dict[str, Check]] = {
    "meta": {"key": check_text, "value": check_text},
    "source": {
        "id": check_integer,
        "name": check_text,
        "paths": _paths,
        "sha256": check_text,
        "text": _or_none(check_text),
        "ident": _or_none(check_text),
        "group_by": _or_none(check_text),
        "markup": check_integer,
        "reading": _reading,
        "rows": check_integer,
        "total": check_integer,
    },
    "entry": {"list": check_text, "word": check_text, "weight": _or_none(check_number)},
    "setting": {"key": check_text, "value": _json},
    "step": {
        "number": check_integer,
        "at": check_text,
        "tab": check_text,
        "kind": _one_of((*CHANGES, *MOVES)),
        "body": _object,
        "state": check_integer,
        "before": check_integer,
        "print": check_text,
        "figures": _object,
    },
    "audit": {
        "id": check_integer,
        "at": check_text,
        "revision": check_integer,
        "state": check_integer,
        "seed": _any_integer,
        "size": check_integer,
        "design": check_text,
        "looks": check_integer,
    },
    "label": {
        "number": check_integer,
        "audit": check_integer,
        "row": check_integer,
        "label": _or_none(check_text),
        "at": check_text,
        "seconds": _or_none(check_number),
        "tab": _or_none(check_text),
        "kind": _one_of(EVENTS),
    },
    "note": {"id": check_integer, "about": _anything, "at": _anything, "text": _anything},
    "held": {
        "row": check_integer,
        "place": check_integer,
        "text": check_text,
        "columns": _or_none(_object),
    },
}
"""The columns of each table, and how a value of each is checked."""
OPTIONAL = frozenset({"held"})


def check_content(database: sqlite3.Connection) -> None:
    """Raise if a table or a column is missing, or a value cannot be of a session."""
    present = {name for (name,) in database.execute("select name from sqlite_master where type = 'table'")}
    for table, columns in COLUMNS.items():
        if table not in present:
            if table in OPTIONAL:
                continue
            raise DamagedValueError(f"the table {table!r} is missing")
        names = [row[1] for row in database.execute(f"pragma table_xinfo({table})")]  # generated ones, too
        if names != list(columns):
            raise DamagedValueError(f"the table {table!r} has other columns than {', '.join(columns)}")
        for row in database.execute(f"select * from {table}"):  # noqa: S608  # a name of COLUMNS
            for (name, check), value in zip(columns.items(), row, strict=True):
                check(f"{table}.{name}", value)
    sources = database.execute("select count(*) from source").fetchone()[0]
    if sources != 1:
        raise DamagedValueError(f"the table 'source' has {sources} rows, expected 1")
    _check_settings(database.execute("select key, value from setting"))
    _check_steps(database.execute("select number, kind, body, state, before from step order by number"))
    _check_labels(database)


def _check_settings(rows: Iterable[tuple[str, str]]) -> None:
    settings = {key: parse_json(value, constants=True) for key, value in rows}
    for name in ("language", "negation"):
        if settings.get(name) is not None:
            check_text(f"setting.{name}", settings[name])


def _check_steps(rows: Iterable[tuple[int, str, str, int, int]]) -> None:
    """Steps have the numbers 1, 2, ...; a change makes the state of its number, a move leads to one that exists."""
    states, present = {0}, 0
    for expected, (number, kind, body, state, before) in enumerate(rows, start=1):
        if number != expected:
            raise DamagedValueError(f"step {number} is there, expected step {expected}")
        _check_body(kind, Fields.of(f"step {number}", parse_json(body, constants=True)))
        if before != present or (state != number if kind in CHANGES else state not in states):
            raise DamagedValueError(f"step {number} does not follow the one before it")
        states.add(state)
        present = state


def _check_body(kind: str, body: Fields) -> None:
    if kind == "settings":
        body.object("settings")
    elif kind == "labels" and body.boolean("on"):
        body.integer("audit")
        body.integer("last")
    elif kind in ("edit", "accept", "import"):
        if kind == "import":
            body.text("name")
        for edit in _edits(body):
            edit.text("word")
            for name in ("old", "new"):
                _or_none(check_text)(edit.where + name, edit.get(name))


def _edits(body: Fields) -> Iterator[Fields]:
    for edit in check_list(f"{body.where}edits", body.get("edits")):
        yield Fields.of(f"{body.where}edits", edit)


def _check_labels(database: sqlite3.Connection) -> None:
    """Labels are of an audit that exists, and so are those that move a threshold."""
    audits = {number for (number,) in database.execute("select id from audit")}
    used = {number for (number,) in database.execute("select distinct audit from label")}
    for (body,) in database.execute("select body from step where kind = 'labels'"):
        record = parse_json(body, constants=True)
        used |= {record["audit"]} if record["on"] else set()
    if used - audits:
        raise DamagedValueError(f"there are labels of audit {min(used - audits)}, which is missing")
