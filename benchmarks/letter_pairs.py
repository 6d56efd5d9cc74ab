"""Frequencies of pairs of letters by language, from which problex tells the encodings of files apart.

`python benchmarks/letter_pairs.py` writes src/problex/corpus/detection/letter_pairs.txt. It counts letters in lists of
words: `pip install wordfreq simplemma pythainlp` first (it reads only their lists; --no-deps is enough, with msgpack).
"""

from __future__ import annotations

import gzip
import math
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from problex.corpus.detection.languages import ASCII, CODECS, EDGE, LATIN, PAIRS_FILE, WIDE

Words = Iterator[tuple[str, float]]
RAREST = 1e-5  # the rarest pairs that are written, of all pairs with a letter beyond ASCII
RARE_IN_ENGLISH = 1e-4
RARE_SIGNS = 1e-4  # of Chinese, Japanese and Korean, of which single characters are counted
UNWEIGHTED = ("et", "sq", "ga", "lb", "cy")
LETTERS = {"ș": "ş", "ț": "ţ", "ی": "ي", "ک": "ك"}
"""Letters that old encodings do not have, as they were written in them."""
CYRILLIC = dict(zip("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш", strict=True))
SHARP_S = 0.2  # how frequent ß is in German, beside ä, ö and ü
RARE_BIG5 = b"\xc9"  # rare characters of Big5 begin with this byte


def read_wordfreq(language: str) -> Words:
    """The words of a language with their frequencies."""
    import msgpack  # type: ignore[import-not-found, unused-ignore]

    folder = _folder("wordfreq") / "data"
    name = next(name for name in ("large", "small") if (folder / f"{name}_{language}.msgpack.gz").exists())
    levels = msgpack.unpackb(gzip.decompress((folder / f"{name}_{language}.msgpack.gz").read_bytes()))[1:]
    for centibels, words in enumerate(levels):
        for word in words:
            yield word, 10 ** (-centibels / 100)


def read_simplemma(language: str) -> Words:
    """The word forms of a language, each as frequent as any other."""
    from simplemma.strategies.dictionaries import dictionary_factory  # type: ignore[import-not-found, unused-ignore]

    for word in dictionary_factory.DefaultDictionaryFactory().get_dictionary(language):
        yield word, 1.0


def read_thai(_: str) -> Words:
    """The words of Thai with their frequencies."""
    for line in (_folder("pythainlp") / "corpus" / "tnc_freq.txt").read_text(encoding="utf-8").splitlines():
        word, _, frequency = line.partition("\t")
        yield word, float(frequency)


def read_serbian(_: str) -> Words:
    """The words of Serbian in Cyrillic letters."""
    for word, frequency in read_wordfreq("sh"):
        for latin, cyrillic in (("lj", "љ"), ("nj", "њ"), ("dž", "џ")):
            word = word.replace(latin, cyrillic)
        yield "".join(CYRILLIC.get(letter, letter) for letter in word), frequency


def read_traditional(_: str) -> Words:
    """The characters of Chinese in Big5: all traditional ones that a simplified one stands for, equally frequent."""
    import msgpack  # type: ignore[import-not-found, unused-ignore]

    packed = (_folder("wordfreq") / "data/_chinese_mapping.msgpack.gz").read_bytes()
    traditional: dict[str, list[str]] = {}
    for code, simple in msgpack.unpackb(gzip.decompress(packed), strict_map_key=False).items():
        traditional.setdefault(simple, [simple]).append(chr(code))
    for word, frequency in read_wordfreq("zh"):
        for character in word:
            forms = [form for form in traditional.get(character, [character]) if _is_usual_in_big5(form)]
            for form in forms:
                yield form, frequency / len(forms)


def _is_usual_in_big5(character: str) -> bool:
    return b"" < character.encode("big5", errors="ignore") < RARE_BIG5


def read_german(_: str) -> Words:
    """The words of German: wordfreq writes ss for ß, so that words with it are taken from simplemma."""
    total = 0.0
    for word, frequency in read_wordfreq("de"):
        total += frequency * sum(letter in "äöü" for letter in word)
        yield word, frequency
    sharp = [word for word, _ in read_simplemma("de") if "ß" in word]
    for word in sharp:
        yield word, SHARP_S * total / len(sharp)


SOURCES: dict[str, Callable[[str], Words]] = {
    **dict.fromkeys(UNWEIGHTED, read_simplemma),
    "de": read_german,
    "th": read_thai,
    "sr": read_serbian,
    "zh-hant": read_traditional,
    "zh-hans": lambda _: read_wordfreq("zh"),
}


def _folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def count_pairs(language: str, *, in_ascii: bool = False) -> dict[str, float]:
    """The frequency of each pair with a letter beyond ASCII, of single characters for Chinese, Japanese and Korean.

    With `in_ascii`, that of the other pairs.
    """
    counts: dict[str, float] = defaultdict(float)
    codec = next(codec for codec, (_, languages) in CODECS.items() if language in languages)
    for word, frequency in SOURCES.get(language, read_wordfreq)(language):
        word = "".join(LETTERS.get(letter, letter) for letter in unicodedata.normalize("NFC", word.lower()))
        units = word if language in WIDE else map("".join, zip(EDGE + word, word + EDGE, strict=True))
        for unit in units:
            if unit.isascii() == in_ascii:
                counts[unit] += frequency
    known = {unit for unit in counts if _has(codec, unit)}
    return {unit: counts[unit] for unit in known if all(_is_letter(sign) for sign in unit)}


def _has(codec: str, unit: str) -> bool:
    """Whether an encoding has a pair; that of Vietnamese has marks for tones, here any pair of Latin letters."""
    if codec == "cp1258":
        return all(sign == EDGE or unicodedata.name(sign, "").startswith("LATIN") for sign in unit)
    try:
        return bool(unit.encode(codec))
    except UnicodeEncodeError:
        return False


def _is_letter(sign: str) -> bool:
    return sign == EDGE or unicodedata.category(sign)[0] in "LM"


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
