"""Rows of output tables, and their CSV and JSON."""

from __future__ import annotations

import base64
import csv
import datetime
import json
import math
import re
from collections.abc import Sequence
from typing import Any

Record = dict[str, Any]
"""A row of an output table: plain values by column name."""
FORMULA = r"^'*[=+\-@\t\r]"
"""The beginning of a cell that a spreadsheet would compute, or that looks like one made harmless."""
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_FORMULA, _NUMBER = re.compile(FORMULA), re.compile(NUMBER)


def to_csv(records: Sequence[Record], columns: Sequence[str] = (), *, raw: bool = False) -> str:
    r"""Records as CSV with a header; `columns` are needed only if there may be no records.

    Cells that a spreadsheet would compute are made harmless, unless `raw`.

    >>> to_csv([{"word": "good", "note": "a, b"}, {"word": "=1+1", "note": -1.5}])
    'word,note\ngood,"a, b"\n\'=1+1,-1.5\n'
    """
    names = list(records[0]) if records else list(columns)
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow([csv_cell(name, raw=raw) for name in names])
    writer.writerows([csv_cell(record[name], raw=raw) for name in names] for record in records)
    return "".join(lines)


class _Lines(list[str]):
    """Lines of CSV, ended by LF: cells with CR are quoted only if that ends lines, too."""

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def csv_cell(value: object, *, raw: bool = False) -> object:
    """A value for a cell of CSV: lists and structures are JSON, bytes are base64.

    >>> csv_cell(["a", 1]), csv_cell(b"x"), csv_cell("=1+1"), csv_cell("=1+1", raw=True)
    ('["a", 1]', 'eA==', "'=1+1", '=1+1')
    """
    if isinstance(value, str):
        return value if raw else escape_formula(value)
    if isinstance(value, list | tuple | dict):
        return to_json(value)[0]
    return plain_value(value) if isinstance(value, bytes | datetime.timedelta) else value


def escape_formula(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would compute; numbers stay.

    >>> [escape_formula(text) for text in ("=1+1", "-5", "+1.5e3", "@x", "'=1", "'a")]
    ["'=1+1", '-5', '+1.5e3', "'@x", "''=1", "'a"]
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text


def unescape_formula(text: str) -> str:
    """The inverse of `escape_formula`.

    >>> [unescape_formula(text) for text in ("'=1+1", "-5", "''=1", "'a")]
    ['=1+1', '-5', "'=1", "'a"]
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def to_json(value: Any, *, indent: int | None = None, ascii: bool = False) -> tuple[str, int]:
    """A value as JSON, and how many of its numbers JSON lacks (NaN and infinity): these are null.

    >>> to_json({"x": [1.5, float("nan")], "day": datetime.date(2024, 1, 2)})
    ('{"x": [1.5, null], "day": "2024-01-02"}', 1)
    """
    try:
        return json.dumps(value, ensure_ascii=ascii, indent=indent, allow_nan=False, default=plain_value), 0
    except ValueError:  # a number that JSON lacks
        finite, number = _finite(plain_value(value))
        return json.dumps(finite, ensure_ascii=ascii, indent=indent, allow_nan=False), number


def _finite(value: Any) -> tuple[Any, int]:
    """A value with None for numbers that are not finite, and their number.

    >>> _finite([1.5, float("inf"), {"a": float("nan")}])
    ([1.5, None, {'a': None}], 2)
    """
    if isinstance(value, float) and not math.isfinite(value):
        return None, 1
    if isinstance(value, list):
        parts = [_finite(part) for part in value]
        return [part for part, _ in parts], sum(number for _, number in parts)
    if isinstance(value, dict):
        pairs = {key: _finite(part) for key, part in value.items()}
        return {key: part for key, (part, _) in pairs.items()}, sum(number for _, number in pairs.values())
    return value, 0


def plain_value(value: Any) -> Any:
    """A value of the types that JSON has: times are ISO 8601, bytes base64, decimals texts.

    >>> from decimal import Decimal
    >>> plain_value([{"a": Decimal("1.50")}, b"x", datetime.timedelta(1, 5)])
    [{'a': '1.50'}, 'eA==', 'P1DT5S']
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, dict):
        return {str(key): plain_value(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(part) for part in value]
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return _duration(value)
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)


def _duration(value: datetime.timedelta) -> str:
    """A duration as ISO 8601 has it: days and seconds.

    >>> _duration(datetime.timedelta(days=1, seconds=5)), _duration(datetime.timedelta(hours=-1))
    ('P1DT5S', '-P0DT3600S')
    """
    sign, value = ("-", -value) if value < datetime.timedelta(0) else ("", value)
    nanoseconds = getattr(value, "nanoseconds", 0)  # those of pandas have them
    fraction = f".{value.microseconds:06d}" if value.microseconds or nanoseconds else ""
    fraction += f"{nanoseconds:03d}" if nanoseconds else ""
    return f"{sign}P{value.days}DT{value.seconds}{fraction}S"
