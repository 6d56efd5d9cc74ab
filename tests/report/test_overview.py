from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, count, estimate, score
from problex.corpus import Batch, batches
from problex.errors import DocumentError
from problex.model.model import Model
from problex.report.overview import BARS, LEAST_CERTAIN, Overview, histogram, overview
from problex.scoring import Scores
from problex.scoring.scorer import score_batches


@pytest.fixture
def model(lexicon: Lexicon, texts: list[str]) -> Model:
    return estimate(count(texts, lexicon), lexicon)


def look(model: Model, documents: object, *, small: bool = False, by: str | None = None, **options: int) -> Overview:
    keep = (by,) if by else ()
    stream = batches(documents, keep=keep, batch_bytes=40 if small else 8 << 20)
    return overview(score_batches(stream, model), model, by=by, **options)  # type: ignore[arg-type]


def test_figures_are_those_of_the_scores(model: Model, texts: list[str]) -> None:
    found, scores = look(model, [*texts, ""]), score([*texts, ""], model)
    assert found.documents == 41
    assert found.empty == 1
    assert found.tokens == scores.lengths.sum()
    assert found.matches == scores.matches.sum()
    assert found.undecided == scores.undecided.sum()
    assert {row["label"]: row["hits"] for row in found.labels}["positive"] == (scores.labels() == "positive").sum()
    assert sum(bar["documents"] for bar in found.scores) == 41
    assert found.lengths == Counter(scores.lengths.tolist())


def test_batches_do_not_matter(model: Model, texts: list[str]) -> None:
    frame = pd.DataFrame({"text": texts, "group": ["a", "b"] * 20})
    whole, cut = (look(model, frame, small=small, by="group") for small in (False, True))
    assert whole.groups == cut.groups
    assert whole.scores == cut.scores
    assert [(one.kind, one.row) for one in whole.examples] == [(one.kind, one.row) for one in cut.examples]


def test_examples_are_the_most_and_the_least_certain_and_no_text_twice(model: Model, texts: list[str]) -> None:
    found = look(model, texts, certain=2, uncertain=1)
    kinds = Counter(example.kind for example in found.examples)
    assert kinds == {"negative": 2, "positive": 2, LEAST_CERTAIN: 1}
    scores = score(texts, model).decision
    positive = [example for example in found.examples if example.kind == "positive"]
    assert positive[0].margin == pytest.approx(scores.max())
    assert positive[0].why.label == "positive"
    assert len({example.why.text for example in found.examples if example.kind == "positive"}) == 2
    uncertain = next(example for example in found.examples if example.kind == LEAST_CERTAIN)
    assert texts[uncertain.row] == uncertain.why.text == "good but bad"


def test_no_documents_is_an_error(model: Model) -> None:
    with pytest.raises(DocumentError, match="there are no documents to report on, expected at least one text"):
        look(model, [])


@given(st.dictionaries(st.tuples(st.integers(-3000, 3000), st.sampled_from("ab")), st.integers(1, 50), min_size=1))
def test_bars_keep_every_document_and_never_join_the_two_sides_of_zero(steps: dict[tuple[int, str], int]) -> None:
    found = histogram(steps)
    assert sum(bar["documents"] for bar in found) == sum(steps.values())
    assert len({bar["low"] for bar in found}) <= BARS + 1
    assert all(bar["high"] <= 0 or bar["low"] >= 0 for bar in found)


@pytest.mark.parametrize(("steps", "low", "high"), [(44, 0.43, 0.44), (45, 0.44, 0.46)])
def test_more_than_44_steps_are_joined_to_bars_of_two(steps: int, low: float, high: float) -> None:
    last = histogram({(at, "a"): 1 for at in range(steps)})[-1]
    assert (last["low"], last["high"], last["label"], last["documents"]) == (low, high, "a", 1)
    shifted = histogram({(at - 22, "a"): 1 for at in range(44)})
    assert len(shifted) == 44
    assert (shifted[0]["low"], shifted[0]["high"]) == (-0.22, -0.21)


def test_the_outermost_documents_are_in_the_end_bars() -> None:
    """Of 1,000 documents, 4 on the left are fewer than .5 %, 5 are not; on the right 5 are at most .5 %, 6 are more."""

    def ends(left: int, right: int) -> tuple[float, float]:
        middle = (1000 - left - right) // 2
        steps = {(-30, "a"): left, (0, "a"): middle, (1, "a"): 1000 - left - right - middle, (12, "a"): right}
        found = histogram(steps)
        assert sum(bar["documents"] for bar in found) == 1000
        return found[0]["low"], found[-1]["low"]

    assert ends(4, 5) == (0.0, 0.01)
    assert ends(5, 6) == (-0.3, 0.12)


def made(model: Model, decisions: list[float], lengths: list[int], matches: list[int]) -> Scores:
    values = np.stack([np.zeros(len(decisions)), decisions], axis=1)
    return Scores(model.classes, values, np.array(lengths), np.array(matches))


