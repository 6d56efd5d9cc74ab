"""`problex explain`: the contribution of each word to the score of a text."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

import pyarrow as pa
from rich.console import Console

from problex._util.records import Record
from problex.cli.inputs import TextFiles, TextsByRow
from problex.cli.options import OUTPUT, ModelFile, Raw, Rule, Temper, choice, option, options
from problex.cli.output import FORMATS, as_json, has_width, printable_text, show
from problex.cli.terminal import is_utf8, printable, write_output
from problex.corpus import strip_markup
from problex.corpus.documents import documents_at
from problex.errors import DocumentError, ProblexError
from problex.estimation import load_model
from problex.explanation import Explanation, views
from problex.explanation import explain as explain_text


@options
def explain(
    *,
    model: ModelFile,
    text: Annotated[str | None, option("--text", "TEXT", "The text to explain; - is standard input.")] = None,
    row: Annotated[
        int | None,
        option("--row", "N", "The row in TEXTS, from 0, as in the output of predict.", min=0),
    ] = None,
    rule: Rule = None,
    temper: Temper = None,
    form: Annotated[
        str,
        choice("--format -f", [*FORMATS, "html"], "How the result is printed: {choices}.", OUTPUT),
    ] = "table",
    raw: Raw = False,
    texts: TextsByRow,
) -> None:
    """Show why a text gets its label, word by word: give --text "...", or TEXTS and --row."""
    loaded = load_model(model)
    has_file = bool(texts.files)
    if (text is not None) == has_file or has_file != (row is not None):
        raise ProblexError('explain takes either --text "..." or a file of texts and --row N, for example --row 0')
    document = read_row(texts, row) if row is not None else read_text(str(text), markup=texts.markup)
    show_explanation(explain_text(document, loaded, rule=rule, temper=temper), form, raw=raw)


def read_row(texts: TextFiles, row: int) -> str:
    """The text in a row of a file."""
    return str(documents_at(texts.batches(), [row], markup=texts.markup, source=str(texts))[row]["text"])


def read_text(text: str, *, markup: bool) -> str:
    """The text of `--text`, or that of standard input.

    >>> read_text("<b>good</b> film", markup=True), read_text("a < b", markup=False)
    (' good  film', 'a < b')
    """
    if text == "-":
        text = read_standard_input()
    return str(strip_markup(pa.array([text]))[0].as_py()) if markup else text


def read_standard_input() -> str:
    """The text of standard input, in UTF-8 or else in the encoding of the terminal."""
    data = sys.stdin.buffer.read()
    for encoding in ("utf-8", sys.stdin.encoding):
        with suppress(UnicodeDecodeError):
            return str(data.decode(encoding))
    raise DocumentError(f"standard input is neither UTF-8 nor {sys.stdin.encoding}: convert the text to UTF-8")


def show_explanation(explanation: Explanation, form: str, *, raw: bool = False) -> None:
    """Write an explanation to standard output: JSON and HTML whole, or tables below the text in colour."""
    record = explanation.record()
    if form == "json":
        write_output(as_json(record))
    elif form == "html":
        page = views.as_page(record)
        write_output(page if is_utf8(sys.stdout) else page.encode("ascii", "xmlcharrefreplace").decode())
    elif form == "csv":
        show(explanation.records(), form, raw=raw)
    else:
        console = Console(highlight=False)
        console.print(printable(views.headline(record)), markup=False, style="bold", soft_wrap=not has_width())
        console.print(printable_text(views.as_rich_text(record)), soft_wrap=not has_width())
        show_tables(record)


def show_tables(record: Record) -> None:
    """The contributions of the words, and their sums. With two labels the columns of the labels are left out."""
    has_decision = record["decision"] is not None
    hidden = {"source", *record["classes"]} if has_decision else {"source", "contribution"}
    words = [_without(part, hidden) | {"list": part["list"] or part["source"]} for part in record["contributions"]]
    # of more labels than fit, those with the highest scores are shown
    weakest = sorted(record["classes"], key=lambda name: record["sums"][-1].get(name, 0.0))
    if words:
        show(words, "table", "What each word adds", minor=("towards", "effective_count", "count", *weakest))
    sums = [_without(row, set(record["classes"]) if has_decision else set()) for row in record["sums"]]
    show(sums, "table", "The sum", minor=weakest)


def _without(record: Record, columns: set[str]) -> Record:
    return {name: value for name, value in record.items() if name not in columns}
