"""`problex report`: an HTML page about a model and a corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from problex._util.files import check_writable
from problex._util.formatting import pluralize
from problex.audit import score_sheets
from problex.cli.grouping import GroupBy
from problex.cli.inputs import TextFiles, check_outputs
from problex.cli.options import Force, ModelFile, Threads, option, options
from problex.cli.predictions import write_report
from problex.cli.terminal import say
from problex.errors import OutputError
from problex.estimation import load_model
from problex.report import check_packages
from problex.report.page import check_charts_folder, save_charts
from problex.shares.estimates import SheetLabels


@options
def report(
    *,
    model: ModelFile,
    output: Annotated[Path, option("--output -o", "FILE", "The page to write, .html.")],
    groups: GroupBy,
    audit: Annotated[
        list[Path] | None,
        option("--audit", "FILE", "A labelled sheet from problex audit sample; repeat the option for more."),
    ] = None,
    charts: Annotated[
        Path | None,
        option("--charts", "FOLDER", "Also write the charts as PNG and SVG files to this folder."),
    ] = None,
    title: Annotated[str | None, option("--title", "TITLE", "The title of the page.", default="from TEXTS")] = None,
    threads: Threads = None,
    force: Force = False,
    texts: TextFiles,
) -> None:
    """Write an HTML page that opens offline: shares, expected accuracy, words, documents, findings and method."""
    if output.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{output.name!r} was given as the output, expected a name that ends in .html")
    files = replace(texts, keep=(groups.by,) if groups.by else ())
    check_outputs({"--output": output}, files, model, *(audit or ()))
    check_writable(output, force=force)
    check_packages()
    if charts is not None:
        check_charts_folder(charts, force=force)
    loaded = load_model(model)
    result = score_sheets(audit, model=loaded)[0] if audit else None
    labels = SheetLabels.read(audit, loaded, markup=texts.markup) if audit else None
    judged = {"audit": result, "labels": labels}
    page = write_report(output, files, loaded, title, force=force, threads=threads, **judged, **groups.options())
    say(f"wrote {output} ({len(page.html.encode()) / 1e6:.1f} MB)")
    if charts is not None:
        say(f"wrote {pluralize(len(list(save_charts(page.charts, charts, force=force))), 'file')} to {charts}")
