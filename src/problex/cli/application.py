"""The command line: each command reads, calls and writes."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from problex._util.memory import DEFAULT_MEMORY, format_size
from problex._util.progress import progress
from problex._version import __version__
from problex.errors import ProblexError, ProblexWarning, command_line_message

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Texts = Annotated[
    list[Path],
    typer.Argument(
        help="CSV, TSV, JSONL, Parquet, .txt (a text per line), a folder of these (.txt: a text each), or -"
    ),
]
ModelFile = Annotated[Path, typer.Argument(help="A model written by problex fit.")]
LexiconFiles = Annotated[
    list[str], typer.Option("--lexicon", "-l", help="NAME=FILE for each list, or one FILE with all lists.")
]
ListChoices = Annotated[
    list[str] | None,
    typer.Option("--list", help="NAME=CATEGORY,... makes a list of categories of the file, such as ECONOMY/+STATE+."),
]
TextColumn = Annotated[str | None, typer.Option("--text", help="Name of the text column; guessed when left out.")]
Forms = StrEnum("Forms", ["table", "json", "csv"])
InputFormats = StrEnum("InputFormats", ["csv", "tsv", "jsonl", "txt"])
Rules = StrEnum("Rules", ["count", "presence", "pmi", "multinomial", "dcm"])
Tempers = StrEnum("Tempers", ["burstiness", "root", "tokens", "none"])
Solvers = StrEnum("Solvers", ["exact", "admm"])
Balances = StrEnum("Balances", ["coverage", "equal"])
ErrorActions = StrEnum("ErrorActions", ["stop", "skip", "replace"])
Negations = StrEnum("Negations", ["auto", "none", "en", "es", "fr", "de", "nl", "it", "pt"])
Languages = StrEnum("Languages", ["en", "es", "fr", "de", "nl", "it", "pt", "any", "auto"])

Format = Annotated[Forms, typer.Option("--format", "-f", help="How results are shown.")]
InputFormat = Annotated[
    InputFormats | None, typer.Option("--input-format", help="Of standard input; txt, a text per line, by default.")
]
Markup = Annotated[bool, typer.Option("--markup", help="Turn tags such as <br /> into blanks.")]
OnError = Annotated[ErrorActions, typer.Option("--on-error", help="What to do with unreadable rows.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
Rule = Annotated[Rules | None, typer.Option("--rule", help="How counts become a score.")]
Memory = Annotated[str, typer.Option("--memory", help="A ceiling for large texts, such as 512MiB or 4GB.")]
MEMORY = format_size(DEFAULT_MEMORY)
Checkpoint = Annotated[
    Path | None,
    typer.Option("--checkpoint", help="A file from which the same command goes on when it was interrupted."),
]
Threads = Annotated[int | None, typer.Option("--threads", min=1, help="Default: every core.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"problex {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which it is.")
    ] = False,
) -> None:
    """Weighted lexicons without labels: classify texts by opposed word lists, and learn what each word is worth."""


@app.command()
def fit(
    texts: Texts,
    lexicon: LexiconFiles,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the model goes (JSON).")],
    lists: ListChoices = None,
    text: TextColumn = None,
    language: Annotated[Languages, typer.Option(help="Of the texts and the lexicon.")] = Languages.en,
    negation: Annotated[Negations, typer.Option(help="Negated words as items of their own; by the language.")] = (
        Negations.auto
    ),
    rule: Rule = None,
    solver: Annotated[Solvers | None, typer.Option(help="admm is the published one.")] = None,
    shrinkage: Annotated[
        float | None, typer.Option(min=0, help="By default learned from the data; 0 for none.")
    ] = None,
    balance: Annotated[Balances | None, typer.Option(help="Between the lists; equal is the paper.")] = None,
    keep_discordant: Annotated[bool, typer.Option(help="Keep words that meet the other list often.")] = False,
    paper: Annotated[bool, typer.Option("--paper", help="The settings of the published method.")] = False,
    expand: Annotated[bool, typer.Option("--expand", help="Learn all other words too, still without labels.")] = False,
    markup: Markup = False,
    on_error: OnError = ErrorActions.stop,
    input_format: InputFormat = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Checkpoint = None,
    force: Force = False,
) -> None:
    """Learn the weight of every word from unlabelled TEXTS."""
    from problex.cli import fitting

    given = {"rule": rule, "solver": solver, "shrinkage": shrinkage, "balance": balance}
    changes = {
        name: str(value) if isinstance(value, str) else value for name, value in given.items() if value is not None
    }
    reading = {"text": text, "format": input_format, "on_error": on_error}
    model, counts = fitting.fit(
        texts, lexicon, output, language, "none" if paper else negation,
        changes | {"keep_discordant": keep_discordant}, reading, paper=paper,
        expanding=expand, markup=markup, threads=threads, force=force, memory=memory,
        checkpoint=checkpoint, lists=lists,
    )  # fmt: skip
    say(fitting.summary(model, counts))
    say(f"wrote {output}")


@app.command()
def predict(
    model: ModelFile,
    texts: Texts,
    output: Annotated[Path | None, typer.Option("--output", "-o", help=".csv, .parquet or .jsonl")] = None,
    text: TextColumn = None,
    keep: Annotated[list[str] | None, typer.Option("--keep", help="A column to copy to the result.")] = None,
    rule: Rule = None,
    temper: Annotated[Tempers | None, typer.Option(help="What long texts are tempered by.")] = None,
    confidence: Annotated[
        float | None, typer.Option(min=0, max=1, help="Texts below this probability are undecided.")
    ] = None,
    markup: Markup = False,
    on_error: OnError = ErrorActions.stop,
    input_format: InputFormat = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Checkpoint = None,
    force: Force = False,
    form: Format = Forms.csv,
) -> None:
    """Label TEXTS with a MODEL, one row of output for each."""
    from problex.cli import commands

    reading = {"text": text, "format": input_format, "on_error": on_error, "keep": tuple(keep or ())}
    scoring = {"rule": rule, "temper": temper, "markup": markup, "threads": threads, "confidence": confidence}
    how = (model, texts, reading, scoring, progress, memory)
    if checkpoint is not None:
        say(commands.write_resumably(*how, output, checkpoint, force=force))
    elif output is not None:
        say(commands.write_predictions(commands.predictions(*how), output, force=force))
    else:
        say(commands.print_predictions(commands.predictions(*how), form, typer.echo))


@app.command()
def evaluate(
    model: ModelFile,
    texts: Texts,
    label: Annotated[str, typer.Option("--label", help="Name of the column with the true labels.")] = "label",
    text: TextColumn = None,
    rule: Rule = None,
    markup: Markup = False,
    on_error: OnError = ErrorActions.stop,
    input_format: InputFormat = None,
    form: Format = Forms.table,
) -> None:
    """Compare a MODEL with labels, where there are some."""
    from problex.cli import commands

    reading = {"text": text, "format": input_format, "on_error": on_error}
    found = commands.evaluation(model, texts, label, reading, rule, markup, progress)
    say(f"{found.documents:,} labelled documents, {found.undecided:,} undecided")
    show(found.records(), form)
    if form == "table":
        show(list(found.reliability), form, "Reliability: confidence against accuracy")


@app.command()
def weights(
    model: ModelFile,
    top: Annotated[int | None, typer.Option("--top", min=1, help="Only the heaviest so many of each list.")] = None,
    list_name: Annotated[str | None, typer.Option("--list", help="Only this list.")] = None,
    form: Format = Forms.table,
) -> None:
    """Show what each word is worth."""
    from problex.cli import commands

    show(commands.weights(model, top, list_name), form)


@app.command()
def forecast(
    model: ModelFile,
    texts: Annotated[Path | None, typer.Argument(help="Texts whose lengths to average over.")] = None,
    text: TextColumn = None,
    lengths: Annotated[str, typer.Option(help="Document lengths in tokens.")] = "10,20,50,100,200,500,1000",
    input_format: InputFormat = None,
    form: Format = Forms.table,
) -> None:
    """Expected accuracy by document length: what the model believes of itself."""
    from problex.cli import commands

    records, warning = commands.forecast(model, texts, {"text": text, "format": input_format}, lengths, progress)
    show(records, form)
    say(warning)


@app.command()
def reproduce(
    data: Annotated[Path | None, typer.Option("--data", help="Folder of the paper's corpora.")] = None,
    corpus: Annotated[list[str] | None, typer.Option("--corpus", help="Amazon, Cornell, Cine or IMDB.")] = None,
    form: Format = Forms.table,
) -> None:
    """Run the paper's systems on its corpora and print its figures beside ours."""
    from problex.cli import commands

    with status("reading") as update:
        records, notes = commands.reproduce(data, corpus, update)
    show(records, form, "AUC")
    for note in notes:
        say(note)


