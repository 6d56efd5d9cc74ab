"""`problex weights`, `problex suggest` and `problex forecast`: the content of a model, and its expected accuracy."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from problex._util.records import Record
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import Force, Format, ModelFile, Raw, TableOutput
from problex.cli.output import WRITES_ALL, results_file, show, write_records
from problex.cli.progress import progress
from problex.cli.reading import NO_TEXTS, reads_texts
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.estimation import load_model
from problex.evaluation import forecast as expected_accuracy
from problex.evaluation.forecasts import corpus_forecast
from problex.expansion import suggestions
from problex.model import Model
from problex.scoring import score_batches

ROWS_SHOWN = 32
"""Rows of a table for all lists together, unless --top says otherwise."""
MORE_ROWS = f"--top N shows more, {WRITES_ALL}"
NEVER = "never occurs"
"""The count of an entry that is not in the texts: its weight is the mean of its list."""
MINOR_COLUMNS = ("standard_error", "expected_cross_count", "cross_count", "discordant", "low", "high", "learned")
"""Columns of the weights that a narrow terminal does not show."""


def weights(
    model: ModelFile,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Show only the N largest weights of each list.")
    ] = None,
    list_name: Annotated[str | None, typer.Option("--list", metavar="NAME", help="Show only this list.")] = None,
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
    """The first records of each list, list by list in the order of their names."""
    by_list: dict[str, list[Record]] = {}
    for record in records:
        by_list.setdefault(record["list"], []).append(record)
    return [record for name in sorted(by_list) for record in by_list[name][:number]]


def suggest(
    model: ModelFile,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=1,
            metavar="N",
            help="How many words are shown for each list.",
            show_default="what fits on the screen; all in JSON, CSV and files",
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


@reads_texts()
def forecast(
    model: ModelFile,
    texts: TextFiles = NO_TEXTS,
    lengths: Annotated[
        str, typer.Option(metavar="N,N,...", help="Lengths of texts, in words.")
    ] = "10,20,50,100,200,500,1000",
    form: Format = "table",
    raw: Raw = False,
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
    """The numbers of `--lengths`."""
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
