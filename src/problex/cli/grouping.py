"""Options of commands that count by groups or dates; the other commands need not import what they name."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

from problex.cli.options import Needs, choice, option
from problex.grouping.dates import ORDERS
from problex.grouping.grouping import EVERY, Grouping, make_grouping


@dataclass(frozen=True)
class GroupBy:
    """The column of groups or dates, the period that dates are counted by, and how dates are read."""

    by: Annotated[
        str | None, option("--by", "COLUMN", "Show the shares of the labels by the groups or dates in this column.")
    ] = None
    every: Annotated[
        str | None,
        choice(
            "--every", EVERY, "Count dates by {choices} (each value as it is written).", default="chosen by the dates"
        ),
    ] = None
    date_order: Annotated[
        str | None,
        choice(
            "--date-order",
            ORDERS,
            "The order of day, month and year in dates: {choices}.",
            default="decided by the dates",
        ),
    ] = None

    def grouping(self) -> Grouping | None:
        """The grouping, if there is a column; raise if an option has no effect.

        >>> GroupBy().grouping() is None, GroupBy("date", "month").grouping().every
        (True, 'month')
        >>> GroupBy(every="month").grouping()
        Traceback (most recent call last):
        problex.errors.ProblexError: every='month' was given without by=..., expected a column of dates to count by
        """
        return make_grouping(self.by, self.every, self.date_order)

    def options(self) -> dict[str, str | None]:
        """The options by the names that functions of the library have for them."""
        return asdict(self)


@dataclass(frozen=True)
class PageGroups(GroupBy):
    """Groups or dates that are compared on a page."""

    by: Annotated[
        str | None,
        option("--by", "COLUMN", "On the page, compare the groups or dates in this column."),
        Needs("--report", "groups are shown in the report, so give --report FILE, too"),
    ] = None


@dataclass(frozen=True)
class SampleGroups(GroupBy):
    """Groups or dates from which a sample is drawn."""

    by: Annotated[
        str | None,
        option("--by", "COLUMN", "Draw equally many documents of each group or date in this column."),
    ] = None
