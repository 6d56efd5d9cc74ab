from __future__ import annotations

import pytest

from problex import Lexicon, count, estimate
from problex.errors import LexiconError
from problex.estimation.model import Model
from problex.evaluation.comparison import agreement, compare_weights
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.lexicon import Entry


@pytest.fixture
def model(texts: list[str], lexicon: Lexicon) -> Model:
    return estimate(count(texts, lexicon), lexicon)


def given(model: Model, sign: float) -> Lexicon:
    """Weights that rise (or fall) as the learned ones do, on another scale."""
    rows = [(row["entry"], row["list"], row["weight"]) for row in model.records()]
    return Dictionary(tuple(Entry(word, name, "", sign * (weight + 1) ** 3) for word, name, weight in rows)).lexicon()


def test_the_same_order_agrees_whatever_the_scale(model: Model) -> None:
    records = compare_weights(model, given(model, -10.0))
    assert {row["entry"] for row in records} == {row["entry"] for row in model.records()}
    assert all(row["given_rank"] == pytest.approx(row["learned_rank"]) for row in records)
    for row in agreement(records):
        assert row["rank_correlation"] in (None, pytest.approx(1.0))


def test_those_that_differ_most_come_first(model: Model) -> None:
    heaviest = model.records()[0]
    words = [
        (row["entry"], row["list"], 0.1 if row is heaviest else 2.0 + at) for at, row in enumerate(model.records())
    ]
    words = [(word, name, 0.1 if word == heaviest["entry"] else weight) for word, name, weight in words]
    records = compare_weights(model, Dictionary(tuple(Entry(word, name, "", w) for word, name, w in words)).lexicon())
    assert records[0]["given_rank"] != records[0]["learned_rank"]
    gaps = [abs(row["given_rank"] - row["learned_rank"]) for row in records]
    assert gaps == sorted(gaps, reverse=True)


def test_entries_that_were_hardly_seen_are_not_compared(model: Model) -> None:
    counts = sorted(row["count"] for row in model.records())
    records = compare_weights(model, given(model, 1.0), min_count=counts[1] + 1)
    assert records
    assert all(row["count"] > counts[1] for row in records)
    with pytest.raises(LexiconError, match=r"6 entries .* and none was seen 1000 times or more"):
        compare_weights(model, given(model, 1.0), min_count=1000)


def test_phrases_are_found_by_their_words(model: Model) -> None:
    lexicon = Dictionary((Entry("well-made", "positive", "", 1.0), Entry("bad", "negative", "", -2.0))).lexicon()
    assert {row["entry"]: row["given"] for row in compare_weights(model, lexicon)} == {"well made": 1.0, "bad": -2.0}


def test_weights_in_another_list_are_not_compared(model: Model, lexicon: Lexicon) -> None:
    other = Dictionary((Entry("good", "negative", "", 1.0), Entry("bad", "positive", "", 2.0))).lexicon()
    with pytest.raises(
        LexiconError, match=r"0 entries of the model have a weight in the lexicon.*expected a file with weights"
    ):
        compare_weights(model, other)
    with pytest.raises(LexiconError, match="0 entries of the model have a weight"):
        compare_weights(model, lexicon)
