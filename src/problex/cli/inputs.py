"""What commands read: files of texts, by their options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from problex._util.files import is_same_file
from problex._util.memory import DEFAULT_MEMORY, check_memory, parse_size
from problex.cli.progress import progress
from problex.corpus import Batch, Reading, batches, column_names, list_files
from problex.errors import OutputError, ProblexError
from problex.tables.reader import Position
from problex.tables.write import TableFile


@dataclass(frozen=True)
class TextFiles:
    """Files of texts, the column of the texts, how they are read, the columns to keep (None: all), and the memory."""

    files: list[Path]
    text: str | None = None
    reading: Reading = field(default_factory=lambda: Reading())
    markup: bool = False
    keep: tuple[str, ...] | None = ()
    memory: int = DEFAULT_MEMORY

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
        """The same with one more column kept, unless all are."""
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
            text=self.text,
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


def choose_table(
    output: Path | None, default: str, name: str | None = None, *, raw: bool, bom: bool, force: bool
) -> TableFile | None:
    """Where a table goes, if not to standard output; raise if an option has no effect there."""
    target = None if output is None else TableFile(output, name or default, raw=raw, bom=bom, force=force)
    if name is not None and (target is None or not target.holds_others):
        raise ProblexError(
            "--table was given without a database or workbook: it is the name of a table in these. Name one with "
            "--output, or leave --table out"
        )
    check_bom(target, bom=bom)
    return target


def check_bom(target: TableFile | None, *, bom: bool) -> None:
    """Raise if a byte order mark is wanted, but no CSV file is written."""
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
    if others.get("checkpoint") is not None and target is None:
        raise ProblexError("--checkpoint was given without --output: name the file to write with --output")
    return files


def check_outputs(outputs: Mapping[str, Path | None], texts: TextFiles | None = None, *inputs: str | Path) -> None:
    """Raise if two outputs, which have the names of their options, are one file, or if one of them is also read.

    `inputs` are the other files that are read; `NAME=FILE`, as for `--lexicon`, is FILE.
    """
    files = [Path(part) for file in inputs for part in {str(file), str(file).partition("=")[2]} if part]
    paths = [(option, path) for option, path in outputs.items() if path is not None]
    for option, path in paths:
        if (texts is not None and texts.has(path)) or any(is_same_file(path, file) for file in files):
            raise OutputError(f"{option} {str(path)!r} is also read by this command: choose another name")
    for (first, path), (second, other) in combinations(paths, 2):
        if is_same_file(path, other):
            raise OutputError(
                f"{first} and {second} are the same file, {str(other)!r}: choose another name for one of them"
            )
