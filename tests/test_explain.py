from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, Model, count, estimate, score
from problex.errors import ProblexError
from problex.explain import explain
from problex.scoring import RULES, TEMPERS

LEXICON = Lexicon({"positive": ["good", "fine", "well made"], "negative": ["bad", "poor"], "odd": ["weird"]})
TEXTS = [
    "good fine day day",
    "fine well made film",
    "bad poor film the",
    "poor bad day",
    "good bad weird",
    "weird day",
] * 9
MODEL: Model = estimate(
    count(TEXTS, LEXICON, associations=True), LEXICON, rule="pmi", prior={"positive": 5, "negative": 3, "odd": 2}
)
WORDS = ["good", "fine", "well", "made", "bad", "poor", "weird", "film", "the", "day"]
DOCUMENT = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


@given(DOCUMENT, st.sampled_from(list(RULES)), st.sampled_from(list(TEMPERS)))
def test_contributions_add_up_to_the_score(text: str, rule: str, temper: str) -> None:
    why = explain(text, MODEL, rule=rule, temper=temper)
    total = np.sum([part.values for part in why.contributions], axis=0) if why.contributions else np.zeros(3)
    expected = score([text], MODEL, rule=rule, temper=temper)
    np.testing.assert_allclose(total + np.array(why.prior), expected.values[0], atol=1e-9)
    assert why.label == expected.labels()[0]


def test_records_name_the_word_its_list_and_how_often() -> None:
    why = explain("Good, good and well-made; not bad", MODEL, rule="dcm")
    found = {(record["entry"], record["list"], record["count"]) for record in why.records()}
    assert found == {("good", "positive", 2), ("well made", "positive", 1), ("bad", "negative", 1)}
    strengths = [max(part.values) - min(part.values) for part in why.contributions]
    assert strengths == sorted(strengths, reverse=True)


def test_only_a_text_can_be_explained() -> None:
    with pytest.raises(ProblexError, match="a text was given as list, expected one string"):
        explain(["x"], MODEL)  # type: ignore[arg-type]
