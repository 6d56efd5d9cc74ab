"""`problex doctor`: faults of a lexicon on a corpus, words to add, and an edited lexicon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from problex._util.files import check_writable
from problex._util.formatting import pluralize
from problex._util.records import Record
from problex.cli.inputs import LexiconOptions, TextFiles, check_outputs
from problex.cli.options import Force, Format, LexiconFiles, Raw, Threads, TokenizerOptions, option, options
from problex.cli.output import ALL_ROWS, show
from problex.cli.terminal import say
from problex.corpus import Batch
from problex.doctor import Diagnosis, Finding, apply_edits, write_edits
from problex.doctor.diagnosis import KINDS, forecast_auc
from problex.doctor.diagnosis import doctor as check_lexicon
from problex.doctor.findings import MIN_GAIN
from problex.errors import OutputError
from problex.lexicon import Lexicon
from problex.lexicon.formats import WRITTEN_SUFFIXES
from problex.matching.language_guess import language_of

MAX_WORDS_SHOWN = 4
"""Words of a finding in a row of the table."""
MAX_CERTAINTY = 0.99
"""The largest certainty that is shown."""
FIX_CERTAINTY = 0.9
"""The certainty from which --fix corrects a fault."""
REASONS_SHOWN = 5
"""Faults whose reason is shown; JSON and CSV have all."""
FAULTS = f"Faults that cost {MIN_GAIN} of AUC or more, as forecast without labels"
ADDITIONS = "Words to add: check them before adding"
REASONS = "Reasons"
MORE_ROWS = "--top N --format csv shows more"
CONTEXT_WIDTH = 52
"""Characters of a context in a table."""


@options
def doctor(
    *,
    lexicon: LexiconFiles,
    tokens: TokenizerOptions,
    top: Annotated[int, option("--top", "N", "How many faults, and how many words to add, are shown.", min=1)] = 20,
    kind: Annotated[
        list[str] | None,
        option("--kind", "KIND", f"Show only findings of this kind: {', '.join(KINDS)}; repeat the option for more."),
    ] = None,
    fix: Annotated[
        Path | None,
        option(
            "--fix",
            "FILE",
            "Write the edited lexicon to this file, and a log of the changes next to it; only faults that are at "
            f"least {FIX_CERTAINTY:.0%} sure are corrected.",
        ),
    ] = None,
    fixes: Annotated[int, option("--fixes", "N", "How many faults --fix corrects.", min=0)] = 20,
    add: Annotated[int, option("--add", "N", "How many words --fix adds.", min=0)] = 0,
    threads: Threads = None,
    force: Force = False,
    form: Format = "table",
    raw: Raw = False,
    lists: LexiconOptions,
    texts: TextFiles,
) -> None:
    """Find faults of a lexicon with the help of TEXTS, and words to add to it; --fix writes an edited lexicon."""
    log = prepare_outputs(fix, texts, lexicon, force=force) if fix else None
    original = lists.lexicon(lexicon)
    read = texts.rereader()
    tokenizer = tokens.tokenizer(**({"language": guess_language(read)} if tokens.language == "auto" else {}))
    diagnosis = check_lexicon(
        read, original, top=max(top, fixes, add), kinds=kind, tokenizer=tokenizer, markup=texts.markup, threads=threads
    )
    say(f"{diagnosis.summary}. Counting words: AUC of at most {diagnosis.forecast:.3f}, forecast without labels.")
    show_findings(diagnosis, top, form, raw=raw)
    say(describe_limits(diagnosis))
    if fix and log:
        sure = [fault for fault in diagnosis.faults if fault.certainty and fault.certainty >= FIX_CERTAINTY]
        if doubtful := len(diagnosis.faults) - len(sure):
            number = pluralize(doubtful, "fault is", "faults are")
            say(f"{number} not corrected, because the doctor is less than {FIX_CERTAINTY:.0%} sure")
        edited = write_edited([*sure[:fixes], *diagnosis.additions[:add]], original, fix, log, force=force, raw=raw)
        after = forecast_auc(read(), edited, tokenizer=tokenizer, markup=texts.markup, threads=threads)
        say(f"counting words: AUC of at most {diagnosis.forecast:.3f} before and {after:.3f} after the edits")


def describe_limits(diagnosis: Diagnosis) -> str:
    """How many faults and words to add are left out for their gain."""
    sentences = []
    if not diagnosis.faults:
        sentences.append(f"The lexicon has no fault that costs {MIN_GAIN} of AUC or more.")
    if diagnosis.left_out:
        edits = pluralize(diagnosis.left_out, "edit is", "edits are")
        tried = len(diagnosis.lexicon.names) > 2
        reason = " or did not clearly raise the accuracy when tried" * tried
        sentences.append(f"{edits} left out, because the gain is below {MIN_GAIN} of AUC{reason}.")
    return " ".join(sentences)


def guess_language(read: Callable[[], Iterable[Batch]]) -> str:
    """The language of the first texts."""
    first = next(iter(read()), None)
    return "any" if first is None else language_of(first.texts)


def prepare_outputs(fix: Path, texts: TextFiles, lexicon: Sequence[str], *, force: bool) -> Path:
    """The path of the log of changes; raise if a file cannot be written.

    >>> prepare_outputs(Path("better.pdf"), TextFiles([]), [], force=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    problex.errors.OutputError: --fix 'better.pdf' was given, expected a file name that ends in one of ...
    """
    if fix.suffix.lower() not in WRITTEN_SUFFIXES:
        known = ", ".join(filter(None, WRITTEN_SUFFIXES))
        raise OutputError(f"--fix {fix.name!r} was given, expected a file name that ends in one of {known}")
    check_writable(fix, force=True)
    log = fix.with_suffix(".changes.csv")
    check_outputs({"--fix": fix, "the log of changes": log}, texts, *lexicon)
    for path in (fix, log):
        check_writable(path, force=force)
    return log


def write_edited(
    findings: Sequence[Finding], lexicon: Lexicon, fix: Path, log: Path, *, force: bool, raw: bool = False
) -> Lexicon:
    """Apply the edits of the findings, and write the edited lexicon and the log of changes."""
    edited, changes = apply_edits(lexicon, findings)
    for issue in write_edits(edited, changes, fix, log, force=force, raw=raw):
        say(f"problex: note: {issue}")
    say(f"wrote {pluralize(len(edited), 'entry', 'entries')} to {fix} and {pluralize(len(changes), 'change')} to {log}")
    return edited


def show_findings(whole: Diagnosis, top: int, form: str, *, raw: bool = False) -> None:
    """Write the first findings as records, or as tables: faults, words to add, words in context, notes."""
    diagnosis = whole.top(top)
    if form == "json":
        show(diagnosis.records(), form, raw=raw)
    elif form == "csv":
        show([_flat(record) for record in diagnosis.records()], form, raw=raw)
    else:
        _show_tables(diagnosis, whole)


def _show_tables(diagnosis: Diagnosis, whole: Diagnosis) -> None:
    proposed = (*diagnosis.faults, *diagnosis.additions)
    tables: dict[str, list[Record]] = {
        FAULTS: [_row(fault) | _certainty(fault) for fault in diagnosis.faults],
        ADDITIONS: [_row(addition) for addition in diagnosis.additions],
        REASONS: [{"word": one.words[0], "why": one.why} for one in diagnosis.faults[:REASONS_SHOWN]],
        "In context": [
            {"word": line.keyword.lower(), "in context": line.shortened(CONTEXT_WIDTH)}
            for finding in proposed
            for line in finding.contexts
        ],
        "Notes": [_note(note) for note in diagnosis.notes],
    }
    totals = {FAULTS: len(whole.faults), ADDITIONS: len(whole.additions), REASONS: len(whole.faults)}
    for title, rows in tables.items():
        unseen = totals.get(title, len(rows)) - len(rows)
        if rows:
            show(rows, "table", title, unseen=unseen, hint=MORE_ROWS if unseen else ALL_ROWS)


def _flat(record: Record) -> Record:
    """A record with its lists joined into one cell each, for CSV.

    >>> _flat({"kind": "rare", "words": ["good", "fine"], "edits": [], "contexts": []})
    {'kind': 'rare', 'words': 'good | fine', 'contexts': ''}
    """
    joined = {name: " | ".join(record[name]) for name in ("words", "contexts")}
    return {name: value for name, value in (record | joined).items() if name != "edits"}


def _row(finding: Finding) -> Record:
    """A finding as a row of a table, in which the words are not repeated in the edit.

    >>> from problex.lexicon import Edit
    >>> edits = tuple(Edit(word, "up", "down") for word in ("odd", "dull"))
    >>> _row(Finding("wrong side", "up", ("odd", "dull"), "", edits, before=0.75, after=0.8))
    {'words': 'odd, dull', 'edit': 'move from up to down', 'gain': '0.0500', 'kind': 'wrong side'}
    """
    rest = len(finding.words) - MAX_WORDS_SHOWN
    words = ", ".join(finding.words[:MAX_WORDS_SHOWN]) + (f" and {rest:,} more" if rest > 0 else "")
    edit = finding.edit
    if len({(one.old, one.new) for one in finding.edits}) == 1:
        edit = str(replace(finding.edits[0], word="")).replace("'' ", "")
    return {"words": words, "edit": edit, "gain": f"{finding.cost:.4f}", "kind": finding.kind}


def _certainty(finding: Finding) -> Record:
    """How sure a fault is: at most 99 %, because words also share topics.

    >>> [_certainty(Finding("wrong side", "up", ("odd",), "", certainty=value)) for value in (0.62, 0.999, None)]
    [{'sure': '62%'}, {'sure': '99%'}, {'sure': ''}]
    """
    return {"sure": "" if finding.certainty is None else f"{min(finding.certainty, MAX_CERTAINTY):.0%}"}


def _note(finding: Finding) -> Record:
    word = f"{finding.words[0]} " if len(finding.words) == 1 and not finding.list else ""
    return {"kind": finding.kind, "what": word + finding.why}
