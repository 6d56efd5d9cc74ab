"""The work of `problex lookup`: tables batch by batch, and the sums that its messages and its page need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from problex._util.arrays import FloatArray, IntArray
from problex._util.files import is_left_over
from problex._util.formatting import format_percent, pluralize
from problex._util.memory import choose_batch_bytes
from problex.cli.inputs import TextFiles
from problex.cli.lexicons import ListChoice
from problex.cli.output import resumable
from problex.cli.prediction_log import PredictionLog
from problex.cli.predictions import describe_losses
from problex.cli.progress import progress
from problex.corpus import Batch, ReadOptions
from problex.counting.checkpoints import corpus_key
from problex.errors import DocumentError
from problex.lexicon import Dictionary
from problex.lookups.matcher import Matcher, Matches, make_matcher, match_batches
from problex.lookups.statistics import GroupSums, LookupStatistics, LookupSums, sum_by_value
from problex.lookups.tables import TableLayout
from problex.matching import Tokenizer
from problex.tables.reader import Position
from problex.tables.write import TableFile


@dataclass(frozen=True)
class LookupOptions:
    """How a dictionary is looked up, as the options of the command have it."""

    values: str
    matching: str
    levels: str
    glob: bool
    keep_links: bool
    long: bool
    choice: ListChoice
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
        target = replace(target, confirm=is_left_over(checkpoint, target.path))
        target.check()
        files, options = self.files, asdict(self.options)
        reading = {"text": files.text, "keep": files.keep, "markup": files.markup} | ReadOptions(**files.reading).key()
        key = corpus_key(files.files) | reading | options | {"threads": self.options.threads or cpu_count()}
        digest = sha256(self.file.read_bytes()).hexdigest()
        log = PredictionLog(checkpoint, key | {"memory": files.memory, "dictionary": digest})
        with resumable(checkpoint), log.lock():
            parts = self.parts(Collected(), log.resume())
            log.extend((part.table, batch.position, part.tally) for batch, part in parts)
            notes = target.write(log.tables())
            messages = describe_table(target.path, log.tally(), notes)
            log.remove()
        return messages


def describe_table(path: Path, tally: Mapping[str, int], notes: list[str]) -> list[str]:
    """What was written and lost, and how much of the texts the dictionary has."""
    written = f"wrote {pluralize(tally['rows'], 'row')} to {path}{describe_losses(tally)}"
    return [written, *(f"problex: note: {note}" for note in notes), *describe_words(tally)]


def describe_words(tally: Mapping[str, int]) -> list[str]:
    """How many of the words are in the dictionary.

    >>> describe_words({"words": 200, "matched": 50})
    ['25.0% of 200 words are in the dictionary']
    """
    if not tally["words"]:
        return ["no text has words"]
    share = format_percent(tally["matched"] / tally["words"])
    return [f"{share} of {pluralize(tally['words'], 'word')} are in the dictionary"]
