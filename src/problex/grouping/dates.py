"""Dates as people write them, as days: arrays in, arrays out. The order of day and month may be open.

A day is the number of days since 1970-01-01. Times of day and time zones are ignored: the day is the one that is
written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache

import numpy as np
import pyarrow as pa

from problex._util.arrays import IntArray
from problex._util.arrow import pc
from problex.tables.write import has_values_beyond_python, text_values

LEVELS = ("day", "week", "month", "quarter", "year")
"""How exact a date is, the most exact first."""
WRITTEN, YEAR, MONTH, EXCEL, UNIX = KINDS = (
    "dates",
    "years",
    "years with a month",
    "days of Excel",
    "Unix time",
)
"""What values are read as. All but the first are numbers, which may be something else than dates."""
MONTH_NAMES = (
    "january januar jänner janvier enero gennaio janeiro januari",
    "february februar feber février febrero febbraio fevereiro februari",
    "march märz mars marzo março maart mrt",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august août agosto augustus",
    "september septembre septiembre setiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember décembre diciembre dicembre dezembro",
)
"""Names of the months in English, German, French, Spanish, Italian, Portuguese and Dutch."""
MIN_LETTERS = 3
"""Letters that an abbreviated month must have."""
_YEAR = r"[12]\d{3}"
_SEPARATOR = r"(?:[-/.] ?| )"
_TIME = r"(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,:]\d+)?)?(?: ?[ap]\.?m\.?)?|\d{1,2} ?[ap]\.?m\.?)(?: uhr)?"
_ZONE = r" ?(?:[a-z]{1,5}|[a-z]+/[a-z_/]+)?(?:[-+]\d{1,2}(?::?\d{2})?)?(?: ?[\[(][^\])]*[\])])?"
_TAIL = rf"(?:(?:t|:|-|,? (?:at |um |- )?){_TIME}{_ZONE})?"
_WEEKDAYS = "mo|tu|we|th|fr|sa|su|di|mi|do|so|lu|ma|me|je|ve|ju|vi|gi|se|te|qu|wo|vr|za|zo"
_WEEKDAY = rf"(?:(?:{_WEEKDAYS})[a-z]*(?:-feira)?\.?,? )?"
_NAME = r"(?P<mon>[a-z]+)\.?"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th|er|º|\.)?"
_GAP = r"(?:[-/, ]+(?:of |de |del )?)"
_SHORT_YEAR = rf"(?P<y>{_YEAR}|'?\d{{2}})"
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
MAX_BINS = 40
"""Bins that a chart may have by default."""
OUTLYING = 0.01
"""Share of the documents at either end of the time that may lie outside of `MAX_BINS`."""
DATE_PATTERN = r"\d{4}(?:-\d{2}(?:-\d{2})?|-W\d{2}|-Q[1-4])?"
"""The names of all periods."""


@dataclass(frozen=True)
class DateForm:
    """A pattern, how exact its dates are, and what kind of value it is."""

    pattern: str
    level: str = "day"
    kind: str = WRITTEN
    per_day: int = 1
    """How many units of the number `n` a day has."""
    zero: int = 0
    """The day, counted from 1970-01-01, from which `n` counts."""


FORMS = (
    # 2004-12-24T18:00:00.5+01:00, 2004/12/24; 04-12-24; 24/12/2004, 24.12.04; 20041224, 20041224T180000Z; 24122004
    DateForm(rf"(?P<y>{_YEAR}){_SEPARATOR}(?P<m>\d{{1,2}}){_SEPARATOR}(?P<d>\d{{1,2}}){_TAIL}"),
    DateForm(rf"(?P<a>\d{{2}})-(?P<b>\d{{2}})-(?P<c>\d{{2}}){_TAIL}"),
    DateForm(
        rf"{_WEEKDAY}(?P<a>\d{{1,2}}){_SEPARATOR}(?P<b>\d{{1,2}}){_SEPARATOR}(?P<y>{_YEAR}|\d{{2}})(?: uhr)?{_TAIL}"
    ),
    DateForm(
        rf"(?P<y>1[789]\d\d|2[01]\d\d)(?P<m>\d{{2}})(?P<d>\d{{2}})(?:t?\d{{4}}(?:\d{{2}})?(?:\.\d+)?{_ZONE}|\.0+)?"
    ),
    DateForm(r"(?P<a>\d{2})(?P<b>\d{2})(?P<y>1[789]\d\d|2[01]\d\d)(?:\.0+)?"),
    # Mon Apr 06 22:19:45 PDT 2009; 24 Dec 2004, 24. Dezember 2004, 24-Dec-04; December 24, 2004; 2004 Dec 24
    DateForm(rf"{_WEEKDAY}{_NAME} {_DAY},? {_TIME}{_ZONE} (?P<y>{_YEAR})"),
    DateForm(rf"{_WEEKDAY}{_DAY}{_GAP}?{_NAME}{_GAP}{_SHORT_YEAR}{_TAIL}"),
    DateForm(rf"{_WEEKDAY}{_NAME}{_GAP}?{_DAY}{_GAP}{_SHORT_YEAR}{_TAIL}"),
    DateForm(rf"(?P<y>{_YEAR})[-/, ]{_NAME}[-/, ]{_DAY}{_TAIL}"),
    DateForm(rf"(?P<y>{_YEAR}) ?年 ?(?P<m>\d{{1,2}}) ?月 ?(?P<d>\d{{1,2}}) ?日.*"),
    # 2004-W52-5, 2004-W52; 2004-12, 2004m12; 12/2004; Dec 2004; Dec-04; 2004 Dec
    DateForm(rf"(?P<y>{_YEAR})-?w(?P<w>\d{{2}})-?(?P<d>[1-7])"),
    DateForm(rf"(?P<y>{_YEAR})[- ]?w(?P<w>\d{{1,2}})", "week"),
    DateForm(rf"(?P<y>{_YEAR})[-/m](?P<m>\d{{1,2}})", "month"),
    DateForm(rf"(?P<m>\d{{1,2}})[-/.](?P<y>{_YEAR})", "month"),
    DateForm(rf"{_NAME}{_GAP}(?P<y>{_YEAR})", "month"),
    DateForm(rf"{_NAME}(?:-|-?'| ')(?P<y>\d{{2}})", "month"),
    DateForm(rf"(?P<y>{_YEAR})[-/, ]{_NAME}", "month"),
    DateForm(rf"(?P<y>{_YEAR}) ?年 ?(?P<m>\d{{1,2}}) ?月", "month"),
    # 2004-Q4, Q4 2004
    DateForm(rf"(?P<y>{_YEAR})[-/ ]?q(?P<q>[1-4])", "quarter"),
    DateForm(rf"q(?P<q>[1-4])[-/ ]?(?P<y>{_YEAR})", "quarter"),
    # Numbers: 2004, 200412, 38345.75, 1103907600 and its thousandths, millionths and billionths
    DateForm(rf"(?P<y>{_YEAR})(?:\.0+)?", "year", YEAR),
    DateForm(r"(?P<y>1[789]\d\d|2[01]\d\d)(?P<m>0[1-9]|1[0-2])(?:\.0+)?", "month", MONTH),
    DateForm(r"(?P<n>[1-7]\d{4})(?:\.\d+)?", "day", EXCEL, zero=-25569),
    DateForm(r"(?P<n>\d{9,10})(?:\.\d+)?", "day", UNIX, per_day=86_400),
    DateForm(r"(?P<n>[1-9]\d{11,12})(?:\.\d+)?", "day", UNIX, per_day=86_400_000),
    DateForm(r"(?P<n>[1-9]\d{14,15})(?:\.0+)?", "day", UNIX, per_day=86_400_000_000),
    DateForm(r"(?P<n>[1-9]\d{17,18})(?:\.0+)?", "day", UNIX, per_day=86_400_000_000_000),
)


@dataclass(frozen=True, eq=False)
class Readings:
    """What values may mean as dates.

    `days` has a row per value and a column for each of `ORDERS`, `NO_DAY` where the value is no date in that order;
    `levels` and `kinds` are positions in `LEVELS` and `KINDS`.
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
    result = Readings.none(len(values))
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
        positions = rest[matched[is_date]]
        result.days[positions] = days[is_date]
        result.levels[positions], result.kinds[positions] = LEVELS.index(form.level), KINDS.index(form.kind)
        rest = np.delete(rest, matched[is_date])
    return result


