"""`problex weights`, `problex suggest` and `problex forecast`: the content of a model, and its expected accuracy."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from problex._util.progress import progress
from problex._util.records import Record
from problex._util.terminal import say
from problex.cli.inputs import TextFiles
from problex.cli.options import Format, ModelFile, Raw
from problex.cli.output import ALL_ROWS, show
from problex.cli.reading import NO_TEXTS, reads_texts
from problex.errors import ProblexError
from problex.estimation import Model, load_model
from problex.evaluation import forecast as expected_accuracy
from problex.evaluation.forecasts import corpus_forecast
from problex.scoring import score_batches, suggestions

ROWS_SHOWN = 32
"""Rows of a table for all lists together, unless --top says otherwise."""
MORE_ROWS = f"--top N shows more, {ALL_ROWS}"
MINOR_COLUMNS = ("standard_error", "expected_cross_count", "cross_count", "discordant", "low", "high", "learned")
"""Columns of the weights that a narrow terminal does not show."""


def weights(
    model: ModelFile,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Show only the N largest weights of each list.")
    ] = None,
    list_name: Annotated[str | None, typer.Option("--list", metavar="NAME", help="Show only this list.")] = None,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Show the entries of a MODEL with their counts, predictiveness and weights, largest weights first."""
    loaded = load_model(model)
    records, number = largest_weights(loaded, top, list_name), rows_of_list(loaded, list_name)
    if top is not None or form != "table":
        show(records, form, raw=raw, minor=MINOR_COLUMNS, whole=True)
        return
    few = largest_weights(loaded, number, list_name)
    unseen = len(records) - len(few)
    show(few, form, minor=MINOR_COLUMNS, unseen=unseen, hint=MORE_ROWS if unseen else ALL_ROWS)


def rows_of_list(model: Model, list_name: str | None = None) -> int:
    """The number of rows for each list with which a table fits on a screen."""
    return max(1, ROWS_SHOWN // (1 if list_name else len(model.classes)))


def largest_weights(model: Model, top: int | None, list_name: str | None) -> list[Record]:
    """The entries of one list or of all lists, the `top` of each."""
    if list_name is not None and list_name not in model.classes:
        raise ProblexError(f"the model has no list {list_name!r}, expected one of {', '.join(model.classes)}")
    by_list: dict[str, list[Record]] = {name: [] for name in ([list_name] if list_name else model.classes)}
    for record in model.records():
        if record["list"] in by_list:
            by_list[record["list"]].append(record)
    return [record for records in by_list.values() for record in records[:top]]


def suggest(
    model: ModelFile,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=1,
            metavar="N",
            help="How many words are shown for each list.",
            show_default="20, or what fits on the screen",
        ),
    ] = None,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Show words outside the lists that have the largest weights in an expanded MODEL: candidates for the lexicon."""
    expanded = load_model(model)
    if expanded.expansion is None:
        raise ProblexError(
            f"{str(model)!r} has weights only for the entries of its lexicon: make it with problex fit --expand, which "
            "also learns weights for other words"
        )
    number = min(20, rows_of_list(expanded)) if form == "table" else 20
    show(suggestions(expanded, top or number), form, raw=raw, whole=top is not None)


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
