"""The encoding of a file, guessed from its first bytes.

A byte order mark decides, then UTF-8, which other encodings resemble only by accident. Otherwise a byte stands for a
different character in each encoding: the one is chosen whose characters make words. `charset_normalizer` decides
between scripts such as Cyrillic, Greek and Chinese; for Latin letters it cannot tell short samples apart, so their
encodings are compared by the alphabets of languages.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass, replace

from problex.errors import DocumentError

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
    "cp850": "DOS 850",
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
_WEST = ("àâæçéèêëîïôœùûüÿ", "äöüß", "áéíñóúü", "áâãàçéêíóôõú", "àèéìíòóùú", "åäöé", "æøåéóêôòü", "éëïóöüèáíê",
         "áðéíóúýþæö", "àçèéíïòóúü")  # fmt: skip
_EAST = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ")
ALPHABETS = {
    "cp1252": (*_WEST, "".join(_WEST)),
    "cp1250": _EAST,
    "iso8859-2": _EAST,
    "cp1254": ("çğıöşüâîûi\u0307",),  # "İ".lower() has two characters
    "mac-roman": _WEST,
    "cp850": _WEST,
}
"""Encodings of Latin letters, the likeliest first, with the accented letters of languages that are written in them."""
OTHER_SCRIPTS = ("cp1251", "koi8_r", "koi8_u", "cp866", "iso8859_5", "mac_cyrillic", "cp1253", "cp1255", "cp1256",
                 "iso8859_6", "cp874", "gb18030", "big5", "cp949", "euc_jp", "cp932")  # fmt: skip
SAMPLE_BYTES = 1 << 15  # of lines that are not ASCII, from which an encoding is guessed
MIN_SAMPLE_BYTES = 2048  # charset_normalizer takes a short sample of Cyrillic for Japanese, unless it is repeated
MIN_RUN = 1.8  # bytes beyond ASCII in a row: 1.0 to 1.4 where accented letters are rare, over 2 in other scripts
MIN_LETTER_SCORE = 0.5
CLEAR_MARGIN = 0.03
RARER = 0.05  # taken from the scores of all encodings but Windows-1252
MIXED_SHARE = 0.05  # of runs that are valid UTF-8 by accident in Western text: hardly any
JAPANESE_KANA = 0.2
KOREAN_HANGUL = 0.9
MIN_HIGH_BYTES = 40  # without which a guess of a script is never certain
EURO_SIGN = b"\xa4"  # in ISO 8859-15; in Latin-1, a sign for any currency that nobody uses
WIDE_SAMPLE = 1 << 14  # characters of UTF-16 that are looked at
WIDE_ZEROS = 0.1  # the zeros in UTF-16: at least those of blanks, line ends and delimiters
_VALID_RUN = re.compile(rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})++")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_HIGH_LINE = re.compile(rb"[^\r\n]*[\x80-\xff][^\r\n]*")
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]")
_NOT_BEFORE_LETTERS = "©®¾¼½¶¬¦±¤³²¹"
_BETWEEN_WORDS = "’‘–—…·«»“”\u00ad\u00a0"


@dataclass(frozen=True)
class Encoding:
    """The name of a codec of Python, a name for people, and whether a guess is a clear one."""

    codec: str
    label: str
    is_clear: bool = True

    @property
    def is_utf8(self) -> bool:
        """Whether nothing needs to be converted."""
        return self.codec == "utf-8"

    @property
    def caution(self) -> str:
        """The name for people, with a word of caution if the guess is not a clear one."""
        return self.label + ("" if self.is_clear else " (not certain: check some texts)")


def encoding_named(name: str) -> Encoding:
    """An encoding by one of its names; "ascii" and "utf-8-sig" are UTF-8.

    >>> encoding_named("latin1").label, encoding_named("Windows-1250").codec
    ('Latin-1', 'cp1250')
    """
    try:
        info = codecs.lookup(name.strip())
        if not info._is_text_encoding:
            raise LookupError
    except (LookupError, ValueError, UnicodeError):
        raise DocumentError(
            f"encoding={name!r} was given; expected a name such as 'utf-8', 'utf-16', 'cp1252' (Windows-1252, Western "
            "Europe), 'cp1250', 'cp1251', 'shift_jis' or 'gb18030'."
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
        codecs.getincrementaldecoder("utf-8")().decode(data, is_whole)
        return encoding_named("iso2022_jp" if data.isascii() and _ISO_2022_JP.search(data) else "utf-8")
    except UnicodeDecodeError:
        share = utf8_share(data)
    if share >= 0.5:
        return encoding_named("utf-8")  # some bytes are damaged
    sample = _sample_lines(data)
    runs = _HIGH_RUN.findall(sample)
    if sum(map(len, runs)) / len(runs) >= MIN_RUN:
        return _guess_script(sample)
    guess = _guess_alphabet(sample)
    is_mixed = share >= MIXED_SHARE and guess is not None and guess.codec not in ("mac-roman", "cp850")
    if guess is None or is_mixed:
        return encoding_named("utf-8")  # the rows that are not are named
    return replace(guess, is_clear=guess.is_clear and not share)


def encoding_advice(raw: bytes, at: int, encoding: str) -> str:
    """What an invalid text is not, where, and what to do; `encoding` is that of the file, if it is in one."""
    skip = 'on_error="skip" or on_error="replace".'
    if not encoding:
        return f"UTF-8 at byte {at}. Convert it (iconv -f latin1 -t utf-8), or give {skip}"
    if encoding != "UTF-8":
        return f"{encoding} after {raw[:at][-40:].decode(errors='replace')!r}. Give another encoding=..., or {skip}"
    guess = guess_encoding(raw)
    if guess is None or guess.is_utf8:
        return f"UTF-8 at byte {at}. Correct it, or give {skip} If the file is in another encoding, give encoding=..."
    excerpt = raw[max(at - 20, 0) : at + 20].decode(guess.codec, errors="replace")
    return (
        f"UTF-8 at byte {at}. It looks like {guess.label} ({excerpt!r}): if the whole file is, give "
        f'encoding="{guess.codec}"; otherwise correct it, or give {skip}'
    )


def utf8_share(data: bytes) -> float:
    """The share of runs of bytes beyond ASCII that are valid UTF-8; 1 if there is none.

    >>> utf8_share("né – à".encode() + b" \\xff"), utf8_share("这部电影".encode("gb18030"))
    (0.75, 0.0)
    """
    runs = _HIGH_RUN.findall(data)
    return sum(_VALID_RUN.fullmatch(run) is not None for run in runs) / len(runs) if runs else 1.0


def _guess_wide(data: bytes) -> str | None:
    """UTF-16 without a mark: nearly all zeros are at even places, or at odd ones."""
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


def _sample_lines(data: bytes) -> bytes:
    """The first lines with a byte beyond ASCII."""
    lines, size = [], 0
    for line in _HIGH_LINE.finditer(data):
        lines.append(line[0][:SAMPLE_BYTES])
        size += len(lines[-1])
        if size >= SAMPLE_BYTES:
            break
    return b"\n".join(lines)


def _guess_script(sample: bytes) -> Encoding | None:
    """The encoding of a text in another script than the Latin one."""
    from charset_normalizer import from_bytes  # imported only where it is needed: it takes time

    for codec in ("cp932", "euc_jp"):
        text = sample.decode(codec, errors="ignore")
        kana = sum("\u3041" <= character <= "\u30fe" for character in text)
        if kana >= JAPANESE_KANA * sum(character > "\x7f" for character in text) > 0 and _fits(sample, codec):
            return encoding_named(codec)
    korean = [character for character in sample.decode("cp949", errors="ignore") if character > "\x7f"]
    hangul = sum("\uac00" <= character <= "\ud7a3" for character in korean)
    if hangul >= KOREAN_HANGUL * len(korean) > 0 and _fits(sample, "cp949"):
        return encoding_named("cp949")
    is_short = sum(map(len, _HIGH_RUN.findall(sample))) < MIN_HIGH_BYTES
    sample *= MIN_SAMPLE_BYTES // len(sample) + 1
    matches = list(from_bytes(sample, cp_isolation=list(OTHER_SCRIPTS), enable_fallback=False))
    if not matches:
        return None
    best, others = matches[0], matches[1:]
    is_clear = all(best.chaos < other.chaos or best.coherence > other.coherence for other in others)
    named = encoding_named(best.encoding)
    return Encoding(named.codec, named.label, is_clear and not is_short)


def _fits(sample: bytes, codec: str) -> bool:
    """Whether nearly all of a sample, which may end within a character, can be decoded."""
    return sample.decode(codec, errors="replace").count("\ufffd") <= 1 + len(sample) // 200


def _guess_alphabet(sample: bytes) -> Encoding | None:
    """The encoding of a text in Latin letters; None if nothing fits, or nothing better than the rest."""
    texts = {codec: sample.decode(codec, errors="replace") for codec in ALPHABETS}
    scores = {codec: letter_score(texts[codec], codec) - RARER * (codec != "cp1252") for codec in ALPHABETS}
    best = max(scores, key=lambda codec: scores[codec])  # the first of equals
    rivals = [scores[codec] for codec in ALPHABETS if texts[codec] != texts[best]]
    margin = scores[best] - max(rivals, default=0.0)
    if scores[best] < MIN_LETTER_SCORE or margin < CLEAR_MARGIN:
        return None
    label = LABELS[best]
    if best == "cp1252" and not re.search(rb"[\x80-\x9f]", sample):
        # Otherwise the same characters, read as Windows-1252, as browsers do.
        best = "iso8859-15" if EURO_SIGN in sample else best
        label = LABELS["iso8859-15" if EURO_SIGN in sample else "iso8859-1"]
    return Encoding(best, label, margin > RARER + CLEAR_MARGIN)


def letter_score(text: str, codec: str) -> float:
    """How well the characters beyond ASCII make words: 1 if all are letters of one language, in the right places.

    A capital after a small letter, a sign within a word and a byte that stands for nothing are wrong.

    >>> letter_score("für später", "cp1252"), letter_score("f¸r spŠter", "mac-roman")
    (1.0, -4.0)
    """
    padded = f" {text} "
    beyond = wrong = 0
    letters: list[str] = []
    for before, character, after in zip(padded, padded[1:], padded[2:], strict=False):
        if character <= "\x7f":
            continue
        beyond += 1
        wrong += _is_wrong(before, character, after)
        letters += [character.lower()] * character.isalpha()
    fits = [sum(letter in alphabet for letter in letters) / max(len(letters), 1) for alphabet in ALPHABETS[codec]]
    fit = max(fits[:-1], default=0.0) if codec == "cp1252" else max(fits)
    if codec == "cp1252":
        fit = max(fit, fits[-1] - 0.1)  # a corpus in several languages
    return (fit if letters else 1.0) - 4 * wrong / max(beyond, 1)


def _is_wrong(before: str, character: str, after: str) -> bool:
    if character == "\ufffd" or unicodedata.category(character) == "Cc":
        return True
    if character.isalpha():
        return character.isupper() and before.islower()
    if character in _NOT_BEFORE_LETTERS and after.isalpha():
        return True
    return before.isalpha() and after.isalpha() and character not in _BETWEEN_WORDS
