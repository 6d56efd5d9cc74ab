"""A valid request for every address of the workbench, and how each value of it is damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

LISTS = {"positive": "nice", "negative": "awful"}
STEP = {"base": 3, "tab": "t"}
POST: dict[str, dict[str, Any]] = {
    "/api/edits": {"edits": [{"word": "music", "old": None, "new": "positive"}], "kind": "edit", **STEP},
    "/api/lexicon/import": {"lexicon": {"lists": LISTS}, "name": "n", "replace": False, **STEP},
    "/api/undo": STEP,
    "/api/redo": STEP,
    "/api/goto": {"state": 2, **STEP},
    "/api/settings": {
        "settings": {
            "rule": "count",
            "balance": "equal",
            "solver": "exact",
            "shrinkage": 1.0,
            "keep_discordant": True,
            "prior": {"positive": 0.5, "negative": 0.5},
        },
        **STEP,
    },
    "/api/audit/use": {"on": True, **STEP},
    "/api/audit/draw": {"size": 5, "seed": 1, "fresh": True, "tab": "t"},
    "/api/audit/label": {"row": -5, "label": "positive", "seconds": 1.5, "tab": "t"},
    "/api/audit/skip": {"row": -5, "tab": "t"},
    "/api/audit/undo": {"tab": "t"},
    "/api/audit/reveal": {"tab": "t"},
    "/api/compare": {
        "a": {"state": 0, "settings": {"rule": "count"}},
        "b": {"lexicon": {"lists": {"positive": "good", "negative": "bad"}}, "name": "x"},
    },
    "/api/lexicon/peek": {"lists": LISTS, "choose": {"positive": ["positive"], "negative": ["negative"]}},
    "/api/learn": {
        "texts": {"pasted": "good day\nbad day"},
        "text": "text",
        "id": "id",
        "group_by": "year",
        "markup": False,
        "language": "en",
        "negation": "auto",
        "title": "x",
        "lexicon": {"lists": LISTS},
    },
    "/api/sessions/open": {"name": "reviews.problex"},
    "/api/sessions/relink": {"upload": "x"},
    "/api/export/report": {},
    "/api/export/scores": {"format": "csv", "text": True, "keep": ["id"]},
}
"""A valid body for each address; -5 stands for a document of the sample, and x for texts that were sent."""
WITHOUT_JSON = {"/api/uploads", "/api/demo", "/api/jobs/{name}/cancel"}
GET: dict[str, dict[str, str]] = {
    "/": {},
    "/static/{name}": {},
    "/api/state": {},
    "/api/jobs/{name}": {},
    "/api/uploads/{name}/peek": {"rows": "5", "text": "text"},
    "/api/sessions": {},
    "/api/languages": {},
    "/api/export": {},
    "/api/export/lexicon": {"format": "csv", "weights": "1"},
    "/api/export/model": {},
    "/api/export/scores": {"format": "csv", "text": "1", "keep": "id"},
    "/api/export/labels": {},
    "/api/export/session": {"texts": "1"},
    "/api/export/script": {"form": "python"},
    "/api/script": {},
    "/api/downloads/{name}": {},
    "/api/lexicon": {},
    "/api/history": {},
    "/api/completions": {"prefix": "go", "number": "5"},
    "/api/doctor": {},
    "/api/settings": {},
    "/api/word": {"word": "good"},
    "/api/kwic": {"word": "good", "first": "0", "number": "5", "order": "text"},
    "/api/documents": {"by": "order", "first": "0", "number": "5", "low": "-1", "high": "1", "since": "0", "text": "a"},
    "/api/documents/histogram": {},
    "/api/documents/{row}": {},
    "/api/charts": {},
    "/api/charts/{name}": {"by": "year", "every": "year"},
    "/api/charts/{name}/file": {"format": "svg"},
    "/api/audit": {},
    "/api/audit/next": {},
}
"""A valid query for each address, besides the streams that do not end and the script of the charts."""
NOT_ASKED = {"/api/events", "/static/vega.js"}

TEXTS = {
    "bidi": '"\\u202e"',
    "prototype": '"__proto__"',
    "path": '"../../../etc/passwd"',
    "number in a text": '"1"',
}
VALUES = {
    "null": "null",
    "true": "true",
    "zero": "0",
    "minus one": "-1",
    "fraction": "0.7",
    "NaN": "NaN",
    "infinite": "1e400",
    "2^63": str(2**63),
    "10^400": "1" + "0" * 400,
    "5000 digits": "1" * 5000,
    "empty": '""',
    "long": f'"{"x" * 20_000}"',
    "NUL": '"\\u0000"',
    "surrogate": '"\\ud800"',
    "newline": '"a\\nb"',
    "control": '"\\u001b[31m"',
    "list": "[]",
    "object": "{}",
    "list of null": "[null]",
    "other object": '{"__proto__": 1}',
    "deep list": "[" * 300 + "]" * 300,
    **TEXTS,
}
KEYS = ("surrogate", "long", "prototype")
"""What the names of fields and lists are damaged with."""
FEW = ("null", "true", "minus one", "infinite", "2^63", "NUL", "surrogate", "list", "long")
"""The values for fields that most addresses have."""
NONE = {"null", "missing"}
ACCEPTED = {
    "word": {"newline", *TEXTS},
    "old": {"null"},
    "label": {"null"},
    "kind": NONE,
    "base": {"zero", *NONE},
    "tab": {"empty", *NONE, *TEXTS},
    "name": {"empty", *NONE, *TEXTS},
    "title": {"empty", *NONE, *TEXTS},
    "replace": {"true", *NONE},
    "markup": {"true", *NONE},
    "on": {"true"},
    "fresh": {"true"},
    "text": {"empty", "true", "long", "NUL", "newline", "control", *NONE, *TEXTS},
    "id": {"empty", "long", "NUL", "newline", "control", *NONE, *TEXTS},
    "group_by": {"empty", "long", "NUL", "newline", "control", *NONE, *TEXTS},
    "language": {"empty", *NONE},
    "negation": {"empty", *NONE},
    "pasted": {"long", "NUL", "newline", "control", *TEXTS},
    "positive": {"long", "NUL", "newline", "control", "key prototype", *TEXTS},
    "negative": {"long", "NUL", "newline", "control", "key prototype", *TEXTS},
    "state": {"zero", *NONE},
    "seed": {"zero", *NONE},
    "size": NONE,
    "seconds": {"zero", "fraction", *NONE},
    "rule": NONE,
    "balance": NONE,
    "solver": NONE,
    "shrinkage": {"zero", "fraction", "2^63", *NONE},
    "keep_discordant": {"true", *NONE},
    "prior": NONE,
    "settings": {"object", *NONE},
    "choose": {"object", *NONE},
    "lexicon": {"object", *NONE},
    "lists": {"missing"},
    "a": {"object"},
    "b": {"object"},
    "format": {"empty", *NONE, *TEXTS},
    "keep": {"list", *NONE},
}
"""Damages that are valid values of a field, by its name; the column of texts and the formats are checked by the job."""
MARK = "a value to replace"


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every value of some JSON is, itself included."""
    yield place
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield from places(part, (*place, key))


