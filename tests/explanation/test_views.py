"""How a record looks: colours, marks, and what stands above it."""

from __future__ import annotations

from typing import Any

import pytest

from problex.explanation.views import as_page, coloured, headline


@pytest.fixture
def record() -> dict[str, Any]:
    def piece(text: str, start: int, **more: Any) -> dict[str, Any]:
        return {"text": text, "start": start, "end": start + len(text), "entries": []} | more

    said = {"contribution": 0.5, "phrase": False, "negated": False}
    return {
        "text": "fine, not bad kind",
        "classes": ["no", "yes"],
        "label": "yes",
        "decision": 1.25,
        "probabilities": {"no": 0.2, "yes": 0.8},
        "calibrated": True,
        "tempering": 0.5,
        "tokens": 1,
        "unlocated": 0,
        "sums": [{"part": "score", "words": None, "decision": 1.25}],
        "contributions": [],
        "pieces": [
            piece("fine", 0, **said | {"entries": ["fine"], "towards": "yes", "intensity": 1.0}),
            piece(", not ", 4),
            piece("bad", 10, **said | {"entries": ["NOT bad"], "towards": "no", "intensity": 0.1, "negated": True}),
            piece(" ", 13),
            piece("kind", 14, **said | {"entries": ["kind"], "towards": "", "intensity": 0.0}),
        ],
    }


def test_terminal_colours_are_by_class_and_strength(record: dict[str, Any]) -> None:
    text = coloured(record)
    assert text.plain == record["text"]
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert styles == {"fine": "bold green", "bad": "dim red strike"}


def test_the_headline_says_how_sure_and_why(record: dict[str, Any]) -> None:
    assert headline(record) == (
        "yes (no 20%, yes 80% calibrated by labels); decision +1.250; 1 token; tempered by 0.500 for length"
    )


def test_a_page_stands_alone_in_light_and_dark(record: dict[str, Any]) -> None:
    page = as_page(record, "<why>")
    assert page.startswith("<!doctype html>")
    assert '<meta name="color-scheme" content="light dark">' in page
    assert "<title>&lt;why&gt;</title>" in page
    assert "http" not in page
    assert '<mark class="none" title="kind: +0.500">kind</mark>' in page
