"""Commands about lexicon files: what is in one, convert it, compare its weights with learned ones."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from problex.cli.application import Force, Format, Forms, ListChoices, ModelFile, app, say, show

Readable = StrEnum(
    "Readable",
    ["plain", "csv", "tsv", "xlsx", "json", "dic", "dicx", "yaml", "lc3", "lcd", "ykd", "cat", "sentiws"],
)
Writable = StrEnum(
    "Writable",
    [
        ("plain", "plain"),
        ("csv", "csv"),
        ("csv_wide", "csv-wide"),
        ("tsv", "tsv"),
        ("xlsx", "xlsx"),
        ("xlsx_wide", "xlsx-wide"),
        ("json", "json"),
        ("json_long", "json-long"),
        ("dic", "dic"),
        ("dicx", "dicx"),
        ("yaml", "yaml"),
        ("lc3", "lc3"),
        ("lcd", "lcd"),
        ("ykd", "ykd"),
        ("cat", "cat"),
        ("afinn", "afinn"),
        ("nrc", "nrc"),
    ],
)
LexiconFile = Annotated[Path, typer.Argument(help="A lexicon in any format; see docs/lexicons.md.")]
From = Annotated[Readable | None, typer.Option("--from", help="Format of the file; told by its content.")]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Such as cp1250; UTF-8 or Windows-1252 are guessed.")]


@app.command()
def categories(lexicon: LexiconFile, given: From = None, encoding: Encoding = None, form: Format = Forms.table) -> None:
    """Show the categories of a LEXICON file, and what is odd in it."""
    from problex.cli import lexicon_commands

    found, said = lexicon_commands.categories(lexicon, given, encoding)
    show(found.records(), form)
    for line in said:
        say(line)


@app.command()
def convert(
    lexicon: LexiconFile,
    output: Annotated[Path, typer.Argument(help="Where it goes; the suffix tells the format.")],
    lists: ListChoices = None,
    given: From = None,
    wanted: Annotated[Writable | None, typer.Option("--to", help="Format to write; told by the suffix.")] = None,
    encoding: Encoding = None,
    force: Force = False,
) -> None:
    """Write a LEXICON file in another format; what that cannot hold is reported."""
    from problex.cli import lexicon_commands

    _, said = lexicon_commands.convert(lexicon, output, lists, (given, wanted), encoding, force=force)
    for line in said:
        say(line)


@app.command()
def compare(
    model: ModelFile,
    lexicon: LexiconFile,
    lists: ListChoices = None,
    min_count: Annotated[int, typer.Option("--min-count", min=1, help="Only entries seen so often.")] = 20,
    top: Annotated[int, typer.Option("--top", min=1, help="So many entries, those that differ most.")] = 20,
    form: Format = Forms.table,
) -> None:
    """Compare the weights in a LEXICON file with those that a MODEL learned."""
    from problex.cli import lexicon_commands

    records, said = lexicon_commands.compare(model, lexicon, lists, min_count, top)
    show(records, form)
    for line in said:
        say(line)
