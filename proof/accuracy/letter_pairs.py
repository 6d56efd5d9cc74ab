"""Frequencies of pairs of letters by language, from which problex tells the encodings of files apart.

`python proof/accuracy/letter_pairs.py` writes src/problex/tables/letter_pairs.txt. It reads text that comes with
packages under permissive licences, and stores nothing of it but the frequencies of pairs of letters:

- the translations of the messages of Django, Wagtail, Django REST framework, django CMS and Oscar (BSD, three clauses)
  and of Sphinx (BSD, two clauses);
- the names of countries, languages, currencies and the like in Babel, from the Unicode CLDR (Unicode licence);
- the words and names of Faker and Mimesis and the frequent words of stopwordsiso (MIT);
- the words `ENGLISH` below.

It downloads nothing: `pip install --no-deps django wagtail djangorestframework django-cms django-oscar sphinx babel
faker mimesis stopwordsiso` first. The table was written from Django 5.2.19, Wagtail 8.0.1, Django REST framework
3.18.3, django CMS 5.1.3, Oscar 4.2.1, Sphinx 9.0.4, Babel 2.18.0, Faker 40.54.0, Mimesis 22.2.0 and stopwordsiso 0.7.1.
"""

from __future__ import annotations

import ast
import gettext
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from problex.tables.languages import ASCII, CODECS, EDGE, LATIN, PAIRS_FILE, WEST, WIDE

PACKAGES = ("django", "wagtail", "rest_framework", "cms", "oscar", "sphinx")
LOCALES = {
    "sh": ("hr", "bs", "sr_Latn", "hr_HR"),
    "nb": ("nb", "nb_NO", "nn", "no_NO"),
    "he": ("he", "he_IL"),
    "sr": ("sr", "sr_RS"),
    "zh-hans": ("zh_Hans", "zh_CN"),
    "zh-hant": ("zh_Hant", "zh_TW", "zh_Hant_HK"),
}
"""The locales of a language, where they are not its name and what begins with it, such as pt and pt_BR."""
MIMESIS = {"sh": "hr", "nb": "no", "zh-hans": "zh", "zh-hant": ""}
FREQUENT = {"sh": "hr", "nb": "no", "zh-hans": "zh"}
"""The names of languages in Mimesis and stopwordsiso, where they differ."""
FREQUENT_NUMBER = 25  # how often each frequent word is counted
NAMES = ("territories", "languages", "scripts", "currencies", "variants")
"""What is taken from Babel."""
RAREST = 1e-5  # the rarest pairs that are written, of all pairs with a letter beyond ASCII
RARE_IN_ENGLISH = 1e-4
RARE_SIGNS = 1e-4  # of Chinese, Japanese and Korean, of which single characters are counted
LETTERS = {"ș": "ş", "ț": "ţ", "ی": "ي", "ک": "ك"}
"""Letters that old encodings do not have, as they were written in them."""
ENGLISH = (
    "café naïve façade résumé cliché fiancé fiancée jalapeño piñata señor señora mañana über doppelgänger déjà crème "
    "brûlée entrée soufflé sauté purée rosé pâté crêpe fête château décor éclair élan émigré exposé protégé risqué "
    "touché voilà blasé consommé matinée mêlée ménage née négligé papier mâché passé première raison être retroussé "
    "roué séance vis à vis coöperate naïveté Noël Zoë Chloë Brontë Beyoncé René José Jesús María Björk Pelé Zürich "
    "München Köln Malmö Göteborg São Paulo Bogotá Córdoba Málaga Perú México Québec Montréal Orléans Curaçao Genève"
)
"""Words and names with letters beyond ASCII that are frequent in English text."""
ENGLISH_WEIGHT = 30.0  # of each of these words
_NO_TEXT = re.compile(r"<[^>]*>|%\(\w*\)\w|%\w|\{[^}]*\}|&#?\w+;|:\w+:|https?:\S+|\S+@\S+")


@cache
def read_messages(language: str) -> tuple[str, ...]:
    """The translations to a language; for English, what is translated."""
    texts: set[str] = set()
    for package in PACKAGES:
        for path in _folder(package).rglob("LC_MESSAGES/*.mo"):
            if language == "en" or _is_locale(path.parts[-3], language):
                texts.update(_read_catalog(path, originals=language == "en"))
    return tuple(sorted(texts))


def _is_locale(name: str, language: str) -> bool:
    return name in LOCALES[language] if language in LOCALES else name == language or name.startswith(f"{language}_")


