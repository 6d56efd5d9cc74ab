"""`problex audit`: label a few documents, and know."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from problex._util.formatting import pluralize
from problex._util.progress import progress
from problex.cli.application import (
    ErrorActions,
    Force,
    Format,
    Forms,
    InputFormat,
    Markup,
    ModelFile,
    OnError,
    TextColumn,
    Texts,
    app,
    say,
    show,
)
from problex.errors import ProblexError

if TYPE_CHECKING:
    from problex.audit.results import Audit
    from problex.audit.sheets import Design
    from problex.corpus.files import Corpus

commands = typer.Typer(no_args_is_help=True, help="Label a few documents, and know how good a model is.")
app.add_typer(commands, name="audit")


@commands.command()
def sample(
    model: ModelFile,
    texts: Texts,
    output: Annotated[Path, typer.Option("--output", "-o", help="The sheet to fill in, .csv")],
    size: Annotated[int, typer.Option("-n", min=1, help="Documents to draw.")] = 60,
    more: Annotated[
        list[Path] | None, typer.Option("--more", help="A sheet drawn before: its documents are not drawn again.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same documents.")] = 0,
    text: TextColumn = None,
    markup: Markup = False,
    on_error: OnError = ErrorActions.stop,
    input_format: InputFormat = None,
    force: Force = False,
) -> None:
    """Draw documents for a person to label, without showing their scores."""
    reading = {"text": text, "format": input_format, "on_error": str(on_error)}
    design, left_out = draw_sheet(model, texts, output, size, more or [], seed, reading, markup, force)
    names = " or ".join(design.sample.classes)
    say(f"wrote {len(design.prints)} of {design.sample.documents:,} documents to {output}{left_out}")
    say(f"write {names} into its column 'label', keep its .audit.json beside it, then: problex audit score {output}")


@commands.command()
def score(
    sheets: Annotated[list[Path], typer.Argument(help="Filled sheets; those drawn with --more count together.")],
    label: Annotated[str, typer.Option("--label", help="Name of the column with the labels.")] = "label",
    store: Annotated[
        Path | None, typer.Option("--store", help="Put the calibrated probabilities into this model.")
    ] = None,
    form: Format = Forms.table,
) -> None:
    """Say what the labels say: accuracy, AUC, precision, recall and prevalence, with intervals."""
    found, design = score_sheets(sheets, label)
    show(found.records(), form)
    for note in found.notes():
        say(note)
    if store is not None:
        say(store_calibration(found, design, store))


def draw_sheet(
    model_file: Path,
    texts: Corpus,
    output: Path,
    size: int,
    more: list[Path],
    seed: int,
    reading: dict[str, Any],
    markup: bool,
    force: bool,
) -> tuple[Design, str]:
    """Score the texts, draw, and read those drawn a second time: the others are never held."""
    from problex._util.files import check_writable
    from problex.audit.results import beliefs
    from problex.audit.sampling import draw
    from problex.audit.sheets import Design, design_path, model_print, text_print, write_sheet
    from problex.cli.commands import documents_at
    from problex.corpus.documents import batches, columns_of
    from problex.estimation.model_file import load_model
    from problex.scoring.scores import join, score_batches

    if any(str(file) == "-" for file in ([texts] if isinstance(texts, Path) else texts)):
        raise ProblexError("standard input was given, but texts are read twice for a sample: save them to a file first")
    for file in (output, design_path(output)):
        check_writable(file, force=force)
    model = load_model(model_file)
    earlier = earlier_design(more, model_print(model))
    stream = progress(batches(texts, missing="empty", **reading), "scoring")
    scores = join([part for _, part in score_batches(stream, model, markup=markup)], model.classes)
    drawn = draw(scores, size, seed=seed, earlier=earlier.sample if earlier else None)
    keep = ("id",) if "id" in columns_of(texts, reading["format"]) else ()
    documents = documents_at(texts, drawn.rows.tolist(), reading | {"keep": keep}, markup)
    chosen = [documents[row] for row in drawn.rows.tolist()]
    prints = tuple(text_print(document["text"]) for document in chosen)
    design = Design(drawn, model_print(model), seed, prints, earlier.believed if earlier else beliefs(model, scores))
    write_sheet(output, design, chosen, force=force)
    empty = int((scores.lengths == 0).sum())
    return design, f"; {pluralize(empty, 'document')} without words left out" if empty else ""


def earlier_design(sheets: list[Path], model: str) -> Design | None:
    """The designs of sheets drawn before, as one; they must be of the same model."""
    from problex.audit.sheets import read_design

    found: Design | None = None
    for sheet in sheets:
        design = read_design(sheet)
        if design.model != model:
            raise ProblexError(
                f"{sheet.name} was drawn with another model than the one given, so its labels cannot be joined: give "
                "the same model, or draw a new sample without --more"
            )
        found = design if found is None else found + design
    return found


def score_sheets(sheets: list[Path], column: str) -> tuple[Audit, Design]:
    """Read filled sheets of one design and judge the model by them."""
    from problex.audit.results import audit
    from problex.audit.sheets import read_sheet

    designs, labels = zip(*(read_sheet(sheet, column) for sheet in sheets), strict=True)
    whole = designs[0]
    for design in designs[1:]:
        whole = whole + design
    return audit(whole.sample, [label for part in labels for label in part], whole.believed), whole


def store_calibration(found: Audit, design: Design, path: Path) -> str:
    """Put the calibration into the model that was audited, and into no other."""
    from dataclasses import replace

    from problex.audit.sheets import model_print
    from problex.estimation.model_file import load_model, save_model

    model = load_model(path)
    if model_print(model) != design.model:
        raise ProblexError(
            f"{str(path)!r} is not the model that the documents were drawn with, so the calibration is not its own: "
            "give that model, or draw and label a sample with this one"
        )
    save_model(replace(model, platt=found.platt), path, force=True)
    return f"stored the calibration in {path}: its probabilities now rest on {found.labelled} labels"
