"""The forms of requests: which fields the JSON of each may have, and what their values must be.

A form checks types, lengths and characters. Whether a request fits the session is checked where it is answered.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Mapping
from typing import Any

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
from problex.errors import ProblexError

MAX_NAME = 500
"""The most characters of a word, of the name of a list or column, and of what is shown as a name."""
MAX_SECONDS = 1e9
MAX_TAB = 40
"""Characters of the name of a tab that are kept."""
Check = Callable[[str, Any], object]
Query = Mapping[str, Any]


def whole(name: str, value: object) -> int:
    """A whole number from 0 on."""
    return check_integer(name, value)


def seconds(name: str, value: object) -> float:
    """A time in seconds."""
    return check_number(name, value, 0, MAX_SECONDS)


def flag(name: str, value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise wrong(name, value, "true or false")
    return value


def label(name: str, value: object) -> str:
    """A text that becomes a name: not long, without control characters. Names that there are may be anything."""
    text = check_text(name, value)
    if len(text) > MAX_NAME:
        raise DamagedValueError(f"{name!r} has {len(text):,} characters, expected at most {MAX_NAME}")
    if any(unicodedata.category(letter) == "Cc" for letter in text):
        raise wrong(name, value, "a text without control characters")
    return text


def caption(name: str, value: object) -> str:
    """A text that is shown as a name, and cut where it is long: names of many files, for example."""
    return label(name, check_text(name, value)[:MAX_NAME])


def anything(name: str, value: object) -> object:
    """A value that is checked where it is used."""
    return value


class TypedValueError(DamagedValueError):
    """A value that a person typed; its message has the label that the page shows, not the field of the request."""


def typed(check: Check, shown: str) -> Check:
    """A value that a person types into a field with this label."""

    def check_typed(name: str, value: object) -> object:
        try:
            return check(shown, value)
        except DamagedValueError as error:
            raise TypedValueError(str(error).replace(repr(shown), shown, 1)) from None

    return check_typed


def one_of(*choices: str) -> Check:
    """A text that is one of some."""

    def check(name: str, value: object) -> object:
        if value not in choices:
            raise wrong(name, value, f"one of {', '.join(choices)}")
        return value

    return check


def list_of(check: Check) -> Check:
    """A list of values."""
    return lambda name, value: [check(f"{name}.{at}", one) for at, one in enumerate(check_list(name, value))]


def named(check: Check, key: Check = label) -> Check:
    """An object with any names, such as those of lists."""

    def check_all(name: str, value: object) -> object:
        for given, one in Fields.of(name, value).record.items():
            typed(key, "the name of a list")("", given)
            check(f"{name}.{shorten(given)[1:-1]}", one)
        return value

    return check_all


def form(required: Collection[str] = (), present: Collection[str] = (), /, **checks: Check) -> Check:
    """An object with these fields and no others: none `required` is null, none `present` is missing."""

    def check_all(name: str, value: object) -> object:
        fields = Fields.of(name, value)
        for key in fields.record:
            if key not in checks:
                expected = f"expected one of {', '.join(checks)}" if checks else "expected none"
                raise DamagedValueError(f"{shorten(key)} is not a field of {name or 'the request'}, {expected}")
        for key in (*required, *present):
            fields.get(key)
        for key, one in fields.record.items():
            if one is not None or key in required:
                checks[key](fields.where + key, one)
        return value

    return check_all


def edit(name: str, value: object) -> object:
    """An edit; a word that is added is not long. Lexicons may have bytes of another encoding as control characters."""
    given = Fields.of(name, EDIT(name, value))
    if given.get("old") is None:
        word = " ".join(given.text("word").split())
        shown = "".join(letter for letter in word if not "\x80" <= letter <= "\x9f")
        typed(label, "the word")(f"{name}.word", shown)
    return value


EDIT = form(("word",), ("old", "new"), word=check_text, old=check_text, new=check_text)
LEXICON = form(
    upload=label, uploads=named(label), lists=named(check_text), choose=named(list_of(check_text)), demo=flag
)
SETTINGS = form(
    rule=label,
    balance=label,
    solver=label,
    shrinkage=anything,
    keep_discordant=flag,
    prior=named(check_number, check_text),
)
SIDE = form(state=whole, settings=SETTINGS, lexicon=LEXICON, name=caption)
STEP: dict[str, Check] = {"base": whole, "tab": label}
FORMS: dict[str, Check] = {
    "/api/edits": form(edits=list_of(edit), kind=one_of("edit", "accept"), **STEP),
    "/api/lexicon/import": form(lexicon=LEXICON, name=caption, replace=flag, **STEP),
    "/api/undo": form(**STEP),
    "/api/redo": form(**STEP),
    "/api/goto": form(("state",), state=whole, **STEP),
    "/api/settings": form(settings=SETTINGS, **STEP),
    "/api/audit/use": form(("on",), on=flag, **STEP),
    "/api/audit/draw": form(size=typed(whole, "the number of documents"), seed=whole, fresh=flag, tab=label),
    "/api/audit/label": form(("row",), ("label",), row=whole, label=check_text, seconds=seconds, tab=label),
    "/api/audit/skip": form(("row",), row=whole, tab=label),
    "/api/audit/undo": form(tab=label),
    "/api/audit/reveal": form(tab=label),
    "/api/compare": form(a=SIDE, b=SIDE),
    "/api/lexicon/peek": LEXICON,
    "/api/learn": form(
        texts=form(upload=label, pasted=check_text, demo=flag, path=anything),
        text=check_text,
        id=check_text,
        group_by=check_text,
        markup=flag,
        language=label,
        negation=label,
        title=label,
        lexicon=LEXICON,
    ),
    "/api/sessions/open": form(name=label, upload=label),
    "/api/sessions/relink": form(upload=label, paths=list_of(check_text), query=check_text),
    "/api/export/report": form(),
    "/api/export/scores": form(format=label, text=flag, keep=list_of(check_text)),
}
"""The form of the JSON that each address takes; others take none."""


def read_body(address: str, content: bytes) -> Record:
    """The JSON object of a request to an address; raise if it has not the form that is expected there.

    >>> read_body("/api/goto", b'{"state": -1}')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: the request has a fault ('state' is -1, expected an integer from 0 on): correct it...
    """
    try:
        value = parse_json((content or b"{}").decode())
    except UnicodeDecodeError:
        raise ProblexError("the request is not JSON (it is not UTF-8), expected an object") from None
    except DamagedValueError as error:
        raise ProblexError(f"the request is not JSON ({error}), expected an object") from None
    if not isinstance(value, dict):
        raise ProblexError("the request is not a JSON object, expected one")
    try:
        FORMS[address]("", value)
    except TypedValueError as error:
        raise ProblexError(f"{error}: correct it") from None
    except DamagedValueError as error:
        raise ProblexError(f"the request has a fault ({error}): correct it, or reload the page") from None
    return value


def tab_of(body: Mapping[str, Any]) -> str:
    """The tab that a request comes from."""
    return str(body.get("tab") or "")[:MAX_TAB]


def query_whole(query: Query, name: str, default: int | None = None) -> int:
    """A whole number from 0 on in the address of a request; an empty one is the default, if there is one.

    >>> query_whole({"first": "10"}, "first"), query_whole({"first": ""}, "first", 0)
    (10, 0)
    """
    value = str(query.get(name) or "")
    if not value and default is not None:
        return default
    number = int(value) if value.isdecimal() and len(value) < len(str(MAX_INTEGER)) else -1
    if number < 0:
        raise ProblexError(f"{name}={shorten(value)} was given, expected a whole number from 0 on")
    return number


def query_number(query: Query, name: str, shown: str) -> float | None:
    """A number in the address of a request, by the label of its field on the page; None for an empty one."""
    value = str(query.get(name) or "")
    if not value:
        return None
    try:
        return check_number(name, float(value))
    except (ValueError, OverflowError):
        raise ProblexError(f"{shown} is {shorten(value)}, expected a finite number: correct it") from None
