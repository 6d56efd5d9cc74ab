"""`problex classify`: from texts and a lexicon to a labelled table, shares and a report in one command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import pyarrow as pa

from problex._util.files import check_writable
from problex.cli.grouping import GroupBy
from problex.cli.inputs import LexiconOptions, TextFiles, check_bom, check_outputs
from problex.cli.learning import learn_files, summarize
from problex.cli.options import (
    MEMORY,
    Bom,
    Excludes,
    ExpandSample,
    Force,
    KeepAll,
    LexiconFiles,
    Memory,
    Raw,
    Threads,
    TokenizerOptions,
    flag,
    option,
    options,
)
from problex.cli.predictions import (
    Scored,
    ScoringOptions,
    describe_labels,
    describe_table,
    prediction_tables,
    score_files,
    write_report,
)
from problex.cli.terminal import say
from problex.errors import ProblexError
from problex.estimation.model_file import save_model
from problex.model import Model
from problex.report import check_packages
from problex.shares.counting import ShareCounter, share_records
from problex.tables.write import SUFFIXES, TableFile

OTHERS = ("shares", "words")
"""The tables beside the labelled texts."""


@options
def classify(
    *,
    lexicon: LexiconFiles,
    output: Annotated[
        Path,
        option("--output -o", "FILE", f"The labelled table to write: {', '.join(SUFFIXES)}."),
    ],
    groups: GroupBy,
    keep: KeepAll = None,
    title: Annotated[
        str | None,
        option("--title", "TITLE", "The title of the report.", default="from TEXTS"),
        Excludes("--no-report", "it is the report's title. Leave one of the two out"),
    ] = None,
    no_report: Annotated[bool, flag("--no-report", "Write no report.")] = False,
    tokens: TokenizerOptions,
    expand: Annotated[bool, flag("--expand", "Also learn weights for words outside the lexicon.")] = False,
    expand_sample: ExpandSample = None,
    threads: Threads = None,
    memory: Memory = MEMORY,
    force: Force = False,
    raw: Raw = False,
    bom: Bom = False,
    lists: LexiconOptions,
    texts: TextFiles,
) -> None:
    """Label TEXTS with one command: learn the weights, then write the labelled table, the shares and a report."""
    if not texts.is_rereadable:
        given = "standard input" if "-" in map(str, texts.files) else "a pipe"
        raise ProblexError(f"{given} was given, but classify reads the texts more than once: save them to a file")
    labelled = texts.keeping(keep or ["all"])
    if keep or groups.by:  # a column that is missing is named before anything is learned and written
        replace(labelled, keep=labelled.keep or ()).also_keeping(groups.by).batches()
    check_writable(output, force=True)  # a folder has no name to derive those of the other files from
    target = TableFile(output, "texts", raw=raw, bom=bom, force=force)
    check_bom(target, bom=bom)
    files = OutputFiles.of(target, report=not no_report)
    files.check(texts, lexicon)
    model, counts = learn_files(
        texts,
        lists.lexicon(lexicon),
        tokens.tokenizer(),
        expand=expand,
        expand_sample=expand_sample,
        memory=memory,
        threads=threads,
    )
    say(summarize(model, counts))
    save_model(model, files.model, force=force)
    shares = ShareCounter(groups.grouping())
    say(*write_tables(model, labelled.also_keeping(groups.by), files.table, shares, threads))
    if files.page is not None:
        about = texts.also_keeping(groups.by)
        write_report(files.page, about, model, title, force=force, threads=threads, **groups.options())
    say(f"wrote {', '.join(map(str, files.written()))}")


@dataclass(frozen=True)
class OutputFiles:
    """The labelled table, and the model and the report beside it."""

    table: TableFile
    model: Path
    page: Path | None

    @classmethod
    def of(cls, table: TableFile, *, report: bool) -> OutputFiles:
        """The names: those of the table with other suffixes.

        >>> OutputFiles.of(TableFile(Path("out/films.xlsx")), report=True).page.name
        'films.html'
        """
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

    def counted() -> Scored:
        for batch, scores in score_files(model, texts, ScoringOptions(markup=texts.markup, threads=threads)):
            shares.add(batch, scores)
            yield batch, scores

    def shares_table() -> Iterator[pa.Table]:
        yield pa.Table.from_pylist(share_records(shares.tally(), model.classes, max_groups=None))

    def words_table() -> Iterator[pa.Table]:
        yield pa.Table.from_pylist(model.records())

    labelled = prediction_tables(counted(), tally)
    notes = target.write(labelled, {"shares": shares_table(), "words": words_table()})
    return [*describe_labels(tally, model.classes), *describe_table(target.path, tally, notes)]
