"""`problex report`: an HTML page about a model and a corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from problex._util.files import check_writable, write_atomically
from problex._util.formatting import pluralize
from problex.audit import Audit, score_sheets
from problex.cli.grouping import By, DateOrder, Every
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import Force, ModelFile, Threads
from problex.cli.output import status
from problex.cli.reading import reads_texts
from problex.cli.terminal import say
from problex.errors import OutputError
from problex.estimation import load_model
from problex.model import Model
from problex.report import build, check_packages, gather
from problex.report.page import Page, check_charts_folder, save_charts
from problex.shares.estimates import SheetLabels


@reads_texts()
def report(
    model: ModelFile,
    texts: TextFiles,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write, .html.")],
    by: By = None,
    every: Every = None,
    date_order: DateOrder = None,
    audit: Annotated[
        list[Path] | None,
        typer.Option(
            "--audit", metavar="FILE", help="A labelled sheet from problex audit sample; repeat the option for more."
        ),
    ] = None,
    charts: Annotated[
        Path | None,
        typer.Option("--charts", metavar="FOLDER", help="Also write the charts as PNG and SVG files to this folder."),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TITLE", help="The title of the page.", show_default="from TEXTS")
    ] = None,
    threads: Threads = None,
    force: Force = False,
) -> None:
    """Write an HTML page that opens offline: shares, expected accuracy, words, documents, findings and method."""
    if output.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{output.name!r} was given as the output, expected a name that ends in .html")
    files = replace(texts, keep=(by,) if by else ())
    check_outputs({"--output": output}, files, model, *(audit or ()))
    check_writable(output, force=force)
    check_packages()
    if charts is not None:
        check_charts_folder(charts, force=force)
    loaded = load_model(model)
    result = read_audit(audit, loaded) if audit else None
    labels = SheetLabels.read(audit, loaded, markup=texts.markup) if audit else None
    grouping = {"by": by, "every": every, "date_order": date_order}
    page = write_page(
        output, files, loaded, title=title, force=force, audit=result, labels=labels, threads=threads, **grouping
    )
    say(f"wrote {output} ({len(page.html.encode()) / 1e6:.1f} MB)")
    if charts is not None:
        say(f"wrote {pluralize(len(list(save_charts(page.charts, charts, force=force))), 'file')} to {charts}")


def write_page(output: Path, texts: TextFiles, model: Model, *, title: str | None, force: bool, **options: Any) -> Page:
    """Write the page about a model and texts; `options` are those of `problex.report.gather`."""
    read, heading = texts.rereader(), title or f"Report on {corpus_name(texts.files)}"
    with status("reading the texts") as step:
        page = build(gather(read, model, title=heading, markup=texts.markup, on_step=step, **options), step)
    write_atomically(output, lambda path: path.write_text(page.html, encoding="utf-8"), force=force)
    return page


def read_audit(sheets: list[Path], model: Model) -> Audit:
    """The audit of labelled sheets, whose documents may have been drawn with another model."""
    return score_sheets(sheets, model=model)[0]


def corpus_name(texts: list[Path]) -> str:
    """A name for the texts: that of the file, or the number of files."""
    if len(texts) > 1:
        return f"{len(texts):,} files"
    return "standard input" if str(texts[0]) == "-" else texts[0].stem or str(texts[0])