def _plain_texts(values: pa.Array) -> pa.Array:
    """In lower case, without accents, with single spaces.

    >>> _plain_texts(pa.array([" 1.  MÄRZ 2004 "])).to_pylist()
    ['1. marz 2004']
    """
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
    >>> ones = np.ones(2, np.int64)
    >>> civil_days(np.array([PIVOT - 1, PIVOT]), ones, ones).astype("M8[D]").astype(str).tolist()
    ['2068-01-01', '1969-01-01']
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
    if has_values_beyond_python(values):
        values = pa.array(text_values(pa.chunked_array([values])), pa.string())
    if pa.types.is_dictionary(values.type) and pa.types.is_temporal(values.type.value_type):
        values = values.dictionary_decode()
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
    return pc.utf8_trim_whitespace(pc.replace_substring(texts.fill_null(""), "\0", " "))


@cache
def month_number(name: str) -> int:
    """The number of a month by its name or an abbreviation of it, without accents; 0 if it is none.

    >>> [month_number(name) for name in ("december", "dez", "fevr", "juil", "jui", "decorative")]
    [12, 12, 2, 7, 0, 0]
    """
    result = {at for at, names in enumerate(_plain_names(), 1) if any(one.startswith(name) for one in names)}
    return result.pop() if len(result) == 1 and len(name) >= MIN_LETTERS else 0


