"""`problex predict`: label texts with a model, to standard output, a file, or a log that can continue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import Annotated

import numpy as np
import pyarrow as pa
import typer

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import pluralize
from problex._util.memory import check_memory, choose_batch_bytes, parse_size
from problex._util.progress import progress
from problex._util.tables import to_records
from problex._util.terminal import say, write_output
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import (
    MEMORY,
    Checkpoint,
    Force,
    Format,
    Memory,
    ModelFile,
    Raw,
    Rule,
    Temper,
    Threads,
)
from problex.cli.output import WRITERS, render, resumable, writer_for
from problex.cli.prediction_log import PredictionLog
from problex.cli.reading import reads_texts
from problex.corpus import Batch, Position, ReadOptions
from problex.counting.checkpoints import corpus_key
from problex.errors import DocumentError, ProblexError
from problex.estimation import load_model
from problex.scoring import Scores, score_batches

Scored = Iterator[tuple[Batch, Scores]]


@reads_texts()
def predict(
    model: ModelFile,
    texts: TextFiles,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help=f"The file to write: {', '.join(WRITERS)}.")
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="COLUMN", help="A column to copy to the result; repeat for more."),
    ] = None,
    rule: Rule = None,
    temper: Temper = None,
    confidence: Annotated[
        float | None,
        typer.Option(min=0, max=1, metavar="NUMBER", help="Leave texts below this probability undecided."),
    ] = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Checkpoint = None,
    force: Force = False,
    form: Format = "csv",
    raw: Raw = False,
) -> None:
    """Label TEXTS with a MODEL: one row of output for each text."""
    files = replace(texts, keep=tuple(keep or ()), memory=check_memory(parse_size(memory)))
    check_outputs({"--output": output, "--checkpoint": checkpoint}, files, model)
    scoring = ScoringOptions(rule, temper, confidence, markup=texts.markup, threads=threads, memory=memory)
    if checkpoint is not None:
        say(write_resumably(model, files, scoring, output, checkpoint, force=force, raw=raw))
    elif output is not None:
        say(write_predictions(score_files(model, files, scoring), output, force=force, raw=raw))
    else:
        say(print_predictions(score_files(model, files, scoring), form, raw=raw))


@dataclass(frozen=True)
class ScoringOptions:
    """How texts are scored; None is the model's own rule and temper."""

    rule: str | None = None
    temper: str | None = None
    confidence: float | None = None
    markup: bool = False
    threads: int | None = None
    memory: str = MEMORY


def score_files(model_file: Path, texts: TextFiles, options: ScoringOptions, start: Position = ()) -> Scored:
    """Scored documents, batch by batch, from a position on; raise if there is none at all."""
    model = load_model(model_file)
    batch_bytes = choose_batch_bytes(texts.memory, options.threads)
    stream = progress(texts.with_id().batches(batch_bytes=batch_bytes, start=start), "scoring")
    empty = not start
    for batch, scores in score_batches(
        stream, model, rule=options.rule, temper=options.temper, markup=options.markup, threads=options.threads
    ):
        empty = False
        yield batch, replace(scores, confidence=options.confidence)
    if empty:
        raise DocumentError("there are no documents to label, expected at least one text")


def prediction_table(batch: Batch, scores: Scores) -> pa.Table:
    """One row per document: its number, kept columns, label, score, probabilities, tokens and matches."""
    rows = np.arange(batch.first_row, batch.first_row + len(scores.lengths))
    columns: dict[str, pa.Array] = {"row": pa.array(rows)}
    if batch.columns is not None:
        reserved = {"row", "label", "score", "tokens", "matches", *(f"p_{name}" for name in scores.classes)}
        for name in batch.columns.column_names:
            columns[f"input_{name}" if name in reserved else name] = batch.columns[name]
    columns["label"] = pa.array(scores.labels().tolist(), pa.string())
    if len(scores.classes) == 2:
        columns["score"] = pa.array(scores.decision)
    for index, name in enumerate(scores.classes):
        columns[f"p_{name}"] = pa.array(scores.probabilities[:, index])
    return pa.table(columns | {"tokens": pa.array(scores.lengths), "matches": pa.array(scores.matches)})


def write_predictions(scored: Scored, output: Path, *, force: bool, raw: bool = False) -> str:
    """Write predictions to a file, whole or not at all; returns a message with the number of rows."""
    write, tally = writer_for(output, raw=raw), Counter[str]()
    check_writable(output, force=force)
    write_atomically(output, lambda path: write(_tables(scored, tally), path), force=force)
    return _summarize(output, tally)


def write_resumably(
    model_file: Path,
    texts: TextFiles,
    options: ScoringOptions,
    output: Path | None,
    checkpoint: Path,
    *,
    force: bool,
    raw: bool = False,
) -> str:
    """Like `write_predictions`, with a log from which the same command continues after an interruption."""
    if output is None:
        raise ProblexError("--checkpoint was given without --output, expected a file to write the predictions to")
    write = writer_for(output, raw=raw)
    check_writable(output, force=force)
    reading = {"text": texts.text, "keep": texts.keep} | ReadOptions(**texts.reading).key()
    key = corpus_key(texts.files) | reading | asdict(options) | {"threads": options.threads or cpu_count()}
    log = PredictionLog(checkpoint, key | {"model": sha256(model_file.read_bytes()).hexdigest()})
    with resumable(checkpoint), log.lock():
        scored = score_files(model_file, texts, options, log.resume())
        log.extend((prediction_table(batch, scores), batch.position, _tally(batch)) for batch, scores in scored)
        write_atomically(output, lambda path: write(log.tables(), path), force=force)
        message = _summarize(output, log.tally())
        log.remove()
    return message


def print_predictions(scored: Scored, format: str, *, raw: bool = False) -> str:
    """Print predictions, CSV and JSON batch by batch; returns a message about texts that could not be read."""
    tally = Counter[str]()
    if format == "table":
        write_output(render([row for table in _tables(scored, tally) for row in to_records(table)], format))
        return _losses(tally).removeprefix("; ")
    for number, table in enumerate(_tables(scored, tally)):
        text = render(to_records(table), format, raw=raw)
        if format == "csv":
            write_output(text.partition("\n")[2] if number else text)  # one header
        else:
            write_output(("," if number else "[") + text[1:-2])  # one array
    if format == "json":
        write_output("]")
    return _losses(tally).removeprefix("; ")


def _tables(scored: Scored, tally: Counter[str]) -> Iterator[pa.Table]:
    for batch, scores in scored:
        tally.update(_tally(batch))
        yield prediction_table(batch, scores)


def _tally(batch: Batch) -> dict[str, int]:
    return {"rows": len(batch.texts), "missing": batch.missing, "unreadable": batch.invalid}


def _summarize(output: Path, tally: Mapping[str, int]) -> str:
    return f"wrote {pluralize(tally['rows'], 'row')} to {output}{_losses(tally)}"


def _losses(tally: Mapping[str, int]) -> str:
    return "".join(f"; {pluralize(tally[kind], 'text')} {kind}" for kind in ("missing", "unreadable") if tally[kind])
