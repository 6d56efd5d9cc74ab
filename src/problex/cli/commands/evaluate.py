"""`problex evaluate`: compare the labels of a model with true labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from problex._util.formatting import pluralize, quote_all
from problex.cli.inputs import TextFiles
from problex.cli.options import Format, ModelFile, Raw, Rule
from problex.cli.output import show
from problex.cli.progress import progress
from problex.cli.reading import reads_texts
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.estimation import load_model
from problex.evaluation import Evaluation
from problex.evaluation import evaluate as compare_labels
from problex.scoring import Scores, score_batches
from problex.scoring.scores import join
from problex.tables.write import python_values


@reads_texts()
def evaluate(
    model: ModelFile,
    texts: TextFiles,
    label: Annotated[str, typer.Option("--label", metavar="COLUMN", help="The column with the true labels.")] = "label",
    rule: Rule = None,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Compare a MODEL with the true labels of TEXTS; texts without a label are left out."""
    result = evaluate_files(model, replace(texts, keep=(label,)), rule)
    undecided = f"{result.undecided:,} undecided, which count as wrong" if result.undecided else "none undecided"
    say(f"{pluralize(result.documents, 'labelled document')}, {undecided}")
    show(result.records(), form, raw=raw)
    if form == "table":
        show(list(result.reliability), form, "Reliability: confidence against accuracy")


def evaluate_files(model_file: Path, texts: TextFiles, rule: str | None) -> Evaluation:
    """Score the texts and evaluate those that have a label in the first kept column."""
    model, column = load_model(model_file), (texts.keep or ())[0]
    labels: list[object] = []
    parts = []
    for batch, part in score_batches(progress(texts.batches(), "scoring"), model, rule=rule, markup=texts.markup):
        labels += python_values(batch.columns[column]) if batch.columns is not None else []
        parts.append(part)
    labelled = np.array([value is not None and value != "" for value in labels])
    if not labelled.any():
        raise ProblexError(f"no document has a label in column {column!r}, expected some of {quote_all(model.classes)}")
    scores = join(parts)
    rows = (scores.values[labelled], scores.lengths[labelled], scores.matches[labelled])
    truth = [str(value) for value, has_label in zip(labels, labelled, strict=True) if has_label]
    some = Scores(scores.classes, *rows, platt=scores.platt, calibration=scores.calibration)
    return compare_labels(truth, some)
