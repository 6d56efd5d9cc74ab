"""`problex shares`: the share of each label by group or date, as a table and as a chart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pyarrow as pa
import typer

from problex._util.formatting import pluralize
from problex._util.progress import progress
from problex._util.records import Record
from problex._util.terminal import say
from problex.cli.commands.report import corpus_name
from problex.cli.grouping import By, DateOrder, Every
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import Force, Format, ModelFile, Raw, Threads
from problex.cli.output import show
from problex.cli.reading import reads_texts
from problex.cli.table_files import SUFFIXES, TableFile
from problex.estimation import Model, load_model
from problex.evaluation.date_bins import period_of
from problex.evaluation.grouping import Grouping, make_grouping
from problex.evaluation.shares import ShareCounter, is_time, share_grid, share_records
from problex.report.chart_files import CHART_FORMATS, check_chart_file, write_chart
from problex.report.share_charts import shares_chart
from problex.scoring import score_batches

DIGITS = 6
"""Digits of the shares that are written."""
MAX_COLUMNS = 8
"""Labels that a table in the terminal has as columns; more are in rows."""


@reads_texts()
def shares(
    model: ModelFile,
    texts: TextFiles,
    by: By = None,
    every: Every = None,
    date_order: DateOrder = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=f"The table to write: {', '.join(SUFFIXES)}.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option("--chart", metavar="FILE", help=f"The chart to write: {', '.join(CHART_FORMATS)}.")
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TITLE", help="The title of the chart.", show_default="from TEXTS")
    ] = None,
    top: Annotated[
        int,
        typer.Option("--top", min=1, metavar="N", help="How many groups are shown; the others are joined into one."),
    ] = 30,
    confidence: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="NUMBER", help="Texts whose label has a lower probability are undecided."),
    ] = None,
    threads: Threads = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Count the labels that a MODEL gives to TEXTS: the share of each label, in total or by group or date."""
    files = replace(texts, keep=(by,) if by else ())
    target = None if output is None else TableFile(output, "shares", raw=raw, force=force)
    check_outputs({"--output": output, "--chart": chart}, files, model)
    if target is not None:
        target.check()
    if chart is not None:
        check_chart_file(chart, force=force)
    grouping, loaded = make_grouping(by, every, date_order), load_model(model)
    counter = count_files(files, loaded, grouping, confidence, threads)
    tally = counter.tally()
    shown = share_records(tally, loaded.classes, max_groups=top)
    records = [_rounded(row) for row in share_records(tally, loaded.classes, max_groups=None)]
    if target is not None:
        target.write(iter([share_arrow(records)]))
        say(f"wrote {pluralize(len(records), 'row')} to {output}")
    else:
        show(as_shown(shown, loaded) if form == "table" else records, form, raw=raw)
    if chart is not None:
        heading = title or chart_title(shown, corpus_name(texts.files), by)
        write_chart(shares_chart(shown, loaded.classes, title=heading), chart, force=force)
        say(f"wrote {chart}")


def count_files(
    files: TextFiles, model: Model, grouping: Grouping | None, confidence: float | None, threads: int | None
) -> ShareCounter:
    """Label the texts and count the labels."""
    counter = ShareCounter(grouping)
    stream = progress(files.batches(), "scoring")
    for batch, scores in score_batches(stream, model, markup=files.markup, threads=threads):
        counter.add(batch, scores, confidence=confidence)
    return counter


def _rounded(record: Record) -> Record:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in record.items()}


def share_arrow(records: list[Record]) -> pa.Table:
    """The records as a table of Arrow; shares of no documents are null."""
    types = {
        "group": pa.string(),
        "label": pa.string(),
        "documents": pa.int64(),
        "undecided": pa.int64(),
        "hits": pa.int64(),
    }
    schema = pa.schema([(name, types.get(name, pa.float64())) for name in records[0]])
    return pa.Table.from_pylist(records, schema)


def as_shown(records: list[Record], model: Model) -> list[Record]:
    """The records for the terminal: a row per group, or per group and label if there are many labels."""
    if len(model.classes) <= MAX_COLUMNS:
        return share_grid(records)
    names = ("group", "label", "documents", "hits", "share")
    return [{name: row[name] for name in names} for row in records]


def chart_title(records: list[Record], corpus: str, by: str | None) -> str:
    """What the chart shows."""
    if by is None:
        return f"Shares of the labels: {corpus}"
    unit = f"{period_of(records[0]['group'])} ({by})" if is_time(records) else by
    return f"Shares of the labels by {unit}: {corpus}"
