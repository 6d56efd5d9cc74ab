"""Documents counted by group and probability: batches add up, groups are those of the shares, labels are found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from problex import Lexicon, Model, count, estimate
from problex.corpus import Batch
from problex.grouping.grouping import Grouping
from problex.scoring.scores import Scores
from problex.shares.counting import ALL_DOCUMENTS, OTHER_GROUPS, Labelled, count_shares, share_records
from problex.shares.grid import GRID, GridCounter, grid_positions

TEXTS = ["good fine day", "fine good film today", "bad poor film", "poor bad day", "good bad", "..."] * 20
PARTIES = ["left", "right", "left", "centre"] * 30


@pytest.fixture(scope="module")
def model() -> Model:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    return estimate(count(TEXTS, lexicon), lexicon)


def scores(values: np.ndarray, lengths: np.ndarray | None = None) -> Scores:
    number = len(values)
    return Scores(
        tuple("abc"[: values.shape[1]]),
        values,
        np.full(number, 9) if lengths is None else lengths,
        np.ones(number, int),
    )


def test_by_hand() -> None:
    """Log-odds 2 and 0 in one group, -2 in the other, and a document without words."""
    counter = GridCounter(2, Grouping("party"), ALL_DOCUMENTS)
    values = np.array([[0.0, 2.0], [0.0, 0.0], [2.0, 0.0], [0.0, 0.0]])
    counter.add(scores(values, np.array([1, 8, 8, 0])), ["x", "x", "y", "y"])
    counts = counter.counts()
    assert sorted(counts.groups) == ["x", "y"]
    x, y = counts.groups.index("x"), counts.groups.index("y")
    assert {GRID[at]: n for at, n in enumerate(counts.documents[1, x]) if n} == {0.0: 1, 2.0: 1}
    assert {GRID[at]: n for at, n in enumerate(counts.documents[0, x]) if n} == {0.0: 1, -2.0: 1}
    assert counts.documents[1, y].sum() == 1
    assert counts.log_lengths[y] == pytest.approx(np.log(8), abs=1 / 16)
    assert counts.log_lengths[x] == pytest.approx(np.log(8) / 2, abs=1 / 16)


@pytest.mark.parametrize("classes", [2, 3])
def test_batches_add_up(classes: int) -> None:
    random = np.random.default_rng(classes)
    values, groups = 3 * random.standard_normal((60, classes)), random.choice(["x", "y", "z"], 60).tolist()
    whole, parts = (GridCounter(classes, Grouping("party"), ALL_DOCUMENTS) for _ in range(2))
    whole.add(scores(values), groups)
    for at in range(0, 60, 20):
        parts.add(scores(values[at : at + 20]), groups[at : at + 20])
    order = sorted(set(groups))
    one, two = (counter.counts().joined({}, order) for counter in (whole, parts))
    assert one.documents.tolist() == two.documents.tolist()
    assert one.documents.sum(axis=(1, 2)).tolist() == [60] * classes
    probabilities = scores(values).probabilities
    for at in range(classes):
        for place, name in enumerate(order):
            own = np.array(groups) == name
            assert Counter(grid_positions(probabilities[own, at]).tolist()) == {
                key: number for key, number in enumerate(one.documents[at, place].tolist()) if number
            }


def test_groups_are_those_of_the_shares(model: Model) -> None:
    for by, every in ((PARTIES, None), (["24/12/2004", "02/01/2005", "31/03/2005"] * 40, "month")):
        counter = count_shares(TEXTS, model, by=by, every=every)
        records = share_records(counter.tally(), model.classes, max_groups=None)
        counts = counter.grid_counts()
        assert list(counts.groups) == list(dict.fromkeys(row["group"] for row in records))
        words = [text != "..." for text in TEXTS]
        assert counts.documents[1].sum() == sum(words)
    many = count_shares(TEXTS, model, by=[f"g{at % 7}" for at in range(120)])
    joined = many.grid_counts(3)
    assert len(joined.groups) == 4
    assert joined.groups[-1] == OTHER_GROUPS
    assert joined.documents.sum() == many.grid_counts().documents.sum()


def test_labelled_documents_are_found_in_their_group(model: Model) -> None:
    rows = [3, 50, 7]

    def find(batch: Batch) -> np.ndarray:
        numbers = np.full(len(batch.texts), -1, dtype=np.int64)
        for number, row in enumerate(rows):
            if batch.first_row <= row < batch.first_row + len(batch.texts):
                numbers[row - batch.first_row] = number
        return numbers

    counter = count_shares(TEXTS, model, by=PARTIES, labelled=Labelled(3, find))
    counts = counter.grid_counts()
    assert [counts.groups[at] for at in counts.labelled_groups] == [PARTIES[row] for row in rows]
    again = counter.grid_counts(1)
    assert [again.groups[at] for at in again.labelled_groups] == [
        OTHER_GROUPS if PARTIES[row] != "left" else "left" for row in rows
    ]
    for at, row in enumerate(rows):
        place = counts.labelled_positions[1, at]
        assert counts.documents[1, counts.labelled_groups[at], place] > 0
        assert place + counts.labelled_positions[0, at] == len(GRID) - 1
        assert (GRID[place] > 0) == ("good" in TEXTS[row])
    whole = count_shares(TEXTS, model, labelled=Labelled(3, find)).grid_counts()
    assert whole.groups == (ALL_DOCUMENTS,)
    assert whole.labelled_groups.tolist() == [0, 0, 0]


def test_many_times_of_few_days_are_counted_by_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of values beyond the number of groups that are allowed, only the meaning as a date is kept."""
    random = np.random.default_rng(0)
    times = [f"2004-12-{1 + at % 9:02} {at % 24:02}:{at % 60:02}" for at in range(200)]
    values = random.standard_normal((200, 2))
    found = []
    for most in (10_000, 50):
        monkeypatch.setattr("problex.shares.grid.MAX_GROUPS", most)
        counter = GridCounter(2, Grouping("when"), ALL_DOCUMENTS, compared=True)
        for at in range(0, 200, 40):
            counter.add(scores(values[at : at + 40]), times[at : at + 40])
        counts = counter.counts()
        found.append(counts.joined({}, sorted(counts.groups)))
        assert len(counter.rows) == (min(200, len(set(times))) if most > 50 else 40 + 9)
    assert found[0].groups == found[1].groups == tuple(f"2004-12-{day:02}" for day in range(1, 10))
    assert found[0].documents.tolist() == found[1].documents.tolist()
    sums = [one.clusters.table.toarray().tolist() for one in found if one.clusters is not None]
    assert sums[0] == sums[1]


