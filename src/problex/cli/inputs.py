"""What commands read, by groups of options: files of texts, and the lists of a lexicon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import typer

from problex._util.files import is_same_file
from problex._util.memory import DEFAULT_MEMORY, check_memory, parse_size
from problex.cli.options import LEXICON, READING, Excludes, Needs, choice, flag, option
from problex.cli.output import progress
from problex.corpus import Batch, Reading, batches, column_names, list_files
from problex.errors import OutputError, ProblexError
from problex.lexicon import Dictionary, Lexicon
from problex.lexicon.dictionary import SHARED, parse_choices
from problex.tables.dialect import DELIMITERS
from problex.tables.formats import STREAM_FORMATS
from problex.tables.reader import CHOICES, Position
from problex.tables.write import TableFile

Texts = Annotated[
    list[Path],
    typer.Argument(
        metavar="TEXTS",
        help="Files with texts: .csv, .tsv, .jsonl, .parquet, .xlsx, .ods, .dta, .sav, .rds, .sqlite, .duckdb, .zip, "
        "or .txt with one text per line; folders of such files (.txt: one text per file); or - for standard input.",
    ),
]
OF_TEXTS = Needs("TEXTS", "it says how files of texts are read. Leave it out")


def _text_column(name: str) -> Any:
    return option(name, "COLUMN", "The column with the texts.", READING, "guessed")


@dataclass(frozen=True)
class TextFiles:
    """Files of texts, the column of the texts, and how they are read.

    `keep` are the columns to keep (None: all), and `memory` how many bytes may be used: other options give these.
    """

    files: Texts
    text_column: Annotated[str | None, _text_column("--text"), OF_TEXTS] = None
    markup: Annotated[bool, flag("--markup", "Replace HTML tags such as <br /> by spaces.", READING)] = False
    on_error: Annotated[
        str,
        choice(
            "--on-error",
            CHOICES["on_error"],
            "What to do when a row cannot be read: {choices} (its invalid bytes).",
            READING,
        ),
    ] = "stop"
    format: Annotated[
        str | None,
        choice("--input-format", STREAM_FORMATS, "The format of standard input: {choices}.", READING, "txt"),
        OF_TEXTS,
    ] = None
    sheet: Annotated[
        str | None,
        option(
            "--sheet",
            "NAME",
            "The sheet of a workbook or the table of a database: its name, or its number, from 1.",
            READING,
            "the only one with texts",
        ),
        OF_TEXTS,
    ] = None
    query: Annotated[
        str | None,
        option(
            "--query",
            "SQL",
            "Read the result of this query of a database or other file; the table of a file is called texts: "
            "'select review as text from texts where year > 2020'.",
            READING,
        ),
        OF_TEXTS,
    ] = None
    encoding: Annotated[
        str | None,
        option("--encoding", "NAME", "The encoding of text files, e.g. utf-8, utf-16, cp1252.", READING, "detected"),
        OF_TEXTS,
    ] = None
    delimiter: Annotated[
        str | None,
        option(
            "--delimiter",
            "NAME",
            f"What separates the cells of .csv and .tsv: {', '.join(DELIMITERS)}, or another character.",
            READING,
            "detected",
        ),
        OF_TEXTS,
    ] = None
    header: Annotated[
        bool | None,
        flag(
            "--header/--no-header",
            "Whether the first line of .csv and .tsv names the columns; if not, they are column_1, ...",
            READING,
            show_default="detected",
        ),
        OF_TEXTS,
    ] = None
    keep: tuple[str, ...] | None = ()
    memory: int = DEFAULT_MEMORY

    @property
    def reading(self) -> Reading:
        """How the files are read, as functions of the library take it; a missing text is an empty one."""
        return {
            "missing": "empty",
            "on_error": self.on_error,
            "format": self.format,
            "sheet": self.sheet,
            "query": self.query,
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "header": self.header,
        }

    @property
    def name(self) -> str:
        """A name for the texts: that of the file, or the number of files.

        >>> [TextFiles([Path(name) for name in names]).name for names in (["old/films.csv"], ["-"], ["a.csv", "b.csv"])]
        ['films', 'standard input', '2 files']
        """
        if len(self.files) > 1:
            return f"{len(self.files):,} files"
        return "standard input" if str(self.files[0]) == "-" else self.files[0].stem or str(self.files[0])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the first file; none of standard input."""
        return tuple(column_names(self.files, memory=self.memory, **self.reading))

    @property
    def is_rereadable(self) -> bool:
        """Whether the texts can be read more than once: not standard input, nor a pipe. What is missing can."""
        files = list_files(self.files)
        return all(file.is_file() or file.is_dir() or not (file.exists() or str(file) == "-") for file in files)

    def keeping(self, choices: Sequence[str] | None) -> TextFiles:
        """The same with the columns of `--keep`: `all`, `none`, or names; by default `id`, if there is one."""
        if not choices:
            return self.with_id()
        if list(choices) in (["all"], ["none"]):
            return replace(self, keep=None if choices[0] == "all" else ())
        columns = self.columns  # a name may have a comma in it
        names = [[choice] if choice in columns else choice.split(",") for choice in choices]
        return replace(self, keep=tuple(dict.fromkeys(name.strip() for parts in names for name in parts)))

    def also_keeping(self, column: str | None) -> TextFiles:
        """The same with one more column kept, unless all are.

        >>> files = TextFiles([Path("films.csv")], keep=("id",))
        >>> files.also_keeping("date").keep, files.also_keeping(None).keep
        (('id', 'date'), ('id',))
        >>> print(replace(files, keep=None).also_keeping("date").keep)  # None keeps all
        None
        """
        if column is None or self.keep is None or column in self.keep:
            return self
        return replace(self, keep=(*self.keep, column))

    def with_id(self) -> TextFiles:
        """The same, with the column `id` kept if there is one."""
        return replace(self, keep=("id",)) if "id" in self.columns else self

    def batches(self, *, batch_bytes: int = 8 << 20, start: Position = ()) -> Iterator[Batch]:
        """The documents in batches."""
        return batches(
            self.files,
            text=self.text_column,
            keep=self.keep,
            batch_bytes=batch_bytes,
            start=start,
            memory=self.memory,
            hint_markup=not self.markup,
            **self.reading,
        )

    def rereader(self) -> Callable[[], Iterable[Batch]]:
        """A function that returns the batches each time it is called; standard input is held in memory."""
        if self.is_rereadable:
            return lambda: progress(self.batches(), "reading")
        held = list(progress(self.batches(), "reading"))
        return lambda: held

    def has(self, path: Path) -> bool:
        """Whether a file is one of these, or a text in one of the folders."""
        if not path.exists() or all(str(file) == "-" for file in self.files):
            return False
        place = path.resolve()
        return any(
            place.suffix.lower() == ".txt" and place.is_relative_to(file.resolve())
            if file.is_dir()
            else is_same_file(file, path)
            for file in list_files(self.files)
        )

    def __str__(self) -> str:
        return ", ".join(map(str, self.files))


