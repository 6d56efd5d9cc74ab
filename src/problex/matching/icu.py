"""ICU's word breaker: as a Python object, by its C functions, and its dictionaries, all from the package icu4py.

Only the Python object is sure to be there. The C functions are looked for in the library that icu4py brings, and the
dictionaries among their data; each is used only if it cuts some sentences into the words that the Python object finds.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from problex._util.packages import import_optional
from problex.matching._runs import CLASSES, FUNCTIONS, LOCALE, Breaker, Dictionary

BREAKERS = "icu4py.breakers"
_DATA_FUNCTIONS = ("udata_open", "udata_getInfo", "udata_getMemory", "udata_close")
_POINTER = ctypes.c_void_p
_DATA_KINDS = (
    ctypes.CFUNCTYPE(_POINTER, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int)),
    ctypes.CFUNCTYPE(None, _POINTER, _POINTER),
    ctypes.CFUNCTYPE(_POINTER, _POINTER),
    ctypes.CFUNCTYPE(None, _POINTER),
)
_FORMAT = (b"Dict", 1)
"""What dictionaries call their format, and its version."""
VERSIONS = (78,)
"""Versions of ICU whose words were compared with those found here; with others ICU itself is asked."""
_BYTES, _UNITS = 0, 1
"""The kinds of trie."""
_BYTE_OFFSET = 0x1000000
"""Bytes stand for characters from the one on that is added to this number."""


class Area(NamedTuple):
    """Characters of a dictionary: its file, the end of the area, classes of characters, and sentences to check it.

    `least` is the number of characters from which on a run may have several words. Characters that ICU must look at
    itself, because it changes them or they break words by other rules, are no members.
    """

    file: str
    end: int
    low: int
    classes: Mapping[str, str]
    sentences: tuple[str, ...]
    least: int = 0


AREAS = (
    Area(
        "thaidict",
        0x0E80,
        0x0E00,
        {
            "member": "\u0e01-\u0e3a\u0e40-\u0e4e",
            "combining": "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e",
            "ends": "\u0e01-\u0e30\u0e32-\u0e3a\u0e45-\u0e4e",
            "begins": "\u0e01-\u0e2e\u0e40-\u0e44",
            "elision": "\u0e2f",
            "repeat": "\u0e46",
        },
        ("หนังสนุกมากแต่ยาวไป", "ไม่ชอบเลยๆกรุงเทพฯๆ", "กขฃคฅฆงจฉชซฌญฎ", "ราคาแพงเกินไปสำหรับฉันและครอบครัว", "มากๆๆฯลฯก็ดีๆฯ"),
        5,
    ),
    Area(
        "laodict",
        0x0F00,
        0x0E80,
        {
            "member": "\u0e81\u0e82\u0e84\u0e87\u0e88\u0e8a\u0e8d\u0e94-\u0e97\u0e99-\u0e9f\u0ea1-\u0ea3\u0ea5\u0ea7"
            "\u0eaa\u0eab\u0ead-\u0eb9\u0ebb-\u0ebd\u0ec0-\u0ec4\u0ec6\u0ec8-\u0ecd\u0edc\u0edd",
            "combining": "\u0eb1\u0eb4-\u0eb9\u0ebb\u0ebc\u0ec8-\u0ecd",
            "ends": "\u0e80-\u0ebf\u0ec5-\u0eff",
            "begins": "\u0e81-\u0eae\u0edc\u0edd\u0ec0-\u0ec4",
        },
        ("ຂ້ອຍບໍ່ມັກຮູບເງົານີ້", "ອາຫານແຊບຫຼາຍແລະລາຄາຖືກ", "ກຂຄງຈສຊຍດຕຖທ"),
        4,
    ),
    Area(
        "burmesedict",
        0x10A0,
        0x1000,
        {
            "member": "\u1000-\u103f\u1050-\u108f",
            "combining": "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d"
            "\u108f",
            "ends": "\u1000-\u109f",
            "begins": "\u1000-\u102a",
        },
        ("ရုပ်ရှင်ကိုကြိုက်တယ်", "အစားအစာကအရမ်းကောင်းတယ်", "ကခဂဃငစဆဇဈညဋ"),
        4,
    ),
    Area(
        "khmerdict",
        0x1800,
        0x1780,
        {
            "member": "\u1780-\u17b3\u17b6-\u17d3\u17d7\u17dc\u17dd",
            "combining": "\u17b6-\u17d3\u17dd",
            "ends": "\u1780-\u17d1\u17d3-\u17ff",
            "begins": "\u1780-\u17b3",
        },
        ("ខ្ញុំចូលចិត្តភាពយន្តនេះ", "អាហារឆ្ងាញ់ណាស់ហើយថោក", "កខគឃងចឆជឈញដ"),
        4,
    ),
    Area(
        "cjdict",
        0xA000,
        0x3000,
        {
            "member": "\u3005\u3007\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u3400-\u4dbf\u4e00-\u9fff",
            "katakana": "\u30a1-\u30fa\u30fc-\u30fe",
        },
        (
            "我喜欢这部电影但是服务员的态度很差我们不会再去了",
            "中华人民共和国国家主席今天在人民大会堂会见了来访的客人",
            "とても楽しい映画でしたが料理は美味しくなかったです",
            "スマートフォンとコンピューターのアクセサリーが欲しいプロジェクトマネージャー",
            "アイウエオカキクケコサシスセソタチツテトナニヌネノハ人々ゝヽー",
            "東京都に住んでいる私の友達はラーメンが大好きだと言っていました",
            "龘靐齉㐀㐁㐂䶵的的的一一一〇",
        ),
    ),
)
"""By the order of their characters."""


def word_places(text: str, script: str | None = None) -> Iterable[tuple[int, int]]:
    """The start and end of each word of a text without characters of two units, and of what is between words."""
    breakers = import_optional(BREAKERS, f"{script} text, written without spaces between words,")
    found: Iterable[tuple[int, int]] = breakers.WordBreaker(text, LOCALE.decode()).segments()
    return found


def breaker_of() -> Breaker | None:
    """A new word breaker by the C functions, or None if they are not found or are not as expected."""
    try:
        found = _functions(*FUNCTIONS)
        return Breaker(*found) if found and _is_breaker_right() else None
    except (ImportError, AttributeError):  # it is not installed, or does not tell its version
        return None


def dictionary_of(number: int) -> Dictionary | None:
    """The dictionary of an area by its number, or None if it is not found or does not cut as ICU does."""
    try:
        return _checked(number)
    except (ImportError, AttributeError):  # it is not installed, or does not tell its version
        return None


@cache
def _checked(number: int) -> Dictionary | None:
    area = AREAS[number]
    try:
        dictionary = _read(area)
    except ValueError:  # in another format
        return None
    return dictionary if dictionary is not None and _cuts_alike(dictionary, area.sentences) else None


def _cuts_alike(dictionary: Dictionary, sentences: Sequence[str]) -> bool:
    """Whether a dictionary cuts all beginnings of some sentences into the words that ICU finds."""
    parts = [sentence[:end] for sentence in sentences for end in range(1, len(sentence) + 1)]
    found: list[int] = []
    for part in parts:
        start = found[-1] if found else 0
        ends = dictionary.ends(part)
        if ends is None:
            return False
        found += [start + end for end in ends]
        found.append(found[-1] + 1)  # the line break
    return found == _ends("\n".join(parts) + "\n")


@cache
def _is_breaker_right() -> bool:
    """Whether the C functions find the words that the Python object finds."""
    text = "\n".join(chain.from_iterable(area.sentences for area in AREAS))
    try:
        return Breaker(*_functions(*FUNCTIONS)).ends(text) == _ends(text)
    except ValueError:  # it cannot be opened
        return False


def _ends(text: str) -> list[int]:
    return [end for _, end in word_places(text)]


@cache
def _functions(*names: str) -> tuple[int, ...]:
    """The addresses of some functions of ICU's library, which icu4py has loaded; none if one is not found."""
    version = import_module("icu4py").icu_version_info[0]
    module = Path(str(import_module(BREAKERS).__file__))
    folders = (module.parent.parent / "icu4py.libs", module.parent / ".dylibs")
    for path in (module, *chain.from_iterable(folder.glob("*icuuc*") for folder in folders)):
        try:
            library = ctypes.CDLL(str(path))  # which also searches the libraries that the module needs
            return tuple(_address(library[f"{name}_{version}"]) for name in names)
        except (OSError, AttributeError):
            continue
    return ()


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _read(area: Area) -> Dictionary | None:
    """The dictionary of an area as a table, from ICU's data in memory."""
    found = _functions(*_DATA_FUNCTIONS)
    if not found or import_module("icu4py").icu_version_info[0] not in VERSIONS:
        return None
    open_, info_of, memory_of, close = (kind(address) for kind, address in zip(_DATA_KINDS, found, strict=True))
    package = f"icudt{import_module('icu4py').icu_version_info[0]}{sys.byteorder[0]}-brkitr"
    status = ctypes.c_int(0)
    data = open_(package.encode(), b"dict", area.file.encode(), ctypes.byref(status))
    if status.value > 0 or not data:
        return None
    try:
        info = (ctypes.c_uint8 * 20)(20)  # its size, and what is to be filled in
        info_of(data, info)
        return _table(area, memory_of(data)) if (bytes(info[8:12]), info[12]) == _FORMAT else None
    finally:
        close(data)


