"""Records from values that nobody has checked: the JSON and the addresses of requests, and the cells of session files.

A record is a dataclass. The types of its fields say what is expected; `Annotated` has a function for what they cannot
say, which takes the name of a field and its value. Every error is a `DamagedValueError` with a short reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from problex._util.json_values import (
    MAX_INTEGER,
    DamagedValueError,
    Fields,
    check_integer,
    check_list,
    check_number,
    check_text,
    parse_json,
    shorten,
    wrong,
)
from problex._util.records import Record

T = TypeVar("T")


def check_flag(name: str, value: object) -> bool:
    """True or false.

    >>> check_flag("markup", False)
    False
    >>> check_flag("markup", 0)
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'markup' is 0, expected true or false
    """
    if not isinstance(value, bool):
        raise wrong(name, value, "true or false")
    return value


def one_of(*choices: str) -> Callable[[str, object], Any]:
    """The check of a text that is one of some.

    >>> one_of("label", "skip")("kind", "look")
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'kind' is 'look', expected one of label, skip
    """

    def check(name: str, value: object) -> object:
        if value not in choices:
            raise wrong(name, value, f"one of {', '.join(choices)}")
        return value

    return check


def anything(name: str, value: object) -> object:
    """A value that is checked where it is used."""
    return value


PLAIN: dict[Any, Callable[[str, object], Any]] = {
    str: check_text,
    int: check_integer,
    float: check_number,
    bool: check_flag,
    object: anything,
}
"""How values of plain types are checked; integers are from 0 on."""
UNIONS = (Union, UnionType)


def decode(kind: Any, value: object, name: str = "") -> Any:
    """A value as a record, a tuple, a dictionary, a plain value or None, with its checks; raise if it is none.

    >>> decode(tuple[int, ...], [3, -3], "rows")
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'rows.1' is -3, expected an integer from 0 on
    """
    if is_dataclass(kind):
        return _record(kind, value, name)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return inner[1](name, value)
    if origin in UNIONS:
        return None if value is None else decode(inner[0], value, name)
    if origin is tuple:
        return tuple(decode(inner[0], one, f"{name}.{at}") for at, one in enumerate(check_list(name, value)))
    if origin is dict:
        pairs = Fields.of(name, value).record.items()
        return {decode(inner[0], key): decode(inner[1], one, f"{name}.{shorten(key)[1:-1]}") for key, one in pairs}
    return PLAIN[kind](name, value)


@cache
def fields_of(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The type of each field of a record, and whether it may be missing."""
    types = get_type_hints(kind, include_extras=True)
    return {
        one.name: (types[one.name], not (one.default is MISSING and one.default_factory is MISSING))
        for one in fields(kind)
    }


def _record(kind: Any, value: object, name: str) -> Any:
    """A record from an object; a field that may be missing may also be null.

    >>> from problex.lexicon import Edit
    >>> _record(Edit, {"word": "good", "old": None, "new": "up"}, "edit") == Edit("good", None, "up")
    True
    >>> _record(Edit, {"word": "good", "weight": 2.0}, "edit")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'weight' is not a field of edit, expected one of ...
    """
    known, given = fields_of(kind), Fields.of(name, value)
    for key in given.record:
        if key not in known:
            expected = f"expected one of {', '.join(known)}" if known else "expected none"
            raise DamagedValueError(f"{shorten(key)} is not a field of {name or 'the request'}, {expected}")
    present = {key: one for key, one in given.record.items() if not (one is None and known[key][1])}
    for key, (_, is_optional) in known.items():
        if not is_optional:
            given.get(key)
    return kind(**{key: decode(known[key][0], one, given.where + key) for key, one in present.items()})


def decode_row(kind: Callable[..., T], table: str, row: tuple[Any, ...]) -> T:
    """A record from a row of a table, which has its fields as columns.

    >>> from problex.lexicon import Edit
    >>> decode_row(Edit, "edit", ("good", None, 3))
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'edit.new' is 3, expected a text
    """
    known = fields_of(kind).items()
    return kind(*(decode(hint, value, f"{table}.{name}") for (name, (hint, _)), value in zip(known, row, strict=True)))


# -- types of cells


def _any_integer(name: str, value: object) -> int:
    return check_integer(name, value, -MAX_INTEGER)


def _json(name: str, value: object) -> Any:
    return parse_json(check_text(name, value), constants=True)


def _json_object(name: str, value: object) -> Any:
    return Fields.of(name, _json(name, value)).record


AnyInteger = Annotated[int, _any_integer]
Json = Annotated[Any, _json]
JsonObject = Annotated[Record, _json_object]
