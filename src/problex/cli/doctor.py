"""`problex doctor`: what is wrong with a lexicon on a corpus, and the edits that would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from problex._util.progress import progress
from problex.cli.application import (
    ErrorActions,
    Force,
    Format,
    Forms,
    InputFormat,
    Languages,
    LexiconFiles,
    Markup,
    OnError,
    TextColumn,
    Texts,
    Threads,
    app,
    say,
    show,
)

if TYPE_CHECKING:
    from problex.corpus import Paths
    from problex.doctor.diagnosis import Diagnosis
    from problex.doctor.findings import Finding
    from problex.lexicon.lexicon import Lexicon


@app.command()
def doctor(
    texts: Texts,
    lexicon: LexiconFiles,
    text: TextColumn = None,
    language: Annotated[Languages, typer.Option(help="Of the texts and the lexicon.")] = Languages.en,
    top: Annotated[int, typer.Option("--top", min=1, help="How many faults, and words to add, are shown.")] = 20,
    kind: Annotated[list[str] | None, typer.Option("--kind", help="Only findings of this kind (repeatable).")] = None,
    fix: Annotated[Path | None, typer.Option("--fix", help="Write an edited lexicon and a log of changes.")] = None,
    fixes: Annotated[int, typer.Option("--fixes", min=0, help="How many faults --fix mends.")] = 20,
    add: Annotated[int, typer.Option("--add", min=0, help="How many of the proposed words --fix adds.")] = 0,
    markup: Markup = False,
    on_error: OnError = ErrorActions.stop,
    input_format: InputFormat = None,
    threads: Threads = None,
    force: Force = False,
    form: Format = Forms.table,
) -> None:
    """Show what is wrong with a lexicon on TEXTS, ranked by what it costs; --fix writes an edited one."""
    from problex.cli.fitting import lexicon_of

    reading = {"text": text, "format": input_format, "on_error": on_error}
    options = {"language": str(language), "markup": markup, "threads": threads, "top": max(top, fixes, add)}
    log = check_outputs(fix, force) if fix else None
    words = lexicon_of(lexicon)
    stream = readable_twice(texts, reading)
    found = diagnosis(stream, words, options, kind)
    show_findings(found.top(top), str(form))
    if fix and log:
        edited = write_fixes([*found.faults[:fixes], *found.additions[:add]], words, fix, log, force=force)
        say(recounted(stream, edited, options, found))


def check_outputs(fix: Path, force: bool) -> Path:
    """Where the log goes, before any work is done."""
    from problex._util.files import check_writable
    from problex.errors import OutputError
    from problex.lexicon.formats import SUFFIXES

    if fix.suffix.lower() not in SUFFIXES:
        known = ", ".join(filter(None, SUFFIXES))
        raise OutputError(f"--fix {fix.name!r} was given, expected the name of a lexicon that ends in one of {known}")
    log = fix.with_suffix(".changes.csv")
    for path in (fix, log):
        check_writable(path, force=force)
    return log


def readable_twice(texts: Paths, reading: dict[str, Any]) -> Callable[[], Iterable[Any]]:
    """The batches of texts as often as wanted; standard input is kept in memory, for it can be read but once."""
    from problex.corpus import batches, list_files

    if all(file.is_file() or file.is_dir() for file in list_files(texts)):
        return lambda: progress(batches(texts, missing="empty", **reading), "reading")
    kept = list(progress(batches(texts, missing="empty", **reading), "reading"))
    return lambda: kept


def diagnosis(
    stream: Callable[[], Iterable[Any]], words: Lexicon, options: dict[str, Any], kinds: Sequence[str] | None
) -> Diagnosis:
    """The findings, of all kinds or some; says what was read and what is believed."""
    from problex.doctor.diagnosis import diagnose
    from problex.evaluation.forecasts import WARNING
    from problex.matching.tokens import Tokenizer

    tokenizer = Tokenizer(options["language"])
    found = diagnose(
        stream, words, top=options["top"], kinds=kinds, tokenizer=tokenizer, markup=options["markup"],
        threads=options["threads"],
    )  # fmt: skip
    say(f"{found.summary}; forecast of counting: AUC {found.forecast:.3f}. {WARNING}")
    return found


def show_findings(found: Diagnosis, form: str) -> None:
    """Findings as records, or as tables: faults, words to add, lines in context, what is to know."""
    if form == "json":
        show(found.records(), form)
        return
    if form == "csv":
        show([_flat(record) for record in found.records()], form)
        return
    lines = [
        {"word": line.keyword.lower(), "in context": str(line)}
        for finding in (*found.faults, *found.additions)
        for line in finding.contexts
    ]
    tables = {
        "Faults by their cost: the AUC that the edit would win, as far as texts without labels can tell": [
            _row(fault, "cost") for fault in found.faults
        ],
        "Words to add by their worth, for a person to look at": [_row(lack, "worth") for lack in found.additions],
        "In context": lines,
        "To know": [_note(note) for note in found.notes],
    }
    for title, rows in tables.items():
        if rows:
            show(rows, form, title)


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """A record whose lists are joined into one cell each, for CSV."""
    joined = {name: " | ".join(record[name]) for name in ("words", "contexts")}
    return {name: value for name, value in (record | joined).items() if name != "edits"}


def _row(finding: Finding, value: str) -> dict[str, Any]:
    """A finding in one line of a table: the word stands once."""
    shown = ", ".join(finding.words[:4]) + (f" and {len(finding.words) - 4:,} more" if len(finding.words) > 4 else "")
    edit = finding.edit.replace(f"{finding.words[0]!r} ", "") if len(finding.edits) == 1 else finding.edit
    sure = None if finding.certainty is None else f"{finding.certainty:.0%}"
    row = {"kind": finding.kind, "words": shown, "sure": sure, "why": finding.why, "edit": edit}
    return {value: f"{finding.cost:.5f}"} | row


def _note(finding: Finding) -> dict[str, Any]:
    named = f"{finding.words[0]} " if len(finding.words) == 1 and not finding.list else ""
    return {"kind": finding.kind, "what": named + finding.why}


def write_fixes(fixes: Sequence[Finding], words: Lexicon, fix: Path, log: Path, *, force: bool) -> Lexicon:
    """Write the edited lexicon and the log of changes."""
    from problex.doctor import apply_edits, write_edits

    edited, changes = apply_edits(words, fixes)
    for problem in write_edits(edited, changes, fix, log, force=force):
        say(f"problex: note: {problem}")
    say(f"wrote {len(edited):,} entries to {fix} and {len(changes):,} changes to {log}")
    return edited


def recounted(stream: Callable[[], Iterable[Any]], edited: Lexicon, options: dict[str, Any], found: Diagnosis) -> str:
    """The forecast for the edited lexicon, from texts counted again."""
    from problex.doctor import forecast_auc
    from problex.matching.tokens import Tokenizer

    after = forecast_auc(
        stream(),
        edited,
        tokenizer=Tokenizer(options["language"]),
        markup=options["markup"],
        threads=options["threads"],
    )
    return f"forecast of counting: AUC {found.forecast:.3f} before, {after:.3f} after the edits"