def _table(area: Area, memory: int) -> Dictionary | None:
    """A dictionary as a table, from its place in memory: eight numbers and the trie."""
    start, _, _, end, kind, transformation, _, _ = (ctypes.c_int32 * 8).from_address(memory)
    if not 0 < start < end:
        return None
    wide = kind & 7 == _UNITS
    offset = 0 if wide else transformation & 0x1FFFFF
    if kind & 7 not in (_BYTES, _UNITS) or wide != (transformation == 0) or wide == bool(area.least):
        return None
    if not wide and transformation & 0x7F000000 != _BYTE_OFFSET:
        return None
    return Dictionary(memory + start, end - start, area.low, _classes(area), offset, area.least)


def _classes(area: Area) -> bytes:
    """The classes of the characters of an area, a byte for each, as sums of `CLASSES`."""
    found = bytearray(area.end - area.low)
    for name, letters in area.classes.items():
        for at in _points(letters):
            found[at - area.low] |= CLASSES[name]
    return bytes(found)


def _points(letters: str) -> list[int]:
    """The code points of letters and ranges of them.

    >>> "".join(map(chr, _points("a-cx")))
    'abcx'
    """
    points: list[int] = []
    parts = letters.split("-")
    for at, part in enumerate(parts):
        if at:
            points.extend(range(points[-1] + 1, ord(part[0])))
        points.extend(map(ord, part))
    return points
