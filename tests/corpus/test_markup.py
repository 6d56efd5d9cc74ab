"""HTML tags and entities."""

from __future__ import annotations

import pyarrow as pa
import pytest

from problex.corpus import strip_markup


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("good<br />film<br>", "good film "),
        ('<p class="a">x</p>', " x "),
        ('<a href="u" title="1 > 0">link</a>', " link "),
        ("<a href='u'\n>link</a>", " link "),
        ('<a href="u>x</a> and "quotes"', ' x  and "quotes"'),
        ('<a href="u>x</a> and <b title="v">y</b>', " x  and  y "),
        ("a <!-- <b> no > --> b", "a   b"),
        ("a < b and c > d", "a < b and c > d"),
        ("a <3 b, 1<2, c>d, <- ->", "a <3 b, 1<2, c>d, <- ->"),
        ("cut <br", "cut <br"),
        ("Q&amp;A &lt;b&gt; &quot;x&quot; it&#39;s&nbsp;so", 'Q&A <b> "x" it\'s\u00a0so'),
        ("&amp;lt; &amp;amp;", "&lt; &amp;"),
        ("R&D & co", "R&D & co"),
        ("", ""),
    ],
)
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_markup(text: str, expected: str, kind: pa.DataType) -> None:
    stripped = strip_markup(pa.array(["plain", text, "x"], kind)[1:])
    assert stripped.to_pylist() == [expected, "x"]
    assert stripped.type == kind


def test_without_markup_nothing_is_copied() -> None:
    texts = pa.array(["plain", "text"])
    assert strip_markup(texts) is texts