def test_totals_groups_and_scores_by_hand(model: Model) -> None:
    texts = pa.array(["good", "bad day", "", "good good bad"])
    columns = pa.table({"party": ["left", "right", None, "left"]})
    first = Batch(texts, 0, 1, 2, columns)
    second = Batch(pa.array(["fine"]), 4, 3, 4, pa.table({"party": ["left"]}))
    scored = [
        (first, made(model, [0.29, -0.5, 0.0, 5000.0], [1, 2, 0, 3], [1, 1, 0, 3])),
        (second, made(model, [0.295], [1], [1])),
    ]
    found = overview(scored, model, by="party")
    totals = (found.documents, found.tokens, found.matches, found.empty, found.unmatched, found.undecided)
    assert totals == (5, 7, 6, 1, 1, 1)
    assert (found.missing, found.invalid) == (4, 6)
    assert {(row["group"], row["label"]): row["hits"] for row in found.groups} == {
        ("left", "negative"): 0,
        ("left", "positive"): 3,
        ("left", "undecided"): 0,
        ("right", "negative"): 1,
        ("right", "positive"): 0,
        ("right", "undecided"): 0,
        ("(none)", "negative"): 0,
        ("(none)", "positive"): 0,
        ("(none)", "undecided"): 1,
    }
    assert [row["hits"] for row in found.labels] == [1, 3, 1]
    step = found.scores[-1]["high"] - found.scores[-1]["low"]
    assert found.scores[-1]["low"] <= 1000 < found.scores[-1]["high"] + step  # scores beyond 1000 count as 1000
    assert overview(scored, model).groups == []


def test_a_score_at_the_border_of_a_step_is_above_it(model: Model) -> None:
    """.29 / .01 is 28.999999999999996 in binary."""
    batch = Batch(pa.array(["good"] * 4), 0)
    found = overview([(batch, made(model, [0.29, 0.285, 0.3, -0.005], [1] * 4, [1] * 4))], model)
    assert [(bar["low"], bar["documents"]) for bar in found.scores] == [(-0.01, 1), (0.28, 1), (0.29, 1), (0.3, 1)]


def test_of_three_classes_the_largest_probability_is_shown() -> None:
    lexicon = Lexicon({"a": ["one"], "b": ["two"], "c": ["three"]})
    model = estimate(count(["one x", "two x", "three x", "one two"] * 9, lexicon), lexicon)
    scores = Scores(("a", "b", "c"), np.log([[0.7, 0.2, 0.1], [0.3, 0.2, 0.5]]), np.array([1, 1]), np.array([1, 1]))
    found = overview([(Batch(pa.array(["one", "two"]), 0), scores)], model)
    assert [(bar["low"], bar["label"]) for bar in found.scores] == [(0.5, "c"), (0.7, "a")]


def test_examples_by_hand(model: Model) -> None:
    """The largest margins of each label, then the smallest with two matches; of equal margins the first row."""
    texts = ["z good", "y good", "good fine", "good bad", "fine bad good", "bad poor", "poor", "good but bad", "fine"]
    decisions = [2.0, 2.0, 3.0, 0.1, 0.2, -4.0, -1.0, 0.05, 0.01]
    matches = [1, 1, 2, 2, 3, 2, 1, 2, 1]
    scores = made(model, decisions, [3] * 9, matches)
    found = overview([(Batch(pa.array(texts), 10), scores)], model, certain=2, uncertain=2)
    assert [(one.kind, one.row, one.margin) for one in found.examples] == [
        ("negative", 15, 4.0),
        ("negative", 16, 1.0),
        ("positive", 12, 3.0),
        ("positive", 10, 2.0),
        (LEAST_CERTAIN, 17, 0.05),
        (LEAST_CERTAIN, 13, 0.1),
    ]
    usual = overview(
        [(Batch(pa.array([f"good {at}" for at in range(9)]), 0), made(model, [*range(1, 10)], [3] * 9, [2] * 9))], model
    )
    assert Counter(one.kind for one in usual.examples) == {"positive": 3, LEAST_CERTAIN: 4}
    assert [one.margin for one in usual.examples] == [9, 8, 7, 1, 2, 3, 4]


def test_documents_of_each_length_are_counted(model: Model) -> None:
    """Documents without a token, too."""
    scores = made(model, [1.0] * 5, [7, 2, 0, 7, 2], [1] * 5)
    found = overview([(Batch(pa.array(["good"] * 5), 0), scores)], model)
    assert list(found.lengths.items()) == [(0, 1), (2, 2), (7, 2)]


def test_markup_is_removed_from_examples(model: Model) -> None:
    batch = Batch(pa.array(["<b>good</b> day"]), 0)
    scores = made(model, [1.0], [2], [1])
    assert overview([(batch, scores)], model).examples[0].why.text == "<b>good</b> day"
    assert "<b>" not in overview([(batch, scores)], model, markup=True).examples[0].why.text
