from __future__ import annotations

from problex.report.markup import callout, figure, paragraph, table

NASTY = '<i onclick="x">&'


def test_everything_is_escaped() -> None:
    for html in (paragraph(NASTY), callout(NASTY), figure("name", NASTY), table([{"a": NASTY}], {"a": NASTY}, NASTY)):
        assert "<i" not in html
        assert "&lt;i onclick=&quot;x&quot;&gt;&amp;" in html


def test_numbers_stand_to_the_right_and_tables_scroll() -> None:
    html = table(
        [{"word": "good", "share": "5.0%", "n": 1200, "x": None}], {"word": "w", "share": "s", "n": "n", "x": "x"}
    )
    assert "<td>good</td>" in html
    assert '<td class="number">5.0%</td>' in html
    assert '<td class="number">1,200</td>' in html
    assert '<td class="number">–</td>' in html
    assert html.startswith('<div class="scroll">')
    assert table([], {"word": "w"}) == ""
