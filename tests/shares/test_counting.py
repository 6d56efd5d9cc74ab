from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex import Lexicon, Model, count, estimate
from problex.errors import DocumentError, ProblexError
from problex.grouping.date_columns import NO_DATE
from problex.grouping.grouping import NO_GROUP
from problex.shares.counting import (
    ALL_DOCUMENTS,
    OTHER_GROUPS,
    is_time,
    share_grid,
    share_records,
    share_table,
)

CLASSES = ("bad", "good")


def tally(groups: dict[str, tuple[int, int]]) -> Counter[tuple[str, str]]:
    return Counter({(name, label): n for name, some in groups.items() for label, n in zip(CLASSES, some, strict=True)})


def test_one_date_is_no_series() -> None:
    assert not is_time([{"group": "2016-11"}])
    assert not is_time([{"group": "2016-11"}, {"group": NO_GROUP}])
    assert is_time([{"group": "2016"}, {"group": "2017"}])
    assert not is_time([{"group": "2016"}, {"group": "later"}])


def groups_of(rows: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(row["group"] for row in rows))


def test_large_groups_come_first() -> None:
    rows = share_records(tally({"small": (1, 1), "large": (30, 10)}), CLASSES)
    assert groups_of(rows) == ["large", "small"]
    assert [row["label"] for row in rows[:3]] == ["bad", "good", "undecided"]


def test_shares_are_of_all_documents() -> None:
    rows = share_records({("a", "bad"): 1, ("a", "good"): 3, ("a", "undecided"): 4}, CLASSES)
    assert [(row["hits"], row["share"], row["documents"], row["undecided"]) for row in rows] == [
        (1, 0.125, 8, 4),
        (3, 0.375, 8, 4),
        (4, 0.5, 8, 4),
    ]
    assert [row["share_decided"] for row in rows] == [0.25, 0.75, None]
    assert not {"low", "high"} & set(rows[1])  # the error of predicted labels is not known


def test_a_period_without_documents_has_no_shares() -> None:
    rows = share_records({("2004", "good"): 1, ("2005", "undecided"): 0, ("2006", "bad"): 2}, CLASSES)
    gap = [row for row in rows if row["group"] == "2005"]
    assert [(row["documents"], row["share"], row["share_decided"]) for row in gap] == [(0, None, None)] * 3


NAMES = st.sampled_from(["a", "b", "2004", "2005-06", NO_GROUP, NO_DATE])


@given(
    st.dictionaries(st.tuples(NAMES, st.sampled_from([*CLASSES, "undecided"])), st.integers(0, 50), min_size=1),
    st.sampled_from([1, 2, None]),
)
def test_shares_of_a_group_add_up_to_one_and_no_document_is_lost(
    counts: dict[tuple[str, str], int], most: int | None
) -> None:
    rows = share_records(counts, CLASSES, max_groups=most)
    for name in groups_of(rows):
        group = [row for row in rows if row["group"] == name]
        if group[0]["documents"]:
            assert sum(row["share"] for row in group) == pytest.approx(1)
        decided = [row["share_decided"] for row in group[:-1]]
        assert decided == [None, None] or sum(decided) == pytest.approx(1)
    assert sum(row["hits"] for row in rows) == sum(counts.values())
    assert {row["group"]: row["documents"] for row in rows} == {
        row["group"]: sum(other["hits"] for other in rows if other["group"] == row["group"]) for row in rows
    }


def test_small_groups_are_joined() -> None:
    many = tally({f"g{at:03}": (at, 1) for at in range(50)})
    rows = share_records(many, CLASSES, max_groups=10)
    assert len(groups_of(rows)) == 11
    assert groups_of(rows)[-1] == OTHER_GROUPS
    assert sum(row["hits"] for row in rows) == sum(many.values())
    assert len(groups_of(share_records(many, CLASSES, max_groups=None))) == 50


@pytest.mark.parametrize(("groups", "shown"), [(30, 30), (31, 31), (32, 31)])
def test_thirty_groups_are_shown_and_one_alone_is_not_joined(groups: int, shown: int) -> None:
    found = share_records(tally({f"g{at:02}": (2 * at + 1, 0) for at in range(groups)}), CLASSES)
    assert len(groups_of(found)) == shown
    assert found[-1]["group"] == (OTHER_GROUPS if groups == 32 else "g00")
    assert found[-1]["documents"] == (1 + 3 if groups == 32 else 1)


