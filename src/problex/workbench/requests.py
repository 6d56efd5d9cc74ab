"""The requests of the page: a record for the JSON of each, and for what can stand in its address.

A record checks types, lengths and characters. Whether a request fits the session is checked where it is answered.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar, dataclass_transform, get_args, get_origin

from problex._util.json_values import (
    MAX_INTEGER,
    DamagedValueError,
    check_integer,
    check_number,
    check_text,
    parse_json,
    shorten,
    wrong,
)
from problex.errors import ProblexError
from problex.lexicon import Edit
from problex.workbench.fields import UNIONS, decode, fields_of, one_of

T = TypeVar("T")
MAX_NAME = 500
"""The most characters of a word, of the name of a list or column, and of what is shown as a name."""
MAX_SECONDS = 1e9
MAX_SHOWN, MAX_TAB = 80, 40
"""Characters of a caption and of the name of a tab that are kept."""


class TypedValueError(DamagedValueError):
    """A value that a person typed; its message has the label that the page shows, not the field of the request."""


def typed(check: Callable[[str, Any], object], label: str) -> Callable[[str, object], Any]:
    """The check of a value that a person types into a field with this label.

    >>> typed(check_name, "the name of a list")("name", "x" * 501)
    Traceback (most recent call last):
    problex.workbench.requests.TypedValueError: the name of a list has 501 characters, expected at most 500
    """

    def check_typed(name: str, value: object) -> object:
        try:
            return check(label, value)
        except DamagedValueError as error:
            raise TypedValueError(str(error).replace(repr(label), label, 1)) from None

    return check_typed


def check_name(name: str, value: object) -> str:
    r"""A text that becomes a name: not long, without control characters. Names that there are may be anything.

    >>> check_name("title", "a\x07")
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'title' is 'a\x07', expected a text without control characters
    """
    text = check_text(name, value)
    if len(text) > MAX_NAME:
        raise DamagedValueError(f"{name!r} has {len(text):,} characters, expected at most {MAX_NAME}")
    if any(unicodedata.category(letter) == "Cc" for letter in text):
        raise wrong(name, value, "a text without control characters")
    return text


def _caption(name: str, value: object) -> str:
    """A text that is shown, and cut where it is long: names of many files, for example."""
    return check_name(name, check_text(name, value)[:MAX_NAME])[:MAX_SHOWN]


def _edit(name: str, value: object) -> Edit:
    """An edit; a word that is added is not long. Lexicons may have bytes of another encoding as control characters."""
    edit: Edit = decode(Edit, value, name)
    if edit.old is None:
        shown = "".join(letter for letter in " ".join(edit.word.split()) if not "\x80" <= letter <= "\x9f")
        typed(check_name, "the word")(name, shown)
    return edit


def _settings(name: str, value: object) -> object:
    """Settings as they are, because one that is null is the usual one again."""
    decode(EstimateSettings, value, name)
    return value


def _limit(label: str) -> Callable[[str, Any], float]:
    """The check of a number that is typed into a field with this label, and stands in the address.

    >>> check = _limit("the lowest score")
    >>> check("low", "-1.5")
    -1.5
    >>> check("low", "inf")
    Traceback (most recent call last):
    problex.errors.ProblexError: the lowest score is 'inf', expected a finite number: correct it
    """

    def check(name: str, value: Any) -> float:
        try:
            return check_number(name, float(value))
        except (ValueError, OverflowError):
            raise ProblexError(f"{label} is {shorten(value)}, expected a finite number: correct it") from None

    return check


Name = Annotated[str, check_name]
ListName = Annotated[str, typed(check_name, "the name of a list")]
Caption = Annotated[str, _caption]
Tab = Annotated[str, lambda name, value: check_name(name, value)[:MAX_TAB]]
Size = Annotated[int, typed(check_integer, "the number of documents")]
Shown = Annotated[str, lambda name, value: value[:MAX_NAME]]
Seconds = Annotated[float, lambda name, value: check_number(name, value, 0, MAX_SECONDS)]


# -- JSON


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Form:
    """A record with fields by name: its subclasses are frozen dataclasses."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)


class Nothing(Form):
    """A request without fields."""


class FromTab(Form):
    """A request from a tab, which is told by its name what others have done."""

    tab: Tab = ""


class TakeStep(FromTab):
    """A step in the lexicon as it was in revision `base`."""

    base: int | None = None


class Edits(TakeStep):
    """Edits of the lexicon."""

    edits: tuple[Annotated[Edit, _edit], ...] = ()
    kind: Annotated[str, one_of("edit", "accept")] = "edit"


class LexiconChoice(Form):
    """A lexicon: a file, a file for each list, or pasted words; `choose` has the categories of each list."""

    upload: Name = ""
    uploads: dict[ListName, Name] = field(default_factory=dict)
    lists: dict[ListName, str] = field(default_factory=dict)
    choose: dict[ListName, tuple[str, ...]] = field(default_factory=dict)
    demo: bool = False


class Import(TakeStep):
    """The words of another lexicon."""

    lexicon: LexiconChoice = LexiconChoice()
    name: Caption = ""
    replace: bool = False


class GoTo(TakeStep):
    """A state of the history."""

    state: int


class EstimateSettings(Form):
    """Settings of the estimate."""

    rule: Name | None = None
    balance: Name | None = None
    solver: Name | None = None
    shrinkage: object = None
    keep_discordant: bool | None = None
    prior: dict[str, float] | None = None


class ChangeSettings(TakeStep):
    """Other settings."""

    settings: Annotated[dict[str, Any], _settings] = field(default_factory=dict)


