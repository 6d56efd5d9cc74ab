"""`problex predict`: label texts with a model, to standard output, a file, or a log that can continue."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from problex.cli.inputs import TextFiles, choose_files, choose_table
from problex.cli.options import (
    MEMORY,
    Bom,
    Checkpoint,
    Excludes,
    Force,
    Format,
    Keep,
    Memory,
    ModelFile,
    Output,
    PredictionsTable,
    Raw,
    Rule,
    Temper,
    Threads,
    option,
    options,
)
from problex.cli.output import print_tables
from problex.cli.predictions import (
    Scored,
    ScoringOptions,
    describe_labels,
    describe_losses,
    describe_table,
    prediction_table,
    prediction_tables,
    score_files,
    tally_of,
)
from problex.cli.terminal import say
from problex.estimation import load_model
from problex.model import Model
from problex.tables.write import TableFile

if TYPE_CHECKING:
    from problex.shares.regression import SheetOutcomes


def _without_outcome(name: str) -> Excludes:
    reason = f"the labels belong to all texts under the model's own scores. Leave {name} out"
    return Excludes("--outcome", reason)


@options
def predict(
    *,
    model: ModelFile,
    output: Output = None,
    keep: Keep = None,
    rule: Annotated[Rule, _without_outcome("--rule")] = None,
    temper: Annotated[Temper, _without_outcome("--temper")] = None,
    confidence: Annotated[
        float | None,
        option("--confidence", "NUMBER", "Texts whose label has a lower probability are undecided.", min=0, max=1),
    ] = None,
    outcome: Annotated[
        list[Path] | None,
        option(
            "--outcome",
            "SHEET",
            "A labelled sheet from problex audit sample: add an outcome for regressions. Repeat it for more.",
        ),
    ] = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Annotated[Checkpoint, _without_outcome("--checkpoint")] = None,
    force: Force = False,
    form: Format = "csv",
    raw: Raw = False,
    bom: Bom = False,
    table: PredictionsTable = None,
    texts: TextFiles,
) -> None:
    """Label TEXTS with a MODEL: one row of output for each text."""
    target = choose_table(output, "predictions", table, raw=raw, bom=bom, force=force)
    files = choose_files(texts, target, model, *(outcome or ()), keep=keep, memory=memory, checkpoint=checkpoint)
    scoring = ScoringOptions(rule, temper, confidence, markup=texts.markup, threads=threads, memory=memory)
    loaded = load_model(model)
    if checkpoint is not None and target is not None:
        say(*write_resumably(loaded, model, files, scoring, target, checkpoint))
        return
    outcomes = read_outcomes(outcome, loaded, markup=texts.markup) if outcome else None
    scored = score_files(loaded, files, scoring)
    if target is not None:
        say(*write_predictions(scored, target, loaded, outcomes))
    else:
        tally = Counter[str]()
        print_tables(prediction_tables(scored, tally, outcomes), form, raw=raw)
        say(describe_losses(tally).removeprefix("; "))
    say(*(outcomes.notes() if outcomes else []))


def read_outcomes(sheets: list[Path], model: Model, *, markup: bool) -> SheetOutcomes:
    """The labels of sheets, for the column of outcomes."""
    from problex.shares.regression import SheetOutcomes

    return SheetOutcomes.read(sheets, model, markup=markup)


def write_predictions(
    scored: Scored, target: TableFile, model: Model, outcomes: SheetOutcomes | None = None
) -> list[str]:
    """Write predictions, whole or not at all; returns messages about the rows, the labels and what was lost."""
    tally = Counter[str]()
    target.check()
    notes = target.write(prediction_tables(scored, tally, outcomes))
    return [threshold_note(model), *describe_labels(tally, model.classes), *describe_table(target.path, tally, notes)]


def write_resumably(
    model: Model, file: Path, texts: TextFiles, options: ScoringOptions, target: TableFile, checkpoint: Path
) -> list[str]:
    """Like `write_predictions`, with a log from which the same command continues after an interruption."""
    from problex.cli.prediction_log import resume_table

    with resume_table(target, checkpoint, texts, asdict(options), model=file) as run:
        scored = score_files(model, texts, options, run.start)
        tally, notes = run.write(
            (prediction_table(batch, part), batch.position, tally_of(batch, part)) for batch, part in scored
        )
    return [threshold_note(model), *describe_labels(tally, model.classes), *describe_table(target.path, tally, notes)]


def threshold_note(model: Model) -> str:
    """Whether labels of an audit have set the threshold."""
    return f"threshold and probabilities: {model.threshold_source}"
