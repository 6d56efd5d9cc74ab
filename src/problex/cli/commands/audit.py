"""`problex audit`: draw a sample, compare its coders, and estimate accuracy and shares from the labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from problex._util.files import check_writable
from problex._util.formatting import join_with_or, pluralize
from problex.audit import draw_sheet, score_sheets, store_calibration
from problex.audit.coders import read_coding, write_disagreements
from problex.audit.design import design_path
from problex.audit.planning import plan
from problex.audit.sheets import LABEL, sheet_paths
from problex.audit.thresholds import effect_of_labels
from problex.audit.workflow import score_groups
from problex.cli.application import PlainCommand, PlainGroup
from problex.cli.grouping import SampleGroups
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import Force, Format, ModelFile, Raw, option, options
from problex.cli.output import progress, show
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.estimation import load_model

LabelColumn = Annotated[str, option("--label", "COLUMN", "The column with the labels.")]

audit = typer.Typer(
    cls=PlainGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    help="Estimate the accuracy of a model from a few labels: draw a sample, label it, and score the labels.",
)


@audit.command(cls=PlainCommand)
@options
def sample(
    *,
    model: ModelFile,
    output: Annotated[Path, option("--output -o", "FILE", "The sheet to write, .csv.")],
    size: Annotated[int, option("-n", "N", "How many documents to draw.", min=1)] = 60,
    more: Annotated[
        list[Path] | None,
        option("--more", "FILE", "An earlier sheet, whose documents are not drawn again; repeat the option for more."),
    ] = None,
    seed: Annotated[int, option("", "N", "The seed of the sample: the same seed draws the same documents.", min=0)] = 0,
    groups: SampleGroups,
    coders: Annotated[
        str | None,
        option("--coders", "NAMES", "Write a sheet for each of several coders: --coders anna,ben."),
    ] = None,
    force: Force = False,
    raw: Raw = False,
    texts: TextFiles,
) -> None:
    """Draw a random sample of TEXTS and write a sheet for a person to label; it does not show the scores."""
    names = [name.strip() for name in coders.split(",")] if coders else []
    check_writable(output, force=True)
    sheets = sheet_paths(output, names)
    outputs = {f"the sheet {sheet.name}" if names else "--output": sheet for sheet in sheets}
    check_outputs({**outputs, "the design beside it": design_path(output)}, texts, model, *(more or ()))
    if not texts.is_rereadable and "-" in map(str, texts.files):
        raise ProblexError("standard input was given, but a sample reads the texts twice: save them to a file first")
    files = texts.with_id().also_keeping(groups.by)
    design, notes = draw_sheet(
        load_model(model),
        lambda: progress(files.batches(), "reading"),
        output,
        size,
        seed=seed,
        earlier=more or (),
        by=groups.by or "",
        every=groups.every,
        date_order=groups.date_order,
        coders=names,
        markup=texts.markup,
        force=force,
        raw=raw,
    )
    written = " and to ".join(map(str, sheets))
    say("; ".join([f"wrote {len(design.texts)} of {design.sample.documents:,} documents to {written}", *notes]))
    choices = join_with_or(design.sample.classes)
    say(f"write {choices} into the column 'label'")
    say(f"keep {design_path(output).name} in the same folder, and then run:")
    say(f"problex audit {'agree' if names else 'score'} {' '.join(map(str, sheets))}")


@audit.command("plan", cls=PlainCommand)
@options
def plan_labels(
    *,
    model: ModelFile,
    sizes: Annotated[
        list[int] | None,
        option("-n", "N", "A number of labels; repeat the option for more.", default="20 to 500", min=1),
    ] = None,
    groups: SampleGroups,
    form: Format = "table",
    raw: Raw = False,
    texts: TextFiles,
) -> None:
    """Compute how wide the intervals of an audit of TEXTS will be, by the number of labels."""
    files = replace(texts, keep=(groups.by,) if groups.by else ())
    scores, by_group = score_groups(
        load_model(model),
        files.rereader(),
        by=groups.by or "",
        every=groups.every,
        date_order=groups.date_order,
        markup=texts.markup,
    )
    planned = plan(scores, sizes, by_group)
    show(planned.as_shown() if form == "table" else planned.records(), form, raw=raw)
    for note in planned.notes():
        say(note)


@audit.command(cls=PlainCommand)
def agree(
    sheets: Annotated[
        list[Path],
        typer.Argument(metavar="SHEETS", help="The sheets of several coders for the same sample, to_label.anna.csv."),
    ],
    output: Annotated[
        Path | None,
        option("--output -o", "FILE", "Write the documents on which they disagree, .csv."),
    ] = None,
    label: LabelColumn = LABEL,
    form: Format = "table",
    force: Force = False,
    raw: Raw = False,
) -> None:
    """Compute the agreement of coders, and write a sheet to settle their disagreements."""
    check_outputs({"--output": output}, None, *sheets)
    coding = read_coding(sheets, label)
    show([agreement.record() for agreement in coding.agreements()], form, raw=raw)
    say(coding.note())
    if output is not None and coding.disputed:
        write_disagreements(coding, output, force=force, raw=raw)
        number = pluralize(len(coding.disputed), "document")
        say(f"wrote {number} to {output}; fill in the column 'adjudicated' and run:")
        say(f"problex audit score {' '.join(map(str, [*coding.sheets, output]))}")
    elif output is not None:
        say(f"the coders agree on all documents: {output} was not written")


@audit.command(cls=PlainCommand)
def score(
    sheets: Annotated[
        list[Path],
        typer.Argument(
            metavar="SHEETS",
            help="The labelled sheets; give one drawn with --more together with the earlier ones, and those of several "
            "coders together with the one that settles their disagreements.",
        ),
    ],
    label: LabelColumn = LABEL,
    model: Annotated[
        Path | None,
        option(
            "--model",
            "MODEL",
            "Judge this model, which may have another lexicon or other settings.",
            default="the one that the documents were drawn with",
        ),
    ] = None,
    store: Annotated[
        Path | None,
        option("--store", "MODEL", "Let the labels set threshold and probabilities of this model."),
    ] = None,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Estimate accuracy, AUC, precision, recall and prevalence from labelled SHEETS, with intervals."""
    result, design = score_sheets(sheets, label, None if model is None else load_model(model))
    show(result.records(), form, raw=raw)
    for note in result.notes(stored=store is not None):
        say(note)
    if store is not None:
        stored = store_calibration(result, design, store)
        say(f"stored threshold and probabilities from {pluralize(stored.calibration.labels, 'label')} in {store}")
        if result.labelled_texts is not None:
            effect = effect_of_labels(stored, result.labelled_texts)
            for name, (before, after) in (("accuracy", effect.accuracy), ("log loss", effect.log_loss)):
                say(f"{name} {before:.3f} without the labels, {after:.3f} with them (cross-validated)")
