"""Apply the edits of findings to a lexicon, and write the edited lexicon with a log of changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from problex._util.files import write_atomically
from problex._util.records import Record, to_csv
from problex.doctor.findings import Finding
from problex.lexicon.dictionary import Dictionary
from problex.lexicon.edits import Edit
from problex.lexicon.files import write_dictionary
from problex.lexicon.lexicon import Issue, Lexicon

LOG_COLUMNS = ("fix", "word", "from", "to", "done", "kind", "why", "forecast_before", "forecast_after")


def apply_edits(lexicon: Lexicon, findings: Sequence[Finding]) -> tuple[Lexicon, list[Record]]:
    """Apply the edits of findings to a lexicon; return the edited lexicon and a log with a record per edit.

    The first edit of an entry is applied, later ones are not. The last entry of a list is not removed. The log
    also has the entries that were left out because they are in two lists.

    >>> finding = Finding("wrong side", "positive", ("hero",), "", (Edit("hero", "positive", "negative"),))
    >>> edited, log = apply_edits(Lexicon({"positive": ["good", "hero"], "negative": ["bad"]}), [finding])
    >>> edited.lists["negative"], log[0]["done"]
    (('bad', 'hero'), "move 'hero' from positive to negative")
    """
    lists = {name: set(words) for name, words in lexicon.lists.items()}
    log = []
    first_finding: dict[str, int] = {}
    for number, finding in enumerate(findings, start=1):
        for edit in finding.edits:
            action = str(edit)
            if first_finding.setdefault(edit.word, number) != number:
                action = f"nothing: fix {first_finding[edit.word]} changed it already"
            elif edit.old is not None and lists[edit.old] == {edit.word}:
                action = "nothing: it is the last entry of its list"
            else:
                _apply(lists, edit)
            log.append(_log_record(number, edit, finding, action))
    edited = Lexicon({name: sorted(words) for name, words in lists.items()})
    for problem in lexicon.problems:
        if problem.kind == "in two lists" and problem.entry not in first_finding:
            finding = Finding("in both lists", "", (problem.entry,), f"is in two lists ({problem.where})")
            log.append(_log_record(None, Edit(problem.entry, None, None), finding, "left out of both, as before"))
    return edited, log


def _apply(lists: dict[str, set[str]], edit: Edit) -> None:
    """Remove the entry from all lists but the new one."""
    for words in lists.values():
        words.discard(edit.word)
    if edit.new is not None:
        lists[edit.new].add(edit.word)


def _log_record(number: int | None, edit: Edit, finding: Finding, action: str) -> Record:
    before, after = (round(value, 6) if value > 0 else None for value in (finding.before, finding.after))
    values = (number, edit.word, edit.old, edit.new, action, finding.kind, finding.why, before, after)
    return dict(zip(LOG_COLUMNS, values, strict=True))


def write_edits(
    edited: Lexicon,
    log: Sequence[Record],
    lexicon_path: Path,
    log_path: Path,
    *,
    force: bool = False,
    raw: bool = False,
) -> list[Issue]:
    """Write an edited lexicon and its log of changes (CSV); return what the lexicon's format could not hold."""
    issues = list(write_dictionary(Dictionary.of(edited), lexicon_path, force=force))
    text = to_csv(log, LOG_COLUMNS, raw=raw)
    write_atomically(log_path, lambda path: path.write_text(text, "utf-8"), force=force)
    return issues
