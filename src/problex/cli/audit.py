"""`problex audit`: label a few documents, and know."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    from problex.corpus import Batch

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
    from problex.audit import draw_sheet
    from problex.corpus import batches, column_names
    from problex.estimation.model_file import load_model

    if any(str(file) == "-" for file in texts):
        raise ProblexError("standard input was given, but texts are read twice for a sample: save them to a file first")
    keep = ("id",) if "id" in column_names(texts, input_format) else ()

    def read() -> Iterator[Batch]:
        stream = batches(texts, text=text, missing="empty", on_error=str(on_error), keep=keep, format=input_format)
        return progress(stream, "reading")

    design, empty = draw_sheet(
        load_model(model),
        read,
        output,
        size,
        seed=seed,
        earlier=more or (),
        markup=markup,
        force=force,
    )
    left_out = f"; {pluralize(empty, 'document')} without words left out" if empty else ""
    say(f"wrote {len(design.texts)} of {design.sample.documents:,} documents to {output}{left_out}")
    names = " or ".join(design.sample.classes)
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
    """Estimate accuracy, AUC, precision, recall and prevalence from the labels, with intervals."""
    from problex.audit import score_sheets, store_calibration

    result, design = score_sheets(sheets, label)
    show(result.records(), form)
    for note in result.notes():
        say(note)
    if store is not None:
        store_calibration(result, design, store)
        say(f"stored the calibration in {store}: its probabilities now rest on {result.labelled} labels")
