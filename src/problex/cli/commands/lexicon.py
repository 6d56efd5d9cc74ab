"""`problex categories`, `problex convert` and `problex compare`: lexicon files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from problex._util.files import check_writable
from problex._util.formatting import pluralize
from problex.cli.inputs import CategoryChoice, ListChoice, check_outputs
from problex.cli.options import Force, Format, ModelFile, Raw, TableOutput, choice, option, options
from problex.cli.output import WRITES_ALL, results_file, say_issues, show, write_records
from problex.cli.terminal import say
from problex.estimation import load_model
from problex.evaluation.comparison import agreement, compare_weights
from problex.lexicon import write_dictionary
from problex.lexicon.formats import READERS, WRITERS
from problex.lexicon.formats.lexicon_file import DOES_NOT_FIT

ROWS_SHOWN = 20
"""Rows of a comparison in a table, unless --top says otherwise."""
MORE_ROWS = f"--top N shows more, {WRITES_ALL}"

LexiconFile = Annotated[
    Path, typer.Argument(metavar="LEXICON", help="A lexicon file, for example .csv, .xlsx, .txt, .dic or .yaml.")
]
From = Annotated[
    str | None,
    choice("--from", READERS, "The format of LEXICON: {choices}.", default="detected from its content"),
]


@options
def categories(
    *,
    lexicon: LexiconFile,
    input_format: From = None,
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
    lists: CategoryChoice,
) -> None:
    """Show the categories of a LEXICON file, and problems with its entries."""
    target = results_file(output, raw=raw, force=force)
    check_outputs({"--output": output}, None, lexicon)
    dictionary = lists.read(lexicon, format=input_format).tidy()
    if target is not None:
        write_records(dictionary.records(), target)
    else:
        show(dictionary.records(), form, raw=raw, minor=("weighted", "phrases", "wildcards"), hint=WRITES_ALL)
    say_issues(dictionary.problems)


@options
def convert(
    *,
    lexicon: LexiconFile,
    output: Annotated[
        Path, typer.Argument(metavar="OUTPUT", help="The file to write; its suffix determines the format.")
    ],
    input_format: From = None,
    output_format: Annotated[
        str | None, choice("--to", WRITERS, "The format of OUTPUT: {choices}.", default="from its suffix")
    ] = None,
    force: Force = False,
    lists: CategoryChoice,
) -> None:
    """Write a LEXICON file in another format; entries and weights that it cannot hold are reported."""
    check_outputs({"OUTPUT": output}, None, lexicon)
    check_writable(output, force=force)
    dictionary = lists.read(lexicon, format=input_format).tidy()
    issues = write_dictionary(dictionary, output, format=output_format, force=force)
    say_issues((*dictionary.problems, *issues))
    number = len(dictionary.entries) - sum(issue.kind == DOES_NOT_FIT for issue in issues)
    entries = pluralize(number, "entry", "entries")
    say(f"wrote {entries} in {pluralize(len(dictionary.categories), 'category', 'categories')} to {output}")


@options
def compare(
    *,
    model: ModelFile,
    lexicon: LexiconFile,
    min_count: Annotated[
        int, option("--min-count", "N", "Compare only entries that occur at least N times.", min=1)
    ] = 20,
    top: Annotated[
        int | None,
        option(
            "--top",
            "N",
            "How many entries are shown, largest differences first.",
            default="20; all in JSON, CSV and files",
            min=1,
        ),
    ] = None,
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
    lists: ListChoice,
) -> None:
    """Compare the weights in a LEXICON file with the learned weights of a MODEL."""
    target = results_file(output, raw=raw, force=force)
    check_outputs({"--output": output}, None, model, lexicon)
    records = compare_weights(load_model(model), lists.read(lexicon).lexicon(), min_count=min_count)
    if target is not None:
        write_records(records[:top], target)
    elif form != "table":
        show(records[:top], form, raw=raw)
    else:
        few = records[: top or ROWS_SHOWN]
        show(few, form, whole=top is not None, unseen=len(records) - len(few), hint=MORE_ROWS)
    for row in agreement(records):
        rho = "not defined" if row["rank_correlation"] is None else f"{row['rank_correlation']:.2f}"
        say(f"{row['list']}: {pluralize(row['entries'], 'entry', 'entries')} compared, rank correlation {rho}")
