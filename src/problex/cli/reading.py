"""`reads_texts`: the argument TEXTS and the options of reading, the same for all commands that read texts."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from problex.cli.inputs import TextFiles
from problex.cli.options import READING, choice
from problex.errors import COMMAND_OPTIONS, ProblexError
from problex.tables.dialect import DELIMITERS
from problex.tables.formats import STREAM_FORMATS
from problex.tables.reader import CHOICES

ARGUMENT = typer.Argument(
    metavar="TEXTS",
    help="Files with texts: .csv, .tsv, .jsonl, .parquet, .xlsx, .ods, .dta, .sav, .rds, .sqlite, .duckdb, .zip, or "
    ".txt with one text per line; folders of such files (.txt: one text per file); or - for standard input.",
)


NO_TEXTS = TextFiles([])


def _column(*names: str) -> Any:
    return typer.Option(
        *names, metavar="COLUMN", help="The column with the texts.", show_default="guessed", rich_help_panel=READING
    )


OPTIONS: dict[str, tuple[Any, object]] = {
    "markup": (
        Annotated[
            bool, typer.Option("--markup", help="Replace HTML tags such as <br /> by spaces.", rich_help_panel=READING)
        ],
        False,
    ),
    "on_error": (
        Annotated[
            str,
            choice(
                "--on-error",
                among=CHOICES["on_error"],
                help="What to do when a row cannot be read: {choices} (its invalid bytes).",
                panel=READING,
            ),
        ],
        "stop",
    ),
    "format": (
        Annotated[
            str | None,
            choice(
                "--input-format",
                among=STREAM_FORMATS,
                help="The format of standard input: {choices}.",
                default="txt",
                panel=READING,
            ),
        ],
        None,
    ),
    "sheet": (
        Annotated[
            str | None,
            typer.Option(
                "--sheet",
                metavar="NAME",
                help="The sheet of a workbook or the table of a database: its name, or its number, from 1.",
                show_default="the only one with texts",
                rich_help_panel=READING,
            ),
        ],
        None,
    ),
    "query": (
        Annotated[
            str | None,
            typer.Option(
                "--query",
                metavar="SQL",
                help="Read the result of this query of a database or other file; the table of a file is called texts: "
                "'select review as text from texts where year > 2020'.",
                rich_help_panel=READING,
            ),
        ],
        None,
    ),
    "encoding": (
        Annotated[
            str | None,
            typer.Option(
                "--encoding",
                metavar="NAME",
                help="The encoding of text files, e.g. utf-8, utf-16, cp1252.",
                show_default="detected",
                rich_help_panel=READING,
            ),
        ],
        None,
    ),
    "delimiter": (
        Annotated[
            str | None,
            typer.Option(
                "--delimiter",
                metavar="NAME",
                help=f"What separates the cells of .csv and .tsv: {', '.join(DELIMITERS)}, or another character.",
                show_default="detected",
                rich_help_panel=READING,
            ),
        ],
        None,
    ),
    "header": (
        Annotated[
            bool | None,
            typer.Option(
                "--header/--no-header",
                help="Whether the first line of .csv and .tsv names the columns; if not, they are column_1, ...",
                show_default="detected",
                rich_help_panel=READING,
            ),
        ],
        None,
    ),
}
"""The options of reading by the names of `Reading`: type and default. `markup` alone concerns what was read."""


def reads_texts(column: str = "--text") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, for its parameter `texts: TextFiles`, the argument TEXTS and the options of reading.

    `column` is the name of the option for the column of the texts. TEXTS is optional if the parameter has a default,
    `NO_TEXTS`.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        parameters = dict(inspect.signature(command, eval_str=True).parameters)
        optional = parameters["texts"].default is not Parameter.empty
        kind = Annotated[list[Path] | None, ARGUMENT] if optional else Annotated[list[Path], ARGUMENT]
        parameters["texts"] = _parameter("texts", kind, None if optional else Parameter.empty)
        options = {"text_column": (Annotated[str | None, _column(column)], None), **OPTIONS}
        added = [_parameter(name, kind, default) for name, (kind, default) in options.items()]
        ordered = sorted([*parameters.values(), *added], key=lambda parameter: parameter.default is not Parameter.empty)

        @wraps(command)
        def run(**values: Any) -> None:
            files, text, markup = values.pop("texts"), values.pop("text_column"), values.pop("markup")
            if optional and not files:
                _refuse_reading({column: text} | {COMMAND_OPTIONS[name]: values[name] for name in READING_ALONE})
            reading: Any = {"missing": "empty"} | {name: values.pop(name) for name in OPTIONS if name in values}
            command(texts=TextFiles(files or [], text, reading, markup), **values)

        run.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
        del run.__annotations__  # those of the signature count
        return run

    return decorate


READING_ALONE = [name for name in OPTIONS if name not in ("markup", "on_error")]
"""Options that mean nothing without TEXTS and have no default."""


def _refuse_reading(options: dict[str, object]) -> None:
    """Raise if an option of reading was given without texts to read."""
    for option, value in options.items():
        if value is not None:
            raise ProblexError(f"{option} was given without TEXTS: it says how files of texts are read. Leave it out")


def _parameter(name: str, kind: Any, default: object) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)
