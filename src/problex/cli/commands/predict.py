"""`problex predict`: label texts with a model, to standard output, a file, or a log that can continue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import pyarrow as pa
import typer

from problex._util.files import is_left_over
from problex._util.formatting import pluralize
from problex._util.memory import choose_batch_bytes
from problex.cli.inputs import TextFiles, choose_files, choose_table
from problex.cli.options import (
    MEMORY,
    Bom,
    Checkpoint,
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
)
from problex.cli.output import print_tables, resumable
from problex.cli.predictions import describe_labels, describe_losses, prediction_table, tally_of
from problex.cli.progress import progress
from problex.cli.reading import reads_texts
from problex.cli.terminal import say
from problex.corpus import Batch, ReadOptions
from problex.counting.checkpoints import corpus_key
from problex.errors import DocumentError, ProblexError
from problex.estimation import load_model
from problex.model import Model
from problex.scoring import Scores, score_batches
from problex.tables.reader import Position
from problex.tables.write import TableFile

if TYPE_CHECKING:
    from problex.shares.regression import SheetOutcomes

Scored = Iterator[tuple[Batch, Scores]]


@reads_texts()
def predict(
    model: ModelFile,
    texts: TextFiles,
    output: Output = None,
    keep: Keep = None,
    rule: Rule = None,
    temper: Temper = None,
    confidence: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="NUMBER", help="Texts whose label has a lower probability are undecided."),
    ] = None,
    outcome: Annotated[
        list[Path] | None,
        typer.Option(
            "--outcome",
            metavar="SHEET",
            help="A labelled sheet from problex audit sample: add an outcome for regressions. Repeat it for more.",
        ),
    ] = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Checkpoint = None,
    force: Force = False,
    form: Format = "csv",
    raw: Raw = False,
    bom: Bom = False,
    table: PredictionsTable = None,
) -> None:
    """Label TEXTS with a MODEL: one row of output for each text."""
    target = choose_table(output, "predictions", table, raw=raw, bom=bom, force=force)
    files = choose_files(texts, target, model, *(outcome or ()), keep=keep, memory=memory, checkpoint=checkpoint)
    scoring = ScoringOptions(rule, temper, confidence, markup=texts.markup, threads=threads, memory=memory)
    if checkpoint is not None and target is not None:
        check_no_outcome(outcome, {"--checkpoint": checkpoint})
        say_all(write_resumably(model, files, scoring, target, checkpoint))
        return
    loaded = load_model(model)
    outcomes = read_outcomes(outcome, loaded, scoring) if outcome else None
    scored = score_files(loaded, files, scoring)
    if target is not None:
        messages = write_predictions(scored, target, loaded.classes, outcomes)
        say_all([threshold_note(loaded), *messages])
    else:
        say(print_predictions(scored, form, raw=raw, outcomes=outcomes))
    say_all(outcomes.notes() if outcomes else [])


def read_outcomes(sheets: list[Path], model: Model, options: ScoringOptions) -> SheetOutcomes:
    """The labels of sheets, for the column of outcomes."""
    from problex.shares.regression import SheetOutcomes

    check_no_outcome(sheets, {"--rule": options.rule, "--temper": options.temper})
    return SheetOutcomes.read(sheets, model, markup=options.markup)


def check_no_outcome(outcome: list[Path] | None, others: Mapping[str, object]) -> None:
    """Raise if an option was given that cannot be used together with outcomes."""
    for name, value in others.items():
        if outcome and value is not None:
            raise ProblexError(
                f"{name} was given with --outcome: the labels belong to all texts under the model's own scores. Leave "
                f"{name} out"
            )


@dataclass(frozen=True)
class ScoringOptions:
    """How texts are scored; None is the model's own rule and temper."""

    rule: str | None = None
    temper: str | None = None
    confidence: float | None = None
    markup: bool = False
    threads: int | None = None
    memory: str = MEMORY


def score_files(model: Model, texts: TextFiles, options: ScoringOptions, start: Position = ()) -> Scored:
    """Scored documents, batch by batch, from a position on; raise if there is none at all."""
    batch_bytes = choose_batch_bytes(texts.memory, options.threads)
    stream = progress(texts.batches(batch_bytes=batch_bytes, start=start), "scoring")
    empty = not start
    for batch, scores in score_batches(
        stream, model, rule=options.rule, temper=options.temper, markup=options.markup, threads=options.threads
    ):
        empty = False
        yield batch, replace(scores, confidence=options.confidence)
    if empty:
        raise DocumentError("there are no documents to label, expected at least one text")


def write_predictions(
    scored: Scored, target: TableFile, classes: Sequence[str], outcomes: SheetOutcomes | None = None
) -> list[str]:
    """Write predictions, whole or not at all; returns messages about the rows, the labels and what was lost."""
    tally = Counter[str]()
    target.check()
    notes = target.write(_tables(scored, tally, outcomes))
    return summarize_predictions(target.path, tally, classes, notes)


def write_resumably(
    model_file: Path, texts: TextFiles, options: ScoringOptions, target: TableFile, checkpoint: Path
) -> list[str]:
    """Like `write_predictions`, with a log from which the same command continues after an interruption."""
    from problex.cli.prediction_log import PredictionLog

    target = replace(target, confirm=is_left_over(checkpoint, target.path))
    target.check()
    model = load_model(model_file)
    reading = {"text": texts.text, "keep": texts.keep} | ReadOptions(**texts.reading).key()
    key = corpus_key(texts.files) | reading | asdict(options) | {"threads": options.threads or cpu_count()}
    log = PredictionLog(checkpoint, key | {"model": sha256(model_file.read_bytes()).hexdigest()})
    with resumable(checkpoint), log.lock():
        scored = score_files(model, texts, options, log.resume())
        log.extend((prediction_table(batch, part), batch.position, tally_of(batch, part)) for batch, part in scored)
        notes = target.write(log.tables())
        messages = summarize_predictions(target.path, log.tally(), model.classes, notes)
        log.remove()
    return [threshold_note(model), *messages]


def threshold_note(model: Model) -> str:
    """Whether labels of an audit have set the threshold."""
    return f"threshold and probabilities: {model.threshold_source}"


def print_predictions(scored: Scored, format: str, *, raw: bool = False, outcomes: SheetOutcomes | None = None) -> str:
    """Print predictions, CSV and JSON batch by batch; returns a message about texts that could not be read."""
    tally = Counter[str]()
    print_tables(_tables(scored, tally, outcomes), format, raw=raw)
    return describe_losses(tally).removeprefix("; ")


def _tables(scored: Scored, tally: Counter[str], outcomes: SheetOutcomes | None = None) -> Iterator[pa.Table]:
    for batch, scores in scored:
        tally.update(tally_of(batch, scores))
        yield prediction_table(batch, scores, outcomes=outcomes)
    if outcomes is not None:
        outcomes.labels.check_found()


def summarize_predictions(
    path: Path, tally: Mapping[str, int], classes: Sequence[str], notes: Sequence[str]
) -> list[str]:
    """How many rows were written, what was lost, and how many texts have each label."""
    written = f"wrote {pluralize(tally['rows'], 'row')} to {path}{describe_losses(tally)}"
    return [*describe_labels(tally, classes), written, *(f"problex: note: {note}" for note in notes)]


def say_all(messages: Iterable[str]) -> None:
    """Write messages to standard error, a line each."""
    for message in messages:
        say(message)
