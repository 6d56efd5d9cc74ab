"""Samples drawn by group and score."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, Model, count, estimate
from problex.audit import Groups, draw, draw_sheet, score_sheets
from problex.audit.design import read_design
from problex.audit.sample import AuditSample, LabelledSample, Stratum
from problex.corpus import batches
from problex.errors import ProblexError
from problex.scoring.scores import Scores
from problex.shares.estimates import SheetLabels


def scores_of(documents: int, seed: int = 0, classes: int = 2, empty: float = 0.0) -> Scores:
    random = np.random.default_rng(seed)
    lengths = np.where(random.random(documents) < empty, 0, 20)
    return Scores(tuple("abcd"[:classes]), random.normal(size=(documents, classes)), lengths, np.minimum(lengths, 1))


def groups_like(sizes: dict[str, int], seed: int = 0) -> Groups:
    names = np.array([name for name, number in sizes.items() for _ in range(number)], dtype=object)
    return Groups("party", np.random.default_rng(seed).permutation(names))


def test_every_group_gets_the_same_number() -> None:
    sample = draw(scores_of(1000), 60, groups=groups_like({"left": 700, "right": 250, "new": 50}))
    assert pd.Series(sample.groups).value_counts().to_dict() == {"left": 20, "right": 20, "new": 20}
    assert sample.by == "party"
    assert sample.group_sizes == {"left": 700, "new": 50, "right": 250}
    expected = {"left": 20 / 700, "right": 20 / 250, "new": 20 / 50}
    assert sample.probabilities().tolist() == [expected[name] for name in sample.groups]


def test_a_small_group_is_drawn_whole_and_the_others_get_the_rest() -> None:
    sample = draw(scores_of(504), 44, groups=groups_like({"a": 300, "b": 200, "c": 4}))
    assert pd.Series(sample.groups).value_counts().to_dict() == {"a": 20, "b": 20, "c": 4}
    assert set(sample.probabilities()[sample.groups == "c"]) == {1.0}


def test_the_labels_of_a_group_are_spread_over_its_scores() -> None:
    """Of 200 documents in order of score, every tenth is drawn: one of each ten, whatever the start."""
    decision = np.linspace(0.1, 4, 200)
    scores = Scores(("a", "b"), np.stack([0 * decision, decision], axis=1), np.full(200, 9), np.ones(200, np.int64))
    for seed in range(5):
        sample = draw(scores, 20, seed=seed, groups=Groups("g", np.full(200, "x", dtype=object)))
        assert sorted(sample.rows // 10) == list(range(20))


def test_every_document_of_a_group_is_drawn_equally_often_also_with_more() -> None:
    scores, groups = scores_of(90, seed=4), groups_like({"a": 60, "b": 30})
    times, runs = np.zeros(90), 600
    for seed in range(runs):
        first = draw(scores, 10, seed=seed, groups=groups)
        both = first + draw(scores, 6, seed=seed, groups=groups, earlier=first)
        times[both.rows] += 1
    for name, number in (("a", 60), ("b", 30)):
        own, expected = times[groups.names == name], runs * 8 / number
        assert np.isclose(own.mean(), expected)
        assert np.all(np.abs(own - expected) < 5 * np.sqrt(expected))


@given(st.integers(2, 200), st.integers(1, 6), st.integers(1, 60), st.integers(2, 4), st.integers(0, 20))
def test_a_sample_by_groups_is_what_it_says(documents: int, groups: int, size: int, classes: int, seed: int) -> None:
    scores = scores_of(documents, seed, classes, empty=0.1)
    names = np.random.default_rng(seed).choice(list("uvwxyz")[:groups], documents).astype(object)
    some = scores.lengths > 0
    kinds = len(set(names[some]))
    if not kinds <= size <= some.sum():
        with pytest.raises(ProblexError, match="was requested"):
            draw(scores, size, seed=seed, groups=Groups("g", names))
        return
    sample = draw(scores, size, seed=seed, groups=Groups("g", names))
    assert len(set(sample.rows.tolist())) == size
    assert sample.groups.tolist() == names[sample.rows].tolist()
    assert [sample.strata[at].label for at in sample.stratum] == scores.labels()[sample.rows].tolist()
    assert np.isclose(np.sum(1 / sample.probabilities()), some.sum())


def test_labels_that_are_missing_lower_the_probability() -> None:
    """Ten of fifty documents of a group are drawn and five have a label: one label for ten documents."""
    strata = (Stratum("a", 0.0, 50, "x"), Stratum("b", 0.0, 30, "y"))
    stratum = np.array([0] * 10 + [1] * 3)
    sample = AuditSample(("a", "b"), strata, np.arange(13), stratum, np.zeros((13, 2)), "g")
    codes = np.array([0, 1, 0, 1, 0] + [-1] * 5 + [1, 1, 0])
    labelled = LabelledSample.of(sample, codes)
    assert labelled.probabilities.tolist() == [0.1] * 5 + [0.1] * 3
    assert labelled.rows.tolist() == [0, 1, 2, 3, 4, 10, 11, 12]
    assert labelled.groups.tolist() == ["x"] * 5 + ["y"] * 3
    assert (labelled.documents, labelled.unreached) == (80, 0)
    assert np.allclose(labelled.weights, 1 / 8)
    only = LabelledSample.of(sample, np.array([0] * 10 + [-1] * 3))
    assert (only.group_sizes, only.unreached) == ({"x": 50, "y": 30}, 30)


def test_without_groups_the_probability_is_that_of_the_stratum() -> None:
    strata = (Stratum("a", 0.0, 40), Stratum("b", 0.0, 6))
    sample = AuditSample(("a", "b"), strata, np.arange(5), np.array([0, 0, 1, 1, 1]), np.zeros((5, 2)))
    labelled = LabelledSample.of(sample, np.array([0, 1, 1, -1, 0]))
    assert labelled.probabilities.tolist() == [2 / 40, 2 / 40, 2 / 6, 2 / 6]
    assert set(labelled.groups) == {""}
    assert LabelledSample.of(sample, np.array([0, 1, -1, -1, -1])).unreached == 6


def test_errors_of_groups() -> None:
    scores, groups = scores_of(30), groups_like({"a": 10, "b": 10, "c": 10})
    with pytest.raises(ProblexError) as few:
        draw(scores, 2, groups=groups)
    assert str(few.value) == (
        "a sample of 2 was requested for 3 groups in the column 'party', expected at least one label for each, better "
        "ten: request more, or choose a column with fewer groups"
    )
    grouped, plain = draw(scores, 6, groups=groups), draw(scores, 6)
    with pytest.raises(ProblexError, match=r"was drawn by the column 'party', but now no column was given: draw more"):
        draw(scores, 3, earlier=grouped)
    with pytest.raises(ProblexError, match=r"was drawn without groups, but now by='party' was given"):
        draw(scores, 3, earlier=plain, groups=groups)
    with pytest.raises(ProblexError, match="31 groups were given for 30 documents, expected one for each"):
        draw(scores, 3, groups=Groups("g", np.full(31, "x", dtype=object)))
    with pytest.raises(ProblexError, match=r"do not fall into the strata|in the group 'z', which the earlier sample"):
        draw(scores, 3, earlier=grouped, groups=Groups("party", np.full(30, "z", dtype=object)))


LEXICON = Lexicon({"negative": ["bad", "poor"], "positive": ["good", "fine"]})
FRAME = pd.DataFrame(
    {
        "text": ["good fine film", "bad poor film", "good poor day", "fine day"] * 30,
        "when": ["2024-01-05", "2024-02-07", "2024-02-09", None] * 30,
    }
)


@pytest.fixture
def model() -> Model:
    return estimate(count(FRAME["text"], LEXICON), LEXICON)


def draw_file(model: Model, path: Path, **options: object) -> None:
    draw_sheet(model, lambda: batches(FRAME, text="text", keep=("when",), batch_bytes=300), path, 18, **options)  # type: ignore[arg-type]


def test_groups_are_kept_in_the_design_and_not_shown_in_the_sheet(model: Model, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    with pytest.warns(match="documents without a date: 30 of 120"):
        draw_file(model, path, by="when", every="month")
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    assert list(table.columns) == ["row", "label", "text"]
    sample = read_design(path).sample
    assert sample.group_sizes == {"(no date)": 30, "2024-01": 30, "2024-02": 60}
    expected = {0: "2024-01", 1: "2024-02", 2: "2024-02", 3: "(no date)"}
    assert sample.groups.tolist() == [expected[row % 4] for row in sample.rows.tolist()]
    table.assign(label=["positive", "negative"] * 9).to_csv(path, index=False)
    labelled = SheetLabels.read([path], None).sample
    assert pd.Series(labelled.groups).value_counts().to_dict() == {"(no date)": 6, "2024-01": 6, "2024-02": 6}
    assert set(labelled.probabilities.round(9)) == {0.2, 0.1}
    assert labelled.by == "when"
    assert score_sheets([path])[0].documents == 120


def test_a_way_to_read_dates_needs_a_column(model: Model, tmp_path: Path) -> None:
    with pytest.raises(ProblexError, match=r"every='month' was given without by=\.\.\."):
        draw_file(model, tmp_path / "s.csv", every="month")
