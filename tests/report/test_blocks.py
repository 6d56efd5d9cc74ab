from __future__ import annotations

from problex.report.blocks import Column, Details, Figure, Paragraph, Section, SideBySide, Table


def test_numbers_and_shares_are_aligned_to_the_right() -> None:
    headings = {"word": "w", "share": "s", "n": "n", "x": "x"}
    table = Table.of([{"word": "good", "share": "5.0%", "n": 1200, "x": None}], headings)
    assert table.columns == (Column("w", False), Column("s", True), Column("n", True), Column("x", True))
    assert table.rows == (("good", "5.0%", "1,200", "–"),)
    mixed = Table.of([{"n": 1}, {"n": "many"}], {"n": "n"})
    assert not mixed.columns[0].numeric


def test_the_figures_of_a_section_are_those_of_all_blocks_in_order() -> None:
    first, second, third = (Figure(name, "", chart=None) for name in "abc")
    section = Section("title", (first, Paragraph("text"), SideBySide((second,)), Details("more", third)))
    assert section.figures == [first, second, third]
