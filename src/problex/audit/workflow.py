"""The three steps of an audit: draw a sheet, score the filled sheets, store the calibration in the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from problex._util.files import check_writable
from problex.audit.expectations import expected_measures
from problex.audit.results import Audit, audit
from problex.audit.sampling import draw
from problex.audit.sheets import (
    LABEL,
    Design,
    design_path,
    model_fingerprint,
    read_design,
    read_sheet,
    text_fingerprint,
    write_sheet,
)
from problex.corpus import Batch, documents_at
from problex.errors import ProblexError
from problex.estimation.model import Model
from problex.estimation.model_file import load_model, save_model
from problex.scoring.scorer import score_batches
from problex.scoring.scores import join


def draw_sheet(
    model: Model,
    read: Callable[[], Iterable[Batch]],
    path: Path,
    size: int,
    *,
    seed: int = 0,
    earlier: Sequence[Path] = (),
    markup: bool = False,
    force: bool = False,
    raw: bool = False,
) -> tuple[Design, int]:
    """Write a sheet of `size` documents to label; return its design and the number of documents without words.

    `read` opens the texts and is called twice: to score them all, and to fetch those drawn, so that memory holds only
    these. A column `id` is copied to the sheet if the batches have kept one. `earlier` are sheets drawn before from
    the same texts; their documents are not drawn again. Cells that a spreadsheet would compute are made
    harmless, unless `raw`.
    """
    for file in (path, design_path(path)):
        check_writable(file, force=force)
    before = join_designs(earlier, model)
    scores = join([part for _, part in score_batches(iter(read()), model, markup=markup)])
    sample = draw(scores, size, seed=seed, earlier=before.sample if before else None)
    rows = sample.rows.tolist()
    by_row = documents_at(read(), rows, markup=markup)
    documents = [by_row[row] for row in rows]
    design = Design(
        sample,
        model_fingerprint(model),
        seed,
        tuple(text_fingerprint(document["text"]) for document in documents),
        before.expected if before else expected_measures(model, scores),
    )
    write_sheet(path, design, documents, force=force, raw=raw)
    return design, int((scores.lengths == 0).sum())


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


def score_sheets(sheets: Sequence[Path], column: str = LABEL) -> tuple[Audit, Design]:
    """The audit of filled sheets that were drawn one after the other, and their joint design."""
    designs, labels = zip(*(read_sheet(sheet, column) for sheet in sheets), strict=True)
    design = designs[0]
    for other in designs[1:]:
        design = design + other
    return audit(design.sample, [label for part in labels for label in part], design.expected), design


def check_model(design: Design, model: Model, sheets: Sequence[Path]) -> None:
    """Raise if the sheets were drawn with another model."""
    if design.model != model_fingerprint(model):
        names = ", ".join(sheet.name for sheet in sheets)
        raise ProblexError(
            f"the documents of {names} were drawn with another model than the one given, so their labels do not judge "
            "it: give that model, or draw and label a sample with this one"
        )


def store_calibration(result: Audit, design: Design, path: Path) -> None:
    """Put the calibration of an audit into the model file at `path`; raise if another model was audited."""
    model = load_model(path)
    if model_fingerprint(model) != design.model:
        raise ProblexError(
            f"{str(path)!r} is not the model that the documents were drawn with, so the calibration is not its own: "
            "give that model, or draw and label a sample with this one"
        )
    save_model(replace(model, platt=result.platt), path, force=True)
