"""Views of the record of an explanation: colours, marks, headline, HTML."""

from __future__ import annotations

import re
from typing import Any

import pytest

from problex.explanation.views import Mark, as_html, as_page, as_rich_text, headline, text_marks


@pytest.fixture
def record() -> dict[str, Any]:
    def piece(text: str, start: int, **more: Any) -> dict[str, Any]:
        return {"text": text, "start": start, "end": start + len(text), "entries": []} | more

    match = {"contribution": 0.5, "phrase": False, "negated": False}
    return {
        "text": "fine, not bad kind",
        "classes": ["no", "yes"],
        "label": "yes",
        "decision": 1.25,
        "probabilities": {"no": 0.2, "yes": 0.8},
        "calibrated": True,
        "tempering": 0.5,
        "threshold": {"no": 0.25, "yes": -0.25},
        "whole_threshold": {"no": 0.25, "yes": -0.25},
        "certainty": 0.96,
        "tokens": 1,
        "unlocated": 0,
        "sums": [{"part": "score", "words": None, "decision": 1.25}],
        "contributions": [],
        "pieces": [
            piece("fine", 0, **match | {"entries": ["fine"], "towards": "yes", "intensity": 1.0}),
            piece(", not ", 4),
            piece("bad", 10, **match | {"entries": ["NOT bad"], "towards": "no", "intensity": 0.1, "negated": True}),
            piece(" ", 13),
            piece("kind", 14, **match | {"entries": ["kind"], "towards": "", "intensity": 0.0}),
        ],
    }


def test_terminal_colours_are_by_class_and_strength(record: dict[str, Any]) -> None:
    text = as_rich_text(record)
    assert text.plain == record["text"]
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert styles == {"fine": "bold green", "bad": "dim red strike"}


def test_the_headline_has_label_probabilities_and_tempering(record: dict[str, Any]) -> None:
    assert headline(record) == (
        "yes (no 20%, yes 80%, calibrated with labels); score +1.250; 1 token; scaled by 0.500 for length"
    )


def test_the_headline_of_a_short_text_names_the_limit_of_the_threshold_and_the_certainty(
    record: dict[str, Any],
) -> None:
    short = record | {"threshold": {"no": 0.1, "yes": -0.1}, "certainty": 0.321}
    assert headline(short).endswith(
        "for length; threshold limited to half of what the words say; log-odds are 0.32 of the score, because the text "
        "is short"
    )


def test_a_page_is_self_contained_for_light_and_dark_screens(record: dict[str, Any]) -> None:
    page = as_page(record, "<why>")
    assert page.startswith("<!doctype html>")
    assert '<meta name="color-scheme" content="light dark">' in page
    assert "<title>&lt;why&gt;</title>" in page
    assert "http" not in page
    assert '<mark class="none" title="kind: +0.500">kind</mark>' in page


def test_marks_have_classes_colours_and_tooltips(record: dict[str, Any]) -> None:
    fine, plain, bad, _, kind = text_marks(record["pieces"], record["classes"])
    assert fine == Mark("fine", "fine: +0.500, for yes", "", "--c:0 158 115;--a:0.60")
    assert plain == Mark(", not ")
    assert bad == Mark("bad", "NOT bad: +0.500, for no", "negated", "--c:213 94 0;--a:0.17")
    assert kind == Mark("kind", "kind: +0.500", "none", "")


def test_the_text_of_the_page_is_the_text(record: dict[str, Any]) -> None:
    """White space matters in a preformatted text: the template adds none."""
    paragraph = as_html(record).partition('<p class="text">')[2].partition("</p>")[0]
    assert re.sub("<.*?>", "", paragraph) == record["text"]


def test_everything_is_escaped(record: dict[str, Any]) -> None:
    nasty = '<i onclick="x">&'
    record["pieces"][0] |= {"text": nasty, "entries": [nasty]}
    record |= {"label": nasty}
    record["contributions"] = [
        {"entry": nasty, "list": nasty, "source": "", "count": 1, "effective_count": 1.0, "weight": 1.0}
        | {"towards": "", "contribution": 0.0}
    ]
    html = as_html(record)
    assert "<i" not in html
    assert html.count("&lt;i onclick=&#34;x&#34;&gt;&amp;") == 5


def test_words_beyond_the_first_thirty_are_counted(record: dict[str, Any]) -> None:
    word = {"list": "yes", "source": "lexicon", "count": 1, "effective_count": 1.0, "weight": 1.0, "towards": "yes"}
    record["contributions"] = [word | {"entry": f"w{at}", "contribution": 1.0 - at / 100} for at in range(32)]
    html = as_html(record)
    assert "<td>w29</td>" in html
    assert "<td>w30</td>" not in html
    assert "and 2 more words with weaker contributions" in html
    assert 'style="--c:0 158 115;--a:1.00;width:9.00em"' in html
    record["contributions"] = []
    assert "No word of the text has a weight." in as_html(record)
