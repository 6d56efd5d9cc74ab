"""Predictions of files of texts: scores batch by batch, the table of them, and how many texts got each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from problex._util.files import write_atomically
from problex._util.formatting import format_percent, pluralize
from problex._util.memory import choose_batch_bytes
from problex.cli.inputs import TextFiles
from problex.cli.options import MEMORY
from problex.cli.output import progress, status
from problex.corpus import Batch
from problex.errors import DocumentError
from problex.model import Model
from problex.scoring import UNDECIDED, Scores, score_batches
from problex.scoring.frames import scored_table
from problex.tables.reader import Position

if TYPE_CHECKING:
    from problex.report.page import Page
    from problex.shares.regression import SheetOutcomes

DIGITS = 4
"""Decimals of scores and probabilities."""
OUTCOME_DIGITS = 6
UNSURE = 0.6
"""Labels with a lower probability are counted as unsure."""
Scored = Iterator[tuple[Batch, Scores]]


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


def prediction_table(
    batch: Batch, scores: Scores, digits: int = DIGITS, outcomes: SheetOutcomes | None = None
) -> pa.Table:
    """One row per document: its number, kept columns, label, score, probabilities, tokens, matches and outcomes."""
    if outcomes is None:
        return scored_table(batch, scores, digits)
    values = zip(outcomes.names, outcomes.of_batch(batch, scores).T, strict=True)
    more = {name: pa.array(column.round(OUTCOME_DIGITS), from_pandas=True) for name, column in values}
    return scored_table(batch, scores, digits, more)


def prediction_tables(scored: Scored, tally: Counter[str], outcomes: SheetOutcomes | None = None) -> Iterator[pa.Table]:
    """The tables of all batches, whose tallies are added to one."""
    for batch, scores in scored:
        tally.update(tally_of(batch, scores))
        yield prediction_table(batch, scores, outcomes=outcomes)
    if outcomes is not None:
        outcomes.labels.check_found()


def tally_of(batch: Batch, scores: Scores) -> dict[str, int]:
    """Texts read, lost and labelled, and labels that are unsure: integers that can be added."""
    labels = scores.labels()
    decided = labels != UNDECIDED
    best = scores.probabilities.max(axis=1)[decided]
    numbers = Counter(labels.tolist())
    return {
        "rows": len(batch.texts),
        "missing": batch.missing,
        "unreadable": batch.invalid,
        "decided": int(decided.sum()),
        "unsure": int((best < UNSURE).sum()),
        **{f"label {name}": number for name, number in numbers.items()},
    }


def describe_losses(tally: Mapping[str, int]) -> str:
    """How many texts were missing or could not be read; nothing if there were none.

    >>> describe_losses({"missing": 2, "unreadable": 1}), describe_losses({"missing": 0, "unreadable": 0})
    ('; 2 texts missing; 1 text unreadable', '')
    """
    return "".join(f"; {pluralize(tally[kind], 'text')} {kind}" for kind in ("missing", "unreadable") if tally[kind])


def describe_labels(tally: Mapping[str, int], classes: Sequence[str]) -> list[str]:
    """How many texts have each label and how many labels are unsure, in two lines at most.

    >>> tally = {"rows": 4, "label good": 2, "label bad": 1, "label undecided": 1, "decided": 3, "unsure": 1}
    >>> for line in describe_labels(tally, ["bad", "good"]):
    ...     print(line)
    1 bad (25.0%), 2 good (50.0%), 1 undecided (25.0%)
    by the model, 1 of 3 labels has a probability below 60%
    """
    total, decided = max(tally["rows"], 1), tally.get("decided", 0)
    numbers = {name: tally.get(f"label {name}", 0) for name in (*classes, UNDECIDED)}
    lines = [", ".join(f"{number:,} {name} ({format_percent(number / total)})" for name, number in numbers.items())]
    if decided:
        unsure = tally.get("unsure", 0)
        have = "has" if unsure == 1 else "have"
        lines.append(
            f"by the model, {unsure:,} of {pluralize(decided, 'label')} {have} a probability below {UNSURE:.0%}"
        )
    return lines


def describe_table(path: Path, tally: Mapping[str, int], notes: Sequence[str]) -> list[str]:
    """How many rows were written, and what was lost or changed."""
    written = f"wrote {pluralize(tally['rows'], 'row')} to {path}{describe_losses(tally)}"
    return [written, *(f"problex: note: {note}" for note in notes)]


def write_report(
    output: Path, texts: TextFiles, model: Model, title: str | None, *, force: bool, **options: Any
) -> Page:
    """Write the page about a model and texts; `options` are those of `problex.report.gather`."""
    from problex.report import build, gather

    read, heading = texts.rereader(), title or f"Report on {texts.name}"
    with status("reading the texts") as step:
        page = build(gather(read, model, title=heading, markup=texts.markup, on_step=step, **options), step)
    write_atomically(output, lambda path: path.write_text(page.html, encoding="utf-8"), force=force)
    return page
