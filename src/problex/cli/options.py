"""Options and arguments that several commands have. Choices are the names in the tables of the library."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from problex._util.memory import DEFAULT_MEMORY, format_size
from problex.cli.output import FORMATS
from problex.estimation import RULES, TEMPERS
from problex.matching import LANGUAGES

READING, LEXICON, RUNNING = "Reading", "Lexicon", "Running"
"""Headings of options in the help of a command."""


def choice(*names: str, among: Iterable[str], help: str, panel: str | None = None, default: bool | str = True) -> Any:
    """An option whose values are names in a table of the library; `help` names them as `{choices}`.

    `default` describes a default of None.
    """
    choices = list(among)

    def check(value: str) -> str:
        if value not in choices:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(map(repr, choices))}.")
        return value

    return typer.Option(
        *names,
        parser=check,
        metavar="NAME",
        help=help.format(choices=", ".join(choices)),
        rich_help_panel=panel,
        show_default=default,
    )


# -- models and lexicons

ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file from problex fit.")]
LexiconFiles = Annotated[
    list[str],
    typer.Option(
        "--lexicon",
        "-l",
        metavar="NAME=FILE",
        help="A file for each list (repeat the option), or one FILE with all lists.",
        rich_help_panel=LEXICON,
    ),
]
ListChoices = Annotated[
    list[str] | None,
    typer.Option(
        "--list",
        metavar="NAME=CATEGORY,...",
        help="Make a list from categories of the file, e.g. ECONOMY/+STATE+.",
        rich_help_panel=LEXICON,
    ),
]
Language = Annotated[
    str,
    choice(
        "--language",
        among=[*LANGUAGES, "auto"],
        help="The language of the texts and the lexicon: {choices}.",
        panel=LEXICON,
    ),
]
Rule = Annotated[
    str | None, choice("--rule", among=RULES, help="How counts become a score: {choices}.", default="the model's")
]
Temper = Annotated[
    str | None,
    choice("--temper", among=TEMPERS, help="How log-odds are scaled for length: {choices}.", default="the model's"),
]

# -- running and output

Memory = Annotated[
    str,
    typer.Option(
        "--memory", metavar="SIZE", help="The memory to use at most, e.g. 512MiB or 4GB.", rich_help_panel=RUNNING
    ),
]
MEMORY = format_size(DEFAULT_MEMORY)
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        min=1,
        metavar="N",
        help="The number of threads.",
        show_default="every core",
        rich_help_panel=RUNNING,
    ),
]
Checkpoint = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Save progress to this file; after an interruption, the same command continues from it.",
        rich_help_panel=RUNNING,
    ),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        metavar="COLUMNS",
        help="Columns of the input to copy to the result: all, none, or names separated by commas.",
        show_default="id if there is one",
    ),
]
Bom = Annotated[bool, typer.Option("--bom", help="Begin a CSV file with a byte order mark, which Excel needs.")]
TableName = Annotated[
    str, typer.Option("--table", metavar="NAME", help="The name of the table in a database, or of the sheet.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
Raw = Annotated[bool, typer.Option("--raw", help="Do not escape CSV cells that a spreadsheet would read as formulas.")]
Format = Annotated[str, choice("--format", "-f", among=FORMATS, help="The format of the results: {choices}.")]
