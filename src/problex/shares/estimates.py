"""Shares of the true labels with intervals, from the labels of filled sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from problex._util.arrays import IntArray
from problex._util.formatting import pluralize, quote_all
from problex._util.records import Record
from problex.audit.coders import read_coding
from problex.audit.design import Design, model_fingerprint, text_fingerprint
from problex.audit.sample import LabelledSample, class_codes
from problex.audit.sheets import LABEL
from problex.audit.workflow import check_model
from problex.corpus import Batch, strip_markup
from problex.errors import ProblexError
from problex.model.model import Model
from problex.scoring.scorer import score
from problex.shares.counting import Labelled, ShareCounter, ShareOptions, count_shares, share_records
from problex.shares.estimators import ALONE, DEFAULT, GroupedLabels, estimate_shares
from problex.shares.grid import GridCounts

Sheets = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One labelled sheet, or several that were drawn one after the other."""
MIN_LABELS_ALONE = 20
"""Labels that a group needs for the difference estimator, whose interval is too short with fewer."""
MAX_NAMED = 5


def sheet_paths(sheets: Sheets) -> list[Path]:
    """The paths of sheets; raise if there is none."""
    paths = [Path(sheets)] if isinstance(sheets, str | PathLike) else [Path(sheet) for sheet in sheets]
    if not paths:
        raise ProblexError("no sheet was given, expected at least one labelled sheet of problex audit sample")
    return paths


@dataclass(eq=False)
class SheetLabels:
    """The labelled documents of sheets; `markup` is whether tags are removed from texts before they are compared.

    `unlabelled` counts documents of the sheets without a label, `coders` is a sentence on several coders. `found`
    counts the labelled documents so far.
    """

    design: Design
    sample: LabelledSample
    unlabelled: int
    coders: str = ""
    markup: bool = False
    found: int = 0

    @classmethod
    def read(cls, sheets: Sheets, model: Model | None, *, column: str = LABEL, markup: bool = False) -> SheetLabels:
        """The labels of filled sheets; raise if they were drawn with another model than the one given."""
        paths = sheet_paths(sheets)
        coding = read_coding(paths, column)
        design = coding.design
        if model is not None:
            check_model(design, model, paths)
        codes = class_codes(design.sample, coding.settled())
        sample = LabelledSample.of(design.sample, codes)
        if model is not None and model_fingerprint(model) != design.model:
            # The probabilities of being drawn are those of the design, the scores those of this model.
            texts = [document.text for document, code in zip(coding.documents, codes, strict=True) if code >= 0]
            sample = replace(sample, values=score(texts, model.label_free).log_odds)
        return cls(design, sample, int(np.sum(codes < 0)), coding.note(), markup)

    @property
    def labelled(self) -> Labelled:
        """For the functions that count documents."""
        return Labelled(len(self.sample.rows), self.find)

    def find(self, batch: Batch) -> IntArray:
        """The number of each labelled document of a batch, -1 for the others; raise if a text is not the one drawn."""
        rows = self.sample.rows
        inside = np.flatnonzero((rows >= batch.first_row) & (rows < batch.first_row + len(batch.texts)))
        positions = rows[inside] - batch.first_row
        texts = batch.texts.take(positions)
        for row, text in zip(rows[inside], (strip_markup(texts) if self.markup else texts).to_pylist(), strict=True):
            self.check_text(int(row), text)
        numbers = np.full(len(batch.texts), -1, dtype=np.int64)
        numbers[positions] = inside
        self.found += len(inside)
        return numbers

    def check_text(self, row: int, text: str) -> None:
        """Raise if the text at a row is not the one that was drawn there."""
        position = int(np.flatnonzero(self.design.sample.rows == row)[0])
        if text_fingerprint(text or "") != self.design.texts[position]:
            raise ProblexError(
                f"row {row} of the texts is not the text that was drawn for the sheet ({(text or '')[:40]!r}...): "
                "expected the same texts in the same order as for problex audit sample, read with the same options"
            )

    def check_found(self) -> None:
        """Raise if the texts ended before all labelled documents were found."""
        self._check_missing(len(self.sample.rows) - self.found)

    def check_length(self, documents: int) -> None:
        """Raise if there are fewer documents than the rows of the sheets need."""
        self._check_missing(int((self.sample.rows >= documents).sum()))

    def _check_missing(self, missing: int) -> None:
        if missing:
            raise ProblexError(
                f"{pluralize(missing, 'labelled document')} of the sheets, such as row {self.sample.rows.max()}, "
                f"{'is' if missing == 1 else 'are'} not among the texts: expected the same texts as for problex audit "
                "sample"
            )


