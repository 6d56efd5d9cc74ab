"""Texts of many languages in many encodings: each file is read right or refused, never read wrong."""

from __future__ import annotations

from collections import Counter

import pytest

from problex.tables.encoding import find_utf8, guess_encoding
from problex.tables.languages import CODECS, is_certain, languages, penalty, rank

WEST = ("cp1252", "latin-1", "iso8859-15", "mac-roman", "cp850")
EAST = ("cp1250", "iso8859-2", "cp852")
CYRILLIC = ("cp1251", "iso8859-5", "cp866", "mac-cyrillic")
TEXTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "French": (WEST, ("Le film était très drôle", "déçu par la fin", "un été à la plage", "ça m'a plu", "même pas")),
    "German": (WEST, ("Der Film war schön", "für Kinder zu groß", "später gehört", "übel", "die Straße ist naß")),
    "Spanish": (WEST, ("La película es fantástica", "el niño actúa bien", "¿Qué más?", "canción", "mañana")),
    "Portuguese": (WEST, ("O filme não é bom", "as canções são lindas", "você", "também", "ótima atuação")),
    "Italian": (WEST, ("Il film è bello", "perché la città è più viva", "così", "però", "non c'è altro")),
    "Swedish": (WEST, ("Skådespelarna är bra", "musiken på toppnivå", "mycket dålig", "för lång", "häftigt")),
    "Danish": (WEST, ("Filmen var både sjov og rørende", "jeg græd", "på gården", "en ø", "næsten færdig")),
    "Finnish": (WEST, ("Tämä elokuva on hyvä", "näyttelijät hyviä", "ääni pätkii", "hän itkee yöllä", "kyllä")),
    "Icelandic": (WEST[:3], ("Myndin var góð", "ég sá þetta í gær", "mjög gaman", "það er löng saga", "því miður")),
    "English": (WEST[:1], ("It’s a “great” film", "a café in Zürich", "costs £5", "naïve – but fine…", "20 °C")),
    "Polish": (EAST, ("Film był świetny", "zakończenie mnie rozczarowało", "źle", "dzień dobry", "są też żarty")),
    "Czech": (EAST, ("Film byl příliš dlouhý", "herci hráli skvěle", "děti", "čas", "už nikdy víc")),
    "Slovak": (EAST, ("Film bol veľmi dlhý", "herci hrali výborne", "ďakujem", "čas", "už nikdy viac nič také")),
    "Hungarian": (EAST, ("A színészek kitűnően játszottak", "őszintén ajánlom", "idő", "rossz volt a végső", "nő")),
    "Romanian": (EAST, ("Filmul a fost foarte lung şi trist", "aşa că nu îl recomand", "să vezi", "că", "puţin")),
    "Croatian": (EAST, ("Film je bio odličan", "svršetak me razočarao", "ključ", "uspješno", "još žešće")),
    "Turkish": (("cp1254", "iso8859-9"), ("Oyuncular harikaydı", "müzik şahaneydi", "şimdi", "tatlı", "İyi, ağabey")),
    "Lithuanian": (("cp1257", "iso8859-13"), ("Filmas labai ilgas, tačiau geras", "prieš", "ačiū", "eilutė", "žiūrėk")),
    "Latvian": (("cp1257",), ("Filma bija ļoti laba", "mūzika patīk", "paldies visiem bērniem", "labāk", "šodien")),
    "Estonian": (
        ("cp1252", "cp1257"),
        ("Film oli väga hea", "õhtul nägin lõppu", "näitlejad mängisid hästi", "töö", "süda"),
    ),
    "Vietnamese": (
        ("cp1258",),
        ("đo\u0323c sách râ\u0301t vui", "không đu\u0301ng", "ngươ\u0300i", "cu\u0303ng", "đe\u0323p"),
    ),
    "Russian": ((*CYRILLIC, "koi8-r"), ("Фильм был отличный", "конец слишком длинный", "да", "ещё раз", "Плохая игра")),
    "Ukrainian": (("cp1251", "koi8-u", "cp1125"), ("Фільм був чудовий", "кінець надто довгий", "так", "її", "ще є")),
    "Bulgarian": (CYRILLIC, ("Филмът беше отличен", "краят е твърде дълъг", "да", "също", "много ми хареса")),
    "Serbian": (
        ("cp1251", "iso8859-5", "mac-cyrillic"),
        ("Филм је био одличан", "крај је предуг", "није", "ђаци", "још љепше"),
    ),
    "Greek": (("cp1253", "iso8859-7", "cp737"), ("Η ταινία ήταν υπέροχη", "το τέλος", "ναι", "πολύ", "κακή μουσική")),
    "Hebrew": (("cp1255", "iso8859-8", "cp862"), ("הסרט היה מצוין", "הסוף היה ארוך מדי", "כן", "טוב", "לא אהבתי")),
    "Arabic": (("cp1256", "iso8859-6"), ("كان الفيلم رائعا", "النهاية كانت طويلة جدا", "نعم", "جيد", "لم يعجبني")),
    "Thai": (("cp874",), ("หนังดีมาก", "แต่ตอนจบยาวเกินไป", "ใช่", "ดี", "เพลงไม่เพราะ")),
    "Chinese": (("gb18030",), ("这部电影非常好看", "但是结尾太长了", "是", "很好", "音乐不好")),
    "Traditional Chinese": (("big5",), ("這部電影非常好看", "但是結尾太長了", "是", "很好", "音樂不好")),
    "Japanese": (("cp932", "euc_jp"), ("映画はとても良かった", "終わりが長すぎた", "はい", "良い", "音楽がひどい")),
    "Korean": (("cp949",), ("영화는 아주 좋았지만", "끝이 너무 길었다", "네", "좋다", "음악이 나빴어요")),
}
CASES = [(language, codec) for language, (codecs, _) in TEXTS.items() for codec in codecs]
ROWS = {1: 5, 5: 1, 40: 1}
"""The files of each number of rows."""


