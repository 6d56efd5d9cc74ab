"""Options of commands that count by groups or dates; the other commands need not import what they name."""

from __future__ import annotations

from typing import Annotated

import typer

from problex.cli.options import choice
from problex.grouping.dates import ORDERS
from problex.grouping.grouping import EVERY

By = Annotated[
    str | None,
    typer.Option("--by", metavar="COLUMN", help="Show the shares of the labels by the groups or dates in this column."),
]
Every = Annotated[
    str | None,
    choice(
        "--every",
        among=EVERY,
        help="Count dates by {choices} (each value as it is written).",
        default="chosen by the dates",
    ),
]
DateOrder = Annotated[
    str | None,
    choice(
        "--date-order",
        among=ORDERS,
        help="The order of day, month and year in dates: {choices}.",
        default="decided by the dates",
    ),
]
