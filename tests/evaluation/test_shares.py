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
    assert [row["group"] for row in rows] == ["large"] * 3 + ["small"] * 3
    assert sum(row["share"] for row in rows[:3]) == 1
    assert rows[0]["low"] < rows[0]["share"] < rows[0]["high"]
    assert rows[0]["documents"] == 40


def test_shares_are_of_all_documents_and_undecided_is_one_of_them() -> None:
    rows = share_records({("a", "bad"): 1, ("a", "good"): 3, ("a", "undecided"): 4}, CLASSES)
    assert [(row["label"], row["share"], row["hits"]) for row in rows] == [
        ("bad", 1 / 8, 1),
        ("good", 3 / 8, 3),
        ("undecided", 1 / 2, 4),
    ]
    assert {(row["documents"], row["undecided"]) for row in rows} == {(8, 4)}
    assert (rows[1]["low"], rows[1]["high"]) == wilson(3, 8)


def test_small_groups_are_joined_and_nothing_is_lost() -> None:
    many = tally({f"g{at:03}": (at, 1) for at in range(50)})
    rows = share_records(many, CLASSES, max_groups=10)
    assert len(rows) == 3 * 11
    assert rows[-1]["group"] == OTHER_GROUPS
    assert sum(row["hits"] for row in rows) == sum(many.values())


def test_dates_come_in_order_by_month_or_by_year() -> None:
    few = tally({"2016-02": (5, 5), "2015-12": (1, 1), NO_GROUP: (1, 0)})
    rows = share_records(few, CLASSES)
    assert [row["group"] for row in rows][::3] == ["2015-12", "2016-02", NO_GROUP]
    assert is_time(rows)
    many = tally({f"{year}-{month:02}": (1, 2) for year in range(2001, 2006) for month in range(1, 13)})
    rows = share_records(many, CLASSES)
    assert [row["group"] for row in rows][::3] == ["2001", "2002", "2003", "2004", "2005"]
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


def test_wilson_by_hand() -> None:
    """Nine of ten: (.9 + z^2 / 20 +- z sqrt(.09 / 10 + z^2 / 400)) / (1 + z^2 / 10)."""
    z = 1.959964
    centre, spread = 0.9 + z**2 / 20, z * (0.09 / 10 + z**2 / 400) ** 0.5
    expected = ((centre - spread) / (1 + z**2 / 10), (centre + spread) / (1 + z**2 / 10))
    assert wilson(9, 10) == pytest.approx(expected, abs=1e-6)
    assert wilson(0, 10) == pytest.approx((0.0, z**2 / (10 + z**2)), abs=1e-6)


@pytest.mark.parametrize(("dates", "other", "by_date"), [(9, 1, True), (8, 2, False), (10, 0, True)])
def test_a_column_of_dates_may_have_one_other_value_in_ten(dates: int, other: int, by_date: bool) -> None:
    grouping = Grouping.of("when")
    grouping.add(["2016-11-08"] * dates + ["unknown"] * other, ["good"] * 10)
    assert grouping.dates is by_date
    names = {group for group, _ in grouping.tally}
    assert names == ({"2016-11"} | ({NO_GROUP} if other else set()) if by_date else {"2016-11-08", "unknown"})
    grouping.add(["2016-12-01"], ["good"])  # the first values decide
    assert ("2016-12" if by_date else "2016-12-01", "good") in grouping.tally


def test_empty_values_do_not_decide_whether_a_column_has_dates() -> None:
    grouping = Grouping.of("when")
    grouping.add([None, ""], ["good", "good"])
    assert grouping.dates is None
    grouping.add(["", "2016-11-08"], ["good", "bad"])
    assert grouping.dates is True
    assert grouping.tally == Counter({(NO_GROUP, "good"): 3, ("2016-11", "bad"): 1})


@pytest.mark.parametrize(("months", "first"), [(36, "2001-01"), (37, "2001")])
def test_more_than_36_months_are_joined_to_years(months: int, first: str) -> None:
    names = [f"{2001 + at // 12}-{at % 12 + 1:02}" for at in range(months)]
    rows = share_records(tally(dict.fromkeys(names, (1, 1))), CLASSES)
    assert rows[0]["group"] == first
    assert len(rows) == 3 * (36 if months == 36 else 4)


@pytest.mark.parametrize(("groups", "rows"), [(30, 30), (31, 31), (32, 31)])
def test_thirty_groups_are_shown_and_one_alone_is_not_joined(groups: int, rows: int) -> None:
    found = share_records(tally({f"g{at:02}": (2 * at + 1, 0) for at in range(groups)}), CLASSES)
    assert len(found) == 3 * rows
    last = found[-1]
    assert last["group"] == (OTHER_GROUPS if groups == 32 else "g00")
    assert last["documents"] == (1 + 3 if groups == 32 else 1)


def test_groups_of_the_same_size_are_in_order_of_their_names_and_the_rest_comes_last() -> None:
    found = share_records(tally({"b": (1, 0), "a": (0, 1), NO_GROUP: (9, 9), "c": (1, 1)}), CLASSES)
    assert [row["group"] for row in found][::3] == ["c", "a", "b", NO_GROUP]
    many = tally({NO_GROUP: (50, 0)} | {f"g{at}": (1, 0) for at in range(9)})
    assert [row["group"] for row in share_records(many, CLASSES, max_groups=2)][::3] == ["g0", OTHER_GROUPS, NO_GROUP]


def test_one_date_is_no_series() -> None:
    assert not is_time([{"group": "2016-11"}])
    assert not is_time([{"group": "2016-11"}, {"group": NO_GROUP}])
    assert is_time([{"group": "2016"}, {"group": "2017"}])
    assert not is_time([{"group": "2016"}, {"group": "later"}])


def test_as_many_groups_as_are_allowed() -> None:
    grouping = Grouping.of("id")
    grouping.add(range(MAX_GROUPS), ["good"] * MAX_GROUPS)
    grouping.add(range(MAX_GROUPS), ["bad"] * MAX_GROUPS)
    assert len(grouping.tally) == 2 * MAX_GROUPS == 20_000
    with pytest.raises(DocumentError, match="more than 10,000 different values"):
        grouping.add([-1], ["good"])


def test_values_may_come_from_an_iterator() -> None:
    grouping = Grouping.of("party")
    grouping.add(iter(["left", "right"]), iter(["good", "bad"]))
    assert grouping.tally == Counter({("left", "good"): 1, ("right", "bad"): 1})
