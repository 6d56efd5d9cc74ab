"""The encoding of a file, guessed from its first bytes.

A byte order mark decides, then UTF-8, which other encodings resemble only by accident. Otherwise a byte stands for a
different character in each encoding: the one is chosen whose characters make words of a language, if no other does.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from problex.errors import DocumentError, opt, was_given

MARKS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""Byte order marks; that of UTF-32 begins with that of UTF-16."""
LABELS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-32": "UTF-32",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16 (big endian)",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32 (big endian)",
    "cp1252": "Windows-1252",
    "iso8859-1": "Latin-1",
    "cp1250": "Windows-1250",
    "iso8859-2": "ISO 8859-2",
    "iso8859-15": "ISO 8859-15",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "cp874": "Windows-874",
    "cp437": "DOS 437",
    "cp850": "DOS 850",
    "cp852": "DOS 852",
    "cp1257": "Windows-1257",
    "cp1258": "Windows-1258",
    "mac-latin2": "Mac Central European",
    "iso8859-4": "ISO 8859-4",
    "iso8859-7": "ISO 8859-7",
    "iso8859-13": "ISO 8859-13",
    "iso8859-14": "ISO 8859-14",
    "cp866": "DOS 866",
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    "mac-cyrillic": "Mac Cyrillic",
    "iso8859-5": "ISO 8859-5",
    "iso8859-6": "ISO 8859-6",
    "mac-roman": "Mac Roman",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "iso2022_jp": "ISO-2022-JP",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp949": "EUC-KR",
}
"""Names for messages by the names of codecs."""
SAMPLE_BYTES = 1 << 15  # of lines that are not ASCII, from which an encoding is guessed
MIXED_SHARE = 0.05  # of runs that are valid UTF-8 by accident in text of another encoding: hardly any
LATIN_LETTERS = ("cp1252", "iso8859-15", "cp1250", "iso8859-2", "cp1254", "cp1257")
"""Encodings in which a letter and a sign that is UTF-8 for one letter hardly ever follow each other."""
MOST_UNUSUAL = 4  # different characters that may be UTF-8 by accident
MAX_CANDIDATES = 3  # in a message
EXCERPT = 40  # characters of a line in a message
LEAST_SCORE, MOST_ODD = -12.0, 0.5  # of a word, and of pairs of letters: beyond both there are no words
EURO_SIGN = b"\xa4"  # in ISO 8859-15; in Latin-1, a sign for any currency that nobody uses
WIDE_SAMPLE = 1 << 14  # characters of UTF-16 that are looked at
WIDE_ZEROS = 0.1  # the zeros in UTF-16: at least those of blanks, line ends and delimiters
_VALID_RUN = re.compile(rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})++")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_HIGH = re.compile(rb"[\x80-\xff]")
_LINE_END = re.compile(rb"[\r\n]|\Z")
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]")
_UTF8_LETTER = re.compile(rb"(?<![A-Z\x80-\xff])(?:[\xc2-\xc5][\x80-\xbf]|\xe2\x80[\x80-\xbf])+(?![\x80-\xff])")

SAVE_AS_CSV = "open it in a spreadsheet program and save it as CSV (UTF-8)"
REFUSED = {
    b"PK\x03\x04": ("a ZIP archive or an Excel or LibreOffice file", f"rename it (.xlsx, .zip), or {SAVE_AS_CSV}"),
    b"\xd0\xcf\x11\xe0": ("an old Excel or Word file", SAVE_AS_CSV),
    b"\x1f\x8b": ("compressed with gzip", "add .gz to its name"),
    b"BZh": ("compressed with bzip2", "add .bz2 to its name"),
    b"\x28\xb5\x2f\xfd": ("compressed with Zstandard", "add .zst to its name"),
    b"PAR1": ("a Parquet file", "rename it to .parquet"),
    b"SQLite format 3\0": ("an SQLite database", "export the table with the texts as CSV"),
    b"$FL2": ("an SPSS file", "export it as CSV"),
    b"<stata_dta>": ("a Stata file", "export it as CSV"),
    b"%PDF": ("a PDF file", "copy the texts into a table"),
    b"{\\rtf": ("a Rich Text file", "save it as plain text (UTF-8)"),
}
"""First bytes -> what the file is, and what to do."""
MAX_ZEROS = 0.1  # of the bytes of a text


