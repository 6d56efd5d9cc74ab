"""What the commands do between reading their options and showing records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from problex.checkpoints import corpus_key, count_files
from problex.corpus_files import Corpus
from problex.counts import Counts
from problex.dictionary import Dictionary, parse_choices
from problex.documents import Batch, batches, columns_of, strip_markup
from problex.errors import DocumentError, ProblexError, counted
from problex.expanding import TextSample, expand
from problex.files import load_model, save_model
from problex.forecast import corpus_forecast
from problex.forecast import forecast as expected_accuracy
from problex.lexicon import Lexicon
from problex.model import Model, estimate
from problex.output import render, writer_for
from problex.prediction_log import PredictionLog
from problex.reading import read_dictionary, read_lexicon
from problex.scoring import Scores, join, score_batches
from problex.settings import PAPER
from problex.sizes import batch_room, bytes_of, check_memory
from problex.storage import check_writable, write_atomically
from problex.tokens import Tokenizer

if TYPE_CHECKING:
    from problex.evaluate import Evaluation

Track = Callable[[Iterable[Any], str], Iterator[Any]]


def lexicon_of(options: list[str], lists: Iterable[str] | None = None) -> Lexicon:
    """A lexicon from `NAME=FILE` options, or from one file, whose categories `lists` (`NAME=CATEGORY,...`) choose."""
    if lists:
        return _chosen(options, list(lists))
    named: dict[str, list[str]] = {}
    for option in options:
        name, sign, file = option.partition("=")
        if sign and not name:
            raise ProblexError(f"--lexicon {option} names no list, expected NAME=FILE")
        if sign and "/" not in name:
            named.setdefault(name, []).append(file)
        elif len(options) > 1:
            raise ProblexError(f"--lexicon {option} was given among others, expected NAME=FILE for each list")
    return read_lexicon(**named) if named else read_lexicon(options[0])


def _chosen(options: list[str], lists: list[str]) -> Lexicon:
    found = Dictionary(())
    for option in options:
        if "=" in option and not Path(option).exists():
            raise ProblexError(
                f"--lexicon {option} was given with --list, which chooses from --lexicon FILE: leave NAME= out"
            )
        found += read_dictionary(option)
    return found.choose(parse_choices(lists, found.categories)).lexicon()


def fit(
    texts: Corpus,
    lexicon: list[str],
    output: Path,
    language: str,
    settings: dict[str, Any],
    reading: dict[str, Any],
    *,
    paper: bool,
    expanding: bool,
    markup: bool,
    threads: int | None,
    force: bool,
    track: Track,
    lists: list[str] | None = None,
    memory: str = "1GiB",
    checkpoint: Path | None = None,
) -> tuple[Model, Counts]:
    """Count, estimate, expand if asked to, save."""
    check_writable(output, force=force)
    words, tokenizer = lexicon_of(lexicon, lists), Tokenizer(language)
    sample = TextSample()
    if expanding and checkpoint is not None:
        raise ProblexError("--expand learns from texts as they go by, and --checkpoint skips some: give one of them")
    watching: Track = (lambda stream, what: sample.watch(track(stream, what))) if expanding else track
    how: dict[str, Any] = {"tokenizer": tokenizer, "markup": markup, "memory": bytes_of(memory), "track": watching}
    how["counting"] = {"associations": settings.get("rule") == "pmi"}
    with going_on(checkpoint):
        counts = count_files(texts, words, threads, checkpoint=checkpoint, **how, **reading)
    model = estimate(counts, words, tokenizer=tokenizer, **({**vars(PAPER), **settings} if paper else settings))
    if expanding:
        model = expand(model, sample, markup=markup, threads=threads)
    save_model(model, output, force=force)
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return model, counts


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


def summary(model: Model, counts: Counts) -> str:
    """What was learned from what, in one line, with all that was left out."""
    kept = int((model.predictiveness > 0).sum())
    parts = [
        f"{counted(counts.documents, 'document')}, {counted(counts.tokens, 'token')}",
        f"{kept:,} of {len(model.evidence.entries):,} entries carry weight",
        f"{int(model.evidence.discordant.sum()):,} meet the other lists too often",
        f"{int((model.evidence.occurrences == 0).sum()):,} were not found",
    ]
    found = model.calibration.prevalence
    if found is not None:
        parts.append(
            f"about {found.share:.0%} of the texts are taken for {model.classes[1]}, by counting {found.counted:.0%}"
        )
    losses = {"missing": counts.missing, "unreadable": counts.invalid, "empty": counts.empty}
    parts += [f"{counted(number, 'text')} {what}" for what, number in losses.items() if number]
    if counts.pruned:
        parts.append(f"{counted(counts.pruned, 'token')} of rare words forgotten to save memory")
    noted = Counter(problem.kind for problem in (*model.lexicon.problems, *model.items.problems))
    parts += [f"{counted(number, 'entry', 'entries')} {kind}" for kind, number in sorted(noted.items())]
    if model.expansion is not None:
        known = model.expansion
        told = f"{counted(len(known.weights), 'word or pair', 'words and pairs')} learned"
        parts.append(f"{told} from {counted(known.documents, 'document')} in {counted(known.rounds, 'round')}")
    return "; ".join(parts)


def predictions(
    model_file: Path,
    texts: Corpus,
    reading: dict[str, Any],
    scoring: dict[str, Any],
    track: Track,
    memory: str = "1GiB",
) -> Iterator[tuple[Batch, Scores]]:
    """Scored documents, batch by batch; an empty stream is an error."""
    model = load_model(model_file)
    if not reading["keep"] and "id" in columns_of(texts, reading["format"]):
        reading = {**reading, "keep": ("id",)}
    room = batch_room(check_memory(bytes_of(memory)), scoring.get("threads"))
    stream = track(batches(texts, missing="empty", batch_bytes=room, **reading), "scoring")
    empty = not reading.get("start")
    for batch, scores in score_batches(stream, model, **scoring):
        empty = False
        yield batch, scores
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
    return f"wrote {counted(tally['rows'], 'row')} to {output}{_losses(tally)}"


def write_resumably(
    model_file: Path,
    texts: Corpus,
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
    return "".join(f"; {counted(tally[what], 'text')} {what}" for what in ("missing", "unreadable") if tally[what])


def evaluation(
    model_file: Path, texts: Corpus, label: str, reading: dict[str, Any], rule: str | None, markup: bool, track: Track
) -> Evaluation:
    """Score labelled texts; documents without a label are left out."""
    from problex.evaluate import evaluate

    model = load_model(model_file)
    stream = track(batches(texts, missing="empty", keep=(label,), **reading), "scoring")
    labels: list[Any] = []
    parts = []
    for batch, scores in score_batches(stream, model, rule=rule, markup=markup):
        labels += batch.columns[label].to_pylist() if batch.columns is not None else []
        parts.append(scores)
    scores = join(parts, model.classes)
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
    from problex import datasets
    from problex.reproduce import reproduce as run

    folder = datasets.data_folder(data)
    records, notes = [], []
    for corpus in datasets.paper_corpora(folder, names or None):
        rows = run(corpus, lambda step, name=corpus.name: update(f"{name}: {step}"))  # type: ignore[misc]
        records += [row.record() for row in rows]
        if corpus.note:
            notes.append(f"{corpus.name}: {corpus.note}")
    return records, notes


def named(texts: Corpus) -> str:
    """The files of a corpus, for messages."""
    return str(texts) if isinstance(texts, Path) else ", ".join(map(str, texts))


def documents_at(
    texts: Corpus, rows: Iterable[int], reading: dict[str, Any], markup: bool
) -> dict[int, dict[str, Any]]:
    """Some documents of a source by row, each with its text and the columns kept, without holding the others."""
    wanted, found, seen = sorted(set(rows)), {}, 0
    for batch in batches(texts, missing="empty", **reading):
        clean = strip_markup(batch.texts) if markup else batch.texts
        seen = batch.first_row + len(clean)
        for row in wanted:
            if batch.first_row <= row < seen:
                at = row - batch.first_row
                kept = batch.columns.slice(at, 1).to_pylist()[0] if batch.columns is not None else {}
                found[row] = {**kept, "text": clean[at].as_py()}
        if len(found) == len(wanted):
            return found
    missing = next(row for row in wanted if row not in found)
    raise DocumentError(
        f"row {missing:,} was asked for, but {named(texts)} has {counted(seen, 'document')}: expected 0 to "
        f"{max(seen - 1, 0):,}, as problex predict numbers them"
    )
