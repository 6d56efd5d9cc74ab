"""Damaged lexicon files: whatever the bytes, they are read or refused with an error of this package."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from problex.errors import LexiconError, ProblexError
from problex.lexicon import Dictionary, read_dictionary
from problex.lexicon.formats import READERS, WRITERS
from problex.lexicon.lexicon import Entry
from tests.mutations import mutate
from tests.tables.writing import write_ods

ENTRIES = (
    Entry("good", "a/positive", "x", 2.0),
    Entry("fine day", "a/positive", "x", 1.5),
    Entry("happ*", "a/positive", "x", 1.0),
    Entry("bad", "negative", "x", -1.0),
    Entry("café", "negative", "x", -2.0),
)
OWN_FILES = {
    "sentiws": b"Gut|ADJX\t0.37\tguter,gute\nSchlecht|ADJX\t-0.7\n",
    "plain": b"good\nfine day\n# x\n;-)\n",
    "xml": b'<sentiment><word form="good" polarity="0.7"/><word form="bad" polarity="-0.7"/></sentiment>',
    "fields": b"type=x word1=good priorpolarity=positive\ntype=x word1=bad priorpolarity=negative\n",
    "synsets": b"n#05588321 wrath ill_will\nv#05588322 rage\n",
    "sentiwordnet": b"a\t1\t0.5\t0\tgood#1 fine#2\tgloss\na\t2\t0\t0.5\tbad#1\tgloss\n",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    whole = OWN_FILES[name] if name in OWN_FILES else WRITERS[name](Dictionary(ENTRIES)).data
    generator = random.Random(name)
    for _ in range(100):  # proof/robustness/fuzz.py tries thousands of most formats
        path = tmp_path / f"x.{generator.choice([name, 'txt'])}"
        path.write_bytes(mutate(whole, generator))
        with contextlib.suppress(ProblexError):
            read_dictionary(path, format=generator.choice([name, None])).tidy().lexicon()


def test_an_open_document_file_is_named(tmp_path: Path) -> None:
    write_ods(tmp_path / "x.ods", {"a": [["word", "list"], ["good", "positive"]]})
    with pytest.raises(
        LexiconError, match=r"x\.ods is an OpenDocument file, expected \.xlsx: save it as that, or as CSV"
    ):
        read_dictionary(tmp_path / "x.ods")


def test_a_workbook_that_cannot_be_read_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "x.xlsx").write_bytes(b"")
    with pytest.raises(
        LexiconError, match=r"x\.xlsx cannot be read as an Excel file: .*: open it in Excel and save it"
    ):
        read_dictionary(tmp_path / "x.xlsx")
