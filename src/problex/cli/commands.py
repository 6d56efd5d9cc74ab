"""What the commands do between reading their options and showing records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import pluralize
from problex._util.memory import check_memory, choose_batch_bytes, parse_size
from problex.cli.output import render, writer_for
from problex.cli.prediction_log import PredictionLog
from problex.corpus import Batch, Paths, batches, column_names
from problex.counting.checkpoints import corpus_key
from problex.errors import DocumentError, ProblexError
from problex.estimation.model_file import load_model
from problex.evaluation.forecasts import corpus_forecast
from problex.evaluation.forecasts import forecast as expected_accuracy
from problex.scoring.scorer import score_batches
from problex.scoring.scores import Scores, join

if TYPE_CHECKING:
    from problex.evaluation.metrics import Evaluation

Track = Callable[[Iterable[Any], str], Iterator[Any]]


@contextmanager
def going_on(checkpoint: Path | None) -> Iterator[None]:
    """Say how an interrupted command goes on, where it can."""
    if checkpoint is not None:
        check_writable(checkpoint, force=True)
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is None or not checkpoint.exists():
            raise
        raise ProblexError(f"interrupted: the same command goes on from the checkpoint {checkpoint}") from None


def predictions(
    model_file: Path,
    texts: Paths,
    reading: dict[str, Any],
    scoring: dict[str, Any],
    track: Track,
    memory: str,
) -> Iterator[tuple[Batch, Scores]]:
    """Scored documents, batch by batch; an empty stream is an error."""
    model = load_model(model_file)
    if not reading["keep"] and "id" in column_names(texts, reading["format"]):
        reading = {**reading, "keep": ("id",)}
    room = choose_batch_bytes(check_memory(parse_size(memory)), scoring.get("threads"))
    stream = track(batches(texts, missing="empty", batch_bytes=room, **reading), "scoring")
    empty = not reading.get("start")
    least = scoring.get("confidence")
    for batch, scores in score_batches(stream, model, **{key: scoring[key] for key in scoring if key != "confidence"}):
        empty = False
        yield batch, replace(scores, confidence=least)
    if empty:
        raise DocumentError("there are no documents to label, expected at least one text")


def prediction_table(batch: Batch, scores: Scores) -> pa.Table:
    """One row per document: where it stood, its label, score and probabilities."""
    rows = np.arange(batch.first_row, batch.first_row + len(scores.lengths))
    columns: dict[str, Any] = {"row": pa.array(rows)}
    if batch.columns is not None:
        taken = {"row", "label", "score", "tokens", "matches", *(f"p_{name}" for name in scores.classes)}
        for name in batch.columns.column_names:
            columns[f"input_{name}" if name in taken else name] = batch.columns[name]
    columns["label"] = pa.array(scores.labels().tolist(), pa.string())
    if len(scores.classes) == 2:
        columns["score"] = pa.array(scores.decision)
    for at, name in enumerate(scores.classes):
        columns[f"p_{name}"] = pa.array(scores.probabilities[:, at])
    return pa.table(columns | {"tokens": pa.array(scores.lengths), "matches": pa.array(scores.matches)})


def write_predictions(scored: Iterator[tuple[Batch, Scores]], output: Path, *, force: bool) -> str:
    """Write predictions to a file, whole or not at all; says how many, and what was unreadable."""
    write, tally = writer_for(output), Counter[str]()
    check_writable(output, force=force)
    write_atomically(output, lambda path: write(_tables(scored, tally), path), force=force)
    return _written(output, tally)


def _written(output: Path, tally: Mapping[str, int]) -> str:
    return f"wrote {pluralize(tally['rows'], 'row')} to {output}{_losses(tally)}"


def write_resumably(
    model_file: Path,
    texts: Paths,
    reading: dict[str, Any],
    scoring: dict[str, Any],
    track: Track,
    memory: str,
    output: Path | None,
    checkpoint: Path,
    *,
    force: bool,
) -> str:
    """As `write_predictions`, by way of a log from which the same command goes on when it was interrupted."""
    if output is None:
        raise ProblexError("--checkpoint was given without --output, expected a file to write the predictions to")
    write = writer_for(output)
    check_writable(output, force=force)
    key = corpus_key(texts) | reading | scoring | {"memory": memory, "threads": scoring.get("threads") or cpu_count()}
    log = PredictionLog(checkpoint, key | {"model": sha256(model_file.read_bytes()).hexdigest()})
    with going_on(checkpoint):
        start = log.resume()
        scored = predictions(model_file, texts, {**reading, "start": start}, scoring, track, memory)
        log.extend((prediction_table(batch, scores), batch.position, _tally(batch)) for batch, scores in scored)
        write_atomically(output, lambda path: write(log.tables(), path), force=force)
    said = _written(output, log.tally())
    log.remove()
    return said


def print_predictions(scored: Iterator[tuple[Batch, Scores]], form: str, echo: Callable[[str], None]) -> str:
    """Predictions to standard output, CSV and JSON as they come; says what was unreadable."""
    tally = Counter[str]()
    if form == "table":
        echo(render([row for table in _tables(scored, tally) for row in table.to_pylist()], form))
    for at, table in enumerate(_tables(scored, tally) if form != "table" else ()):
        text = render(table.to_pylist(), form)
        if form == "csv":
            echo(text.partition("\n")[2] if at else text)
        else:  # one array, whose records come batch by batch
            echo(("," if at else "[") + text[1:-2])
    if form == "json":
        echo("]")
    return _losses(tally).removeprefix("; ")


def _tables(scored: Iterator[tuple[Batch, Scores]], tally: Counter[str]) -> Iterator[pa.Table]:
    for batch, scores in scored:
        tally.update(_tally(batch))
        yield prediction_table(batch, scores)


def _tally(batch: Batch) -> dict[str, int]:
    return {"rows": len(batch.texts), "missing": batch.missing, "unreadable": batch.invalid}


def _losses(tally: Mapping[str, int]) -> str:
    return "".join(f"; {pluralize(tally[what], 'text')} {what}" for what in ("missing", "unreadable") if tally[what])


def evaluation(
    model_file: Path, texts: Paths, label: str, reading: dict[str, Any], rule: str | None, markup: bool, track: Track
) -> Evaluation:
    """Score labelled texts; documents without a label are left out."""
    from problex.evaluation.metrics import evaluate

    model = load_model(model_file)
    stream = track(batches(texts, missing="empty", keep=(label,), **reading), "scoring")
    labels: list[Any] = []
    parts = []
    for batch, scores in score_batches(stream, model, rule=rule, markup=markup):
        labels += batch.columns[label].to_pylist() if batch.columns is not None else []
        parts.append(scores)
    scores = join(parts)
    known = np.array([value is not None and value != "" for value in labels])
    if not known.any():
        raise ProblexError(f"no document has a label in column {label!r}, expected some of {list(model.classes)}")
    rows = (scores.values[known], scores.lengths[known], scores.matches[known])
    picked = Scores(scores.classes, *rows, platt=scores.platt)
    return evaluate([str(value) for value, keep in zip(labels, known, strict=True) if keep], picked)


def weights(model_file: Path, top: int | None, list_name: str | None) -> list[dict[str, Any]]:
    """The entries of a model, heaviest first."""
    model = load_model(model_file)
    if list_name is not None and list_name not in model.classes:
        raise ProblexError(f"the model has no list {list_name!r}, expected one of {', '.join(model.classes)}")
    shown = []
    for name in [list_name] if list_name else model.classes:
        shown += [record for record in model.records() if record["list"] == name][:top]
    return shown


def forecast(
    model_file: Path, texts: Path | None, reading: dict[str, Any], lengths: str, track: Track
) -> tuple[list[dict[str, Any]], str]:
    """Expected accuracy by length, and over a corpus."""
    model = load_model(model_file)
    try:
        sizes = [int(part) for part in lengths.split(",")]
    except ValueError:
        raise ProblexError(f"--lengths {lengths!r} was given, expected whole numbers such as 10,50,200") from None
    found = expected_accuracy(model, sizes)
    records: list[dict[str, Any]] = list(found.records())
    if texts is not None:
        stream = track(batches(texts, missing="empty", **reading), "measuring")
        measured = np.concatenate([scores.lengths for _, scores in score_batches(stream, model)])
        multinomial, dcm = corpus_forecast(model, measured)
        records.append({"tokens": "this corpus", "multinomial": round(multinomial, 4), "dcm": round(dcm, 4)})
    return records, found.warning


def reproduce(
    data: Path | None, names: list[str] | None, update: Callable[[str], None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The paper's table on the corpora of a folder."""
    from problex.paper import datasets
    from problex.paper.reproduction import reproduce as run

    folder = datasets.data_folder(data)
    records, notes = [], []
    for corpus in datasets.paper_corpora(folder, names or None):
        rows = run(corpus, lambda step, name=corpus.name: update(f"{name}: {step}"))  # type: ignore[misc]
        records += [row.record() for row in rows]
        if corpus.note:
            notes.append(f"{corpus.name}: {corpus.note}")
    return records, notes


def named(texts: Paths) -> str:
    """The files of a corpus, for messages."""
    return str(texts) if isinstance(texts, Path) else ", ".join(map(str, texts))
