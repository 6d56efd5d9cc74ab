"""`problex audit sample` and `problex audit score`: estimates from a few labelled documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from problex._util.formatting import join_with_or, pluralize
from problex._util.progress import progress
from problex._util.terminal import say
from problex.audit import draw_sheet, score_sheets, store_calibration
from problex.audit.sheets import design_path
from problex.cli.grouping import DateOrder, Every
from problex.cli.help import PlainCommand, PlainGroup
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import Force, Format, ModelFile, Raw
from problex.cli.output import show
from problex.cli.reading import reads_texts
from problex.errors import ProblexError
from problex.estimation import load_model

audit = typer.Typer(
    cls=PlainGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    help="Estimate the accuracy of a model from a few labels: draw a sample, label it, and score the labels.",
)


@audit.command(cls=PlainCommand)
@reads_texts()
def sample(
    model: ModelFile,
    texts: TextFiles,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The sheet to write, .csv.")],
    size: Annotated[int, typer.Option("-n", min=1, metavar="N", help="How many documents to draw.")] = 60,
    more: Annotated[
        list[Path] | None,
        typer.Option(
            "--more",
            metavar="FILE",
            help="An earlier sheet, whose documents are not drawn again; repeat the option for more.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="The seed of the sample: the same seed draws the same documents.")
    ] = 0,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="COLUMN", help="Draw equally many documents of each group or date in this column."
        ),
    ] = None,
    every: Every = None,
    date_order: DateOrder = None,
    force: Force = False,
    raw: Raw = False,
) -> None:
    """Draw a random sample of TEXTS and write a sheet for a person to label; it does not show the scores."""
    check_outputs({"--output": output, "the design beside it": design_path(output)}, texts, model, *(more or ()))
    if not texts.is_rereadable and "-" in map(str, texts.files):
        raise ProblexError("standard input was given, but a sample reads the texts twice: save them to a file first")
    files = texts.with_id().also_keeping(by)
    design, empty = draw_sheet(
        load_model(model),
        lambda: progress(files.batches(), "reading"),
        output,
        size,
        seed=seed,
        earlier=more or (),
        by=by or "",
        every=every,
        date_order=date_order,
        markup=texts.markup,
        force=force,
        raw=raw,
    )
    left_out = f"; {pluralize(empty, 'document')} without words left out" if empty else ""
    say(f"wrote {len(design.texts)} of {design.sample.documents:,} documents to {output}{left_out}")
    names = join_with_or(design.sample.classes)
    say(f"write {names} into the column 'label', keep {design_path(output).name} in the same folder, and then run:")
    say(f"problex audit score {output}")


@audit.command(cls=PlainCommand)
def score(
    sheets: Annotated[
        list[Path],
        typer.Argument(
            metavar="SHEETS", help="The labelled sheets; give one drawn with --more together with the earlier ones."
        ),
    ],
    label: Annotated[str, typer.Option("--label", metavar="COLUMN", help="The column with the labels.")] = "label",
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="MODEL", help="Save the calibration in this model, for better probabilities."),
    ] = None,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Estimate accuracy, AUC, precision, recall and prevalence from labelled SHEETS, with intervals."""
    result, design = score_sheets(sheets, label)
    show(result.records(), form, raw=raw)
    for note in result.notes():
        say(note)
    if store is not None:
        store_calibration(result, design, store)
        say(f"stored the calibration in {store}: its probabilities are now calibrated with {result.labelled} labels")
