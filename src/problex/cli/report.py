"""`problex report`: one page about a model and some texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from problex._util.formatting import pluralize
from problex.cli.application import (
    ErrorActions,
    Force,
    InputFormat,
    Markup,
    ModelFile,
    OnError,
    TextColumn,
    Texts,
    Threads,
    app,
    say,
)
from problex.errors import OutputError

if TYPE_CHECKING:
    from problex.audit.results import Audit
    from problex.estimation.model import Model


@app.command()
def report(
    model: ModelFile,
    texts: Texts,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page, .html")],
    by: Annotated[str | None, typer.Option("--by", help="A column: shares of the labels by group or date.")] = None,
    audit: Annotated[list[Path] | None, typer.Option("--audit", help="A labelled sheet of problex audit.")] = None,
    charts: Annotated[Path | None, typer.Option("--charts", help="A folder for the charts as PNG and SVG.")] = None,
    title: Annotated[str | None, typer.Option("--title", help="Of the page; the name of TEXTS by default.")] = None,
    text: TextColumn = None,
    markup: Markup = False,
    on_error: OnError = ErrorActions.stop,
    input_format: InputFormat = None,
    threads: Threads = None,
    force: Force = False,
) -> None:
    """Write one page that opens offline: weights, scores, forecasts, documents, findings, and what to cite."""
    reading = {"text": text, "format": input_format, "on_error": str(on_error)}
    check_output(output, force)
    options = {"title": title or f"Report on {name_of(texts)}", "by": by, "markup": markup, "threads": threads}
    page = make_page(model, texts, reading, audit or [], options)
    write_page(page, output, charts, force=force)


def check_output(output: Path, force: bool) -> None:
    """Complain before the work is done."""
    from problex._util.files import check_writable

    if output.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"a report was to be written to {output.name!r}, expected a name that ends in .html")
    check_writable(output, force=force)


def name_of(texts: list[Path]) -> str:
    """What the texts are called."""
    if len(texts) > 1:
        return f"{len(texts):,} files"
    return "standard input" if str(texts[0]) == "-" else texts[0].stem or str(texts[0])


def make_page(
    model_file: Path, texts: list[Path], reading: dict[str, Any], sheets: list[Path], options: dict[str, Any]
) -> Any:
    """Load, gather, build."""
    from problex.cli.doctor import readable_twice
    from problex.estimation.model_file import load_model
    from problex.report import build, check_packages, gather

    check_packages()
    model = load_model(model_file)
    found = audited(sheets, model) if sheets else None
    keep = (options["by"],) if options["by"] else ()
    stream = readable_twice(texts, {**reading, "keep": keep})
    return build(gather(stream, model, audit=found, **options))


def audited(sheets: list[Path], model: Model) -> Audit:
    """The audit of labelled sheets; raise if they were drawn with another model."""
    from problex.audit.workflow import check_model, score_sheets

    result, design = score_sheets(sheets)
    check_model(design, model, sheets)
    return result


def write_page(page: Any, output: Path, charts: Path | None, *, force: bool) -> None:
    """Write the page, and the charts where they are wanted."""
    from problex._util.files import write_atomically
    from problex.report import save_charts

    write_atomically(output, lambda path: path.write_text(page.html, encoding="utf-8"), force=force)
    say(f"wrote {output} ({len(page.html.encode()) / 1e6:.1f} MB)")
    if charts is not None:
        say(f"wrote {pluralize(len(list(save_charts(page.charts, charts))), 'picture')} to {charts}")
