"""`problex lookup`: a table of how much of each text falls into each category of a dictionary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, NamedTuple

import pyarrow as pa
import typer

from problex._util.arrays import FloatArray, IntArray
from problex._util.files import check_writable, write_atomically
from problex._util.formatting import format_percent, pluralize
from problex._util.memory import choose_batch_bytes
from problex.cli.grouping import PageGroups
from problex.cli.inputs import DictionaryChoice, TextFiles, choose_files, choose_table
from problex.cli.options import (
    MEMORY,
    Bom,
    Checkpoint,
    Excludes,
    FoldAccents,
    Force,
    Format,
    Glob,
    Keep,
    KeepLinks,
    Language,
    LookupTable,
    Memory,
    Needs,
    Output,
    Raw,
    Threads,
    choice,
    flag,
    option,
    options,
)
from problex.cli.output import print_tables, progress, say_issues
from problex.cli.predictions import describe_losses, describe_table
from problex.cli.terminal import say
from problex.corpus import Batch
from problex.errors import DocumentError, OutputError
from problex.lexicon import Dictionary
from problex.lexicon.sanity import INNER_WILDCARD_KIND
from problex.lookups import MATCHING, VALUES
from problex.lookups.matcher import Matcher, Matches, make_matcher, match_batches
from problex.lookups.rules import DEFAULT_MATCHING, Matching
from problex.lookups.statistics import GroupSums, LookupStatistics, LookupSums, sum_by_value
from problex.lookups.tables import TableLayout, Value
from problex.matching import Tokenizer
from problex.tables.reader import Position
from problex.tables.write import TableFile


def _described(table: Mapping[str, Value] | Mapping[str, Matching]) -> str:
    """The names in a table of the library with their descriptions."""
    return "; ".join(f"{name} ({choice.description})" for name, choice in table.items()) + "."


@options
def lookup(
    *,
    dictionary: Annotated[
        Path, typer.Argument(metavar="DICTIONARY", help="A file with categories of words: .dic, .yml, .csv, ...")
    ],
    output: Output = None,
    values: Annotated[str, choice("--values", VALUES, "What a cell is: " + _described(VALUES))] = "count",
    matching: Annotated[
        str, choice("--matching", MATCHING, "Which matches count where several overlap: " + _described(MATCHING))
    ] = DEFAULT_MATCHING,
    levels: Annotated[
        str,
        option(
            "--levels",
            "all|lowest|N",
            "Which levels of nested categories get a column: all, the lowest, or the first N.",
        ),
    ] = "all",
    glob: Glob = False,
    keep_links: KeepLinks = False,
    long: Annotated[bool, flag("--long", "Write a row for each text and category.")] = False,
    language: Language = "en",
    fold_accents: FoldAccents = None,
    report: Annotated[
        Path | None, option("--report", "FILE", "Also write an HTML page about the categories, .html.")
    ] = None,
    title: Annotated[
        str | None,
        option("--title", "TITLE", "The title of the page.", default="from TEXTS"),
        Needs("--report", "it is shown in the report, so give --report FILE, too"),
    ] = None,
    groups: PageGroups,
    keep: Keep = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    checkpoint: Annotated[
        Checkpoint, Excludes("--report", "the page needs all texts in one run. Leave one of the two out")
    ] = None,
    force: Force = False,
    form: Format = "csv",
    raw: Raw = False,
    bom: Bom = False,
    table: LookupTable = None,
    lists: DictionaryChoice,
    texts: TextFiles,
) -> None:
    """Count how much of each text falls into each category of a DICTIONARY: one row of output for each text."""
    target = choose_table(output, "lookup", table, raw=raw, bom=bom, force=force)
    files = choose_files(texts, target, dictionary, keep=keep, memory=memory, checkpoint=checkpoint, report=report)
    groups.grouping()  # wrong choices are refused before the texts are read
    categories = lists.read(dictionary)
    say_issues([issue for issue in categories.problems if not (glob and issue.kind == INNER_WILDCARD_KIND)])
    how = LookupOptions(values, matching, levels, glob, keep_links, long, lists, language, fold_accents, threads)
    job = LookupJob(dictionary, categories, files, how, report is not None, **groups.options())
    if report is not None:
        check_page(report, force=force)
    if checkpoint is not None and target is not None:
        say(*job.write_resumably(target, checkpoint))
        return
    result = Collected()
    if target is not None:
        target.check()
        notes = target.write(job.tables(result))
        say(*describe_table(target.path, result.tally, notes))
    else:
        if report is None:
            print_tables(job.tables(result), form, raw=raw)
        else:
            for _ in job.tables(result):
                pass
        say(describe_losses(result.tally).removeprefix("; "))
    say(*describe_words(result.tally))
    if report is not None:
        write_page(result, report, title or f"Categories in {texts.name}", matching, force=force)


@dataclass(frozen=True)
class LookupOptions:
    """How a dictionary is looked up, as the options of the command have it."""

    values: str
    matching: str
    levels: str
    glob: bool
    keep_links: bool
    long: bool
    choice: DictionaryChoice
    language: str
    fold_accents: bool | None
    threads: int | None


class BatchResult(NamedTuple):
    """The results of a batch: its table, numbers that can be added, and for a page the sums of all and by value."""

    table: pa.Table
    tally: dict[str, int]
    sums: LookupSums | None
    by_value: tuple[list[str], IntArray, FloatArray] | None


@dataclass
class Collected:
    """The sums of all batches so far."""

    tally: Counter[str] = field(default_factory=Counter)
    sums: LookupSums | None = None
    groups: GroupSums | None = None
    matcher: Matcher | None = None

    def add(self, part: BatchResult) -> None:
        """Add the results of a batch."""
        self.tally.update(part.tally)
        if part.sums is not None:
            self.sums = part.sums if self.sums is None else self.sums + part.sums
        if part.by_value is not None and self.groups is not None:
            self.groups.add(part.by_value)

    def statistics(self) -> LookupStatistics:
        """The statistics of the categories; raise if no text has words."""
        if self.sums is None or self.matcher is None or not self.sums.documents:
            raise DocumentError("no text has words, expected at least one: there is nothing to show on the page")
        return LookupStatistics(self.matcher.entries, self.sums)


@dataclass(frozen=True)
class LookupJob:
    """A dictionary and its file, texts and options; with `for_page`, also the sums that a page needs, by `by`."""

    file: Path
    dictionary: Dictionary
    files: TextFiles
    options: LookupOptions
    for_page: bool = False
    by: str | None = None
    every: str | None = None
    date_order: str | None = None

    def tables(self, result: Collected) -> Iterator[pa.Table]:
        """The tables of all batches, whose sums are added to a result; raise if there is no text at all."""
        for _, part in self.parts(result):
            result.add(part)
            yield part.table

    def parts(self, result: Collected, start: Position = ()) -> Iterator[tuple[Batch, BatchResult]]:
        """The results of batch after batch, from a position on."""
        options, files = self.options, self.files.also_keeping(self.by)
        size = choose_batch_bytes(files.memory, options.threads)
        stream = progress(files.batches(batch_bytes=size, start=start), "looking up")
        matcher, stream = make_matcher(
            stream,
            self.dictionary,
            Tokenizer(options.language, options.fold_accents, keep_links=options.keep_links),
            matching=options.matching,
            levels=options.levels,
            glob=options.glob,
        )
        entries = matcher.entries
        layout = TableLayout.of(entries.categories, options.values, long=options.long, weighted=entries.weighted)
        result.matcher = matcher
        if self.by is not None:
            result.groups = GroupSums(self.by, entries.categories, self.every, self.date_order)
        empty = not start

        def compute(batch: Batch, matches: Matches) -> BatchResult:
            return self._compute(layout, batch, matches)

        for pair in match_batches(
            stream, matcher, compute, markup=files.markup, threads=options.threads, memory=files.memory
        ):
            empty = False
            yield pair
        if empty:
            raise DocumentError("there are no documents to look up, expected at least one text")

    def _compute(self, layout: TableLayout, batch: Batch, matches: Matches) -> BatchResult:
        """The results of a batch."""
        by_value = None
        if self.by is not None and batch.columns is not None:
            by_value = sum_by_value(batch.columns[self.by], matches)
            if self.files.keep is not None and self.by not in self.files.keep:
                rest = batch.columns.drop_columns([self.by])
                batch = replace(batch, columns=rest if rest.num_columns else None)
        tally = {
            "rows": len(batch.texts),
            "missing": batch.missing,
            "unreadable": batch.invalid,
            "words": int(matches.lengths.sum()),
            "matched": int(matches.dictionary_words.sum()),
        }
        return BatchResult(
            layout.table(batch, matches), tally, LookupSums.of(matches) if self.for_page else None, by_value
        )

    def write_resumably(self, target: TableFile, checkpoint: Path) -> list[str]:
        """Write the table with a log from which the same command continues after an interruption."""
        from problex.cli.prediction_log import resume_table

        with resume_table(target, checkpoint, self.files, asdict(self.options), dictionary=self.file) as run:
            results = self.parts(Collected(), run.start)
            tally, notes = run.write((result.table, batch.position, result.tally) for batch, result in results)
        return [*describe_table(target.path, tally, notes), *describe_words(tally)]


def describe_words(tally: Mapping[str, int]) -> list[str]:
    """How many of the words are in the dictionary.

    >>> describe_words({"words": 200, "matched": 50})
    ['25.0% of 200 words are in the dictionary']
    """
    if not tally["words"]:
        return ["no text has words"]
    share = format_percent(tally["matched"] / tally["words"])
    return [f"{share} of {pluralize(tally['words'], 'word')} are in the dictionary"]


def check_page(path: Path, *, force: bool) -> None:
    """Raise if the page cannot be written, before the work is done.

    >>> check_page(Path("page.pdf"), force=False)
    Traceback (most recent call last):
    problex.errors.OutputError: 'page.pdf' was given as the report, expected a name that ends in .html
    """
    from problex.report import check_packages

    if path.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{path.name!r} was given as the report, expected a name that ends in .html")
    check_writable(path, force=force)
    check_packages()


def write_page(result: Collected, path: Path, title: str, matching: str, *, force: bool) -> None:
    """Write the page about the categories."""
    from problex.report.lookup_page import build_lookup_page

    page = build_lookup_page(result.statistics(), result.groups, title, matching)
    write_atomically(path, lambda part: part.write_text(page.html, encoding="utf-8"), force=force)
    say(f"wrote {path} ({len(page.html.encode()) / 1e6:.1f} MB)")