def _read_catalog(path: Path, *, originals: bool) -> Iterator[str]:
    with path.open("rb") as file:
        catalog: dict[str | tuple[str, int], str] = vars(gettext.GNUTranslations(file))["_catalog"]
    for key, translation in catalog.items():
        original = (key if isinstance(key, str) else key[0]).rpartition("\x04")[2]
        if original and (originals or translation != original):
            yield original if originals else translation


def read_names(language: str) -> Iterator[str]:
    """The names of countries, languages and the like in a language."""
    from babel import Locale, UnknownLocaleError  # type: ignore[import-untyped, import-not-found, unused-ignore]

    for name in LOCALES.get(language, (language,)):
        try:
            locale = Locale.parse(name)
        except UnknownLocaleError:
            continue
        for kind in NAMES:
            yield from getattr(locale, kind).values()


def read_words(language: str) -> Iterator[str]:
    """The words and names of Faker and Mimesis."""
    for path in _folder("faker").glob("providers/*/*/__init__.py"):
        if _is_locale(path.parts[-2], language):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    for path in _folder("mimesis").glob("datasets/*/*.json"):
        if path.parts[-2].partition("-")[0] == MIMESIS.get(language, language):
            yield from _strings(json.loads(path.read_text(encoding="utf-8")))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def read_frequent(language: str) -> list[str]:
    """Words that are frequent in any text."""
    lists: dict[str, list[str]] = json.loads((_folder("stopwordsiso") / "stopwords-iso.json").read_text("utf-8"))
    return lists.get(FREQUENT.get(language, language), [])


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None, f"pip install {package}"
    assert spec.origin is not None
    return Path(spec.origin).parent


@cache
def count_words(language: str) -> dict[str, float]:
    """The words of a language with the root of their number, so that words of programs do not outweigh all others."""
    words: Counter[str] = Counter()
    frequent = read_frequent(language) * FREQUENT_NUMBER
    for text in (*read_messages(language), *read_names(language), *read_words(language), *frequent):
        text = unicodedata.normalize("NFC", _NO_TEXT.sub(" ", text)).lower()
        text = "".join(LETTERS.get(sign, sign) if _is_letter(sign) else " " for sign in text)
        words.update(text.split())
    return {word: math.sqrt(number) for word, number in words.items()}


def count_pairs(language: str, *, in_ascii: bool = False) -> dict[str, float]:
    """The frequency of each pair with a letter beyond ASCII, of single characters for Chinese, Japanese and Korean.

    With `in_ascii`, that of the other pairs. English has letters beyond ASCII in words of other languages.
    """
    counts: dict[str, float] = defaultdict(float)
    codec = next(codec for codec, (_, languages) in CODECS.items() if language in languages)
    is_mixed = language == "en" and not in_ascii
    sources = [count_words(name) for name in (WEST if is_mixed else (language,))]
    sources += [dict.fromkeys(ENGLISH.lower().split(), ENGLISH_WEIGHT)] if is_mixed else []
    for words in sources:
        for word, frequency in words.items():
            units = word if language in WIDE else map("".join, zip(EDGE + word, word + EDGE, strict=True))
            for unit in units:
                if unit.isascii() == in_ascii:
                    counts[unit] += frequency
    return {unit: count for unit, count in counts.items() if _has(codec, unit)}


def _has(codec: str, unit: str) -> bool:
    """Whether an encoding has a pair; that of Vietnamese has marks for tones, here any pair of Latin letters."""
    if codec == "cp1258":
        return all(sign == EDGE or unicodedata.name(sign, "").startswith("LATIN") for sign in unit)
    try:
        return bool(unit.encode(codec))
    except UnicodeEncodeError:
        return False


def _is_letter(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM"


def write_line(name: str, counts: dict[str, float]) -> str:
    """A name, and its pairs by their frequency: those of level 5 have one of 2^-5."""
    total = sum(counts.values())
    rarest = RARE_SIGNS if name in WIDE or name.endswith(ASCII) else RARE_IN_ENGLISH if name == "en" else RAREST
    levels: dict[int, list[str]] = {}
    for unit, count in counts.items():
        if count >= rarest * total:
            levels.setdefault(round(-math.log2(count / total)), []).append(unit)
    return " ".join([name, *(f"{level}:{''.join(sorted(levels[level]))}" for level in sorted(levels))])


def main() -> None:
    languages = dict.fromkeys(language for _, languages in CODECS.values() for language in languages)
    lines = [write_line(language, count_pairs(language)) for language in languages]
    lines += [write_line(language + ASCII, count_pairs(language, in_ascii=True)) for language in LATIN]
    PAIRS_FILE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