@dataclass(frozen=True, eq=False)
class ShareTable:
    """Records of `share_records` with the columns `estimate`, `low`, `high` and `labels`, and the estimator's name.

    `labelled` is the number of labels, `left_out` that of documents without words, for which there are no estimates.
    """

    records: list[Record]
    estimator: str
    labelled: int
    unlabelled: int
    unreached: int
    left_out: int
    coders: str = ""

    def notes(self) -> list[str]:
        """Sentences on the estimator and on what is missing."""
        shares = f"true shares, estimated from {pluralize(self.labelled, 'label')}"
        notes = [f"{shares} ({self.estimator} estimator); 95% intervals"]
        notes += [self.coders] if self.coders else []
        groups = {row["group"]: (row["labels"], row["documents"]) for row in self.records}
        none = [name for name, (labels, documents) in groups.items() if not labels and documents]
        few = [name for name, (labels, _) in groups.items() if 0 < labels < MIN_LABELS_ALONE]
        if none:
            alone = self.estimator == ALONE
            effects = ("has no estimate", "have no estimate") if alone else ("rests on", "rest on")
            effect = effects[len(none) > 1] + ("" if alone else " the labels of the other groups")
            notes.append(f"{pluralize(len(none), 'group')} without a label ({_named(none)}) {effect}")
        if few and self.estimator == ALONE:
            notes.append(
                f"{pluralize(len(few), 'group has', 'groups have')} fewer than {MIN_LABELS_ALONE} labels "
                f"({_named(few)}): the interval may be too short"
            )
        if self.unlabelled:
            notes.append(
                f"{pluralize(self.unlabelled, 'document')} of the sheets without a label; assumed to be like the others"
            )
        if self.unreached and self.estimator == ALONE:
            notes.append(
                f"{pluralize(self.unreached, 'document')} could not have been labelled, because the part of the sample "
                "that they belong to has no label: the estimates leave them to the others"
            )
        if self.left_out:
            notes.append(f"{pluralize(self.left_out, 'document')} without words left out of the estimates")
        return notes


def _named(names: Sequence[str]) -> str:
    """The first groups in quotes, and how many more there are.

    >>> _named(["a", "b"]), _named(list("abcdefg"))
    ("'a', 'b'", "'a', 'b', 'c', 'd', 'e' and 2 more")
    """
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{quote_all(names[:MAX_NAMED])}{more}"


def share_estimates(
    documents: Any,
    model: Model,
    sheets: Sheets,
    *,
    estimator: str | None = None,
    **options: Unpack[ShareOptions],
) -> list[Record]:
    """The share of each label with an interval, in all or by group or date, from the labels of filled sheets.

    `documents` are those that the sheets were drawn from, in the same order. The other options and the records are
    those of `share_table`; besides, `estimate` is the estimated share of the true label among the documents with words,
    `low` and `high` its interval of 95 %, and `labels` the number of labels of the group. `estimator` is
    `hierarchical`, the default, or `difference`, the default if there are no groups.
    """
    labels = SheetLabels.read(sheets, model, markup=bool(options.get("markup")))
    counter = count_shares(documents, model, labelled=labels.labelled, **options)
    return estimated_table(counter, labels, model.classes, estimator).records


def estimated_table(
    counter: ShareCounter,
    labels: SheetLabels,
    classes: tuple[str, ...],
    estimator: str | None = None,
    max_groups: int | None = None,
) -> ShareTable:
    """The records of counted documents with the estimates of their shares."""
    tally = counter.tally()
    labels.check_found()
    counts = counter.grid_counts(max_groups)
    records = share_records(tally, classes, max_groups=max_groups)
    return add_estimates(records, counts, labels, classes, estimator)


def add_estimates(
    records: Sequence[Record],
    counts: GridCounts,
    labels: SheetLabels,
    classes: Sequence[str],
    estimator: str | None = None,
) -> ShareTable:
    """The records with the columns of the estimates; those of undecided documents are None."""
    name = estimator or (DEFAULT if len(counts.groups) > 1 else ALONE)
    sample = labels.sample
    data = GroupedLabels(
        counts.documents, counts.labelled_groups, counts.labelled_positions, sample.codes, 1.0 / sample.probabilities
    )
    if np.any(counts.labelled_groups < 0):
        raise ProblexError("a labelled document has no words now: expected the texts that the sheets were drawn from")
    shares = dict(zip(classes, estimate_shares(data, name), strict=True))
    positions = {group: at for at, group in enumerate(counts.groups)}
    rows = []
    for record in records:
        at, found = positions[record["group"]], shares.get(record["label"])
        cells: Record = {"estimate": None, "low": None, "high": None}
        if found is not None and np.isfinite(found.values[at]):
            cells = {"estimate": float(found.values[at]), "low": float(found.low[at]), "high": float(found.high[at])}
        rows.append({**record, **cells, "labels": int(data.labels[at])})
    total = sum({row["group"]: row["documents"] for row in rows}.values())
    left_out = total - int(counts.documents[0].sum())
    return ShareTable(rows, name, len(sample.rows), labels.unlabelled, sample.unreached, left_out, labels.coders)
