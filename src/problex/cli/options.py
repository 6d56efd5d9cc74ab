"""Options and arguments that several commands have. Choices are the names in the tables of the library."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from problex._util.memory import DEFAULT_MEMORY, format_size
from problex.cli.output import FORMATS
from problex.matching import LANGUAGES
from problex.model import RULES, TEMPERS
from problex.tables.write import SUFFIXES

READING, LEXICON, LANGUAGE, OUTPUT, RUNNING = "Reading", "Lexicon", "Language", "Output", "Running"
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
LEXICON_OPTION = typer.Option(
    "--lexicon",
    "-l",
    metavar="NAME=FILE",
    help="The words of the list NAME; give the option once for each list. Or one FILE with all lists.",
    rich_help_panel=LEXICON,
)
LexiconFiles = Annotated[list[str], LEXICON_OPTION]
Language = Annotated[
    str,
    choice(
        "--language",
        among=[*LANGUAGES, "auto"],
        help="The language of the texts and the lexicon: {choices}.",
        panel=LANGUAGE,
    ),
]
FoldAccents = Annotated[
    bool | None,
    typer.Option(
        "--fold-accents/--keep-accents",
        help="Remove accents, and vowel marks in Arabic and Hebrew; German ß becomes ss.",
        rich_help_panel=LANGUAGE,
        show_default="as usual for the language",
    ),
]
Glob = Annotated[
    bool,
    typer.Option(
        "--glob",
        help="Let ? in an entry match one letter, and * inside a word any letters, as in quanteda.",
        rich_help_panel=LEXICON,
    ),
]
KeepLinks = Annotated[
    bool,
    typer.Option(
        "--keep-links",
        help="Read links, e-mail addresses and @handles as words, too.",
        rich_help_panel=READING,
    ),
]
Rule = Annotated[
    str | None, choice("--rule", among=RULES, help="How counts become a score: {choices}.", default="the model's")
]
Temper = Annotated[
    str | None,
    choice(
        "--temper",
        among=TEMPERS,
        help="How scores are scaled for the length of a text: {choices}.",
        default="the model's",
    ),
]

# -- running and output

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help=f"The file or database to write ({', '.join(SUFFIXES)}); without it, results are printed.",
    ),
]
TableOutput = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help=f"Write the whole table to this file instead ({', '.join(SUFFIXES)}).",
        rich_help_panel=OUTPUT,
    ),
]
Memory = Annotated[
    str,
    typer.Option(
        "--memory", metavar="SIZE", help="Use at most this much memory, e.g. 512MiB or 4GB.", rich_help_panel=RUNNING
    ),
]
MEMORY = format_size(DEFAULT_MEMORY)
ExpandSample = Annotated[
    str | None,
    typer.Option(
        "--expand-sample",
        metavar="SIZE",
        help="Learn weights of other words from at most this much text, a random sample of TEXTS, e.g. 64MiB.",
        show_default="128MiB, or what --memory is enough for",
        rich_help_panel=RUNNING,
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        min=1,
        metavar="N",
        help="How many threads to use.",
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


def _keep(default: str) -> Any:
    """The option `--keep`; commands differ in its default."""
    return typer.Option(
        "--keep",
        metavar="COLUMNS",
        help="Columns of TEXTS to copy to the output: all, none, or names separated by commas.",
        show_default=default,
        rich_help_panel=OUTPUT,
    )


Keep = Annotated[list[str] | None, _keep("id, if there is one")]
KeepAll = Annotated[list[str] | None, _keep("all")]
Bom = Annotated[
    bool,
    typer.Option(
        "--bom", help="Write CSV with a byte order mark, so that Excel shows accents.", rich_help_panel=OUTPUT
    ),
]


def _table(default: str) -> Any:
    return typer.Option(
        "--table",
        metavar="NAME",
        help="The name of the table in a database, or of the sheet in a workbook.",
        show_default=default,
        rich_help_panel=OUTPUT,
    )


PredictionsTable = Annotated[str | None, _table("predictions")]
LookupTable = Annotated[str | None, _table("lookup")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.", rich_help_panel=OUTPUT)]
Raw = Annotated[
    bool,
    typer.Option(
        "--raw",
        help="Do not escape CSV cells that a spreadsheet would read as formulas.",
        rich_help_panel=OUTPUT,
    ),
]
Format = Annotated[
    str, choice("--format", "-f", among=FORMATS, help="How results are printed: {choices}.", panel=OUTPUT)
]
