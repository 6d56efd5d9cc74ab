"""How people write dates: a table of patterns, tried in order on lower-case text without accents.

The groups of a pattern are `y`, `m` or `mon` (a name), `q` (quarter), `w` (week), `d`; or `a`, `b` and `y` where the
order of day and month is open, `a`, `b` and `c` where that of the year is open, too; or `n`, a number whose unit is
that of the form.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

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


@cache
def month_number(name: str) -> int:
    """The number of a month by its name or an abbreviation of it, without accents; 0 if it is none.

    >>> [month_number(name) for name in ("december", "dez", "fevr", "juil", "jui", "decorative")]
    [12, 12, 2, 7, 0, 0]
    """
    found = {at for at, names in enumerate(_plain_names(), 1) if any(one.startswith(name) for one in names)}
    return found.pop() if len(found) == 1 and len(name) >= MIN_LETTERS else 0


@cache
def _plain_names() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(without_accents(names).split()) for names in MONTH_NAMES)


def without_accents(text: str) -> str:
    """A text whose letters have lost their accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