def outcome(text: str, codec: str) -> str:
    data = text.encode(codec)
    guess = guess_encoding(data)
    if guess is None or not guess.is_certain:
        return "refused"
    try:
        return "right" if data.decode(guess.codec) == text else "wrong"
    except UnicodeDecodeError:
        return "refused"  # the first row that is not valid is named


def files(language: str, rows: int) -> list[str]:
    texts = TEXTS[language][1]
    return [
        "id;text\n" + "".join(f"{row};{texts[(first + row) % len(texts)]}\n" for row in range(rows))
        for first in range(ROWS[rows])
    ]


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(("language", "codec"), CASES)
def test_no_file_is_read_wrong(language: str, codec: str, rows: int) -> None:
    assert "wrong" not in [outcome(text, codec) for text in files(language, rows)]


def test_files_of_five_rows_are_read() -> None:
    """All in Windows-1252 and Latin-1, and nearly all others."""
    found = {case: outcome(files(case[0], 5)[0], case[1]) for case in CASES}
    western = [case for case in CASES if case[1] in ("cp1252", "latin-1") and found[case] != "right"]
    assert western == []
    assert Counter(found.values())["refused"] <= 0.1 * len(CASES)


@pytest.mark.parametrize("text", ["a café", "naïve", "Zürich", "jalapeño", "it’s fine", "costs £5", "20 °C", "façade"])
def test_one_word_of_western_text_is_enough(text: str) -> None:
    assert outcome(f"id,text\n1,{text}\n", "cp1252") == "right"


def test_a_guess_that_is_not_certain_has_readings_that_differ() -> None:
    guess = guess_encoding("film był świetny".encode("cp1250"))
    assert guess is not None
    assert guess.candidates[:2] == ("cp1250", "cp1252")
    assert len(guess.candidates) == 3


@pytest.mark.parametrize("word", ["так", "там", "раб", "сам", "шаг"])
def test_a_word_that_is_utf8_by_accident_is_not_certain(word: str) -> None:
    """In DOS 866, these words are the bytes of one rare character in UTF-8, such as a sign of Braille."""
    data = f"id;text\n1;{word}\n2;plain\n".encode("cp866")
    guess = guess_encoding(data)
    assert len(data.decode()) == len(data) - 2
    assert guess is not None
    assert guess.candidates[0] == "utf-8"
    assert "cp866" in guess.candidates


SHORT = "🙂 ☺ € é ß naïve да 好 映 們 한 あ α ש م ไ हि ա ა … “x” → ½ m² ﬁ ① ！ ң ə ơ አ │a│b│ ┌─┐ ⠓⠑⠇⠇⠕ • ≤ \u200b"


@pytest.mark.parametrize("text", SHORT.split(" "))
def test_short_utf8_is_certain(text: str) -> None:
    assert outcome(f"id;text\n1;{text}\n", "utf-8") == "right"


def test_letters_that_no_known_language_has_are_not_certain() -> None:
    """Kazakh, in an encoding that is not known, gives Cyrillic words of no language."""
    kazakh = "Бұл мән тек әріптерден, сандардан тұрады. Құпия сөзді өзгерту мүмкін емес. Қол жетімдісі жоқ."
    assert not is_certain(rank(kazakh.encode("kz1048")))


def test_a_word_is_as_frequent_as_its_pairs_let_expect() -> None:
    """P(_é) P(t | é) with the table's frequencies, mixed with 0.02 of what single letters let expect."""
    french = languages()["fr"]
    assert french["_é"] == pytest.approx(-3.48, abs=0.02)  # log(0.98 * 2^-5 + 0.02 / 30 * P(é))
    assert french["_é"] > french["xé"] > french["xř"]
    assert penalty("m²") > penalty("²m")


def test_every_encoding_has_languages_in_the_table() -> None:
    assert {name for _, names in CODECS.values() for name in names} <= set(languages())


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("für".encode(), True),
        ("it’s".encode(), True),
        ("für".encode("cp1252"), False),
        ("«PERDIÓ»".encode("cp1252"), False),
        (b"plain", False),
    ],
)
def test_utf8_among_latin_letters_is_found(data: bytes, found: bool) -> None:
    assert (find_utf8(data) is not None) == found
