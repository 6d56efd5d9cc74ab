"""The program `problex`: its commands, its exit status, and its messages."""

from __future__ import annotations

import errno
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import BadParameter
from typer.core import TyperArgument, TyperCommand, TyperGroup

from problex._util.memory import check_process_memory
from problex._version import __version__
from problex.cli.terminal import close_output, decode_arguments, prepare_streams, say, shorten
from problex.errors import MAX_QUOTED, ProblexError, ProblexWarning, command_option, use_spelling

DISK_ERRORS = (errno.ENOSPC, errno.EFBIG, errno.EIO)
OUT_OF_MEMORY = "out of memory: close other programs, give a lower --memory, or split the texts"
NO_MEMORY = re.compile("can't start new thread|ailed to launch worker thread|failed to map|annot allocate memory")
"""Messages of Python, Arrow and the dynamic linker."""
COMMANDS = {
    "classify": ("classify", "Label texts with one command: weights, labelled table, shares and report."),
    "fit": ("fit", "Learn the weight of every word from texts without labels."),
    "predict": ("predict", "Label texts with a model from fit."),
    "explain": ("explain", "Show why a text gets its label, word by word."),
    "lookup": ("lookup", "Count how much of each text falls into each category of a dictionary."),
    "shares": ("shares", "Show the share of each label, by group or date."),
    "report": ("report", "Write an HTML report about a model and a corpus."),
    "evaluate": ("model", "Compare the labels of a model with true labels."),
    "audit": ("audit", "Estimate the accuracy of a model from a few labels."),
    "forecast": ("model", "Show the expected accuracy of a model by document length."),
    "weights": ("model", "Show the weight of every word."),
    "suggest": ("model", "Show words that could be added to the lists."),
    "doctor": ("doctor", "Find faults of a lexicon with the help of a corpus, and correct them."),
    "categories": ("lexicon", "Show the categories of a lexicon file."),
    "convert": ("lexicon", "Convert a lexicon file to another format."),
    "compare": ("lexicon", "Compare the weights in a lexicon file with those of a model."),
    "workbench": ("workbench", "Open a page on which you build, check and audit a lexicon."),
    "demo": ("paper", "Learn from 25,000 film reviews without labels, then compare with the labels."),
    "reproduce": ("paper", "Run the experiments of the paper."),
}
"""Command -> module of `problex.cli.commands`, and what the command does. The function has the name of the command."""


UsageError: type[Any] = BadParameter.__mro__[1]
"""The class of errors of the command line, which versions of Typer take from different packages."""
SINGLE: dict[Any, Callable[[str], Any]] = {str: str, Path: Path}
REPEATED: dict[Any, Callable[[str], Any]] = {list[str]: str, list[Path]: Path}
"""How values of these types are made from the words of the command line."""


class PlainValue:
    """Values of parameters that are texts, paths or not given; for others Typer imports pydantic, which takes time."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """A value from the command line as its parameter has it; Typer converts numbers and other types."""
        kind = param.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if isinstance(value, str) and (convert := param.type_descriptor.parameter_info.parser or SINGLE.get(kind)):
            return convert(value)
        if isinstance(value, list | tuple) and (convert := REPEATED.get(kind)):
            return [convert(part) for part in value]
        if kind == tuple[str, str]:
            return tuple(value)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


class PlainHelp:
    """What commands and groups have in common: their help names no types of Python."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The arguments and options; a flag has no value to describe, and the name of an argument is enough."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if isinstance(parameter, TyperArgument):
                parameter.display_type_rich = _no_type  # type: ignore[method-assign]
            elif parameter.is_flag:
                parameter.metavar = ""
            if getattr(parameter, "_runtime_param", parameter) is None:  # in other versions there is none
                parameter._runtime_param = PlainValue()
        return parameters

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage line: `MODEL`, not `{MODEL}`."""
        pieces: list[str] = super().collect_usage_pieces(ctx)  # type: ignore[misc]
        return [piece.replace("{", "").replace("}", "") for piece in pieces]


class PlainCommand(PlainHelp, TyperCommand):
    """A command with plain help, which refuses values that are empty or not finite."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; a file of an empty name would be the folder, and an empty column would be ignored."""
        given, _, order = self.make_parser(ctx).parse_args(list(args))
        columns: list[Any] = [parameter for parameter in order if parameter.name == "by"]
        if len(columns) > 1:
            raise BadParameter(f"it was given {len(columns)} times, expected one column.", ctx, columns[0])
        rest: list[str] = super().parse_args(ctx, args)
        for parameter in self.get_params(ctx):
            value, made = given.get(parameter.name), ctx.params.get(parameter.name)
            if parameter.metavar != "TEXT" and "" in (value if isinstance(value, list | tuple) else [value]):
                raise BadParameter("it is empty.", ctx, parameter)
            if isinstance(made, float) and not isfinite(made):
                raise BadParameter(f"{made} is not a finite number.", ctx, parameter)
        return rest


