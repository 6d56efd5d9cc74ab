"""`problex reproduce`: the table of the paper, its published values beside ours."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from problex._util.records import Record
from problex.cli.options import Force, Format, TableOutput
from problex.cli.output import results_file, show, status, write_records
from problex.cli.terminal import say
from problex.paper import paper_corpora
from problex.paper import reproduce as run_systems
from problex.paper.datasets import PAPER_DATA_SETS, data_folder
from problex.paper.reproduction import SystemResult


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
    output: TableOutput = None,
    force: Force = False,
    form: Format = "table",
) -> None:
    """Run the systems of the paper on its corpora, and compare their AUC with the published values."""
    target = results_file(output, raw=False, force=force)
    results: list[SystemResult] = []
    notes = []
    with status("reading") as update:
        for data_set in paper_corpora(data_folder(data), corpus or None):
            for result in run_systems(data_set, lambda step, name=data_set.name: update(f"{name}: {step}")):  # type: ignore[misc]
                results.append(result)
            if data_set.note:
                notes.append(f"{data_set.name}: {data_set.note}")
    records = [result.record() for result in results]
    if target is not None:
        write_records(records, target)
    else:
        show(paper_table(results) if form == "table" else records, form, "AUC: the paper's / ours", whole=True)
    for note in notes:
        say(note)


def paper_table(results: Iterable[SystemResult]) -> list[Record]:
    """The systems down and the corpora across: the paper's AUC, where it has one, beside ours.

    >>> paper_table([SystemResult("Amazon", "PMI", 0.793, 0.7941), SystemResult("Cine", "PMI", None, 0.66)])
    [{'system': 'PMI', 'Amazon': '.793 / .794', 'Cine': '.660'}]
    """
    rows: dict[str, Record] = {}
    for result in results:
        both = [f"{auc:.3f}".removeprefix("0") for auc in (result.paper, result.ours) if auc is not None]
        rows.setdefault(result.system, {"system": result.system})[result.corpus] = " / ".join(both)
    return list(rows.values())