@dataclass(frozen=True)
class Encoding:
    """The name of a codec of Python, a name for people, and, if it is not certain, those of all that are likely."""

    codec: str
    label: str
    candidates: tuple[str, ...] = ()

    @property
    def is_certain(self) -> bool:
        """Whether it was given, or no other encoding is likely."""
        return not self.candidates

    @property
    def is_utf8(self) -> bool:
        """Whether nothing needs to be converted."""
        return self.codec == "utf-8"


def encoding_named(name: str) -> Encoding:
    """An encoding by one of its names; "ascii" and "utf-8-sig" are UTF-8.

    >>> encoding_named("latin1").label, encoding_named("Windows-1250").codec
    ('Latin-1', 'cp1250')
    """
    try:
        info = codecs.lookup(name.strip())
        if not info._is_text_encoding or info.name in ("idna", "punycode", "undefined"):  # of names in addresses
            raise LookupError
    except (LookupError, ValueError, UnicodeError):
        raise DocumentError(
            f"{was_given('encoding', name)}; expected a name such as 'utf-8', 'utf-16', 'cp1252' (Windows-1252, "
            "Western Europe), 'cp1250', 'cp1251', 'shift_jis' or 'gb18030'."
        ) from None
    codec = "utf-8" if info.name in ("ascii", "utf-8-sig") else info.name
    return Encoding(codec, LABELS.get(codec, codec))


def guess_encoding(data: bytes, *, is_whole: bool = True) -> Encoding | None:
    """The encoding of a file from its first bytes; None if nothing fits.

    >>> guess_encoding("schön".encode()).label, guess_encoding("schön – gut".encode("cp1252")).label
    ('UTF-8', 'Windows-1252')
    """
    mark = next((codec for mark, codec in MARKS.items() if data.startswith(mark)), None) or _guess_wide(data)
    if mark is not None:
        return encoding_named(mark)
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data, is_whole)
        if data.isascii():
            return encoding_named("iso2022_jp" if _ISO_2022_JP.search(data) else "utf-8")
        return replace(encoding_named("utf-8"), candidates=_readings_beside_utf8(text, data))
    except UnicodeDecodeError:
        share = utf8_share(data)
    if share >= 0.5:
        return encoding_named("utf-8")  # some bytes are damaged
    guess = _guess_by_words(sample_lines(data))
    is_latin = guess is not None and guess.codec in LATIN_LETTERS
    is_certain = guess is not None and guess.is_certain
    is_mixed = find_utf8(data) is not None if is_latin else share >= MIXED_SHARE and not is_certain
    return encoding_named("utf-8") if is_mixed else guess  # the rows that are not UTF-8 are named


def _readings_beside_utf8(text: str, data: bytes) -> tuple[str, ...]:
    """UTF-8 and the likely encodings of a file that may be UTF-8 by accident; nothing if it is UTF-8.

    Such a file has few characters beyond ASCII, all of them unusual, and their bytes are words in another encoding.

    >>> _readings_beside_utf8("⠪", "так".encode("cp866")), _readings_beside_utf8("☺", "☺".encode())
    (('utf-8', 'cp866', 'cp1125'), ())
    """
    from problex.tables.languages import is_usual, readings_in_words

    found = {character for character in set(text) if character > "\x7f"}
    if len(found) > MOST_UNUSUAL or any(map(is_usual, found)):
        return ()
    readings = readings_in_words(sample_lines(data))[: MAX_CANDIDATES - 1]
    return ("utf-8", *readings) if readings else ()


def find_utf8(data: bytes) -> re.Match[bytes] | None:
    """Letters that are plainly in UTF-8, in bytes that are Latin letters of another encoding elsewhere.

    >>> bool(find_utf8("für".encode())), bool(find_utf8("für, «LIBERTÉ»".encode("cp1252")))
    (True, False)
    """
    return _UTF8_LETTER.search(data)


