"""Options of commands: how they are declared, what they need or exclude, and those that several commands have.

A group of options is a dataclass whose fields are options; a command that has a parameter of its type has its options.
Choices are the names in the tables of the library.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from problex._util.memory import DEFAULT_MEMORY, format_size
from problex.cli.output import FORMATS
from problex.errors import ProblexError
from problex.matching import LANGUAGES, Tokenizer
from problex.model import RULES, TEMPERS
from problex.tables.write import SUFFIXES

READING, LEXICON, LANGUAGE, OUTPUT, RUNNING = "Reading", "Lexicon", "Language", "Output", "Running"
"""Headings of options in the help of a command."""


@dataclass(frozen=True)
class Needs:
    """An option means something only beside another one, or one of several; `why` ends the message."""

    others: tuple[str, ...] | str
    why: str

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the others."""
        return (self.others,) if isinstance(self.others, str) else self.others


@dataclass(frozen=True)
class Excludes:
    """An option cannot be used beside another one; `why` ends the message."""

    other: str
    why: str


def options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of its groups, and check what its options need or exclude before it is called."""
    groups: dict[str, dict[str, Parameter]] = {}
    parameters: dict[str, Parameter] = {}
    types = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        if is_dataclass(types[name]):
            groups[name] = group_options(types[name])
            parameters |= groups[name]
        else:
            parameters[name] = parameter.replace(annotation=types[name], kind=Parameter.KEYWORD_ONLY)

    @wraps(command)
    def run(**values: Any) -> None:
        check_together(parameters, values)
        for name, group in groups.items():
            chosen = {field: values.pop(field) for field in group}
            values[name] = types[name](**{field: value for field, value in chosen.items() if value is not None})
        command(**values)

    run.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]
    run.rules = list(rules_of(parameters))  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in parameters.items()}
    return run


def group_options(group: Any) -> dict[str, Parameter]:
    """The fields of a dataclass that are options, as parameters; None stands for a default that is made anew."""
    types = get_type_hints(group, include_extras=True)
    options = {}
    for field in fields(group):
        if any(isinstance(one, OptionInfo | ArgumentInfo) for one in get_args(types[field.name])):
            default = Parameter.empty if field.default is MISSING else field.default
            if field.default_factory is not MISSING:
                default = None
            options[field.name] = Parameter(
                field.name, Parameter.KEYWORD_ONLY, default=default, annotation=types[field.name]
            )
    return options


def rules_of(parameters: dict[str, Parameter]) -> Iterator[tuple[str, Needs | Excludes]]:
    """What the options of a command need and exclude, by the names of their parameters."""
    for name, parameter in parameters.items():
        for rule in get_args(parameter.annotation):
            if isinstance(rule, Needs | Excludes):
                yield name, rule


def check_together(parameters: dict[str, Parameter], values: dict[str, Any]) -> None:
    """Raise if an option was given without one that it needs, or with one that it excludes.

    >>> every = Annotated[str | None, option("--every", "NAME", "The period."), Needs("--by", "it divides dates")]
    >>> types = {"every": every, "by": Annotated[str | None, option("--by", "COLUMN", "The dates.")]}
    >>> both = {name: Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=types[name]) for name in types}
    >>> check_together(both, {"every": "year", "by": "date"})
    >>> check_together(both, {"every": "year", "by": None})
    Traceback (most recent call last):
    problex.errors.ProblexError: --every was given without --by: it divides dates
    """
    shown = {name: shown_name(parameter) for name, parameter in parameters.items()}
    is_given = {
        shown[name]: value != parameters[name].default and value not in (None, [], ()) for name, value in values.items()
    }
    for name, rule in rules_of(parameters):
        option = shown[name]
        if not is_given[option]:
            continue
        if isinstance(rule, Excludes) and is_given.get(rule.other):
            raise ProblexError(f"{option} was given with {rule.other}: {rule.why}")
        if isinstance(rule, Needs):
            known = [other for other in rule.options if other in is_given]
            if known and not any(is_given[other] for other in known):
                raise ProblexError(f"{option} was given without {' or '.join(known)}: {rule.why}")


def shown_name(parameter: Parameter) -> str:
    """The name of an option or argument in messages: `--on-error` or `TEXTS`.

    >>> top = Annotated[int, option("-n --top", "N", "The first words.")]
    >>> shown_name(Parameter("top", Parameter.KEYWORD_ONLY, annotation=top))
    '--top'
    >>> keep = Annotated[bool, flag("--header/--no-header", "Whether there is one.")]
    >>> shown_name(Parameter("header", Parameter.KEYWORD_ONLY, annotation=keep))
    '--header'
    """
    for info in get_args(parameter.annotation):
        if isinstance(info, ArgumentInfo):
            return str(info.metavar)
        if isinstance(info, OptionInfo):
            names = [info.default, *(info.param_decls or ())]  # Typer takes the first name for a default at first
            return next((str(name).partition("/")[0] for name in names if str(name).startswith("--")), "")
    return f"--{parameter.name}"


def option(
    names: str, metavar: str | None, help: str, panel: str | None = None, default: bool | str = True, **limits: Any
) -> Any:
    """An option with its names, such as `--output -o`; `default` describes a default of None."""
    return typer.Option(
        *names.split(), metavar=metavar, help=help, rich_help_panel=panel, show_default=default, **limits
    )


def flag(names: str, help: str, panel: str | None = None, **more: Any) -> Any:
    """An option without a value."""
    return typer.Option(*names.split(), help=help, rich_help_panel=panel, **more)


def choice(names: str, among: Iterable[str], help: str, panel: str | None = None, default: bool | str = True) -> Any:
    """An option whose values are names in a table of the library; `help` names them as `{choices}`."""
    choices = list(among)

    def check(value: str) -> str:
        if value not in choices:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(map(repr, choices))}.")
        return value

    return option(names, "NAME", help.format(choices=", ".join(choices)), panel, default, parser=check)


# -- models and lexicons

ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file from problex fit.")]
LEXICON_OPTION = option(
    "--lexicon -l",
    "NAME=FILE",
    "The words of the list NAME; give the option once for each list. Or one FILE with all lists.",
    LEXICON,
)
LexiconFiles = Annotated[list[str], LEXICON_OPTION]
Language = Annotated[
    str,
    choice("--language", [*LANGUAGES, "auto"], "The language of the texts and the lexicon: {choices}.", LANGUAGE),
]
FoldAccents = Annotated[
    bool | None,
    flag(
        "--fold-accents/--keep-accents",
        "Remove accents, and vowel marks in Arabic and Hebrew; German ß becomes ss.",
        LANGUAGE,
        show_default="as usual for the language",
    ),
]
Glob = Annotated[
    bool,
    flag("--glob", "Let ? in an entry match one letter, and * inside a word any letters, as in quanteda.", LEXICON),
]
KeepLinks = Annotated[bool, flag("--keep-links", "Read links, e-mail addresses and @handles as words, too.", READING)]


@dataclass(frozen=True)
class TokenizerOptions:
    """How texts become tokens."""

    language: Language = "en"
    fold_accents: FoldAccents = None
    glob: Glob = False
    keep_links: KeepLinks = False

    def tokenizer(self, **more: Any) -> Tokenizer:
        """The tokenizer, with other settings of `Tokenizer`."""
        return Tokenizer(**(vars(self) | more))


# -- running and output

Rule = Annotated[str | None, choice("--rule", RULES, "How counts become a score: {choices}.", default="the model's")]
Temper = Annotated[
    str | None,
    choice("--temper", TEMPERS, "How scores are scaled for the length of a text: {choices}.", default="the model's"),
]
Output = Annotated[
    Path | None,
    option(
        "--output -o",
        "FILE",
        f"The file or database to write ({', '.join(SUFFIXES)}); without it, results are printed.",
    ),
]
TableOutput = Annotated[
    Path | None,
    option("--output -o", "FILE", f"Write the whole table to this file instead ({', '.join(SUFFIXES)}).", OUTPUT),
]
Memory = Annotated[str, option("--memory", "SIZE", "Use at most this much memory, e.g. 512MiB or 4GB.", RUNNING)]
MEMORY = format_size(DEFAULT_MEMORY)
ExpandSample = Annotated[
    str | None,
    option(
        "--expand-sample",
        "SIZE",
        "Learn weights of other words from at most this much text, a random sample of TEXTS, e.g. 64MiB.",
        RUNNING,
        "128MiB, or what --memory is enough for",
    ),
    Needs(("--expand", "--expand-lexicon"), "it is the size of the sample that it learns from. Give it, too"),
]
Threads = Annotated[int | None, option("--threads", "N", "How many threads to use.", RUNNING, "every core", min=1)]
Checkpoint = Annotated[
    Path | None,
    option(
        "--checkpoint",
        "FILE",
        "Save progress to this file; after an interruption, the same command continues from it.",
        RUNNING,
    ),
    Needs("--output", "name the file to write with --output"),
]


def _keep(default: str) -> Any:
    """The option `--keep`; commands differ in its default."""
    help = "Columns of TEXTS to copy to the output: all, none, or names separated by commas."
    return option("--keep", "COLUMNS", help, OUTPUT, default)


def _table(default: str) -> Any:
    help = "The name of the table in a database, or of the sheet in a workbook."
    return option("--table", "NAME", help, OUTPUT, default)


Keep = Annotated[list[str] | None, _keep("id, if there is one")]
KeepAll = Annotated[list[str] | None, _keep("all")]
PredictionsTable = Annotated[str | None, _table("predictions")]
LookupTable = Annotated[str | None, _table("lookup")]
Bom = Annotated[bool, flag("--bom", "Write CSV with a byte order mark, so that Excel shows accents.", OUTPUT)]
Force = Annotated[bool, flag("--force", "Overwrite existing files.", OUTPUT)]
Raw = Annotated[bool, flag("--raw", "Do not escape CSV cells that a spreadsheet would read as formulas.", OUTPUT)]
Format = Annotated[str, choice("--format -f", FORMATS, "How results are printed: {choices}.", OUTPUT)]
