"""`problex explain`: why a text got its label."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from problex.cli.application import InputFormat, Markup, ModelFile, Rule, Tempers, app, show
from problex.errors import ProblexError

if TYPE_CHECKING:
    from problex.explanation.contributions import Explanation

Views = StrEnum("Views", ["table", "json", "csv", "html"])
SHOWN = 40
"""Words in the table; JSON and CSV have all."""


@app.command()
def explain(
    model: ModelFile,
    texts: Annotated[Path | None, typer.Argument(help="Texts to take one from, with --row.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="The text itself; - is standard input.")] = None,
    row: Annotated[int | None, typer.Option("--row", min=0, help="Row of TEXTS, as predict numbers them.")] = None,
    column: Annotated[str | None, typer.Option("--column", help="Name of the text column of TEXTS.")] = None,
    rule: Rule = None,
    temper: Annotated[Tempers | None, typer.Option(help="What long texts are tempered by.")] = None,
    markup: Markup = False,
    input_format: InputFormat = None,
    form: Annotated[Views, typer.Option("--format", "-f", help="How it is shown; html is a page.")] = Views.table,
) -> None:
    """Show why a text got its label, word by word: give --text "...", or TEXTS and --row."""
    from problex.estimation.model_file import load_model
    from problex.explanation.contributions import explain as take_apart

    loaded = load_model(model)
    given = one_text(texts, text, row, {"text": column, "format": input_format}, markup)
    show_explanation(take_apart(given, loaded, rule=rule, temper=temper), form)


def one_text(texts: Path | None, text: str | None, row: int | None, reading: dict[str, Any], markup: bool) -> str:
    """The text to explain: given as it is, or by its row."""
    if (text is None) == (texts is None) or (texts is None) != (row is None):
        raise ProblexError('explain takes either --text "..." or a file of texts and --row N, for example --row 0')
    if texts is not None and row is not None:
        from problex.corpus import batches
        from problex.corpus.rows import documents_at

        stream = batches(texts, missing="empty", **reading)
        return str(documents_at(stream, [row], markup=markup, source=str(texts))[row]["text"])
    given = typer.get_text_stream("stdin").read() if text == "-" else str(text)
    if markup:
        import pyarrow as pa

        from problex.corpus import strip_markup

        given = strip_markup(pa.array([given]))[0].as_py()
    return given


def show_explanation(why: Explanation, form: str) -> None:
    """To standard output: JSON and HTML whole, a table with the text in colour above it."""
    from problex.explanation import views as explain_views

    if form == "json":
        typer.echo(json.dumps(why.record(), ensure_ascii=False, indent=2))
    elif form == "html":
        typer.echo(explain_views.as_page(why.record()))
    elif form == "csv":
        show(why.records(), form)
    else:
        from rich.console import Console

        record = why.record()
        console = Console(highlight=False)
        console.print(explain_views.headline(record), markup=False, style="bold", soft_wrap=True)
        console.print(explain_views.as_rich_text(record), soft_wrap=not console.is_terminal)
        _tables(record)


def _tables(record: dict[str, Any]) -> None:
    hidden = {"source", *record["classes"]} if record["decision"] is not None else {"source", "contribution"}
    words = [
        {name: value for name, value in part.items() if name not in hidden} | {"list": part["list"] or part["source"]}
        for part in record["contributions"]
    ]
    rest = f" ({len(words) - SHOWN} weaker ones are not shown)" if len(words) > SHOWN else ""
    if words:
        show(words[:SHOWN], "table", f"What each word adds{rest}")
    hidden = set(record["classes"]) if record["decision"] is not None else set()
    sums = [{name: value for name, value in row.items() if name not in hidden} for row in record["sums"]]
    show(sums, "table", "How it adds up")