@dataclass(frozen=True)
class OptionalTexts(TextFiles):
    """Files of texts of a command that can do without."""

    files: Texts = field(default_factory=list)


@dataclass(frozen=True)
class TextsByRow(OptionalTexts):
    """Files of texts of `explain`, whose `--text` is a text."""

    text_column: Annotated[str | None, _text_column("--column"), OF_TEXTS] = None


def _lexicon_option(names: str, metavar: str, help: str) -> Any:
    return option(names, metavar, help, LEXICON, default=False)


def _lexicon_sheet(name: str) -> Any:
    return _lexicon_option(name, "NAME", "The sheet of a workbook with the lexicon: name or number.")


def _lexicon_encoding(names: str) -> Any:
    return option(names, "NAME", "The encoding of the lexicon file, e.g. cp1251.", LEXICON, "detected")


Shared = Annotated[
    str,
    choice(
        "--shared",
        SHARED,
        "What becomes of words in several of the chosen lists: {choices} (of their categories).",
        LEXICON,
    ),
]


@dataclass(frozen=True)
class ListChoice:
    """The lists to make from categories, what becomes of words in several of them, and how the file is read."""

    lists: Annotated[
        list[str] | None,
        _lexicon_option(
            "--list",
            "NAME=CATEGORY,...",
            "Make the list NAME from categories of the lexicon file, e.g. left=ECONOMY/+STATE+.",
        ),
        Excludes("--oppose", "both choose the lists. Leave one of the two out"),
    ] = None
    oppose: Annotated[
        tuple[str, str],
        _lexicon_option(
            "--oppose",
            "NAME=CATEGORY,... NAME=CATEGORY,...",
            "Make two opposed lists, e.g. --oppose positive=posemo negative=negemo.",
        ),
    ] = ("", "")
    shared: Shared = "drop"
    word: Annotated[str | None, _lexicon_option("--word", "COLUMN", "The column of the words in a table.")] = None
    label: Annotated[str | None, _lexicon_option("--label", "COLUMN", "The column of their lists.")] = None
    weight: Annotated[str | None, _lexicon_option("--weight", "COLUMN", "The column of their weights or ratings.")] = (
        None
    )
    midpoint: Annotated[
        float | None,
        _lexicon_option(
            "--midpoint", "NUMBER", "Make two lists of ratings: words above it are positive, below it negative."
        ),
    ] = None
    neutral: Annotated[
        str | None, _lexicon_option("--neutral", "LOW:HIGH", "Leave out words with ratings from LOW to HIGH.")
    ] = None
    lexicon_sheet: Annotated[str | None, _lexicon_sheet("--sheet")] = None
    lexicon_encoding: Annotated[str | None, _lexicon_encoding("--encoding")] = None

    @property
    def chosen(self) -> list[str]:
        """The lists as NAME=CATEGORY,...; none if the lexicon file has them.

        >>> ListChoice(oppose=("good=posemo", "bad=negemo")).chosen, ListChoice(lists=["good=posemo"]).chosen
        (['good=posemo', 'bad=negemo'], ['good=posemo'])
        >>> ListChoice(oppose=("posemo", "negemo")).chosen  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        problex.errors.ProblexError: --oppose posemo negemo was given, expected two lists such as positive=posemo ...
        """
        opposed = [one for one in self.oppose if one]
        if any("=" not in one for one in opposed):
            raise ProblexError(
                f"--oppose {' '.join(opposed)} was given, expected two lists such as positive=posemo negative=negemo"
            )
        return self.lists or opposed

    @property
    def reading(self) -> dict[str, Any]:
        """How a file is read, as `read_dictionary` takes it.

        >>> ListChoice(label="list", neutral="4:6", lexicon_sheet="Words").reading
        {'label': 'list', 'sheet': 'Words', 'neutral': (4.0, 6.0)}
        """
        from problex.lexicon.formats.lexicon_file import parse_neutral

        options = {name: getattr(self, name) for name in ("word", "label", "weight", "midpoint")}
        options |= {"sheet": self.lexicon_sheet, "encoding": self.lexicon_encoding}
        options["neutral"] = None if self.neutral is None else parse_neutral(self.neutral)
        return {name: value for name, value in options.items() if value is not None}

    def read(self, file: str | Path, **more: Any) -> Dictionary:
        """Read a file, and make the lists from it; all its categories if none was chosen."""
        from problex.lexicon import read_dictionary  # imports the modules of all formats

        dictionary = read_dictionary(file, **self.reading, **more)
        return self._choose(dictionary) if self.chosen else dictionary

    def _choose(self, dictionary: Dictionary) -> Dictionary:
        return dictionary.choose(parse_choices(self.chosen, dictionary.categories), shared=self.shared)

    def lexicon(self, files: Sequence[str]) -> Lexicon:
        """The lexicon of `--lexicon NAME=FILE` options, or of one file, from which lists are chosen."""
        from problex.lexicon import read_dictionary

        dictionary, reading = Dictionary(()), self.reading
        for file in files:
            name, sign, path = file.partition("=")
            if self.chosen and sign and not Path(file).exists():
                raise ProblexError(f"--lexicon {file} was given with --list, expected --lexicon FILE: leave out NAME=")
            if not self.chosen and sign and not name:
                raise ProblexError(f"--lexicon {file} has no name of a list, expected NAME=FILE")
            is_named = not self.chosen and bool(sign) and "/" not in name
            if not (self.chosen or is_named) and len(files) > 1:
                raise ProblexError(
                    f"--lexicon {file} was given with other --lexicon options, expected NAME=FILE in each of them"
                )
            dictionary += (
                read_dictionary(path, **reading, listed=name) if is_named else read_dictionary(file, **reading)
            )
        return (self._choose(dictionary) if self.chosen else dictionary).lexicon()


