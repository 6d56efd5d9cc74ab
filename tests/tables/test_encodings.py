"""The encoding of short samples of many languages, and that what cannot be known is not guessed."""

from __future__ import annotations

import pytest

from problex.errors import DocumentError
from problex.tables.encoding import encoding_named, guess_encoding

FRENCH = "Le film était très drôle, mais la fin m’a déçu : l’été à la plage."
RUSSIAN = "Фильм был отличный, но конец слишком длинный."
SAMPLES = [
    ("cp1252", FRENCH),
    ("mac-roman", FRENCH),
    ("latin-1", "Der Film war schön, aber für Kinder zu groß."),
    ("latin-1", "good film für"),
    ("cp850", "Der Film war schön, aber für Kinder zu groß."),
    ("cp1252", "It’s a “great” film – don’t miss it"),
    ("cp1252", "¿Qué más? La película es fantástica, ¡el niño actúa bien!"),
    ("cp1252", "O filme não é bom, as canções são lindas"),
    ("cp1252", "Skådespelarna är jättebra och musiken på toppnivå"),
    ("cp1250", "Film był świetny, ale zakończenie mnie rozczarowało."),
    ("cp1250", "Film byl příliš dlouhý, ale herci hráli skvěle."),
    ("cp1250", "A színészek kitűnően játszottak, őszintén ajánlom."),
    ("cp1254", "Oyuncular harikaydı, müzik de şahaneydi. İyi günler, ağabey."),
    ("cp1251", RUSSIAN),
    ("koi8-r", RUSSIAN),
    ("cp866", RUSSIAN),
    ("cp1253", "Η ταινία ήταν υπέροχη αλλά το τέλος ήταν πολύ μεγάλο."),
    ("cp1255", "הסרט היה מצוין אבל הסוף היה ארוך מדי"),
    ("cp1256", "كان الفيلم رائعا لكن النهاية كانت طويلة جدا"),
    ("shift_jis", "映画はとても良かったが、終わりが長すぎた。"),
    ("euc_jp", "映画はとても良かったが、終わりが長すぎた。"),
    ("iso2022_jp", "映画はとても良かった"),
    ("gb18030", "这部电影非常好看，但是结尾太长了。"),
    ("big5", "這部電影非常好看，但是結尾太長了。"),
    ("euc_kr", "영화는 아주 좋았지만 끝이 너무 길었다."),
    ("utf-8", FRENCH),
    ("utf-8-sig", FRENCH),
    ("utf-16", RUSSIAN),
    ("utf-16-le", FRENCH),
    ("utf-16-be", FRENCH),
    ("utf-32", FRENCH),
]


@pytest.mark.parametrize("rows", [1, 40])
@pytest.mark.parametrize(("encoding", "text"), SAMPLES)
def test_a_sample_is_decoded_right(encoding: str, text: str, rows: int) -> None:
    whole = "id;text\n" + f"1;{text}\n" * rows
    data = whole.encode(encoding)
    guess = guess_encoding(data)
    assert guess is not None
    assert data.decode(guess.codec).removeprefix("\ufeff") == whole


def test_latin_1_and_windows_1252_are_told_apart_by_the_bytes_that_only_one_has() -> None:
    for text, label in (("schön", "Latin-1"), ("schön – gut", "Windows-1252")):
        guess = guess_encoding(text.encode("cp1252"))
        assert guess is not None
        assert (guess.label, guess.codec) == (label, "cp1252")


@pytest.mark.parametrize(
    "data",
    [
        "schön, groß, süß".encode() + b" \xe4",  # damaged UTF-8
        "schön und gut\n".encode() * 3 + "schön und gut\n".encode("latin-1") * 7,  # two encodings
    ],
)
def test_what_is_partly_utf8_is_not_read_as_another_encoding(data: bytes) -> None:
    guess = guess_encoding(data)
    assert guess is not None
    assert guess.label == "UTF-8"


def test_a_character_may_be_cut_off_at_the_end_of_a_sample() -> None:
    for text, encoding in (("schön", "utf-8"), (RUSSIAN, "utf-16")):
        data = text.encode(encoding)
        guess = guess_encoding(data[:-3] if encoding == "utf-16" else data[:4], is_whole=False)
        assert guess is not None
        assert guess.codec.startswith(encoding)


def test_random_bytes_have_no_encoding() -> None:
    assert guess_encoding(bytes(range(128, 256)) * 4) is None


@pytest.mark.parametrize("name", ["no", "hex", "", "a\0b", "idna", "punycode", "undefined"])
def test_an_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        encoding_named(name)
    assert str(caught.value).startswith(
        f"encoding={name!r} was given; expected a name such as 'utf-8', 'utf-16', 'cp1252'"
    )
