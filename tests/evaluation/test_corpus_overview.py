from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, count, estimate, score
from problex.corpus import batches
from problex.errors import DocumentError
from problex.estimation.model import Model
from problex.evaluation.corpus_overview import BARS, LEAST_CERTAIN, Overview, histogram, overview
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
    assert sorted(set(found.lengths.tolist())) == sorted(set(scores.lengths.tolist()))


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