@dataclass(frozen=True)
class CategoryChoice(ListChoice):
    """The categories of a lexicon file, which may overlap."""

    shared: Shared = "both"
    lexicon_encoding: Annotated[
        str | None, option("--encoding", "NAME", "The encoding of LEXICON, e.g. cp1250.", default="detected")
    ] = None


@dataclass(frozen=True)
class LexiconOptions(ListChoice):
    """The lists of a command that reads texts, whose sheet and encoding have options of their own."""

    lexicon_sheet: Annotated[str | None, _lexicon_sheet("--lexicon-sheet")] = None
    lexicon_encoding: Annotated[str | None, _lexicon_encoding("--lexicon-encoding")] = None


@dataclass(frozen=True)
class DictionaryChoice(ListChoice):
    """The categories of `lookup`, which may overlap."""

    shared: Shared = "both"
    lexicon_sheet: Annotated[str | None, _lexicon_sheet("--dictionary-sheet")] = None
    lexicon_encoding: Annotated[str | None, _lexicon_encoding("--dictionary-encoding --lexicon-encoding")] = None


def choose_table(
    output: Path | None, default: str, name: str | None = None, *, raw: bool, bom: bool, force: bool
) -> TableFile | None:
    """Where a table goes, if not to standard output; raise if an option has no effect there.

    >>> choose_table(Path("films.sqlite"), "predictions", raw=False, bom=False, force=False).table
    'predictions'
    >>> choose_table(Path("films.csv"), "predictions", "mine", raw=False, bom=False, force=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: --table was given without a database or workbook: ...
    """
    target = None if output is None else TableFile(output, name or default, raw=raw, bom=bom, force=force)
    if name is not None and (target is None or not target.holds_others):
        raise ProblexError(
            "--table was given without a database or workbook: it is the name of a table in these. Name one with "
            "--output, or leave --table out"
        )
    check_bom(target, bom=bom)
    return target