def encoding_advice(raw: bytes, at: int, encoding: str) -> str:
    r"""What an invalid text is not, where, and what to do; `encoding` is that of the file, if it is in one.

    >>> encoding_advice(b"caf\xe9", 3, "")
    'UTF-8 at byte 3. Convert it (iconv -f latin1 -t utf-8), or give on_error="skip" or on_error="replace".'
    """
    skip = f"{opt('on_error', 'skip')} or {opt('on_error', 'replace')}."
    if not encoding:
        return f"UTF-8 at byte {at}. Convert it (iconv -f latin1 -t utf-8), or give {skip}"
    if encoding != "UTF-8":
        return (
            f"{encoding} after {raw[:at][-40:].decode(errors='replace')!r}. Give another {opt('encoding')}, or {skip}"
        )
    guess = guess_encoding(raw)
    if guess is None or guess.is_utf8:
        return (
            f"UTF-8 at byte {at}. Correct it, or give {skip} If the file is in another encoding, give {opt('encoding')}"
        )
    excerpt = raw[max(at - 20, 0) : at + 20].decode(guess.codec, errors="replace")
    return (
        f"UTF-8 at byte {at}. It looks like {guess.label} ({excerpt!r}): if the whole file is, give "
        f"{opt('encoding', guess.codec)}; otherwise correct it, or give {skip}"
    )


def utf8_share(data: bytes) -> float:
    """The share of runs of bytes beyond ASCII that are valid UTF-8; 1 if there is none.

    >>> utf8_share("né – à".encode() + b" \\xff"), utf8_share("这部电影".encode("gb18030"))
    (0.75, 0.0)
    """
    runs = _HIGH_RUN.findall(data)
    return sum(_VALID_RUN.fullmatch(run) is not None for run in runs) / len(runs) if runs else 1.0


def _guess_wide(data: bytes) -> str | None:
    r"""UTF-16 without a mark: nearly all zeros are at even places, or at odd ones.

    >>> _guess_wide("good film".encode("utf-16-be")), _guess_wide(b"a good\0film too")
    ('utf-16-be', None)
    """
    pairs = len(data) // 2
    if b"\0" not in data or pairs < 4:
        return None
    first, second = data[0 : 2 * pairs : 2], data[1 : 2 * pairs : 2]
    for codec, signs, zeros in (("utf-16-le", first, second), ("utf-16-be", second, first)):
        few, many = signs.count(0), zeros.count(0)
        # Blanks, line ends and commas of UTF-16 have a zero beside them, those of UTF-8 with some zeros do not.
        beside = [zero for sign, zero in zip(signs[:WIDE_SAMPLE], zeros, strict=False) if sign in b" \n\r,;\t"]
        if many >= WIDE_ZEROS * pairs and few <= many // 10 and 2 * beside.count(0) >= len(beside):
            try:
                data[: 2 * (pairs - 1)].decode(codec)
            except UnicodeDecodeError:
                continue
            return codec
    return None


def sample_lines(data: bytes) -> bytes:
    r"""The first lines with a byte beyond ASCII; the time does not grow with the length of the others.

    >>> sample_lines(b"one\ntwo \xe9\r\nthree\n\xfcfour")
    b'two \xe9\n\xfcfour'
    """
    lines: list[bytes] = []
    size = end = 0
    while size < SAMPLE_BYTES and (high := _HIGH.search(data, end)):
        start = max(data.rfind(mark, end, high.start()) + 1 for mark in (b"\n", b"\r")) or end
        found = _LINE_END.search(data, high.start())
        end = len(data) if found is None else found.start()
        lines.append(data[start:end][:SAMPLE_BYTES])
        size += len(lines[-1])
    return b"\n".join(lines)


def _guess_by_words(sample: bytes) -> Encoding | None:
    """The encoding whose characters make words; None if there is none."""
    from problex.tables.languages import is_certain, rank

    candidates = rank(sample)
    best = candidates[0]
    if best.score < LEAST_SCORE * len(best.words) and best.odd > MOST_ODD:
        return None
    named = _name_western(best.codec, sample)
    if is_certain(candidates):
        return named
    texts: dict[tuple[str, ...], str] = {}
    for candidate in candidates:
        texts.setdefault(candidate.words, candidate.codec)
    return replace(named, candidates=tuple(texts.values())[:MAX_CANDIDATES])


def _name_western(codec: str, sample: bytes) -> Encoding:
    r"""An encoding by its name; one without bytes from 80 to 9F is called Latin-1, and read as Windows-1252 is.

    >>> [_name_western("cp1252", sample).label for sample in (b"caf\xe9", b"5 \x80", b"5 \xa4")]
    ['Latin-1', 'Windows-1252', 'ISO 8859-15']
    """
    if codec != "cp1252" or re.search(rb"[\x80-\x9f]", sample):
        return encoding_named(codec)
    return encoding_named("iso8859-15") if EURO_SIGN in sample else Encoding("cp1252", LABELS["iso8859-1"])


