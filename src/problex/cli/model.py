"""`problex weights`, `problex suggest` and `problex forecast`: the content of a model, and its expected accuracy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from problex._util.progress import progress
from problex._util.records import Record
from problex._util.terminal import say
from problex.cli.inputs import TextFiles
from problex.cli.options import Format, InputFormat, ModelFile, Raw, TextColumn
from problex.cli.output import show
from problex.errors import ProblexError
from problex.estimation import Model, load_model
from problex.evaluation import forecast as expected_accuracy
from problex.evaluation.forecasts import corpus_forecast
from problex.scoring import score_batches, suggestions


def weights(
    model: ModelFile,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="Only the N largest weights of each list.")
    ] = None,
    list_name: Annotated[str | None, typer.Option("--list", metavar="NAME", help="Only this list.")] = None,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Show the entries of a MODEL with their counts, predictiveness and weights, largest weights first."""
    show(largest_weights(load_model(model), top, list_name), form, raw=raw)


def largest_weights(model: Model, top: int | None, list_name: str | None) -> list[Record]:
    """The entries of one list or of all lists, the `top` of each."""
    if list_name is not None and list_name not in model.classes:
        raise ProblexError(f"the model has no list {list_name!r}, expected one of {', '.join(model.classes)}")
    records: list[Record] = []
    for name in [list_name] if list_name else model.classes:
        records += [record for record in model.records() if record["list"] == name][:top]
    return records


def suggest(
    model: ModelFile,
    top: Annotated[int, typer.Option("--top", min=1, metavar="N", help="The number of words for each list.")] = 20,
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
    show(suggestions(expanded, top), form, raw=raw)


def forecast(
    model: ModelFile,
    texts: Annotated[
        Path | None, typer.Argument(metavar="TEXTS", help="Texts; the accuracy is also averaged over their lengths.")
    ] = None,
    text: TextColumn = None,
    lengths: Annotated[
        str, typer.Option(metavar="N,N,...", help="Document lengths in tokens.")
    ] = "10,20,50,100,200,500,1000",
    input_format: InputFormat = None,
    form: Format = "table",
    raw: Raw = False,
) -> None:
    """Show the accuracy that is forecast for a MODEL, by document length, without labels."""
    loaded = load_model(model)
    result = expected_accuracy(loaded, parse_lengths(lengths))
    records: list[Record] = list(result.records())
    if texts is not None:
        records.append(corpus_record(loaded, TextFiles([texts], text, input_format)))
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
    multinomial, dcm = corpus_forecast(model, np.concatenate([scores.lengths for _, scores in scored]))
    return {"tokens": "this corpus", "multinomial": round(multinomial, 4), "dcm": round(dcm, 4)}
