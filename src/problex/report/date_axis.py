"""Which dates are written at the axis of a chart over time."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from problex.grouping.dates import PERIODS, period_of, read_dates

MAX_DATES = 9
"""Dates at the axis of a chart."""
GAP = "…"
"""What is written at the axis in place of periods that are left out."""
STEPS = {"day": (1, 2, 5, 7, 14), "week": (1, 2, 4, 13), "month": (1, 2, 3, 6, 12), "quarter": (1, 2, 4, 8)}
"""How many periods may lie between two dates at the axis."""
YEAR_STEPS = (1, 2, 5, 10, 20, 25, 50, 100)


def with_gaps(names: list[str]) -> list[str]:
    """The periods with a gap wherever some between two of them are left out.

    >>> with_gaps(["1970", "2006", "2007", "2010"])
    ['1970', '…', '2006', '2007', '… ', '2010']
    """
    shown = names[:1]
    if len(names) > 1:
        days = read_dates(pa.array(names)).days.max(axis=1)
        for name, step in zip(names[1:], np.diff(PERIODS[period_of(names[0])].number(days)).tolist(), strict=True):
            if step > 1:  # spaces at the end keep the gaps apart
                shown.append(GAP.ljust(1 + sum(one.startswith(GAP) for one in shown)))
            shown.append(name)
    return shown


def dates_at_axis(names: list[str]) -> list[str]:
    """Every second, third or so of the periods, so that there is room for their names.

    >>> dates_at_axis([f"20{year:02}-{month:02}" for year in (4, 5) for month in range(1, 13)])
    ['2004-01', '2004-04', '2004-07', '2004-10', '2005-01', '2005-04', '2005-07', '2005-10']
    """
    every = period_of(names[0]) if names else "year"
    steps = STEPS.get(every, YEAR_STEPS)
    step = next((step for step in steps if len(names) <= step * MAX_DATES), -(-len(names) // MAX_DATES))
    in_a_year = {"month": 12, "quarter": 4, "year": 1}.get(every) if step in steps else None
    shown, start = [], 0
    for end in [*(at for at, name in enumerate(names) if name.startswith(GAP)), len(names)]:
        run = names[start:end]
        shown += _first_and_every(run, step, in_a_year) + names[end : end + 1]
        start = end + 1
    return shown


def _first_and_every(names: list[str], step: int, in_a_year: int | None) -> list[str]:
    """Of periods without a gap every so many: in calendars those at a round place in the year, or the first one."""
    if in_a_year is None or not names:
        return names[::step]
    part = 0 if in_a_year == 1 else int(names[0][-2:].strip("Q")) - 1
    return names[-(int(names[0][:4]) * in_a_year + part) % step :: step] or names[:1]
