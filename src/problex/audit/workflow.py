"""The three steps of an audit: draw a sheet, score the filled sheets, store the calibration in the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from problex._util.files import check_writable
from problex._util.formatting import pluralize
from problex.audit.coders import read_coding
from problex.audit.design import (
    Design,
    design_path,
    expected_measures,
    model_fingerprint,
    read_design,
    text_fingerprint,
)
from problex.audit.results import Audit, audit, labelled_texts
from problex.audit.sample import Groups, draw
from problex.audit.sheets import LABEL, sheet_paths, write_sheet
from problex.audit.thresholds import with_labels
from problex.corpus import Batch
from problex.corpus.documents import documents_at
from problex.errors import ProblexError
from problex.estimation.model_file import load_model, save_model
from problex.grouping.grouping import groups_of, make_grouping
from problex.model.model import Model
from problex.scoring.scorer import score, score_batches
from problex.scoring.scores import Scores, join


def draw_sheet(
    model: Model,
    read: Callable[[], Iterable[Batch]],
    path: Path,
    size: int,
    *,
    seed: int = 0,
    earlier: Sequence[Path] = (),
    by: str = "",
    every: str | None = None,
    date_order: str | None = None,
    coders: Sequence[str] = (),
    markup: bool = False,
    force: bool = False,
    raw: bool = False,
) -> tuple[Design, list[str]]:
    """Write a sheet of `size` documents to label; return its design, and notes on documents left out and on copies.

    `read` opens the texts and is called twice: to score them all, and to fetch those drawn, so that memory holds only
    these. A column `id` is copied to the sheet if the batches have kept one. `earlier` are sheets drawn before from
    the same texts; their documents are not drawn again. With a column `by`, which the batches have kept, each of its
    groups gets the same number of labels; `every` and `date_order` say how its dates are read, as for shares. With
    `coders`, each gets a sheet, such as to_label.anna.csv for to_label.csv. Cells that a spreadsheet would compute are
    made harmless, unless `raw`.
    """
    for file in (*sheet_paths(path, coders), design_path(path)):
        check_writable(file, force=force)
    model = model.label_free  # stored labels must not change from which strata documents are drawn
    before = join_designs(earlier, model)
    scores, groups = score_groups(model, read, by=by, every=every, date_order=date_order, markup=markup)
    sample = draw(scores, size, seed=seed, earlier=before.sample if before else None, groups=groups)
    rows = sample.rows.tolist()
    by_row = documents_at(read(), rows, markup=markup)
    documents = [by_row[row] for row in rows]
    design = Design(
        sample,
        model_fingerprint(model),
        seed,
        tuple(text_fingerprint(document["text"]) for document in documents),
        before.expected if before else expected_measures(scores),
    )
    write_sheet(path, design, documents, coders=coders, force=force, raw=raw)
    empty = int((scores.lengths == 0).sum())
    left_out = f"{pluralize(empty, 'document')} without words left out" if empty else ""
    return design, [note for note in (left_out, scores.describe_copies()) if note]


def score_groups(
    model: Model,
    read: Callable[[], Iterable[Batch]],
    *,
    by: str = "",
    every: str | None = None,
    date_order: str | None = None,
    markup: bool = False,
) -> tuple[Scores, Groups | None]:
    """The scores of all texts, and their groups by the column `by`, if it is given."""
    parts: list[Scores] = []
    values: list[pa.ChunkedArray] = []
    for batch, scores in score_batches(iter(read()), model, markup=markup):
        parts.append(scores)
        if by and batch.columns is not None:
            values.append(batch.columns[by])
    make_grouping(by or None, every, date_order)  # raises if a way to read dates is given without a column
    return join(parts), Groups(by, groups_of(values, by, every, date_order)) if by else None


def join_designs(sheets: Sequence[Path], model: Model) -> Design | None:
    """The designs of sheets drawn before as one, None without sheets; raise if one is of another model."""
    joined: Design | None = None
    for sheet in sheets:
        design = read_design(sheet)
        if design.model != model_fingerprint(model):
            raise ProblexError(
                f"{sheet.name} was drawn with another model than the one given, so its labels cannot be joined: give "
                "the same model, or draw a new sample without --more"
            )
        joined = design if joined is None else joined + design
    return joined


def score_sheets(sheets: Sequence[Path], column: str = LABEL, model: Model | None = None) -> tuple[Audit, Design]:
    """The audit of filled sheets, of samples drawn one after the other, and their joint design.

    Each sample may have sheets of several coders; a sheet with a column `adjudicated` settles their disagreements. With
    another `model` than the one that the documents were drawn with, that one is judged: it scores the texts of the
    sheets, and each label counts for as many documents as in the design.
    """
    coding = read_coding(sheets, column)
    design, scores = coding.design, None
    if model is not None:
        check_model(design, model, sheets)
    if model is not None and model_fingerprint(model) != design.model:
        scores = score([document.text for document in coding.documents], model.label_free)
    labels = coding.settled()
    result = audit(design.sample, labels, design.expected, scores)
    found = labelled_texts(design.sample, labels, [document.text for document in coding.documents])
    return replace(result, coders=coding.note(), labelled_texts=found), design


def check_model(design: Design, model: Model, sheets: Sequence[Path]) -> None:
    """Raise if the labels of the sheets are not those of the model; its weights and settings may be others."""
    if design.sample.classes != model.classes:
        names, own, other = (", ".join(part) for part in (map(str, sheets), model.classes, design.sample.classes))
        raise ProblexError(
            f"the documents of {names} have the labels {other}, but the model has {own}: expected the same labels. "
            "Give a model with these labels, or draw and label a sample with this one"
        )


def store_calibration(result: Audit, design: Design, path: Path) -> Model:
    """Move threshold and probabilities of the model file at `path` by the labels of an audit, and return the model.

    The model may be another one than the documents were drawn with; `result` is that of `score_sheets`.
    """
    if result.labelled_texts is None:
        raise ProblexError("the audit does not have its texts, expected the result of score_sheets")
    model = load_model(path)
    check_model(design, model, [path])
    stored = with_labels(model, result.labelled_texts)
    save_model(stored, path, force=True)
    return stored
