"""The labels of filled sheets, found again in the texts that they were drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import numpy as np

from problex._util.arrays import IntArray
from problex._util.formatting import pluralize
from problex.audit.coders import read_coding
from problex.audit.labelled import LabelledSample, class_codes
from problex.audit.sheets import LABEL, Design, model_fingerprint, text_fingerprint
from problex.audit.workflow import check_model
from problex.corpus import Batch, strip_markup
from problex.errors import ProblexError
from problex.model.model import Model
from problex.scoring.scorer import score
from problex.shares.counting import Labelled

Sheets = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One labelled sheet, or several that were drawn one after the other."""


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
        places = rows[inside] - batch.first_row
        texts = batch.texts.take(places)
        for row, text in zip(rows[inside], (strip_markup(texts) if self.markup else texts).to_pylist(), strict=True):
            self.check_text(int(row), text)
        numbers = np.full(len(batch.texts), -1, dtype=np.int64)
        numbers[places] = inside
        self.found += len(inside)
        return numbers

    def check_text(self, row: int, text: str) -> None:
        """Raise if the text at a row is not the one that was drawn there."""
        place = int(np.flatnonzero(self.design.sample.rows == row)[0])
        if text_fingerprint(text or "") != self.design.texts[place]:
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
