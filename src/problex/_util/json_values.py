"""JSON of files that may be damaged: strict parsing, and values that are checked as they are read.

Every error is a `DamagedValueError` with a short reason, such as "'tokens' is -3, expected an integer from 0 on"; the
reader of the file puts its name in front and says what to do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from problex._util._tables import are_texts
from problex._util.arrays import FloatArray, IntArray

MAX_INTEGER = 2**63 - 1
"""The largest integer that sums are stored as."""
MAX_NUMBER = 1e100
"""The largest absolute value of a number in a file: sums and products of a few stay finite."""
SHARES_TOLERANCE = 1e-6
"""How far a sum of shares may be from one."""
MAX_SHOWN = 40
"""Characters of a value that an error quotes."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

Rows = list[list[Any]]


class DamagedValueError(ValueError):
    """A value of a file that is missing or not what was expected."""


@dataclass(frozen=True)
class Columns:
    """A table of a file by its columns: lists of texts, and arrays of integers or floats."""

    values: list[Any]


def parse_json(text: str, *, constants: bool = False) -> Any:
    """Parse JSON; refuse repeated names, texts that are not Unicode, and, without `constants`, NaN and Infinity.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'a' is there twice
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_unique_names, parse_constant=float if constants else _refuse_constant
        )
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise DamagedValueError(f"line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise DamagedValueError("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise DamagedValueError("a text in it is not valid Unicode") from None
    except DamagedValueError:
        raise
    except MemoryError:
        raise DamagedValueError("it is too large for the memory") from None
    except ValueError:  # Python refuses to convert thousands of digits
        raise DamagedValueError("a number in it has thousands of digits") from None
    return value


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        raise DamagedValueError(f"{shorten(next(name for name in names if names.count(name) > 1))} is there twice")
    return record


def _refuse_constant(name: str) -> Any:
    raise DamagedValueError(f"{name} is there, expected a finite number")


def shorten(value: object) -> str:
    """A value as an error quotes it.

    >>> shorten("good"), shorten({"a": 1}), shorten(10**40)
    ("'good'", 'an object', 'a number of more than 40 digits')
    """
    if isinstance(value, int) and abs(value) >= 10**MAX_SHOWN:
        return "a number of more than 40 digits"
    if isinstance(value, str | int | float | None):
        text = repr(value if not isinstance(value, str) else value[: MAX_SHOWN + 1])
        return text if len(text) <= MAX_SHOWN + 2 else text[:MAX_SHOWN] + "..."
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else type(value).__name__


def wrong(name: str, value: object, expected: str) -> DamagedValueError:
    """The error of a value that is not what was expected."""
    return DamagedValueError(f"{name!r} is {shorten(value)}, expected {expected}")


def check_integer(name: str, value: object, low: int = 0, high: int = MAX_INTEGER) -> int:
    """An integer from `low` to `high`.

    >>> check_integer("tokens", -3)
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'tokens' is -3, expected an integer from 0 on
    """
    if type(value) is not int or not low <= value <= high:
        limits = f"from {low} on" if high == MAX_INTEGER else f"from {low} to {high}"
        raise wrong(name, value, f"an integer {limits}")
    return value


def check_number(name: str, value: object, low: float = -MAX_NUMBER, high: float = MAX_NUMBER) -> float:
    """A finite number from `low` to `high`.

    >>> check_number("share", 1, 0, 1)
    1
    >>> check_number("share", True, 0, 1)
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'share' is True, expected a finite number from 0 to 1
    """
    if type(value) not in (int, float) or not low <= value <= high:  # type: ignore[operator]
        bounded = "" if (low, high) == (-MAX_NUMBER, MAX_NUMBER) else f" from {low:g} to {high:g}"
        raise wrong(name, value, f"a finite number{bounded}")
    return value  # type: ignore[return-value]


def check_text(name: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise wrong(name, value, "a text")
    return value


def check_list(name: str, value: object, length: int | None = None) -> list[Any]:
    """A list, of some length if it is given."""
    if not isinstance(value, list) or (length is not None and len(value) != length):
        size = "" if length is None else f" of {length} values"
        shown = f"a list of {len(value)}" if isinstance(value, list) else shorten(value)
        raise DamagedValueError(f"{name!r} is {shown}, expected a list{size}")
    return value


def check_texts(name: str, value: object, *, unique: bool = True) -> tuple[str, ...]:
    """Some texts, each only once unless `unique` is false.

    >>> check_texts("words", ["good", "bad"]), check_texts("words", ["so", "so"], unique=False)
    (('good', 'bad'), ('so', 'so'))
    >>> check_texts("words", ["so", "so"])
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'words' has a text twice, expected each once
    """
    texts = tuple(value) if isinstance(value, tuple) else tuple(check_list(name, value))
    if not are_texts(texts):
        raise wrong(name, next(text for text in texts if not isinstance(text, str)), "texts only")
    if unique and len(set(texts)) < len(texts):
        raise DamagedValueError(f"{name!r} has a text twice, expected each once")
    return texts


def check_rows(name: str, value: object, width: int) -> Rows:
    """A table as a list of rows, each a list of `width` values.

    >>> check_rows("counts", [[1, 2], [3]], 2)
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'counts' has a row that is not a list of 2 values
    """
    rows = check_list(name, value)
    if not set(map(type, rows)) <= {list} or not set(map(len, rows)) <= {width}:
        raise DamagedValueError(f"{name!r} has a row that is not a list of {width} values")
    return rows


def integer_array(name: str, values: Sequence[Any] | NDArray[Any], low: int = 0, high: int = MAX_INTEGER) -> IntArray:
    """Integers from `low` to `high` as an array.

    >>> integer_array("counts", [1, 2, -3])
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'counts' is -3, expected ...
    """
    if isinstance(values, np.ndarray) and values.dtype != np.int64:
        values = values.tolist()
    if not isinstance(values, np.ndarray) and not set(map(type, values)) <= {int}:
        raise wrong(name, next(value for value in values if type(value) is not int), "integers only")
    try:
        array = np.asarray(values, dtype=np.int64)
    except OverflowError:
        raise DamagedValueError(f"{name!r} has a number beyond 2^63") from None
    if len(array) and not (low <= int(array.min()) and int(array.max()) <= high):
        at = int(np.argmax((array < low) | (array > high)))
        check_integer(name, int(values[at]), low, high)
    return array


def number_array(
    name: str, values: Sequence[Any] | NDArray[Any], low: float = -MAX_NUMBER, high: float = MAX_NUMBER
) -> FloatArray:
    """Finite numbers from `low` to `high` as an array."""
    if not isinstance(values, np.ndarray) and not set(map(type, values)) <= {int, float}:
        raise wrong(name, next(value for value in values if type(value) not in (int, float)), "numbers only")
    try:
        array = np.asarray(values, dtype=np.float64)
    except OverflowError:
        raise DamagedValueError(f"{name!r} has a number of hundreds of digits") from None
    valid = (array >= low) & (array <= high)
    if not valid.all():
        at = int(np.argmin(valid))
        check_number(name, values[at].item() if isinstance(values, np.ndarray) else values[at], low, high)
    return array


@dataclass(frozen=True)
class Fields:
    """The fields of a JSON object, read by name; `where` is the name of the object, empty for that of the file.

    >>> Fields.of("corpus", {"tokens": 3}).integer("documents")
    Traceback (most recent call last):
    problex._util.json_values.DamagedValueError: 'corpus.documents' is missing
    """

    where: str
    record: Mapping[str, Any]

    @classmethod
    def of(cls, where: str, value: object, names: Collection[str] | None = None) -> Fields:
        """The fields of a value that must be an object; with `names`, it may have no others.

        >>> Fields.of("options", {"rule": "given", "rul": 1}, ["rule"])
        Traceback (most recent call last):
        problex._util.json_values.DamagedValueError: 'rul' is not a field of options
        """
        if not isinstance(value, Mapping):
            raise wrong(where or "the content", value, "an object")
        unknown = [name for name in value if names is not None and name not in names]
        if unknown:
            raise DamagedValueError(f"{shorten(unknown[0])} is not a field of {where or 'the file'}")
        return cls(f"{where}." if where else "", value)

    def get(self, name: str) -> Any:
        """The value of a field; raise if it is missing.

        >>> Fields.of("options", {}).get("rule")
        Traceback (most recent call last):
        problex._util.json_values.DamagedValueError: 'options.rule' is missing
        """
        if name not in self.record:
            raise DamagedValueError(f"{self.where + name!r} is missing")
        return self.record[name]

    def integer(self, name: str, low: int = 0, high: int = MAX_INTEGER) -> int:
        """An integer from `low` to `high`."""
        return check_integer(self.where + name, self.get(name), low, high)

    def number(self, name: str, low: float = -MAX_NUMBER, high: float = MAX_NUMBER) -> float:
        """A finite number from `low` to `high`."""
        return check_number(self.where + name, self.get(name), low, high)

    def text(self, name: str) -> str:
        """A text."""
        return check_text(self.where + name, self.get(name))

    def boolean(self, name: str) -> bool:
        """True or false."""
        value = self.get(name)
        if not isinstance(value, bool):
            raise wrong(self.where + name, value, "true or false")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Different texts."""
        return check_texts(self.where + name, self.get(name))

    def values(self, name: str, length: int | None = None) -> Sequence[Any]:
        """A list, of some length if it is given."""
        return check_list(self.where + name, self.get(name), length)

    def rows(self, name: str, width: int) -> Rows:
        """A table as a list of rows."""
        return check_rows(self.where + name, self.get(name), width)

    def object(self, name: str, names: Collection[str] | None = None) -> Fields:
        """An object; with `names`, it may have no other fields."""
        return Fields.of(self.where + name, self.get(name), names)
