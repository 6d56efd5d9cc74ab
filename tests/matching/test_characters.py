"""The table of characters: what the compiled counter reads of each."""

from __future__ import annotations

import unicodedata

import pytest

from problex.matching.characters import (
    BLOCK,
    CASED,
    CLASS_SHIFT,
    IGNORABLE,
    MARK,
    SLOW,
    CharacterTable,
    character_table,
    character_value,
    normalization,
)


def test_the_table_is_what_the_compiled_counter_expects() -> None:
    """Not looked up, separator, apostrophe and the end of a clause are 0 to 3; letters are themselves, with flags."""
    values = character_table("en", False).values
    assert len(values) == 0x110000
    assert [int(values[ord(character)]) for character in "-7_'.,½"] == [1, 1, 1, 2, 3, 3, 1]
    assert [character_value(character, None) for character in "’ʼ…。\u037e😀"] == [2, 2, 3, 3, 3, 1]
    assert [values[ord(character)] for character in "aÉ"] == [ord("a") | CASED, ord("é") | CASED]
    assert character_value("日", None) == ord("日")


def test_flags() -> None:
    acute, virama, spacing = (character_value(mark, None) for mark in ("\u0301", "\u094d", "\u0903"))
    assert acute == 0x301 | MARK | SLOW | IGNORABLE | 230 << CLASS_SHIFT
    assert virama == 0x94D | MARK | IGNORABLE | 9 << CLASS_SHIFT
    assert spacing == 0x903 | MARK
    assert character_value("\u0301", "") == MARK | SLOW | IGNORABLE | 230 << CLASS_SHIFT  # it is removed
    assert character_value("Σ", None) == ord("σ") | SLOW | CASED
    assert character_value("İ", None) == ord("i") | SLOW | CASED
    assert character_value("İ", "") == ord("i") | CASED
    assert character_value("\u1161", None) & SLOW  # a vowel that joins the consonant before it
    assert character_value("Ⱥ", None) == ord("ⱥ") | SLOW | CASED  # takes more bytes
    assert character_value("\u212b", None) == ord("å") | CASED  # the sign for angstrom
    assert character_value("\u0958", None) & SLOW  # becomes two


@pytest.mark.parametrize("keep", [None, "ñ"])
def test_blocks_of_plain_letters_are_filled_at_once_with_the_same_values(keep: str | None) -> None:
    table = CharacterTable(keep, keep is not None)
    for block in (0x01, 0x03, 0x11, 0x12, 0x34, 0x4E, 0x9F, 0xA1, 0xAC, 0xD7, 0xF9, 0x200, 0x2F8):
        table.fill(block)
        points = range(block * BLOCK, (block + 1) * BLOCK)
        assert table.values[points.start : points.stop].tolist() == [character_value(chr(at), keep) for at in points]


def test_only_marks_have_a_class_and_the_first_that_joins_is_known() -> None:
    """What the values have room for: a class beside `MARK` only; no character below U+0300 is composed with another."""
    marks = [point for point in range(0x110000) if unicodedata.combining(chr(point))]
    assert all(unicodedata.category(chr(point))[0] == "M" for point in marks)
    assert min(int(pair) & 0xFFFFFFFF for pair in normalization().pairs) == 0x300


def test_all_decompositions_and_compositions_are_there() -> None:
    table, start = normalization(), 0
    assert len(table.points) > 2000
    assert len(table.pairs) > 900
    for point, end in zip(table.points, table.ends, strict=True):
        assert "".join(map(chr, table.parts[start:end])) == unicodedata.normalize("NFD", chr(point))
        start = end
    for pair, composed in zip(table.pairs.tolist(), table.composed, strict=True):
        assert unicodedata.normalize("NFC", chr(pair >> 32) + chr(pair & 0xFFFFFFFF)) == chr(composed)
