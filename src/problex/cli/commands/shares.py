"""`problex shares`: the share of each label by group or date, as a table and as a chart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import pyarrow as pa

from problex._util.formatting import format_percent, pluralize
from problex._util.records import Record
from problex.cli.grouping import GroupBy
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import Excludes, Force, Format, ModelFile, Needs, Raw, Threads, choice, flag, option, options
from problex.cli.output import progress, show
from problex.cli.terminal import say
from problex.estimation import load_model
from problex.grouping.dates import period_of
from problex.model import Model
from problex.report.chart_style import CHART_FORMATS, check_chart_file, write_chart
from problex.report.share_charts import shares_chart
from problex.scoring.scorer import make_scorer, score_batches
from problex.shares.counting import MAX_GROUPS, ShareCounter, is_time, share_grid, share_records
from problex.shares.differences import WITHOUT_LABELS, describe_differences, share_differences
from problex.shares.estimates import SheetLabels, estimated_table
from problex.shares.estimators import ESTIMATORS
from problex.tables.write import SUFFIXES, TableFile

DIGITS = 6
"""Digits of the shares that are written."""
MAX_COLUMNS = 8
"""Labels that a table in the terminal has as columns; more are in rows."""


@options
def shares(
    *,
    model: ModelFile,
    groups: GroupBy,
    output: Annotated[Path | None, option("--output -o", "FILE", f"The table to write: {', '.join(SUFFIXES)}.")] = None,
    chart: Annotated[Path | None, option("--chart", "FILE", f"The chart to write: {', '.join(CHART_FORMATS)}.")] = None,
    title: Annotated[
        str | None,
        option("--title", "TITLE", "The title of the chart.", default="from TEXTS"),
        Needs("--chart", "it is the title of the chart, so give --chart FILE, too"),
    ] = None,
    top: Annotated[
        int,
        option("--top", "N", "How many groups are shown; the others are joined into one.", min=1),
    ] = MAX_GROUPS,
    audit: Annotated[
        list[Path] | None,
        option(
            "--audit",
            "SHEET",
            "A labelled sheet from problex audit sample, to estimate the true shares; repeat the option for more.",
        ),
    ] = None,
    estimator: Annotated[
        str | None,
        choice(
            "--estimator",
            ESTIMATORS,
            "How shares are estimated with --audit: {choices}.",
            default="hierarchical, difference without --by",
        ),
        Needs("--audit", "give the labelled sheet with --audit, too"),
    ] = None,
    differences: Annotated[
        bool,
        flag("--differences", "Compare the groups with each other in place of the shares."),
        Needs("--by", "name the column with the groups to compare"),
        Excludes(
            "--audit",
            "it compares groups without labels. With labels, the shares have intervals; leave one of the two out",
        ),
    ] = False,
    confidence: Annotated[
        float | None,
        option("", "NUMBER", "Texts whose label has a lower probability are undecided.", min=0, max=1),
    ] = None,
    threads: Threads = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
    texts: TextFiles,
) -> None:
    """Count the labels that a MODEL gives to TEXTS: the share of each label, in total or by group or date."""
    files = replace(texts, keep=(groups.by,) if groups.by else ())
    target = None if output is None else TableFile(output, "shares", raw=raw, force=force)
    check_outputs({"--output": output, "--chart": chart}, files, model, *(audit or ()))
    if target is not None:
        target.check()
    if chart is not None:
        check_chart_file(chart, force=force)
    grouping, loaded = groups.grouping(), load_model(model)
    labels = SheetLabels.read(audit, loaded, markup=texts.markup) if audit else None
    counter = ShareCounter.for_classes(grouping, loaded.classes, labels.labelled if labels else None)
    count_files(counter, files, loaded, confidence, threads)
    result = SharesResult.of(counter, labels, loaded, estimator, top)
    if target is not None:
        rows = result.differences if differences else result.records
        notes = target.write(iter([share_arrow([_rounded(row) for row in rows])]))
        say(f"wrote {pluralize(len(rows), 'row')} to {output}", *(f"problex: note: {note}" for note in notes))
    elif differences:
        pairs = result.differences_as_shown() if form == "table" else [_rounded(row) for row in result.differences]
        show(pairs, form, raw=raw)
    else:
        show(result.as_shown() if form == "table" else [_rounded(row) for row in result.records], form, raw=raw)
    say(*result.notes, counter.copies.describe())
    if chart is not None:
        heading = title or chart_title(result.shown, texts.name, groups.by)
        write_chart(shares_chart(result.shown, loaded.classes, title=heading), chart, force=force)
        say(f"wrote {chart}")


@dataclass(frozen=True, eq=False)
class SharesResult:
    """What the command writes: all records, those of the groups that are shown, the differences, and notes."""

    classes: tuple[str, ...]
    records: list[Record]
    shown: list[Record]
    differences: list[Record]
    notes: list[str]

    @classmethod
    def of(
        cls,
        counter: ShareCounter,
        labels: SheetLabels | None,
        model: Model,
        estimator: str | None,
        top: int,
    ) -> SharesResult:
        """The results of counted documents, with estimates if there are labels."""
        classes = model.classes
        if labels is not None:
            whole, shown = (estimated_table(counter, labels, classes, estimator, most) for most in (None, top))
            return cls(classes, whole.records, shown.records, [], whole.notes())
        tally = counter.tally()
        records, shown_records = (share_records(tally, classes, max_groups=most) for most in (None, top))
        leads = make_scorer(model).word_leads
        pairs = share_differences(counter.grid_counts(top), classes, leads) if counter.compares else []
        notes = [*WITHOUT_LABELS, *describe_differences(pairs)]
        return cls(classes, records, shown_records, pairs, notes)

    def as_shown(self) -> list[Record]:
        """The records for the terminal: a row per group, or per group and label if there are many labels."""
        estimated = "estimate" in self.shown[0]
        if len(self.classes) <= MAX_COLUMNS:
            return share_grid(self.shown, estimates=estimated)
        names = ("estimate", "low", "high", "labels") if estimated else ("hits", "share")
        rows = [{name: row[name] for name in ("group", "label", "documents", *names)} for row in self.shown]
        return [{name: in_percent(cell) for name, cell in row.items()} for row in rows]

    def differences_as_shown(self) -> list[Record]:
        """The differences for the terminal, with sizes in percentage points."""
        return [
            {
                "label": row["label"],
                "group": row["group"],
                "direction": row["direction"],
                "other group": row["other"],
                "by at least": f"{100 * row['at_least']:.0f} points" if row["at_least"] else None,
            }
            for row in self.differences
        ]


def in_percent(cell: object) -> object:
    """A share in percent; other cells stay.

    >>> in_percent(0.256), in_percent(1), in_percent(None)
    ('25.6%', 1, None)
    """
    return format_percent(cell) if isinstance(cell, float) else cell


def count_files(
    counter: ShareCounter, files: TextFiles, model: Model, confidence: float | None, threads: int | None
) -> None:
    """Label the texts and count the labels."""
    stream = progress(files.batches(), "scoring")
    for batch, scores in score_batches(stream, model, markup=files.markup, threads=threads, rows=counter.compares):
        counter.add(batch, scores, confidence=confidence)


def _rounded(record: Record) -> Record:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in record.items()}


def share_arrow(records: list[Record]) -> pa.Table:
    """The records as a table of Arrow; shares of no documents are null.

    >>> share_arrow([{"group": "2004", "documents": 0, "share": None}]).schema.types
    [DataType(string), DataType(int64), DataType(double)]
    """
    texts, numbers = ("group", "label", "other", "direction"), ("documents", "undecided", "hits", "labels")
    types = dict.fromkeys(texts, pa.string()) | dict.fromkeys(numbers, pa.int64())
    names = records[0] if records else ("label", "group", "direction", "other", "at_least")
    return pa.Table.from_pylist(records, pa.schema([(name, types.get(name, pa.float64())) for name in names]))


def chart_title(records: list[Record], corpus: str, by: str | None) -> str:
    """What the chart shows.

    >>> chart_title([{"group": "2004-01"}, {"group": "2004-02"}], "films", "date")
    'Shares of the labels by month (date): films'
    >>> chart_title([{"group": "2004"}], "films", "room")  # one number alone may be anything
    'Shares of the labels by room: films'
    """
    if by is None:
        return f"Shares of the labels: {corpus}"
    unit = f"{period_of(records[0]['group'])} ({by})" if is_time(records) else by
    return f"Shares of the labels by {unit}: {corpus}"
