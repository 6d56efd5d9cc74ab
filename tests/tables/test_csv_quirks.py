"""Quirks of CSV files as people have them: each is read right, or refused with advice. None is read wrong."""

from __future__ import annotations

import codecs
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from problex.errors import DocumentError, DocumentWarning
from problex.tables import csv_file
from tests.tables.reading import read

PLAIN = "id,text\n1,a good film\n2,a bad film\n"
GOOD_BAD = ("a good film", "a bad film")
GERMAN = "id;text\n1;schön und groß\n2;für Kinder zu laut\n"
GERMAN_TEXTS = ("schön und groß", "für Kinder zu laut")


@dataclass(frozen=True)
class Quirk:
    """The bytes of a file, and the texts that are in it or the beginnings of what the error and the note say."""

    content: bytes
    texts: tuple[str, ...] = ()
    error: str = ""
    note: str = ""
    name: str = "x.csv"
    options: dict[str, Any] = field(default_factory=dict)


QUIRKS = {
    # -- encodings
    "UTF-8 with a byte order mark": Quirk(codecs.BOM_UTF8 + PLAIN.encode(), GOOD_BAD),
    "UTF-16 with a mark": Quirk(PLAIN.encode("utf-16"), GOOD_BAD, note="read as comma-separated, UTF-16,"),
    "UTF-16 big endian": Quirk(
        codecs.BOM_UTF16_BE + PLAIN.encode("utf-16-be"), GOOD_BAD, note="read as comma-separated, UTF-16 (big endian)"
    ),
    "UTF-16 without a mark": Quirk(PLAIN.encode("utf-16-le"), GOOD_BAD, note="read as comma-separated, UTF-16,"),
    "UTF-32": Quirk(codecs.BOM_UTF32_LE + PLAIN.encode("utf-32-le"), GOOD_BAD, note="read as comma-separated, UTF-32"),
    "semicolons and Latin-1": Quirk(
        GERMAN.encode("latin-1"), GERMAN_TEXTS, note="read as semicolon-separated, Latin-1, header in line 1 (give"
    ),
    "semicolons and Windows-1252": Quirk(
        "id;text\n1;“schön” – groß\n2;für Kinder…\n".encode("cp1252"),
        ("“schön” – groß", "für Kinder…"),
        note="read as semicolon-separated, Windows-1252, header in line 1",
    ),
    "Polish in Windows-1250": Quirk(
        "id,text\n1,film był świetny\n2,zła muzyka i gra aktorów\n".encode("cp1250"),
        ("film był świetny", "zła muzyka i gra aktorów"),
        note="read as comma-separated, Windows-1250",
    ),
    "Russian in KOI8-R": Quirk(
        "id,text\n1,Очень хороший фильм\n2,Плохая музыка и игра\n".encode("koi8-r"),
        ("Очень хороший фильм", "Плохая музыка и игра"),
        note="read as comma-separated, KOI8-R",
    ),
    "French of an old Mac": Quirk(
        "id,text\r1,l’été était très beau\r2,déçu par la fin\r".encode("mac-roman"),
        ("l’été était très beau", "déçu par la fin"),
        note="read as comma-separated, Mac Roman",
    ),
    "Japanese in Shift JIS": Quirk(
        "id,text\n1,とても良い映画でした\n2,音楽がひどかった\n".encode("shift_jis"),
        ("とても良い映画でした", "音楽がひどかった"),
        note="read as comma-separated, Shift JIS",
    ),
    "two encodings in one file": Quirk(
        "id,text\n1,schön und groß\n".encode() + "2,für Kinder zu laut\n".encode("latin-1"),
        error="document 1 of {path} is not valid UTF-8 at byte 1. It looks like Latin-1 ('für Kinder zu laut'): if the "
        'whole file is, give encoding="cp1252"; otherwise correct it',
    ),
    "a Latin-1 byte late in the file": Quirk(
        b"id,text\n" + b"1,a good film of some length\n" * 40_000 + "2,très bien\n".encode("latin-1"),
        error="document 40000 of {path} is not valid UTF-8 at byte 2. It looks like Latin-1 ('très bien')",
    ),
    # -- delimiters
    "semicolons and decimal commas": Quirk(
        b"id;price;text\n1;2,50;a good film\n2;3,00;a bad film\n", GOOD_BAD, note="read as semicolon-separated, UTF-8"
    ),
    "decimal commas without a header": Quirk(
        b"1,5;a good film\n2,5;a bad film\n3,5;a fine film\n",
        (*GOOD_BAD, "a fine film"),
        note="read as semicolon-separated, UTF-8, no header",
        options={"text": "column_2"},
    ),
    "tabs in a .csv": Quirk(b"id\ttext\n1\tgood, bad\n2\tfine\n", ("good, bad", "fine"), note="read as tab-separated"),
    "pipes": Quirk(b"id|text\n1|good, bad\n2|fine; so\n", ("good, bad", "fine; so"), note="read as pipe-separated"),
    "commas in a .tsv": Quirk(PLAIN.encode(), GOOD_BAD, note="read as comma-separated", name="x.tsv"),
    "Excel's line sep=;": Quirk(b"sep=;\r\nid;text\r\n1;good, bad\r\n", ("good, bad",), note="read as semicolon-sep"),
    "one column of unquoted texts": Quirk(
        b"text\nGood, but long.\nBad\nFine, so far, and cheap\n",
        ("Good, but long.", "Bad", "Fine, so far, and cheap"),
        note="read as one column, UTF-8",
    ),
    "the wrong delimiter given": Quirk(
        b"id;text\n" + b"1;good, and bad\n" * 9,
        error="{path} has one column as comma-separated, as given, but it looks semicolon-separated, with the columns "
        "'id', 'text'. Give delimiter=\"semicolon\", or leave it out.",
        options={"delimiter": ",", "on_error": "skip"},
    ),
    # -- quotes
    "doubled quotes": Quirk(b'id,text\n1,"a ""good"" film"\n2,"a, b"\n', ('a "good" film', "a, b")),
    "quotes with a backslash": Quirk(
        b'id,text\n1,"a \\"good\\", fine film"\n2,"a bad film"\n',
        ('a "good", fine film', "a bad film"),
        note='read as comma-separated, UTF-8, quotes written as \\"',
    ),
    "single quotes": Quirk(
        b"'id','text'\n'1','good, it''s fine'\n'2','bad'\n",
        ("good, it's fine", "bad"),
        note="read as comma-separated, UTF-8, cells in single quotes",
    ),
    "apostrophes are no quotes": Quirk(b"id,text\n1,'twas good\n2,it's bad\n", ("'twas good", "it's bad")),
    "quotes within cells": Quirk(b'id,text\n1,a "good" film\n2,5" too long\n', ('a "good" film', '5" too long')),
    "quotes that are never closed": Quirk(
        b'id\ttext\n1\t"Good film\n2\tbad\n3\t"Fine\n4\tpoor\n',
        ('"Good film', "bad", '"Fine', "poor"),
        note="read as tab-separated, UTF-8, quotes taken as part of the texts",
        name="x.tsv",
    ),
    "a quote closed some rows later": Quirk(
        b'id,text\n1,"good, so"\n2,"bad\n3,he said "no" twice\n4,"fine, too"\n',
        error="{path} has a quote that is not closed in its row, so that the lines after it became part of it: ",
    ),
    "line ends in quotes": Quirk(b'id,text\n1,"good\n\nfilm"\n2,"bad\r\nfilm"\n', ("good\n\nfilm", "bad\r\nfilm")),
    # -- rows
    "carriage returns": Quirk(PLAIN.replace("\n", "\r").encode(), GOOD_BAD),
    "mixed line ends": Quirk(b"id,text\r\n1,a good film\n2,a bad film\r\n", GOOD_BAD),
    "blank lines": Quirk(b"\n\nid,text\n\n1,a good film\n\n\n2,a bad film\n\n", GOOD_BAD, note="read as comma-sep"),
    "rows of delimiters": Quirk(b"id,text\n1,a good film\n,\n2,a bad film\n,\n,\n", GOOD_BAD),
    "delimiters at the ends of rows": Quirk(b"id,text\n1,a good film,\n2,a bad film,\n", GOOD_BAD),
    "row names of R": Quirk(b'"text","n"\n"1","a good film",5\n"2","a bad film",6\n', GOOD_BAD),
    "rows with too many cells": Quirk(
        b"id,text\n1,good\n2,bad, but long\n3,fine\n",
        error="row 3 of {path} (the header is row 1; blank lines do not count) has 3 cells, '2,bad, but long'; "
        'expected 2. Correct it (is a quote or a delimiter missing?), or give on_error="skip". It was read as comma-',
    ),
    "many rows with too many cells": Quirk(
        b"id,text\n" + b"1,good\n2,fine\n3,fair\n4,bad, but long\n" * 5,
        error="{path}: 5 of 20 rows could not be read, a tenth or more, so that reading stops even with on_error=",
        options={"on_error": "skip"},
    ),
    "a footer": Quirk(PLAIN.encode() + b"Total: 2 rows\n", error="row 4 of {path} (the header is row 1; "),
    "a footer, skipped": Quirk(PLAIN.encode() + b"Total: 2 rows\n", GOOD_BAD, options={"on_error": "skip"}),
    "zero bytes": Quirk(b"id,text\n1,a \0 film\n2,a bad film\n", ("a \0 film", "a bad film")),
    # -- headers
    "title lines": Quirk(
        b"Survey of May\nAll answers\n\nid,text,n\n1,a good film,5\n2,a bad film,6\n",
        GOOD_BAD,
        note="read as comma-separated, UTF-8, header in line 4",
    ),
    "a padded title line": Quirk(
        b"Survey of May;;\r\nid;text;n\r\n1;a good film;5\r\n2;a bad film;6\r\n",
        GOOD_BAD,
        note="read as semicolon-separated, UTF-8, header in line 2",
    ),
    "no header": Quirk(
        b"1,a good film to see\n2,a bad film to miss\n3,a fine film for all\n",
        ("a good film to see", "a bad film to miss", "a fine film for all"),
        note="read as comma-separated, UTF-8, no header",
        options={"text": "column_2"},
    ),
    "no header, as given": Quirk(
        b"good,film\nbad,day\n", ("film", "day"), options={"header": False, "text": "column_2"}
    ),
    "labels but no header": Quirk(
        b"pos,a good film\nneg,a bad film\npos,a fine film\nneg,a poor film\npos,so\n",
        (*GOOD_BAD, "a fine film", "a poor film", "so"),
        note="read as comma-separated, UTF-8, no header",
        options={"text": "column_2"},
    ),
    "a text in place of the header": Quirk(
        b"I liked the film more than I thought I would\nIt was bad\n",
        ("It was bad",),
        note="line 1 is read as the header: 'I liked the film more than I thought I w' (give header=False if",
    ),
    "blanks around names": Quirk(b" id , text \n1,a good film\n2,a bad film\n", GOOD_BAD, options={"text": "text"}),
    "an empty name": Quirk(b",text\n0,a good film\n1,a bad film\n", GOOD_BAD),
    "a name twice": Quirk(b"text,text\na,b\n", error="2 columns are called 'text'; rename all but one."),
    "a mark in the middle": Quirk(b"\n\xef\xbb\xbfid,text\n1,a good film\n2,a bad film\n", GOOD_BAD, note="read as"),
    "thousands of columns": Quirk(
        ",".join(["text", *(f"c{n}" for n in range(5000))]).encode() + b"\n" + b"good" + b",1" * 5000 + b"\n", ("good",)
    ),
    "nothing but a header": Quirk(b"id,text\n"),
    "nothing": Quirk(b""),
    # -- other formats
    "Excel": Quirk(
        b"PK\x03\x04\x14\0\x06\0", error="{path} is a ZIP archive or an Excel or LibreOffice file, not text"
    ),
    "old Excel": Quirk(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", error="{path} cannot be read as a workbook: Cannot"),
    "gzip": Quirk(b"\x1f\x8b\x08\0\0", error="{path} cannot be read: Truncated compressed stream."),
    "HTML": Quirk(b"<html><table><tr><td>text", error="{path} is HTML or XML, not a table of delimited cells: open it"),
    "JSON lines": Quirk(
        b'{"text": "a"}\n{"text": "b"}\n', error="{path} has JSON objects, not delimited cells: rename"
    ),
    "a JSON array": Quirk(b'[{"text": "a"},\n {"text": "b"}]\n', error="{path} is a JSON array, not a table of delim"),
    "zeros": Quirk(b"id,text\n" + bytes(100), error="{path} is not text: 93% of its first bytes are zero."),
    "random bytes": Quirk(bytes(range(128, 256)) * 4, error="the encoding of {path} is not known: it is neither UTF-8"),
}


SMALL = [name for name, quirk in QUIRKS.items() if len(quirk.content) <= 10_000]
"""Those that chunks of a few bytes are tried with, too."""


@pytest.mark.parametrize(
    ("name", "read_bytes"), [*((name, 1 << 21) for name in QUIRKS), *((name, 7) for name in SMALL)]
)
def test_a_quirk_is_read_right_or_refused(
    name: str, read_bytes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quirk = QUIRKS[name]
    monkeypatch.setattr(csv_file, "READ_BYTES", read_bytes)
    check_quirk(quirk, tmp_path / quirk.name)


def check_quirk(quirk: Quirk, path: Path) -> None:
    path.write_bytes(quirk.content)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if quirk.error:
            with pytest.raises(DocumentError) as error:
                read(path, **quirk.options)
            assert str(error.value).startswith(quirk.error.format(path=path))
        else:
            assert tuple(read(path, **quirk.options).texts) == quirk.texts
    notes = [str(one.message) for one in caught if "guessed" not in str(one.message)]
    if quirk.note:
        assert len(notes) == 1
        assert notes[0].startswith(f"{path}: {quirk.note}")
        assert issubclass(caught[0].category, DocumentWarning)
    elif not quirk.error:
        assert notes == []
