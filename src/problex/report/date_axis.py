"""Which dates are written at the axis of a chart over time."""

from __future__ import annotations

from problex.evaluation.date_bins import period_of

MAX_DATES = 9
"""Dates at the axis of a chart."""
STEPS = {"day": (1, 2, 5, 7, 14), "week": (1, 2, 4, 13), "month": (1, 2, 3, 6, 12), "quarter": (1, 2, 4, 8)}
"""How many periods may lie between two dates at the axis."""
YEAR_STEPS = (1, 2, 5, 10, 20, 25, 50, 100)


def dates_at_axis(names: list[str]) -> list[str]:
    """Every second, third or so of the periods, so that there is room for their names.

    >>> dates_at_axis([f"20{year:02}-{month:02}" for year in (4, 5) for month in range(1, 13)])
    ['2004-01', '2004-04', '2004-07', '2004-10', '2005-01', '2005-04', '2005-07', '2005-10']
    """
    every = period_of(names[0]) if names else "year"
    steps = STEPS.get(every, YEAR_STEPS)
    step = next((step for step in steps if len(names) <= step * MAX_DATES), -(-len(names) // MAX_DATES))
    if not names or every in ("day", "week") or step not in steps:
        return names[::step]
    in_a_year = {"month": 12, "quarter": 4, "year": 1}[every]
    first = int(names[0][:4]) * in_a_year + (int(names[0][-2:].strip("Q")) - 1 if every != "year" else 0)
    return names[-first % step :: step]
