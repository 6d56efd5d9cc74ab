from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from problex.errors import DocumentError
from problex.evaluation.shares import (
    MAX_GROUPS,
    NO_GROUP,
    OTHER_GROUPS,
    Grouping,
    is_time,
    month_of,
    share_records,
    wilson,
)

CLASSES = ("bad", "good")


@given(st.integers(0, 200), st.integers(1, 200))
def test_wilson_solves_its_own_equation(hits: int, total: int) -> None:
    hits = min(hits, total)
    share, z = hits / total, 1.959964
    low, high = wilson(hits, total)
    assert 0 <= low <= share <= high <= 1
    for bound in (low, high):  # the bounds are where the share is z standard errors away
        assert (share - bound) ** 2 == pytest.approx(z**2 * bound * (1 - bound) / total, abs=1e-6)


def test_nothing_seen_tells_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def tally(groups: dict[str, tuple[int, int]]) -> Counter[tuple[str, str]]:
    return Counter({(name, label): n for name, some in groups.items() for label, n in zip(CLASSES, some, strict=True)})


def test_shares_of_a_group_add_up_and_large_groups_come_first() -> None:
    rows = share_records(tally({"small": (1, 1), "large": (30, 10)}), CLASSES)
    assert [row["group"] for row in rows] == ["large", "large", "small", "small"]
    assert rows[0]["share"] + rows[1]["share"] == 1
    assert rows[0]["low"] < rows[0]["share"] < rows[0]["high"]
    assert rows[0]["documents"] == 40


def test_shares_are_of_decided_documents_and_the_others_are_counted() -> None:
    rows = share_records({("a", "bad"): 1, ("a", "good"): 3, ("a", "undecided"): 4}, CLASSES)
    assert [(row["share"], row["documents"], row["undecided"]) for row in rows] == [(0.25, 8, 4), (0.75, 8, 4)]
    assert (rows[1]["low"], rows[1]["high"]) == wilson(3, 4)


def test_small_groups_are_joined_and_nothing_is_lost() -> None:
    many = tally({f"g{at:03}": (at, 1) for at in range(50)})
    rows = share_records(many, CLASSES, max_groups=10)
    assert len(rows) == 2 * 11
    assert rows[-1]["group"] == OTHER_GROUPS
    assert sum(row["hits"] for row in rows) == sum(many.values())


def test_dates_come_in_order_by_month_or_by_year() -> None:
    few = tally({"2016-02": (5, 5), "2015-12": (1, 1), NO_GROUP: (1, 0)})
    rows = share_records(few, CLASSES)
    assert [row["group"] for row in rows][::2] == ["2015-12", "2016-02", NO_GROUP]
    assert is_time(rows)
    many = tally({f"{year}-{month:02}": (1, 2) for year in range(2001, 2006) for month in range(1, 13)})
    rows = share_records(many, CLASSES)
    assert [row["group"] for row in rows][::2] == ["2001", "2002", "2003", "2004", "2005"]
    assert rows[0]["documents"] == 36


def test_dates_are_known_by_their_form() -> None:
    assert month_of("2016-13-01") is None
    seen = Grouping.of("when")
    seen.add(["2016-11-08", "2016/11/09", None, "2016-12-01T10:00"], ["good", "bad", "good", "good"])
    assert seen.tally == Counter(
        {("2016-11", "good"): 1, ("2016-11", "bad"): 1, (NO_GROUP, "good"): 1, ("2016-12", "good"): 1}
    )
    names = Grouping.of("party")
    names.add(["Left ", "", 7], ["good", "bad", "good"])
    assert names.tally == Counter({("Left", "good"): 1, (NO_GROUP, "bad"): 1, ("7", "good"): 1})


def test_a_column_of_identifiers_is_refused() -> None:
    seen = Grouping.of("id")
    with pytest.raises(DocumentError, match=r"column 'id' has more than 10,000 different values, expected groups"):
        seen.add(range(MAX_GROUPS + 1), ["good"] * (MAX_GROUPS + 1))
