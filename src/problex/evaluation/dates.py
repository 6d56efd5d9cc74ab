"""Dates as people write them, as days: arrays in, arrays out. The order of day and month may be open.

A day is the number of days since 1970-01-01. Times of day and time zones are ignored: the day is the one that is
written.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.arrow import pc
from problex.evaluation.date_forms import FORMS, KINDS, LEVELS, DateForm, month_number, without_accents
from problex.tables.write.values import without_odd_times

ORDERS = ("dmy", "mdy", "ymd")
"""Orders of day, month and year."""
NO_DAY = -(1 << 40)
"""Stands for no date."""
MAX_WHOLE = 2.0**53
"""Larger numbers stay as they are: as integers they would have wrong digits, or none."""
MIN_YEAR, MAX_YEAR = 1000, 2999
"""Years of dates that are read from text."""
PIVOT = 69
"""Years of two digits from this on are of the 20th century, as in POSIX."""


@dataclass(frozen=True, eq=False)
class Readings:
    """What values may mean as dates.

    `days` has a row per value and a column for each of `ORDERS`, `NO_DAY` where the value is no date in that order;
    `levels` and `kinds` are places in `LEVELS` and `KINDS`.
    """

    days: IntArray
    levels: IntArray
    kinds: IntArray

    @classmethod
    def none(cls, size: int) -> Readings:
        """No value is a date."""
        return cls(np.full((size, 3), NO_DAY), np.zeros(size, np.int64), np.zeros(size, np.int64))

    @property
    def table(self) -> IntArray:
        """All columns side by side."""
        return np.column_stack([self.days, self.levels, self.kinds])


def read_dates(values: pa.Array) -> Readings:
    """Read texts as dates; for speed, give each text once.

    >>> readings = read_dates(pa.array(["24/12/2004", "3/4/2004", "Dec 2004", "unknown"]))
    >>> [[str(np.datetime64(int(day), "D")) if day != NO_DAY else "" for day in row] for row in readings.days]
    [['2004-12-24', '', ''], ['2004-04-03', '2004-03-04', ''], ['2004-12-01', '2004-12-01', '2004-12-01'], ['', '', '']]
    >>> readings.levels.tolist()
    [0, 0, 2, 0]
    """
    found = Readings.none(len(values))
    texts = _plain_texts(values)
    rest = np.flatnonzero(np.asarray(pc.match_substring_regex(texts, r"\d")))
    for form in FORMS:
        if not len(rest):
            break
        fields = pc.extract_regex(texts.take(pa.array(rest)), pattern=f"^(?:{form.pattern})$")
        matched = np.flatnonzero(np.asarray(fields.is_valid()))
        if not len(matched):
            continue
        days = _days_of(form, _integers(fields.take(pa.array(matched))))
        is_date = (days != NO_DAY).any(axis=1)
        places = rest[matched[is_date]]
        found.days[places] = days[is_date]
        found.levels[places], found.kinds[places] = LEVELS.index(form.level), KINDS.index(form.kind)
        rest = np.delete(rest, matched[is_date])
    return found


def _plain_texts(values: pa.Array) -> pa.Array:
    """In lower case, without accents, with single spaces."""
    texts = pc.replace_substring_regex(pc.utf8_lower(pc.utf8_trim_whitespace(values)), r"\s+", " ")
    if pc.all(pc.string_is_ascii(texts)).as_py():
        return texts
    return pa.array([text if text.isascii() else without_accents(text) for text in texts.to_pylist()], pa.string())


def signatures(days: IntArray) -> IntArray:
    """In which of `ORDERS` a value is a date (1, 2 and 4), plus 8 if the dates differ.

    >>> signatures(np.array([[5, NO_DAY, NO_DAY], [5, 5, 5], [5, 6, NO_DAY]])).tolist()
    [1, 7, 11]
    """
    valid = days != NO_DAY
    highest = days.max(axis=1)[:, None]
    differs = (valid & (days != highest)).any(axis=1)
    return np.asarray(valid @ np.array([1, 2, 4]) + 8 * differs, dtype=np.int64)


def _integers(fields: pa.StructArray) -> dict[str, IntArray]:
    """The groups of a pattern as integers, months by their names."""
    numbers = {}
    for field in fields.type:
        column = fields.field(field.name)
        if field.name == "mon":
            words = column.dictionary_encode()
            months = np.array([month_number(word) for word in words.dictionary.to_pylist()])
            numbers["m"] = months[np.asarray(words.indices)]
        else:
            digits = pc.replace_substring(column, "'", "")
            numbers[field.name] = np.asarray(pc.cast(digits, pa.int64()), dtype=np.int64)
    return numbers


def _days_of(form: DateForm, number: dict[str, IntArray]) -> IntArray:
    """The days of the values that fit a form, by order."""
    if "a" in number:
        a, b = number["a"], number["b"]
        year = number["y"] if "y" in number else number["c"]
        year_first = civil_days(a, b, number["c"]) if "c" in number else np.full(len(a), NO_DAY)
        return np.stack([civil_days(year, b, a), civil_days(year, a, b), year_first], axis=1)
    if "n" in number:
        days = number["n"] // form.per_day + form.zero
    elif "w" in number:
        days = week_days(number["y"], number["w"], number.get("d", np.full(len(number["w"]), 4)))
    else:
        month = number["m"] if "m" in number else 3 * number["q"] - 2 if "q" in number else np.ones_like(number["y"])
        days = civil_days(number["y"], month, number.get("d", np.ones_like(number["y"])))
    return np.repeat(days[:, None], 3, axis=1)


def civil_days(year: IntArray, month: IntArray, day: IntArray) -> IntArray:
    """The days of dates, `NO_DAY` where there is no such date.

    >>> civil_days(np.array([1970, 2004, 2003]), np.array([1, 2, 2]), np.array([2, 29, 29])).tolist()[:2]
    [1, 12477]
    """
    year = np.where(year < 100, np.where(year < PIVOT, 2000, 1900) + year, year)
    fits = (year >= MIN_YEAR) & (year <= MAX_YEAR) & (month >= 1) & (month <= 12) & (day >= 1)
    months = np.where(fits, (year - 1970) * 12 + month - 1, 0)
    first = months.astype("M8[M]").astype("M8[D]").astype(np.int64)
    length = (months + 1).astype("M8[M]").astype("M8[D]").astype(np.int64) - first
    return np.asarray(np.where(fits & (day <= length), first + day - 1, NO_DAY), dtype=np.int64)


def week_days(year: IntArray, week: IntArray, day: IntArray) -> IntArray:
    """The days of ISO weeks (day 1 is Monday), `NO_DAY` where the year has no such week.

    >>> str(np.datetime64(int(week_days(np.array([2004]), np.array([53]), np.array([7]))[0]), "D"))
    '2005-01-02'
    """
    fourth = civil_days(year, np.ones_like(year), np.full_like(year, 4))  # always in week 1
    monday = fourth - (fourth + 3) % 7 + 7 * (week - 1)
    years = (monday + 3).astype("M8[D]").astype("M8[Y]").astype(np.int64) + 1970
    return np.asarray(np.where((week >= 1) & (years == year), monday + day - 1, NO_DAY), dtype=np.int64)


def as_texts(values: pa.Array) -> pa.Array:
    """A column of any type as texts, without nulls; dates and times as days, whole numbers without decimals.

    NUL characters are blanks: NumPy compares texts without those at their end.

    >>> as_texts(pa.array([38345.0, None])).to_pylist(), as_texts(pa.array([np.datetime64("2004-12-24T18", "s")]))[0]
    (['38345', ''], <pyarrow.StringScalar: '2004-12-24'>)
    """
    values, odd = without_odd_times(pa.chunked_array([values]))
    values = values.combine_chunks()
    if pa.types.is_timestamp(values.type):
        local = pc.local_timestamp(values) if values.type.tz is not None else values
        values = pc.floor_temporal(local, unit="day").cast(pa.date32())
    elif pa.types.is_date64(values.type):
        values = values.cast(pa.date32())
    elif pa.types.is_floating(values.type):
        if pa.types.is_float16(values.type):
            values = values.cast(pa.float32())  # Arrow cannot round those of 16 bits
        present = values.drop_null()
        if pc.all(pc.and_(pc.less(pc.abs(present), MAX_WHOLE), pc.equal(present, pc.floor(present)))).as_py():
            values = values.cast(pa.int64(), safe=False)
    try:
        texts = values.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        texts = pa.array([None if value is None else str(value) for value in values.to_pylist()], pa.string())
    if odd:  # of a time of a far year, the day
        rows = enumerate(texts.to_pylist())
        texts = pa.array([odd[row].split()[0] if row in odd else text for row, text in rows], pa.string())
    return pc.utf8_trim_whitespace(pc.replace_substring(texts.fill_null(""), "\0", " "))