class UseLabels(TakeStep):
    """The labels so far are to move the threshold, or no longer."""

    on: bool


class Draw(FromTab):
    """A sample to label."""

    size: Size | None = None
    seed: int | None = None
    fresh: bool = False


class Label(FromTab):
    """The label of a document, None for "cannot say"."""

    row: int
    label: str | None
    seconds: Seconds | None = None


class Skip(FromTab):
    """A document to label later."""

    row: int


class Side(Form):
    """One side of a comparison: a state, or another lexicon; with other settings, if there are some."""

    state: int | None = None
    settings: Annotated[dict[str, Any], _settings] = field(default_factory=dict)
    lexicon: LexiconChoice | None = None
    name: Caption = ""


class Compare(Form):
    """Two sides."""

    a: Side | None = None
    b: Side | None = None


class TextChoice(Form):
    """Texts: a file, pasted ones, or the demo."""

    upload: Name = ""
    pasted: str = ""
    demo: bool = False


class Learn(Form):
    """A new session: its texts and their columns, its lexicon, and how texts are tokenised."""

    texts: TextChoice = TextChoice()
    text: str = ""
    id: str = ""
    group_by: str = ""
    markup: bool = False
    language: Name = ""
    negation: Name = ""
    title: Name = ""
    lexicon: LexiconChoice | None = None


class Open(Form):
    """A session by its name, or one that was sent."""

    name: Name | None = None
    upload: Name = ""


class Relink(Form):
    """Texts for a session: a file, or what the session names, repeated as the reader saw it."""

    upload: Name = ""
    paths: tuple[str, ...] = ()
    query: str | None = None


# -- addresses


class Named(Form):
    """Something by its name, which is a part of the address."""

    name: str


class Peek(Named):
    """The first rows of a file, with its column of texts."""

    rows: int = 20
    text: str = ""


class Complete(Form):
    """Words that begin like a text."""

    prefix: Shown = ""
    number: int = 20


class Word(Form):
    """A word."""

    word: Shown = ""


class Lines(Form):
    """A page of the places of a word."""

    word: str = ""
    order: str = "text"
    first: int = 0
    number: int = 50


class Documents(Form):
    """A page of a list of documents: its order, and which documents; `since` is the state to compare with."""

    by: str = "certain"
    label: str = ""
    text: str = ""
    low: Annotated[float, _limit("the lowest score")] | None = None
    high: Annotated[float, _limit("the highest score")] | None = None
    since: int | None = None
    first: int = 0
    number: int = 50


class Document(Form):
    """A document."""

    row: int


class ChartOf(Named):
    """A chart; that of shares has groups of a column, or of dates."""

    by: str = ""
    every: str = ""
    format: str = "svg"


class LexiconExport(Form):
    """The lexicon in a format, with the learned weights or those of its file."""

    format: str = "csv"
    weights: bool = False


class ScoresFile(Form):
    """The table of scores, with some columns and with the texts or without."""

    format: Name = "csv"
    text: bool = False
    keep: tuple[str, ...] = ()


class SessionCopy(Form):
    """The session, with its texts or without."""

    texts: bool = False


class ScriptFile(Form):
    """The script: commands, Python, or both with their files."""

    form: str = "zip"


# -- reading


def read_body(kind: type[T], content: bytes) -> T:
    """The record of a request's JSON; raise if it has not this form.

    >>> read_body(GoTo, b'{"state": -1}')  # doctest: +ELLIPSIS
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
        record: T = decode(kind, value)
    except TypedValueError as error:
        raise ProblexError(f"{error}: correct it") from None
    except DamagedValueError as error:
        raise ProblexError(f"the request has a fault ({error}): correct it, or reload the page") from None
    return record


def read_address(kind: Callable[..., T], values: Mapping[str, Sequence[str]]) -> T:
    """The record of the values in an address; of what is empty or missing, the field has its default.

    >>> read_address(Lines, {"word": ["good"], "first": ["10"], "number": [""]})
    Lines(word='good', order='text', first=10, number=50)
    """
    known = fields_of(kind)
    given = {name: texts for name, texts in values.items() if name in known and (texts[-1] or not known[name][1])}
    return kind(**{name: _from_text(known[name][0], name, texts) for name, texts in given.items()})


def _from_text(kind: Any, name: str, texts: Sequence[str]) -> Any:
    """The value of a field from what stands in the address: the last text, or for a tuple all of them.

    >>> _from_text(int | None, "first", ["10", "20"]), _from_text(tuple[str, ...], "keep", ["id", "date"])
    (20, ('id', 'date'))
    >>> [_from_text(bool, "text", [text]) for text in ("1", "true", "0", "yes")]
    [True, True, False, False]
    """
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        return tuple(texts)
    if origin in UNIONS:
        return _from_text(inner[0], name, texts)
    if origin is Annotated and kind is not Name:
        return inner[1](name, texts[-1])
    if kind is bool:
        return texts[-1] in ("1", "true")
    return whole_number(name, texts[-1]) if kind is int else texts[-1]


def whole_number(name: str, text: str) -> int:
    """A whole number from 0 on in an address.

    >>> whole_number("first", "-1")
    Traceback (most recent call last):
    problex.errors.ProblexError: first='-1' was given, expected a whole number from 0 on
    """
    number = int(text) if text.isdecimal() and len(text) < len(str(MAX_INTEGER)) else -1
    if number < 0:
        raise ProblexError(f"{name}={shorten(text)} was given, expected a whole number from 0 on")
    return number
