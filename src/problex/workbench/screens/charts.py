"""The charts screen: the charts of the report with data that the page can change, a sentence and a table for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

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
from problex.workbench.open_session import OpenSession
from problex.workbench.requests import ChartOf

PNG_SCALE = 2.0
FORMATS = ("svg", "png")


@dataclass(frozen=True)
class Chart:
    """A chart: its title, its name in the report, its records, a sentence on them, and the columns of its table."""

    title: str
    name: str
    records: Callable[[OpenSession, ChartOf], list[Record]]
    sentence: Callable[[OpenSession, list[Record]], str]
    columns: Sequence[str]
    needs: str | None = None


def _words(session: OpenSession, query: ChartOf) -> list[Record]:
    return [row for row in session.result.model.records() if row["count"] > 0]


def _weight_sentence(session: OpenSession, records: list[Record]) -> str:
    """How many words occur, and which is the heaviest.

    >>> _weight_sentence(None, [{"entry": "fine", "list": "up", "weight": 1.256, "count": 2}])
    "1 word occurs in the texts. The heaviest is 'fine' (up, weight 1.26, 2 occurrences)."
    >>> _weight_sentence(None, [])
    'No word of the lexicon occurs in the texts.'
    """
    if not records:
        return "No word of the lexicon occurs in the texts."
    top = records[0]
    return (
        f"{pluralize(len(records), 'word occurs', 'words occur')} in the texts. The heaviest is {top['entry']!r} "
        f"({top['list']}, weight {top['weight']:.2f}, {pluralize(top['count'], 'occurrence')})."
    )


def _observed_sentence(session: OpenSession, records: list[Record]) -> str:
    """How many words occur together with the other lists more often than by chance, which they should not.

    >>> _observed_sentence(None, [{"discordant": False}])
    'None of 1 word occurs together with the other lists more often than by chance.'
    """
    above = sum(row["discordant"] for row in records)
    total, how = pluralize(len(records), "word"), "together with the other lists more often than by chance"
    if above == 0:
        return f"None of {total} occurs {how}."
    if above == 1:
        return f"1 of {total} occurs {how}: it says little about its own list, or is in the wrong one."
    return f"{above:,} of {total} occur {how}: they say little about their own list, or are in the wrong one."


def _sizes(session: OpenSession, query: ChartOf) -> list[Record]:
    lengths = session.result.index.lengths
    some = lengths[lengths > 0]
    return size_forecast(session.result.model, max(1, int(np.median(some))) if len(some) else 1)


def _size_sentence(session: OpenSession, records: list[Record]) -> str:
    weighted = [row for row in records if row["rule"] != "counting"]
    if not weighted:
        return "No word of the lexicon occurs in the texts."
    best = max(weighted, key=lambda row: row["accuracy"])
    entries = pluralize(best["entries"], "entry", "entries")
    return (
        f"The model expects its accuracy to be highest with {entries} ({best['order']}). It assumes that words are "
        "independent, so the real accuracy is usually lower than the curve."
    )


def _shares(session: OpenSession, query: ChartOf) -> list[Record]:
    """The shares of the labels by a column; of the true labels with intervals, if an audit was looked at."""
    texts, result = session.texts, session.result
    by, every = query.by or texts.group_by or None, query.every or None
    if by is not None:
        check_choice("by", by, texts.column_names)
    if every is not None:
        check_choice("every", every, EVERY)
    batch = Batch(texts.texts, 0, columns=None if by is None or texts.columns is None else texts.columns.select([by]))
    labels = audit_labels(session)
    grouping = make_grouping(by, every if by is not None else None, None)
    counter = ShareCounter(grouping, len(result.scores.classes) if labels else 0, labels.labelled if labels else None)
    counter.add(batch, result.scores)
    if labels is None:
        return share_records(counter.tally(), result.scores.classes, max_groups=MAX_GROUPS)
    return estimated_table(counter, labels, result.scores.classes, None, MAX_GROUPS).records


def audit_labels(session: OpenSession) -> SheetLabels | None:
    """The labels of the open audit, once its results were looked at."""
    labelling = session.audits.open
    if labelling is None or not labelling.stored.looks or session.texts.is_sample:
        return None
    with TemporaryFolder() as place:
        write_labels(session, labelling, place)
        return SheetLabels.read([place / LABELS], session.result.model)


def _share_sentence(session: OpenSession, records: list[Record]) -> str:
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


def charts(session: OpenSession) -> Record:
    """Which charts there are."""
    texts = session.texts
    return {
        "charts": [{"id": name, "title": chart.title, "needs": chart.needs} for name, chart in CHARTS.items()],
        "columns": texts.column_names,
        "by": texts.group_by,
        "every": list(EVERY),
    }


def chart(session: OpenSession, query: ChartOf) -> Record:
    """One chart with its data."""
    from problex.report.live_charts import live_chart

    check_choice("the chart", query.name, CHARTS)
    with session.lock:
        revision, kind = session.log.revision, CHARTS[query.name]
        records = kind.records(session, query)
    if not records:
        raise ProblexError("there is nothing to draw: no word of the lexicon occurs in the texts")
    drawn = asdict(live_chart(kind.name, records, session.result.model.classes))
    columns = [column for column in kind.columns if column in records[0]]
    return drawn | {
        "id": query.name,
        "title": kind.title,
        "sentence": kind.sentence(session, records),
        "table": {
            "columns": [{"name": column, "title": TITLES.get(column, column)} for column in columns],
            "rows": [{column: row[column] for column in columns} for row in records],
        },
        "revision": revision,
    }


def chart_file(session: OpenSession, query: ChartOf) -> Download:
    """One chart as a picture, black on white."""
    from problex.report.chart_style import FIXED, for_file, import_vl_convert, with_title
    from problex.report.live_charts import LIVE_CHARTS

    check_choice("the chart", query.name, CHARTS)
    check_choice("format", query.format, FORMATS)
    kind, vl_convert = CHARTS[query.name], import_vl_convert()
    records = kind.records(session, query)
    drawn = LIVE_CHARTS[kind.name](records, session.result.model.classes, FIXED)
    spec = for_file(with_title(drawn, kind.title, kind.sentence(session, records)))
    download = Download(f"{stem_of(session)}-{query.name}.{query.format}")
    if query.format == "svg":
        download.path.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    else:
        download.path.write_bytes(vl_convert.vegalite_to_png(spec, scale=PNG_SCALE))
    return download