def describe_readings(guess: Encoding, data: bytes) -> str:
    """A line of a file as each likely encoding reads it: the one in which the fewest readings agree."""
    lines = sample_lines(data).splitlines()
    readings = {codec: [line.decode(codec, errors="replace") for line in lines] for codec in guess.candidates}
    line = max(range(len(lines)), key=lambda at: (len({texts[at] for texts in readings.values()}), -at))
    shown = [
        f"{excerpt(texts[line])!r} in {encoding_named(codec).label} ({opt('encoding', codec)})"
        for codec, texts in readings.items()
    ]
    return f"{', '.join(shown[:-1])} or {shown[-1]}".removeprefix(" or ")


def excerpt(line: str) -> str:
    """A part of a line around its first character beyond ASCII, without control characters.

    >>> excerpt("x" * 90 + "é!")
    'xxxxxxxxxxxxxxxxxxxxé!'
    """
    at = next((at for at, character in enumerate(line) if character > "\x7f"), 0)
    part = line[max(at - EXCERPT // 2, 0) : at + EXCERPT // 2]
    return "".join(character if character.isprintable() else "\ufffd" for character in part)


def check_is_text(data: bytes, name: str) -> None:
    """Raise if a file begins like one of another kind.

    >>> check_is_text(b"%PDF-1.7", "x.txt")
    Traceback (most recent call last):
    problex.errors.DocumentError: x.txt is a PDF file, not text: copy the texts into a table.
    """
    for signature, (kind, advice) in REFUSED.items():
        if data.startswith(signature):
            raise DocumentError(f"{name} is {kind}, not text: {advice}.")


def check_has_few_zeros(data: bytes, name: str) -> None:
    r"""Raise if what was decoded is not text.

    >>> check_has_few_zeros(b"a\0b\0", "a.txt")
    Traceback (most recent call last):
    problex.errors.DocumentError: a.txt is not text: 50% of its first bytes are zero. ...
    """
    if data.count(0) > MAX_ZEROS * len(data):
        raise DocumentError(
            f"{name} is not text: {data.count(0) / len(data):.0%} of its first bytes are zero. Check that it is "
            f"complete, or give {opt('encoding')} if it is text in an encoding such as 'utf-16-le' or 'utf-32-le'."
        )


READ_BYTES = 1 << 20
LAST_BYTES = 4  # the most that a character has in UTF-8
UNDECODABLE = "\udcff"  # is written as the byte FF, which UTF-8 does not have: a text with it is found to be invalid
ERRORS = "problex.undecodable"
"""The name of the error handler of codecs that writes `UNDECODABLE`."""


class Transcoder(io.RawIOBase):
    """A stream of text in any encoding as UTF-8; what cannot be decoded becomes a byte that UTF-8 does not have.

    `check` gets each part before it is decoded, with the last bytes of the part before.
    """

    def __init__(self, data: Any, encoding: str, check: Callable[[bytes], None] | None = None) -> None:
        super().__init__()
        self._check, self._last = check, b""
        self._data, self._decoder = data, codecs.getincrementaldecoder(encoding)(ERRORS)
        self._ready, self._ended = memoryview(b""), False

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes in UTF-8."""
        while not self._ready and not self._ended:
            data = self._data.read(READ_BYTES)
            self._ended = not data
            if self._check is not None:
                self._check(self._last + data)
                self._last = data[-LAST_BYTES:]
            self._ready = memoryview(self._decoder.decode(data, not data).encode(errors="surrogateescape"))
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


def transcode(data: bytes, encoding: str, *, is_whole: bool = True) -> bytes:
    r"""Bytes in an encoding as UTF-8; a character that is cut off at the end is left out unless they are whole.

    >>> transcode("né".encode("latin-1"), "latin-1").decode(), transcode(b"n\0\xe9", "utf-16-le", is_whole=False)
    ('né', b'n')
    """
    if encoding == "utf-8":
        return data
    decoder = codecs.getincrementaldecoder(encoding)(ERRORS)
    return decoder.decode(data, is_whole).encode(errors="surrogateescape")


def _replace_undecodable(error: UnicodeError) -> tuple[str, int]:
    """An error handler of codecs."""
    assert isinstance(error, UnicodeDecodeError)
    return UNDECODABLE, error.end


codecs.register_error(ERRORS, _replace_undecodable)
