from __future__ import annotations

import pytest

from problex import Lexicon, count, estimate
from problex.errors import LexiconError
from problex.evaluation.comparison import agreement, compare_weights
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.lexicon import Entry
from problex.model.model import Model


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
    with pytest.raises(LexiconError, match=r"6 entries .* and none of them occurs 1000 times or more"):
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


def test_ranks_and_their_order_by_hand() -> None:
    """Learned: good 1, fine 2, well made 3 times rarer; the file has them the other way round."""
    lexicon = Lexicon({"positive": ["good", "fine", "great"], "negative": ["bad"]})
    texts = ["good good x", "good x", "good bad", "fine x x", "fine fine", "great x", "bad x", "bad bad"]
    model = estimate(count(texts, lexicon), lexicon)
    weights = {row["entry"]: row["weight"] for row in model.records()}
    order = sorted(["good", "fine", "great"], key=lambda word: weights[word])
    entries = [Entry(word, "positive", "", 9.0 - at) for at, word in enumerate(order)]
    records = compare_weights(model, Dictionary((*entries, Entry("bad", "negative", "", -2.0))).lexicon())
    ranks = {row["entry"]: (row["given_rank"], row["learned_rank"]) for row in records}
    assert ranks == {order[0]: (1.0, 0.0), order[1]: (0.5, 0.5), order[2]: (0.0, 1.0), "bad": (0.5, 0.5)}
    assert {row["entry"] for row in records[:2]} == {order[0], order[2]}
    assert {row["list"]: row["rank_correlation"] for row in agreement(records)} == {
        "positive": pytest.approx(-1.0),
        "negative": None,
    }


def test_an_entry_seen_just_often_enough_is_compared(model: Model) -> None:
    counts = {row["entry"]: row["count"] for row in model.records()}
    records = compare_weights(model, given(model, 1.0), min_count=max(counts.values()))
    assert {row["entry"] for row in records} == {
        word for word, number in counts.items() if number == max(counts.values())
    }


def test_a_correlation_needs_two_values_on_either_side() -> None:
    def row(given_rank: float, learned_rank: float) -> dict[str, object]:
        return {"list": "a", "given_rank": given_rank, "learned_rank": learned_rank}

    same = agreement([row(0.0, 0.0), row(1.0, 1.0)])
    assert same == [{"list": "a", "entries": 2, "rank_correlation": pytest.approx(1.0)}]
    assert agreement([row(0.5, 0.0), row(0.5, 1.0)])[0]["rank_correlation"] is None
    assert agreement([row(0.0, 0.5), row(1.0, 0.5)])[0]["rank_correlation"] is None


def test_of_two_entries_one_is_first_and_one_is_last(model: Model) -> None:
    entries = (Entry("good", "positive", "", 3.0), Entry("fine", "positive", "", 1.0))
    records = compare_weights(model, Dictionary((*entries, Entry("bad", "negative", "", -2.0))).lexicon())
    ranks = {row["entry"]: row["given_rank"] for row in records}
    assert ranks == {"good": 1.0, "fine": 0.0, "bad": 0.5}