@app.command()
def demo(form: Format = Forms.table) -> None:
    """Learn from 25,000 film reviews without a label, then look at the labels."""
    from problex.cli import demo as demonstration

    with status("loading 25,000 film reviews") as update:
        shown = demonstration.run(update)
    demonstration.show(shown, str(form))


def say(message: str) -> None:
    """One line to standard error: results go to standard output."""
    if message:
        print(message, file=sys.stderr)


def show(records: list[dict[str, Any]], form: str, title: str = "") -> None:
    """Records in the chosen format to standard output."""
    from problex.cli.output import render

    typer.echo(render(records, str(form), title))


@contextlib.contextmanager
def status(message: str) -> Iterator[Any]:
    """A spinner with a message while something runs; silent when piped."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda message: None
        return
    with console.status(message) as spinner:
        yield spinner.update


def _show_warning(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
    if issubclass(category, ProblexWarning):
        say(f"problex: note: {command_line_message(str(message))}")


def main() -> None:
    """Run the command line: exit status 0, 1 for bad input, 2 for wrong usage."""
    warnings.showwarning = _show_warning
    try:
        app()
    except ProblexError as error:
        say(f"problex: error: {command_line_message(str(error))}")
        sys.exit(1)
    except MemoryError:
        say("problex: error: the memory of this machine is used up: close other programs, or split the texts")
        sys.exit(1)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        say(f"problex: error: {name}{error.strerror or error}")
        sys.exit(1)
