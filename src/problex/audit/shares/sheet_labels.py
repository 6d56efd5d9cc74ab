"""The labels of filled sheets, found again in the texts that they were drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from problex._util.arrays import IntArray
from problex._util.formatting import pluralize
from problex.audit.coders import read_coding
from problex.audit.labelled import LabelledSample, class_codes
from problex.audit.sheets import LABEL, Design, text_fingerprint
from problex.audit.workflow import check_model
from problex.corpus import Batch, strip_markup
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.evaluation.shares import Labelled

Sheets = str | PathLike[str] | Sequence[str | PathLike[str]]
"""One labelled sheet, or several that were drawn one after the other."""


@dataclass(eq=False)
class SheetLabels:
    """The labelled documents of sheets; `markup` is whether tags are removed from texts before they are compared.

    `unlabelled` counts documents of the sheets without a label. `found` counts the labelled documents so far.
    """

    design: Design
    sample: LabelledSample
    unlabelled: int
    markup: bool = False
    found: int = 0

    @classmethod
    def read(cls, sheets: Sheets, model: Model | None, *, column: str = LABEL, markup: bool = False) -> SheetLabels:
        """The labels of filled sheets; raise if they were drawn with another model than the one given."""
        paths = [Path(sheets)] if isinstance(sheets, str | PathLike) else [Path(sheet) for sheet in sheets]
        if not paths:
            raise ProblexError("no sheet was given, expected at least one labelled sheet of problex audit sample")
        coding = read_coding(paths, column)
        design = coding.design
        if model is not None:
            check_model(design, model, paths)
        codes = class_codes(design.sample, coding.settled())
        return cls(design, LabelledSample.of(design.sample, codes), int(np.sum(codes < 0)), markup)

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
        missing = len(self.sample.rows) - self.found
        if missing:
            raise ProblexError(
                f"{pluralize(missing, 'labelled document')} of the sheets, such as row {self.sample.rows.max()}, "
                f"{'is' if missing == 1 else 'are'} not among the texts: expected the same texts as for problex audit "
                "sample"
            )
