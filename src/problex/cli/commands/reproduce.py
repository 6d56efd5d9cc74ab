"""`problex reproduce`: the table of the paper, compared with its published values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from problex._util.records import Record
from problex._util.terminal import say
from problex.cli.options import Format
from problex.cli.output import show, status
from problex.paper import paper_corpora
from problex.paper import reproduce as run_systems
from problex.paper.datasets import PAPER_DATA_SETS, data_folder


def reproduce(
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="The folder with the corpora.", show_default="$PROBLEX_DATA"),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            "--corpus",
            metavar="NAME",
            help=f"Only this corpus: {', '.join(PAPER_DATA_SETS)}; repeat the option for more.",
        ),
    ] = None,
    form: Format = "table",
) -> None:
    """Run the systems of the paper on its corpora, and compare their AUC with the published values."""
    records: list[Record] = []
    notes = []
    with status("reading") as update:
        for data_set in paper_corpora(data_folder(data), corpus or None):
            for result in run_systems(data_set, lambda step, name=data_set.name: update(f"{name}: {step}")):  # type: ignore[misc]
                records.append(result.record())
            if data_set.note:
                notes.append(f"{data_set.name}: {data_set.note}")
    show(records, form, "AUC")
    for note in notes:
        say(note)
