"""Files as programs export them, and as people damage them: each is read right, said, or refused with advice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tables.reading import read
from tests.tables.test_csv_quirks import Quirk, check_quirk

TEXTS = ("a good film", "a bad film", "a fine film")
LONG_TEXTS = ("a good film to see at home", "a bad film to see at home", "a fine film to see at home")
KOREAN = ("정말 좋은 영화였습니다", "음악이 너무 나빴어요", "다시는 보고 싶지 않다")


def table(first: tuple[str, ...], texts: tuple[str, ...] = LONG_TEXTS, delimiter: str = ",") -> bytes:
    """Rows of two cells without a header."""
    return "".join(f"{cell}{delimiter}{text}\n" for cell, text in zip(first, texts, strict=True)).encode()


QUIRKS = {
    # -- survey tools
    "questions and ids of Qualtrics": Quirk(
        b"Start,Q1,text\nStart Date,Age,How was the film?\n"
        b'"{""ImportId"":""start""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2""}"\n'
        b"2020-01-01,3,a good film\n2020-01-02,4,a bad film\n2020-01-03,5,a fine film\n",
        TEXTS,
        note="read as comma-separated, UTF-8, header in line 1 (2 rows below it left out) (give",
    ),
    "kinds of answers of SurveyMonkey": Quirk(
        b"Respondent,text,Age\n,Open-Ended Response,Response\n1,a good film,3\n2,a bad film,4\n3,a fine film,4\n",
        TEXTS,
        note="read as comma-separated, UTF-8, header in line 1 (1 row below it left out)",
    ),
    "dashes below the header": Quirk(
        b"id|text\n--|-----\n1|a good film\n2|a bad film\n3|a fine film\n",
        TEXTS,
        note="read as pipe-separated, UTF-8, header in line 1 (1 row below it left out)",
    ),
    "units below the header": Quirk(
        b"id,length,text\n-,mm,-\n1,5,a good film\n2,6,a bad film\n3,7,a fine film\n",
        TEXTS,
        note="read as comma-separated, UTF-8, header in line 1 (1 row below it left out)",
    ),
    "a text that is a dash is no unit": Quirk(b"id,text\n1,-\n2,a bad film\n", ("-", "a bad film")),
    # -- R
    "row names of R that are words": Quirk(
        b'"text","n"\n"first","a good film",5\n"second","a bad film",6\n"third","a fine film",7\n', TEXTS
    ),
    "write.table of R": Quirk(
        b'"id" "text"\n"1" 1 "a good film"\n"2" 2 "a bad film"\n"3" 3 "a fine film"\n',
        TEXTS,
        note="read as ' '-separated, UTF-8, header in line 1",
    ),
    "a comma in each text is no row name": Quirk(
        b"id,text\n1,Well, good\n2,Well, bad\n3,Well, fine\n",
        error="row 2 of {path} (the header is row 1; blank lines do not count) has 3 cells, '1,Well, good'; expected 2",
    ),
    "blanks before quotes": Quirk(
        b'id, text\n1, "a good, long film"\n2, "a bad, long film"\n3, "a fine, long film"\n',
        error="row 2 of {path} (the header is row 1; blank lines do not count) has 3 cells",
    ),
    # -- delimiters
    "carets": Quirk(b"id^text\n1^a good film\n2^a bad film\n", TEXTS[:2], note="read as '^'-separated"),
    "Hive's control characters": Quirk(b"id\x01text\n1\x01a good film\n", TEXTS[:1], note="read as '\\x01'-separated"),
    "a colon in some texts": Quirk(b"text: all\ngood: so\nbad\nfine\n", ("good: so", "bad", "fine")),
    "each row in quotes": Quirk(
        b'"id,text"\n"1,""a good film"""\n"2,""a bad film"""\n',
        error="each row of {path} is in quotes as a whole, such as 'id,text': expected quotes around cells.",
    ),
    "one column of texts with semicolons": Quirk(
        b"text\ngood; so\nbad; so\nfine; so\n",
        ("good; so", "bad; so", "fine; so"),
        note="read as one column, UTF-8, header in line 1",
    ),
    # -- headers
    "a title that is a usual name": Quirk(
        b"Review\n\nid,text\n1,a good film\n2,a bad film\n3,a fine film\n",
        TEXTS,
        note="read as comma-separated, UTF-8, header in line 3",
    ),
    "times without a header": Quirk(
        table(("2020-01-01T10:00:00Z", "2020-01-02T11:30:00Z", "2020-02-03T08:15:59Z")),
        LONG_TEXTS,
        note="read as comma-separated, UTF-8, no header",
    ),
    "addresses without a header": Quirk(
        table(("http://a.org/1", "http://a.org/22", "http://b.org/3")),
        LONG_TEXTS,
        note="read as comma-separated, UTF-8, no header",
    ),
    "names of people without a header": Quirk(
        table(("anna", "bert", "carl")),
        LONG_TEXTS[1:],
        note="line 1 is read as the header: 'anna', 'a good film to see at home' (give header=False if it is not)",
    ),
    # -- quotes
    "a quote closed some rows later, at the end of a cell": Quirk(
        b'id,text\n1,good\n2,"open film\n3,fine\n4,some film"\n5,bad\n',
        error="{path} has a quote that is not closed in its row, so that the lines after it became part of it: ",
    ),
    "numbers at the beginnings of lines": Quirk(
        b'id,text\n12,"We were many:\n15,000 people"\n13,bad\n', ("We were many:\n15,000 people", "bad")
    ),
    # -- encodings
    "much Korean": Quirk(
        ("id,text\n" + "".join(f"1,{text}\n" for text in KOREAN * 200)).encode("cp949"),
        KOREAN * 200,
        note="read as comma-separated, EUC-KR, header in line 1",
    ),
    "Czech in ISO 8859-2": Quirk(
        "id,text\n1,Skvělý film, doporučuji\n2,Špatná hudba, žádné napětí\n".replace("m,", "m")
        .replace("a,", "a")
        .encode("iso8859-2"),
        ("Skvělý film doporučuji", "Špatná hudba žádné napětí"),
        note="read as comma-separated, ISO 8859-2",
    ),
    "the euro of ISO 8859-15": Quirk(
        "id,text\n1,für 5 € zu groß\n".encode("iso8859-15"),
        ("für 5 € zu groß",),
        note="read as comma-separated, ISO 8859-15",
    ),
    "a few Polish letters": Quirk(
        "id,text\n1,film był świetny\n".encode("cp1250"),
        error="{path} is not UTF-8, and which other encoding it has is not certain. A line of it is "
        "'1,film był świetny' in Windows-1250 (encoding=\"cp1250\"), '1,film by³ œwietny' in Windows-1252 "
        '(encoding="cp1252") or ',
    ),
    "a few Polish letters, encoding given": Quirk(
        "id,text\n1,film był świetny\n".encode("cp1250"), ("film był świetny",), options={"encoding": "cp1250"}
    ),
    "UTF-8 among Latin-1": Quirk(
        b"id,text\n" + 40 * "1,für später größer\n".encode("cp1252") + "2,für\n".encode(),
        error="document 0 of {path} is not valid UTF-8 at byte 1. It looks like Latin-1 ('für später größer'): if the "
        'whole file is, give encoding="cp1252"; otherwise correct it',
    ),
    "one accented letter in 2,000 rows": Quirk(
        b"id,text\n" + b"1,a good film\n" * 1999 + "2,a bad café\n".encode("cp1252"),
        ("a good film",) * 1999 + ("a bad café",),
        note="read as comma-separated, Latin-1, header in line 1",
    ),
    "capitals before quotation marks are not UTF-8": Quirk(
        "id,text\n1,«LIBERTÉ» était beau\n2,très bien\n".encode("cp1252"),
        ("«LIBERTÉ» était beau", "très bien"),
        note="read as comma-separated, Latin-1, header in line 1",
    ),
    "zeros in a short file": Quirk(b'"id","text"\n"0","x\0"\n', ("x\0",)),
    "UTF-16 given for UTF-8": Quirk(
        b"id,text\n1,good\n",
        error="{path} is not UTF-16, as given: it has no byte order mark, and does not look like it. Leave out "
        "encoding=..., or give the order of its bytes, such as 'utf-16-le'.",
        options={"encoding": "utf-16"},
    ),
}


@pytest.mark.parametrize("name", QUIRKS)
def test_an_export_is_read_right_or_refused(name: str, tmp_path: Path) -> None:
    check_quirk(QUIRKS[name], tmp_path / QUIRKS[name].name)


def test_a_header_that_is_repeated_is_left_out_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"id,text\n1,a good film\n\xef\xbb\xbfid,text\n2,a bad film\nid,text\n3,a fine film\n")
    with pytest.warns(match=f"{path} has its header more than once: it is left out where it is repeated"):
        assert tuple(read(path).texts) == TEXTS
