"""`chooses_lists`: the options of commands that take a lexicon, the same for all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from problex.cli.options import LEXICON, choice
from problex.errors import ProblexError
from problex.lexicon import Dictionary, Lexicon
from problex.lexicon.dictionary import SHARED, parse_choices


@dataclass(frozen=True)
class ListChoice:
    """The lists to make from categories, what becomes of words in several of them, and how the file is read."""

    lists: tuple[str, ...] = ()
    shared: str = "drop"
    reading: dict[str, Any] = field(default_factory=dict)

    def read(self, file: str | Path, **more: Any) -> Dictionary:
        """Read a file, and make the lists from it."""
        from problex.lexicon import read_dictionary  # imports the modules of all formats

        return self.choose(read_dictionary(file, **self.reading, **more))

    def choose(self, dictionary: Dictionary) -> Dictionary:
        """The lists of a dictionary; all its categories if none was chosen."""
        if not self.lists:
            return dictionary
        return dictionary.choose(parse_choices(self.lists, dictionary.categories), shared=self.shared)

    def lexicon(self, files: Sequence[str]) -> Lexicon:
        """The lexicon of `--lexicon NAME=FILE` options, or of one file, from which lists are chosen."""
        if self.lists:
            return self._chosen(files)
        dictionary, named = Dictionary(()), 0
        for option in files:
            name, sign, file = option.partition("=")
            if sign and not name:
                raise ProblexError(f"--lexicon {option} has no name of a list, expected NAME=FILE")
            is_named = bool(sign) and "/" not in name
            named += is_named
            if not is_named and len(files) > 1:
                raise ProblexError(
                    f"--lexicon {option} was given with other --lexicon options, expected NAME=FILE in each of them"
                )
            dictionary += self.read(file, listed=name) if is_named else self.read(option)
        return dictionary.lexicon()

    def _chosen(self, files: Sequence[str]) -> Lexicon:
        from problex.lexicon import read_dictionary

        dictionary = Dictionary(())
        for option in files:
            if "=" in option and not Path(option).exists():
                raise ProblexError(
                    f"--lexicon {option} was given with --list, expected --lexicon FILE: leave out NAME="
                )
            dictionary += read_dictionary(option, **self.reading)
        return self.choose(dictionary).lexicon()


ALL_LISTS = ListChoice()


def _option(name: str, metavar: str, help: str) -> Any:
    return typer.Option(name, metavar=metavar, help=help, rich_help_panel=LEXICON, show_default=False)


Column = "COLUMN"
OPTIONS: dict[str, tuple[Any, object]] = {
    "lists": (
        Annotated[
            list[str] | None,
            _option(
                "--list",
                "NAME=CATEGORY,...",
                "Make the list NAME from categories of the lexicon file, e.g. left=ECONOMY/+STATE+.",
            ),
        ],
        None,
    ),
    "oppose": (
        Annotated[
            tuple[str, str],
            _option(
                "--oppose",
                "NAME=CATEGORY,... NAME=CATEGORY,...",
                "Make two opposed lists, e.g. --oppose positive=posemo negative=negemo.",
            ),
        ],
        ("", ""),
    ),
    "shared": (
        Annotated[
            str,
            choice(
                "--shared",
                among=SHARED,
                help="What becomes of words in several of the chosen lists: {choices} (of their categories).",
                panel=LEXICON,
            ),
        ],
        "drop",
    ),
    "word": (Annotated[str | None, _option("--word", Column, "The column of the words in a table.")], None),
    "label": (Annotated[str | None, _option("--label", Column, "The column of their lists.")], None),
    "weight": (Annotated[str | None, _option("--weight", Column, "The column of their weights or ratings.")], None),
    "midpoint": (
        Annotated[
            float | None,
            _option(
                "--midpoint", "NUMBER", "Make two lists of ratings: words above it are positive, below it negative."
            ),
        ],
        None,
    ),
    "neutral": (
        Annotated[str | None, _option("--neutral", "LOW:HIGH", "Leave out words with ratings from LOW to HIGH.")],
        None,
    ),
}
"""The options by their names: type and default."""
READING = {name: name for name in ("word", "label", "weight", "midpoint", "neutral")} | {
    "sheet": "lexicon_sheet",
    "encoding": "lexicon_encoding",
}
"""The arguments of `read_dictionary` that options give."""


def _encoding(sheet: str) -> Any:
    """The option for the encoding of the lexicon, named like that for its sheet."""
    names = dict.fromkeys((sheet.replace("sheet", "encoding"), "--encoding" if sheet == "--sheet" else _ENCODING))
    help = "The encoding of the lexicon file, e.g. cp1251."
    return Annotated[
        str | None,
        typer.Option(*names, metavar="NAME", help=help, rich_help_panel=LEXICON, show_default="detected"),
    ]


_ENCODING = "--lexicon-encoding"


def chooses_lists(sheet: str = "--sheet", shared: str = "drop") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, for its parameter `choice: ListChoice`, the options by which lists are read and chosen.

    `sheet` is the name of the option for the sheet of a workbook: commands that read texts have a sheet of texts, too.
    `shared` is the default for words in several lists: `both` where lists may overlap.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        parameters = dict(inspect.signature(command, eval_str=True).parameters)
        del parameters["choice"]
        kind = Annotated[
            str | None, _option(sheet, "NAME", "The sheet of a workbook with the lexicon: name or number.")
        ]
        options = OPTIONS | {"shared": (OPTIONS["shared"][0], shared), "lexicon_sheet": (kind, None)}
        if sheet != "--sheet" or "encoding" not in parameters:
            options |= {"lexicon_encoding": (_encoding(sheet), None)}
        added = [
            Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind)
            for name, (kind, default) in options.items()
        ]
        ordered = sorted([*parameters.values(), *added], key=lambda parameter: parameter.default is not Parameter.empty)

        @wraps(command)
        def run(**values: Any) -> None:
            given = {name: values.pop(name) for name in options if name in values}
            command(choice=_choice(given), **values)

        run.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
        del run.__annotations__  # those of the signature count
        return run

    return decorate


def _choice(given: dict[str, Any]) -> ListChoice:
    """The choice that the options describe."""
    from problex.lexicon.formats.lexicon_file import parse_neutral

    lists, opposed = list(given.get("lists") or ()), [one for one in given.get("oppose") or () if one]
    if lists and opposed:
        raise ProblexError("--list and --oppose were given, expected one of them")
    if any("=" not in one for one in opposed):
        raise ProblexError(
            f"--oppose {' '.join(opposed)} was given, expected two lists such as positive=posemo negative=negemo"
        )
    reading = {name: given.get(option) for name, option in READING.items()}
    if reading["neutral"] is not None:
        reading["neutral"] = parse_neutral(reading["neutral"])
    named = {name: value for name, value in reading.items() if value is not None}
    return ListChoice(tuple(lists or opposed), given.get("shared") or "drop", named)
