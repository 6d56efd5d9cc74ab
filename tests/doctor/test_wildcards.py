"""Wildcards: what they match, and matches that do not belong."""

from __future__ import annotations

import pytest

from problex.doctor.wildcards import broad_wildcards, matches_of
from tests.doctor.material import case_of, corpus


@pytest.mark.parametrize(
    ("entry", "met"),
    [
        ("happ*", ["happen", "happy"]),
        ("*y", ["happy", "unhappy"]),
        ("*happ*", ["happen", "happy", "unhappy"]),
        ("f**k", []),
        ("bull****", []),
        ("*", []),
        ("happy", []),
        ("so happ*", []),
    ],
)
def test_what_a_wildcard_matches(entry: str, met: list[str]) -> None:
    assert list(matches_of(entry, ["bullet", "folk", "happen", "happy", "unhappy"])) == met


def test_a_wildcard_with_unrelated_matches_is_replaced_by_the_related_ones() -> None:
    texts = corpus({"happy": (0.6, 0.1), "happens": (0.5, 0.5), "happened": (0.4, 0.4)})
    (finding,) = broad_wildcards(case_of(texts, positive=["happ*", "lovel*"]))
    assert finding.words == ("happ*", "happens", "happened")
    assert [str(edit) for edit in finding.edits] == ["remove 'happ*' from positive", "add 'happy' to positive"]
    assert finding.cost > 0
    assert "matches happens (" in finding.why