@pytest.mark.parametrize("classes", [2, 3])
def test_sums_of_clusters_add_up_exactly_in_any_batches(classes: int) -> None:
    random = np.random.default_rng(classes)
    values, groups = 3 * random.standard_normal((60, classes)), random.choice(["x", "y"], 60).tolist()
    keys = random.integers(1 << 63, size=20).astype(np.uint64)[random.integers(20, size=60)]
    tables = []
    for size in (60, 7):
        counter = GridCounter(classes, Grouping("party"), ALL_DOCUMENTS, compared=True)
        for at in range(0, 60, size):
            part = slice(at, at + size)
            counter.add(replace(scores(values[part]), keys=keys[part]), groups[part])
        clusters = counter.counts().joined({}, ["x", "y"]).clusters
        assert clusters is not None
        tables.append(clusters)
    assert tables[0].table.toarray().tolist() == tables[1].table.toarray().tolist()
    assert tables[0].documents.sum(axis=1).tolist() == [groups.count("x"), groups.count("y")]
    assert np.count_nonzero(tables[0].documents.sum(axis=0)) <= 20
    probabilities = scores(values).probabilities[:, -1]
    expected = [probabilities[np.array(groups) == name].sum() for name in "xy"]
    assert tables[0].probabilities(classes - 1 if classes > 2 else 0).sum(axis=1) == pytest.approx(expected, abs=1e-4)
