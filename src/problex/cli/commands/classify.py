"""`problex classify`: from texts and a lexicon to a labelled table, shares and a report in one command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import pyarrow as pa
import typer

from problex._util.files import check_writable
from problex._util.memory import parse_size
from problex.cli.commands.fit import FitOptions, fit_files, size_of_sample, summarize, words_to_learn
from problex.cli.commands.predict import ScoringOptions, say_all, score_files, summarize_predictions
from problex.cli.commands.report import write_page
from problex.cli.grouping import By, DateOrder, Every
from problex.cli.inputs import TextFiles, check_bom, check_outputs
from problex.cli.lexicons import ALL_LISTS, ListChoice, chooses_lists
from problex.cli.options import (
    MEMORY,
    Bom,
    ExpandSample,
    FoldAccents,
    Force,
    Glob,
    KeepAll,
    KeepLinks,
    Language,
    LexiconFiles,
    Memory,
    Raw,
    Threads,
)
from problex.cli.predictions import prediction_table, tally_of
from problex.cli.reading import reads_texts
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.estimation.model_file import save_model
from problex.grouping.grouping import make_grouping
from problex.matching import Tokenizer
from problex.model import Model
from problex.model.settings import DEFAULT
from problex.report import check_packages
from problex.shares.counting import ShareCounter, share_records
from problex.tables.write import SUFFIXES, TableFile, Tables

OTHERS = ("shares", "words")
"""The tables beside the labelled texts."""


@reads_texts()
@chooses_lists("--lexicon-sheet")
def classify(
    texts: TextFiles,
    lexicon: LexiconFiles,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help=f"The labelled table to write: {', '.join(SUFFIXES)}."),
    ],
    by: By = None,
    every: Every = None,
    date_order: DateOrder = None,
    keep: KeepAll = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TITLE", help="The title of the report.", show_default="from TEXTS")
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.")] = False,
    choice: ListChoice = ALL_LISTS,
    language: Language = "en",
    fold_accents: FoldAccents = None,
    glob: Glob = False,
    keep_links: KeepLinks = False,
    expand: Annotated[bool, typer.Option("--expand", help="Also learn weights for words outside the lexicon.")] = False,
    expand_sample: ExpandSample = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    force: Force = False,
    raw: Raw = False,
    bom: Bom = False,
) -> None:
    """Label TEXTS with one command: learn the weights, then write the labelled table, the shares and a report."""
    if not texts.is_rereadable:
        given = "standard input" if "-" in map(str, texts.files) else "a pipe"
        raise ProblexError(f"{given} was given, but classify reads the texts more than once: save them to a file")
    labelled = texts.keeping(keep or ["all"])
    if title is not None and no_report:
        raise ProblexError("--title was given with --no-report: it is the report's title. Leave one of the two out")
    if keep or by:  # a column that is missing is named before anything is learned and written
        replace(labelled, keep=labelled.keep or ()).also_keeping(by).batches()
    check_writable(output, force=True)  # a folder has no name to derive those of the other files from
    target = TableFile(output, "texts", raw=raw, bom=bom, force=force)
    check_bom(target, bom=bom)
    files = OutputFiles.of(target, report=not no_report)
    files.check(texts, lexicon)
    words = words_to_learn(all_words=expand, lexicon=False, resumable=False)
    tokenizer = Tokenizer(language, fold_accents, glob=glob, keep_links=keep_links)
    sample = size_of_sample(expand_sample, words, memory)
    settings = FitOptions(choice.lexicon(lexicon), tokenizer, DEFAULT, words, sample, threads, parse_size(memory), None)
    model, counts = fit_files(texts, settings)
    say(summarize(model, counts))
    save_model(model, files.model, force=force)
    shares = ShareCounter(make_grouping(by, every, date_order))
    say_all(write_tables(model, labelled.also_keeping(by), files.table, shares, threads))
    if files.page is not None:
        grouping = {"by": by, "every": every, "date_order": date_order}
        about = texts.also_keeping(by)
        write_page(files.page, about, model, title=title, force=force, threads=threads, **grouping)
    say(f"wrote {', '.join(map(str, files.written()))}")


@dataclass(frozen=True)
class OutputFiles:
    """The labelled table, and the model and the report beside it."""

    table: TableFile
    model: Path
    page: Path | None

    @classmethod
    def of(cls, table: TableFile, *, report: bool) -> OutputFiles:
        """The names: those of the table with other suffixes."""
        return cls(table, table.path.with_suffix(".model.json"), table.path.with_suffix(".html") if report else None)

    def check(self, texts: TextFiles, lexicon: list[str]) -> None:
        """Raise if a file cannot be written, or would replace what is read."""
        outputs = {"--output": self.table.path, "the model": self.model, "the report": self.page}
        beside = {f"the table of {name}": path for name, path in zip(OTHERS, self.beside(), strict=False)}
        check_outputs(outputs | beside, texts, *lexicon)
        self.table.check(OTHERS)
        for path in filter(None, (self.model, self.page)):
            check_writable(path, force=self.table.force)
        if self.page is not None:
            check_packages()

    def beside(self) -> list[Path]:
        """The files of the other tables, if they are not in that of the first."""
        return [] if self.table.holds_others else [self.table.beside(name) for name in OTHERS]

    def written(self) -> list[Path]:
        """The files that were written beside the table."""
        return [*self.beside(), *filter(None, (self.page, self.model))]


def write_tables(
    model: Model, texts: TextFiles, target: TableFile, shares: ShareCounter, threads: int | None
) -> list[str]:
    """Score the texts and write the labelled table, the shares and the words; returns messages."""
    tally = Counter[str]()

    def labelled() -> Tables:
        for batch, scores in score_files(model, texts, ScoringOptions(markup=texts.markup, threads=threads)):
            tally.update(tally_of(batch, scores))
            shares.add(batch, scores)
            yield prediction_table(batch, scores)

    def shares_table() -> Iterator[pa.Table]:
        yield pa.Table.from_pylist(share_records(shares.tally(), model.classes, max_groups=None))

    def words_table() -> Iterator[pa.Table]:
        yield pa.Table.from_pylist(model.records())

    notes = target.write(labelled(), {"shares": shares_table(), "words": words_table()})
    return summarize_predictions(target.path, tally, model.classes, notes)