def check_bom(target: TableFile | None, *, bom: bool) -> None:
    """Raise if a byte order mark is wanted, but no CSV file is written.

    >>> check_bom(TableFile(Path("labels.csv")), bom=True)
    >>> check_bom(TableFile(Path("labels.xlsx")), bom=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.ProblexError: --bom was given without a CSV file: only these begin with a byte order mark. ...
    """
    if bom and (target is None or target.suffix != ".csv"):
        raise ProblexError(
            "--bom was given without a CSV file: only these begin with a byte order mark. Name one with --output, or "
            "leave --bom out"
        )


def choose_files(
    texts: TextFiles,
    target: TableFile | None,
    *inputs: str | Path,
    keep: list[str] | None,
    memory: str,
    **others: Path | None,
) -> TextFiles:
    """The texts with the columns to keep, to be read within a memory; raise if the table would replace an input.

    `others` are the other outputs by the names of their options. A table may be added to a database that is read.
    """
    files = replace(texts.keeping(keep), memory=check_memory(parse_size(memory)))
    outputs = {"output": None if target is None or target.is_database else target.path, **others}
    check_outputs({f"--{name}": path for name, path in outputs.items()}, files, *inputs)
    return files


def check_outputs(outputs: Mapping[str, Path | None], texts: TextFiles | None = None, *inputs: str | Path) -> None:
    """Raise if two outputs, which have the names of their options, are one file, or if one of them is also read.

    `inputs` are the other files that are read; `NAME=FILE`, as for `--lexicon`, is FILE.

    >>> check_outputs({"--output": Path("new.csv"), "--report": None}, None, "good=words.txt")
    >>> check_outputs({"--output": Path("words.txt")}, None, "good=words.txt")
    Traceback (most recent call last):
    problex.errors.OutputError: --output 'words.txt' is also read by this command: choose another name
    """
    files = [Path(part) for file in inputs for part in {str(file), str(file).partition("=")[2]} if part]
    paths = [(name, path) for name, path in outputs.items() if path is not None]
    for name, path in paths:
        if (texts is not None and texts.has(path)) or any(is_same_file(path, file) for file in files):
            raise OutputError(f"{name} {str(path)!r} is also read by this command: choose another name")
    for (first, path), (second, other) in combinations(paths, 2):
        if is_same_file(path, other):
            raise OutputError(
                f"{first} and {second} are the same file, {str(other)!r}: choose another name for one of them"
            )
