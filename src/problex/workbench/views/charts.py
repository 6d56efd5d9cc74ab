"""The charts screen: the charts of the report with data that the page can change, a sentence and a table for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from problex._util.files import TemporaryFolder
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.corpus import Batch
from problex.errors import ProblexError, check_choice
from problex.evaluation import size_forecast
from problex.grouping.grouping import EVERY, make_grouping
from problex.shares.counting import MAX_GROUPS, ShareCounter, share_records
from problex.shares.estimates import SheetLabels, estimated_table
from problex.workbench.export import LABELS, Download, stem_of, write_labels
from problex.workbench.opened import Opened

PNG_SCALE = 2.0
FORMATS = ("svg", "png")
Query = Mapping[str, Any]


@dataclass(frozen=True)
class Chart:
    """A chart: its title, its name in the report, its records, a sentence on them, and the columns of its table."""

    title: str
    name: str
    records: Callable[[Opened, Query], list[Record]]
    sentence: Callable[[Opened, list[Record]], str]
    columns: Sequence[str]
    needs: str | None = None


def _words(opened: Opened, query: Query) -> list[Record]:
    return [row for row in opened.result.model.records() if row["count"] > 0]


def _weight_sentence(opened: Opened, records: list[Record]) -> str:
    if not records:
        return "No word of the lexicon occurs in the texts."
    top = records[0]
    return (
        f"{pluralize(len(records), 'word occurs', 'words occur')} in the texts. The heaviest is {top['entry']!r} "
        f"({top['list']}, weight {top['weight']:.2f}, {pluralize(top['count'], 'occurrence')})."
    )


def _observed_sentence(opened: Opened, records: list[Record]) -> str:
    above = sum(row["discordant"] for row in records)
    total, how = pluralize(len(records), "word"), "together with the other lists more often than by chance"
    if above == 0:
        return f"None of {total} occurs {how}."
    if above == 1:
        return f"1 of {total} occurs {how}: it says little about its own list, or is in the wrong one."
    return f"{above:,} of {total} occur {how}: they say little about their own list, or are in the wrong one."


def _sizes(opened: Opened, query: Query) -> list[Record]:
    lengths = opened.result.remembered.lengths
    some = lengths[lengths > 0]
    return size_forecast(opened.result.model, max(1, int(np.median(some))) if len(some) else 1)


def _size_sentence(opened: Opened, records: list[Record]) -> str:
    weighted = [row for row in records if row["rule"] != "counting"]
    if not weighted:
        return "No word of the lexicon occurs in the texts."
    best = max(weighted, key=lambda row: row["accuracy"])
    entries = pluralize(best["entries"], "entry", "entries")
    return (
        f"The model expects its accuracy to be highest with {entries} ({best['order']}). It assumes that words are "
        "independent, so the real accuracy is usually lower than the curve."
    )


def _shares(opened: Opened, query: Query) -> list[Record]:
    """The shares of the labels by a column; of the true labels with intervals, if an audit was looked at."""
    texts, result = opened.bench.texts, opened.result
    by = str(query.get("by") or texts.group_by or "") or None
    every = str(query["every"]) if query.get("every") else None
    if by is not None:
        check_choice("by", by, texts.column_names)
    if every is not None:
        check_choice("every", every, EVERY)
    batch = Batch(texts.texts, 0, columns=None if by is None or texts.columns is None else texts.columns.select([by]))
    labels = audit_labels(opened)
    grouping = make_grouping(by, every if by is not None else None, None)
    counter = ShareCounter(grouping, len(result.scores.classes) if labels else 0, labels.labelled if labels else None)
    counter.add(batch, result.scores)
    if labels is None:
        return share_records(counter.tally(), result.scores.classes, max_groups=MAX_GROUPS)
    return estimated_table(counter, labels, result.scores.classes, None, MAX_GROUPS).records


def audit_labels(opened: Opened) -> SheetLabels | None:
    """The labels of the open audit, once its results were looked at."""
    labelling = opened.audits.open
    if labelling is None or not labelling.stored.looks or opened.bench.texts.is_sample:
        return None
    with TemporaryFolder() as place:
        write_labels(opened, labelling, place)
        return SheetLabels.read([place / LABELS], opened.result.model)


def _share_sentence(opened: Opened, records: list[Record]) -> str:
    groups = pluralize(len(dict.fromkeys(row["group"] for row in records)), "group")
    if "estimate" in records[0]:
        return f"Shares of the true labels in {groups}, estimated from the audit, with 95% intervals."
    return (
        f"Shares of the predicted labels in {groups}. How far they are from those of the true labels is not known "
        "without an audit."
    )


CHARTS: dict[str, Chart] = {
    "weight": Chart(
        "Weight and frequency", "frequency", _words, _weight_sentence, ("entry", "list", "count", "weight")
    ),
    "observed": Chart(
        "Observed and expected co-occurrence",
        "cross counts",
        _words,
        _observed_sentence,
        ("entry", "list", "cross_count", "expected_cross_count", "discordant"),
    ),
    "size": Chart(
        "Size of the lexicon and expected accuracy",
        "sizes",
        _sizes,
        _size_sentence,
        ("entries", "order", "rule", "accuracy"),
    ),
    "shares": Chart(
        "Shares of the labels",
        "shares",
        _shares,
        _share_sentence,
        ("group", "label", "documents", "hits", "share", "estimate", "low", "high", "labels"),
        needs="group",
    ),
}
"""The charts of the screen: a new one is an entry here."""
TITLES = {
    "entry": "word",
    "cross_count": "observed",
    "expected_cross_count": "expected",
    "discordant": "more than by chance",
    "hits": "with this label",
}


def charts(opened: Opened) -> Record:
    """Which charts there are."""
    texts = opened.bench.texts
    return {
        "charts": [{"id": name, "title": chart.title, "needs": chart.needs} for name, chart in CHARTS.items()],
        "columns": texts.column_names,
        "by": texts.group_by,
        "every": list(EVERY),
    }


def chart(opened: Opened, name: str, query: Query) -> Record:
    """One chart with its data."""
    from problex.report import live_chart

    check_choice("the chart", name, CHARTS)
    with opened.lock:
        revision, kind = opened.log.revision, CHARTS[name]
        records = kind.records(opened, query)
    if not records:
        raise ProblexError("there is nothing to draw: no word of the lexicon occurs in the texts")
    drawn = asdict(live_chart(kind.name, records, opened.result.model.classes))
    columns = [column for column in kind.columns if column in records[0]]
    return drawn | {
        "id": name,
        "title": kind.title,
        "sentence": kind.sentence(opened, records),
        "table": {
            "columns": [{"name": column, "title": TITLES.get(column, column)} for column in columns],
            "rows": [{column: row[column] for column in columns} for row in records],
        },
        "revision": revision,
    }


def chart_file(opened: Opened, name: str, query: Query) -> Download:
    """One chart as a picture, black on white."""
    from problex.report.chart_style import for_file, import_vl_convert, with_title
    from problex.report.live_charts import LIVE_CHARTS

    check_choice("the chart", name, CHARTS)
    form = str(query.get("format") or "svg")
    check_choice("format", form, FORMATS)
    kind, vl_convert = CHARTS[name], import_vl_convert()
    records = kind.records(opened, query)
    drawn = LIVE_CHARTS[kind.name](records, opened.result.model.classes)
    spec = for_file(with_title(drawn, kind.title, kind.sentence(opened, records)))
    download = Download(f"{stem_of(opened)}-{name}.{form}")
    if form == "svg":
        download.path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    else:
        download.path.write_bytes(vl_convert.vegalite_to_png(spec, scale=PNG_SCALE))
    return download