def changed(value: Any, place: tuple[Any, ...], how: str) -> Any:
    """The same JSON with a mark for a value, with a mark for its name, or without it."""
    if not place:
        return MARK
    if len(place) > 1 or how == "value":
        copy = value.copy()
        copy[place[0]] = changed(value[place[0]], place[1:], how)
        return copy
    if isinstance(value, list):
        return [part for at, part in enumerate(value) if at != place[0]]
    pairs = [(MARK if key == place[0] else key, part) for key, part in value.items()]
    return dict(pairs) if how == "name" else {key: part for key, part in pairs if key != MARK}


def damages(body: Any) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """Every damage of a body: where, its name, and the body as it is sent."""
    for place in places(body):
        text = json.dumps(changed(body, place, "value"))
        names = FEW if place[-1:] in (("tab",), ("base",)) else VALUES
        yield from ((place, name, text.replace(f'"{MARK}"', VALUES[name])) for name in names)
        if not place or names is FEW:
            continue
        yield place, "missing", json.dumps(changed(body, place, "without"))
        if isinstance(place[-1], str):
            text = json.dumps(changed(body, place, "name"))
            yield from ((place, f"key {name}", text.replace(f'"{MARK}"', VALUES[name])) for name in KEYS)


def is_accepted(place: tuple[Any, ...], damage: str, address: str) -> bool:
    if not place:
        return damage == "object" and address not in ("/api/goto",)
    if "prior" in place[:-1]:
        return damage == "fraction"
    names = [part for part in place if isinstance(part, str)]
    if isinstance(place[-1], int):
        return names[-1] == "keep" and damage not in ("null",) and damage in ACCEPTED["id"] | {"missing"}
    if names[-1] == "name" and damage == "long" and address in ("/api/lexicon/import", "/api/compare"):
        return True  # it is cut
    return damage in ACCEPTED.get(names[-1], ())


TEXTS_OF_ADDRESSES = (
    *("", "-1", "1.5", "nan", "1e400", "9" * 5000, "%00", "%ff%fe", "x" * 3000),
    *("__proto__", "..%2f..%2fetc%2fpasswd", "%0d%0aset-cookie:x", "%E2%80%AE", "²"),
)
