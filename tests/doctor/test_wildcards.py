"""Wildcards: what they match, and matches that do not belong."""

from __future__ import annotations

import numpy as np
import pytest

from problex import Lexicon, count
from problex.doctor.associations import Associations
from problex.doctor.checks import broad_wildcards, matches_of
from problex.doctor.findings import Case
from problex.matching.tokens import Tokenizer
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


def test_a_wildcard_is_replaced_only_by_forms_that_the_texts_show_on_its_side() -> None:
    """`happiness` is as frequent in both kinds of texts, and `happisburgh` occurs once."""
    extra = {"happy": (0.6, 0.1), "happens": (0.5, 0.5), "happiness": (0.02, 0.02), "happisburgh": (0.004, 0.004)}
    (finding,) = broad_wildcards(case_of(corpus(extra), positive=["happ*", "lovel*"]))
    assert [str(edit) for edit in finding.edits] == ["remove 'happ*' from positive", "add 'happy' to positive"]
    assert finding.why.endswith("not associated with positive: happens; associated with it: happy")


def test_a_wildcard_without_any_such_form_is_removed() -> None:
    texts = corpus({"fair": (0.3, 0.3), "fairview": (0.01, 0.01), "fairy": (0.02, 0.01)})
    (finding,) = broad_wildcards(case_of(texts, positive=["fair*"]))
    assert [str(edit) for edit in finding.edits] == ["remove 'fair*' from positive"]


@pytest.mark.parametrize(("excess", "number"), [(-0.19, 0), (-0.21, 1)])
def test_a_match_is_unrelated_if_its_upper_limit_is_below_half_of_the_mean(excess: float, number: int) -> None:
    """The estimate is (1/2 + excess) / 2 with a standard error of 0.1; half of the mean is 1/4."""
    lexicon = Lexicon({"a": ["bad"], "b": ["good", "happ*"]})
    share = np.array([[0.9, 0.1], [0.1, 0.9], [0.5 - excess, 0.5 + excess]])
    associations = Associations(
        lists=("a", "b"),
        words=("bad", "good", "happens"),
        list_index=np.array([0, 1, 1]),
        occurrences=np.array([10, 10, 10]),
        base_rates=np.full(3, 0.1),
        noise=np.ones(3),
        share=share,
        expected_share=np.full((3, 2), 0.5),
        share_error=np.full((3, 2), 0.02**0.5),
        estimate=share - 0.5,
        std_error=np.full((3, 2), 0.1),
        list_mean=np.array([0.5, 0.5]),
        prior_variance=0.02,
        scale=1.0,
    )
    case = Case(lexicon, Tokenizer(), count(["bad happens"], lexicon, associations=True), associations)
    assert len(list(broad_wildcards(case))) == number