@contextmanager
def short_errors() -> Iterator[None]:
    """Errors of the command line that quote no more than the beginning of a long word."""
    try:
        yield
    except UsageError as error:
        error.message = shorten(shorten_words(error.message))
        raise


def shorten_words(message: str) -> str:
    """A message in which very long words, such as wrong values, are cut; what follows the word's end stays.

    >>> len(shorten_words(f"'{'x' * 5000}' is not one of 'a', 'b'.")), shorten_words("short")
    (108, 'short')
    """
    return re.sub(rf"(\S{{{MAX_QUOTED}}})\S{{{MAX_QUOTED},}}?(\W?)(?=\s|$)", r"\1...\2", message)


def _no_type(ctx: Any) -> None:
    """No type in the help of an argument."""


class PlainGroup(PlainHelp, TyperGroup):
    """A group that imports the module of a command when it is called, so that `problex --help` starts at once."""

    def make_context(self, *words: Any, **options: Any) -> Any:
        """Read the arguments."""
        with short_errors():
            return super().make_context(*words, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; Typer would end without a word after Ctrl-C."""
        try:
            with short_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            raise ProblexError("interrupted") from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The name, the command and the other arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else command, rest


def load_command(name: str) -> Any:
    """Import a command with all of its options; a group of commands has the name of its module."""
    check_process_memory()
    target = getattr(import_module(f"problex.cli.commands.{COMMANDS[name][0]}"), name)
    if isinstance(target, typer.Typer):
        return typer.main.get_command(target)
    single = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})
    single.command(name, cls=PlainCommand)(target)
    return typer.main.get_command(single)


EXAMPLES = (
    "Examples:",
    "problex classify reviews.csv --lexicon words.xlsx -o labelled.xlsx",
    "problex fit news/*.jsonl --lexicon topics.xlsx -o model.json",
    "problex shares model.json news/*.jsonl --by date --chart shares.png",
)
"""Commands to copy, below the help."""
app = typer.Typer(
    epilog="\n\n".join(EXAMPLES),
    cls=PlainGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, (_, _summary) in COMMANDS.items():
    app.command(_name, help=_summary)(lambda: None)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"problex {__version__}")
        raise typer.Exit


@app.callback()
def problex(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Classify texts by opposed word lists. The weight of every word is learned without labels."""


def _note_writer() -> Callable[..., None]:
    """What shows warnings as notes, each once: Python shows some again after any `catch_warnings`."""
    said: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        note = f"problex: note: {message}"
        if issubclass(category, ProblexWarning) and note not in said:
            said.add(note)
            say(note)

    return show


def main() -> None:
    """Run the command line: exit status 0, 1 for bad input, 2 for wrong usage."""
    warnings.showwarning = _note_writer()
    prepare_streams()
    with use_spelling(command_option):
        status = _run()
    reason = close_output()
    if reason and not status:
        status = _fail(f"standard output could not be written: {reason}")
    sys.exit(status if reason is None else status or 1)


def _run() -> Any:
    """Run a command; returns the exit status."""
    try:
        app(decode_arguments(sys.argv[1:]), prog_name="problex")
    except SystemExit as end:
        return end.code
    except ProblexError as error:
        return _fail(str(error))
    except MemoryError:
        return _fail(OUT_OF_MEMORY)
    except UnicodeEncodeError as error:
        return _fail(
            f"{error.object!r} cannot be encoded as {error.encoding}, as this terminal needs: set PYTHONUTF8=1"
        )
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        if not name and error.errno in DISK_ERRORS:  # errors of files have their names
            name = "standard output could not be written: "
        return _fail(f"{name}{error.strerror or error}")
    except Exception as error:  # a thread or a library for which there is no memory
        if not NO_MEMORY.search(str(error)):
            raise
        return _fail(OUT_OF_MEMORY)
    return 0


def _fail(message: str) -> int:
    say(f"problex: error: {message}")
    return 1