def test_groups_of_the_same_size_are_in_order_of_their_names_and_the_rest_comes_last() -> None:
    found = share_records(tally({"b": (1, 0), "a": (0, 1), NO_GROUP: (9, 9), "c": (1, 1)}), CLASSES)
    assert groups_of(found) == ["c", "a", "b", NO_GROUP]
    many = tally({NO_GROUP: (50, 0)} | {f"g{at}": (1, 0) for at in range(9)})
    assert groups_of(share_records(many, CLASSES, max_groups=2)) == ["g0", OTHER_GROUPS, NO_GROUP]


def test_dates_and_numbers_are_in_order_and_dates_are_not_joined() -> None:
    few = tally({"2016-02": (5, 5), "2015-12": (1, 1), NO_DATE: (1, 0)})
    assert groups_of(share_records(few, CLASSES)) == ["2015-12", "2016-02", NO_DATE]
    many = tally({f"{year}-{month:02}": (1, 2) for year in range(2001, 2006) for month in range(1, 13)})
    assert len(groups_of(share_records(many, CLASSES))) == 60
    stars = tally({"10": (9, 9), "2": (1, 1), "1.5": (3, 3), NO_GROUP: (1, 1)})
    assert groups_of(share_records(stars, CLASSES)) == ["1.5", "2", "10", NO_GROUP]


def test_a_grid_has_a_column_for_each_label() -> None:
    classes = ("documents", "good")
    rows = share_records({("a", "documents"): 1, ("a", "good"): 3}, classes)
    shares = {"label documents": "25.0%", "good": "75.0%", "undecided": "0.0%"}
    assert share_grid(rows) == [{"group": "a", "documents": 4, **shares}]


TEXTS = ["good fine day", "fine good film", "bad poor film", "poor bad day", "good bad", "a day"] * 20
WHEN = ["24/12/2004", "02/01/2005", "31/01/2005"] * 40


@pytest.fixture(scope="module")
def model() -> Model:
    lexicon = Lexicon({"positive": ["good", "fine"], "negative": ["bad", "poor"]})
    return estimate(count(TEXTS, lexicon), lexicon)


def test_a_table_of_shares_from_any_source(model: Model) -> None:
    values = share_table(TEXTS, model, by=WHEN, every="month")
    assert [(row["group"], row["documents"]) for row in values[::3]] == [("2004-12", 40), ("2005-01", 80)]
    frame = pd.DataFrame({"text": TEXTS, "when": WHEN})
    assert share_table(frame, model, by="when", every="month") == values
    assert share_table(pa.table(frame), model, by="when", every="month") == values
    assert share_table(frame, model, by=frame["when"], every="month") == values


def test_a_table_without_groups(model: Model) -> None:
    rows = share_table(TEXTS, model)
    assert [(row["group"], row["label"], row["hits"]) for row in rows] == [
        (ALL_DOCUMENTS, "negative", 40),
        (ALL_DOCUMENTS, "positive", 40),
        (ALL_DOCUMENTS, "undecided", 40),
    ]
    unsure = share_table(TEXTS, model, confidence=1.0)
    assert [row["hits"] for row in unsure] == [0, 0, 120]


def test_what_a_table_refuses(model: Model) -> None:
    with pytest.raises(DocumentError, match=r"by=... has 119 values, expected one for each of the 120 documents"):
        share_table(TEXTS, model, by=WHEN[1:])
    with pytest.raises(DocumentError, match=r"by=... has 121 values"):
        share_table(TEXTS, model, by=[*WHEN, ""])
    with pytest.raises(DocumentError, match="there are no documents to count"):
        share_table([], model)
    with pytest.raises(ProblexError, match="date_order='dmy' was given without by="):
        share_table(TEXTS, model, date_order="dmy")
    with pytest.raises(DocumentError, match="there is no column 'who'"):
        share_table(pd.DataFrame({"text": TEXTS, "when": WHEN}), model, by="who")