@cache
def _plain_names() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(without_accents(names).split()) for names in MONTH_NAMES)


def without_accents(text: str) -> str:
    """A text whose letters have lost their accents.

    >>> without_accents("août, févr., März")
    'aout, fevr., Marz'
    """
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


@dataclass(frozen=True)
class Period:
    """A unit of time: `number` gives each day the number of its period, `first` the first day of a period."""

    number: Callable[[IntArray], IntArray]
    first: Callable[[IntArray], IntArray]
    name: Callable[[date], str]


def _months(days: IntArray) -> IntArray:
    return days.astype("M8[D]").astype("M8[M]").astype(np.int64)


def _first_of_month(months: IntArray) -> IntArray:
    return months.astype("M8[M]").astype("M8[D]").astype(np.int64)


def _week_name(day: date) -> str:
    """The name of the ISO week of a day; the first days of January may be in the last week of the year before.

    >>> _week_name(date(2005, 1, 2)), _week_name(date(2005, 1, 3))      # a Sunday and a Monday
    ('2004-W53', '2005-W01')
    """
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


PERIODS: dict[str, Period] = {
    "day": Period(lambda days: days, lambda numbers: numbers, date.isoformat),
    "week": Period(lambda days: (days + 3) // 7, lambda numbers: 7 * numbers - 3, _week_name),
    "month": Period(_months, _first_of_month, lambda day: f"{day.year:04}-{day.month:02}"),
    "quarter": Period(
        lambda days: _months(days) // 3,
        lambda numbers: _first_of_month(3 * numbers),
        lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    ),
    "year": Period(
        lambda days: _months(days) // 12,
        lambda numbers: _first_of_month(12 * numbers),
        lambda day: f"{day.year:04}",
    ),
}
"""Periods by name, the shortest first. Weeks are those of ISO 8601: they begin on Monday."""


def period_names(every: str, numbers: IntArray) -> list[str]:
    """The names of periods by their numbers; the order of the names is that of time.

    >>> days = np.array([12776])
    >>> [period_names(every, PERIODS[every].number(days))[0] for every in PERIODS]
    ['2004-12-24', '2004-W52', '2004-12', '2004-Q4', '2004']
    """
    period = PERIODS[every]
    firsts = period.first(numbers).astype("M8[D]").tolist()
    return [period.name(day) for day in firsts]


def period_of(name: str) -> str:
    """Which period a name is of.

    >>> [period_of(name) for name in ("2004-12-24", "2004-W53", "2004-12", "2004-Q4", "2004")]
    ['day', 'week', 'month', 'quarter', 'year']
    """
    rest = name.partition("-")[2]
    return {"W": "week", "Q": "quarter", "": "year"}.get(rest[:1], "day" if "-" in rest else "month")


def choose_period(days: IntArray, documents: IntArray, level: int = 0) -> str:
    """The shortest period of which at most `MAX_BINS` cover the documents, not shorter than `level` in `LEVELS`.

    >>> [choose_period(np.arange(days), np.ones(days)) for days in (40, 41, 300, 1500, 9000)]
    ['day', 'week', 'month', 'quarter', 'year']
    """
    order = np.argsort(days)
    below = np.cumsum(documents[order]) / documents.sum()
    ends = days[order][np.searchsorted(below, [OUTLYING, 1 - OUTLYING])]
    for every in LEVELS[level:]:
        first, last = PERIODS[every].number(ends).tolist()
        if last - first < MAX_BINS:
            return every
    return "year"


def numbers_between(numbers: IntArray) -> IntArray:
    """All numbers from the first to the last, if few are new: no more than there are, plus `MAX_BINS`.

    >>> numbers_between(np.array([7, 3])).tolist(), numbers_between(np.array([0, 99])).tolist()
    ([3, 4, 5, 6, 7], [0, 99])
    """
    first, last = int(numbers.min()), int(numbers.max())
    present = np.unique(numbers)
    return np.arange(first, last + 1) if last - first + 1 <= 2 * len(present) + MAX_BINS else present
