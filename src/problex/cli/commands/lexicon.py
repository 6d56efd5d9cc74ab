"""`problex categories`, `problex convert` and `problex compare`: lexicon files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from problex._util.files import check_writable
from problex._util.formatting import pluralize
from problex.cli.inputs import check_outputs
from problex.cli.lexicons import ALL_LISTS, ListChoice, chooses_lists
from problex.cli.options import Force, Format, ModelFile, Raw, TableOutput
from problex.cli.options import choice as one_of
from problex.cli.output import WRITES_ALL, results_file, show, write_records
from problex.cli.terminal import say
from problex.estimation import load_model
from problex.evaluation.comparison import agreement, compare_weights
from problex.lexicon import write_dictionary
from problex.lexicon.formats import READERS, WRITERS
from problex.lexicon.formats.lexicon_file import DOES_NOT_FIT
from problex.lexicon.lexicon import Issue

ROWS_SHOWN = 20
"""Rows of a comparison in a table, unless --top says otherwise."""
MORE_ROWS = f"--top N shows more, {WRITES_ALL}"
MAX_ISSUES_SHOWN = 5
"""Issues of each kind that are shown with their lines."""

LexiconFile = Annotated[
    Path, typer.Argument(metavar="LEXICON", help="A lexicon file, for example .csv, .xlsx, .txt, .dic or .yaml.")
]
From = Annotated[
    str | None,
    one_of("--from", among=READERS, help="The format of LEXICON: {choices}.", default="detected from its content"),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="The encoding of LEXICON, e.g. cp1250.",
        show_default="detected",
    ),
]


@chooses_lists(shared="both")
def categories(
    lexicon: LexiconFile,
    choice: ListChoice = ALL_LISTS,
    input_format: From = None,
    encoding: Encoding = None,
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Show the categories of a LEXICON file, and problems with its entries."""
    target = results_file(output, raw=raw, force=force)
    check_outputs({"--output": output}, None, lexicon)
    dictionary = choice.read(lexicon, format=input_format, encoding=encoding).tidy()
    if target is not None:
        write_records(dictionary.records(), target)
    else:
        show(dictionary.records(), form, raw=raw, minor=("weighted", "phrases", "wildcards"), hint=WRITES_ALL)
    say_issues(dictionary.problems)


@chooses_lists(shared="both")
def convert(
    lexicon: LexiconFile,
    output: Annotated[
        Path, typer.Argument(metavar="OUTPUT", help="The file to write; its suffix determines the format.")
    ],
    choice: ListChoice = ALL_LISTS,
    input_format: From = None,
    output_format: Annotated[
        str | None, one_of("--to", among=WRITERS, help="The format of OUTPUT: {choices}.", default="from its suffix")
    ] = None,
    encoding: Encoding = None,
    force: Force = False,
) -> None:
    """Write a LEXICON file in another format; entries and weights that it cannot hold are reported."""
    check_outputs({"OUTPUT": output}, None, lexicon)
    check_writable(output, force=force)
    dictionary = choice.read(lexicon, format=input_format, encoding=encoding).tidy()
    issues = write_dictionary(dictionary, output, format=output_format, force=force)
    say_issues((*dictionary.problems, *issues))
    number = len(dictionary.entries) - sum(issue.kind == DOES_NOT_FIT for issue in issues)
    entries = pluralize(number, "entry", "entries")
    say(f"wrote {entries} in {pluralize(len(dictionary.categories), 'category', 'categories')} to {output}")


@chooses_lists()
def compare(
    model: ModelFile,
    lexicon: LexiconFile,
    choice: ListChoice = ALL_LISTS,
    min_count: Annotated[
        int, typer.Option("--min-count", min=1, metavar="N", help="Compare only entries that occur at least N times.")
    ] = 20,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=1,
            metavar="N",
            help="How many entries are shown, largest differences first.",
            show_default="20; all in JSON, CSV and files",
        ),
    ] = None,
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Compare the weights in a LEXICON file with the learned weights of a MODEL."""
    target = results_file(output, raw=raw, force=force)
    check_outputs({"--output": output}, None, model, lexicon)
    records = compare_weights(load_model(model), choice.read(lexicon).lexicon(), min_count=min_count)
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


def say_issues(issues: Iterable[Issue]) -> None:
    """Write the first issues of each kind to standard error, and the number of the others."""
    all_issues = [issue for issue in issues if not issue.loud]  # those were said as notes
    totals, seen = Counter(issue.kind for issue in all_issues), Counter[str]()
    for issue in all_issues:
        seen[issue.kind] += 1
        if seen[issue.kind] <= MAX_ISSUES_SHOWN:
            say(str(issue))
        elif seen[issue.kind] == totals[issue.kind]:
            say(f"and {totals[issue.kind] - MAX_ISSUES_SHOWN:,} more of the kind: {issue.kind}")
