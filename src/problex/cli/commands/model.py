"""`problex weights`, `suggest`, `forecast` and `evaluate`: a model's content, its expected and its true accuracy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np

from problex._util.formatting import pluralize, quote_all
from problex._util.records import Record
from problex.cli.inputs import OptionalTexts, TextFiles, check_outputs
from problex.cli.options import Force, Format, ModelFile, Raw, Rule, TableOutput, option, options
from problex.cli.output import WRITES_ALL, progress, results_file, show, write_records
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.estimation import load_model
from problex.evaluation import Evaluation
from problex.evaluation import evaluate as compare_labels
from problex.evaluation import forecast as expected_accuracy
from problex.evaluation.forecasts import corpus_forecast
from problex.expansion import suggestions
from problex.model import Model
from problex.scoring import Scores, score_batches
from problex.scoring.scores import join
from problex.tables.write import python_values

ROWS_SHOWN = 32
"""Rows of a table for all lists together, unless --top says otherwise."""
MORE_ROWS = f"--top N shows more, {WRITES_ALL}"
NEVER = "never occurs"
"""The count of an entry that is not in the texts: its weight is the mean of its list."""
MINOR_COLUMNS = ("standard_error", "expected_cross_count", "cross_count", "discordant", "low", "high", "learned")
"""Columns of the weights that a narrow terminal does not show."""


def weights(
    model: ModelFile,
    top: Annotated[int | None, option("--top", "N", "Show only the N largest weights of each list.", min=1)] = None,
    list_name: Annotated[str | None, option("--list", "NAME", "Show only this list.")] = None,
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Show the entries of a MODEL with their counts, predictiveness and weights, largest weights first."""
    target = results_file(output, raw=raw, force=force)
    check_outputs({"--output": output}, None, model)
    loaded = load_model(model)
    records, number = largest_weights(loaded, top, list_name), rows_of_list(loaded, list_name)
    if target is not None:
        write_records(records, target)
        return
    if form == "table":
        records = [record | ({} if record["count"] else {"count": NEVER}) for record in records]
    if top is not None or form != "table":
        show(records, form, raw=raw, minor=MINOR_COLUMNS, whole=True)
        return
    few = first_of_lists(records, number)
    unseen = len(records) - len(few)
    show(few, form, minor=MINOR_COLUMNS, unseen=unseen, hint=MORE_ROWS if unseen else WRITES_ALL)


def rows_of_list(model: Model, list_name: str | None = None) -> int:
    """The number of rows for each list with which a table fits on a screen."""
    return max(1, ROWS_SHOWN // (1 if list_name else len(model.classes)))


def largest_weights(model: Model, top: int | None, list_name: str | None) -> list[Record]:
    """The entries of one list or of all lists, the `top` of each."""
    if list_name is not None and list_name not in model.classes:
        raise ProblexError(f"the model has no list {list_name!r}, expected one of {', '.join(model.classes)}")
    rows = [record for record in model.records() if list_name in (None, record["list"])]
    return first_of_lists(rows, top)


def first_of_lists(records: list[Record], number: int | None) -> list[Record]:
    """The first records of each list, list by list in the order of their names.

    >>> rows = [{"list": name, "entry": word} for name, word in (("up", "good"), ("down", "bad"), ("up", "fine"))]
    >>> [row["entry"] for row in first_of_lists(rows, 1)], [row["entry"] for row in first_of_lists(rows, None)]
    (['bad', 'good'], ['bad', 'good', 'fine'])
    """
    by_list: dict[str, list[Record]] = {}
    for record in records:
        by_list.setdefault(record["list"], []).append(record)
    return [record for name in sorted(by_list) for record in by_list[name][:number]]


def suggest(
    model: ModelFile,
    top: Annotated[
        int | None,
        option(
            "--top",
            "N",
            "How many words are shown for each list.",
            default="what fits on the screen; all in JSON, CSV and files",
            min=1,
        ),
    ] = None,
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Show words outside the lists that have the largest weights in an expanded MODEL: candidates for the lexicon."""
    target = results_file(output, raw=raw, force=force)
    check_outputs({"--output": output}, None, model)
    expanded = load_model(model)
    if expanded.expansion is None:
        raise ProblexError(
            f"{str(model)!r} has weights only for the entries of its lexicon: make it with problex fit --expand, which "
            "also learns weights for other words"
        )
    records = suggestions(expanded, len(expanded.expansion.weights))
    if target is not None:
        write_records(first_of_lists(records, top), target)
    elif form != "table":
        show(first_of_lists(records, top), form, raw=raw)
    else:
        few = first_of_lists(records, top or min(20, rows_of_list(expanded)))
        show(few, form, whole=top is not None, unseen=len(records) - len(few), hint=MORE_ROWS)


@options
def forecast(
    *,
    model: ModelFile,
    lengths: Annotated[str, option("", "N,N,...", "Lengths of texts, in words.")] = "10,20,50,100,200,500,1000",
    form: Format = "table",
    raw: Raw = False,
    texts: OptionalTexts,
) -> None:
    """Show the accuracy that is forecast for a MODEL, by document length, without labels."""
    loaded = load_model(model)
    result = expected_accuracy(loaded, parse_lengths(lengths))
    records: list[Record] = list(result.records())
    if texts.files:
        records.append(corpus_record(loaded, texts))
    show(records, form, raw=raw)
    say(result.warning)


def parse_lengths(lengths: str) -> list[int]:
    """The numbers of `--lengths`.

    >>> parse_lengths("10, 50")
    [10, 50]
    >>> parse_lengths("10;50")
    Traceback (most recent call last):
    problex.errors.ProblexError: --lengths '10;50' was given, expected whole numbers such as 10,50,200
    """
    try:
        return [int(part) for part in lengths.split(",")]
    except ValueError:
        raise ProblexError(f"--lengths {lengths!r} was given, expected whole numbers such as 10,50,200") from None


def corpus_record(model: Model, texts: TextFiles) -> Record:
    """The accuracy expected over texts of these lengths."""
    scored = score_batches(progress(texts.batches(), "measuring"), model)
    lengths = Counter[int]()
    for _, scores in scored:
        lengths.update(scores.lengths.tolist())
    multinomial, dcm = corpus_forecast(model, lengths)
    return {"tokens": "this corpus", "multinomial": round(multinomial, 4), "dcm": round(dcm, 4)}


@options
def evaluate(
    *,
    model: ModelFile,
    label: Annotated[str, option("--label", "COLUMN", "The column with the true labels.")] = "label",
    rule: Rule = None,
    form: Format = "table",
    raw: Raw = False,
    texts: TextFiles,
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
