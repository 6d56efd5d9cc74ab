"""`problex lookup`: a table of how much of each text falls into each category of a dictionary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from problex._util.files import check_writable, write_atomically
from problex.cli.commands.lexicon import say_issues
from problex.cli.commands.predict import say_all
from problex.cli.commands.report import corpus_name
from problex.cli.grouping import DateOrder, Every
from problex.cli.inputs import TextFiles, choose_files, choose_table
from problex.cli.lexicons import ALL_LISTS, ListChoice, chooses_lists
from problex.cli.lookup_job import Collected, LookupJob, LookupOptions, describe_table, describe_words
from problex.cli.options import (
    MEMORY,
    Bom,
    Checkpoint,
    FoldAccents,
    Force,
    Format,
    Glob,
    Keep,
    KeepLinks,
    Language,
    LookupTable,
    Memory,
    Output,
    Raw,
    Threads,
)
from problex.cli.options import choice as one_of
from problex.cli.output import print_tables
from problex.cli.predictions import describe_losses
from problex.cli.reading import reads_texts
from problex.cli.terminal import say
from problex.errors import OutputError, ProblexError
from problex.grouping.grouping import make_grouping
from problex.lexicon.sanity import INNER_WILDCARD_KIND
from problex.lookups import MATCHING, VALUES
from problex.lookups.rules import DEFAULT_MATCHING, Matching
from problex.lookups.tables import Value


def _described(table: Mapping[str, Value] | Mapping[str, Matching]) -> str:
    """The names in a table of the library with their descriptions."""
    return "; ".join(f"{name} ({choice.description})" for name, choice in table.items()) + "."


@reads_texts()
@chooses_lists("--dictionary-sheet", "both")
def lookup(
    dictionary: Annotated[
        Path, typer.Argument(metavar="DICTIONARY", help="A file with categories of words: .dic, .yml, .csv, ...")
    ],
    texts: TextFiles,
    output: Output = None,
    values: Annotated[str, one_of("--values", among=VALUES, help="What a cell is: " + _described(VALUES))] = "count",
    matching: Annotated[
        str,
        one_of("--matching", among=MATCHING, help="Which matches count where several overlap: " + _described(MATCHING)),
    ] = DEFAULT_MATCHING,
    levels: Annotated[
        str,
        typer.Option(
            "--levels",
            metavar="all|lowest|N",
            help="Which levels of nested categories get a column: all, the lowest, or the first N.",
        ),
    ] = "all",
    glob: Glob = False,
    keep_links: KeepLinks = False,
    long: Annotated[bool, typer.Option("--long", help="Write a row for each text and category.")] = False,
    choice: ListChoice = ALL_LISTS,
    language: Language = "en",
    fold_accents: FoldAccents = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Also write an HTML page about the categories, .html."),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TITLE", help="The title of the page.", show_default="from TEXTS")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="COLUMN", help="On the page, compare the groups or dates in this column."),
    ] = None,
    every: Every = None,
    date_order: DateOrder = None,
    keep: Keep = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Checkpoint = None,
    force: Force = False,
    form: Format = "csv",
    raw: Raw = False,
    bom: Bom = False,
    table: LookupTable = None,
) -> None:
    """Count how much of each text falls into each category of a DICTIONARY: one row of output for each text."""
    target = choose_table(output, "lookup", table, raw=raw, bom=bom, force=force)
    files = choose_files(texts, target, dictionary, keep=keep, memory=memory, checkpoint=checkpoint, report=report)
    check_options(report, checkpoint, by, title)
    make_grouping(by, every, date_order)  # wrong choices are refused before the texts are read
    options = LookupOptions(values, matching, levels, glob, keep_links, long, choice, language, fold_accents, threads)
    categories = choice.read(dictionary)
    say_issues([issue for issue in categories.problems if not (glob and issue.kind == INNER_WILDCARD_KIND)])
    job = LookupJob(dictionary, categories, files, options, report is not None, by, every, date_order)
    if report is not None:
        check_page(report, force=force)
    if checkpoint is not None and target is not None:
        say_all(job.write_resumably(target, checkpoint))
        return
    result = Collected()
    if target is not None:
        target.check()
        notes = target.write(job.tables(result))
        say_all(describe_table(target.path, result.tally, notes))
    else:
        if report is None:
            print_tables(job.tables(result), form, raw=raw)
        else:
            for _ in job.tables(result):
                pass
        say_all(filter(None, [describe_losses(result.tally).removeprefix("; "), *describe_words(result.tally)]))
    if report is not None:
        write_page(result, report, title or f"Categories in {corpus_name(texts.files)}", matching, force=force)


def check_options(report: Path | None, checkpoint: Path | None, by: str | None, title: str | None) -> None:
    """Raise if options were given that need others, or exclude each other."""
    if checkpoint is not None and report is not None:
        raise ProblexError(
            "--checkpoint was given with --report: the page needs all texts in one run. Leave one of the two out"
        )
    for option, value, shown in (("--by", by, "groups are"), ("--title", title, "it is")):
        if value is not None and report is None:
            raise ProblexError(
                f"{option} was given without --report: {shown} shown in the report, so give --report FILE, too"
            )


def check_page(path: Path, *, force: bool) -> None:
    """Raise if the page cannot be written, before the work is done."""
    from problex.report import check_packages

    if path.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{path.name!r} was given as the report, expected a name that ends in .html")
    check_writable(path, force=force)
    check_packages()


def write_page(result: Collected, path: Path, title: str, matching: str, *, force: bool) -> None:
    """Write the page about the categories."""
    from problex.report.lookup_page import build_lookup_page

    page = build_lookup_page(result.statistics(), result.groups, title, matching)
    write_atomically(path, lambda part: part.write_text(page.html, encoding="utf-8"), force=force)
    say(f"wrote {path} ({len(page.html.encode()) / 1e6:.1f} MB)")
